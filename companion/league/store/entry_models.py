"""The tables of competitions: what a stage has beside its races. Keys are natural, as in
`models.py`."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from companion.league.competing import Ranking, Role, Way, Weather
from companion.league.store.models import Base


class CompetitionRow(Base):
    """Stages that belong together. `number` is the act that made it."""

    __tablename__ = "competitions"

    key: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
    title: Mapped[str]
    ranking: Mapped[Ranking] = mapped_column(String)


class PathRow(Base):
    """A way from the places of a stage into another. `id` is the number of the act."""

    __tablename__ = "paths"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), index=True)
    into: Mapped[str] = mapped_column(ForeignKey("seasons.key"))
    first: Mapped[int]
    last: Mapped[int]
    by: Mapped[Way] = mapped_column(String)


class EntrantRow(Base):
    """A name on the entry list of a stage."""

    __tablename__ = "entrants"

    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), primary_key=True)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True, index=True)
    role: Mapped[Role] = mapped_column(String)
    number: Mapped[int | None]
    color: Mapped[str | None]
    until: Mapped[int | None]
    via: Mapped[str | None] = mapped_column(ForeignKey("seasons.key"))
    table: Mapped[str | None]
    grid: Mapped[int | None]


class EntrantCrewRow(Base):
    """A name of several who drive the car of an entrant; `number` is its place among them."""

    __tablename__ = "entrant_crews"

    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), primary_key=True)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True)
    member_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True)
    number: Mapped[int]


class StandInRow(Base):
    """A name that drives in the place of another in a round."""

    __tablename__ = "stand_ins"

    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True)
    absent_key: Mapped[str] = mapped_column(ForeignKey("names.key"))


class PlannedRow(Base):
    """A round as the calendar has it."""

    __tablename__ = "rounds"

    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    title: Mapped[str | None]
    date: Mapped[str | None]
    board: Mapped[str | None]
    pack: Mapped[str | None]
    laps: Mapped[int | None]
    weather: Mapped[Weather | None] = mapped_column(String)
    cancelled: Mapped[str | None]


class ComingRow(Base):
    """Whether a name comes to a round, as far as it was said."""

    __tablename__ = "coming"

    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), primary_key=True)
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True)
    comes: Mapped[bool]


class ChampionshipRow(Base):
    """A title that a driver holds, of a season or (`is_overall`) of a competition by its key;
    `team` is the one whose title it is, "": the driver's own. Kept at writing."""

    __tablename__ = "championships"

    driver_key: Mapped[str] = mapped_column(primary_key=True)
    key: Mapped[str] = mapped_column(primary_key=True, index=True)
    is_overall: Mapped[bool] = mapped_column(primary_key=True)
    team: Mapped[str] = mapped_column(primary_key=True)
