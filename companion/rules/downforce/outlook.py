"""What people forget, worked out: the next bet, what a car would earn, what each thing brought."""

from __future__ import annotations

from companion.rules.downforce.ledger import bet_money, classification, sheets
from companion.rules.downforce.state import Phase, State
from companion.rules.downforce.tables import BET_MONEY, CARS, LINES, RACE_MONEY


def next_bet(state: State) -> int | None:
    """The line that opens the next bet; None where no bet is to come (DF-BET-1)."""
    if state.setup.plays("no-bets") or state.lines >= LINES:
        return None
    return state.lines + 1


def bet_pays(number: int) -> tuple[int, ...]:
    """What a bet pays for the car that comes 1st, 2nd, 3rd (DF-PAY-2)."""
    return BET_MONEY[number - 1]


def next_pays(state: State) -> int | None:
    """What the next car over the line earns (DF-PAY-1); None where none is to come."""
    home = len(state.placed())
    if home == len(CARS) or state.setup.plays("long-distance"):
        return None
    return RACE_MONEY[home]


def car_pays(state: State, car: str) -> int | None:
    """What a car has earned, or would if it were the next one home (DF-PAY-1)."""
    place = state.cars[car].place
    return next_pays(state) if place is None else RACE_MONEY[place - 1]


def car_brought(state: State, car: str) -> int:
    """What a car came to: the money of its place less its price (DF-PAY-3)."""
    place, price = state.cars[car].place, state.cars[car].price or 0
    return (0 if place is None else RACE_MONEY[place - 1]) - price


def bets_brought(state: State, seat: int) -> tuple[int, ...]:
    """What each bet of a seat brought, once the race is over (DF-PAY-2)."""
    bets, places = state.players[seat].bets, {name: car.place for name, car in state.cars.items()}
    return tuple(bet_money((*(None,) * at, bet), places) for at, bet in enumerate(bets))


def money_disagrees(state: State) -> bool:
    """Whether somebody stands before one who has more: the first car home wins (DF-VAR-1)."""
    if state.phase is not Phase.FINISHED:
        return False
    totals = [sum(one.total for one in sheets(state, seat)) for _, seat in classification(state)]
    return totals != sorted(totals, reverse=True)
