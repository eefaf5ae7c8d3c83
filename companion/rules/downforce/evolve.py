"""Applying an event: no rule is decided here, and nothing is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from companion.rules.downforce import events as ev
from companion.rules.downforce.ledger import sheet
from companion.rules.downforce.state import NO_BET, Car, Lot, Phase, State
from companion.rules.downforce.tables import CARS


def evolve(state: State, event: ev.Event) -> State:
    """The state after one event."""
    apply = _HANDLERS.get(type(event))
    return state if apply is None else apply(state, event)


def _player(state: State, seat: int, **values: Any) -> State:
    players = dict(state.players)
    players[seat] = replace(players[seat], **values)
    return replace(state, players=players)


def _car(state: State, name: str, **values: Any) -> State:
    cars = dict(state.cars)
    cars[name] = replace(cars[name], **values)
    return replace(state, cars=cars)


def _set(state: State, event: ev.RaceSet | ev.Corrected) -> State:
    assert event.state is not None
    return event.state


def _lot_turned(state: State, event: ev.LotTurned) -> State:
    lot = Lot(event.car, event.power)
    if event.again:
        return replace(state, aside=tuple(other for other in state.aside if other != lot))
    return replace(state, lots=(*state.lots, lot))


def _got(state: State, event: ev.CarSold | ev.CarDealt) -> State:
    if not event.seat:
        return state
    price = event.price if isinstance(event, ev.CarSold) else 0
    state = _car(state, event.car, owner=event.seat, price=price)
    if event.power is None:
        return state
    powers = (*state.players[event.seat].powers, event.power)
    return _player(state, event.seat, powers=powers)


def _set_aside(state: State, event: ev.LotSetAside) -> State:
    return replace(state, aside=(*state.aside, Lot(event.car, event.power)))


def _unsold(state: State, event: ev.CarUnsold) -> State:
    return replace(state, aside=tuple(lot for lot in state.aside if lot.car != event.car))


def _card_played(state: State, event: ev.CardPlayed) -> State:
    state = replace(state, lines=state.lines + event.lines)
    return _player(state, event.seat, cards=not event.out_of_cards)


def _bets_opened(state: State, event: ev.BetsOpened) -> State:
    for seat in state.players:
        if seat not in event.seats:
            state = _bet(state, seat, NO_BET, event.number)
    return state


def _bet(state: State, seat: int, car: str, number: int) -> State:
    """The bet at a line; one that was known before is replaced."""
    bets = list(state.players[seat].bets)
    bets[number - 1 : number] = [car]
    return _player(state, seat, bets=tuple(bets))


def _bet_made(state: State, event: ev.BetMade) -> State:
    assert event.car is not None
    return _bet(state, event.seat, event.car, event.number)


def _ranked(state: State, event: ev.CarsRanked) -> State:
    for place, name in enumerate(event.order, 1):
        state = _car(state, name, place=place)
    return state


def _ended(state: State, event: ev.RaceEnded) -> State:
    return replace(state, phase=Phase.FINISHED, turn=None, pending=())


def _next_race(state: State, event: ev.NextRaceSet) -> State:
    """What was earned stays with each player, all else is as at the start (DF-VAR-4)."""
    players = {
        seat: replace(
            player, powers=(), bets=(), cards=True, legs=(*player.legs, sheet(state, seat))
        )
        for seat, player in state.players.items()
    }
    cars = dict.fromkeys(CARS, Car())
    return State(state.setup, leg=event.leg, cars=cars, players=players)


_HANDLERS: dict[type[ev.Event], Callable[[State, Any], State]] = {
    ev.RaceSet: _set,
    ev.Corrected: _set,
    ev.StepsPended: lambda state, event: replace(state, pending=event.steps),
    ev.GridSet: lambda state, event: replace(state, grid=event.order),
    ev.LotTurned: _lot_turned,
    ev.CarSold: _got,
    ev.CarDealt: _got,
    ev.LotSetAside: _set_aside,
    ev.CarUnsold: _unsold,
    ev.AuctionClosed: lambda state, event: replace(state, phase=Phase.POWERS),
    ev.PowerKept: lambda state, event: _player(state, event.seat, powers=(event.power,)),
    ev.RaceBegan: lambda state, event: replace(state, phase=Phase.RACE),
    ev.TurnBegan: lambda state, event: replace(state, turn=event.seat),
    ev.CardPlayed: _card_played,
    ev.CarFinished: lambda state, event: _car(state, event.car, place=event.place),
    ev.BetsOpened: _bets_opened,
    ev.BetMade: _bet_made,
    ev.BetMissed: lambda state, event: _bet(state, event.seat, NO_BET, event.number),
    ev.CarsRanked: _ranked,
    ev.RaceEnded: _ended,
    ev.NextRaceSet: _next_race,
    ev.Retired: lambda state, event: _player(state, event.seat, here=False),
    ev.Returned: lambda state, event: _player(state, event.seat, here=True),
}
