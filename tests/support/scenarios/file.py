"""Scenario files: answers in, state out, as a player would tell them at the table.

A file has three parts with an empty line between them (`tests/scenarios/README.md` tells the
words): what it shows, with the ids of the rules; the race and where its cars stand; what is
answered, and after each `=` what must then hold. Lines with `#` are notes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.race.boards import PackLibrary
from companion.rules.packs import read_pack
from support.scenarios.words import parse_facts

FOLDER = Path(__file__).parents[2] / "scenarios"
JSON = dict[str, Any]
SEAT_FACTS = frozenset({"driver", "team", "box"})
"""What a car line says that belongs to the header's seat."""


@dataclass(frozen=True)
class Line:
    """One line of the last part, with its number in the file."""

    number: int
    text: str


@dataclass
class Scenario:
    """One file, read: the header of its race, the names of its seats, and its lines."""

    path: Path
    header: JSON
    seats: dict[str, int]
    lines: list[Line]
    refused: str | None = None
    """The rule by which the race itself is refused."""

    @property
    def name(self) -> str:
        """The game and the sentence, as pytest shows them."""
        return f"{self.path.parent.name}/{self.path.stem}"


@dataclass
class _Setup:
    """The second part while it is read."""

    header: JSON = field(default_factory=dict)
    position: JSON = field(default_factory=dict)
    cars: dict[str, JSON] = field(default_factory=dict)
    new_round: bool = False
    refused: str | None = None


def every_scenario() -> list[Path]:
    """All scenario files."""
    return sorted(path for path in FOLDER.rglob("*.txt"))


def read_scenario(path: Path, by: str = "") -> Scenario:
    """Read one file; `by` the text of a pack its race is played, whatever house the file has.

    Raises:
        ValueError: a part is missing, or a line cannot be understood; it names file and line.
    """
    lines = [
        Line(n, text.rstrip()) for n, text in enumerate(path.read_text("utf-8").split("\n"), 1)
    ]
    parts = _parts([line for line in lines if not line.text.startswith("#")])
    if len(parts) < 2:
        raise ValueError(f"{path.name}: what it shows, the race, and the answers, each a part")
    setup = _Setup()
    for line in parts[1]:
        try:
            _read_setup(setup, line.text)
        except ValueError as error:
            raise ValueError(f"{path.name}, line {line.number}: {error}") from error
    if by:
        pack = {"name": read_pack(by).name, "toml": by}
        rules = {} if "by" in setup.header else {"rules": []}
        setup.header = {**rules, **setup.header, "pack": pack}
        for said in ("house", "by"):
            setup.header.pop(said, None)
    seats = {name: seat for seat, name in enumerate(setup.cars, 1)}
    played = [line for part in parts[2:] for line in part]
    return Scenario(path, _header(setup, seats), seats, played, setup.refused)


def pack_of(name: str) -> JSON:
    """A pack that ships, as a header has it."""
    return {"name": name, "toml": PackLibrary().packs()[name][1]}


def _parts(lines: list[Line]) -> list[list[Line]]:
    parts: list[list[Line]] = [[]]
    for line in lines:
        if line.text:
            parts[-1].append(line)
        elif parts[-1]:
            parts.append([])
    return [part for part in parts if part]


def _read_setup(setup: _Setup, text: str) -> None:
    """One line of the second part."""
    if not setup.header:
        setup.header = _read_race(text)
        return
    if text == "new round":
        setup.new_round = True
        return
    key, _, content = text.partition(":")
    content = content.strip()
    if key in _SAID:
        part, read = _SAID[key]
        getattr(setup, part)[key] = read(content)
    elif key == "seats":
        setup.cars |= {name: {} for name in content.split()}
    elif key == "refused":
        setup.refused = content
    else:
        setup.cars[key] = parse_facts(content)


_SAID: dict[str, tuple[str, Callable[[str], Any]]] = {
    "by": ("header", lambda content: pack_of(content)),
    "rules": ("header", lambda content: content.split(", ")),
    "house": ("header", lambda content: dict(pair.split() for pair in content.split(", "))),
    "weather": ("header", str),
    "start": ("header", str),
    "grid": ("header", str.split),
    "order": ("header", str.split),
    "debris": ("position", str.split),
}
"""What a line of the second part says of the whole race, and how it is read."""


def _read_race(text: str) -> JSON:
    """`formula-d on monaco, 2 laps`.

    >>> _read_race("formula-d on monaco, 2 laps")
    {'game': 'formula-d', 'track': 'monaco', 'laps': 2}
    """
    found = re.fullmatch(r"(\S+)(?: on (\S+?))?(?:, (\d+) laps?)?", text)
    if not found:
        raise ValueError(f"a race reads 'formula-d on monaco, 2 laps', not {text!r}")
    race: JSON = {"game": found[1], "track": found[2]}
    return race | ({"laps": int(found[3])} if found[3] else {})


def _header(setup: _Setup, seats: dict[str, int]) -> JSON:
    """The header of the engine protocol; cars that stand somewhere make it a position."""
    header, position = dict(setup.header), dict(setup.position)
    if "by" in header:
        header["pack"] = header.pop("by")
    # By a pack people choose their boxes, so only a position can say where they are.
    of_seat = SEAT_FACTS - ({"box"} if "pack" in header else set())
    header["seats"] = [
        {"seat": seat, "name": name}
        | {key: value for key, value in setup.cars[name].items() if key in of_seat}
        for name, seat in seats.items()
    ]
    if "grid" in header:
        header["grid"] = [seats[name] for name in header["grid"]]
    order = header.pop("order", None)
    cars = {
        str(seats[name]): {key: value for key, value in facts.items() if key not in of_seat}
        for name, facts in setup.cars.items()
    }
    if not any(cars.values()) and not position:
        return header
    position["cars"] = cars
    if "weather" in header:
        position["weather"] = header.pop("weather")
    if not setup.new_round:
        on = [seats[name] for name in order] if order else list(seats.values())
        position |= {"order": on, "turn": on[0], "round": 5}
    return header | {"position": position}
