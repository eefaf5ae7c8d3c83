"""A position: any part of STATE, read as a state to go on from.

What is left out is as at the start of a race: nobody's cars, no powers, no bets. Every STATE
that `tell_state` writes reads back to a state that tells the same and asks the same. It lacks
the secrets: a bid that is face down and a bet that is not revealed come as null, and are
asked again when they are needed, the bids when the lot is decided, the bets when the race is
over. A correction reads them from the state that it corrects, so nothing is lost there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.rules.downforce.position_steps import read_steps
from companion.rules.downforce.state import LOST, NO_BET, Car, Lot, Phase, Player, Sheet, State
from companion.rules.downforce.tables import BIDS, CARS, LEGS, LINES, POWERS
from companion.rules.downforce.tell import tell_state
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

STATE_KEYS = frozenset(
    {"phase", "turn", "grid", "lots", "aside", "lines", "cars", "players", "classification"}
    | {"leg", "pending"}
)
PLAYER_KEYS = frozenset(
    {"name", "cars", "power", "powers", "bets", "race", "bets_won", "spent", "total"}
    | {"out_of_cards", "left", "legs"}
)
SHEET_KEYS = frozenset({"bets", "race", "bets_won", "spent", "total", "best"})
DERIVED = frozenset({"cars", "race", "bets_won", "spent", "total"})
"""What a player's part tells besides, worked out from the rest."""
MOST_MONEY = 1_000


def read_state(blank: State, told: Mapping[str, Any], known: State | None = None) -> State:
    """The state that a position describes; `blank` gives the setup and the players.

    `known` is the state whose secrets the nulls of the position stand for, if there is one.

    Raises:
        Malformed: unknown keys, values out of bounds, contradictions.
    """
    only_keys(told, STATE_KEYS, "a state")
    phase = Phase(one_of(told.get("phase", "race"), "phase", tuple(map(str, Phase))))
    leg = whole(told.get("leg", 1), "leg", 1, LEGS if blank.setup.plays("championship") else 1,
        rule="DF-VAR-4")  # fmt: skip
    lots = _read_lots(told.get("lots", []), "lots")
    aside = _read_lots(told.get("aside", []), "aside")
    if not set(aside) <= set(lots):
        bad("aside-differs", "a lot is set aside only after it was turned up", rule="DF-BID-5")
    state = replace(
        blank,
        phase=phase,
        leg=leg,
        grid=_read_grid(told.get("grid", []), phase),
        lots=lots,
        aside=aside,
        lines=whole(told.get("lines", 0), "lines", 0, LINES, rule="DF-BET-1"),
        cars=_read_cars(blank, told.get("cars", {})),
    )
    state = replace(state, pending=read_steps(state, told.get("pending", []), known))
    state = replace(state, players=_read_players(state, told.get("players", {}), known))
    state = replace(state, turn=_read_turn(state, told.get("turn")))
    _refuse_odd_steps(state)
    _refuse_shared_powers(state)
    _compare_derived(state, told)
    return state


def _read_turn(state: State, told: Any) -> int | None:
    if told is None:
        return None
    if type(told) is not int or told not in state.players:
        bad("no-such-seat", f"turn is a seat of the game, not {told!r:.20}")
    if state.phase is not Phase.RACE:
        bad("turn-outside-race", f"nobody is on turn in the phase {state.phase}")
    return told


def _read_grid(told: Any, phase: Phase) -> tuple[str, ...]:
    """The grid; a race that is told without one has the cars in the order of the buttons."""
    whole_grid = isinstance(told, list) and sorted(map(str, told)) == sorted(CARS)
    if told != [] and not whole_grid:
        bad("grid-form", f"grid names each of the six cars once, pole first, not {told!r:.80}",
            rule="DF-SETUP-1")  # fmt: skip
    if not told and phase in (Phase.POWERS, Phase.RACE):
        return CARS
    return tuple(told)


def _read_lots(told: Any, what: str) -> tuple[Lot, ...]:
    if not isinstance(told, list):
        bad("lots-form", f"{what} is a list of lots, not {told!r:.60}")
    lots = tuple(_read_lot(one) for one in told)
    cars = [lot.car for lot in lots]
    powers = [lot.power for lot in lots if lot.power is not None]
    if len(set(cars)) != len(cars) or len(set(powers)) != len(powers):
        bad("lot-twice", f"{what} has a car or a power twice", rule="DF-SETUP-1")
    return lots


def _read_lot(told: Any) -> Lot:
    if not isinstance(told, dict):
        bad("lots-form", f"a lot is an object of car and power, not {told!r:.60}")
    only_keys(told, ("car", "power"), "a lot")
    car, power = one_of(told.get("car"), "car", CARS), told.get("power")
    return Lot(car, None if power is None else one_of(power, "power", POWERS))


# -- cars ---------------------------------------------------------------------------------


def _read_cars(blank: State, told: Any) -> dict[str, Car]:
    if not isinstance(told, dict):
        bad("cars-form", f"cars is an object by color, not {told!r:.60}")
    only_keys(told, CARS, "cars")
    cars = {name: _read_car(blank, name, told.get(name, {})) for name in CARS}
    places = sorted(car.place for car in cars.values() if car.place is not None)
    if places != list(range(1, len(places) + 1)):
        bad("places-differ", f"places are 1 to {len(places)}, each once, not {places}",
            rule="DF-END-1")  # fmt: skip
    return cars


def _read_car(blank: State, name: str, told: Any) -> Car:
    if not isinstance(told, dict):
        bad("cars-form", f"a car is an object, not {told!r:.60}")
    only_keys(told, ("owner", "price", "place"), "a car")
    owner, price, place = told.get("owner"), told.get("price"), told.get("place")
    if owner is not None and (type(owner) is not int or owner not in blank.players):
        bad("no-such-seat", f"{name} is owned by a seat of the game, not by {owner!r:.20}")
    if owner is None and price is not None:
        bad("price-without-owner", f"{name} has a price and no owner", rule="DF-BID-3", car=name)
    if owner is not None:
        price = whole(0 if price is None else price, "price", 0, BIDS[-1], rule="DF-BID-1")
    if place is not None:
        place = whole(place, "place", 1, len(CARS), rule="DF-END-1")
    return Car(owner, price, place)


# -- players ------------------------------------------------------------------------------


def _read_players(state: State, told: Any, known: State | None) -> dict[int, Player]:
    if not isinstance(told, dict):
        bad("players-form", f"players is an object by seat, not {told!r:.60}")
    only_keys(told, [str(seat) for seat in state.players], "players")
    return {
        seat: _read_player(state, player, told.get(str(seat), {}), known)
        for seat, player in state.players.items()
    }


def _read_player(state: State, blank: Player, told: Any, known: State | None) -> Player:
    if not isinstance(told, dict):
        bad("players-form", f"a player is an object, not {told!r:.60}")
    only_keys(told, PLAYER_KEYS, "a player")
    told = {"power": None, **told}
    powers = told.get("powers", [] if told["power"] is None else [told["power"]])
    if not isinstance(powers, list):
        bad("powers-form", f"powers is a list, not {powers!r:.60}")
    before = known.players[blank.seat] if known is not None else None
    return Player(
        blank.seat,
        read_name(told.get("name", blank.name), "name"),
        powers=tuple(one_of(power, "power", POWERS) for power in powers),
        bets=_read_bets(state, blank.seat, told.get("bets", []), known),
        cards=not _flag(told, "out_of_cards"),
        here=not _flag(told, "left"),
        legs=_read_legs(state, told.get("legs", []), before),
    )


def _flag(told: Mapping[str, Any], word: str) -> bool:
    value = told.get(word, False)
    if not isinstance(value, bool):
        bad("not-a-flag", f"{word} is true or false, not {value!r:.20}", kind=word)
    return value


def _read_bets(state: State, seat: int, told: Any, known: State | None) -> tuple[str, ...]:
    """One bet for each line that the seat has bet at; bets that are not told are none."""
    before = known.players[seat].bets if known is not None else ()
    bets = _bets(told, before)
    made = bets_due(state, seat)
    if len(bets) > made:
        bad("bets-differ", f"seat {seat} has made {made} bets, not {len(bets)}",
            rule="DF-BET-1", seat=seat, bets=made)  # fmt: skip
    return bets + (NO_BET,) * (made - len(bets))


def bets_due(state: State, seat: int) -> int:
    """How many bets a seat has made by now: one a line crossed, less those still asked."""
    if state.setup.plays("no-bets"):
        return 0
    steps = (step for step in state.pending if step.kind == "bets" and not step.again)
    return state.lines - sum(1 for step in steps if seat in step.seats)


def _bets(told: Any, before: tuple[str, ...]) -> tuple[str, ...]:
    """Bets by name; a null is the bet made `before` at that line, or one that is lost."""
    if not isinstance(told, list) or len(told) > LINES:
        bad("bets-form", f"bets is a list of up to {LINES} cars")
    secret = (*before, *[LOST] * LINES)
    found = []
    for bet, hidden in zip(told, secret, strict=False):
        if bet is not None and bet != NO_BET and bet not in CARS:
            bad("no-such-car", f"a bet is one of {', '.join(CARS)}, {NO_BET} or null", kind="bet")
        found.append(hidden if bet is None else str(bet))
    return tuple(found)


def _read_legs(state: State, told: Any, known: Player | None) -> tuple[Sheet, ...]:
    if not isinstance(told, list) or len(told) != state.leg - 1:
        if told == []:
            return (Sheet((), 0, 0, 0, None),) * (state.leg - 1)
        bad("legs-form", f"legs has a sheet for each race before, {state.leg - 1}",
            rule="DF-VAR-4")  # fmt: skip
    before = known.legs if known is not None else ()
    return tuple(_read_sheet(one, before[i : i + 1]) for i, one in enumerate(told))


def _read_sheet(told: Any, known: tuple[Sheet, ...]) -> Sheet:
    if not isinstance(told, dict):
        bad("legs-form", f"a sheet is an object, not {told!r:.60}")
    only_keys(told, SHEET_KEYS, "a sheet")
    race, won, spent = (
        whole(told.get(word, 0), word, 0, MOST_MONEY) for word in ("race", "bets_won", "spent")
    )
    best = told.get("best")
    if best is not None:
        best = whole(best, "best", 1, len(CARS))
    bets = _bets(told.get("bets", []), known[0].bets if known else ())
    sheet = Sheet(bets, race, won, spent, best)
    if told.get("total", sheet.total) != sheet.total:
        bad("money-differs", f"the total of a sheet is {sheet.total}", rule="DF-PAY-3")
    return sheet


# -- contradictions -----------------------------------------------------------------------


def _refuse_odd_steps(state: State) -> None:
    """Who plays is on turn, who is asked is there; what is sold was turned up."""
    for step in state.pending:
        if step.kind == "play" and step.seat != state.turn:
            bad("pending-form", f"seat {step.seat} plays, and on turn is {state.turn}")
        if not set(step.seats) <= set(state.here()):
            bad("pending-form", f"{step.kind} waits for a player who has left the table")
        if step.kind == "keep" and any(len(state.players[s].powers) < 2 for s in step.seats):
            bad("pending-form", "who keeps a power has two or more", rule="DF-BID-6")
    turned = {lot.car for lot in state.lots}
    for name, car in state.cars.items():
        if state.phase is Phase.AUCTION and car.owner is not None and name not in turned:
            bad("lots-differ", f"{name} is sold, and was not turned up", rule="DF-SETUP-1",
                car=name)  # fmt: skip


def _refuse_shared_powers(state: State) -> None:
    seen: set[str] = set()
    for player in state.players.values():
        for power in player.powers:
            if power in seen or state.setup.plays("no-powers"):
                bad("power-twice", f"{power} is held twice, or this game has no powers",
                    rule="DF-SETUP-1", power=power)  # fmt: skip
            seen.add(power)


def _compare_derived(state: State, told: Mapping[str, Any]) -> None:
    """What could be worked out and is told all the same must agree."""
    worked_out = tell_state(state)
    if "classification" in told and told["classification"] != worked_out["classification"]:
        bad("classification-differs", "the classification contradicts the money", rule="DF-PAY-3")
    for seat, part in told.get("players", {}).items():
        for word in sorted(DERIVED & set(part)):
            right = worked_out["players"][seat][word]
            if part[word] != right:
                bad("money-differs", f"{word} of seat {seat} is {right!r}, not {part[word]!r:.60}",
                    rule="DF-PAY-3", seat=seat, what=word)  # fmt: skip
