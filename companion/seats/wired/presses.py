"""From edges to presses: debounced, acting on release, read from the picture under the finger.

No thread, no clock: edges come with their times, and `due` is asked with the time.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.frozen import dataclass
from companion.seats.debounce import Contact, first_seen, observe
from companion.seats.pod.wire import HOLD_MS, SETTLE_MS

LATE_MS = 5
"""An edge may come so much later than its time says: the back end has a thread of its own."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A level of a button, at a time in milliseconds on a monotonic clock."""

    at_ms: int
    seat: int
    button: int
    down: bool


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down and up; `picture` is what the screen showed when it went down."""

    seat: int
    button: int
    hold: bool
    picture: int


@dataclass(frozen=True, slots=True)
class _Down:
    at_ms: int
    picture: int
    wakes: bool


class Presses:
    """All buttons of the wired seats.

    Args:
        number: the number of the picture on a seat's screen.
        touch: called when a seat is touched; returns whether that only woke its screen.
        settle_ms: how long a contact must be steady.
    """

    def __init__(
        self,
        number: Callable[[int], int],
        touch: Callable[[int], bool],
        settle_ms: int = SETTLE_MS,
    ) -> None:
        self._settle_ms = settle_ms
        self._number = number
        self._touch = touch
        self._contacts: dict[tuple[int, int], Contact] = {}
        self._down: dict[tuple[int, int], _Down] = {}
        self.duplicates = 0

    def see(self, seen: Seen) -> list[Pressed]:
        """A level was seen; the first of a button only says how it is."""
        key = seen.seat, seen.button
        contact = self._contacts.get(key)
        if contact is None:
            self._contacts[key] = first_seen(seen.at_ms, seen.down)
            return []
        if seen.down == contact.seems_down:
            self.duplicates += 1
        return self._observe(key, contact, seen.at_ms, seen.down)

    def due(self, now_ms: int) -> list[Pressed]:
        """What has settled, as far as can be known at `now_ms`."""
        pressed = []
        for key, contact in list(self._contacts.items()):
            if contact.seems_down != contact.is_down:
                pressed += self._observe(key, contact, now_ms - LATE_MS, contact.seems_down)
        return pressed

    def wake_ms(self) -> int | None:
        """When the next contact settles; None: all are steady."""
        unsettled = [c.since_ms for c in self._contacts.values() if c.seems_down != c.is_down]
        return min(unsettled) + self._settle_ms + LATE_MS if unsettled else None

    def _observe(
        self, key: tuple[int, int], contact: Contact, at_ms: int, down: bool
    ) -> list[Pressed]:
        # Threads of the back end may deliver out of order; time does not go back here.
        at_ms = max(at_ms, contact.since_ms)
        self._contacts[key], edge = observe(contact, at_ms, down, self._settle_ms)
        if edge is None:
            return []
        seat, button = key
        if edge.down:
            # Read before the screen is woken: a sleeping screen shows nothing to press for.
            number = self._number(seat)
            self._down[key] = _Down(edge.at_ms, number, self._touch(seat))
            return []
        began = self._down.pop(key, None)
        if began is None or began.wakes:
            return []
        return [Pressed(seat, button, edge.at_ms - began.at_ms >= HOLD_MS, began.picture)]
