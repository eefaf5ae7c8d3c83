"""What comes next: `settle` carries a flow on until somebody is asked, or the game is over."""

from __future__ import annotations

from companion.rules.downforce import auction
from companion.rules.downforce import events as ev
from companion.rules.downforce.flow import Flow
from companion.rules.downforce.state import LOST, Phase, State, Step, Why
from companion.rules.downforce.tables import CARS, LEGS


def settle(flow: Flow) -> None:
    """Go on until the first step of the queue waits for somebody."""
    while flow.state.phase is not Phase.FINISHED:
        if not flow.queue:
            _NEXT[flow.state.phase](flow)
        elif not _passes(flow):
            return
    flow.queue.clear()


def _passes(flow: Flow) -> bool:
    """Whether the first step needs nobody; then it has been carried out."""
    step = flow.queue[0]
    if step.kind == "count":
        count(flow)
    elif step.kind == "bids" and not step.seats:
        auction.settle_bids(flow)
    elif step.kind == "award" and len(step.seats) == 1:
        assert step.lot is not None
        flow.take()
        auction.sell(flow, step.lot, step.seats[0], step.number, "DF-BID-2")
    elif _is_void(flow.state, step):
        flow.take()
    else:
        return False
    return True


def _is_void(state: State, step: Step) -> bool:
    """Whether all have answered, or the seat on turn plays no cards any more (DF-TURN-2)."""
    if step.kind == "play":
        return not can_play(state, step.seat)
    return step.kind in ("keep", "bets") and not step.seats


# -- phases -------------------------------------------------------------------------------


def _next_lot(flow: Flow) -> None:
    """The grid, the six lots, those set aside, the powers."""
    state = flow.state
    if not state.grid:
        flow.first(Step("pole"))
    elif len(state.lots) < len(CARS):
        flow.first(Step("lot"))
    elif state.aside and auction.carless(state):
        auction.bring_back(flow)
    else:
        _close_auction(flow)


def _close_auction(flow: Flow) -> None:
    for lot in flow.state.aside:
        flow.tell(ev.CarUnsold(rule="DF-BID-5", car=lot.car))
    flow.tell(ev.AuctionClosed(rule="DF-BID-4"))


def _keep_powers(flow: Flow) -> None:
    """DF-BID-6: whoever has won several powers keeps one."""
    keepers = several_powers(flow.state)
    if keepers:
        flow.first(Step("keep", seats=keepers))
    else:
        flow.tell(ev.RaceBegan(rule="DF-TURN-1"))


def several_powers(state: State) -> tuple[int, ...]:
    """The seats at the table that still have powers to choose from."""
    return tuple(seat for seat in state.here() if len(state.players[seat].powers) > 1)


def _next_turn(flow: Flow) -> None:
    """DF-TURN-1, DF-TURN-2, DF-END-1."""
    why = why_over(flow.state)
    if why is not None:
        flow.first(Step("count", why=why))
        return
    seat = next_seat(flow.state)
    if seat is None:
        flow.first(Step("order"))
        return
    flow.tell(ev.TurnBegan(seat=seat, rule="DF-TURN-1"))
    flow.first(Step("play", seat=seat))


_NEXT = {Phase.AUCTION: _next_lot, Phase.POWERS: _keep_powers, Phase.RACE: _next_turn}


# -- turns --------------------------------------------------------------------------------


def can_play(state: State, seat: int) -> bool:
    """Whether a seat plays cards: at the table, with cards, its cars not all home (DF-TURN-2)."""
    player = state.players[seat]
    if not player.here or not player.cards:
        return False
    cars = state.cars_of(seat)
    return not cars or any(state.cars[name].place is None for name in cars)


def next_seat(state: State) -> int | None:
    """Who plays next, clockwise; None where nobody can.

    First is the owner of the car on pole. **Ruling** (DF-TURN-1): if nobody owns that car,
    the owner of the foremost owned car.
    """
    seats = list(state.players)
    if state.turn is not None:
        start = seats.index(state.turn) + 1
    else:
        owners = [state.cars[name].owner for name in state.grid]
        first = next((owner for owner in owners if owner is not None), seats[0])
        start = seats.index(first)
    clockwise = seats[start:] + seats[:start]
    return next((seat for seat in clockwise if can_play(state, seat)), None)


def why_over(state: State) -> Why | None:
    """Why the race is over; None: it goes on."""
    placed = state.placed()
    if len(placed) == len(CARS):
        return Why.DISTANCE if state.setup.plays("long-distance") else Why.ALL_FINISHED
    owned = any(state.cars[name].owner is not None for name in placed)
    if state.setup.plays("beginners") and owned:
        return Why.FIRST_HOME
    if not state.setup.plays("long-distance") and next_seat(state) is None:
        return Why.NOBODY_PLAYS
    return None


# -- the end ------------------------------------------------------------------------------


def open_bets(flow: Flow, lines: int) -> None:
    """A bet of everybody for each line that a card has crossed, in order (DF-BET-1)."""
    if flow.state.setup.plays("no-bets"):
        return
    seats = tuple(flow.state.here())
    crossed = flow.state.lines
    for number in range(crossed - lines + 1, crossed + 1):
        flow.tell(ev.BetsOpened(rule="DF-BET-1", number=number, seats=seats))
        flow.put(Step("bets", seats=seats, number=number))


def count(flow: Flow) -> None:
    """Ask for the bets that this program was not told; then the race is over."""
    state = flow.state
    lost = [
        Step("bets", seats=seats, number=number, again=True)
        for number in range(1, state.lines + 1)
        if (seats := lost_bets(state, number))
    ]
    if lost:
        flow.first(*lost)
    else:
        end_race(flow, Why(flow.take().why))


def lost_bets(state: State, number: int) -> tuple[int, ...]:
    """The seats at the table whose bet at this line is not known."""
    return tuple(
        seat for seat in state.here() if state.players[seat].bets[number - 1 : number] == (LOST,)
    )


def end_race(flow: Flow, why: Why) -> None:
    """The race is over: bets are turned up, and the next race of a championship is set."""
    flow.queue.clear()
    state = flow.state
    bets = {seat: tuple(car or None for car in p.bets) for seat, p in state.players.items()}
    if any(bets.values()):
        flow.tell(ev.BetsRevealed(rule="DF-BET-2", bets=bets))
    rule = _RULES.get(why)
    flow.tell(ev.RaceEnded(rule=rule, why=why, order=tuple(state.placed())))
    more = state.setup.plays("championship") and state.leg < LEGS
    if more and why is not Why.STOPPED:
        flow.tell(ev.NextRaceSet(rule="DF-VAR-4", leg=state.leg + 1))


_RULES = {
    Why.ALL_FINISHED: "DF-END-1",
    Why.NOBODY_PLAYS: "DF-END-1",
    Why.CALLED: "DF-END-1",
    Why.FIRST_HOME: "DF-VAR-1",
    Why.DISTANCE: "DF-VAR-3",
}
