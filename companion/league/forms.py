"""What an act may say: the forms of its values, and how it becomes JSON and a record again.

An act is a JSON object `{"act": KIND, …}`; every kind is a class (`acts.py`) whose fields are
annotated with these forms. `retold` tells one otherwise: its people by other names, its texts in
other words. All of it is pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeVar, get_type_hints

from companion.league.errors import BadAct, key_of, parse_name
from companion.league.plain import (
    MOST_POINTS,
    Status,
    format_points,
    parse_points,
    tidy,
)
from companion.rules import codec
from companion.rules.codec import keys, tell
from companion.rules.lines import is_true, is_written, only_keys
from companion.system.frozen import dataclass, no_state

# -- said -----------------------------------------------------------------------------------------


LONGEST_TEXT = 500
FIRST_YEAR, LAST_YEAR = 1900, 2199
"""Of races: somebody may keep the seasons of his grandfather."""
MOST_CARS = 20
MOST_ROUNDS = 200
MOST_LAPS = 100
MOST_COUNTED = 100
"""Of what a penalty counts: places on a grid, rounds, points."""
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
"""The key of a name without a letter (`errors.key_of`); it may be longer than any name."""
_ALIAS = re.compile(r"Driver [0-9a-f]{6}")
"""What somebody is called who was forgotten (`people.People.alias`)."""
TIES = ("places", "wins", "poles", "fastest", "last", "dropped")
"""What may decide equal points; `standings.TIES` has how."""
NOTHING = codec.Context()


class Unsaid(Enum):
    """The value of a field that an act does not have; null says something else."""

    UNSAID = "unsaid"
    __setstate__ = no_state


UNSAID: Final = Unsaid.UNSAID


# -- values -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Like(codec.Form[str]):
    """A text of a pattern, and how people call it."""

    pattern: re.Pattern[str]
    about: str

    def read(self, data: object, what: str, context: codec.Context) -> str:
        if not isinstance(data, str) or not self.pattern.fullmatch(data):
            raise BadAct(f"{what} is {self.about}, not {data!r:.80}")
        return data


def free_text(value: object, what: str) -> str:
    """Some sentences: what can be read, and line ends."""
    text = value.strip() if isinstance(value, str) else ""
    is_plain = all(not line.strip() or is_written(line) for line in text.split("\n"))
    if not text or len(text) > LONGEST_TEXT or not is_plain:
        raise BadAct(f"{what} is a text of 1 to {LONGEST_TEXT} characters, not {value!r:.60}")
    return text


def name_text(value: object, what: str) -> str:
    return parse_name(value, what=what)


@dataclass(frozen=True, slots=True)
class PersonForm(codec.Form[str]):
    """The name of a person: what the journal keeps a key of, and the name apart (`keeping.py`)."""

    def read(self, data: object, what: str, context: codec.Context) -> str:
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
    if not is_day(text):
        raise BadAct(f"{what} is a date such as 2026-05-17, not {value!r:.40}")
    return text


def is_day(text: str) -> bool:
    """Whether a date is one that somebody may have raced on, with or without a time of day.

    >>> is_day("2026-02-28T20:00:00"), is_day("2026-02-30"), is_day("9999-12-31")
    (True, False, False)
    """
    try:
        return FIRST_YEAR <= datetime.fromisoformat(text).year <= LAST_YEAR
    except ValueError:
        return False


def ties_text(value: object, what: str) -> str:
    words = [word.strip() for word in value.split(",")] if isinstance(value, str) else []
    if not words or len(set(words)) != len(words) or not set(words) <= set(TIES):
        raise BadAct(f"{what} are some of {', '.join(TIES)}, with commas, not {value!r:.60}")
    return ",".join(words)


def truth(value: object, what: str) -> bool:
    is_true({what: value}, what)
    return True


@dataclass(frozen=True, slots=True)
class By(codec.Form[object]):
    """A value that a function reads, and that is JSON as it stands."""

    function: Callable[[object, str], object]

    def read(self, data: object, what: str, context: codec.Context) -> object:
        return self.function(data, what)


@dataclass(frozen=True, slots=True)
class Amount(codec.Form[float]):
    """A number with at most two digits behind the point, within bounds, both included."""

    low: float
    high: float

    def read(self, data: object, what: str, context: codec.Context) -> float:
        is_number = isinstance(data, int | float) and not isinstance(data, bool)
        fits = is_number and self.low <= data <= self.high  # type: ignore[operator]  # a number
        if isinstance(data, int | float) and fits and round(data, 2) == data:
            return tidy(data)
        raise BadAct(
            f"{what} is a number from {self.low} to {self.high} with at most two digits behind "
            f"the point, not {data!r:.40}"
        )


@dataclass(frozen=True, slots=True)
class CrewForm(codec.Form[tuple[str, ...]]):
    """The names of several people who drive one car; an empty list is none of them."""

    def tell(self, value: tuple[str, ...], context: codec.Context) -> object:
        return list(value)

    def read(self, data: object, what: str, context: codec.Context) -> tuple[str, ...]:
        if not isinstance(data, list) or len(data) > MOST_CREW:
            raise BadAct(f"{what} is a list of at most {MOST_CREW} names, not {data!r:.60}")
        names = tuple(parse_name(one, what=what) for one in data)
        if len({key_of(name) for name in names}) < len(names):
            raise BadAct(f"{what} names somebody twice: {', '.join(names)}")
        return names


@dataclass(frozen=True, slots=True)
class Cars(codec.Form[tuple[codec.Fielded, ...]]):
    """A list of cars; `record` is what each of them is."""

    record: type[codec.Fielded]

    def tell(self, value: tuple[codec.Fielded, ...], context: codec.Context) -> object:
        return [tell(one, context) for one in value]

    def read(self, data: object, what: str, context: codec.Context) -> tuple[codec.Fielded, ...]:
        is_list = isinstance(data, list) and all(isinstance(one, Mapping) for one in data)
        if not isinstance(data, list) or not is_list or not 1 <= len(data) <= MOST_CARS:
            raise BadAct(f"{what} is a list of 1 to {MOST_CARS} objects, not {data!r:.60}")
        return tuple(
            read_record(self.record, one, f"number {n} of {what}") for n, one in enumerate(data, 1)
        )


@dataclass(frozen=True, slots=True)
class Says:
    """What a field is called where somebody is asked for it.

    Args:
        words: what its values are called, in their order, with " | " between them.
        about: what a command says of it, where that is more than `text`.
        flag: how a command calls it, where that is not its name.
    """

    text: str
    words: str = ""
    about: str = ""
    flag: str = ""


RACE = Like(RACE_ID, "an id of 1 to 64 letters, digits and -")
DATE = Like(
    re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?)?"),
    "a date such as 2026-05-17",
)
DIGEST = Like(re.compile(r"[0-9a-f]{64}"), "a SHA-256 in 64 hexadecimal digits")
MAY = codec.Word(sparse=True)
T = TypeVar("T")
May = Annotated[T | Unsaid, MAY]
"""A field that may be left unsaid."""
Id = Annotated[str, RACE]
Text = Annotated[str, By(free_text)]
Name = Annotated[str, By(called_text)]
Person = Annotated[str, PersonForm()]
Key = Annotated[str, By(key_text)]
Day = Annotated[str, By(day_text)]
Round = Annotated[int, codec.Within(1, MOST_ROUNDS)]
MaybePerson = Annotated[May[str], PersonForm()]
MaybeCrew = Annotated[May[tuple[str, ...]], CrewForm()]
MaybeName = Annotated[May[str], By(called_text)]
MaybePoints = Annotated[May[float], Amount(0.01, MOST_POINTS)]
MaybeCount = Annotated[May[int], codec.Within(1, MOST_COUNTED)]
NameOrNull = Annotated[May[str | None], codec.Maybe(By(called_text))]
ThingOrNull = Annotated[May[str | None], codec.Maybe(By(name_text))]
TextOrNull = Annotated[May[str | None], codec.Maybe(By(free_text))]
KeyOrNull = Annotated[May[str | None], codec.Maybe(By(key_text))]
SeatOrNull = Annotated[May[int | None], codec.Maybe(codec.Within(1, MOST_CARS))]
RoundOrNull = Annotated[May[int | None], codec.Maybe(codec.Within(1, MOST_ROUNDS))]
LapsOrNull = Annotated[May[int | None], codec.Maybe(codec.Within(1, MOST_LAPS))]


class Asked(NamedTuple):
    """A field of a record as somebody is asked for it.

    Args:
        key: what JSON calls it. `form`: of its values, but for null.
        is_needed: it has to be said. `may_be_null`: null says something of its own.
    """

    name: str
    key: str
    says: Says
    form: Any
    is_needed: bool
    may_be_null: bool


def asked_in(record: type[codec.Record]) -> Mapping[str, Asked]:
    """The fields of a record, in their order; one that says nothing is called by its name."""
    kind: Any = record
    return _asked_in(kind)


@cache
def _asked_in(record: Any) -> Mapping[str, Asked]:
    found: dict[str, Asked] = {}
    hints = get_type_hints(record, include_extras=True)
    for one in fields(record):
        notes = hints[one.name].__metadata__
        form = next(note for note in notes if hasattr(note, "read"))
        says = Says(one.name.capitalize())
        says = next((note for note in notes if isinstance(note, Says)), says)
        keys = (note.name for note in notes if isinstance(note, codec.Word) and note.name)
        found[one.name] = Asked(
            name=one.name,
            key=next(keys, one.name),
            says=says,
            form=form.form if isinstance(form, codec.Maybe) else form,
            is_needed=one.default is MISSING,
            may_be_null=isinstance(form, codec.Maybe),
        )
    return found


def read_record(
    record: type[codec.RecordT], data: Mapping[str, object], what: str
) -> codec.RecordT:
    """A record out of an object.

    Raises:
        BadAct, Malformed: a key is missing or unknown, a value is refused.
    """
    only_keys(data, keys(record), what)
    kind: Any = record
    needed = _needed(kind)
    missing = [key for key in needed if key not in data]
    if missing:
        raise BadAct(f"{what} needs {', '.join(needed)}; {missing[0]} is missing")
    return record(**codec.values(record, data, NOTHING))


@cache
def _needed(record: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(record) if one.default is MISSING)


# -- cars ------------------------------------------------------------------------------------------


class Car(codec.Record):
    """What people enter of a car; without `place` the order of the list holds.

    `time` in seconds; with `trial`, the rolls, overshoot and errors of a time trial, it is that
    of the trial.
    """

    player: MaybePerson = UNSAID
    place: Annotated[May[int], codec.Within(1, MOST_CARS)] = UNSAID
    status: Annotated[May[Status], codec.OneOf(STATUSES)] = UNSAID
    team: NameOrNull = UNSAID
    grid: SeatOrNull = UNSAID
    lap: Annotated[May[int | None], codec.Maybe(codec.Within(0, MOST_LAPS))] = UNSAID
    out: TextOrNull = UNSAID
    points: Annotated[May[float | None], codec.Maybe(Amount(-MOST_POINTS, MOST_POINTS))] = UNSAID
    fastest: Annotated[May[bool], codec.Flag()] = UNSAID
    time: Annotated[May[float | None], codec.Maybe(Amount(0, MOST_SECONDS))] = UNSAID
    trial: Annotated[May[int], codec.Within(1, MOST_TRIAL)] = UNSAID
    crew: MaybeCrew = UNSAID


class _Named(codec.Record):
    name: Person


class _Seated(codec.Record):
    seat: Annotated[int, codec.Within(1, MOST_CARS)]
    name: MaybePerson = UNSAID


class NewCar(Car, _Named):  # the fields of the last base come first, here and in JSON
    """A car of a race that is entered by hand."""


class ChangedCar(Car, _Seated):
    """A car of a result that is amended; one that was not in the race needs a name."""


def said(value: T | None) -> T | Unsaid:
    """A value, or nothing where there is none."""
    return UNSAID if value is None else value


def given(record: codec.Record) -> dict[str, Any]:
    """The fields that a record says something of, by their names."""
    return {name: value for name, value in vars(record).items() if value is not UNSAID}


# -- retelling ------------------------------------------------------------------------------------


RecordOf = TypeVar("RecordOf", bound=codec.Record)


def retold(record: RecordOf, name: Callable[[str], str], text: Callable[[str], str]) -> RecordOf:
    """A record with its people named otherwise, and its texts told otherwise.

    A text is what people wrote freely, and what a table, team, race or season is called.
    """
    changes: dict[str, object] = {}
    kind: Any = type(record)
    for field, asked in asked_in(kind).items():
        value, form = getattr(record, field), asked.form
        if isinstance(form, Cars) and value is not UNSAID:
            changes[field] = tuple(retold(one, name, text) for one in value)
        elif isinstance(form, CrewForm) and isinstance(value, tuple):
            changes[field] = tuple(map(name, value))
        elif isinstance(form, PersonForm) and isinstance(value, str):
            changes[field] = name(value)
        elif isinstance(form, By) and form.function in TEXTS and isinstance(value, str):
            changes[field] = text(value)
    own = {**vars(record), **changes}
    return kind(**own) if changes else record


TEXTS = (called_text, free_text)
"""What reads what people wrote."""
