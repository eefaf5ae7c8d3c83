"""STATE of the engine protocol: what everybody at the table may see, in plain JSON.

Bids that are on the table face down and bets before the reveal are told as null (DF-BET-2).
`position.read_state` reads a STATE back; what it cannot know then is asked when it is needed.
"""

from __future__ import annotations

from typing import Any

from companion.rules.downforce.ledger import classification, race_money, sheets, spent
from companion.rules.downforce.state import (
    LOST,
    NO_BET,
    STEPS,
    Lot,
    Phase,
    Player,
    Sheet,
    State,
    Step,
)


def tell_state(state: State) -> dict[str, Any]:
    """The whole state, secrets left out."""
    told: dict[str, Any] = {
        "phase": str(state.phase),
        "turn": state.turn,
        "grid": list(state.grid),
        "lots": [tell_lot(lot) for lot in state.lots],
        "aside": [tell_lot(lot) for lot in state.aside],
        "lines": state.lines,
        "cars": {
            name: {"owner": car.owner, "price": car.price, "place": car.place}
            for name, car in state.cars.items()
        },
        "players": {str(seat): tell_player(state, one) for seat, one in state.players.items()},
        "classification": tell_classification(state),
    }
    if state.setup.plays("championship"):
        told["leg"] = state.leg
    if state.pending:
        told["pending"] = [tell_step(step) for step in state.pending]
    return told


def tell_lot(lot: Lot) -> dict[str, Any]:
    """A lot: its car and its power."""
    return {"car": lot.car, "power": lot.power}


def tell_player(state: State, player: Player) -> dict[str, Any]:
    """One player; money in millions, over all races so far. What is unused is left out."""
    open_now = state.phase is Phase.FINISHED
    legs = player.legs
    told: dict[str, Any] = {
        "name": player.name,
        "cars": state.cars_of(player.seat),
        "power": player.powers[0] if len(player.powers) == 1 else None,
        "bets": [tell_bet(bet, revealed=open_now) for bet in player.bets],
        "race": sum(leg.race for leg in legs) + race_money(state, player.seat),
        "bets_won": None,
        "spent": sum(leg.spent for leg in legs) + spent(state, player.seat),
        "total": None,
    }
    if open_now:
        every = sheets(state, player)
        told["bets_won"] = sum(one.bets_won for one in every)
        told["total"] = sum(one.total for one in every)
    if len(player.powers) > 1:
        told["powers"] = list(player.powers)
    if not player.cards:
        told["out_of_cards"] = True
    if not player.here:
        told["left"] = True
    if legs:
        told["legs"] = [tell_sheet(leg) for leg in legs]
    return told


def tell_bet(bet: str, *, revealed: bool) -> str | None:
    """A bet; that none was made at a line is no secret."""
    if bet == NO_BET or (revealed and bet != LOST):
        return bet
    return None


def tell_sheet(sheet: Sheet) -> dict[str, Any]:
    """The sheet of a race that is over."""
    return {
        "bets": [tell_bet(bet, revealed=True) for bet in sheet.bets],
        "race": sheet.race,
        "bets_won": sheet.bets_won,
        "spent": sheet.spent,
        "total": sheet.total,
        "best": sheet.best,
    }


def tell_classification(state: State) -> list[dict[str, Any]]:
    """Everybody, the winner first; empty before the end, as bets are secret until then."""
    if state.phase is not Phase.FINISHED:
        return []
    totals = {s: sum(o.total for o in sheets(state, p)) for s, p in state.players.items()}
    return [
        {"place": place, "seat": seat, "status": status(state, seat), "points": totals[seat]}
        for place, seat in classification(state)
    ]


def status(state: State, seat: int) -> str:
    """How a player ended: "finished", or "out" for one who left the table."""
    return "finished" if state.players[seat].here else "out"


def tell_step(step: Step) -> dict[str, Any]:
    """One pending step, with only the fields that its kind uses; bids are told as null."""
    told: dict[str, Any] = {"step": step.kind}
    for name in STEPS[step.kind]:
        if name == "lot":
            assert step.lot is not None
            told |= tell_lot(step.lot)
        elif name == "bids":
            told["bids"] = dict.fromkeys(map(str, step.bids))
        else:
            value = getattr(step, name)
            told[name] = list(value) if isinstance(value, tuple) else value
    return told
