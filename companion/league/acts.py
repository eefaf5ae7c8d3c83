"""Acts: what people did to the league, in the words of its journal.

An act is a JSON object `{"act": KIND, …}`; every kind is a class whose fields say what it may
say. `parse_act` knows the form only; whether a race or a driver is there, the store says when
it carries the act out. Acts are never changed or taken away: a mistake is mended by another act
(`part` undoes `merge`, `lift` a `penalty`, `restore` a `strike`, an `amend` the one before).

What every act is: a record with a word for its kind.

The acts of competitions: their stages and the ways between them, entry lists, calendars.

What an act may say of a person, a race, a season: the forms of its values.

An act told otherwise: its people by other names, its texts in other words; pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Literal, NamedTuple, TypeVar, get_type_hints

from companion.league.errors import BadAct, key_of, parse_name
from companion.league.plain import (
    CREWS,
    KINDS,
    MOST_PLACES,
    MOST_POINTS,
    RANKINGS,
    WAYS,
    WEATHERS,
    Crews,
    Ranking,
    Status,
    Way,
    Weather,
    format_points,
    parse_points,
    tidy,
)
from companion.league.plain import ROLES as ALL_ROLES
from companion.league.plain import Kind as Stage
from companion.league.plain import Role as EntryRole
from companion.rules.codec import (
    Context,
    Fielded,
    Flag,
    Form,
    Maybe,
    OneOf,
    Record,
    RecordT,
    Within,
    Word,
    keys,
    tell,
    values,
)
from companion.rules.games import NAMES
from companion.rules.lines import Malformed, is_true, only_keys
from companion.system.frozen import dataclass

# -- act ------------------------------------------------------------------------------------------


class Act(Record):
    """Base of all acts; `kind` is its word."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Act]]] = {}

    def __init_subclass__(cls, kind: str) -> None:
        super().__init_subclass__()
        cls.kind, Act.kinds[kind] = kind, cls


class Done(NamedTuple):
    """An act in the journal: its number, when (ISO 8601) and by whom it was done."""

    n: int
    act: Act
    at: str
    by: str


# -- said -----------------------------------------------------------------------------------------


LONGEST_TEXT = 500
MOST_CARS = 20
MOST_ROUNDS = 200
MOST_LAPS = 100
MOST_COUNTED = 100
"""Of places on a grid, rounds of a ban, points on a licence."""
MOST_SECONDS = 100_000
"""Of a race, somewhat more than a day."""
MOST_CREW = 8
MOST_TRIAL = 1000
"""Rolls, spaces of overshoot and errors of a time trial together."""
STATUSES = ("finished", "running", "out", "not-classified", "not-started")
Role = Literal["organiser", "steward", "marshal", "driver"]
ROLES: tuple[Role, ...] = ("organiser", "steward", "marshal", "driver")
"""Who has a key beside the keeper and the tables."""
CONFIRMING = ("at-once", "by-hand")
RACE_ID = re.compile(r"[0-9a-zA-Z][0-9a-zA-Z_-]{0,63}")
"""What an id may look like: it becomes the name of a file."""
_KEY_OF_SIGNS = re.compile(r"[0-9a-f]{2,6}(-[0-9a-f]{2,6})+")
"""The key of a name without a letter (`names.key_of`); it may be longer than any name."""
_ALIAS = re.compile(r"Driver [0-9a-f]{6}")
"""What somebody is called who was forgotten (`people.People.alias`)."""
TIES = ("places", "wins", "poles", "fastest", "last", "dropped")
"""What may decide equal points; `standings.TIES` has how."""
NOTHING = Context()


class Unsaid(Enum):
    """The value of a field that an act does not have; null says something else."""

    UNSAID = "unsaid"


UNSAID: Final = Unsaid.UNSAID


# -- values -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Like(Form[str]):
    """A text of a pattern, and how people call it."""

    pattern: re.Pattern[str]
    about: str

    def read(self, data: object, what: str, context: Context) -> str:
        if not isinstance(data, str) or not self.pattern.fullmatch(data):
            raise BadAct(f"{what} is {self.about}, not {data!r:.80}")
        return data


def free_text(value: object, what: str) -> str:
    """Some sentences: what can be read, and line ends."""
    text = value.strip() if isinstance(value, str) else ""
    is_plain = all(c == "\n" or unicodedata.category(c)[0] != "C" for c in text)
    if not text or len(text) > LONGEST_TEXT or not is_plain:
        raise BadAct(f"{what} is a text of 1 to {LONGEST_TEXT} characters, not {value!r:.60}")
    return text


def name_text(value: object, what: str) -> str:
    return parse_name(value, what=what)


@dataclass(frozen=True, slots=True)
class PersonForm(Form[str]):
    """The name of a person: what the journal keeps a key of, and the name apart (`people.py`)."""

    def read(self, data: object, what: str, context: Context) -> str:
        return parse_name(data, what=what)


def called_text(value: object, what: str) -> str:
    """The name of a table, a team, a race or a season, which may be called after somebody.

    Whoever is forgotten since counts as one letter, for the alias may be longer than the name was.
    """
    if not isinstance(value, str):
        return parse_name(value, what=what)
    parse_name(_ALIAS.sub("X", value), what=what)
    return " ".join(value.split())


def key_text(value: object, what: str) -> str:
    if isinstance(value, str) and _KEY_OF_SIGNS.fullmatch(value):
        return value
    return key_of(parse_name(value, what=what))


def points_text(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise BadAct(f"{what} is a text such as formula-d or 10,8,6, not {value!r:.40}")
    return format_points(parse_points(value))


def day_text(value: object, what: str) -> str:
    """A date that there is, with or without a time of day."""
    text = DATE.read(value, what, NOTHING)
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise BadAct(f"{what} is a date such as 2026-05-17, not {value!r:.40}") from error
    return text


def ties_text(value: object, what: str) -> str:
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else []
    if not words or len(set(words)) != len(words) or not set(words) <= set(TIES):
        raise BadAct(f"{what} are some of {', '.join(TIES)}, with commas, not {value!r:.60}")
    return ",".join(words)


def truth(value: object, what: str) -> bool:
    is_true({what: value}, what)
    return True


@dataclass(frozen=True, slots=True)
class By(Form[object]):
    """A value that a function reads, and that is JSON as it stands."""

    function: Callable[[object, str], object]

    def read(self, data: object, what: str, context: Context) -> object:
        return self.function(data, what)


@dataclass(frozen=True, slots=True)
class Amount(Form[float]):
    """A number with at most two digits behind the point, within bounds, both included."""

    low: float
    high: float

    def read(self, data: object, what: str, context: Context) -> float:
        is_number = isinstance(data, int | float) and not isinstance(data, bool)
        fits = is_number and self.low <= data <= self.high  # type: ignore[operator]  # a number
        if isinstance(data, int | float) and fits and round(data, 2) == data:
            return tidy(data)
        raise BadAct(
            f"{what} is a number from {self.low} to {self.high} with at most two digits behind "
            f"the point, not {data!r:.40}"
        )


@dataclass(frozen=True, slots=True)
class CrewForm(Form[tuple[str, ...]]):
    """The names of several people who drive one car; an empty list is none of them."""

    def tell(self, value: tuple[str, ...], context: Context) -> object:
        return list(value)

    def read(self, data: object, what: str, context: Context) -> tuple[str, ...]:
        if not isinstance(data, list) or len(data) > MOST_CREW:
            raise BadAct(f"{what} is a list of at most {MOST_CREW} names, not {data!r:.60}")
        names = tuple(parse_name(one, what=what) for one in data)
        if len({key_of(name) for name in names}) < len(names):
            raise BadAct(f"{what} names somebody twice: {', '.join(names)}")
        return names


@dataclass(frozen=True, slots=True)
class Cars(Form[tuple[Fielded, ...]]):
    """A list of cars; `record` is what each of them is."""

    record: type[Fielded]

    def tell(self, value: tuple[Fielded, ...], context: Context) -> object:
        return [tell(one, context) for one in value]

    def read(self, data: object, what: str, context: Context) -> tuple[Fielded, ...]:
        is_list = isinstance(data, list) and all(isinstance(one, Mapping) for one in data)
        if not isinstance(data, list) or not is_list or not 1 <= len(data) <= MOST_CARS:
            raise BadAct(f"{what} is a list of 1 to {MOST_CARS} objects, not {data!r:.60}")
        return tuple(
            read_record(self.record, one, f"number {n} of {what}") for n, one in enumerate(data, 1)
        )


RACE = Like(RACE_ID, "an id of 1 to 64 letters, digits and -")
DATE = Like(
    re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?)?"),
    "a date such as 2026-05-17",
)
DIGEST = Like(re.compile(r"[0-9a-f]{64}"), "a SHA-256 in 64 hexadecimal digits")
MAY = Word(sparse=True)
Id = Annotated[str, RACE]
Text = Annotated[str, By(free_text)]
Name = Annotated[str, By(called_text)]
Person = Annotated[str, PersonForm()]
MaybePerson = Annotated[str | Unsaid, PersonForm(), MAY]
MaybeCrew = Annotated[tuple[str, ...] | Unsaid, CrewForm(), MAY]
Key = Annotated[str, By(key_text)]
MaybeName = Annotated[str | Unsaid, By(called_text), MAY]
NameOrNull = Annotated[str | Unsaid | None, Maybe(By(called_text)), MAY]
ThingOrNull = Annotated[str | Unsaid | None, Maybe(By(name_text)), MAY]
TextOrNull = Annotated[str | Unsaid | None, Maybe(By(free_text)), MAY]
SeatOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_CARS)), MAY]
Round = Annotated[int, Within(1, MOST_ROUNDS)]
MaybePoints = Annotated[float | Unsaid, Amount(0.01, MOST_POINTS), MAY]
MaybeCount = Annotated[int | Unsaid, Within(1, MOST_COUNTED), MAY]
PointsOrNull = Annotated[str | Unsaid | None, Maybe(By(points_text)), MAY]
KeyOrNull = Annotated[str | Unsaid | None, Maybe(By(key_text)), MAY]
RoundOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_ROUNDS)), MAY]


def read_record(record: type[RecordT], data: Mapping[str, object], what: str) -> RecordT:
    """A record out of an object.

    Raises:
        BadAct, Malformed: a key is missing or unknown, a value is refused.
    """
    only_keys(data, keys(record), what)
    needed = [one.name for one in fields(record) if one.default is MISSING]
    missing = [key for key in needed if key not in data]
    if missing:
        raise BadAct(f"{what} needs {', '.join(needed)}; {missing[0]} is missing")
    return record(**values(record, data, NOTHING))


# -- acts -----------------------------------------------------------------------------------------


class Car(Record):
    """What people enter of a car; without `place` the order of the list holds.

    `time` in seconds; with `trial`, the rolls, overshoot and errors of a time trial, it is that
    of the trial.
    """

    player: MaybePerson = UNSAID
    place: Annotated[int | Unsaid, Within(1, MOST_CARS), MAY] = UNSAID
    status: Annotated[Status | Unsaid, OneOf(STATUSES), MAY] = UNSAID
    team: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    lap: Annotated[int | Unsaid | None, Maybe(Within(0, MOST_LAPS)), MAY] = UNSAID
    out: TextOrNull = UNSAID
    points: Annotated[int | Unsaid | None, Maybe(Within(-MOST_POINTS, MOST_POINTS)), MAY] = UNSAID
    fastest: Annotated[bool | Unsaid, Flag(), MAY] = UNSAID
    time: Annotated[float | Unsaid | None, Maybe(Amount(0, MOST_SECONDS)), MAY] = UNSAID
    trial: Annotated[int | Unsaid, Within(1, MOST_TRIAL), MAY] = UNSAID
    crew: MaybeCrew = UNSAID


class _Named(Record):
    name: Person


class _Seated(Record):
    seat: Annotated[int, Within(1, MOST_CARS)]
    name: MaybePerson = UNSAID


class NewCar(Car, _Named):  # the fields of the last base come first, here and in JSON
    """A car of a race that is entered by hand."""


class ChangedCar(Car, _Seated):
    """A car of a result that is amended; one that was not in the race needs a name."""


class SetSeason(Act, kind="season"):
    """A season is made, or what is known of it is changed."""

    season: Key
    title: MaybeName = UNSAID
    points: Annotated[str | Unsaid, By(points_text), MAY] = UNSAID
    drops: Annotated[int | Unsaid, Within(0, MOST_ROUNDS), MAY] = UNSAID
    team_cars: SeatOrNull = UNSAID
    planned: RoundOrNull = UNSAID
    is_open: Annotated[bool | Unsaid, Flag(), Word("open", sparse=True)] = UNSAID
    current_round: RoundOrNull = UNSAID
    is_private: Annotated[bool | Unsaid, Flag(), Word("private", sparse=True)] = UNSAID
    ties: Annotated[str | Unsaid, By(ties_text), MAY] = UNSAID
    half_under: Annotated[float | Unsaid | None, Maybe(Amount(0.01, 1)), MAY] = UNSAID
    competition: KeyOrNull = UNSAID
    stage: Annotated[Stage | Unsaid, OneOf(KINDS), MAY] = UNSAID
    step: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    tier: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    adds: Annotated[bool | Unsaid, Flag(), MAY] = UNSAID
    licence: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_COUNTED)), MAY] = UNSAID
    crews: Annotated[Crews | Unsaid, OneOf(CREWS), MAY] = UNSAID


class EnterRace(Act, kind="race"):
    """A race entered by hand, maybe as that of a table; into a season with `round`."""

    race: Id
    date: Annotated[str, DATE]
    game: Annotated[str, OneOf(NAMES)]
    entries: Annotated[tuple[NewCar, ...], Cars(NewCar)]
    name: MaybeName = UNSAID
    track: TextOrNull = UNSAID
    laps: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_LAPS)), MAY] = UNSAID
    table: MaybeName = UNSAID


class PlaceRace(Act, kind="round"):
    """A race is a round of a season, or of none; without `round` the next one."""

    race: Id
    season: Annotated[str | None, Maybe(By(key_text))]
    round: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    factor: Annotated[float | Unsaid, Amount(0.01, 10), MAY] = UNSAID
    points: PointsOrNull = UNSAID


class Amend(Act, kind="amend"):
    """The result of a race is another one; cars that are not named are no longer in it."""

    race: Id
    reason: Text
    entries: Annotated[tuple[ChangedCar, ...], Cars(ChangedCar)]


class Strike(Act, kind="strike"):
    """A race counts no more."""

    race: Id
    reason: Text


class Restore(Act, kind="restore"):
    """A race that was struck counts again."""

    race: Id


class Penalize(Act, kind="penalty"):
    """A penalty or a bonus in a race, or of a whole season, for a driver or a team."""

    driver: MaybePerson = UNSAID
    reason: Text
    team: MaybeName = UNSAID
    race: Annotated[str | Unsaid, RACE, MAY] = UNSAID
    season: Annotated[str | Unsaid, By(key_text), MAY] = UNSAID
    points: MaybePoints = UNSAID
    bonus: MaybePoints = UNSAID
    places: Annotated[int | Unsaid, Within(1, MOST_PLACES), MAY] = UNSAID
    disqualified: Annotated[bool | Unsaid, By(truth), MAY] = UNSAID
    grid: MaybeCount = UNSAID
    ban: MaybeCount = UNSAID
    licence: MaybeCount = UNSAID
    seconds: Annotated[int | Unsaid, Within(1, 3600), MAY] = UNSAID
    round: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID


class Lift(Act, kind="lift"):
    """A penalty no longer holds."""

    penalty: Annotated[int, Within(1, 10**9)]
    reason: Text


class AddNote(Act, kind="note"):
    """A note on the night."""

    race: Id
    text: Text


class Merge(Act, kind="merge"):
    """Two names are one person."""

    name: Person
    into: Person


class Part(Act, kind="part"):
    """A name is a person of its own after all."""

    name: Person


class Rename(Act, kind="rename"):
    """A person is called otherwise."""

    driver: Person
    name: Person


class SetTeam(Act, kind="team"):
    """The team of a driver in a season, or from one of its rounds on."""

    season: Key
    driver: Person
    team: Annotated[str | None, Maybe(By(called_text))]
    since: Annotated[int | Unsaid, Within(2, MOST_ROUNDS), MAY] = UNSAID


class OpenTable(Act, kind="table"):
    """A table of the club gets a key; only its digest is kept."""

    table: Name
    key_sha256: Annotated[str, DIGEST]


class CloseTable(Act, kind="close-table"):
    """A table of the club loses its key."""

    table: Name


class Receive(Act, kind="received"):
    """A table has sent a race, or more of it; it is the table's from then on."""

    race: Id
    table: Name
    provisional: Annotated[bool, Flag(), MAY] = False


class Confirm(Act, kind="confirm"):
    """A provisional result counts."""

    race: Id


class RunClub(Act, kind="club"):
    """How the club works: whether what tables send waits until somebody confirms it."""

    confirm: Annotated[str, OneOf(CONFIRMING)]


class Protest(Act, kind="protest"):
    """Somebody objects to a result."""

    race: Id
    driver: Person
    reason: Text


class Decide(Act, kind="decide"):
    """A protest is upheld or turned down, for a reason; what follows from it are other acts."""

    protest: Annotated[int, Within(1, 10**9)]
    upheld: Annotated[bool, Flag()]
    reason: Text


class Appoint(Act, kind="person"):
    """Somebody gets a key of their own, in a role; only its digest is kept.

    A marshal has a `table`.
    """

    person: Person
    role: Annotated[Role, OneOf(ROLES)]
    key_sha256: Annotated[str, DIGEST]
    table: MaybeName = UNSAID


class Dismiss(Act, kind="close-person"):
    """Somebody's key is no longer good."""

    person: Person


class Hide(Act, kind="hide"):
    """A driver's name is not shown to the public."""

    driver: Person


class Reveal(Act, kind="reveal"):
    """A driver's name is shown again."""

    driver: Person


class Forget(Act, kind="forget"):
    """Somebody was forgotten, and is called so from then on; by then it has been done."""

    driver: Person


# -- reading ----------------------------------------------------------------------------------


def parse_act(data: object) -> Act:
    """The act that an object says: keys known, values within bounds, names tidied.

    >>> parse_act({"act": "merge", "name": " Anna ", "into": "Ana"})
    Merge(name='Anna', into='Ana')

    Raises:
        BadAct: it is none; the message says what would be accepted.
    """
    if not isinstance(data, Mapping):
        raise BadAct(f"an act is a JSON object, not {data!r:.60}")
    kind = data.get("act")
    if not isinstance(kind, str) or kind not in Act.kinds:
        raise BadAct(f"an act is one of {', '.join(Act.kinds)}, not {kind!r:.40}")
    own = {key: value for key, value in data.items() if key != "act"}
    try:
        return read_record(Act.kinds[kind], own, f"the act {kind}")
    except Malformed as error:
        raise BadAct(error.message) from error


def format_act(act: Act) -> dict[str, object]:
    """The object that `parse_act` reads back to the same act."""
    return {"act": act.kind, **tell(act, NOTHING)}


def parse_cars(data: object) -> tuple[ChangedCar, ...]:
    """The cars of an `amend`, as `format_cars` wrote them."""
    assert isinstance(data, list)
    return tuple(read_record(ChangedCar, one, "a car") for one in data)


def format_cars(cars: tuple[ChangedCar, ...]) -> list[dict[str, object]]:
    """Cars of an `amend` as JSON."""
    return [tell(car, NOTHING) for car in cars]


def given(record: Record) -> dict[str, Any]:
    """The fields that a record says something of, by their names."""
    return {name: value for name, value in vars(record).items() if value is not UNSAID}


# -- entry acts -----------------------------------------------------------------------------------


MOST_NUMBER = 999
Places = Annotated[int, Within(-MOST_PLACES, MOST_PLACES)]


class SetCompetition(Act, kind="competition"):
    """A competition is made, or what is known of it is changed."""

    competition: Key
    title: MaybeName = UNSAID
    ranking: Annotated[Ranking | Unsaid, OneOf(RANKINGS), MAY] = UNSAID


class OpenPath(Act, kind="path"):
    """Who is between two places of a stage goes into another; below 0 places are from the end."""

    season: Key
    into: Key
    first: Places
    last: Places
    by: Annotated[Way | Unsaid, OneOf(WAYS), MAY] = UNSAID


class ClosePath(Act, kind="close-path"):
    """Nobody goes that way any more."""

    path: Annotated[int, Within(1, 10**9)]


class Enter(Act, kind="enter"):
    """Somebody is on the entry list of a stage, or what it says of him is changed."""

    season: Key
    driver: Person
    number: Annotated[int | Unsaid | None, Maybe(Within(0, MOST_NUMBER)), MAY] = UNSAID
    color: ThingOrNull = UNSAID
    team: NameOrNull = UNSAID
    role: Annotated[EntryRole | Unsaid, OneOf(ALL_ROLES), MAY] = UNSAID
    until: RoundOrNull = UNSAID
    via: KeyOrNull = UNSAID
    table: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    crew: MaybeCrew = UNSAID


class Scratch(Act, kind="scratch"):
    """Somebody is no longer on the entry list."""

    season: Key
    driver: Person


class StandFor(Act, kind="stand-in"):
    """Somebody drives for another in a round; null: for himself after all."""

    season: Key
    round: Round
    driver: Person
    absent: Annotated[str | None, Maybe(PersonForm())]


class Plan(Act, kind="plan"):
    """A round of the calendar: what is named is changed, null takes it away."""

    season: Key
    round: Round
    title: NameOrNull = UNSAID
    date: Annotated[str | Unsaid | None, Maybe(By(day_text)), MAY] = UNSAID
    board: ThingOrNull = UNSAID
    pack: ThingOrNull = UNSAID
    laps: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_LAPS)), MAY] = UNSAID
    weather: Annotated[Weather | Unsaid | None, Maybe(OneOf(WEATHERS)), MAY] = UNSAID
    cancelled: TextOrNull = UNSAID


class Unplan(Act, kind="unplan"):
    """A round is no longer in the calendar."""

    season: Key
    round: Round


class Come(Act, kind="come"):
    """Somebody says whether he comes to a round."""

    season: Key
    round: Round
    driver: Person
    comes: Annotated[bool, Flag()]


# -- retelling ------------------------------------------------------------------------------------


RecordOf = TypeVar("RecordOf", bound=Record)


def names_in(record: Record) -> list[str]:
    """The people that a record names."""
    found: list[str] = []

    def note(name: str) -> str:
        found.append(name)
        return name

    retold(record, note, str)
    return found


def retold(record: RecordOf, name: Callable[[str], str], text: Callable[[str], str]) -> RecordOf:
    """A record with its people named otherwise, and its texts told otherwise.

    A text is what people wrote freely, and what a table, team, race or season is called.
    """
    changes: dict[str, object] = {}
    kind: Any = type(record)
    for field, form in _forms(kind).items():
        value = getattr(record, field)
        if isinstance(form, Cars):
            changes[field] = tuple(retold(one, name, text) for one in value)
        elif isinstance(form, CrewForm) and isinstance(value, tuple):
            changes[field] = tuple(map(name, value))
        elif isinstance(value, str):
            changes[field] = (name if isinstance(form, PersonForm) else text)(value)
    own = {**vars(record), **changes}
    return kind(**own) if changes else record


@cache
def _forms(record: object) -> Mapping[str, object]:
    """The fields of a record that hold people, texts, or cars."""
    found: dict[str, object] = {}
    for field, hint in get_type_hints(record, include_extras=True).items():
        for form in getattr(hint, "__metadata__", ()):
            inner = form.form if isinstance(form, Maybe) else form
            is_text = isinstance(inner, By) and inner.function in (called_text, free_text)
            if is_text or isinstance(inner, PersonForm | CrewForm | Cars):
                found[field] = inner
    return found
