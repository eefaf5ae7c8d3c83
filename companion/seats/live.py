"""The live test of the seats: a person presses what each glass asks for, and the wires are told.

Every glass shows the number of its seat, a frame and a checkerboard; one after the other asks for
its six buttons, on the glass itself. Who looks at the glass that says 2 and presses below it
presses seat 2, or else glasses or cables are exchanged. Nothing here opens anything: drivers are
handed in, and this is their listener.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from queue import Empty, SimpleQueue

from companion.drawing.trial import trial_picture
from companion.frozen import dataclass
from companion.seats.findings import Finding
from companion.seats.settling import SETTLE
from companion.table.ports import Picture, Reply, SeatDriver, Trouble

BUTTONS = range(1, 7)
PATIENCE_S = 20.0
"""So long a button is waited for."""
ONE_BOUNCE_MS = 8
"""Edges that follow one another within this are one contact bouncing; fingers are slower."""
Tell = Callable[[str], None]


@dataclass(slots=True)
class _Bounce:
    """The edges of one button: when a bounce began, the last edge, the longest so far."""

    began_ms: int = -1000
    last_ms: int = -1000
    longest_ms: int = 0
    is_down: bool = False

    def see(self, at_ms: int, down: bool) -> None:
        if down == self.is_down:
            return
        self.is_down = down
        if at_ms - self.last_ms > ONE_BOUNCE_MS:
            self.began_ms = at_ms
        self.last_ms = at_ms
        self.longest_ms = max(self.longest_ms, at_ms - self.began_ms)


@dataclass(slots=True)
class _Seat:
    """What a seat has shown of itself; `answers` by the button that was asked for."""

    answers: dict[int, tuple[int, int] | None] = field(default_factory=dict)
    bounces: dict[int, _Bounce] = field(default_factory=dict)
    lit: set[int] = field(default_factory=set)
    troubles: Counter[str] = field(default_factory=Counter)


class LiveTest:
    """A `SeatListener` that asks and looks on.

    Args:
        tell: prints a line for who tests.
        patience_s: how long a button is waited for.
    """

    def __init__(self, tell: Tell, patience_s: float = PATIENCE_S) -> None:
        self._tell, self._patience_s = tell, patience_s
        self._presses: SimpleQueue[tuple[int, int]] = SimpleQueue()
        self._seats: dict[int, _Seat] = {}
        self._drivers: Mapping[int, SeatDriver] = {}
        self._number = 0

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        """A button was released."""
        self._presses.put((seat, button))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A part of a seat has failed; each time counts."""
        if trouble is not None:
            self._of(seat).troubles[f"{part}: {trouble}"] += 1

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """A contact was seen; of wired seats alone."""
        self._of(seat).bounces.setdefault(button, _Bounce()).see(at_ms, down)

    def run(self, drivers: Mapping[int, SeatDriver]) -> list[Finding]:
        """Ask for every button of every seat; what was found."""
        self._drivers = dict(sorted(drivers.items()))
        for seat in self._drivers:
            self._of(seat)
        for seat in self._drivers:
            self._tell(f"Look for the glass that shows {seat}, and press what it asks for.")
            for button in BUTTONS:
                self._ask(seat, button)
        self._show(None, None)
        return [finding for seat in self._drivers for finding in self._found(seat)]

    def _of(self, seat: int) -> _Seat:
        return self._seats.setdefault(seat, _Seat())

    def _ask(self, seat: int, button: int) -> None:
        self._show(seat, button)
        try:
            answer = self._presses.get(timeout=self._patience_s)
        except Empty:
            self._of(seat).answers[button] = None
            self._tell(f"  seat {seat}, button {button}: nothing came")
            return
        self._of(seat).answers[button] = answer
        self._of(answer[0]).lit.add(answer[1])
        came = "yes" if answer == (seat, button) else f"seat {answer[0]}, button {answer[1]} came"
        self._tell(f"  seat {seat}, button {button}: {came}{self._bounced(*answer)}")

    def _bounced(self, seat: int, button: int) -> str:
        bounce = self._of(seat).bounces.get(button)
        return "" if bounce is None else f", bounces {bounce.longest_ms} ms"

    def _show(self, asked: int | None, button: int | None) -> None:
        self._number += 1
        for seat, driver in self._drivers.items():
            is_asked = seat == asked
            bitmap = trial_picture(seat, self._of(seat).lit, button if is_asked else None)
            driver.show(seat, Picture(self._number, bitmap, "on" if is_asked else "off"))

    # -- what it comes to ---------------------------------------------------------------------

    def _found(self, seat: int) -> Iterator[Finding]:
        answers = self._of(seat).answers
        others = {answer[0] for answer in answers.values() if answer} - {seat}
        if others:
            names = " and ".join(map(str, sorted(others)))
            says = f"who presses below glass {seat} presses seat {names}: exchanged"
            mend = f"exchange the screens, or the cables, of seats {seat} and {names}"
            yield Finding("cable", says, ok=False, mend=mend, seat=seat)
        for button, answer in answers.items():
            yield from self._found_of(seat, button, answer)
        if all(answer == (seat, button) for button, answer in answers.items()):
            yield Finding("buttons", "all six, each at its place", seat=seat)
        for says, count in self._of(seat).troubles.items():
            mend = "look at its wires and plugs; docs/bench-checklist.md tells where"
            yield Finding("errors", f"{says} ({count} times)", ok=False, mend=mend, seat=seat)
        yield from self._found_bounces(seat)

    def _found_of(
        self, seat: int, button: int, answer: tuple[int, int] | None
    ) -> Iterator[Finding]:
        if answer is None:
            mend = f"look at the wire of button {button} and its ground (docs/wiring.md)"
            says = f"button {button} was not heard"
            yield Finding("buttons", says, ok=False, mend=mend, seat=seat)
        elif answer[0] == seat and answer[1] != button:
            says = f"button {button} came as {answer[1]}"
            mend = f"exchange the wires of buttons {button} and {answer[1]}"
            yield Finding("buttons", says, ok=False, mend=mend, seat=seat)

    def _found_bounces(self, seat: int) -> Iterator[Finding]:
        bounces = self._of(seat).bounces
        longest_ms = max((one.longest_ms for one in bounces.values()), default=0)
        if bounces:
            advice = f"; with presses that count twice write {SETTLE} = {longest_ms + 3} in [wired]"
            says = f"contacts bounce {longest_ms} ms at most{advice if longest_ms >= 5 else ''}"
            yield Finding("bounce", says, seat=seat)
