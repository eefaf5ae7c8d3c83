"""What the journal keeps of a table: commands as they were carried out, and what came of them.

The line of an entry on disk is its `line`; a race's have `at` and `by` beside it.
"""

from __future__ import annotations

from companion.frozen import dataclass
from companion.rules.commands import InRace, Line
from companion.table.commands import Boards, Note, command_of
from companion.table.ports import JSON, Trouble
from companion.views.model import Language, Pause, Preset, Seen, SetUp


@dataclass(frozen=True, slots=True)
class Watch:
    """The watch of this seat really began at `since`; its first answer was given again."""

    seat: int
    since: float

    @property
    def line(self) -> Line:
        """The line on disk."""
        return {"table": "watch", "seat": self.seat, "from": self.since}


@dataclass(frozen=True, slots=True)
class Proposal:
    """The car of `seat` stands at `space`, `proposer` says; another seat has to agree.

    `error` is the refusal that the rules have for such a move, None where they have none.
    """

    seat: int
    space: str
    proposer: int | None
    error: Line | None = None

    @property
    def line(self) -> Line:
        """The line on disk."""
        error = {} if self.error is None else {"error": self.error}
        part = {"seat": self.seat, "space": self.space, "from": self.proposer, **error}
        return {"table": "propose", **part}


@dataclass(frozen=True, slots=True)
class Drop:
    """The open proposal came to nothing."""

    @property
    def line(self) -> Line:
        """The line on disk."""
        return {"table": "drop"}


@dataclass(frozen=True, slots=True)
class Seed:
    """The secret from which the companion throws; the record has it at the end."""

    value: str

    @property
    def line(self) -> Line:
        """The line on disk."""
        return {"table": "seed", "value": self.value}


@dataclass(frozen=True, slots=True)
class Pressed:
    """What was answered last for the whole table this seat has pressed: it may take it back."""

    seat: int

    @property
    def line(self) -> Line:
        """The line on disk."""
        return {"table": "pressed", "seat": self.seat}


RaceEntry = InRace | Note | Pause | Preset | Watch | Proposal | Drop | Seed | Pressed


def race_entry(line: JSON) -> RaceEntry | None:
    """The entry of a race's line; None for a result and the seed before it.

    Raises:
        Refusal: it is none of ours.
    """
    if "result" in line or "seed" in line:
        return None
    line = {key: value for key, value in line.items() if key not in ("at", "by")}
    match line.get("table"):
        case "watch":
            return Watch(line["seat"], line["from"])
        case "propose":
            return Proposal(line["seat"], line["space"], line["from"], line.get("error"))
        case "drop":
            return Drop()
        case "pressed":
            return Pressed(line["seat"])
        case "seed":
            return Seed(line["value"])
    entry = command_of(line)
    assert isinstance(entry, RaceEntry)
    return entry


@dataclass(frozen=True, slots=True)
class Boot:
    """The table was started for the `count`th time."""

    count: int

    @property
    def line(self) -> Line:
        """The line on disk."""
        return {"boot": self.count}


@dataclass(frozen=True, slots=True)
class Laid:
    """This race lies on the table, or (not `on`) was put away; versions go on from `base`."""

    race: str
    base: int
    on: bool = True

    @property
    def line(self) -> Line:
        """The line on disk."""
        return {"open" if self.on else "close": self.race, "base": self.base}


@dataclass(frozen=True, slots=True)
class Lost:
    """The disk has lost or changed something; shown until somebody has seen it."""

    trouble: Trouble

    @property
    def line(self) -> Line:
        """The line on disk."""
        args = dict(self.trouble.args)
        return {"table": "lost", "key": self.trouble.key, "args": args}


TableEntry = Boot | Laid | Language | Boards | SetUp | Lost | Seen


def table_entry(line: JSON) -> TableEntry:
    """The entry of a line that is about no race."""
    if "boot" in line:
        return Boot(line["boot"])
    if "base" in line:
        return Laid(line.get("open", line.get("close")), line["base"], "open" in line)
    match line["table"]:
        case "boards":
            return Boards()
        case "language":
            return Language(line["value"], line["seat"])
        case "lost":
            return Lost(Trouble(line["key"], args=line["args"]))
        case "seen":
            return Seen()
        case word:
            return SetUp(word, line["value"], line["seat"])
