"""The tables. Keys are natural (a driver's key, a race's id, an act's number), so that a league
that is made again from its files is the same league, row by row.

What people and records say is kept as it came (`RaceRow.origin`, `AmendmentRow`); the rows
of `EntryRow` are the result as it stands, made from these.

The tables of competitions: what a stage has beside its races. Keys are natural, as in
`models.py`.

The tables of a club whose truth lies in its database: files in pieces, and what waits.

They are on PostgreSQL alone, and no part of `models.Base`: an index is thrown away and made again,
these are not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import TypeVar

from sqlalchemy import JSON as JSON_COLUMN
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Double,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    Sequence,
    String,
    Table,
    false,
)
from sqlalchemy import String as Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship
from sqlalchemy.types import TypeDecorator

from companion.league.acts import ChangedCar, format_cars, parse_cars
from companion.league.plain import (
    CarNumbers,
    Crews,
    Kind,
    Note,
    RaceNumbers,
    Ranking,
    Role,
    Way,
    Weather,
    tidy,
)
from companion.league.results import Row, read_row
from companion.system.frozen import dataclass

# -- models ---------------------------------------------------------------------------------------


# Named, so that a migration can change a constraint on every database.
NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


class Base(DeclarativeBase):
    """All tables of the league."""

    metadata = MetaData(naming_convention=NAMING)


@dataclass(frozen=True, slots=True)
class Origin:
    """What a record or an act says of a race; `earlier` are results that it had before."""

    rows: tuple[Row, ...]
    earlier: tuple[tuple[Row, ...], ...] = ()
    notes: tuple[Note, ...] = ()


ValueT = TypeVar("ValueT")


class AsJson(TypeDecorator[ValueT]):
    """A column of values that are kept as JSON, and how they are read and written."""

    impl = JSON_COLUMN
    cache_ok = True

    def __init__(self, write: Callable[[ValueT], object], read: Callable[[object], ValueT]) -> None:
        super().__init__()
        self.write, self.read = write, read

    def process_bind_param(self, value: ValueT | None, dialect: Dialect) -> object:
        """What is kept of it."""
        return None if value is None else self.write(value)

    def process_result_value(self, value: object, dialect: Dialect) -> ValueT | None:
        """The value again."""
        return None if value is None else self.read(value)


class Number(TypeDecorator[float]):
    """A column of points or shares; whole ones come back without a point."""

    impl = Double
    cache_ok = True

    def process_result_value(self, value: float | None, dialect: Dialect) -> float | None:
        """The number again."""
        return None if value is None else tidy(value)


def _read_origin(data: object) -> Origin:
    assert isinstance(data, dict)
    return Origin(
        tuple(map(read_row, data["rows"])),
        tuple(tuple(map(read_row, rows)) for rows in data["earlier"]),
        tuple(Note(**{"id": 0, **note}) for note in data["notes"]),
    )


class KnownRow(Base):
    """What the store knows of itself: how far it has read the acts, and by which program."""

    __tablename__ = "known"

    key: Mapped[str] = mapped_column(primary_key=True)
    value: Mapped[str]


class FileRow(Base):
    """A record file as it was when last looked at. `message` says why it is not taken in."""

    __tablename__ = "files"

    file: Mapped[str] = mapped_column(primary_key=True)
    size: Mapped[int]
    changed_ns: Mapped[int] = mapped_column(BigInteger)
    sha256: Mapped[str] = mapped_column(index=True)
    race: Mapped[str | None]
    line: Mapped[int | None]
    message: Mapped[str | None]


class DriverRow(Base):
    """A person. `title` is what somebody named it."""

    __tablename__ = "drivers"

    key: Mapped[str] = mapped_column(primary_key=True)
    title: Mapped[str | None]
    is_hidden: Mapped[bool] = mapped_column(default=False, index=True)


class NameRow(Base):
    """A name that races are driven under, and whose it is.

    `spelling` is how the earliest race writes it; `since` is that race, for comparing.
    """

    __tablename__ = "names"

    key: Mapped[str] = mapped_column(primary_key=True)
    spelling: Mapped[str]
    since: Mapped[str]
    driver_key: Mapped[str] = mapped_column(ForeignKey("drivers.key"), index=True)


class SeasonRow(Base):
    """A season. `number` is the act that made it; `points` a text of `points.parse_points`, `ties`
    names of `standings.TIES` with commas; `is_closed`: it was open, and somebody has closed it."""

    __tablename__ = "seasons"

    key: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
    title: Mapped[str]
    points: Mapped[str]
    drops: Mapped[int]
    team_cars: Mapped[int | None]
    planned: Mapped[int | None]
    is_open: Mapped[bool]
    is_closed: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_private: Mapped[bool] = mapped_column(default=False)
    current_round: Mapped[int | None]
    ties: Mapped[str] = mapped_column(default="places")
    half_under: Mapped[float | None] = mapped_column(Number)
    competition: Mapped[str | None] = mapped_column(ForeignKey("competitions.key"), index=True)
    kind: Mapped[Kind] = mapped_column(String, default="season")
    step: Mapped[int] = mapped_column(default=1)
    tier: Mapped[int] = mapped_column(default=1)
    adds: Mapped[bool] = mapped_column(default=True)
    licence: Mapped[int | None]
    crews: Mapped[Crews] = mapped_column(String, default="car", server_default="car")


class SeasonTeamRow(Base):
    """The team of a name in a season, where it is not the one of the races: from a round on, or
    (1) in all of it. None, of a later round: that of each race again."""

    __tablename__ = "season_teams"

    season_key: Mapped[str] = mapped_column(ForeignKey("seasons.key"), primary_key=True)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True)
    since: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    team: Mapped[str | None]


class RaceRow(Base):
    """A race. `origin` is what its record or its act says.

    `placed` is the act that last named the season it belongs to; `sender` the table that sent
    it, None for a race of the house.
    """

    __tablename__ = "races"
    __table_args__ = (
        Index("ix_races_date", "date", "id"),
        # All that the years of the seasons are made of: the rows themselves are wide.
        Index("ix_races_year", "season_key", "struck", "provisional", "date"),
    )

    id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    date: Mapped[str]
    game: Mapped[str]
    track: Mapped[str | None]
    board: Mapped[str | None]
    laps: Mapped[int | None]
    rules: Mapped[list[str]] = mapped_column(JSON_COLUMN)
    source: Mapped[str]
    remark: Mapped[str | None]
    struck: Mapped[str | None]
    season_key: Mapped[str | None] = mapped_column(ForeignKey("seasons.key"), index=True)
    round: Mapped[int | None]
    factor: Mapped[float] = mapped_column(Number)
    scoring: Mapped[str | None]
    placed: Mapped[int | None]
    sender: Mapped[str | None]
    provisional: Mapped[bool] = mapped_column(default=False)
    origin: Mapped[Origin] = mapped_column("said", AsJson(asdict, _read_origin))
    numbers: Mapped[RaceNumbers] = mapped_column(JSON_COLUMN)

    entries: Mapped[list[EntryRow]] = relationship(
        order_by="EntryRow.place, EntryRow.seat", cascade="all, delete-orphan"
    )
    amendments: Mapped[list[AmendmentRow]] = relationship(order_by="AmendmentRow.id")
    penalties: Mapped[list[PenaltyRow]] = relationship(order_by="PenaltyRow.id")
    crews: Mapped[list[CrewRow]] = relationship(
        order_by="CrewRow.seat, CrewRow.number", cascade="all, delete-orphan"
    )
    notes: Mapped[list[NoteRow]] = relationship(order_by="NoteRow.id")
    protests: Mapped[list[ProtestRow]] = relationship(order_by="ProtestRow.id")


class EntryRow(Base):
    """A car of a race, as the result stands. `banned_by` is the act by which its driver was not to
    drive (`bans.settle`)."""

    __tablename__ = "entries"

    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), index=True)
    name: Mapped[str]
    place: Mapped[int]
    status: Mapped[str]
    team: Mapped[str | None]
    grid: Mapped[int | None]
    lap: Mapped[int | None]
    out: Mapped[str | None]
    points: Mapped[int | None]
    best_lap: Mapped[int | None]
    fastest: Mapped[bool]
    time: Mapped[float | None] = mapped_column(Number)
    trial_score: Mapped[int | None]
    trial_time: Mapped[float | None] = mapped_column(Number)
    banned_by: Mapped[int | None]
    numbers: Mapped[CarNumbers] = mapped_column(JSON_COLUMN)


class CrewRow(Base):
    """A name of several that drove a car of a race; `number` is its place among them."""

    __tablename__ = "crews"

    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True, index=True)
    number: Mapped[int]


class AmendmentRow(Base):
    """A result that somebody changed. `id` is the number of the act."""

    __tablename__ = "amendments"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), index=True)
    reason: Mapped[str]
    at: Mapped[str]
    entries: Mapped[tuple[ChangedCar, ...]] = mapped_column(AsJson(format_cars, parse_cars))


class PenaltyRow(Base):
    """A penalty in a race or of a season, of a name or of a team. `id` is the number of the act."""

    __tablename__ = "penalties"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    race_id: Mapped[str | None] = mapped_column(ForeignKey("races.id"), index=True)
    season_key: Mapped[str | None] = mapped_column(ForeignKey("seasons.key"), index=True)
    round: Mapped[int | None]
    name_key: Mapped[str | None] = mapped_column(ForeignKey("names.key"))
    team: Mapped[str | None]
    reason: Mapped[str]
    points: Mapped[float] = mapped_column(Number)
    bonus: Mapped[float] = mapped_column(Number)
    places: Mapped[int]
    disqualified: Mapped[bool]
    grid: Mapped[int]
    ban: Mapped[int]
    licence: Mapped[int]
    seconds: Mapped[int]
    lifted: Mapped[str | None]


class NoteRow(Base):
    """A note that somebody added. `id` is the number of the act."""

    __tablename__ = "notes"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), index=True)
    text: Mapped[str]
    by: Mapped[str]
    at: Mapped[str]


class TableRow(Base):
    """A table of the club and the digest of its key; without one it may send no more."""

    __tablename__ = "tables"

    name: Mapped[str] = mapped_column(primary_key=True)
    key_sha256: Mapped[str | None]


class ProtestRow(Base):
    """An objection to a result, and what was decided. `id` is the number of the act."""

    __tablename__ = "protests"

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    race_id: Mapped[str] = mapped_column(ForeignKey("races.id"), index=True)
    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"))
    reason: Mapped[str]
    at: Mapped[str]
    upheld: Mapped[bool | None]
    decision: Mapped[str | None]
    decided_by: Mapped[str | None]


class PersonRow(Base):
    """Somebody with a key of their own, of which the digest is kept, and in which role; `table` is
    the one that a marshal is at."""

    __tablename__ = "people"

    name_key: Mapped[str] = mapped_column(ForeignKey("names.key"), primary_key=True)
    role: Mapped[str]
    key_sha256: Mapped[str] = mapped_column(index=True)
    table: Mapped[str | None]


class ReadRow(Base):
    """What a record came to when it was played again, by the digest of its bytes.

    It holds keys of people, no names, and outlives the rest: to make the league again plays no
    record again.
    """

    __tablename__ = "read"

    sha256: Mapped[str] = mapped_column(primary_key=True)
    program: Mapped[str]
    finished: Mapped[dict[str, object]] = mapped_column(JSON_COLUMN)


class ResultRow(Base):
    """What a driver brought home from a race that counts, penalties in it.

    `at` sorts: date and id of the race. `place`, `status`: of the best car; `best_lap`, `rolls`:
    the fewest of the cars, those of whole races for `rolls`. `tally` is what is added up over
    races (`numbers.tally`); `rating` the one after the race, None where it moved nothing; `mu` and
    `sigma` the skill after it (`numbers.skill`), None where nobody reckons it.
    """

    __tablename__ = "results"
    __table_args__ = (
        Index("ix_results_driver_at", "driver_key", "at"),
        Index("ix_results_at", "at"),
        Index("ix_results_board_lap", "board", "best_lap", "at"),
        Index("ix_results_board_rolls", "board", "laps", "rolls", "at"),
        Index("ix_results_board_won", "board", "won", "driver_key"),
    )

    race_id: Mapped[str] = mapped_column(primary_key=True)
    driver_key: Mapped[str] = mapped_column(primary_key=True)
    at: Mapped[str]
    place: Mapped[int]
    status: Mapped[str]
    won: Mapped[bool]
    board: Mapped[str | None]
    laps: Mapped[int | None]
    best_lap: Mapped[int | None]
    rolls: Mapped[int | None]
    rating: Mapped[float | None] = mapped_column(Double)
    mu: Mapped[float | None] = mapped_column(Double)
    sigma: Mapped[float | None] = mapped_column(Double)
    tally: Mapped[dict[str, float]] = mapped_column(JSON_COLUMN)


class CarRow(Base):
    """A car of a race that counts in a season, penalties in it, as other programs ask for it.

    What ends in `_id` is as they spell it (`exchange.ergast_parts`). `at` sorts as
    `ResultRow.at`; `grid` is 0 where nobody knows, `fastest` the rank of the best lap; `sprint` one
    of `cars.SPRINTS`.
    """

    __tablename__ = "cars"
    __table_args__ = (
        Index("ix_cars_at", "at", "place"),
        *(
            Index(f"ix_cars_{of}", f"{of}_id", of, "season")
            for of in ("driver", "team", "board", "status")
        ),
    )

    race: Mapped[str] = mapped_column(primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[str]
    season: Mapped[str] = mapped_column(index=True)
    driver: Mapped[str]
    driver_id: Mapped[str]
    team: Mapped[str | None]
    team_id: Mapped[str | None]
    board: Mapped[str]
    board_id: Mapped[str]
    status: Mapped[str]
    status_id: Mapped[str]
    place: Mapped[int]
    grid: Mapped[int]
    fastest: Mapped[int | None]
    sprint: Mapped[str] = mapped_column(default="", index=True)


class TotalRow(Base):
    """All that a driver has done, added up. `last` is the latest race, as `ResultRow.at`."""

    __tablename__ = "totals"

    driver_key: Mapped[str] = mapped_column(primary_key=True)
    rating: Mapped[float] = mapped_column(Double, index=True)
    last: Mapped[str]
    mu: Mapped[float | None] = mapped_column(Double)
    sigma: Mapped[float | None] = mapped_column(Double)
    tally: Mapped[dict[str, float]] = mapped_column(JSON_COLUMN)


class RivalRow(Base):
    """How often a driver was ahead of another, and behind, in the races that both drove."""

    __tablename__ = "rivals"
    __table_args__ = (Index("ix_rivals_driver_races", "driver_key", "races"),)

    driver_key: Mapped[str] = mapped_column(primary_key=True)
    other_key: Mapped[str] = mapped_column(primary_key=True)
    races: Mapped[int]
    ahead: Mapped[int]
    behind: Mapped[int]


class BoardRow(Base):
    """The records of a board in a game, each with its race and driver."""

    __tablename__ = "boards"

    key: Mapped[str] = mapped_column(primary_key=True)
    game: Mapped[str]
    title: Mapped[str]
    races: Mapped[int]
    records: Mapped[dict[str, object]] = mapped_column(JSON_COLUMN)


# -- entry models ---------------------------------------------------------------------------------


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


# -- storage models -------------------------------------------------------------------------------


TRUTH = MetaData(naming_convention=NAMING)

NUMBERS = Sequence("kept_numbers", metadata=TRUTH)
"""A higher one for every change of a file."""

FILES = Table(
    "kept_files",
    TRUTH,
    Column("name", Text, primary_key=True),
    Column("folder", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Index("ix_kept_files_folder_number", "folder", "number"),
)
"""Each file; `number` is that of its latest change."""

PIECES = Table(
    "kept_pieces",
    TRUTH,
    Column("name", Text, ForeignKey("kept_files.name"), primary_key=True),
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)
"""What is in it, from byte `start` on: to add to a file costs what is added."""

QUEUE = Table(
    "kept_queue",
    TRUTH,
    Column("file", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("played", Boolean, nullable=False),
)
"""Records of a host's own folder that nobody has read in yet."""
