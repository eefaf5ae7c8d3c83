"""How long the turns of a race have taken, and who waited for whom.

It is worked out from the times that the lines of a race have anyway, so that a running table and a
record that is read years later come to the same. A turn's time runs while the seat on turn is
asked; what others are asked meanwhile (a collision roll), a pause, and all that a turn had taken
before the referee stepped in do not count as its own.

Answers that are taken back with one that is put right, and given again as they stand, keep the
times at which they were given first: that moment is not when anybody thought.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from companion.race.engine import Engine
from companion.rules.lines import Answer, Bell, End, Flag, InRace, Timely
from companion.system.frozen import dataclass

Pauses = Sequence[tuple[float, float | None]]
"""From when to when a race rested; None: it still does."""


class Stretch(NamedTuple):
    """From one line to the next: since when, whose turn of which round it is, who is asked.

    `playing` are the seats that still have a part in the race.
    """

    at: float
    round: int
    mover: int | None
    asked: frozenset[int]
    playing: frozenset[int]
    command: InRace | None = None

    @property
    def turn(self) -> tuple[int, int | None]:
        """What tells one turn from the next."""
        return self.round, self.mover


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: whose, in which round, how long it has taken, and whether a time flag fell."""

    seat: int
    round: int
    used_s: float
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Wait:
    """How long a seat was waited for by others of the race, and how long it waited for others."""

    kept_s: float
    waited_s: float


@dataclass
class Times:
    """The stretches of a race, and where it rested; `referee` are the moments in which the
    referee has changed something. `has_ended`: its time was over once, whatever came after."""

    stretches: list[Stretch] = field(default_factory=list)
    pauses: list[tuple[float, float | None]] = field(default_factory=list)
    referee: list[float] = field(default_factory=list)
    has_ended: bool = False
    _closed: list[Turn] = field(default_factory=list)
    _read: int = 0
    _last: Stretch | None = None
    _taken: list[Stretch] = field(default_factory=list)
    _taken_at: float | None = None

    def begin(self, engine: Engine) -> None:
        """The race begins, at 0."""
        self.stretches = [_stretch(0.0, engine, None)]

    def add(self, at: float, by: str, command: InRace, engine: Engine) -> None:
        """A line was accepted, which brought the engine to where it is."""
        if by == "referee" and not isinstance(command, Answer | Timely):
            self.referee.append(at)
        self.has_ended = self.has_ended or (by == "companion" and isinstance(command, End))
        self.stretches.append(_stretch(self._given_first(at, command), engine, command))

    def take_back(self, count: int, at: float, by: str) -> None:
        """The last lines count no more."""
        self._taken, self._taken_at = self.stretches[-count:], at
        del self.stretches[-count:]
        if by == "referee":
            self.referee.append(at)

    def _given_first(self, at: float, command: InRace) -> float:
        """When a command was given that is given again in the moment in which it was taken back."""
        for place, one in enumerate(self._taken if at == self._taken_at else ()):
            if one.command is not None and _asked_alike(one.command, command):
                del self._taken[: place + 1]
                return one.at
        return at

    def pause(self, on: bool, at: float) -> None:
        """The race rests from now on, or (not `on`) goes on; to say it twice changes nothing."""
        if on and not self.rests:
            self.pauses.append((at, None))
        elif self.rests and not on:
            self.pauses[-1] = (self.pauses[-1][0], at)

    @property
    def rests(self) -> bool:
        """Whether it rests now."""
        return bool(self.pauses) and self.pauses[-1][1] is None

    @property
    def memory(self) -> tuple[object, ...]:
        """What stands here beside the stretches and the turns that are over."""
        self._over()
        ended = self.has_ended, self._read, self._taken_at
        return self.pauses, self.referee, self._taken, ended

    def recall(self, memory: Any, stretches: list[Stretch], over: list[Turn]) -> None:
        """Stand as those did that had this memory, these stretches and these turns."""
        self.pauses, self.referee, self._taken, ended = memory
        self.has_ended, self._read, self._taken_at = ended
        self.stretches, self._closed = stretches, over
        self._last = stretches[self._read - 1] if self._read else None

    # -- turns ---------------------------------------------------------------------------------

    def turns(self, at: float) -> list[Turn]:
        """All turns up to a moment, the last of which lasts."""
        return [*self._over(), *self._from(self._read, at)]

    def now(self, at: float) -> Turn | None:
        """The turn that lasts; None where nobody is on turn."""
        if not self.stretches or self.stretches[-1].mover is None:
            return None
        # For what it leaves in `_read`: where the turn that lasts begins.
        self._over()
        return next(iter(self._from(self._read, at)), None)

    @property
    def over(self) -> Sequence[Turn]:
        """The turns that are over."""
        return self._over()

    def raced_s(self, at: float) -> float:
        """How long the race has lasted since its first turn, pauses left out."""
        first = next((one.at for one in self.stretches if one.mover is not None), None)
        return 0.0 if first is None else _without(first, at, self.pauses)

    @property
    def has_rung(self) -> bool:
        """Whether the bell of the race has rung."""
        return any(isinstance(one.command, Bell) for one in self.stretches)

    def waits(self, at: float) -> Mapping[int, Wait]:
        """Who kept the others waiting and who waited, by seat, in the turns up to a moment.

        Whoever is asked keeps all others waiting that are still in the race; several who are asked
        at once keep them together, each for the whole time.
        """
        kept: defaultdict[int, float] = defaultdict(float)
        waited: defaultdict[int, float] = defaultdict(float)
        for own in _by_turn(self.stretches, at):
            for one, seconds in self._counted(own) if own.mover is not None else ():
                slow, others = one.playing & one.asked, one.playing - one.asked
                for seat in slow if others else ():
                    kept[seat] += seconds
                for seat in others if slow else ():
                    waited[seat] += seconds
        return {seat: Wait(kept[seat], waited[seat]) for seat in sorted({*kept, *waited})}

    def _over(self) -> list[Turn]:
        """The turns that are over, each reckoned once as long as none is taken back."""
        # By identity: after an undo another stretch may stand at the same place.
        known = self.stretches[self._read - 1] if 0 < self._read <= len(self.stretches) else None
        if self._read and known is not self._last:
            self._closed, self._read, self._last = [], 0, None
        first = len(self.stretches) - 1
        # From the end: only the last turn can still grow.
        while first > 0 and self.stretches[first - 1].turn == self.stretches[-1].turn:
            first -= 1
        if first > self._read:
            self._closed += self._from(self._read, self.stretches[first].at, first)
            self._read, self._last = first, self.stretches[first - 1]
        return self._closed

    def _from(self, first: int, until: float, end: int | None = None) -> Iterator[Turn]:
        """The turns of the stretches from `first` on, the last of which ends at `until`."""
        for own in _by_turn(self.stretches[first:end], until, lasts=end is None):
            mover = own.mover
            if mover is not None:
                used = sum(seconds for one, seconds in self._counted(own) if mover in one.asked)
                flagged = any(one.command == Flag(mover, "time") for one in own.stretches)
                yield Turn(mover, own.stretches[0].round, used, flagged)

    def _counted(self, own: _Group) -> Iterator[tuple[Stretch, float]]:
        """The stretches of a turn, each with the seconds that count."""
        since = max((at for at in self.referee if own.has(at)), default=own.begin)
        ends = [one.at for one in own.stretches[1:]] + [own.until]
        for one, high in zip(own.stretches, ends, strict=True):
            yield one, _without(max(one.at, since), high, self.pauses)


def _stretch(at: float, engine: Engine, command: InRace | None) -> Stretch:
    outline = engine.outline()
    asked = frozenset(ask.seat for ask in engine.open)
    return Stretch(at, outline.round, outline.mover, asked, engine.playing, command)


@dataclass(frozen=True, slots=True)
class _Group:
    """The stretches of one turn, or of a time in which nobody is on turn; `lasts`: until now."""

    stretches: Sequence[Stretch]
    until: float
    lasts: bool

    @property
    def mover(self) -> int | None:
        """Whose turn it is."""
        return self.stretches[0].mover

    @property
    def begin(self) -> float:
        """When it began."""
        return self.stretches[0].at

    def has(self, at: float) -> bool:
        """Whether a moment is in it; where one turn ends the next one begins."""
        return self.begin <= at < self.until or (self.lasts and at == self.until)


def _by_turn(stretches: Sequence[Stretch], until: float, *, lasts: bool = True) -> Iterator[_Group]:
    """The stretches turn by turn; the last one ends at `until`, or `lasts`."""
    begin = 0
    for place in range(1, len(stretches) + 1):
        is_last = place == len(stretches)
        if is_last or stretches[place].turn != stretches[begin].turn:
            end = until if is_last else stretches[place].at
            yield _Group(stretches[begin:place], end, is_last and lasts)
            begin = place


def _asked_alike(one: InRace, other: InRace) -> bool:
    """Whether two commands are the same one, or answers of one seat to one kind of ask."""
    if isinstance(one, Answer) and isinstance(other, Answer):
        return (one.seat, one.kind) == (other.seat, other.kind)
    return one == other


def _without(low: float, high: float, pauses: Pauses) -> float:
    """The seconds between two moments, pauses left out.

    >>> _without(10, 30, [(0, 12), (20, 25), (29, None)])
    12
    """
    if high <= low:
        return 0
    ends = ((max(low, begin), high if end is None else min(high, end)) for begin, end in pauses)
    return high - low - sum(max(0, end - begin) for begin, end in ends)
