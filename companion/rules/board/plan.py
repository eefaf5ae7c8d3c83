"""A track file as it is written: typed, complete, its spaces not yet looked up.

This is the half of loading that knows TOML: which keys there are, what type each has and
which figures can be at all. Whether `l7` exists is for the other half (`build.py`). What is wrong
is noted as a fault with its place, so that one reading finds all of it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Literal, TypeVar, cast, get_args

from companion.rules.board.track import Kind, Turn
from companion.system.frozen import dataclass

Lead = Literal["left", "right", "level"]

MOST_LANES = 6
MOST_SPACES = 400
"""The most spaces of one lane in one section, and of a pit lane."""
MOST_SECTIONS = 100
MOST_STOPS = 3
BLACK_DIE = 20


@dataclass(frozen=True, slots=True)
class SectionPlan:
    """One `[[section]]`: `changes` is None where it is laid out, from counts and `lead`."""

    kind: Kind
    label: str
    name: str | None
    spaces: tuple[int, ...]
    lead: Lead = "level"
    closed: tuple[str, ...] = ()
    stops: int = 0
    turns: Turn = "left"
    changes: tuple[str, ...] | None = None
    beside: tuple[str, ...] = ()
    shortest: int | None = None
    longest: int | None = None

    @property
    def title(self) -> str:
        """The section as a fault names it: "T3 Casino 2"."""
        return f"{self.label} {self.name}" if self.name else self.label


@dataclass(frozen=True, slots=True)
class PitPlan:
    """The `[pit]` table: `boxes` are the numbers of the lane spaces that they lie beside."""

    spaces: int
    entry: tuple[str, ...]
    exit: tuple[str, ...]
    boxes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A track file, read but not yet compiled."""

    name: str
    exact: bool
    lanes: tuple[str, ...]
    sections: tuple[SectionPlan, ...]
    grid: tuple[str, ...]
    finish: tuple[int, ...]
    pit: PitPlan | None
    weather: Mapping[str, tuple[int, int]] | None
    noise: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    police: tuple[str, ...] = ()
    tunnel: tuple[str, ...] = ()


URBAN = ("noise", "dark", "police", "tunnel")
"""The lists of a plan that only boards of urban races have."""


def read_plan(text: str, faults: Faults) -> Plan | None:
    """Read a track file; None when faults make it pointless to go on."""
    try:
        top = Table(tomllib.loads(text), "track", faults)
    # TOMLDecodeError is one; so is the error of a number with too many digits.
    except ValueError as error:
        faults.add("track", f"is not TOML: {error}")
        return None
    except RecursionError:
        faults.add("track", "is not a track file: it is nested too deeply")
        return None
    plan = _read_top(top, faults)
    top.no_other_keys()
    return None if faults else plan


def _read_top(top: Table, faults: Faults) -> Plan:
    lanes = _read_lanes(top, faults)
    return Plan(
        name=top.text("name"),
        exact=top.flag("exact", default=True),
        lanes=lanes,
        sections=_read_sections(top, len(lanes), faults),
        grid=top.words("grid"),
        finish=_read_finish(top, lanes),
        pit=_read_pit(top, faults),
        weather=read_weather(top, faults),
        **{key: top.words(key, default=()) for key in URBAN},
    )


def _read_lanes(top: Table, faults: Faults) -> tuple[str, ...]:
    lanes = top.words("lanes")
    if not 1 <= len(lanes) <= MOST_LANES:
        faults.add("lanes", f"has {len(lanes)} lanes; 1 to {MOST_LANES} are possible")
    for lane in lanes:
        if not (len(lane) == 1 and lane.isascii() and lane.islower()):
            faults.add("lanes", f"{lane!r} is no lane; a lane is one small letter, as l m r")
    if len(set(lanes)) != len(lanes):
        faults.add("lanes", "names a lane twice")
    return lanes


def _read_finish(top: Table, lanes: tuple[str, ...]) -> tuple[int, ...]:
    finish = top.table("finish")
    numbers = tuple(finish.whole(lane, 1, MOST_SPACES) for lane in lanes)
    finish.no_other_keys()
    return numbers


def _read_pit(top: Table, faults: Faults) -> PitPlan | None:
    if not top.has("pit"):
        return None
    pit = top.table("pit")
    spaces = pit.whole("spaces", 1, MOST_SPACES)
    plan = PitPlan(
        spaces=spaces,
        entry=pit.words("entry"),
        exit=pit.words("exit"),
        boxes=pit.wholes("boxes", 1, MOST_SPACES),
    )
    for number in plan.boxes:
        if number > spaces:
            faults.add("pit boxes", f"there is no space P{number}; the pit lane has {spaces}")
    pit.no_other_keys()
    return plan


WEATHER = ("rain", "variable", "fine")


def read_weather(top: Table, faults: Faults) -> Mapping[str, tuple[int, int]] | None:
    """The ranges of the weather table, which must cover the black die exactly once."""
    if not top.has("weather"):
        return None
    table = top.table("weather")
    known = len(faults.found)
    ranges = {kind: table.span(kind, 1, BLACK_DIE) for kind in WEATHER}
    table.no_other_keys()
    if len(faults.found) == known:
        _cover_the_die(ranges, faults)
    return ranges


def _cover_the_die(ranges: Mapping[str, tuple[int, int]], faults: Faults) -> None:
    means = {
        face: [kind for kind, (low, high) in ranges.items() if low <= face <= high]
        for face in range(1, BLACK_DIE + 1)
    }
    missing = ", ".join(str(face) for face, kinds in means.items() if not kinds)
    if missing:
        faults.add("weather", f"nothing is said of {missing} on the black die")
    double = ", ".join(str(face) for face, kinds in means.items() if len(kinds) > 1)
    if double:
        faults.add("weather", f"more than one thing is said of {double} on the black die")


def _read_sections(top: Table, lanes: int, faults: Faults) -> tuple[SectionPlan, ...]:
    tables = top.tables("section")
    if len(tables) > MOST_SECTIONS:
        faults.add("track", f"has {len(tables)} sections; {MOST_SECTIONS} are possible")
        return ()
    plans: list[SectionPlan] = []
    for place, table in enumerate(tables, 1):
        kind = cast(Kind, table.choice("kind", ("straight", "corner"), where=f"section {place}"))
        label = f"{'S' if kind == 'straight' else 'T'}{1 + sum(p.kind == kind for p in plans)}"
        table.where = label
        plans.append(_read_section(table, kind, label, lanes, faults))
    if not any(plan.kind == "corner" for plan in plans):
        faults.add("track", "has no corner")
    return tuple(plans)


def _read_section(table: Table, kind: Kind, label: str, lanes: int, faults: Faults) -> SectionPlan:
    name = table.text("name", default="") if kind == "straight" else table.text("name")
    table.where = f"{label} {name}".rstrip()
    told = len(faults.found)
    spaces = table.wholes("spaces", 0, MOST_SPACES)
    if len(spaces) != lanes and len(faults.found) == told:
        faults.add(table.where, f"has the counts of {len(spaces)} lanes; the track has {lanes}")
    plan = SectionPlan(kind, label, name or None, spaces)
    plan = _read_straight(plan, table) if kind == "straight" else _read_corner(plan, table, faults)
    table.no_other_keys()
    return plan


def _read_straight(plan: SectionPlan, table: Table) -> SectionPlan:
    """By the lane that leads and what is closed, or change by change as a corner."""
    if table.has("changes"):
        return replace(
            plan, changes=table.words("changes"), beside=table.words("beside", default=())
        )
    return replace(
        plan,
        lead=cast(Lead, table.choice("lead", get_args(Lead))),
        closed=table.words("closed", default=()),
    )


def _read_corner(plan: SectionPlan, table: Table, faults: Faults) -> SectionPlan:
    shortest = table.whole("shortest", 1, MOST_SPACES) if table.has("shortest") else None
    longest = table.whole("longest", 1, MOST_SPACES) if table.has("longest") else None
    if shortest is not None and longest is not None and shortest > longest:
        faults.add(table.where, f"its shortest way {shortest} is above its longest {longest}")
    return replace(
        plan,
        stops=table.whole("stops", 1, MOST_STOPS),
        turns=cast(Turn, table.choice("turns", ("left", "right"))),
        changes=table.words("changes") if table.has("changes") else None,
        beside=table.words("beside", default=()),
        shortest=shortest,
        longest=longest,
    )


# -- a table asked key by key ---------------------------------------------------------------------

T = TypeVar("T")

QUOTED_MOST = 60
"""Characters of a wrong value that a fault quotes."""

_SPAN = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")


class Table:
    """One TOML table: `where` is how faults name it.

    Each method returns a value of the right type even when it has noted a fault.
    """

    def __init__(self, values: Mapping[str, Any], where: str, faults: Faults) -> None:
        self.where = where
        self._values = values
        self._faults = faults
        self._asked: set[str] = set()

    def has(self, key: str) -> bool:
        """Whether the key is written."""
        return key in self._values

    def no_other_keys(self) -> None:
        """Note a fault for each key that nobody has asked for."""
        for key in self._values:
            if key not in self._asked:
                self._faults.add(self.where, f"{key!r} is not a key of a track file here")

    def text(self, key: str, *, default: str | None = None) -> str:
        """A text on one line, not empty where there is no default."""
        value = self._value(key, default)
        if isinstance(value, str) and value.isprintable() and (value or default is not None):
            return value
        return self._wrong(key, value, "a text on one line", "")

    def flag(self, key: str, *, default: bool) -> bool:
        """true or false."""
        value = self._value(key, default)
        return value if isinstance(value, bool) else self._wrong(key, value, "true or false", False)

    def whole(self, key: str, low: int, high: int) -> int:
        """A whole number from `low` to `high`."""
        value = self._value(key)
        if _is_whole(value, low, high):
            return int(value)
        return self._wrong(key, value, f"a whole number from {low} to {high}", low)

    def wholes(self, key: str, low: int, high: int) -> tuple[int, ...]:
        """A list of whole numbers from `low` to `high`."""
        value = self._value(key)
        if isinstance(value, list) and all(_is_whole(item, low, high) for item in value):
            return tuple(value)
        return self._wrong(key, value, f"a list of whole numbers from {low} to {high}", ())

    def words(self, key: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """A list of texts."""
        value = self._value(key, None if default is None else list(default))
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return tuple(value)
        return self._wrong(key, value, "a list of texts", ())

    def choice(self, key: str, among: Sequence[str], *, where: str = "") -> str:
        """One of a few words."""
        self.where = where or self.where
        value = self._value(key)
        if isinstance(value, str) and value in among:
            return value
        return self._wrong(key, value, "one of " + ", ".join(among), among[0])

    def span(self, key: str, low: int, high: int) -> tuple[int, int]:
        """A range of whole numbers, written "8-12" or "8"."""
        value = self._value(key)
        match = _SPAN.fullmatch(value) if isinstance(value, str) else None
        if match:
            first, last = int(match[1]), int(match[2] or match[1])
            if low <= first <= last <= high:
                return first, last
        return self._wrong(key, value, f'a range within "{low}-{high}"', (low, low))

    def table(self, key: str) -> Table:
        """A table in this table."""
        value = self._value(key)
        if isinstance(value, dict):
            return Table(value, key, self._faults)
        # Faults of its own: after `no table` each of its missing keys would be noted besides.
        return Table(self._wrong(key, value, "a table", {}), key, Faults())

    def tables(self, key: str) -> list[Table]:
        """A list of tables, `[[key]]`."""
        value = self._value(key)
        if not (isinstance(value, list) and all(isinstance(item, dict) for item in value)):
            value = self._wrong(key, value, f"a list of tables [[{key}]]", [])
        return [Table(item, key, self._faults) for item in value]

    def _value(self, key: str, default: object = None) -> Any:
        self._asked.add(key)
        return self._values.get(key, default)

    def _wrong(self, key: str, value: object, wanted: str, instead: T) -> T:
        if value is None:
            self._faults.add(self.where, f"{key!r} is missing; it is {wanted}")
        else:
            quoted = repr(value)
            quoted = quoted if len(quoted) <= QUOTED_MOST else quoted[:QUOTED_MOST] + "…"
            self._faults.add(self.where, f"{key} = {quoted} should be {wanted}")
        return instead


def _is_whole(value: object, low: int, high: int) -> bool:
    """Whether this is an int in the range; TOML's true is none."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


# -- the notation of spaces -----------------------------------------------------------------------

# `l7`, `S2.m1`, `l1>m1` (a change), `l2|m1` (side by side).

_PLACE = re.compile(r"(?:([ST][0-9]{1,3})\.)?([a-z])([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class Written:
    """A space as written: `label` is None where it means the section at hand."""

    label: str | None
    lane: str
    number: int


def parse_place(text: str) -> Written | None:
    """Read `l7` or `S2.l7`; None for anything else.

    >>> parse_place("S2.m1")
    Written(label='S2', lane='m', number=1)
    """
    match = _PLACE.fullmatch(text)
    return Written(match[1], match[2], int(match[3])) if match else None


def parse_pair(text: str, sign: str) -> tuple[Written, Written] | None:
    """Read two spaces with `sign` (">" or "|") between them; None for anything else.

    >>> parse_pair("l2|m1", "|")
    (Written(label=None, lane='l', number=2), Written(label=None, lane='m', number=1))
    """
    first, found, second = text.partition(sign)
    start, end = parse_place(first), parse_place(second)
    return (start, end) if found and start and end else None


# -- faults ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: `where` names section and lane ("T3 Casino 2, lane m"), `what` says it.

    `key` and `args` are what a catalogue translates, if there is one (views/words/refusals.toml).
    """

    where: str
    what: str
    key: str = ""
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(slots=True)
class Faults:
    """Collects faults, so that a check finds all of them and not the first alone."""

    found: list[Fault] = field(default_factory=list)

    def add(self, where: str, what: str, key: str = "", **args: object) -> None:
        """Note a fault, once."""
        fault = Fault(where, what, key, args)
        if fault not in self.found:
            self.found.append(fault)

    def __bool__(self) -> bool:
        return bool(self.found)
