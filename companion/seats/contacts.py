"""A button's contact, wherever it is wired: debounced, how long it bounces, how long it is held.

A level counts once it has been steady for `SETTLE_MS`. The first level that is seen is simply how
the button is: a button that is down when the power comes on was not pressed. All of it is the same
for buttons on the Pi's own pins and on a pod (there in C, firmware/pod/debounce.c and bounce.c,
held to the same table of cases). Good buttons bounce for a millisecond or two, nameless ones of
12 mm for 10 to 20; `companion doctor --live` shows how long each does.
"""

from __future__ import annotations

from dataclasses import replace

from companion.seats.plan import Options, SeatTrouble
from companion.system.frozen import dataclass

SETTLE_MS = 5
"""A button's level counts once it has been steady so long; `settle_ms` says otherwise."""
ONE_BOUNCE_MS = 8
"""A contact's moves this near to one another are one bounce."""
HOLD_MS = 600
"""Held so long, a press is a hold."""


@dataclass(frozen=True, slots=True)
class Contact:
    """One button's contact; times in milliseconds.

    `is_down` is the level that counts, `seems_down` the one seen last, steady since `since_ms`.
    """

    is_down: bool
    seems_down: bool
    since_ms: int


@dataclass(frozen=True, slots=True)
class Edge:
    """The finger went down, or up; `at_ms` is when the contact became steady."""

    down: bool
    at_ms: int


def first_seen(at_ms: int, down: bool) -> Contact:
    """A contact seen for the first time."""
    return Contact(down, down, at_ms)


def observe(
    contact: Contact, at_ms: int, down: bool, settle_ms: int = SETTLE_MS
) -> tuple[Contact, Edge | None]:
    """The contact is seen `down` (or not) at a time not before the last one.

    It may be looked at regularly, or at its changes and once `settle_ms` after the last.

    >>> contact, edge = observe(first_seen(0, False), 10, True)
    >>> observe(contact, 15, True)[1]
    Edge(down=True, at_ms=10)
    """
    edge = None
    has_settled = at_ms - contact.since_ms >= settle_ms
    if contact.seems_down != contact.is_down and has_settled:
        contact = replace(contact, is_down=contact.seems_down)
        edge = Edge(contact.is_down, contact.since_ms)
    if down != contact.seems_down:
        contact = replace(contact, seems_down=down, since_ms=at_ms)
    return contact, edge


@dataclass(slots=True)
class Bounce:
    """When the bounce of a contact began, its last move, the longest so far; milliseconds.

    Moves within `ONE_BOUNCE_MS` of one another are one bounce; fingers are slower.
    """

    # So long ago that the first move begins a bounce of its own.
    began_ms: int = -1000
    last_ms: int = -1000
    longest_ms: int = 0

    def see(self, at_ms: int) -> None:
        """The contact moved.

        >>> contact = Bounce()
        >>> for at_ms in (100, 104, 112, 300):
        ...     contact.see(at_ms)
        >>> contact.longest_ms
        12
        """
        if at_ms - self.last_ms > ONE_BOUNCE_MS:
            self.began_ms = at_ms
        self.last_ms = at_ms
        self.longest_ms = max(self.longest_ms, at_ms - self.began_ms)


POSSIBLE_MS = range(2, 51)
"""More would be felt, and quick presses would be lost."""
SETTLE = "settle_ms"


def settle_of(kind: str, options: Options) -> int:
    """`settle_ms` of a kind of driver; left out, `SETTLE_MS`.

    Raises:
        SeatTrouble: it is no such time.
    """
    settle_ms = options.get(SETTLE, SETTLE_MS)
    if not isinstance(settle_ms, int) or settle_ms not in POSSIBLE_MS:
        says = f"{POSSIBLE_MS[0]} to {POSSIBLE_MS[-1]} milliseconds"
        raise SeatTrouble(f"[{kind}] {SETTLE} = {settle_ms!r} should be {says}")
    return settle_ms
