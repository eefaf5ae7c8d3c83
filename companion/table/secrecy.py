"""Which answers only one seat may know, and until when.

A game names the kinds of answers that are secret, each with the event that turns them up. An
answer of such a kind is secret from being given until that event comes, with an answer after it
or with itself; undone, the event has not been. Whoever tells answers asks here first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.rules.games import kinds_of
from companion.table.ports import JSON

if TYPE_CHECKING:
    from companion.table.race import Race


def secret_kinds(header: JSON) -> Mapping[str, str]:
    """The kinds of answers that are secret in the game of a header, with what reveals them."""
    kinds = kinds_of(header["game"])
    return {kind: how.revealed_by for kind, how in kinds.items() if how.revealed_by}


def revealed(header: JSON, events: Sequence[JSON]) -> frozenset[str]:
    """The kinds of secret answers that these events turn up."""
    names = {event["event"] for event in events}
    return frozenset(kind for kind, event in secret_kinds(header).items() if event in names)


def is_secret(race: Race, place: int) -> bool:
    """Whether the answer at this place of `race.given` may be seen by its seat alone."""
    key = race.given[place].key
    if key is None or key[1] not in secret_kinds(race.header):
        return False
    return not any(key[1] in later.reveals for later in race.given[place:])


def has_come_out(race: Race, place: int) -> bool:
    """Whether the answer at this place of `race.given` was secret and is no more."""
    key = race.given[place].key
    is_of_a_kind = key is not None and key[1] in secret_kinds(race.header)
    return is_of_a_kind and not is_secret(race, place)


def open_line(race: Race, place: int) -> JSON:
    """The line at this place of `race.given` for everybody to see: with null for a secret."""
    given = race.given[place]
    if given.key is None or not is_secret(race, place):
        return given.line
    return {**given.line, given.key[1]: None}
