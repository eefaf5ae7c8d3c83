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
from typing import Annotated, Any, ClassVar, Final, TypeVar

from companion.league.errors import BadAct
from companion.league.names import key_of, parse_name
from companion.league.plain import Status
from companion.league.points import MOST_PLACES, MOST_POINTS, format_points, parse_points
from companion.rules.codec import Context, Fielded, Maybe, OneOf, Within, Word, keys, tell, values
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
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?)?")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_KEY_OF_SIGNS = re.compile(r"[0-9a-f]{2,6}(-[0-9a-f]{2,6})+")
"""The key of a name without a letter (`names.key_of`); it may be longer than any name."""
_NOTHING = Context()


class Unsaid(Enum):
    """The value of a field that an act does not have; null says something else."""

    UNSAID = "unsaid"


UNSAID: Final = Unsaid.UNSAID


# -- values -----------------------------------------------------------------------------------


def read_id(value: object, what: str) -> str:
    """The id of a race."""
    if not isinstance(value, str) or not RACE_ID.fullmatch(value):
        raise BadAct(f"{what} is an id of 1 to 64 letters, digits and -, not {value!r:.80}")
    return value


def read_date(value: object, what: str) -> str:
    """A date in ISO 8601, with or without the time of day."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise BadAct(f"{what} is a date such as 2026-05-17, not {value!r:.40}")
    return value


def read_text(value: object, what: str) -> str:
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


def _digest(value: object, what: str) -> str:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise BadAct(f"{what} is a SHA-256 in 64 hexadecimal digits, not {value!r:.80}")
    return value


def _yes_or_no(value: object, what: str) -> bool:
    if not isinstance(value, bool):
        raise BadAct(f"{what} is true or false, not {value!r:.40}")
    return value


def _true(value: object, what: str) -> bool:
    is_true({what: value}, what)
    return True


@dataclass(frozen=True, slots=True)
class _By:
    """A value that a function reads, and that is JSON as it stands."""

    function: Callable[[object, str], object]

    def tell(self, value: object, context: Context) -> object:
        """The value."""
        return value

    def read(self, data: object, what: str, context: Context) -> object:
        """What the function makes of it."""
        return self.function(data, what)


@dataclass(frozen=True, slots=True)
class _Cars:
    """A list of cars; `record` is how they are told."""

    record: type[NewCar] | type[ChangedCar]

    def tell(self, value: tuple[Fielded, ...], context: Context) -> list[dict[str, Any]]:
        """Objects."""
        return [tell(one, context) for one in value]

    def read(self, data: object, what: str, context: Context) -> tuple[object, ...]:
        """At least one car."""
        is_list = isinstance(data, list) and all(isinstance(one, Mapping) for one in data)
        if not isinstance(data, list) or not is_list or not 1 <= len(data) <= MOST_CARS:
            raise BadAct(f"{what} is a list of 1 to {MOST_CARS} objects, not {data!r:.60}")
        return tuple(
            _read(self.record, one, f"number {n} of {what}") for n, one in enumerate(data, 1)
        )


MAY = Word(sparse=True)
Id = Annotated[str, _By(read_id)]
Text = Annotated[str, _By(read_text)]
Name = Annotated[str, _By(_name)]
Key = Annotated[str, _By(_key)]
MaybeName = Annotated[str | Unsaid, _By(_name), MAY]
MaybeKey = Annotated[str | Unsaid, _By(_key), MAY]
MaybeFlag = Annotated[bool | Unsaid, _By(_yes_or_no), MAY]
NameOrNull = Annotated[str | Unsaid | None, Maybe(_By(_name)), MAY]
TextOrNull = Annotated[str | Unsaid | None, Maybe(_By(read_text)), MAY]
SeatOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_CARS)), MAY]
LapsOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_LAPS)), MAY]
RoundOrNull = Annotated[int | Unsaid | None, Maybe(Within(1, MOST_ROUNDS)), MAY]


# -- acts -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """Base of all acts."""

    kind: ClassVar[str]
    kinds: ClassVar[dict[str, type[Act]]] = {}
    """Every kind by its word."""

    def __init_subclass__(cls) -> None:
        Act.kinds[cls.kind] = cls


@dataclass(frozen=True, kw_only=True)
class Car:
    """What can be said of a car by hand; without `place` the order of the list holds."""

    player: MaybeName = UNSAID
    place: Annotated[int | Unsaid, Within(1, MOST_CARS), MAY] = UNSAID
    status: Annotated[Status | Unsaid, OneOf(STATUSES), MAY] = UNSAID
    team: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    lap: Annotated[int | Unsaid | None, Maybe(Within(0, MOST_LAPS)), MAY] = UNSAID
    out: TextOrNull = UNSAID
    points: Annotated[int | Unsaid | None, Maybe(Within(-MOST_POINTS, MOST_POINTS)), MAY] = UNSAID
    fastest: MaybeFlag = UNSAID


@dataclass(frozen=True, kw_only=True)
class _Named:
    name: Name


@dataclass(frozen=True, kw_only=True)
class _Seated:
    seat: Annotated[int, Within(1, MOST_CARS)]
    name: MaybeName = UNSAID


# The fields of the last base come first, here and in JSON.
@dataclass(frozen=True, kw_only=True)
class NewCar(Car, _Named):
    """A car of a race that is entered by hand."""


@dataclass(frozen=True, kw_only=True)
class ChangedCar(Car, _Seated):
    """A car of a result that is amended; one that was not in the race needs a name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetSeason(Act):
    """A season is made, or what is said of it is changed."""

    kind = "season"
    season: Key
    title: MaybeName = UNSAID
    points: Annotated[str | Unsaid, _By(_points), MAY] = UNSAID
    drops: Annotated[int | Unsaid, Within(0, MOST_ROUNDS), MAY] = UNSAID
    team_cars: SeatOrNull = UNSAID
    planned: RoundOrNull = UNSAID
    is_open: Annotated[bool | Unsaid, _By(_yes_or_no), Word("open", sparse=True)] = UNSAID
    current_round: RoundOrNull = UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class EnterRace(Act):
    """A race entered by hand; into a season with `round`."""

    kind = "race"
    race: Id
    date: Annotated[str, _By(read_date)]
    game: Annotated[str, OneOf(NAMES)]
    entries: Annotated[tuple[NewCar, ...], _Cars(NewCar)]
    name: MaybeName = UNSAID
    track: TextOrNull = UNSAID
    laps: LapsOrNull = UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceRace(Act):
    """A race is a round of a season, or of none; without `round` the next one."""

    kind = "round"
    race: Id
    season: Annotated[str | None, Maybe(_By(_key))]
    round: Annotated[int | Unsaid, Within(1, MOST_ROUNDS), MAY] = UNSAID
    factor: Annotated[int | Unsaid, Within(1, 10), MAY] = UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend(Act):
    """The result of a race is another one; cars that are not named are no longer in it."""

    kind = "amend"
    race: Id
    reason: Text
    entries: Annotated[tuple[ChangedCar, ...], _Cars(ChangedCar)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Strike(Act):
    """A race counts no more."""

    kind = "strike"
    race: Id
    reason: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(Act):
    """A race that was struck counts again."""

    kind = "restore"
    race: Id


@dataclass(frozen=True, slots=True, kw_only=True)
class Penalize(Act):
    """A penalty in a race, or of a whole season."""

    kind = "penalty"
    driver: Name
    reason: Text
    race: Annotated[str | Unsaid, _By(read_id), MAY] = UNSAID
    season: MaybeKey = UNSAID
    points: Annotated[int | Unsaid, Within(1, MOST_POINTS), MAY] = UNSAID
    places: Annotated[int | Unsaid, Within(1, MOST_PLACES), MAY] = UNSAID
    disqualified: Annotated[bool | Unsaid, _By(_true), MAY] = UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class Lift(Act):
    """A penalty no longer holds."""

    kind = "lift"
    penalty: Annotated[int, Within(1, 10**9)]
    reason: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class AddNote(Act):
    """A note on the night."""

    kind = "note"
    race: Id
    text: Text


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge(Act):
    """Two names are one person."""

    kind = "merge"
    name: Name
    into: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Part(Act):
    """A name is a person of its own after all."""

    kind = "part"
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Act):
    """A person is called otherwise."""

    kind = "rename"
    driver: Name
    name: Name


@dataclass(frozen=True, slots=True, kw_only=True)
class SetTeam(Act):
    """The team of a driver in a season."""

    kind = "team"
    season: Key
    driver: Name
    team: Annotated[str | None, Maybe(_By(_name))]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable(Act):
    """A table of the club gets a key; only its digest is kept."""

    kind = "table"
    table: Name
    key_sha256: Annotated[str, _By(_digest)]


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable(Act):
    """A table of the club loses its key."""

    kind = "close-table"
    table: Name


@dataclass(frozen=True, slots=True)
class Done:
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
    said = {key: value for key, value in data.items() if key != "act"}
    try:
        return _read(Act.kinds[kind], said, f"the act {kind}")
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


def given(record: Act | Car) -> dict[str, Any]:
    """The fields that a record says something of, by their names."""
    named = ((one.name, getattr(record, one.name)) for one in fields(record))
    return {name: value for name, value in named if value is not UNSAID}


RecordT = TypeVar("RecordT", bound=Act | Car)


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
