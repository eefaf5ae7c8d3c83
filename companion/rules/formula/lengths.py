"""Choices that change the length of a move: the soft bonus, nitro, drift.

They are asked for between the gear roll and the way, where they leave a choice at all.
"""

from __future__ import annotations

from typing import Annotated

from companion.rules.forms import Within
from companion.rules.formula.asks import Length as LengthOption
from companion.rules.formula.asks import LengthAsk
from companion.rules.formula.extra import BY_ENGINE, EXTRA, EnginePushed, may_go_further, with_extra
from companion.rules.formula.moving import LONGEST, Manner, Move
from companion.rules.formula.state import Asks, Event, Flow, Phase, SeatStep, State
from companion.rules.formula.tables import ENGINE, SOFT_BONUS
from companion.rules.formula.tires import has_bonus
from companion.rules.formula.turn import Point
from companion.rules.formula.urban.drift import DRIFTS
from companion.rules.formula.urban.drivers import URBAN, is_urban
from companion.rules.formula.urban.lengths import NITRO, street_lengths
from companion.rules.formula.wear import one
from companion.rules.game import Ask
from companion.rules.reading import bad, refuse

BY_SOFT = "soft"


class LengthChosen(Event):
    """How many spaces the move has, by what (`by`: soft, nitro, drift, engine, top)."""

    spaces: int
    by: tuple[str, ...]

    def applied(self, state: State) -> State:
        if EXTRA.intersection(self.by):
            state = state.remembering(self.seat, extra=state.setup.house.extra_move != "engine")
        return state.used(self.seat, NITRO) if NITRO in self.by else state


def to_move(state: State, seat: int, spaces: int, how: str = "move") -> SeatStep:
    """The next step of a car that may move so many spaces."""
    bonus = has_bonus(state, state.cars[seat])
    if state.cars[seat].coasts:  # as far as it goes, with all that its tires give
        return Move(seat=seat, spaces=spaces + bonus * SOFT_BONUS, how=how)
    choice = _on_the_street(state) or bonus or may_go_further(state, seat, how)
    kind = Length if choice else Move
    return kind(seat=seat, spaces=spaces, how=how)


def _on_the_street(state: State) -> bool:
    """Whether nitro and drift are played: in a race, not in a trial (FD-TRIAL-1)."""
    return is_urban(state) and state.phase is not Phase.TRIALS


def lengths(state: State, step: Length) -> list[LengthOption]:
    """The totals on offer, ascending; a single one is not asked for."""
    if _on_the_street(state):
        return street_lengths(state, step.seat, step.spaces, great=step.how == "great")
    plain = [LengthOption(step.spaces)]
    if has_bonus(state, state.cars[step.seat]):
        plain.append(LengthOption(step.spaces + SOFT_BONUS, (BY_SOFT,)))
    if may_go_further(state, step.seat, step.how):
        return with_extra(state, plain)
    return plain


class Length(
    SeatStep,
    kind="length",
    at=Point.LENGTH,
    rule="FD-TIRE-3",
    on_trial=True,
):
    """What may be moved, with a bonus or without (FD-TIRE-3, FD-URBAN-2, FD-DRV-2, `extra`)."""

    spaces: Annotated[int, Within(0, LONGEST)]
    how: Manner = "move"

    def waits(self, state: State) -> bool:
        return len(lengths(state, self)) > 1

    def settle(self, flow: Flow) -> None:
        """Without a choice (any more) the move is as long as rolled."""
        flow.due(Move(seat=self.seat, spaces=self.spaces, how=self.how))

    def asks(self, state: State) -> Asks:
        return [LengthAsk(self.seat, lengths=lengths(state, self))]

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        """All of them are optional."""
        assert isinstance(ask, LengthAsk)
        options = [length.as_json() for length in ask.lengths]
        message = f"length is one of {options}, not {value!r:.60}"
        if not isinstance(value, dict) or set(value) != {"spaces", "by"}:
            bad("length-form", message)
        by, spaces = value["by"], value["spaces"]
        drifts = isinstance(by, list) and DRIFTS in by
        rule = self.rule
        if is_urban(flow.state):
            rule = "FD-DRV-2" if drifts else "FD-URBAN-2"
        if value not in options or type(spaces) is not int:
            refuse("no-such-length", message, rule=rule, options=options)
        if EXTRA.intersection(by):
            rule = "FD-MOVE-1"
        flow.tell(LengthChosen(seat=self.seat, rule=rule, spaces=spaces, by=tuple(by)))
        if BY_ENGINE in by:
            flow.tell(EnginePushed(seat=self.seat, rule=rule, cost=one(ENGINE)))
        flow.due(Move(seat=self.seat, spaces=spaces, how=self.how, drifts=drifts))

    def check(self, state: State) -> None:
        """Something must be on that gives a choice."""
        by_house = state.setup.house.extra_move != "none"
        if not by_house and not state.plays(("tires", URBAN)):
            message = "length is pending, and neither tires, urban nor extra_move is on"
            bad("rule-not-on", message, rule=self.rule, name="tires")
