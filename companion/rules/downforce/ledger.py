"""The money, in millions, and who has won."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.downforce.state import Sheet, State
from companion.rules.downforce.tables import BET_MONEY, CARS, RACE_MONEY

NEVER = len(CARS) + 1
"""The place of a player none of whose cars has one, for comparing."""


def race_money(state: State, seat: int) -> int:
    """What the places of a seat's cars earn (DF-PAY-1)."""
    places = (state.cars[name].place for name in state.cars_of(seat))
    return sum(RACE_MONEY[place - 1] for place in places if place is not None)


def bet_money(bets: Sequence[str | None], places: Mapping[str, int | None]) -> int:
    """What bets earn by the places of the cars (DF-PAY-2).

    >>> bet_money(("yellow", "yellow", "blue"), {"blue": 1, "yellow": 2})
    13
    """
    won = 0
    for paid, car in zip(BET_MONEY, bets, strict=False):
        place = None if car is None else places.get(car)
        if place is not None and place <= len(paid):
            won += paid[place - 1]
    return won


def spent(state: State, seat: int) -> int:
    """What a seat paid at the auction."""
    return sum(state.cars[name].price or 0 for name in state.cars_of(seat))


def best_place(state: State, seat: int) -> int | None:
    """The best place of a seat's cars; None where none has one."""
    places = [state.cars[name].place for name in state.cars_of(seat)]
    return min((place for place in places if place is not None), default=None)


def sheet(state: State, seat: int) -> Sheet:
    """The score sheet of the present race, bets counted (DF-PAY-3, DF-PAY-4)."""
    bets = state.players[seat].bets
    places = {name: car.place for name, car in state.cars.items()}
    won = bet_money(bets, places)
    best = best_place(state, seat)
    return Sheet(bets, race_money(state, seat), won, spent(state, seat), best=best)


def sheets(state: State, seat: int) -> tuple[Sheet, ...]:
    """All sheets of a player, those of earlier races first (DF-VAR-4)."""
    return (*state.players[seat].legs, sheet(state, seat))


def classification(state: State) -> list[tuple[int, int]]:
    """Place and seat of everybody, the winner first; equals share a place (DF-PAY-3).

    **Ruling** for a championship: the better placed car is that of the last race, then of the
    one before. Of beginners' races the owner of the first owned car home wins (DF-VAR-1);
    over a championship totals decide.
    """
    ranks = {seat: _rank(state, seat) for seat in state.players}
    ordered = sorted(ranks, key=lambda seat: (ranks[seat], seat))
    return [(1 + sum(ranks[other] < ranks[seat] for other in ranks), seat) for seat in ordered]


def _rank(state: State, seat: int) -> tuple[int, ...]:
    """What sorts the players; lower is better."""
    every = sheets(state, seat)
    total = sum(one.total for one in every)
    best = [one.best or NEVER for one in reversed(every)]
    return (_not_home_first(state, seat), -total, *best)


def _not_home_first(state: State, seat: int) -> int:
    """0 for the winner of a race that its first car wins, 1 for all others.

    Where that may be anybody's (`house.first_home` "any") and it is nobody's, money decides.
    """
    if not state.setup.plays("first-wins") or state.setup.plays("championship"):
        return 1
    owners = [state.cars[name].owner for name in state.placed()]
    if state.setup.first_home == "owned":
        owners = [owner for owner in owners if owner is not None]
    return int(owners[:1] != [seat])
