"""Acts: what people did to the league, in the words of its journal.

An act is a JSON object `{"act": KIND, …}`; `SHAPES` has what each kind may say. `parse_act`
knows the form only; whether a race or a driver is there, the store says when it carries the
act out. Acts are never changed or taken away: a mistake is mended by another act (`part`
undoes `merge`, `lift` a `penalty`, `restore` a `strike`, an `amend` the one before).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.league.errors import BadAct
from companion.league.names import key_of, parse_name
from companion.league.points import MOST_PLACES, MOST_POINTS, format_points, parse_points
from companion.rules.errors import Malformed
from companion.rules.reading import is_true, one_of, only_keys, whole

JSON = Mapping[str, Any]
Reader = Callable[[Any, str], Any]
"""Reads a value that was said under a name; raises BadAct or Malformed."""

LONGEST_TEXT = 500
MOST_CARS = 20
MOST_ROUNDS = 200
MOST_LAPS = 100
STATUSES = ("finished", "running", "out")
GAMES = ("formula-d", "formule-de", "downforce")
RACE_ID = re.compile(r"[0-9a-zA-Z][0-9a-zA-Z_-]{0,63}")
"""What an id may look like: it becomes the name of a file."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?([+-]\d\d:?\d\d|Z)?)?")
_DIGEST = re.compile(r"[0-9a-f]{64}")


def parse_act(told: Any) -> dict[str, Any]:
    """An act in its normal form: keys known, values within bounds, names tidied.

    >>> parse_act({"act": "merge", "name": " Anna ", "into": "Ana"})
    {'act': 'merge', 'name': 'Anna', 'into': 'Ana'}

    Raises:
        BadAct: it is none; the message says what would be accepted.
    """
    if not isinstance(told, Mapping):
        raise BadAct(f"an act is a JSON object, not {told!r:.60}")
    kind = told.get("act")
    if not isinstance(kind, str) or kind not in SHAPES:
        raise BadAct(f"an act is one of {', '.join(SHAPES)}, not {kind!r:.40}")
    try:
        return {"act": kind, **SHAPES[kind].read(told, f"the act {kind}", skip=("act",))}
    except Malformed as error:
        raise BadAct(error.message) from error


@dataclass(frozen=True, slots=True)
class Shape:
    """What an object must say, and what it may."""

    needs: Mapping[str, Reader] = field(default_factory=dict)
    may: Mapping[str, Reader] = field(default_factory=dict)
    one: tuple[str, ...] = ()
    """Of these exactly one must be said."""

    def read(self, told: JSON, what: str, *, skip: tuple[str, ...] = ()) -> dict[str, Any]:
        """The values read, in the order of the shape.

        Raises:
            BadAct, Malformed: a key is missing or unknown, a value is refused.
        """
        known = {**self.needs, **self.may}
        only_keys({key: value for key, value in told.items() if key not in skip}, known, what)
        missing = [key for key in self.needs if key not in told]
        if missing:
            raise BadAct(f"{what} needs {', '.join(self.needs)}; {missing[0]} is missing")
        if self.one and sum(key in told for key in self.one) != 1:
            raise BadAct(f"{what} says exactly one of {', '.join(self.one)}")
        return {key: read(told[key], key) for key, read in known.items() if key in told}


def read_id(value: Any, what: str) -> str:
    """The id of a race."""
    if not isinstance(value, str) or not RACE_ID.fullmatch(value):
        raise BadAct(f"{what} is an id of 1 to 64 letters, digits and -, not {value!r:.80}")
    return value


def read_date(value: Any, what: str) -> str:
    """A date in ISO 8601, with or without the time of day."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise BadAct(f"{what} is a date such as 2026-05-17, not {value!r:.40}")
    return value


def read_text(value: Any, what: str) -> str:
    """Some sentences: what can be read, and line ends."""
    text = value.strip() if isinstance(value, str) else ""
    is_plain = all(c == "\n" or unicodedata.category(c)[0] != "C" for c in text)
    if not text or len(text) > LONGEST_TEXT or not is_plain:
        raise BadAct(f"{what} is a text of 1 to {LONGEST_TEXT} characters, not {value!r:.60}")
    return text


def _name(value: Any, what: str) -> str:
    return parse_name(value, what=what)


def _key(value: Any, what: str) -> str:
    return key_of(parse_name(value, what=what))


def _points(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise BadAct(f"{what} is a text such as formula-d or 10,8,6, not {value!r:.40}")
    return format_points(parse_points(value))


def _digest(value: Any, what: str) -> str:
    if not isinstance(value, str) or not _DIGEST.fullmatch(value):
        raise BadAct(f"{what} is a SHA-256 in 64 hexadecimal digits, not {value!r:.80}")
    return value


def _yes_or_no(value: Any, what: str) -> bool:
    if not isinstance(value, bool):
        raise BadAct(f"{what} is true or false, not {value!r:.40}")
    return value


def _true(value: Any, what: str) -> bool:
    is_true({what: value}, what)
    return True


def _number(low: int, high: int) -> Reader:
    return lambda value, what: whole(value, what, low, high)


def _word(*known: str) -> Reader:
    return lambda value, what: one_of(value, what, known)


def _or_null(read: Reader) -> Reader:
    return lambda value, what: None if value is None else read(value, what)


def _list_of(shape: Shape, most: int) -> Reader:
    def read(value: Any, what: str) -> list[dict[str, Any]]:
        is_list = isinstance(value, list) and all(isinstance(one, Mapping) for one in value)
        if not is_list or not 1 <= len(value) <= most:
            raise BadAct(f"{what} is a list of 1 to {most} objects, not {value!r:.60}")
        return [shape.read(one, f"number {n} of {what}") for n, one in enumerate(value, 1)]

    return read


_CAR: Mapping[str, Reader] = {
    "player": _name,
    "place": _number(1, MOST_CARS),
    "status": _word(*STATUSES),
    "team": _or_null(_name),
    "grid": _or_null(_number(1, MOST_CARS)),
    "lap": _or_null(_number(0, MOST_LAPS)),
    "out": _or_null(read_text),
    "points": _or_null(_number(-MOST_POINTS, MOST_POINTS)),
    "fastest": _yes_or_no,
}
"""What can be said of a car by hand; without `place` the order of the list holds."""
_NEW_CAR = Shape({"name": _name}, _CAR)
_CHANGED_CAR = Shape({"seat": _number(1, MOST_CARS)}, {"name": _name, **_CAR})
_SCORING: Mapping[str, Reader] = {
    "title": _name,
    "points": _points,
    "drops": _number(0, MOST_ROUNDS),
    "team_cars": _or_null(_number(1, MOST_CARS)),
    "planned": _or_null(_number(1, MOST_ROUNDS)),
    "open": _yes_or_no,
    "current_round": _or_null(_number(1, MOST_ROUNDS)),
}

SHAPES: Mapping[str, Shape] = {
    # A season is made, or what is said of it is changed.
    "season": Shape({"season": _key}, _SCORING),
    # A race entered by hand; into a season with `round`.
    "race": Shape(
        {"race": read_id, "date": read_date, "game": _word(*GAMES)}
        | {"entries": _list_of(_NEW_CAR, MOST_CARS)},
        {"name": _name, "track": _or_null(read_text), "laps": _or_null(_number(1, MOST_LAPS))},
    ),
    # A race is a round of a season, or of none; without `round` the next one.
    "round": Shape(
        {"race": read_id, "season": _or_null(_key)},
        {"round": _number(1, MOST_ROUNDS), "factor": _number(1, 10)},
    ),
    # The result of a race is another one; cars that are not named are no longer in it.
    "amend": Shape(
        {"race": read_id, "reason": read_text, "entries": _list_of(_CHANGED_CAR, MOST_CARS)}
    ),
    "strike": Shape({"race": read_id, "reason": read_text}),
    "restore": Shape({"race": read_id}),
    # A penalty in a race, or of a whole season.
    "penalty": Shape(
        {"driver": _name, "reason": read_text},
        {"race": read_id, "season": _key}
        | {"points": _number(1, MOST_POINTS), "places": _number(1, MOST_PLACES)}
        | {"disqualified": _true},
    ),
    "lift": Shape({"penalty": _number(1, 10**9), "reason": read_text}),
    "note": Shape({"race": read_id, "text": read_text}),
    # Two names are one person; `part` says that a name is a person of its own after all.
    "merge": Shape({"name": _name, "into": _name}),
    "part": Shape({"name": _name}),
    "rename": Shape({"driver": _name, "name": _name}),
    "team": Shape({"season": _key, "driver": _name, "team": _or_null(_name)}),
    # A table of the club gets a key (only its digest is kept), or loses it.
    "table": Shape({"table": _name, "key_sha256": _digest}),
    "close-table": Shape({"table": _name}),
}
