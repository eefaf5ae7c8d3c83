"""What the league knows, as plain frozen records: of the files, the database and the pages alike.

Drivers and seasons are named by their keys (`errors.key_of`), races by the id of their record.
`numbers` is what a game counts of its races (`games`), kept as JSON with the race.

Points by place, and what else earns points, are tables with names, and can be written:

>>> parse_points("f1").for_place(1)
25
>>> format_points(parse_points("12.5,9,7.0 + pole 1, gained 2"))
'12.5,9,7 + pole 1, gained 2'

A competition is made of stages, entry lists and calendars. A stage is a season: it has rounds,
points and standings of its own. A competition puts stages into an order; a way leads from the
places of one into the entry list of another, be it promotion, relegation, or the final behind the
heats.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypedDict

from companion.league.errors import BadAct
from companion.system.frozen import dataclass, no_state

# -- points ---------------------------------------------------------------------------------------


EXTRAS = ("pole", "gained", "fastest")
"""`pole`: first on the grid. `gained`: the finisher who gained most places on the grid place,
all of them where several did. `fastest`: the lap with the fewest rolls, likewise."""
MOST_POINTS = 1000
MOST_PLACES = 40
FINEST = 4
"""Digits behind the point that sums are kept to."""


def tidy(points: float) -> float:
    """Points as people write them: whole ones without a point, others without what adding left.

    >>> tidy(25.0), tidy(0.1 + 0.2)
    (25, 0.3)
    """
    near = round(points, FINEST)
    return int(near) if near == int(near) else near


@dataclass(frozen=True, slots=True)
class PointsTable:
    """What a round is worth.

    Args:
        places: points of the first, second … place; none after the last.
        extras: points by a name of `EXTRAS`.
        fastest_top: the fastest lap earns its points only in so many first places; None: in any.
        by_result: the race's own points are added as they are, the millions of a game for
            money (DF-VAR-4: totals added), and `places` is empty.
    """

    places: tuple[float, ...] = ()
    extras: Mapping[str, float] = field(default_factory=dict)
    by_result: bool = False
    fastest_top: int | None = None

    def for_place(self, place: int) -> float:
        """Points of a place, counted from 1."""
        return self.places[place - 1] if 1 <= place <= len(self.places) else 0


FORMULA_D = PointsTable((10, 8, 6, 5, 4, 3, 2, 1))
"""FD-TEAM-1."""
F1 = PointsTable((25, 18, 15, 12, 10, 8, 6, 4, 2, 1))
RESULT = PointsTable(by_result=True)
TABLES: Mapping[str, PointsTable] = MappingProxyType(
    {"formula-d": FORMULA_D, "f1": F1, "result": RESULT}
)
ACCEPTED = (
    f"accepted is a name ({', '.join(TABLES)}) or the points of the places (10,8,6), and behind "
    f"a + what else earns points ({', '.join(EXTRAS)}), such as: f1 + pole 1, fastest 1 top 10"
)
_NUMBER = re.compile(r"\d{1,4}(\.\d{1,2})?")
_EXTRA = re.compile(rf"([a-z]+) +({_NUMBER.pattern})( +top +([1-9]\d?))?")


def parse_points(text: str) -> PointsTable:
    """The table that a text names or spells out.

    Raises:
        BadAct: it is no such text, or a number is above `MOST_POINTS`.
    """
    head, _, tail = text.partition("+")
    named = TABLES.get(head.strip().lower())
    places = () if named else _places(text, head)
    extras, top = _extras(text, tail)
    base = named or PointsTable(places)
    return PointsTable(base.places, extras, base.by_result, top)


def format_points(table: PointsTable) -> str:
    """The text that `parse_points` reads back to the same table."""
    names = {known.places: name for name, known in TABLES.items() if not known.by_result}
    spelled = ",".join(map(str, table.places))
    head = "result" if table.by_result else names.get(table.places, spelled)
    tail = ", ".join(f"{name} {table.extras[name]}" for name in EXTRAS if name in table.extras)
    tail += f" top {table.fastest_top}" if table.fastest_top else ""  # fastest comes last
    return f"{head} + {tail}" if tail else head


def _places(text: str, head: str) -> tuple[float, ...]:
    words = [word.strip() for word in head.split(",")]
    are_points = all(_NUMBER.fullmatch(w) and float(w) <= MOST_POINTS for w in words)
    if len(words) > MOST_PLACES or not are_points:
        raise BadAct(f"{text!r:.80} is no points table; {ACCEPTED}")
    return tuple(tidy(float(word)) for word in words)


def _extras(text: str, tail: str) -> tuple[dict[str, float], int | None]:
    extras: dict[str, float] = {}
    top = None
    for part in tail.split(",") if tail.strip() else ():
        found = _EXTRA.fullmatch(part.strip().lower())
        if not found or found[1] not in EXTRAS or float(found[2]) > MOST_POINTS:
            raise BadAct(f"{text!r:.80} is no points table; {ACCEPTED}")
        if found[4] and found[1] != "fastest":
            raise BadAct("only the fastest lap is one among so many first places")
        extras[found[1]] = tidy(float(found[2]))
        top = int(found[5]) if found[4] else top
    return extras, top


# -- plain ----------------------------------------------------------------------------------------


Line = Mapping[str, object]
"""A line of a record, or any other JSON object from outside that nobody has read yet."""
Status = Literal["finished", "running", "out", "not-classified", "not-started", "disqualified"]
"""`running`: classified as it stood when the race was ended early; `not-classified`: it came home,
but too far behind; `not-started`: it was to come and did not, and has driven no race;
`disqualified` only comes from a penalty."""
Source = Literal["record", "hand"]
COMPANION = "companion"
"""Who puts a race into a season, makes the first one, and takes in the records of the house."""
MINUTE_S = 60
"""Each full one is a point of a time trial (FD-TRIAL-2)."""


class LapNumbers(TypedDict):
    """A lap that a car has driven from the line to the line: its number, from 1, the rolls of the
    gear dice, the how-many-th car that ended it, and the seconds of the table's clock when it was
    over; None where the record does not say."""

    number: int
    rolls: int
    position: int
    at: float | None


class TrialNumbers(TypedDict):
    """A time trial that was driven to its end (FD-TRIAL-2)."""

    seconds: float
    score: int


class CarNumbers(TypedDict, total=False):
    """What was counted of a car, as far as its game counts it.

    On a board, `rolls` of the gear dice and what else `games.formula.cars.Tally` explains, with
    its counts by their names; `passes` and `passed`: cars on the road; `led`: rounds begun as the
    first. For money: the player's score sheet, in millions over all races of the evening. Of any
    game `kept_waiting` and `waited`: seconds in which others waited for it, and it for others.
    """

    rolls: int
    wp: dict[str, int]
    luck: float
    stops: list[int]
    stop_laps: list[int]
    laps: list[LapNumbers]
    passes: int
    passed: int
    led: int
    trial: TrialNumbers
    race: int
    bets_won: int
    spent: int
    total: int
    cars: list[str]
    power: str | None
    bets: list[str | None]
    cards: int
    kept_waiting: float
    waited: float


class RaceNumbers(TypedDict, total=False):
    """What was counted of a race.

    `seats`: their names in it; `colors`: those of their cars, where the header tells them;
    `seconds`: None where the record does not say. On a board, `rounds`: all seats from first to
    last at the start of each round and at the end; `gaps`: spaces behind the first, by seat, a
    round each; `flag`: those from the line when the first was home; `lap_spaces`: None where there
    is none.
    """

    seats: dict[str, str]
    colors: dict[str, str]
    answers: int
    taken_back: int
    seconds: float | None
    rounds: list[list[int]]
    gaps: list[dict[str, float]]
    flag: dict[str, float]
    lap_spaces: float | None


UNMEASURED = RaceNumbers()
"""Of the many races whose numbers lie elsewhere, one for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Car:
    """One car of one race, as it came home.

    Args:
        seat: its number in the race, from 1.
        name: the name as it stood in the race.
        place: as the race ended, from 1; penalties are not in it (`results.classify`). Shared only
            where the game shares it (DF-PAY-3). 0 until it has one.
        grid: the place on the grid, from 1; None where nobody knows.
        lap: the laps begun, 0 before the line was crossed; None where nobody counted.
        out: why it is out (`corner`, `engine` …, or what somebody wrote); None unless out.
        points: the race's own points: FD-TEAM-1, or millions of dollars.
        best_lap: rolls of the gear dice in its quickest lap; None where nobody counted.
        fastest: whether it had the fastest lap, where somebody entered it so.
        time: the seconds that it took, where people measured them.
        crew: those who drove it, where they were several.
        numbers: what else was measured, by name.
    """

    seat: int
    name: str
    place: int = 0
    status: Status = "finished"
    team: str | None = None
    grid: int | None = None
    lap: int | None = None
    out: str | None = None
    points: float | None = None
    best_lap: int | None = None
    fastest: bool = False
    time: float | None = None
    crew: tuple[str, ...] = ()
    numbers: CarNumbers = field(default_factory=CarNumbers)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Car):
    """A car with who drove it, by key and after merges; so is its crew.

    Args:
        driver: one may have several cars in a race.
        trial_score, trial_time: of its time trial (FD-TRIAL-2), seconds for the time; None: none
            was driven to its end.
    """

    driver: str
    trial_score: int | None = None
    trial_time: float | None = None

    @property
    def people(self) -> tuple[str, ...]:
        """Who drove it: the crew, where it has one."""
        return self.crew or (self.driver,)

    def of(self, penalties: Iterable[Penalty]) -> list[Penalty]:
        """Those that hold of these, and are the car's: its driver's, or one's of its crew."""
        own = {self.driver, *self.crew}
        return [one for one in penalties if one.lifted is None and one.driver in own]


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalty:
    """A penalty, or a bonus. At most one of `places`, `points`, `bonus` and `disqualified` says
    something, and of the others as many as there were given.

    Args:
        id: the number of its act, by which it is lifted.
        driver: the driver's key, after merges; "" for that of a team.
        team: whose points they are; None for a driver's.
        points: taken from the season's total; 0 for none. `bonus` is given to it.
        places: lost in the race, 1 or more; 0 for none.
        grid: places lost on the driver's next grid. `ban`: so many rounds not to be driven.
        licence: points on the licence. `seconds`: added to the car's time, where it has one.
        round: of a season's penalty, the round after which it was given; None: it holds from the
            first one until it is lifted.
        banned: the driver was not to drive this race, by the ban with this id; not an act of its
            own.
        lifted: why it no longer holds; None while it does.
    """

    id: int
    driver: str
    reason: str
    team: str | None = None
    points: float = 0
    bonus: float = 0
    places: int = 0
    disqualified: bool = False
    grid: int = 0
    ban: int = 0
    licence: int = 0
    seconds: int = 0
    round: int | None = None
    banned: bool = False
    lifted: str | None = None

    @property
    def bars(self) -> bool:
        """Whether it keeps somebody from driving, now or one day."""
        return bool(self.ban or self.licence)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A note on the night. `id` is the number of its act; 0: it stands in the record."""

    id: int
    text: str
    by: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protest:
    """An objection to a result by a driver, and what was decided; `upheld` is None until then."""

    id: int
    driver: str
    reason: str
    at: str = ""
    upheld: bool | None = None
    decision: str | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """What a result was before it was amended, oldest first in `Race.earlier`.

    `reason` is why it was changed; empty where the table itself took answers back.
    """

    entries: tuple[Entry, ...]
    reason: str = ""
    at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """One race, with its result as it stands now.

    Args:
        id: of its record, or made for a race that was entered by hand.
        date: ISO 8601; as far as the clock of the table could be believed.
        game: one of `rules.games.NAMES`.
        track: the name of the board in the header; None without one.
        board: what people call the board.
        laps: None where nobody knows.
        rules: the optional rules in force.
        season: the key of its season; None: in none. `round`: from 1, None with `season`.
        factor: by which points count in the season (2: a double round; 0.5: half points).
        scoring: points of its own, as of a sprint; None: those of the season.
        struck: why it counts no more; None while it does.
        sender: the table of the club that sent it; None for a race of the house.
        provisional: it waits until somebody confirms it, and counts for nothing before.
        is_trials: whether its season is a stage of time trials, so that these are its result.
        is_sprint: whether it has points of its own beside a race of its round that has those of the
            season: its points count there, its places do not.
        remark: what a reader should know of the record, such as a line that today's rules
            refuse; None mostly.
        numbers: what was measured of the race as a whole, by name.
    """

    id: str
    name: str
    date: str
    game: str
    entries: tuple[Entry, ...]
    source: Source = "record"
    track: str | None = None
    board: str | None = None
    laps: int | None = None
    rules: tuple[str, ...] = ()
    season: str | None = None
    round: int | None = None
    factor: float = 1
    scoring: PointsTable | None = None
    struck: str | None = None
    remark: str | None = None
    penalties: tuple[Penalty, ...] = ()
    notes: tuple[Note, ...] = ()
    earlier: tuple[Earlier, ...] = ()
    numbers: RaceNumbers = field(default_factory=lambda: UNMEASURED)
    sender: str | None = None
    provisional: bool = False
    is_trials: bool = False
    is_sprint: bool = False
    protests: tuple[Protest, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it is in the standings, the ratings, the records."""
        return self.struck is None and not self.provisional


def drivers_in(races: Collection[Race]) -> set[str]:
    """Everybody who was in these races, crews too, and who was penalized in them, by key."""
    cars = {
        driver for race in races for entry in race.entries for driver in (entry.driver, *entry.crew)
    }
    return cars | {one.driver for race in races for one in race.penalties if one.driver}


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A season and how it is scored.

    Args:
        key: its name in addresses and commands. `title`: as people call it.
        drops: how many of a driver's worst rounds do not count. `best`: or how many rounds count,
            each one's best; None: all.
        team_cars: how many cars a team scores with in a round, its best; None: all.
        is_open: whether a record that comes in is its next round (one season at most).
        is_private: whether the public does not see it.
        current_round: the round that such a record belongs to; None: each is the next one.
        planned: rounds that the season is to have; None: nobody knows.
        ties: what decides equal points, in this order (`standings.TIES`).
        half_under: a race that ended before so much of its laps (0.75) counts half; None: in full.
        licence: so many licence points are a ban from the next round; None: they are none.
        crews: who has the points of a car with a crew.
        competition: the key of what it is a stage of. `step`: how late in it; `tier`: of
            divisions side by side, 1 is the uppermost. `adds`: whether its points are in the sum.
        teams: the team by driver's key, where it is not the one of the races; `moves` are those
            of later rounds, by driver and round. `stand_ins`: who drove for whom.
        entrants: the entry list, by number. `calendar`: the rounds, in their order.
        paths: where its places lead to.
        penalties: of the season as a whole.
    """

    key: str
    title: str
    points: PointsTable = FORMULA_D
    drops: int = 0
    best: int | None = None
    team_cars: int | None = None
    is_open: bool = False
    is_private: bool = False
    current_round: int | None = None
    planned: int | None = None
    ties: tuple[str, ...] = ("places",)
    half_under: float | None = None
    competition: str | None = None
    kind: Kind = "season"
    step: int = 1
    tier: int = 1
    adds: bool = True
    licence: int | None = None
    crews: Crews = "car"
    teams: Mapping[str, str] = field(default_factory=dict)
    moves: tuple[Move, ...] = ()
    stand_ins: tuple[StandIn, ...] = ()
    entrants: tuple[Entrant, ...] = ()
    calendar: tuple[Planned, ...] = ()
    paths: tuple[Path, ...] = ()
    penalties: tuple[Penalty, ...] = ()

    @property
    def people(self) -> set[str]:
        """The keys of all who are named in it."""
        who = {one.driver for one in self.entrants} | {one.driver for one in self.moves}
        who |= {one.driver for one in self.penalties}
        who |= {key for one in self.stand_ins for key in (one.driver, one.absent)}
        who |= {key for one in self.entrants for key in one.crew} | self.teams.keys()
        who |= {key for one in self.calendar for key in (*one.coming, *one.absent)}
        return who - {""}

    def team_of(self, driver: str, number: int, own: str | None) -> str | None:
        """The team that a driver scores for in a round; `own` is the one that the race says."""
        for _ in self.stand_ins:  # names that are one person now may stand in for each other
            driver = self.absent(driver, number) or driver
        since = [one for one in self.moves if one.driver == driver and one.since <= number]
        if since:
            return since[-1].team or own
        return self.teams.get(driver, own)

    def absent(self, driver: str, number: int) -> str | None:
        """For whom a driver drives in a round; None: for himself."""
        for one in self.stand_ins:
            if (one.driver, one.round) == (driver, number):
                return one.absent
        return None

    def scorer(self, driver: str, number: int) -> str:
        """Who has the points that a driver brings home in a round."""
        absent = self.absent(driver, number)
        is_joker = any(one.driver == driver and one.role == "joker" for one in self.entrants)
        return absent if absent is not None and is_joker else driver

    def scorers(self, entry: Entry, number: int) -> tuple[str, ...]:
        """Who has the points of a car: its driver, or each of its crew."""
        people = entry.people if self.crews == "each" else (entry.driver,)
        return tuple(self.scorer(driver, number) for driver in people)


def meant(seasons: Sequence[Season]) -> Season | None:
    """The season that is meant where nobody names one: the open one, else the newest.

    Args:
        seasons: the newest first.
    """
    return next((one for one in seasons if one.is_open), next(iter(seasons), None))


@dataclass(frozen=True, slots=True, kw_only=True)
class Driver:
    """A person. `names` are all the ways this person is written in races, `name` first.

    `is_hidden`: the public does not see who it is.
    """

    key: str
    name: str
    names: tuple[str, ...] = ()
    races: int = 0
    is_hidden: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """A record that is not in the league, and why. `line` counts from 1."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table of the club as it stands now. `state` is its `/api/table`; `age_s` how old it is."""

    table: str
    age_s: float
    state: Line


class Once(NamedTuple):
    """By what a request is known again: its key, and a digest of what it asks. `answer` is what it
    was answered, where that cannot be told from its acts."""

    key: str
    asked: str | None = None
    answer: dict[str, Any] | None = None

    def __setstate__(self, state: object) -> None:
        no_state(self, state)

    def answered(self, **answer: object) -> Once:
        """The same with what it is answered; `act` is the number of its first act, once known."""
        return self._replace(answer={"ok": True, **answer})


# -- competing ------------------------------------------------------------------------------------


Kind = Literal["season", "division", "trials", "heats", "final", "knockout", "sprint"]
KINDS: tuple[Kind, ...] = ("season", "division", "trials", "heats", "final", "knockout", "sprint")
"""What a stage is called; how it is scored stands in its fields, not in its kind, but for `trials`:
there the lowest score of a time trial is in front (`results.py`)."""
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
