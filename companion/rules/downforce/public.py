"""What everybody at the table may see, which is STATE, and what one seat alone may see.

Bids that are on the table face down and bets before the reveal are None (DF-BET-2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, NamedTuple

from companion.frozen import dataclass
from companion.rules import codec
from companion.rules.codec import Nested, Word
from companion.rules.downforce.asks import BetAsk, BidAsk, HandAsk
from companion.rules.downforce.bets import Bets as BetsStep
from companion.rules.downforce.bids import Bids
from companion.rules.downforce.cards import Hands
from companion.rules.downforce.forms import NO_BET
from companion.rules.downforce.hands import cards_left
from companion.rules.downforce.ledger import classification, sheets
from companion.rules.downforce.state import NOWHERE, Bets, Bid, Phase, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """What only one seat may see: its bets, and its bid that is face down."""

    bets: Bets
    bid: Annotated[Bid | None, Nested(Bid), Word(sparse=True)] = None


def own(state: State, seat: int) -> Own | None:
    """What only this seat may see; None for a seat that does not play."""
    player, step = state.players.get(seat), state.pending[0] if state.pending else None
    if player is None:
        return None
    return Own(bets=player.bets, bid=step.bids.get(seat) if isinstance(step, Bids) else None)


def visible(state: State) -> State:
    """The state with nothing in it that is a secret."""
    if state.phase is Phase.FINISHED:
        return state
    players = {
        seat: replace(
            one, bets=tuple(NO_BET if bet == NO_BET else None for bet in one.bets), cards=None
        )
        for seat, one in state.players.items()
    }
    return replace(state, players=players, pending=tuple(step.hidden() for step in state.pending))


class SecretRound(NamedTuple):
    """What is public of a secret ask: its kind, who has answered, and who has not."""

    kind: str
    answered: Sequence[int]
    open: Sequence[int]


def secret_round(state: State) -> SecretRound | None:
    """The bids or bets that are being made; None where nothing secret is asked."""
    step = state.pending[0] if state.pending else None
    if isinstance(step, Bids):
        return SecretRound(BidAsk.kind, sorted(step.bids), step.seats)
    if isinstance(step, Hands):
        entered = [seat for seat in state.setup.entered if seat not in step.seats]
        return SecretRound(HandAsk.kind, entered, step.seats)
    if isinstance(step, BetsStep):
        answered = [seat for seat in state.here() if seat not in step.seats]
        return SecretRound(BetAsk.kind, answered, step.seats)
    return None


def tell_state(state: State) -> dict[str, Any]:
    """STATE of the engine protocol: what is visible, and what is worked out of it."""
    seen = visible(state)
    data = codec.tell(seen, NOWHERE)
    leg, pending = data.pop("leg"), data.pop("pending")
    del data["setup"]
    data["players"] = {
        str(seat): _tell_player(state, seat, codec.tell(player, NOWHERE))
        for seat, player in seen.players.items()
    }
    data["classification"] = _tell_classification(state)
    if state.setup.plays("championship"):
        data["leg"] = leg
    return data | {"pending": pending} if pending else data


def _tell_player(state: State, seat: int, data: dict[str, Any]) -> dict[str, object]:
    """A player; money in millions, over all races so far, that of bets with the reveal."""
    over, every = state.phase is Phase.FINISHED, sheets(state, seat)
    name, powers, bets = data.pop("name"), data.pop("powers"), data.pop("bets")
    del data["hand"]
    return {
        "name": name,
        "cars": state.cars_of(seat),
        **({"hand": cards_left(state, seat)} if state.setup.counts else {}),
        "power": powers[0] if len(powers) == 1 else None,
        "bets": bets,
        "race": sum(one.race for one in every),
        "bets_won": sum(one.bets_won for one in every) if over else None,
        "spent": sum(one.spent for one in every),
        "total": sum(one.total for one in every) if over else None,
        **({"powers": powers} if len(powers) > 1 else {}),
        **data,
    }


def _tell_classification(state: State) -> list[dict[str, object]]:
    """Everybody, the winner first; empty before the end, as bets are secret until then."""
    if state.phase is not Phase.FINISHED:
        return []
    return [
        {
            "place": place,
            "seat": seat,
            "status": "out" if state.players[seat].left else "finished",
            "points": sum(one.total for one in sheets(state, seat)),
        }
        for place, seat in classification(state)
    ]
