"""The slipstream (FD-SLIP-1 to FD-SLIP-6).

House switch `slipstream_chain`: with "one" no slipstream follows another (FD-SLIP-4), as some
clubs play it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from companion.rules.codec import How
from companion.rules.formula.asks import SlipstreamAsk
from companion.rules.formula.moves import corners_entered, slipstream_leader, slipstream_options
from companion.rules.formula.moving import chosen, drive, read_end
from companion.rules.formula.option import Option, Way
from companion.rules.formula.state import Asks, Event, Flow, SeatStep, State, Wears
from companion.rules.formula.tables import BRAKES, SLIPSTREAM_CORNER_COST
from companion.rules.formula.turn import On, Point
from companion.rules.formula.wear import one
from companion.rules.game import Ask

if TYPE_CHECKING:
    from companion.rules.ways.explain import Explanation

HOWS = ("move", "slipstream")
"""The ways after which a slipstream may arise: not a great start, nor a fast exit."""


class Slipstreamed(Wears):
    """A car is about to use the slipstream of another; entering a corner costs brakes."""

    behind: int


class SlipstreamDeclined(Event):
    """A slipstream on offer was not used."""


class Slipstream(SeatStep, kind="slipstream", at=Point.SLIPSTREAM, rule="FD-SLIP-1", on=On.BOARD):
    """Whether a slipstream is used; `charmed`: Li-Tsu has cost this move its space (FD-DRV-1)."""

    charmed: Annotated[bool, How("charmed")] = False

    @classmethod
    def after_way(cls, flow: Flow, way: Way) -> None:
        """After a way without brakes, block and overshoot."""
        option = way.option
        ends_it = way.slips and flow.state.setup.house.slipstream_chain == "one"
        if way.how in HOWS and not (ends_it or option.brakes or option.blocked or way.overshot):
            flow.due(cls(seat=way.seat, charmed=way.charmed))

    def _ends(self, state: State) -> list[Option]:
        """The ends on offer; past the last line there are none."""
        if state.cars[self.seat].lap > state.setup.laps:
            return []
        return slipstream_options(state, self.seat, charmed=self.charmed)

    def waits(self, state: State) -> bool:
        """Where nobody is ahead there is none."""
        return bool(self._ends(state))

    def asks(self, state: State) -> Asks:
        return [SlipstreamAsk(self.seat, track=state.setup.track, ends=self._ends(state))]

    def explain(self, state: State, to: str, brakes: int) -> Explanation[Option]:
        """Why a space of the board is, or is not, an end of it."""
        from companion.rules.formula.explain_moves import explain_slipstream  # only where one asks

        end = state.setup.track.index[to]
        return explain_slipstream(state, self.seat, end, brakes, charmed=self.charmed)

    def answer(self, flow: Flow, ask: Ask, value: object) -> None:
        assert isinstance(ask, SlipstreamAsk)
        if value is None:
            flow.tell(SlipstreamDeclined(seat=self.seat, rule="FD-SLIP-6"))
            return
        state = flow.state
        to, brakes = read_end("slipstream", value)
        option = chosen(state, ask.ends, to, brakes, self.explain)
        leader, start = slipstream_leader(state, self.seat), state.cars[self.seat].space
        assert leader is not None
        assert start is not None
        entered = corners_entered(state.setup.track, start, option.arrival, option.spaces)
        cost = one(BRAKES, entered * SLIPSTREAM_CORNER_COST)
        rule = "FD-SLIP-5" if entered else "FD-SLIP-1"
        flow.tell(Slipstreamed(seat=self.seat, rule=rule, behind=leader.seat, cost=cost))
        drive(flow, self.seat, option, "slipstream", charmed=self.charmed)


def most_slipstreams(state: State, others: int) -> int:
    """How many slipstreams a move may have where `others` can be passed (FD-SLIP-2, FD-SLIP-4)."""
    return min(1, others) if state.setup.house.slipstream_chain == "one" else others
