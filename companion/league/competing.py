"""What a competition is made of, as plain frozen records: stages, entry lists, calendars.

A stage is a season (`plain.Season`): it has rounds, points and standings of its own. A competition
puts stages into an order; a way leads from the places of one into the entry list of another, be it
promotion, relegation, or the final behind the heats.
"""

from __future__ import annotations

from typing import Literal

from companion.frozen import dataclass

Kind = Literal["season", "division", "trials", "heats", "final", "knockout", "sprint"]
KINDS: tuple[Kind, ...] = ("season", "division", "trials", "heats", "final", "knockout", "sprint")
"""What a stage is called; how it is scored stands in its fields, not in its kind, but for `trials`:
there the lowest score of a time trial is in front (`trials.py`)."""
Crews = Literal["car", "each"]
CREWS: tuple[Crews, ...] = ("car", "each")
"""Who has the points of a car with a crew: its name, or each of those who drove it."""
Weather = Literal["fine", "variable", "rain"]
WEATHERS: tuple[Weather, ...] = ("fine", "variable", "rain")
"""What a header may fix (FD-WEATHER-2), so that it is one for all tables of a round."""
Role = Literal["regular", "reserve", "joker"]
ROLES: tuple[Role, ...] = ("regular", "reserve", "joker")
"""How somebody is entered. Who stands in for another scores for the other's team; a `reserve` has
the driver's points himself, a `joker` leaves them to the other."""
Ranking = Literal["sum", "stages"]
RANKINGS: tuple[Ranking, ...] = ("sum", "stages")
"""How a competition is decided: by the points of its stages together, or by the last stage that
somebody reached (of divisions, the upper one first) and the place in it."""
Way = Literal["standings", "race"]
WAYS: tuple[Way, ...] = ("standings", "race")
"""Whose places lead on: those of the stage's standings, or those of each of its races."""


Draw = Literal["lot", "number", "placing"]
DRAWS: tuple[Draw, ...] = ("lot", "number", "placing")
"""How entrants come to tables: by lot, team-mates parted; by their numbers, the first to the first
table; or by their places in the stage that led here (else in this one), as after time trials."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """Somebody on the entry list of a stage.

    Args:
        driver: the key, after merges. `name`: what the person is called.
        number: on the car, once in a stage; None for none. `color` of the car, in words.
        until: the last round that the entry is for; None: all of them.
        via: the key of the stage that led here; None for who was simply entered.
        table: at which the person sits, as drawn; None: not drawn.
        grid: the place on that table's grid, as drawn, before penalties; None: none was drawn.
        crew: the keys of those who drive the car, where they are several.
    """

    driver: str
    name: str
    role: Role = "regular"
    number: int | None = None
    color: str | None = None
    until: int | None = None
    via: str | None = None
    table: str | None = None
    grid: int | None = None
    crew: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A driver scores for another team from a round on; None: for that of each race again."""

    driver: str
    since: int
    team: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandIn:
    """A driver drives in the place of another in a round."""

    driver: str
    absent: str
    round: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """A round as the calendar has it.

    Args:
        date: ISO 8601, with or without a time; None: not fixed yet.
        pack: what is played, such as the name of a pack of house rules.
        laps, weather: what every table's header says; None: each table settles it.
        cancelled: why it is not driven; None while it is to be.
        coming: the keys of the drivers who said that they come; `absent` that they do not.
    """

    round: int
    title: str | None = None
    date: str | None = None
    board: str | None = None
    pack: str | None = None
    laps: int | None = None
    weather: Weather | None = None
    cancelled: str | None = None
    coming: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    """Whoever is between two places of a stage is entered in another.

    Args:
        id: the number of its act, by which it is closed.
        first, last: places from 1; below 0 from the end, -1 is the last place.
    """

    id: int
    into: str
    first: int
    last: int
    by: Way = "standings"

    def cut(self, count: int) -> range:
        """The places that it takes of so many, counted from 0.

        >>> list(Path(id=1, into="b", first=-2, last=-1).cut(5))
        [3, 4]
        """
        first = self.first - 1 if self.first > 0 else count + self.first
        last = self.last if self.last > 0 else count + self.last + 1
        return range(max(first, 0), min(last, count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Competition:
    """Stages that belong together. `number` is the act that made it."""

    key: str
    title: str
    ranking: Ranking = "sum"
