"""The clock of the turns, the bell, and how long the seats have taken: out of a race's lines.

As with the stopwatch of trials (`clock`) nothing is stored but the times that lines have anyway. A
turn's clock runs while the seat on turn is asked; what others are asked meanwhile (a collision
roll), a pause, and all that a turn had taken before the referee stepped in do not count. While the
table is off its clock stands still, and a race with a clock comes back paused.

What time brings is a line of the companion's: a flag once a turn, the bell once a race. The rules
say what it comes to (`rules/formula/pace.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from typing import Protocol

from companion.frozen import dataclass
from companion.rules.commands import Answer, Bell, End, Flag, InRace, Timely
from companion.rules.game import Outline
from companion.table.ports import By
from companion.views.model import Pace

SHORTEST_S = 0.01
"""Between two looks at a clock."""
TOLD_AGAIN_S = 5.0
"""How old what a new page is told of the bell may be, while no turn's clock runs."""
AGAIN_S = 1.0
"""Until it is tried again where what is due could not be said."""
Pauses = Sequence[tuple[float, float | None]]


@dataclass(frozen=True, slots=True)
class Stretch:
    """From one line to the next: since when, whose turn of which round it is, who is asked."""

    at: float
    round: int
    mover: int | None
    asked: frozenset[int]
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

    def begin(self, outline: Outline, asked: frozenset[int]) -> None:
        """The race begins, at 0."""
        self.stretches = [_stretch(0.0, outline, asked, None)]

    def add(
        self, at: float, by: By, command: InRace, outline: Outline, asked: frozenset[int]
    ) -> None:
        """A line was accepted."""
        if by == "referee" and not isinstance(command, Answer | Timely):
            self.referee.append(at)
        self.has_ended = self.has_ended or (by == "companion" and isinstance(command, End))
        self.stretches.append(_stretch(at, outline, asked, command))

    def take_back(self, count: int, at: float, by: By) -> None:
        """The last lines count no more."""
        del self.stretches[-count:]
        if by == "referee":
            self.referee.append(at)

    def turns(self, at: float) -> list[Turn]:
        """All turns up to a moment, the last of which lasts."""
        return [*self._over(), *self._from(self._read, at)]

    def now(self, at: float) -> Turn | None:
        """The turn that lasts; None where nobody is on turn."""
        if not self.stretches or self.stretches[-1].mover is None:
            return None
        self._over()
        return next(iter(self._from(self._read, at)), None)

    @property
    def played(self) -> int:
        """How many turns are over."""
        return len(self._over())

    def raced_s(self, at: float) -> float:
        """How long the race has lasted since its first turn, pauses left out."""
        first = next((one.at for one in self.stretches if one.mover is not None), None)
        return 0.0 if first is None else _without(first, at, self.pauses)

    @property
    def has_rung(self) -> bool:
        """Whether the bell of the race has rung."""
        return any(isinstance(one.command, Bell) for one in self.stretches)

    def _over(self) -> list[Turn]:
        """The turns that are over, each reckoned once as long as none is taken back."""
        known = self.stretches[self._read - 1] if 0 < self._read <= len(self.stretches) else None
        if self._read and known is not self._last:
            self._closed, self._read, self._last = [], 0, None
        first = len(self.stretches) - 1
        while first > 0 and self.stretches[first - 1].turn == self.stretches[-1].turn:
            first -= 1
        if first > self._read:
            self._closed += self._from(self._read, self.stretches[first].at, first)
            self._read, self._last = first, self.stretches[first - 1]
        return self._closed

    def _from(self, first: int, until: float, end: int | None = None) -> Iterator[Turn]:
        """The turns of the stretches from `first` on, the last of which ends at `until`."""
        own = self.stretches[first:end]
        begin = 0
        for place in range(1, len(own) + 1):
            if place < len(own) and own[place].turn == own[begin].turn:
                continue
            high = own[place].at if place < len(own) else until
            mover = own[begin].mover
            if mover is not None:
                yield self._turn(mover, own[begin:place], high)
            begin = place

    def _turn(self, mover: int, own: Sequence[Stretch], until: float) -> Turn:
        ends = [one.at for one in own[1:]] + [until]
        since = max((at for at in self.referee if own[0].at <= at <= until), default=own[0].at)
        used = sum(
            _without(max(one.at, since), high, self.pauses)
            for one, high in zip(own, ends, strict=True)
            if mover in one.asked
        )
        flag = Flag(mover, "time")
        return Turn(mover, own[0].round, used, any(one.command == flag for one in own))


def _stretch(at: float, outline: Outline, asked: frozenset[int], command: InRace | None) -> Stretch:
    return Stretch(at, outline.round, outline.mover, asked, command)


def _without(low: float, high: float, pauses: Pauses) -> float:
    """The seconds between two moments, pauses left out.

    >>> _without(10, 30, [(0, 12), (20, 25), (29, None)])
    12
    """
    if high <= low:
        return 0
    ends = ((max(low, begin), high if end is None else min(high, end)) for begin, end in pauses)
    return high - low - sum(max(0, end - begin) for begin, end in ends)


# -- what is seen, and what is due ---------------------------------------------------------------


class Timed(Protocol):
    """What of a race the clocks are worked out from."""

    times: Times
    paused: bool

    @property
    def outline(self) -> Outline:
        """What a table has to know of its state."""


def look_at(race: Timed, clock: Callable[[], float]) -> Pace | None:
    """The clocks as everybody may see them; None: the race has none, or none runs any more.

    The clock is asked only where there is one.
    """
    times, outline, paused = race.times, race.outline, race.paused
    timing = outline.timing
    if outline.is_over or not timing.is_on:
        return None
    at = clock()
    turn = times.now(at) if timing.has_clock else None
    left = None if turn is None else (timing.turn_s or 0) - turn.used_s
    runs = turn is not None and not paused and turn.seat in times.stretches[-1].asked
    race_s = None if times.has_rung or times.has_ended else timing.race_s
    return Pace(
        seat=turn.seat if turn else None,
        at=at,
        left_s=left,
        bank_s=None if turn is None or timing.late != "bank" else _bank(times, outline, at),
        late=timing.late,
        flagged=turn is not None and turn.flagged,
        running=runs,
        race_left_s=None if race_s is None else race_s - times.raced_s(at),
        rung=times.has_rung,
        paused=paused,
    )


def _bank(times: Times, outline: Outline, at: float) -> float:
    """What the seat on turn has left in its bank, this turn taken off."""
    timing, turns = outline.timing, times.turns(at)
    limit, seat = timing.turn_s or 0, turns[-1].seat
    spent = sum(max(0.0, one.used_s - limit) for one in turns if one.seat == seat)
    return timing.bank_s - spent


def due(pace: Pace | None, outline: Outline) -> list[Timely | End]:
    """What time has brought and nobody has said yet."""
    found: list[Timely | End] = []
    if pace is None or pace.paused:
        return found
    flag_s = _until_flag(pace)
    if flag_s is not None and flag_s <= 0 and pace.seat is not None:
        found.append(Flag(pace.seat, "time"))
    if pace.race_left_s is not None and pace.race_left_s <= 0 and outline.mover is not None:
        found.append(End() if outline.timing.freezes else Bell())
    return found


def _until_flag(pace: Pace) -> float | None:
    """How long until a flag falls; None: none will in this turn."""
    if pace.left_s is None or pace.late == "show" or pace.flagged or not pace.running:
        return None
    return pace.left_s if pace.bank_s is None else max(pace.left_s, 0) + max(pace.bank_s, 0)


def until_next_s(pace: Pace | None) -> float | None:
    """How long what is shown of the clocks stays true; None: for good, as none runs."""
    if pace is None or pace.paused:
        return None
    moments = [pace.race_left_s, _until_flag(pace)]
    if pace.running and pace.left_s is not None:
        moments.append(pace.left_s % 1 or 1.0)
    elif pace.race_left_s is not None:
        moments.append(TOLD_AGAIN_S)
    known = [one if one > 0 else AGAIN_S for one in moments if one is not None]
    return max(SHORTEST_S, min(known)) if known else None
