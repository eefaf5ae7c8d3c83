"""The course of a game: who is asked now, what an answer brings about, and what comes next."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.downforce import auction, cards, ending, powers, race
from companion.rules.downforce.asks import EndAsk, PlayedAsk
from companion.rules.downforce.refuse import not_asked
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, State
from companion.rules.game import Answer, Ask, Decision

CHAPTERS = {Phase.AUCTION: auction.go_on, Phase.POWERS: powers.go_on, Phase.RACE: ending.go_on}
"""What goes on in each phase where nothing is pending."""


def asks(state: State) -> list[Ask]:
    """Every open ask, in the order in which a table would take them."""
    if not state.pending:
        return []
    of_table = (race.table_ask(state), ending.ask(state)) if ending.goes_on(state) else ()
    return [*state.pending[0].asks(state), *(ask for ask in of_table if ask is not None)]


def decide(state: State, answer: Answer, open_asks: Sequence[Ask]) -> Decision[State, Event]:
    """What follows from an answer, down to the next ask; `open_asks` are those of the state.

    Raises:
        Illegal: nobody asked this seat that, or the value is not on offer.
        Malformed: the value is not of the kind's form.
    """
    if (answer.seat, answer.kind) not in {(ask.seat, ask.kind) for ask in open_asks}:
        raise not_asked(answer, open_asks)
    flow = Flow(state)
    if answer.kind == EndAsk.kind:
        ending.answer(flow, answer.value)
    elif answer.kind == PlayedAsk.kind and answer.seat == TABLE:
        race.tell(flow, answer.value)
    else:
        state.pending[0].answer(flow, answer.seat, answer.value)
    return settled(flow)


def settled(flow: Flow) -> Decision[State, Event]:
    """Go on until the first step of the queue waits for somebody, or the game is over."""
    while flow.state.phase is not Phase.FINISHED:
        if lost := _hands_to_enter(flow):
            flow.first(cards.Hands(seats=lost))
        elif not flow.queue:
            CHAPTERS[flow.state.phase](flow)
        elif not flow.queue[0].settle(flow):
            return flow.done()
    flow.queue.clear()
    return flow.done()


def _hands_to_enter(flow: Flow) -> tuple[int, ...]:
    """The seats whose hand is wanted now: once there is a grid, as long as cards are played.

    A card that is turned up already is played first (DF-CARD-1).
    """
    state, first = flow.state, flow.queue[0] if flow.queue else None
    is_counted = any(isinstance(step, ending.Count) for step in flow.queue)
    is_turned = isinstance(first, race.Play) and first.card is not None
    if not state.grid or is_counted or is_turned or isinstance(first, cards.Hands):
        return ()
    racing = state.phase is Phase.RACE
    return tuple(s for s in cards.unknown(state) if not racing or race.can_play(state, s))


def resumed(flow: Flow) -> Decision[State, Event]:
    """Go on from a state that was set: with its open steps, or with the seat on turn."""
    state = flow.state
    if state.phase is Phase.RACE and not flow.queue and state.turn is not None:
        flow.first(race.Play(seat=state.turn))
    return settled(flow)
