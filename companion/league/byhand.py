"""Races that were played without the companion: by a form, or by CSV; pure.

Both come to acts. The id of such a race is made of what is said of it, so the same form sent
twice, or the same file added twice, is one race: the second time is refused.
"""

from __future__ import annotations

import csv
import io
import uuid
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from companion.league.acts import parse_act
from companion.league.errors import BadAct
from companion.league.names import key_of

JSON = Mapping[str, Any]
Act = dict[str, Any]

BY_HAND = uuid.UUID("6f1c1d3e-0a53-4c1f-9e55-2f6a3f0a7b10")
"""The namespace of the ids."""
ABOUT_RACE = ("date", "game", "track", "laps", "name", "season", "round", "note")
COLUMNS = (
    *("date", "race", "game", "track", "laps", "season", "round", "note"),
    *("driver", "place", "status", "team", "grid", "lap", "out", "points", "fastest"),
)
"""Of a CSV file; `date` and `driver` are needed."""
NUMBERS = ("laps", "round", "place", "grid", "lap", "points")
YES = {"1": True, "yes": True, "true": True, "x": True}
NO = {"0": False, "no": False, "false": False}


def race_acts(form: JSON) -> list[Act]:
    """What a form says, as acts: the race, its round in a season, its note.

    Args:
        form: `date`, and `order`: the names of those who came home, best first. May have
            `out`: name → reason, the last to go out first; `game`, `track`, `laps`, `name`,
            `season` (a key), `round`, `note`, `teams` and `grid`: name → team, place;
            `fastest`: a name; `points`: name → points, for Downforce.

    >>> acts = race_acts({"date": "2026-05-17", "order": ["Ana"], "out": {"Bea": "engine"}})
    >>> [entry["name"] for entry in acts[0]["entries"]]
    ['Ana', 'Bea']

    Raises:
        BadAct: something is missing or cannot be understood.
    """
    order, out = form.get("order", ()), form.get("out", {})
    if not isinstance(out, Mapping) or isinstance(order, str) or not isinstance(order, Sequence):
        raise BadAct("a form has order, a list of names, and out, an object of names and reasons")
    entries: list[Act] = [{"name": name} for name in order]
    entries += [{"name": name, "status": "out", "out": why or None} for name, why in out.items()]
    _refuse_twice([entry["name"] for entry in entries])
    for field, word in (("team", "teams"), ("grid", "grid"), ("points", "points")):
        _spread(form, word, field, entries)
    if form.get("fastest") is not None:
        _of_name(entries, form["fastest"])["fastest"] = True
    known = {*ABOUT_RACE, "order", "out", "teams", "grid", "points", "fastest"}
    unknown = sorted(set(form) - known)
    if unknown:
        raise BadAct(f"a form has no {unknown[0]!r:.40}; known are {', '.join(sorted(known))}")
    return _acts(form, entries)


def csv_acts(text: str) -> list[Act]:
    """The acts of a CSV file: a line a car, the lines of a race with one date and one `race`.

    The first line names the columns (`COLUMNS`), in any order; commas or semicolons.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    rows = csv.DictReader(io.StringIO(text.lstrip("\ufeff")), delimiter=_delimiter(text))
    names = [(name or "").strip().lower() for name in rows.fieldnames or ()]
    unknown = [name for name in names if name not in COLUMNS]
    if unknown or not {"date", "driver"} <= set(names):
        said = f"not {unknown[0]!r:.40}" if unknown else "date and driver are needed"
        raise BadAct(f"line 1: the columns are of {', '.join(COLUMNS)}; {said}")
    rows.fieldnames = names
    races: dict[tuple[str, str], list[tuple[Act, Act]]] = {}
    for number, row in enumerate(rows, 2):
        about, entry = _read_row(number, row)
        races.setdefault((about["date"], about.get("name", "")), []).append((about, entry))
    if not races:
        raise BadAct("there is no race in it")
    return [act for cars in races.values() for act in _acts(_about(cars), [e for _, e in cars])]


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return ";" if first.count(";") > first.count(",") else ","


def _about(cars: Iterable[tuple[Act, Act]]) -> Act:
    """What the lines of a race say of it, the first that says something."""
    told: Act = {}
    for about, _ in cars:
        told = {**about, **told}
    return told


def _read_row(number: int, row: Mapping[str | None, Any]) -> tuple[Act, Act]:
    if None in row:
        raise BadAct(f"line {number} has more fields than the first line has columns")
    told = {str(key): value.strip() for key, value in row.items() if value and value.strip()}
    if "date" not in told or "driver" not in told:
        raise BadAct(f"line {number}: date and driver are needed")
    read = {key: _value(number, key, text) for key, text in told.items()}
    about = {key: read[key] for key in ABOUT_RACE if key in read and key != "name"}
    if "race" in read:
        about["name"] = read.pop("race")
    entry = {key: value for key, value in read.items() if key not in ABOUT_RACE}
    entry["name"] = entry.pop("driver")
    return about, entry


def _value(number: int, key: str, text: str) -> Any:
    if key in NUMBERS:
        if not text.removeprefix("-").isdecimal():
            raise BadAct(f"line {number}: {key} is a whole number, not {text!r:.40}")
        return int(text)
    if key == "fastest":
        if text.lower() not in YES | NO:
            raise BadAct(f"line {number}: fastest is yes or no, not {text!r:.40}")
        return (YES | NO)[text.lower()]
    return text


def _acts(about: JSON, entries: Sequence[Act]) -> list[Act]:
    race = {key: about[key] for key in ("name", "track", "laps") if about.get(key) is not None}
    told = {"date": about.get("date"), "game": about.get("game", "formula-d"), **race}
    tidy = parse_act({"act": "race", "race": "x", **told, "entries": list(entries)})
    name = str(uuid.uuid5(BY_HAND, repr(sorted(tidy.items(), key=lambda item: item[0]))))
    acts: list[Act] = [{**tidy, "race": name}]
    season = about.get("season")
    if season is None and about.get("round") is not None:
        raise BadAct("a round is one of a season: which?")
    placed = {} if about.get("round") is None else {"round": about["round"]}
    acts.append({"act": "round", "race": name, "season": season, **placed})
    if about.get("note"):
        acts.append({"act": "note", "race": name, "text": about["note"]})
    return [parse_act(act) for act in acts]


def _refuse_twice(names: Sequence[Any]) -> None:
    keys = [key_of(name) if isinstance(name, str) else name for name in names]
    twice = [name for name, key in zip(names, keys, strict=True) if keys.count(key) > 1]
    if twice:
        raise BadAct(f"{twice[0]!r:.60} is in the race twice")


def _spread(form: JSON, word: str, field: str, entries: Sequence[Act]) -> None:
    """Give each car what the form says under its name."""
    told = form.get(word, {})
    if not isinstance(told, Mapping):
        raise BadAct(f"{word} is an object of names, not {told!r:.40}")
    for name, value in told.items():
        _of_name(entries, name)[field] = value


def _of_name(entries: Sequence[Act], name: Any) -> Act:
    for entry in entries:
        if isinstance(name, str) and key_of(str(entry["name"])) == key_of(name):
            return entry
    raise BadAct(f"{name!r:.60} is not in the race")
