"""What the journal keeps of a table, as types: the lines of a race, and those around races.

A line on disk is the same as it always was; `race_line` and `race_entry`, `table_line` and
`table_entry` are each other's reverse. Lines of a race have `at` and `by` beside this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from companion.rules.commands import InRace, Line, read
from companion.rules.games import KINDS
from companion.table.commands import Boards, Note
from companion.table.ports import JSON
from companion.views.model import Language, Pause, Preset, SetUp

# -- a race ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Watch:
    """The watch of this seat really began at `since`; its first answer was given again."""

    seat: int
    since: float


@dataclass(frozen=True, slots=True)
class Proposal:
    """The car of `seat` stands at `space`, `proposer` says; another seat has to agree.

    `error` is the refusal that the rules have for such a move, None where they have none.
    """

    seat: int
    space: str
    proposer: int | None
    error: JSON | None = None

    @property
    def data(self) -> Line:
        """As views and the page know it."""
        error = {} if self.error is None else {"error": self.error}
        return {"seat": self.seat, "space": self.space, "from": self.proposer, **error}


@dataclass(frozen=True, slots=True)
class Drop:
    """The open proposal came to nothing."""


Word = Pause | Preset | Watch | Proposal | Drop
"""What changes the table beside the race."""
RaceEntry = InRace | Note | Word


def race_line(entry: RaceEntry) -> Line:
    """The line of an entry.

    >>> race_line(Preset(3, seat=2))
    {'table': 'preset', 'seat': 2, 'gear': 3}
    """
    match entry:
        case Note(text):
            return {"note": text}
        case Pause(on):
            return {"table": "pause" if on else "resume"}
        case Preset(gear, seat):
            return {"table": "preset", "seat": seat, "gear": gear}
        case Watch(seat, since):
            return {"table": "watch", "seat": seat, "from": since}
        case Proposal():
            return {"table": "propose", **entry.data}
        case Drop():
            return {"table": "drop"}
    return entry.line


def race_entry(line: JSON) -> RaceEntry | None:
    """The entry of a line; None for a result, which says nothing that the race does not know.

    Raises:
        Malformed: it is none of ours.
    """
    if "table" in line:
        return _word(line)
    if "note" in line:
        return Note(line["note"])
    if "result" in line:
        return None
    entry = read({key: value for key, value in line.items() if key not in ("at", "by")}, KINDS)
    assert isinstance(entry, InRace)
    return entry


def _word(line: JSON) -> Word:
    match line["table"]:
        case "preset":
            return Preset(line["gear"], line["seat"])
        case "watch":
            return Watch(line["seat"], line["from"])
        case "propose":
            return Proposal(line["seat"], line["space"], line["from"], line.get("error"))
        case "drop":
            return Drop()
        case word:
            return Pause(word == "pause")


# -- around races ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Boot:
    """The table was started for the `count`th time."""

    count: int


@dataclass(frozen=True, slots=True)
class Opened:
    """This race lies on the table; versions go on from `base`."""

    race: str
    base: int


@dataclass(frozen=True, slots=True)
class Closed:
    """This race was put away; versions go on from `base`."""

    race: str
    base: int


TableEntry = Boot | Opened | Closed | Language | Boards | SetUp


def table_line(entry: TableEntry) -> Line:
    """The line of an entry.

    >>> table_line(SetUp("laps", 3, seat=1))
    {'table': 'laps', 'seat': 1, 'value': 3}
    """
    match entry:
        case Boot(count):
            return {"boot": count}
        case Opened(race, base):
            return {"open": race, "base": base}
        case Closed(race, base):
            return {"close": race, "base": base}
        case Language(code, seat):
            return {"table": "language", "seat": seat, "value": code}
        case Boards():
            return {"table": "boards"}
        case SetUp(word, value, seat):
            return {"table": word, "seat": seat, "value": value}
        case _ as never:
            assert_never(never)


def table_entry(line: JSON) -> TableEntry:
    """The entry of a line."""
    if "boot" in line:
        return Boot(line["boot"])
    if "open" in line:
        return Opened(line["open"], line["base"])
    if "close" in line:
        return Closed(line["close"], line["base"])
    match line["table"]:
        case "language":
            return Language(line["value"], line["seat"])
        case "boards":
            return Boards()
        case word:
            return SetUp(word, line["value"], line["seat"])
