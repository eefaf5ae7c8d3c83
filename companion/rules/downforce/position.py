"""A position: any part of STATE, read as a state to go on from.

What is left out is as at the start of a race: nobody's cars, no powers, no bets. Every STATE
reads back to a state that tells the same and asks the same. It lacks the secrets: a bid that is
face down and a bet that is not revealed come as null, and are asked again when they are needed,
the bids when the lot is decided, the bets when the race is over; an entered hand is left out, and
asked before anything else. A correction has them from the
state that it corrects, so nothing is lost there. The form of each value stands with its field
(`state`); here is what may contradict what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from companion.rules import codec
from companion.rules.codec import Context
from companion.rules.downforce import bets, forms, hands
from companion.rules.downforce.cards import Hands
from companion.rules.downforce.forms import Card
from companion.rules.downforce.public import tell_state
from companion.rules.downforce.state import Bets, Car, Phase, Player, Sheet, State
from companion.rules.downforce.tables import CARS, LEGS
from companion.rules.reading import bad, one_of, only_keys, whole

DERIVED = frozenset({"cars", "race", "bets_won", "spent", "total"})
"""What a player's part says besides, worked out from the rest."""
STATE_KEYS = (codec.keys(State) | {"classification"}) - {"setup"}
PLAYER_KEYS = codec.keys(Player) | {"power"} | DERIVED
NO_SHEET = Sheet()


def read_state(blank: State, data: Mapping[str, object], known: State | None = None) -> State:
    """The state that a position describes; `blank` gives the setup and the players.

    `known` is the state whose secrets the nulls of the position stand for, if there is one.

    Raises:
        Malformed: unknown keys, values out of bounds, contradictions.
    """
    only_keys(data, STATE_KEYS, "a state")
    context = Context(seats=tuple(blank.players), names=blank.setup.powers)
    values = codec.values(State, {"phase": "race", "cars": {}, **data}, context)
    state = replace(blank, **{**values, "players": blank.players})
    first = known.pending[0] if known is not None and known.pending else None
    state = replace(
        state,
        grid=state.grid or (CARS if state.phase in (Phase.POWERS, Phase.RACE) else ()),
        cars={name: _priced(name, car) for name, car in state.cars.items()},
        pending=tuple(step.recalled(first) for step in state.pending),
    )
    _check_course(state)
    state = replace(state, pile=_pile(state))
    parts = data.get("players", {})
    if not isinstance(parts, dict):
        bad("players-form", f"players is an object by seat, not {parts!r:.60}")
    only_keys(parts, map(str, blank.players), "players")
    given = {seat: parts.get(str(seat), {}) for seat in state.players}
    players = {seat: _read_player(state, seat, part, known) for seat, part in given.items()}
    state = replace(state, players=players)
    for step in state.pending:
        step.check(state)
    _check_things(state)
    _compare_derived(state, data)
    return state


def _priced(name: str, car: Car) -> Car:
    if car.owner is None and car.price is not None:
        bad("price-without-owner", f"{name} has a price and no owner", rule="DF-BID-3", car=name)
    return replace(car, price=0) if car.owner is not None and car.price is None else car


def _read_player(state: State, seat: int, part: object, known: State | None) -> Player:
    """A player; powers that are not listed are the one power, bets that are left out none."""
    if not isinstance(part, dict):
        bad("players-form", f"a player is an object, not {part!r:.60}")
    only_keys(part, PLAYER_KEYS, "a player")
    given = {"name": state.players[seat].name, **part}
    if "powers" not in part:
        power = part.get("power")
        given["powers"] = [] if power is None else [one_of(power, "power", state.setup.powers)]
    player = Player(**codec.values(Player, given, Context(names=state.setup.powers)))
    player = _with_hand(state, seat, player)
    before = known.players[seat] if known is not None else player
    player = replace(player, cards=_cards(state, seat, player, before))
    made, due = _recalled(player.bets, before.bets), bets.due(state, seat)
    if len(made) > due:
        bad("bets-differ", f"seat {seat} has made {due} bets, not {len(made)}",
            rule="DF-BET-1", seat=seat, bets=due)  # fmt: skip
    legs = player.legs or (NO_SHEET,) * (state.leg - 1)
    if len(legs) != state.leg - 1:
        bad("legs-form", f"legs has a sheet for each race before, {state.leg - 1}",
            rule="DF-VAR-4")  # fmt: skip
    return replace(
        player,
        bets=made + (forms.NO_BET,) * (due - len(made)),
        legs=tuple(
            replace(leg, bets=_recalled(leg.bets, old.bets))
            for leg, old in zip_longest(legs, before.legs[: len(legs)], fillvalue=NO_SHEET)
        ),
    )


def _pile(state: State) -> int | None:
    """The cards of the common pile: as given, else all; none before the race (DF-VAR-1)."""
    most = hands.full_pile(state)
    if (state.pile or 0) > (most or 0):
        bad("hand-differs", f"the common pile has up to {most or 0} cards", rule="DF-VAR-1")
    if most is None or state.phase in (Phase.AUCTION, Phase.POWERS):
        return None
    return most if state.pile is None else state.pile


def _with_hand(state: State, seat: int, player: Player) -> Player:
    """The cards left: none of who is out of cards, else as given or full (DF-SETUP-1)."""
    if not state.setup.counts:
        if player.hand is not None:
            bad("hand-differs", "cards are not counted in this game", rule="DF-SETUP-1", seat=seat)
        return player
    hand, full = 0 if player.out_of_cards else player.hand, hands.full_hand(state, seat)
    most = full + len(CARS) - len(state.cars_of(seat))  # who sells a car keeps its 8
    if hand is not None and hand > most:
        bad("hand-differs", f"seat {seat} has up to {most} cards, not {hand}",
            rule="DF-SETUP-1", seat=seat, most=most)  # fmt: skip
    if state.phase in (Phase.AUCTION, Phase.POWERS):
        return replace(player, hand=None, out_of_cards=hand == 0)
    return replace(player, hand=full if hand is None else hand, out_of_cards=hand == 0)


def _cards(state: State, seat: int, player: Player, before: Player) -> tuple[Card, ...] | None:
    """The cards of an entered hand, as given, else as known before; None where they do not fit.

    Those that are left out are asked again; those that are given and do not fit are refused.
    """
    held = before.cards if player.cards is None else player.cards
    left = hands.cards_left(state.with_player(seat, player), seat)
    if held is None or (seat in state.setup.entered and len(held) == left):
        return held
    if player.cards is not None and seat not in state.setup.entered:
        bad("hand-differs", f"the hand of seat {seat} is not entered", rule="DF-CARD-1", seat=seat)
    if player.cards is not None:
        bad("hand-differs", f"the cards of seat {seat} are an entered hand of {left}",
            rule="DF-CARD-1", seat=seat)  # fmt: skip
    return None


def _recalled(made: Bets, known: Bets) -> Bets:
    """Bets, with those that are known in place of the nulls."""
    return tuple(old if bet is None else bet for bet, old in zip_longest(made, known[: len(made)]))


def _check_course(state: State) -> None:
    """The leg, the turn, one step at a time in the auction, bets at the last lines crossed."""
    whole(state.leg, "leg", 1, LEGS if state.setup.plays("championship") else 1, rule="DF-VAR-4")
    if state.turn is not None and state.phase is not Phase.RACE:
        bad("turn-outside-race", f"nobody is on turn in the phase {state.phase}")
    steps = [step for step in state.pending if not isinstance(step, Hands)]
    if state.phase is Phase.AUCTION and len(steps) > 1:
        bad("pending-form", "in the auction one step is pending at a time")
    if state.turn is not None and not state.setup.counts:
        bad("turn-outside-race", "no turns are kept where cards are not counted")
    at_lines = [one for one in state.pending if isinstance(one, bets.Bets) and not one.again]
    lines = [step.number for step in at_lines]
    if lines != list(range(state.lines - len(lines) + 1, state.lines + 1)):
        bad("pending-form", f"bets are open at the last of {state.lines} lines, not at {lines}",
            rule="DF-BET-1")  # fmt: skip


def _check_things(state: State) -> None:
    """Each lot, each power and each place once; what is sold or set aside was turned up."""
    for lots in (state.lots, state.aside):
        powers = [lot.power for lot in lots if lot.power is not None]
        if _doubled([lot.car for lot in lots]) or _doubled(powers):
            bad("lot-twice", "lots have a car or a power twice", rule="DF-SETUP-1")
    if not set(state.aside) <= set(state.lots):
        bad("aside-differs", "a lot is set aside only after it was turned up", rule="DF-BID-5")
    turned = {lot.car for lot in state.lots}
    for name, car in state.cars.items():
        if state.phase is Phase.AUCTION and car.owner is not None and name not in turned:
            bad("lots-differ", f"{name} is sold, and was not turned up", rule="DF-SETUP-1",
                car=name)  # fmt: skip
    places = [state.cars[name].place for name in state.placed()]
    if places != list(range(1, len(places) + 1)):
        bad("places-differ", f"places are 1 to {len(places)}, each once, not {places}",
            rule="DF-END-1")  # fmt: skip
    if _doubled(list(state.standing)):
        bad("standing-form", "standing names a car once at most", rule="DF-CARD-4")
    held = [power for player in state.players.values() for power in player.powers]
    if _doubled(held) or (held and state.setup.plays("no-powers")):
        power = (_doubled(held) or held)[0]
        bad("power-twice", f"{power} is held twice, or this game has no powers",
            rule="DF-SETUP-1", power=power)  # fmt: skip


def _doubled(names: list[str]) -> list[str]:
    return [name for name in names if names.count(name) > 1]


def _compare_derived(state: State, data: Mapping[str, Any]) -> None:
    """What could be worked out and is given all the same must agree."""
    right = tell_state(state)
    if data.get("classification", right["classification"]) != right["classification"]:
        bad("classification-differs", "the classification contradicts the money", rule="DF-PAY-3")
    for seat, part in data.get("players", {}).items():
        for word in sorted(DERIVED & set(part)):
            value = right["players"][seat][word]
            if part[word] != value:
                bad("money-differs", f"{word} of seat {seat} is {value!r}, not {part[word]!r:.60}",
                    rule="DF-PAY-3", seat=seat, what=word)  # fmt: skip
