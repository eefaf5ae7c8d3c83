"""Acts: what people did to the league, in the words of its journal.

An act is a JSON object `{"act": KIND, …}`; every kind is a class whose fields say what it may
say. `parse_act` knows the form only; whether a race or a driver is there, the store says when
it carries the act out. Acts are never changed or taken away: a mistake is mended by another act
(`part` undoes `merge`, `lift` a `penalty`, `restore` a `strike`, an `amend` the one before).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Annotated, Any, ClassVar, Final, NamedTuple

from companion.league.errors import BadAct
from companion.league.names import key_of, parse_name
from companion.league.plain import Status
from companion.league.points import MOST_PLACES, MOST_POINTS, format_points, parse_points
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
from companion.rules.errors import Malformed
from companion.rules.games import NAMES
from companion.rules.reading import is_true, only_keys

LONGEST_TEXT = 500
MOST_CARS = 20
MOST_ROUNDS = 200
MOST_LAPS = 100
STATUSES = ("finished", "running", "out")
RACE_ID = re.compile(r"[0-9a-zA-Z][0-9a-zA-Z_-]{0,63}")
"""What an id may look like: it becomes the name of a file."""
_KEY_OF_SIGNS = re.compile(r"[0-9a-f]{2,6}(-[0-9a-f]{2,6})+")
"""The key of a name without a letter (`names.key_of`); it may be longer than any name."""
_NOTHING = Context()


class Unsaid(Enum):
    """The value of a field that an act does not have; null says something else."""

    UNSAID = "unsaid"


UNSAID: Final = Unsaid.UNSAID


# -- values -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Like(Form[str]):
    """A text of a pattern, and how people call it."""

    pattern: re.Pattern[str]
    about: str

    def read(self, data: object, what: str, context: Context) -> str:
        if not isinstance(data, str) or not self.pattern.fullmatch(data):
            raise BadAct(f"{what} is {self.about}, not {data!r:.80}")
        return data


def _text(value: object, what: str) -> str:
    """Some sentences: what can be read, and line ends."""
    text = value.strip() if isinstance(value, str) else ""
    is_plain = all(c == "\n" or unicodedata.category(c)[0] != "C" for c in text)
    if not text or len(text) > LONGEST_TEXT or not is_plain:
        raise BadAct(f"{what} is a text of 1 to {LONGEST_TEXT} characters, not {value!r:.60}")
    return text


def _name(value: object, what: str) -> str:
    return parse_name(value, what=what)


def _key(value: object, what: str) -> str:
    if isinstance(value, str) and _KEY_OF_SIGNS.fullmatch(value):
        return value
    return key_of(parse_name(value, what=what))


def _points(value: object, what: str) -> str:
    if not isinstance(value, str):
        raise BadAct(f"{what} is a text such as formula-d or 10,8,6, not {value!r:.40}")
    return format_points(parse_points(value))


def _true(value: object, what: str) -> bool:
    is_true({what: value}, what)
    return True


@dataclass(frozen=True, slots=True)
class _By(Form[object]):
    """A value that a function reads, and that is JSON as it stands."""

    function: Callable[[object, str], object]

    def read(self, data: object, what: str, context: Context) -> object:
        return self.function(data, what)


@dataclass(frozen=True, slots=True)
class _Cars(Form[tuple[Fielded, ...]]):
    """A list of cars; `record` is what each of them is."""

    record: type[Fielded]

    def tell(self, value: tuple[Fielded, ...], context: Context) -> object:
        return [tell(one, context) for one in value]

    def read(self, data: object, what: str, context: Context) -> tuple[Fielded, ...]:
        is_list = isinstance(data, list) and all(isinstance(one, Mapping) for one in data)
        if not isinstance(data, list) or not is_list or not 1 <= len(data) <= MOST_CARS:
            raise BadAct(f"{what} is a list of 1 to {MOST_CARS} objects, not {data!r:.60}")
        return tuple(
            _read(self.record, one, f"number {n} of {what}") for n, one in enumerate(data, 1)
        )


_ID = _Like(RACE_ID, "an id of 1 to 64 letters, digits and -")
_DATE = _Like(
    re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?)?"),
    "a date such as 2026-05-17",
)
_DIGEST = _Like(re.compile(r"[0-9a-f]{64}"), "a SHA-256 in 64 hexadecimal digits")
MAY = Word(sparse=True)
Id = Annotated[str, _ID]
Text = Annotated[str, _By(_text)]
Name = Annotated[str, _By(_name)]
Key = Annotated[str, _By(_key)]
MaybeName = Annotated[str | Unsaid, _By(_name), MAY]
NameOrNull = Annotated[str | Unsaid | None, Maybe(_By(_name)), MAY]
TextOrNull = Annotated[str | Unsaid | None, Maybe(_By(_text)), MAY]
SeatOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_CARS)), MAY]
RoundOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_ROUNDS)), MAY]


# -- acts -------------------------------------------------------------------------------------


class Act(Record):
    """Base of all acts; `kind` is its word."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Act]]] = {}

    def __init_subclass__(cls, kind: str) -> None:
        super().__init_subclass__()
        cls.kind, Act.kinds[kind] = kind, cls


class Car(Record):
    """What people enter of a car; without `place` the order of the list holds."""

    player: MaybeName = UNSAID
    place: Annotated[int | Unsaid, Within(1, MOST_CARS), MAY] = UNSAID
    status: Annotated[Status | Unsaid, OneOf(STATUSES), MAY] = UNSAID
    team: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    lap: Annotated[int | Unsaid | None, Maybe(Within(0, MOST_LAPS)), MAY] = UNSAID
    out: TextOrNull = UNSAID
    points: Annotated[int | Unsaid | None, Maybe(Within(-MOST_POINTS, MOST_POINTS)), MAY] = UNSAID
    fastest: Annotated[bool | Unsaid, Flag(), MAY] = UNSAID


class _Named(Record):
    name: Name


class _Seated(Record):
    seat: Annotated[int, Within(1, MOST_CARS)]
    name: MaybeName = UNSAID


class NewCar(Car, _Named):  # the fields of the last base come first, here and in JSON
    """A car of a race that is entered by hand."""


class ChangedCar(Car, _Seated):
    """A car of a result that is amended; one that was not in the race needs a name."""


class SetSeason(Act, kind="season"):
    """A season is made, or what is known of it is changed."""

    season: Key
    title: MaybeName = UNSAID
    points: Annotated[str | Unsaid, _By(_points), MAY] = UNSAID
    drops: Annotated[int | Unsaid, Within(0, MOST_ROUNDS), MAY] = UNSAID
    team_cars: SeatOrNull = UNSAID
    planned: RoundOrNull = UNSAID
    is_open: Annotated[bool | Unsaid, Flag(), Word("open", sparse=True)] = UNSAID
    current_round: RoundOrNull = UNSAID


class EnterRace(Act, kind="race"):
    """A race entered by hand; into a season with `round`."""

    race: Id
    date: Annotated[str, _DATE]
    game: Annotated[str, OneOf(NAMES)]
    entries: Annotated[tuple[NewCar, ...], _Cars(NewCar)]
    name: MaybeName = UNSAID
    track: TextOrNull = UNSAID
    laps: Annotated[int | Unsaid | None, Maybe(Within(1, MOST_LAPS)), MAY] = UNSAID


class PlaceRace(Act, kind="round"):
    """A race is a round of a season, or of none; without `round` the next one."""

    race: Id
    season: Annotated[str | None, Maybe(_By(_key))]
    round: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    factor: Annotated[int | Unsaid, Within(1, 10), MAY] = UNSAID


class Amend(Act, kind="amend"):
    """The result of a race is another one; cars that are not named are no longer in it."""

    race: Id
    reason: Text
    entries: Annotated[tuple[ChangedCar, ...], _Cars(ChangedCar)]


class Strike(Act, kind="strike"):
    """A race counts no more."""

    race: Id
    reason: Text


class Restore(Act, kind="restore"):
    """A race that was struck counts again."""

    race: Id


class Penalize(Act, kind="penalty"):
    """A penalty in a race, or of a whole season."""

    driver: Name
    reason: Text
    race: Annotated[str | Unsaid, _ID, MAY] = UNSAID
    season: Annotated[str | Unsaid, _By(_key), MAY] = UNSAID
    points: Annotated[int | Unsaid, Within(1, MOST_POINTS), MAY] = UNSAID
    places: Annotated[int | Unsaid, Within(1, MOST_PLACES), MAY] = UNSAID
    disqualified: Annotated[bool | Unsaid, _By(_true), MAY] = UNSAID


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

    name: Name
    into: Name


class Part(Act, kind="part"):
    """A name is a person of its own after all."""

    name: Name


class Rename(Act, kind="rename"):
    """A person is called otherwise."""

    driver: Name
    name: Name


class SetTeam(Act, kind="team"):
    """The team of a driver in a season."""

    season: Key
    driver: Name
    team: Annotated[str | None, Maybe(_By(_name))]


class OpenTable(Act, kind="table"):
    """A table of the club gets a key; only its digest is kept."""

    table: Name
    key_sha256: Annotated[str, _DIGEST]


class CloseTable(Act, kind="close-table"):
    """A table of the club loses its key."""

    table: Name


class Done(NamedTuple):
    """An act in the journal: its number, when (ISO 8601) and by whom it was done."""

    n: int
    act: Act
    at: str
    by: str


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
        return _read(Act.kinds[kind], own, f"the act {kind}")
    except Malformed as error:
        raise BadAct(error.message) from error


def format_act(act: Act) -> dict[str, object]:
    """The object that `parse_act` reads back to the same act."""
    return {"act": act.kind, **tell(act, _NOTHING)}


def parse_cars(data: object) -> tuple[ChangedCar, ...]:
    """The cars of an `amend`, as `format_cars` wrote them."""
    assert isinstance(data, list)
    return tuple(_read(ChangedCar, one, "a car") for one in data)


def format_cars(cars: tuple[ChangedCar, ...]) -> list[dict[str, object]]:
    """Cars of an `amend` as JSON."""
    return [tell(car, _NOTHING) for car in cars]


def given(record: Record) -> dict[str, Any]:
    """The fields that a record says something of, by their names."""
    return {name: value for name, value in vars(record).items() if value is not UNSAID}


def _read(record: type[RecordT], data: Mapping[str, object], what: str) -> RecordT:
    """A record out of an object.

    Raises:
        BadAct, Malformed: a key is missing or unknown, a value is refused.
    """
    only_keys(data, keys(record), what)
    needed = [one.name for one in fields(record) if one.default is MISSING]
    missing = [key for key in needed if key not in data]
    if missing:
        raise BadAct(f"{what} needs {', '.join(needed)}; {missing[0]} is missing")
    return record(**values(record, data, _NOTHING))
