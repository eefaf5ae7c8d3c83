"""Debouncing: from what a contact seems to do to what a finger did.

A pure function over timestamps, the same for buttons on the Pi's own pins and on a pod (there
in C, firmware/pod/debounce.c, held to the same table of cases). A level counts once it has
been steady for `SETTLE_MS`. The first level that is seen is simply how the button is: a button
that is down when the power comes on was not pressed.
"""

from __future__ import annotations

from dataclasses import replace

from companion.frozen import dataclass
from companion.seats.pod.wire import SETTLE_MS


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
