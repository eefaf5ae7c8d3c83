"""Races that were played without the companion: by a form, or by CSV; pure.

Both come to acts. The id of such a race is made of all that is known of it, so the same form sent
twice, or the same file added twice, is one race: the second time is refused.
"""

from __future__ import annotations

import csv
import io
import re
import uuid
from collections.abc import Iterable, Mapping, Sequence

from companion.league.acts import Act, format_act, parse_act
from companion.league.errors import BadAct, key_of
from companion.league.plain import Line, tidy
from companion.rules.games import NAMES
from companion.system.frozen import dataclass

Data = dict[str, object]

BY_HAND = uuid.UUID("6f1c1d3e-0a53-4c1f-9e55-2f6a3f0a7b10")
"""The namespace of the ids."""
ABOUT_RACE = ("date", "game", "track", "laps", "name", "table", "season", "round", "note")
COLUMNS = (
    "date",
    "race",
    "game",
    "track",
    "laps",
    "season",
    "round",
    "note",
    "driver",
    "place",
    "status",
    "team",
    "grid",
    "lap",
    "out",
    "points",
    "fastest",
    "time",
    "trial",
    "crew",
)
"""Of a CSV file; `date` and `driver` are needed."""
NUMBERS = ("laps", "round", "place", "grid", "lap", "points", "trial")
FLAGS = {"1": True, "yes": True, "true": True, "x": True, "0": False, "no": False, "false": False}
BY_NAME = {
    "teams": "team",
    "grid": "grid",
    "points": "points",
    "status": "status",
    "times": "time",
    "trials": "trial",
}
"""What a form says of cars by their names, and the field that it is."""

_FORMULA = re.compile(r"'*[=+\-@\t]")


def race_acts(form: Line) -> list[Act]:
    """What a form says, as acts: the race, its round in a season, its note.

    Args:
        form: `date`, and `order`: the names of those who came home, best first. May have
            `out`: name → reason, the last to go out first; `game`, `track`, `laps`, `name`,
            `season` (a key), `round`, `note`, `teams` and `grid`: name → team, place;
            `fastest`: a name; `points`: name → points, for money; `status`, `times`, `trials`:
            name → status, seconds, rolls of a time trial; `table`: at which it was driven.

    >>> race, placed = race_acts({"date": "2026-05-17", "order": ["Ana"], "out": {"Bea": "engine"}})
    >>> [car.name for car in race.entries]
    ['Ana', 'Bea']

    Raises:
        BadAct: something is missing or cannot be understood.
    """
    order, out = form.get("order", ()), form.get("out", {})
    if not isinstance(out, Mapping) or isinstance(order, str) or not isinstance(order, Sequence):
        raise BadAct("a form has order, a list of names, and out, an object of names and reasons")
    cars: list[Data] = [{"name": name} for name in order]
    cars += [{"name": name, "status": "out", "out": why or None} for name, why in out.items()]
    _refuse_twice([car["name"] for car in cars])
    for word, field in BY_NAME.items():
        _spread(form, word, field, cars)
    if form.get("fastest") is not None:
        _of_name(cars, form["fastest"])["fastest"] = True
    known = {*ABOUT_RACE, *BY_NAME, "order", "out", "fastest"}
    unknown = sorted(set(form) - known)
    if unknown:
        raise BadAct(f"a form has no {unknown[0]!r:.40}; known are {', '.join(sorted(known))}")
    return _acts(form, cars)


@dataclass(frozen=True, slots=True)
class CsvLine:
    """A line of a file, by its heads; `number` counts from 1, the heads are line 1."""

    number: int
    row: Mapping[str, str]

    def whole(self, head: str) -> int:
        """The number under a head.

        Raises:
            BadAct: it is none.
        """
        text = self.row[head]
        if not text.removeprefix("-").isdecimal():
            raise BadAct(f"line {self.number}: {head} is a whole number, not {text!r:.40}")
        return int(text)

    def number_of(self, head: str) -> float:
        """The number under a head, which may have digits behind a point.

        Raises:
            BadAct: it is none.
        """
        if not re.fullmatch(r"\d{1,6}(\.\d{1,2})?", self.row[head]):
            raise BadAct(f"line {self.number}: {head} is a number, not {self.row[head]!r:.40}")
        return tidy(float(self.row[head]))


def read_csv(text: str) -> tuple[list[str], list[CsvLine]]:
    """The heads of a file, and its lines, tidied; commas or semicolons.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    if re.search(r"\r(?!\n)", text):
        raise BadAct("a line ends with a carriage return alone; lines end with a line feed")
    stream = io.StringIO(text.lstrip("\ufeff"), newline="")
    rows = csv.DictReader(stream, delimiter=delimiter, restval="")
    try:
        heads = rows.fieldnames = [(name or "").strip().lower() for name in rows.fieldnames or ()]
        return heads, [_tidy(rows.line_num, row, heads) for row in rows]
    except csv.Error as error:
        raise BadAct(f"line {rows.line_num + 1}: {error}") from error


def _tidy(number: int, row: Mapping[str, str], heads: Iterable[str]) -> CsvLine:
    if None in row:
        raise BadAct(f"line {number} has more fields than the first line has columns")
    return CsvLine(number, {head: unguard(row[head].strip()) for head in heads})


def guard(text: str) -> str:
    """A cell that no spreadsheet carries out: an apostrophe before what begins a formula.

    >>> guard("=1+1"), guard("Ana"), unguard(guard("=1+1")), unguard(guard("'=1"))
    ("'=1+1", 'Ana', '=1+1', "'=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguard(text: str) -> str:
    """A cell without its guard."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


def csv_acts(text: str) -> list[Act]:
    """The acts of a CSV file: a line a car, the lines of a race with one date and one `race`.

    The first line names the columns (`COLUMNS`), in any order.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    return line_acts(*read_csv(text))


def line_acts(heads: Sequence[str], lines: Iterable[CsvLine]) -> list[Act]:
    """The acts that lines say under these heads.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    unknown = [head for head in heads if head not in COLUMNS]
    if unknown or not {"date", "driver"} <= set(heads):
        why = f"not {unknown[0]!r:.40}" if unknown else "date and driver are needed"
        raise BadAct(f"line 1: the columns are of {', '.join(COLUMNS)}; {why}")
    races: dict[tuple[object, object], tuple[Data, list[Data]]] = {}
    for line in lines:
        about, car = _read_line(line, heads)
        race, cars = races.setdefault((about["date"], about.get("name", "")), ({}, []))
        race |= {**about, **race}  # the first line that says something of a race
        cars.append(car)
    if not races:
        raise BadAct("there is no race in it")
    return [act for race, cars in races.values() for act in _acts(race, cars)]


def _read_line(line: CsvLine, heads: Iterable[str]) -> tuple[Data, Data]:
    """What a line says of its race, and of its car."""
    read: Data = {head: _value(line, head) for head in heads if line.row[head]}
    if "date" not in read or "driver" not in read:
        raise BadAct(f"line {line.number}: date and driver are needed")
    about = {key: read.pop(key) for key in ABOUT_RACE if key in read}
    if "race" in read:
        about["name"] = read.pop("race")
    read["name"] = read.pop("driver")
    return about, read


def _value(line: CsvLine, head: str) -> str | float | list[str]:
    text = line.row[head]
    if head in NUMBERS:
        return line.whole(head)
    if head == "fastest":
        if text.lower() not in FLAGS:
            raise BadAct(f"line {line.number}: fastest is yes or no, not {text!r:.40}")
        return FLAGS[text.lower()]
    if head == "time":
        return line.number_of(head)
    if head == "crew":
        return [name.strip() for name in text.split(",") if name.strip()]
    return text


def _acts(about: Line, cars: Sequence[Data]) -> list[Act]:
    race = {
        key: about[key] for key in ("name", "track", "laps", "table") if about.get(key) is not None
    }
    data = {"date": about.get("date"), "game": about.get("game", NAMES[0]), **race}
    tidy = format_act(parse_act({"act": "race", "race": "x", **data, "entries": list(cars)}))
    name = str(uuid.uuid5(BY_HAND, repr(sorted(tidy.items(), key=lambda item: item[0]))))
    acts: list[Line] = [{**tidy, "race": name}]
    season = about.get("season")
    if season is None and about.get("round") is not None:
        raise BadAct("a round is one of a season: which?")
    placed = {} if about.get("round") is None else {"round": about["round"]}
    acts.append({"act": "round", "race": name, "season": season, **placed})
    if about.get("note"):
        acts.append({"act": "note", "race": name, "text": about["note"]})
    return [parse_act(act) for act in acts]


def _refuse_twice(names: Sequence[object]) -> None:
    keys = [key_of(name) if isinstance(name, str) else name for name in names]
    twice = [name for name, key in zip(names, keys, strict=True) if keys.count(key) > 1]
    if twice:
        raise BadAct(f"{twice[0]!r:.60} is in the race twice")


def _spread(form: Line, word: str, field: str, cars: Iterable[Data]) -> None:
    """Give each car what the form says under its name."""
    named = form.get(word, {})
    if not isinstance(named, Mapping):
        raise BadAct(f"{word} is an object of names, not {named!r:.40}")
    for name, value in named.items():
        _of_name(cars, name)[field] = value


def _of_name(cars: Iterable[Data], name: object) -> Data:
    for car in cars:
        if isinstance(name, str) and key_of(str(car["name"])) == key_of(name):
            return car
    raise BadAct(f"{name!r:.60} is not in the race")
