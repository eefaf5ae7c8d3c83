"""A game as it is given and as it is shown: its header, a position, and STATE.

A header says what is settled before the auction; a position is any part of STATE, read as a state
to go on from. Every STATE reads back to a state that shows the same and asks the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Annotated, Any, NamedTuple

from companion.rules import codec
from companion.rules.codec import Context, Maybe, Name, Nested, OneOf, Within, Word
from companion.rules.downforce import bets, tables
from companion.rules.downforce.asks import BetAsk, BidAsk, HandAsk
from companion.rules.downforce.auction import Bids
from companion.rules.downforce.bets import classification, sheets
from companion.rules.downforce.cards import Hands
from companion.rules.downforce.state import (
    NO_CARS,
    NOWHERE,
    Bets,
    Bid,
    Car,
    OwnPower,
    Phase,
    Player,
    Setup,
    Sheet,
    State,
    cards_left,
    full_hand,
    full_pile,
)
from companion.rules.game import Choices
from companion.rules.lines import bad, one_of, only_keys, read_name, whole
from companion.rules.packs import COLORS, with_pack
from companion.system.frozen import dataclass

# -- the header -----------------------------------------------------------------------------------

HEADER_KEYS = ("game", "track", "laps", "rules", "house", "seats", "position",
    "circuit", "powers", "lines", "cars")  # fmt: skip
MOST_POWERS = 24
ENTERED = "entered"
"""What a header says of the hand of a seat that somebody enters for it (DF-CARD-1)."""
NEEDS = {"auction": "secret", "cards": "counted"}
"""What such a hand needs: its bids and its cards are cards of it."""
APART = ("two-players", "hands-of-three")
"""What it does not go with: a player who draws cards soon holds others than were entered."""
PAID = {"lines": (tables.LINES, "DF-PAY-2"), "cars": (len(tables.CARS), "DF-PAY-1")}
"""What an expansion's board may have more or less of, and the rule that has no pay for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A seat as a header names it, with the names that a league knows it by."""

    seat: Annotated[int, Within(1, 99)]
    name: Annotated[str, Name()] = ""
    player: Annotated[str | None, Maybe(Name())] = None
    team: Annotated[str | None, Maybe(Name())] = None
    driver: Annotated[str | None, Maybe(Name())] = None
    color: Annotated[str | None, Maybe(OneOf(COLORS))] = None
    hand: Annotated[str | None, Maybe(OneOf((ENTERED,)))] = None


def choices() -> Choices:
    """What a header of Downforce may choose."""
    return Choices(
        tables.RULES,
        tables.HOUSE,
        at_the_table=tables.AT_THE_TABLE,
        powers=read_powers,
        of_bot={"hand": "entered"},
    )


def read_header(data: Mapping[str, object]) -> tuple[State, Mapping[str, object] | None]:
    """The game before its first ask, as a header of Downforce has it, and its position.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    data = with_pack(data, "downforce")
    only_keys(data, HEADER_KEYS, "header")
    if data.get("laps", 1) is not None:
        whole(data.get("laps", 1), "laps", 1, 1)
    _refuse_unpaid(data)
    position = data.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    rules, entries = _read_rules(data.get("rules", [])), _read_seats(data.get("seats"))
    players = {one.seat: Player(name=one.name or f"Seat {one.seat}") for one in entries}
    entered = tuple(one.seat for one in entries if one.hand)
    if "two-players" in rules and len(players) != 2:
        bad("two-players", f"the game for two players is not for {len(players)}",
            rule="DF-VAR-2", players=len(players))  # fmt: skip
    setup = Setup(
        rules, **_read_house(data.get("house", {})), **_read_material(data), entered=entered
    )
    _check_entered(setup)
    return State(setup=setup, cars=NO_CARS, players=players), position


def _check_entered(setup: Setup) -> None:
    """DF-CARD-1: whose hand is entered bids and plays its own cards."""
    if not setup.entered:
        return
    needed = ", ".join(f"house.{name} {value!r}" for name, value in NEEDS.items())
    if any(getattr(setup, name) != value for name, value in NEEDS.items()):
        bad("hand-needs", f"seat {setup.entered[0]} plays cards that are entered, for which it "
            f"needs {needed}", rule="DF-CARD-1", seat=setup.entered[0])  # fmt: skip
    if any(setup.plays(rule) for rule in APART):
        bad("hand-apart", f"seat {setup.entered[0]} plays cards that are entered, which are not "
            f"for {' or '.join(APART)}", rule="DF-CARD-1", seat=setup.entered[0])  # fmt: skip


def _refuse_unpaid(data: Mapping[str, object]) -> None:
    """DF-PAY-1, DF-PAY-2: pay is known for six cars and three lines only."""
    for name, (count, rule) in PAID.items():
        if (said := data.get(name, count)) != count or isinstance(said, bool):
            message = f"{name} is {count}, as no pay is known for another number, not {said!r:.40}"
            bad("no-pay", message, rule=rule, name=name, count=count)


def _read_house(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        bad("house-form", f"house is an object of switches, not {data!r:.60}")
    only_keys(data, tables.HOUSE, "house")
    return {name: one_of(value, name, tables.HOUSE[name]) for name, value in data.items()}


def _read_material(data: Mapping[str, object]) -> dict[str, Any]:
    """What is not in the box: the name of the circuit, powers of an expansion."""
    circuit = data.get("circuit")
    name = "" if circuit is None else read_name(circuit, "circuit")
    return {"circuit": name, "own_powers": read_powers(data.get("powers", []))}


def read_powers(powers: object) -> tuple[OwnPower, ...]:
    """Powers of an expansion, as a header names them.

    Raises:
        Malformed: they are too many, one has no name, or two have one.
    """
    if not isinstance(powers, list) or len(powers) > MOST_POWERS:
        bad("powers-form", f"powers is a list of up to {MOST_POWERS} with a name and a reminder")
    own = tuple(
        codec.read(OwnPower, one, "a power", Context(), key="powers-form") for one in powers
    )
    if len({one.name for one in own}) != len(own):
        bad("power-twice", "powers names a power twice", rule="DF-POWER-1")
    return own


def _read_rules(data: object) -> frozenset[str]:
    if not isinstance(data, list) or not all(isinstance(rule, str) for rule in data):
        bad("rules-form", f"rules is a list of names, not {data!r:.60}")
    for rule in data:
        if rule not in tables.RULES:
            known = ", ".join(tables.RULES)
            bad("rule-unknown", f"there is no optional rule {rule!r:.40}; known are {known}",
                name=rule[:40])  # fmt: skip
    return frozenset(data)


def _read_seats(data: object) -> list[Entry]:
    """The entries as they sit, clockwise: by the numbers of their seats."""
    if not isinstance(data, list) or not data:
        bad("seats-form", "seats is a list of seats")
    low, high = tables.PLAYERS
    if not low <= len(data) <= high:
        bad("player-count", f"{low} to {high} play Downforce, not {len(data)}",
            rule="DF-SETUP-1", low=low, high=high, players=len(data))  # fmt: skip
    entries: dict[int, Entry] = {}
    for one in data:
        if isinstance(one, dict) and "seat" not in one:
            bad("seat-form", "every seat has a number: seat")
        entry = codec.read(Entry, one, "seat", Context(), key="seat-form")
        if entry.seat in entries:
            bad("seat-twice", f"seat {entry.seat} is there twice", seat=entry.seat)
        entries[entry.seat] = entry
    return [entries[seat] for seat in sorted(entries)]


# -- a position -----------------------------------------------------------------------------------

# What is left out is as at the start of a race: nobody's cars, no powers, no bets. A STATE lacks
# the secrets: a bid that is face down and a bet that is not revealed come as null, and are asked
# again when they are needed, the bids when the lot is decided, the bets when the race is over; an
# entered hand is left out, and asked before anything else. A correction has them from the state
# that it corrects, so nothing is lost there. The form of each value stands with its field
# (`state`); here is what may contradict what.

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
    # Players come last: what one of them may have depends on all the rest.
    state = replace(blank, **{**values, "players": blank.players})
    first = known.pending[0] if known is not None and known.pending else None
    state = replace(
        state,
        grid=state.grid or (tables.CARS if state.phase in (Phase.POWERS, Phase.RACE) else ()),
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
        bets=made + (tables.NO_BET,) * (due - len(made)),
        legs=tuple(
            replace(leg, bets=_recalled(leg.bets, old.bets))
            for leg, old in zip_longest(legs, before.legs[: len(legs)], fillvalue=NO_SHEET)
        ),
    )


def _pile(state: State) -> int | None:
    """The cards of the common pile: as given, else all; none before the race (DF-VAR-1)."""
    most = full_pile(state)
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
    hand, full = 0 if player.out_of_cards else player.hand, full_hand(state, seat)
    # Whoever sells a car keeps its 8, so a hand may hold the 8s of all six cars (DF-BID-3).
    most = full + len(tables.CARS) - len(state.cars_of(seat))
    if hand is not None and hand > most:
        bad("hand-differs", f"seat {seat} has up to {most} cards, not {hand}",
            rule="DF-SETUP-1", seat=seat, most=most)  # fmt: skip
    if state.phase in (Phase.AUCTION, Phase.POWERS):
        return replace(player, hand=None, out_of_cards=hand == 0)
    return replace(player, hand=full if hand is None else hand, out_of_cards=hand == 0)


def _cards(
    state: State, seat: int, player: Player, before: Player
) -> tuple[tables.Card, ...] | None:
    """The cards of an entered hand, as given, else as known before; None where they do not fit.

    Those that are left out are asked again; those that are given and do not fit are refused.
    """
    held = before.cards if player.cards is None else player.cards
    left = cards_left(state.with_player(seat, player), seat)
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
    whole(
        state.leg,
        "leg",
        1,
        tables.LEGS if state.setup.plays("championship") else 1,
        rule="DF-VAR-4",
    )
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


# -- what everybody may see, and what one seat alone ----------------------------------------------

# Bids that are on the table face down and bets before the reveal are None (DF-BET-2).


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
            one,
            bets=tuple(tables.NO_BET if bet == tables.NO_BET else None for bet in one.bets),
            cards=None,
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
    if isinstance(step, bets.Bets):
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
