"""Which answers only one seat may know, and until when.

A kind of ask says whether its answers are secret and which event turns them up. An answer of
such a kind is secret from being given until that event comes, with an answer after it or with
itself; undone, the event has not been. Whoever tells answers asks here first.
"""

from __future__ import annotations

from companion.rules.commands import Line
from companion.table.race import Race


def is_secret(race: Race, place: int) -> bool:
    """Whether the answer at this place of `race.given` may be seen by its seat alone."""
    key = race.given[place].key
    if key is None or key[1] not in race.secret_kinds:
        return False
    return not any(key[1] in later.reveals for later in race.given[place:])


def has_come_out(race: Race, place: int) -> bool:
    """Whether the answer at this place of `race.given` was secret and is no more."""
    key = race.given[place].key
    is_of_a_kind = key is not None and key[1] in race.secret_kinds
    return is_of_a_kind and not is_secret(race, place)


def open_line(race: Race, place: int) -> Line:
    """The line at this place of `race.given` for everybody to see: with null for a secret."""
    given = race.given[place]
    if given.key is None or not is_secret(race, place):
        return given.line
    return {**given.line, given.key[1]: None}
