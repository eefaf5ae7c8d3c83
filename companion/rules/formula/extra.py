"""A space more, or less, than was rolled: house switch `extra_move` (FD-MOVE-1).

`engine`: a space more for an engine point, in any turn ("red line", eatchitanddice); `engine-lap`:
so once a lap (the federation's variants, 16-B); `top`: once a lap a space more or less, for nothing
(variants, 6-A). No book is known to say more: the last engine point cannot be given, nothing comes
on the track (16-B), and it is for a move on the road, not for a great start, a trial, the pit lane
or an urban race, which has its nitro.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.formula.asks import Length
from companion.rules.formula.car import Status
from companion.rules.formula.state import Phase, State, Wears
from companion.rules.formula.tables import ENGINE
from companion.rules.formula.urban.drivers import is_urban

BY_ENGINE: Final = "engine"
BY_TOP: Final = "top"
EXTRA: Final = frozenset({BY_ENGINE, BY_TOP})
"""The words of a length that has such a space."""


class EnginePushed(Wears):
    """An engine point was given for a space more."""


def may_go_further(state: State, seat: int, how: str) -> bool:
    """Whether this car may have a space that was not rolled, now."""
    car, kind = state.cars[seat], state.setup.house.extra_move
    if kind == "none" or how != "move" or car.status is not Status.RACING or is_urban(state):
        return False
    if state.phase is Phase.TRIALS or car.coasts or (kind != "engine" and car.memory.extra):
        return False
    return kind == "top" or car.wear[ENGINE] > 1


def with_extra(state: State, found: Sequence[Length]) -> list[Length]:
    """These lengths, and each with the space that the switch gives, ascending."""
    by_top = state.setup.house.extra_move == "top"
    by, steps = (BY_TOP, (-1, 1)) if by_top else (BY_ENGINE, (1,))
    more = (Length(one.spaces + step, (*one.by, by)) for one in found for step in steps)
    return sorted([*found, *(one for one in more if one.spaces > 0)])
