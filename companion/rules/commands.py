"""The lines of the engine protocol as types.

A `Command` is what may be said to an engine. `lines.read` makes one of a line from outside;
`line` gives the line back, as a journal and a record keep it.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.frozen import dataclass

Line = Mapping[str, object]
"""A line of the engine protocol, of a journal or a record: what stands in it is looked at first."""
FLAGS = ("time", "error", "black", "placing")


@dataclass(frozen=True, slots=True)
class New:
    """A race with this header, in place of the one that was."""

    header: Line


@dataclass(frozen=True, slots=True)
class Answer:
    """A seat's answer to an ask of this kind; `value` is plain JSON.

    `version` is that of the picture or page that it was read from, None where it does not say.
    """

    seat: int
    kind: str
    value: object
    version: int | None = None

    @property
    def line(self) -> Line:
        """The line that says it, without a version.

        >>> Answer(2, "gear", 1, version=7).line
        {'seat': 2, 'gear': 1}
        """
        return {"seat": self.seat, self.kind: self.value}


@dataclass(frozen=True, slots=True)
class Undo:
    """The last `count` accepted lines count no more."""

    count: int

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"undo": self.count}


@dataclass(frozen=True, slots=True)
class Correct:
    """A part of STATE is otherwise than the engine has it."""

    part: Line
    reason: str | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"correct": self.part, **_given(self.reason)}


@dataclass(frozen=True, slots=True)
class Retire:
    """A seat leaves the race."""

    seat: int
    reason: str | None = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"seat": self.seat, "retire": True, **_given(self.reason)}


@dataclass(frozen=True, slots=True)
class Return:
    """A seat that has left, or whose car is out, goes on. Nobody reads the reason."""

    seat: int
    reason: object = None

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"seat": self.seat, "return": True, **_given(self.reason)}


@dataclass(frozen=True, slots=True)
class Join:
    """A player comes late; `entry` is what a header would have in `seats`."""

    entry: Line

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"join": self.entry}


@dataclass(frozen=True, slots=True)
class End:
    """The race ends now, as it stands."""

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"end": True}


@dataclass(frozen=True, slots=True)
class Flag:
    """A flag falls for a seat: `time`, its turn has taken too long; `error`, a mistake.

    `black`: it is out; `placing`: a wrong space in its trial; `red`, for seat 0: a restart.
    """

    seat: int
    why: str

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"seat": self.seat, "flag": self.why}


@dataclass(frozen=True, slots=True)
class Bell:
    """The time of the race is over: its last lap."""

    @property
    def line(self) -> Line:
        """The line that says it."""
        return {"bell": True}


@dataclass(frozen=True, slots=True)
class Explain:
    """Why this answer is, or is not, legal now; it changes nothing."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class ShowState:
    """STATE in the reply."""


@dataclass(frozen=True, slots=True)
class Quit:
    """Nothing more is said."""


Timely = Flag | Bell
"""What time brings: the companion says it, or the referee; the rules know no clock."""
Referee = Correct | Retire | Return | Join | End | Timely
InRace = Answer | Undo | Referee
"""What changes a race under way."""
Command = New | InRace | Explain | ShowState | Quit


def _given(reason: object) -> Line:
    return {} if reason is None else {"reason": reason}
