"""Choices that change the length of a move: the soft bonus, nitro, drift (FD-TURN-1, 5).

They are asked for between the gear roll and the way, where they leave a choice at all.
"""

from __future__ import annotations

from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula import events as ev
from companion.rules.formula.asks import Length, LengthAsk
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Phase, State, Step
from companion.rules.formula.tables import SOFT_BONUS
from companion.rules.formula.tires import has_bonus
from companion.rules.formula.urban import lengths as urban
from companion.rules.formula.urban.drift import DRIFTS
from companion.rules.formula.urban.drivers import is_urban
from companion.rules.game import Ask

BY_SOFT = "soft"


def to_move(state: State, seat: int, spaces: int, flags: tuple[str, ...] = ()) -> Step:
    """The next step of a car that may move so many spaces."""
    choice = _on_the_street(state) or has_bonus(state, state.cars[seat])
    return Step("length" if choice else "move", seat, number=spaces, flags=flags)


def _on_the_street(state: State) -> bool:
    """Whether nitro and drift are played: in a race, not in a trial (FD-TRIAL-1)."""
    return is_urban(state) and state.phase is not Phase.TRIALS


def lengths(state: State, step: Step) -> list[dict[str, Any]]:
    """The totals on offer, ascending; a single one is not asked for."""
    if _on_the_street(state):
        return urban.lengths(state, step)
    plain = [{"spaces": step.number, "by": []}]
    if has_bonus(state, state.cars[step.seat]):
        plain.append({"spaces": step.number + SOFT_BONUS, "by": [BY_SOFT]})
    return plain


def move_if_plain(flow: Flow, step: Step) -> bool:
    """An automatic step: without a choice (any more) the move is as long as rolled."""
    if len(lengths(flow.state, step)) > 1:
        return False
    flow.take()
    flow.first(Step("move", step.seat, number=step.number, flags=step.flags))
    return True


def ask_length(state: State, step: Step) -> list[Ask]:
    """FD-TIRE-3, FD-URBAN-2, FD-DRV-2: all of them are optional."""
    told = [Length(one["spaces"], tuple(one["by"])) for one in lengths(state, step)]
    return [LengthAsk(step.seat, told)]


def answer_length(flow: Flow, seat: int, value: Any) -> None:
    """FD-TIRE-3, FD-URBAN-2, FD-DRV-2, FD-DRV-7."""
    step = flow.queue[0]
    options = lengths(flow.state, step)
    rule = urban.rule_of(value) if is_urban(flow.state) else "FD-TIRE-3"
    if not isinstance(value, dict) or set(value) != {"spaces", "by"}:
        raise Malformed("length-form", f"length is one of {options}, not {value!r:.60}")
    if value not in options or type(value["spaces"]) is not int:
        raise Illegal(
            "no-such-length",
            f"length is one of {options}, not {value!r:.60}",
            rule=rule,
            args={"options": options},
        )
    flow.take()
    spaces, by = value["spaces"], tuple(value["by"])
    flow.tell(ev.LengthChosen(seat=seat, rule=rule, spaces=spaces, by=by))
    drift = (DRIFTS,) if DRIFTS in by else ()
    flow.first(Step("move", seat, number=spaces, flags=(*step.flags, *drift)))
