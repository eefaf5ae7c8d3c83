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
from dataclasses import replace

from companion.league.acts import Act, format_act, parse_act
from companion.league.errors import BadAct, key_of
from companion.league.plain import Line, tidy
from companion.rules.games import NAMES
from companion.system.frozen import dataclass

Data = dict[str, object]

BY_HAND = uuid.UUID("6f1c1d3e-0a53-4c1f-9e55-2f6a3f0a7b10")
"""The namespace of the ids."""
ABOUT_RACE = ("date", "game", "track", "laps", "name", "table", "season", "round", "note")
HEADS = (
    "date race game track laps season round note driver place status team grid lap out points "
    "fastest time trial crew"
)
COLUMNS = tuple(HEADS.split())
"""Of a CSV file; `date` and `driver` are needed."""
NUMBERS = ("laps", "round", "place", "grid", "lap", "trial")
MONTHS = 12
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
        form: `date`, and `order`: the names of those who came home, best first, or a text with one
            a line. May have `out`: name → reason, the last to go out first, or a text of lines, the
            first to go out first, with a reason after a colon; `game`, `track`, `laps`, `name`,
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
    order = listed(order) if isinstance(order, str) else order
    if isinstance(out, str):  # people tell it in the order of the evening
        out = {name: why for name, _, why in reversed([_parted(one) for one in listed(out)])}
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


_MARK = re.compile(
    r"(?:[-*+•–—·]\s+|\(?\d{1,3}[.):]\s*|\d{1,2}(?:st|nd|rd|th|er|e|º|ª)\s+|[🥇🥈🥉🏆🏁]\s*)+"
)
_COUNT = re.compile(r"(\d{1,3})\s+")


def listed(text: str) -> list[str]:
    """The names of a list that somebody has pasted, without what numbers or marks them.

    >>> listed("1. Ana\\n - Dot\\n🥉 Cai\\n\\n4th 3 Doors"), listed("1\\tAna\\n2\\tBea")
    (['Ana', 'Dot', 'Cai', '3 Doors'], ['Ana', 'Bea'])
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    counted = [_COUNT.match(line) for line in lines]
    if [one and int(one[1]) for one in counted] == list(range(1, len(lines) + 1)):
        lines = [_COUNT.sub("", line, count=1) for line in lines]
    return [rest for line in lines if (rest := line[_marked(line) :].strip(" \t,;"))]


def _marked(line: str) -> int:
    """How long the mark at the beginning of a line is."""
    found = _MARK.match(line)
    return found.end() if found else 0


def _parted(line: str) -> tuple[str, str, str]:
    name, colon, why = line.partition(":")
    return name.strip(), colon, why.strip()


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
        if not re.fullmatch(r"-?\d{1,6}([.,]\d{1,2})?", self.row[head]):
            raise BadAct(f"line {self.number}: {head} is a number, not {self.row[head]!r:.40}")
        return tidy(float(self.row[head].replace(",", ".")))


SIGNS = ";\t,"
"""What parts the columns of a file; of equally many the first."""
ENCODINGS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}
"""By how a file begins."""
ALSO = {"name": "driver", "pos": "place", "position": "place", "rank": "place", "no": "", "#": ""}
"""What people call columns; those that say nothing of a result are passed over."""


def decoded(content: bytes) -> str:
    """The text of a file: UTF-8 strictly, UTF-16 where it says so, else what Windows writes in
    western Europe.

    >>> decoded("Łukasz".encode("utf-16")), decoded("Zoé".encode("cp1252"))
    ('Łukasz', 'Zoé')

    Raises:
        BadAct: it is no text.
    """
    encoding = ENCODINGS.get(content[:2], "utf-8-sig")
    for one in (encoding, "cp1252"):
        try:
            text = content.decode(one)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise BadAct("this is no text: a CSV file is text in UTF-8, as spreadsheets write it")


def read_csv(text: str) -> tuple[list[str], list[CsvLine]]:
    """The heads of a file, and its lines, tidied; parted by commas, semicolons or tabs.

    Empty lines, and empty columns without a head, are passed over.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    text, skipped = text.lstrip("\ufeff"), 0
    first, _, rest = text.partition("\n")
    if first.strip().lower().startswith("sep="):  # a spreadsheet's own, for its next opening
        text, skipped = rest, 1
        first = text.partition("\n")[0]
    delimiter = max(SIGNS, key=first.count)
    if re.search(r"\r(?!\n)", text):
        raise BadAct("a line ends with a carriage return alone; lines end with a line feed")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        heads = _heads(next(rows, []))
        lines = [_tidy(rows.line_num + skipped, row, heads) for row in rows if any(map(_said, row))]
    except csv.Error as error:
        raise BadAct(f"line {rows.line_num + skipped}: {error}") from error
    return [head for head in heads if head], lines


def _heads(row: Sequence[str]) -> list[str]:
    heads = [_said(head).lower() for head in row]
    return [ALSO.get(head, head) if ALSO.get(head) not in heads else head for head in heads]


def _said(cell: str) -> str:
    """A cell without the spaces around it, those that do not break among them."""
    return cell.strip()


def _tidy(number: int, row: Sequence[str], heads: Sequence[str]) -> CsvLine:
    cells = [unguard(_said(cell)) for cell in row]
    nameless = [cell for cell, head in zip(cells, heads, strict=False) if cell and head == ""]
    if any(cells[len(heads) :]) or (nameless and "" in heads and not _is_numbered(nameless)):
        raise BadAct(f"line {number} has more fields than the first line has columns")
    cells += [""] * (len(heads) - len(cells))
    return CsvLine(number, {head: cell for head, cell in zip(heads, cells, strict=False) if head})


def _is_numbered(cells: Iterable[str]) -> bool:
    return all(cell.isdecimal() for cell in cells)


def guard(text: str) -> str:
    """A cell that no spreadsheet carries out: an apostrophe before what begins a formula.

    >>> guard("=1+1"), guard("Ana"), unguard(guard("=1+1")), unguard(guard("'=1"))
    ("'=1+1", 'Ana', '=1+1', "'=1")
    """
    return f"'{text}" if _FORMULA.match(text) else text


def unguard(text: str) -> str:
    """A cell without its guard."""
    return text[1:] if text.startswith("'") and _FORMULA.match(text) else text


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
    line = _with_status(line)
    read: Data = {head: _value(line, head) for head in {*heads, "status"} if line.row.get(head)}
    if "date" not in read or "driver" not in read:
        raise BadAct(f"line {line.number}: date and driver are needed")
    about = {key: read.pop(key) for key in ABOUT_RACE if key in read}
    if "race" in read:
        about["name"] = read.pop("race")
    read["name"] = read.pop("driver")
    return about, read


WORDS = {
    **dict.fromkeys(("dnf", "ret", "retired", "r", "out"), "out"),
    **dict.fromkeys(("dns", "did not start", "not-started"), "not-started"),
    **dict.fromkeys(("nc", "not classified", "not-classified"), "not-classified"),
    **dict.fromkeys(("dsq", "dq", "disqualified"), "disqualified"),
    **dict.fromkeys(("finished", "ok"), "finished"),
    "running": "running",
}
"""What people write of how a car ended, and what it is here."""


def _with_status(line: CsvLine) -> CsvLine:
    """A line whose status is a word of ours; people write it where the place would be, too."""
    place, status = line.row.get("place", "").lower(), line.row.get("status", "").lower()
    if place in WORDS:
        return replace(line, row={**line.row, "place": "", "status": WORDS[place]})
    if not status:
        return line
    if status not in WORDS:
        known = ", ".join(dict.fromkeys(WORDS.values()))
        raise BadAct(f"line {line.number}: status is one of {known}, not {status!r:.40}")
    return replace(line, row={**line.row, "status": WORDS[status]})


_DAY = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?=$|[ T])")
_YEAR_FIRST = re.compile(r"(\d{4})[./](\d{1,2})[./](\d{1,2})(?=$|[ T])")


def with_days(lines: Iterable[CsvLine]) -> list[CsvLine]:
    """Lines with their dates as we write them: 03.04.2026 is a day in April. Of 3/4/2026 the
    other dates of the file tell which is the month.

    Raises:
        BadAct: they do not; the line is named.
    """
    every = list(lines)
    found = [_DAY.match(line.row.get("date", "")) for line in every]
    slashed = [(int(one[1]), int(one[3])) for one in found if one is not None and one[2] != "."]
    is_day_first = any(first > MONTHS for first, _ in slashed)
    if is_day_first == any(second > MONTHS for _, second in slashed):
        for line, one in zip(every, found, strict=True):
            if one is not None and one[2] != "." and one[1] != one[3]:
                told = line.row["date"]
                raise BadAct(
                    f"line {line.number}: is {told} of month {one[1]} or {one[3]}? "
                    "Write it as 2026-05-17"
                )
    return [_with_day(line, one, is_day_first) for line, one in zip(every, found, strict=True)]


def _with_day(line: CsvLine, found: re.Match[str] | None, is_day_first: bool) -> CsvLine:
    text = line.row.get("date", "")
    if found is None:
        date = _YEAR_FIRST.sub(lambda one: f"{one[1]}-{one[2]:0>2}-{one[3]:0>2}", text)
    else:
        day, month = (1, 3) if is_day_first or found[2] == "." else (3, 1)
        date = f"{found[4]}-{found[month]:0>2}-{found[day]:0>2}{text[found.end() :]}"
    return line if date == text else replace(line, row={**line.row, "date": date})


def _value(line: CsvLine, head: str) -> str | float | list[str]:
    text = line.row[head]
    if head in NUMBERS:
        return line.whole(head)
    if head == "fastest":
        if text.lower() not in FLAGS:
            raise BadAct(f"line {line.number}: fastest is yes or no, not {text!r:.40}")
        return FLAGS[text.lower()]
    if head in ("time", "points"):
        return line.number_of(head)
    if head == "crew":
        return [name.strip() for name in text.split(",") if name.strip()]
    return text


def _acts(about: Line, cars: Sequence[Data]) -> list[Act]:
    race = {
        key: about[key] for key in ("name", "track", "laps", "table") if about.get(key) is not None
    }
    struck = [car for car in cars if car.get("status") == "disqualified"]
    cars = _with_places([{**car, "status": "finished"} if car in struck else car for car in cars])
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
    for car in struck:
        why = {"driver": car["name"], "reason": car.get("out") or "disqualified"}
        acts.append({"act": "penalty", "race": name, **why, "disqualified": True})
    return [parse_act(act) for act in acts]


def _with_places(cars: Sequence[Data]) -> Sequence[Data]:
    """Where places are told, those who did not come home have the last ones, as they are listed.

    Raises:
        BadAct: of somebody who came home it is not known.
    """
    told = [car["place"] for car in cars if "place" in car]
    if not told or len(told) == len(cars):
        return cars
    rest = [car for car in cars if "place" not in car]
    for car in rest:
        if car.get("status", "finished") == "finished":
            raise BadAct(f"{car['name']!r:.60} has no place and is not out: which is it?")
    return [
        *(car for car in cars if "place" in car),
        *({**car, "place": place} for place, car in enumerate(rest, len(told) + 1)),
    ]


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
