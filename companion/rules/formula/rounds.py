"""From the grid to the end: who begins where, whose turn it is, when the race is over."""

from __future__ import annotations

from companion.rules.formula import events as ev
from companion.rules.formula.flow import Flow
from companion.rules.formula.order import classification, round_order
from companion.rules.formula.state import Status, Step
from companion.rules.formula.urban.drivers import gallant

# -- the grid ---------------------------------------------------------------------------


def settle_grid(flow: Flow, step: Step) -> bool:
    """Sort the groups once all have rolled; those who tie roll again (FD-GRID-2)."""
    rolls, groups = dict(step.rolls), step.groups
    if not all(seat in rolls for group in groups if len(group) > 1 for seat in group):
        return False
    flow.take()
    low_first = flow.state.setup.edition.low_roll_leads
    groups = tuple(
        part
        for group in groups
        for equal in _split(group, rolls, low_first)
        for part in gallant(flow.state, equal)
    )
    for group in groups:
        if len(group) > 1:
            flow.tell(ev.GridTied(rule="FD-GRID-2", seats=group))
    if any(len(group) > 1 for group in groups):
        flow.first(Step("grid", groups=groups))
        return False
    flow.tell(ev.GridSet(rule="FD-GRID-1", order=tuple(seat for (seat,) in groups)))
    return True


def _split(group: tuple[int, ...], rolls: dict[int, int], low_first: bool) -> list[tuple[int, ...]]:
    """A group by its rolls, the first place first; those who tie stay together."""
    if len(group) == 1:
        return [group]
    faces = sorted({rolls[seat] for seat in group}, reverse=not low_first)
    return [tuple(seat for seat in group if rolls[seat] == face) for face in faces]


# -- rounds and turns ---------------------------------------------------------------------


def begin_round(flow: Flow, order: tuple[int, ...] | None = None) -> None:
    """A new round in a new order (FD-START-1, FD-ORDER-1); None: by where the cars stand."""
    number = flow.state.round + 1
    rule = "FD-START-1" if number == 1 else "FD-ORDER-1"
    flow.tell(ev.RoundBegan(rule=rule, round=number, order=order or round_order(flow.state)))


def next_turn(flow: Flow) -> None:
    """Whoever comes next: in this round, in a new one, or nobody any more (FD-END-1)."""
    state = flow.state
    if not state.running():
        end_race(flow)
        return
    order = state.order
    at = order.index(state.turn) + 1 if state.turn in order else 0
    following = [s for s in order[at:] if state.cars[s].runs or state.cars[s].is_wreck]
    if not following and state.setup.boardless:
        flow.tell(ev.RoundEnded(rule="FD-ORDER-1", round=state.round))
        flow.first(Step("order"))
        return
    if not following:
        begin_round(flow)
        following = list(flow.state.order)
    begin_turn(flow, following[0])


def begin_turn(flow: Flow, seat: int) -> None:
    """A seat's turn: its start roll where it is due, else its gear.

    DE-BLOCK-1: a wreck is taken away. DE-PIT-1: the stop of a car that has stood its turn.
    """
    flow.tell(ev.TurnBegan(seat=seat))
    car = flow.car(seat)
    if car.is_wreck:
        flow.queue = [Step("lift", seat), Step("end", seat, seats=(seat,))]
        return
    if car.pit_mark == "waits":
        flow.tell(ev.PitTurnServed(seat=seat, rule="DE-PIT-1"))
        boardless = flow.state.setup.boardless
        stands = Step("arrive", seat, flags=("pit",)) if boardless else Step("halt", seat)
        flow.queue = [stands, Step("end", seat)]
        return
    rolls = car.status is Status.GRID and flow.state.setup.start_rolls
    flow.queue = [Step("start" if rolls else "gear", seat), Step("end", seat)]


def end_race(flow: Flow) -> None:
    """The race is over: everybody gets a place."""
    flow.queue = []
    order = tuple(car.seat for car in classification(flow.state))
    flow.tell(ev.RaceEnded(rule="FD-END-1", order=order))
