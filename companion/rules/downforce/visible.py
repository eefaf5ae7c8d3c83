"""Who may see what: the state for everybody, and what only one seat knows (DF-BET-2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from companion.rules.downforce.ledger import race_money, sheets, spent
from companion.rules.downforce.state import LOST, NO_BET, Bid, Phase, Player, State
from companion.rules.game import Own


def visible(state: State) -> State:
    """The state as everybody may see it: `tell` tells the same of it.

    Of a bid that is face down, and of a bet before the reveal, it is known that it was made.
    That none was made at a line is no secret; nor are the sheets of a race that is over.
    """
    pending = tuple(replace(step, bids=dict.fromkeys(step.bids)) for step in state.pending)
    if state.phase is Phase.FINISHED:
        return replace(state, pending=pending)
    players = {
        seat: replace(player, bets=tuple(bet if bet == NO_BET else LOST for bet in player.bets))
        for seat, player in state.players.items()
    }
    return replace(state, players=players, pending=pending)


@dataclass(frozen=True, slots=True)
class Hand(Own):
    """A seat's own secrets: its bets, and the bid that lies face down."""

    bets: tuple[str, ...] = ()
    bid: Bid | None = None

    def as_json(self) -> dict[str, Any]:
        """Bets of which this program was not told are null."""
        data: dict[str, Any] = {"bets": [None if bet == LOST else bet for bet in self.bets]}
        if self.bid is not None:
            bid = self.bid
            data["bid"] = {"amount": bid.amount, "cars": bid.cars, "wild": bid.wild}
        return data


def own(state: State, seat: int) -> Own:
    """What only this seat may see; nothing for one that does not play."""
    player = state.players.get(seat)
    if player is None:
        return Own()
    return Hand(player.bets, state.pending[0].bids.get(seat) if state.pending else None)


class SecretRound(NamedTuple):
    """What is public of a secret ask: its kind, who has answered, and who has not."""

    kind: str
    answered: Sequence[int]
    open: Sequence[int]


def secret_round(state: State) -> SecretRound | None:
    """The bids or bets that are being made; None where nothing secret is asked."""
    step = state.pending[0] if state.pending else None
    if step is not None and step.kind == "bids":
        return SecretRound("bid", sorted(step.bids), step.seats)
    if step is not None and step.kind == "bets":
        answered = [seat for seat in state.here() if seat not in step.seats]
        return SecretRound("bet", answered, step.seats)
    return None


class Account(NamedTuple):
    """A player's money in millions, over all races so far; bets count once they are revealed."""

    race: int
    spent: int
    bets_won: int
    total: int


def account(state: State, player: Player) -> Account:
    """What a player has won and paid (DF-PAY-3)."""
    legs = player.legs
    won = sum(leg.race for leg in legs) + race_money(state, player.seat)
    paid = sum(leg.spent for leg in legs) + spent(state, player.seat)
    every = sheets(state, player) if state.phase is Phase.FINISHED else ()
    return Account(won, paid, sum(one.bets_won for one in every), sum(one.total for one in every))
