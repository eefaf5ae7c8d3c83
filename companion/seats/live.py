"""The live test of the seats: a person presses what each screen asks for, and it tells the wires.

Every screen shows the number of its seat, a frame and a checkerboard; one after the other asks for
its six buttons, on the screen itself. Who looks at the screen that says 2 and presses below it
presses seat 2, or else screens or cables are exchanged. Nothing here opens anything: drivers are
handed in, and this is their listener.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from itertools import product
from queue import Empty, SimpleQueue
from threading import Lock
from typing import Protocol, runtime_checkable

from companion.drawing.bitmap import SIZE
from companion.drawing.seat import trial_picture
from companion.seats.contacts import SETTLE, Bounce
from companion.seats.plan import BUTTONS, Finding
from companion.system.frozen import dataclass
from companion.table.ports import Picture, Reply, SeatDriver, Trouble

PATIENCE_S = 20.0
"""So long a button is waited for."""
BEEP_MS = 300
Tell = Callable[[str], None]
Press = tuple[int, int]
"""A seat and its button."""


@runtime_checkable
class Counting(Protocol):
    """What a driver may also do: count what goes wrong on the way to a seat."""

    def errors(self, seat: int) -> Mapping[str, int]:
        """Since the driver was opened: `i2c`, transfers to the screen that nobody answered;
        `starts`, of a pod's screen; `line`, damaged frames on a pod's line."""


@runtime_checkable
class Sounding(Protocol):
    """What a driver may also do: seats of its kind have a lamp and a buzzer."""

    def beep(self, seat: int, ms: int) -> None:
        """Let a seat sound for so long."""


@dataclass(slots=True)
class _Seat:
    """What a seat has shown of itself; `answers` by the button that was asked for."""

    answers: dict[int, Press | None] = field(default_factory=dict)
    bounces: dict[int, Bounce] = field(default_factory=dict)
    down: set[int] = field(default_factory=set)
    lit: set[int] = field(default_factory=set)
    troubles: Counter[str] = field(default_factory=Counter)
    glass: bytes = bytes(SIZE)
    lamp: bool = False


@dataclass(frozen=True, slots=True)
class Tried:
    """A seat under test, as it stands now.

    `down` are the contacts that are closed now, of wired seats alone; `bounces` the longest of each
    button in ms, of pods since firmware 1.3. `wrong` are the buttons that were not heard, or came
    as others. `has_lamp` is of lamp and buzzer both.
    """

    seat: int
    glass: bytes
    lit: tuple[int, ...]
    down: tuple[int, ...]
    wrong: tuple[int, ...]
    bounces: Mapping[int, int]
    errors: Mapping[str, int]
    troubles: Mapping[str, int]
    has_lamp: bool


class LiveTest:
    """A `SeatListener` that asks and looks on.

    Args:
        tell: prints a line for who tests.
        patience_s: how long a button is waited for.
    """

    def __init__(self, tell: Tell, patience_s: float = PATIENCE_S) -> None:
        self._tell, self._patience_s = tell, patience_s
        self._presses: SimpleQueue[Press | None] = SimpleQueue()
        self._seats: dict[int, _Seat] = {}
        self._drivers: Mapping[int, SeatDriver] = {}
        self._number = 0
        self._showing = Lock()
        self.asked: Press | None = None
        """The seat and the button that are waited for."""
        self.is_over = False

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        """A button was released."""
        self._of(seat).lit.add(button)
        self._presses.put((seat, button))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A part of a seat has failed; each time counts."""
        if trouble is not None and part != "driver":  # of that whoever opens it hears
            self._of(seat).troubles[f"{part}: {trouble}"] += 1

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """A contact was seen; of wired seats alone."""
        one = self._of(seat)
        bounce = one.bounces.setdefault(button, Bounce())
        if down != (button in one.down):
            (one.down.add if down else one.down.discard)(button)
            bounce.see(at_ms)

    def bounce(self, seat: int, button: int, ms: int) -> None:
        """A pod has measured how long a contact bounced."""
        one = self._of(seat).bounces.setdefault(button, Bounce())
        one.longest_ms = max(one.longest_ms, ms)

    def run(
        self, drivers: Mapping[int, SeatDriver], is_left: Callable[[], bool] = lambda: False
    ) -> list[Finding]:
        """Ask for every button of every seat; what was found, as far as it was not stopped.

        Args:
            is_left: whether nobody looks on any more, which stops it.
        """
        self._drivers = dict(sorted(drivers.items()))
        for seat in self._drivers:
            self._of(seat)
        for seat, button in product(self._drivers, BUTTONS):
            if self.is_over or is_left():
                break
            if button == BUTTONS[0]:
                self._tell(f"Look for the glass that shows {seat}, and press what it asks for.")
            self._ask(seat, button)
        self._show(None)
        return [finding for seat in sorted(self._seats) for finding in self._found(seat)]

    def look_on(self) -> None:
        """After the questions: every key that is pressed lights up, until somebody stops it.

        Returns at each press too, and after its patience.
        """
        if self._next() is not None:
            self._show(None)

    # -- what a hand at the page does ----------------------------------------------------------

    def stop(self) -> None:
        """Ask no more. Any thread, as all that follow."""
        self.is_over = True
        self._presses.put(None)

    def skip(self) -> None:
        """Wait no longer for the button that is asked for."""
        self._presses.put(None)

    def signal(self, seat: int, what: str) -> bool:
        """Switch the `lamp`, or sound the `buzzer`; False: the seat has neither."""
        driver = self._drivers.get(seat)
        if not isinstance(driver, Sounding):
            return False
        if what == "buzzer":
            driver.beep(seat, BEEP_MS)
        else:
            one = self._of(seat)
            one.lamp = not one.lamp
            self._show(self.asked)
        return True

    def tried(self) -> list[Tried]:
        """Every seat that has a driver."""
        return [self._tried(seat, driver) for seat, driver in self._drivers.items()]

    def _tried(self, seat: int, driver: SeatDriver) -> Tried:
        # Copied before it is walked through: the drivers' threads write to it meanwhile.
        one = self._of(seat)
        bounces, answers = dict(one.bounces), dict(one.answers)
        return Tried(
            seat,
            one.glass,
            tuple(sorted(set(one.lit))),
            down=tuple(sorted(set(one.down))),
            wrong=tuple(sorted(n for n, answer in answers.items() if answer != (seat, n))),
            bounces={button: seen.longest_ms for button, seen in bounces.items()},
            errors=driver.errors(seat) if isinstance(driver, Counting) else {},
            troubles=dict(one.troubles),
            has_lamp=isinstance(driver, Sounding),
        )

    # -- asking -------------------------------------------------------------------------------

    def _of(self, seat: int) -> _Seat:
        return self._seats.setdefault(seat, _Seat())

    def _ask(self, seat: int, button: int) -> None:
        self.asked = seat, button
        self._show(self.asked)
        answer = self._next()
        self.asked = None
        # The None came from `stop`, and says nothing about this button.
        if self.is_over:
            return
        self._of(seat).answers[button] = answer
        if answer is None:
            self._tell(f"  seat {seat}, button {button}: nothing came")
            return
        came = "yes" if answer == (seat, button) else f"seat {answer[0]}, button {answer[1]} came"
        self._tell(f"  seat {seat}, button {button}: {came}{self._bounced(*answer)}")

    def _next(self) -> Press | None:
        """The next press; None: nothing came, or somebody does not want to wait."""
        try:
            return self._presses.get(timeout=self._patience_s)
        except Empty:
            return None

    def _bounced(self, seat: int, button: int) -> str:
        bounce = self._of(seat).bounces.get(button)
        return "" if bounce is None else f", bounces {bounce.longest_ms} ms"

    def _show(self, asked: Press | None) -> None:
        with self._showing:
            self._number -= 1  # never that of a picture of a table's
            for seat, driver in self._drivers.items():
                one, is_asked = self._of(seat), asked is not None and asked[0] == seat
                one.glass = trial_picture(seat, one.lit, asked[1] if asked and is_asked else None)
                is_lit = is_asked != one.lamp
                driver.show(seat, Picture(self._number, one.glass, "on" if is_lit else "off"))

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
        if answers == {button: (seat, button) for button in BUTTONS}:
            yield Finding("buttons", "all six, each at its place", seat=seat)
        for says, count in self._of(seat).troubles.items():
            mend = "look at its wires and plugs; docs/bench-checklist.md tells where"
            yield Finding("errors", f"{says} ({count} times)", ok=False, mend=mend, seat=seat)
        yield from self._found_bounces(seat)

    def _found_of(self, seat: int, button: int, answer: Press | None) -> Iterator[Finding]:
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
            setting = f"{SETTLE} = {longest_ms + 3} in companion.toml"
            advice = f"; with presses that count twice write {setting}" if longest_ms >= 5 else ""
            says = f"contacts bounce {longest_ms} ms at most{advice}"
            yield Finding("bounce", says, seat=seat)
