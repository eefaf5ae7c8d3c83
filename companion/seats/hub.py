"""The seats that have a driver, brought together with the table.

Pictures go out to the drivers as the table publishes them; presses come in from the drivers'
own threads. A driver that cannot start, or a part of a seat that fails, marks that seat as out
of reach and nothing else: the table goes on, and the neighbours' screens offer a phone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from http import HTTPStatus
from logging import getLogger
from threading import Lock
from typing import Protocol, runtime_checkable

from companion.drawing.bitmap import SIZE
from companion.seats.plan import BUTTONS, Options, SeatPlan, SeatTrouble, Troubled
from companion.system.frozen import dataclass
from companion.system.host import Closing
from companion.table import ports

Opener = Callable[[Sequence[int], ports.SeatListener, Options], ports.SeatDriver]
"""Starts the driver of some seats, with what the configuration says of its kind."""
Mark = Callable[[int, str, ports.Trouble | None], None]
"""Tells the table which part of a seat fails, and why; None: the seat can be reached."""
_log = getLogger(__name__)


class Borrower(ports.SeatListener, Protocol):
    """Whoever has the seats for a while: the live test. Its pictures have numbers below 0."""

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """A contact was seen, bouncing or not; of wired seats alone."""

    def bounce(self, seat: int, button: int, ms: int) -> None:
        """The contact of a press bounced so long; of pods alone."""


DARK = ports.Picture(0, bytes(SIZE))


class SeatHub(Closing):
    """All drivers of a table, and the `SeatListener` that they speak to.

    Args:
        table: where presses go and pictures come from.
        mark: called only when a seat begins or ceases to be out of reach, or the reason changes.
    """

    def __init__(self, table: ports.TablePort, mark: Mark) -> None:
        self._table = table
        self._mark = mark
        self._drivers: dict[int, ports.SeatDriver] = {}
        self._sent: dict[int, int] = {}
        self._troubles: dict[int, dict[str, ports.Trouble]] = {}
        self._telling = Lock()
        self._showing = Lock()
        self._borrower: Borrower | None = None
        self._opened = ExitStack()

    def start(self, plan: SeatPlan, opener_of: Callable[[str], Opener]) -> None:
        """Start every driver of a plan and begin to show pictures.

        Args:
            opener_of: from the name of a driver to what starts it.
        """
        for name, seats in plan.groups().items():
            try:
                driver = opener_of(name)(seats, self, plan.options_of(name))
            except Troubled as troubled:
                self._fail(seats, troubled.trouble)
            except Exception as error:  # one driver's fault must not keep a table from opening
                _log.exception("the driver %r did not start", name)
                fault = SeatTrouble(f"the driver {name!r} did not start: {error}")
                self._fail(seats, fault.trouble)
            else:
                self._opened.callback(driver.close)
                self._drivers |= dict.fromkeys(seats, driver)
        if self._drivers:
            # Watched first: a picture that comes meanwhile comes twice rather than never.
            self._opened.callback(self._table.watch(self._show))
            self._show(self._table.snapshot())

    @property
    def drivers(self) -> Mapping[int, ports.SeatDriver]:
        """The driver of each seat that has one; more come as they start."""
        return self._drivers

    @property
    def serving(self) -> dict[int, ports.SeatDriver]:
        """The same without those that did not start, or do not answer."""
        with self._telling:
            failed = {seat for seat, parts in self._troubles.items() if "driver" in parts}
        return {seat: one for seat, one in [*self._drivers.items()] if seat not in failed}

    @property
    def troubles(self) -> dict[int, dict[str, str]]:
        """What is wrong with each seat, by part; seats in good health are left out."""
        with self._telling:
            return {
                seat: {part: str(trouble) for part, trouble in parts.items()}
                for seat, parts in self._troubles.items()
                if parts
            }

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> ports.Reply:
        """A button of a seat was released. Any thread; returns once it is durable.

        A finger that was down while the seats changed hands has pressed for neither.
        """
        borrower, number = self._borrower, picture or 0
        if borrower is not None and number <= 0:
            return borrower.press(seat, button, hold, picture)
        if borrower is not None or number < 0:
            return ports.Reply(HTTPStatus.CONFLICT, {})
        return self._table.press(ports.Caller(seat=seat, by="seat"), seat, button, hold, picture)

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        """A contact was seen: only who has borrowed the seats looks so closely."""
        if (borrower := self._borrower) is not None:
            borrower.edge(seat, button, at_ms, down)

    def bounce(self, seat: int, button: int, ms: int) -> None:
        """A pod tells how long a contact bounced."""
        if (borrower := self._borrower) is not None:
            borrower.bounce(seat, button, ms)

    def health(self, seat: int, part: str, trouble: ports.Trouble | None) -> None:
        """A part of a seat has failed, or serves again (None). Any thread."""
        with self._telling:
            parts = self._troubles.setdefault(seat, {})
            before = _gravest(parts)
            if trouble is None:
                parts.pop(part, None)
            else:
                parts[part] = trouble
            now = _gravest(parts)
            # Told under the lock, so that the table hears of changes in their order.
            if now != before:
                self._mark(seat, *now)
            if self._borrower is not None:
                self._borrower.health(seat, part, trouble)
        if trouble is not None:
            _log.warning("seat %d, %s: %s", seat, part, trouble)

    def lend(self, borrower: Borrower) -> Mapping[int, ports.SeatDriver]:
        """Let somebody else show and hear; the drivers stay open, the table's pictures wait.

        What is wrong with the seats goes to both, and the borrower is told what was wrong before.
        """
        # Under both locks: nothing that fails meanwhile is missed or said twice, and no picture of
        # the table's comes after the borrower's first.
        with self._telling:
            for seat, parts in self._troubles.items():
                for part, trouble in parts.items():
                    borrower.health(seat, part, trouble)
            with self._showing:
                self._borrower = borrower
        return self.serving

    def take_back(self) -> None:
        """The table's again: each seat shows what the table has for it. May be called twice."""
        with self._showing:
            if self._borrower is None:
                return
            self._borrower = None
            # The borrower has painted over whatever was sent before.
            self._sent.clear()
            snapshot = self._table.snapshot()
            for seat in self._drivers.keys() - snapshot.private.keys():
                self._drivers[seat].show(seat, DARK)
        # Outside the lock, which `_show` takes itself.
        self._show(snapshot)

    def close(self) -> None:
        """Stop showing pictures, then the drivers. May be called twice."""
        self._opened.close()

    def _fail(self, seats: Sequence[int], why: ports.Trouble) -> None:
        for seat in seats:
            self.health(seat, "driver", why)

    def _show(self, snapshot: ports.Snapshot) -> None:
        """Hand each seat its picture if it is a new one. The table's thread: must not block."""
        with self._showing:  # the first pictures come from another thread than all others
            if self._borrower is not None:
                return
            for seat, driver in self._drivers.items():
                picture = snapshot.private.get(seat)
                # Numbers only go up, so an older one is of a snapshot that was overtaken.
                if picture is not None and picture.number > self._sent.get(seat, -1):
                    self._sent[seat] = picture.number
                    driver.show(seat, picture)


GRAVEST = ("driver", "pod", "buttons", "screen")
"""Of several parts of a seat that fail, the first of these is shown: it explains the others."""


def _gravest(parts: Mapping[str, ports.Trouble]) -> tuple[str, ports.Trouble | None]:
    """The part that explains best why a seat is out of reach, and its trouble."""
    failing = sorted(parts, key=lambda part: GRAVEST.index(part) if part in GRAVEST else -1)
    return (failing[0], parts[failing[0]]) if failing else ("", None)


# -- simulated seats, touched from a page ---------------------------------------------------------


FAULTS = ("cable", "noise", "dead")
"""What a hand or a bad cable does, by the same name for every kind of seat: the cable is pulled,
noise is on the wires (contacts bounce, bytes are lost and wrong), nothing arrives from the seat."""


@runtime_checkable
class Touchable(Protocol):
    """A driver of simulated seats. All of it from any thread."""

    kind: str

    def glass(self, seat: int) -> bytes:
        """What can be seen on a seat's screen, 1024 bytes in the order of a `Picture`."""

    def lamp(self, seat: int) -> bool | None:
        """Whether its lamp is lit; None: it has none."""

    def finger(self, seat: int, button: int, down: bool) -> None:
        """A finger goes down on a button, or up."""

    def fault(self, seat: int, name: str, on: bool) -> None:
        """Put one of `FAULTS` in, or take it out."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A seat as it stands in the cabinet; `down` are the buttons under a finger."""

    seat: int
    kind: str
    glass: bytes
    lamp: bool | None
    down: tuple[int, ...]
    faults: tuple[str, ...]


class Cabinet:
    """The simulated seats among the drivers of a table, of which some may still be starting."""

    def __init__(self, drivers: Mapping[int, object]) -> None:
        self._all = drivers
        self._down: defaultdict[int, set[int]] = defaultdict(set)
        self._faults: defaultdict[int, set[str]] = defaultdict(set)

    @property
    def _drivers(self) -> dict[int, Touchable]:
        return {n: one for n, one in [*self._all.items()] if isinstance(one, Touchable)}

    def stands(self) -> list[Stand]:
        """Every seat, by its number."""
        return [
            Stand(
                seat,
                driver.kind,
                driver.glass(seat),
                driver.lamp(seat),
                down=tuple(sorted(self._down[seat])),
                faults=tuple(name for name in FAULTS if name in self._faults[seat]),
            )
            for seat, driver in sorted(self._drivers.items())
        ]

    def press(self, seat: int, button: int, down: bool) -> bool:
        """Move a finger; False: there is no such button."""
        if seat not in self._drivers or button not in BUTTONS:
            return False
        # A page may say the same twice: a finger that is down does not go down again.
        if down != (button in self._down[seat]):
            (self._down[seat].add if down else self._down[seat].discard)(button)
            self._drivers[seat].finger(seat, button, down)
        return True

    def spoil(self, seat: int, fault: str, on: bool) -> bool:
        """Put a fault in, or take it out; False: there is no such seat or fault."""
        if seat not in self._drivers or fault not in FAULTS:
            return False
        (self._faults[seat].add if on else self._faults[seat].discard)(fault)
        self._drivers[seat].fault(seat, fault, on)
        return True
