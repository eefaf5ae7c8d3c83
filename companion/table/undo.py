"""Taking back: nothing is deleted, a line says that the last n answers count no more.

A seat may take its last answer back as long as nobody has acted on it. Other seats' answers
to asks that were open at the same time have not acted on it (six cars roll for the grid):
they are taken back with it and given again as they stand. A gear that was set early and
answered by itself has not either; it is set early again. The time that the stopwatch has
answered goes with the move that crossed the line.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.commands import Answer, Undo
from companion.rules.errors import Refusal
from companion.table.ports import By
from companion.table.race import Events, Given, Race
from companion.table.refusals import refused
from companion.table.secrecy import has_come_out
from companion.views.model import Preset


def take_back(race: Race, seat: int, *, by: By, at: float) -> Events:
    """Take the last answer of a seat back; the events of it.

    Raises:
        Illegal: it has given none, somebody has acted on it, or it was secret and has come out:
            the seat has seen what the others have.
    """
    place = _last_of(race, seat)
    its, later = race.given[place], race.given[place + 1 :]
    if has_come_out(race, place):
        raise refused("turned-up")
    if any(_acted_on(its, other) for other in later):
        raise refused("acted-on", seat=seat)
    events = race.put(Undo(len(later) + 1), by=by, at=at)
    for other in later:
        command = other.command
        if other.is_by_itself and isinstance(command, Answer) and command.kind == "gear":
            race.put(Preset(command.value, command.seat), by=by, at=at)
    again(race, [other for other in later if not other.is_by_itself], at=at)
    return events


def again(race: Race, tail: Sequence[Given], *, at: float) -> int:
    """Give answers again as they stand, up to the first that no longer holds; how many held.

    Those that do not hold stay in `race.old`, to be offered when they are asked again.
    """
    for count, given in enumerate(tail):
        try:
            race.put(given.command, by=given.by, at=at)
        except Refusal:
            return count
    return len(tail)


def _last_of(race: Race, seat: int) -> int:
    for place in range(len(race.given) - 1, -1, -1):
        given = race.given[place]
        is_time = given.is_by_itself and given.key is not None and given.key[1] == "time"
        if given.key is not None and given.key[0] == seat and not is_time:
            return place
    raise refused("nothing-to-take-back", seat=seat)


def _acted_on(its: Given, later: Given) -> bool:
    """Whether a later line was a consequence of this answer."""
    if later.is_by_itself:
        return False
    return later.since is None or later.since > its.version
