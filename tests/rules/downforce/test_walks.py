"""Random games over every variant: money, bets, cars and secrets keep their order."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.downforce.cards import told
from support.downforce.table import CARS, NoShelf, Table, shown
from support.downforce.walk import (
    ENTERED,
    EVERY_VARIANT,
    Walk,
    check_asks,
    check_bets,
    check_cars,
    check_money,
    check_secrets,
)
from support.each import few_now

from companion.race.engine import Engine
from companion.rules.downforce.game import Downforce
from companion.rules.lines import Answer

FOR_CHECK = 1
GAME = Downforce()
JSON = dict[str, Any]


def few_for_check(numbers: Iterable[int]) -> list[Any]:
    """Games from all over these, the others for `make test`."""
    told = list(numbers)
    return few_now(told, len(told), told[:: max(1, len(told) // FOR_CHECK)])


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EVERY_VARIANT)))
def test_a_random_game_of_every_variant_keeps_its_order_to_the_end(number: int) -> None:
    """Every invariant at every line; then undo to the start, replay and fold come to the same."""
    play_through(number)


@pytest.mark.parametrize("number", few_for_check(range(ENTERED, ENTERED + 64, 7)))
def test_random_games_with_entered_hands_keep_their_order_to_the_end(number: int) -> None:
    """DF-CARD-1, DF-CARD-2, DF-CARD-3."""
    play_through(number)


@pytest.mark.parametrize("number", few_for_check(range(ENTERED, ENTERED + 64, 11)))
def test_every_state_with_an_entered_hand_is_a_position_that_asks_for_it_again(
    number: int,
) -> None:
    """DF-CARD-1: a STATE lacks the hand; entered again the game goes on as it was."""
    walk = Walk(number)
    while not walk.over:
        walk.step()
        state, asks = walk.look()
        fresh = Table({**walk.header, "position": copy.deepcopy(state)})
        while fresh.asked("hand") and not walk.table.asked("hand"):
            seat = fresh.asked("hand")[0]
            cards = [told(card) for card in walk.held(seat)]
            fresh.plays(seat, hand={"cards": cards})
        if fresh.asks == asks and not secrets_in(state):
            before, after = (walk.table.engine.moment, fresh.engine.moment)
            assert after == replace(before, players=after.players)
            assert all(after.players[s].cards in (p.cards, None) for s, p in before.players.items())
        else:
            assert fresh.asked("hand") or secrets_in(state)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("number", range(len(EVERY_VARIANT), 256))
def test_more_random_games_keep_their_order_to_the_end(number: int) -> None:
    """The same with other players and other chances."""
    play_through(number)


def play_through(number: int) -> None:
    walk = Walk(number)
    walk.finish()
    engine = walk.table.engine
    lines, moment = list(engine.lines), engine.moment
    replayed(walk.table, lines)
    assert folded(walk.table, lines) == moment
    for earlier in reversed(walk.shown[:-1]):
        walk.table.says({"undo": 1})
        assert walk.look() == earlier
    for line in lines:
        walk.table.says(line)
    assert engine.moment == moment


def replayed(table: Table, lines: list[Any]) -> None:
    """A new engine that is told the same lines is in the same state."""
    fresh = Table(dict(table.engine.header or {}))
    for line in lines:
        fresh.says(line)
    assert fresh.engine.moment == table.engine.moment
    assert fresh.state == table.state


def folded(table: Table, lines: list[Any]) -> Any:
    """The state from the events alone."""
    begun = GAME.begin(table.engine.header or {}, None)
    state = begun.state
    for event in begun.events:
        state = event.applied(state)
    for line in lines:
        kind = next(key for key in line if key != "seat")
        answer = Answer(line["seat"], kind, line[kind])
        decision = GAME.decide(state, answer, GAME.asks(state))
        for event in decision.events:
            state = event.applied(state)
        assert state == decision.state
    return state


@pytest.mark.parametrize("number", few_for_check([*range(0, 64, 3), *range(65, 256, 13)]))
def test_every_state_of_a_random_game_is_a_position(number: int) -> None:
    """It tells the same and asks the same; what it cannot tell is asked when it is needed."""
    walk = Walk(number)
    told = walk.header
    while not walk.over:
        walk.step()
        state, asks = walk.look()
        fresh = Engine(NoShelf())
        reply = fresh.handle({"new": {**told, "position": copy.deepcopy(state)}})
        assert reply["ok"], reply["error"]["message"]
        assert (fresh.state(), shown(fresh.asks())) == (state, asks)
        if not secrets_in(state):
            assert fresh.moment == walk.table.engine.moment, "something is lost besides secrets"


def secrets_in(state: JSON) -> bool:
    """Whether a STATE has nulls that stand for bids or bets."""
    bets = [bet for player in state["players"].values() for bet in player["bets"]]
    return None in bets or any(step.get("bids") for step in state.get("pending", []))


@pytest.mark.parametrize("number", [3, 27, 41, 58])
def test_a_random_game_goes_on_from_any_state_to_its_end(number: int) -> None:
    """Whatever is asked again, the race comes to an end."""
    walk = Walk(number)
    for _ in range(25 + number):
        if not walk.over:
            walk.step()
    fresh = Walk(number)
    fresh.table = Table({**walk.header, "position": walk.table.state})
    for _ in range(500):
        asks = fresh.table.engine.asks()
        if not asks:
            break
        ask = fresh.dice.choice(asks)
        fresh.table.plays(ask["seat"], **{ask["kind"]: fresh.value(ask)})
    assert fresh.table.state["phase"] == "finished"


@pytest.mark.parametrize(
    "number", few_for_check([*range(0, 64, 7), *range(ENTERED, ENTERED + 64, 9)])
)
def test_players_come_and_go_in_a_random_game(number: int) -> None:
    """Retire and return at any time: the game goes on, money and secrets keep their order."""
    walk = Walk(number)
    table, dice = walk.table, Random(number)
    for _ in range(400):
        if walk.over:
            break
        players = table.state["players"]
        gone = [seat for seat, player in players.items() if player.get("left")]
        if gone and dice.random() < 0.2:
            table.says({"seat": int(dice.choice(gone)), "return": True})
        elif len(gone) + 1 < len(players) and dice.random() < 0.05:
            there = sorted(set(players) - set(gone))
            table.says({"seat": int(dice.choice(there)), "retire": True})
        elif asks := table.engine.asks():
            ask = dice.choice(asks)
            table.plays(ask["seat"], **{ask["kind"]: walk.value(ask)})
        check_asks(table.asks)
        check_money(table.state)
        bets = [bet for player in table.state["players"].values() for bet in player["bets"]]
        assert table.state["phase"] == "finished" or set(bets) <= {None, "none"}
    assert walk.over


JUNK = (None, True, False, -1, 0, 1, 7, 99, 2.5, "", "red", "sly", [], ["red"], CARS, {},
        {"amount": 1}, {"car": "red"}, {"lines": 9}, {"finished": ["red", "red"]})  # fmt: skip


@pytest.mark.parametrize("number", few_for_check([*range(0, 64, 9), ENTERED + 1, ENTERED + 16]))
def test_a_line_that_is_refused_changes_nothing(number: int) -> None:
    """Junk in every ask of a random game: accepted whole, or refused without a trace."""
    walk = Walk(number)
    while not walk.over:
        ask = walk.dice.choice(walk.table.engine.asks())
        before = (walk.look(), walk.table.engine.version)
        for kind in (ask["kind"], "bet", "end", "correct"):
            line = {"seat": ask["seat"], kind: walk.dice.choice(JUNK)}
            reply = walk.table.engine.handle(line)
            json.dumps(reply)
            if reply["ok"]:
                walk.table.says({"undo": 1})
                assert walk.look() == before[0]
            else:
                assert (walk.look(), walk.table.engine.version) == before
            before = (walk.look(), walk.table.engine.version)
        walk.step()


# Each check can fail.


def sound() -> tuple[JSON, list[JSON]]:
    """A state in the race, with bets open."""
    walk = Walk(0)
    while not any(step["step"] == "bets" for step in walk.table.state.get("pending", [])):
        walk.step()
    return walk.look()


def test_each_invariant_can_fail() -> None:
    """A sound state with one thing wrong is found by the check meant for it."""
    state, asks = sound()

    def spoiled(*path: Any, value: Any) -> JSON:
        wrong = copy.deepcopy(state)
        part: Any = wrong
        for key in path[:-1]:
            part = part[key]
        part[path[-1]] = value
        return wrong

    with pytest.raises(AssertionError, match="the same twice"):
        check_asks([*asks, asks[0]])
    with pytest.raises(AssertionError, match="without options"):
        check_asks([{**asks[0], "options": []}])
    with pytest.raises(AssertionError, match="gaps"):
        check_cars(spoiled("cars", "red", "place", value=6))
    with pytest.raises(AssertionError, match="without an owner"):
        check_cars(spoiled("cars", "red", value={"owner": None, "price": 3, "place": None}))
    with pytest.raises(AssertionError, match="left out"):
        check_cars(spoiled("players", "1", "cars", value=[]))
    with pytest.raises(AssertionError, match="too many"):
        check_bets(spoiled("players", "1", "bets", value=[None] * 4), ())
    with pytest.raises(AssertionError, match="a bet is shown"):
        check_secrets(spoiled("players", "1", "bets", value=["red"]))
    with pytest.raises(AssertionError, match="money tells"):
        check_secrets(spoiled("players", "1", "total", value=3))
    with pytest.raises(AssertionError, match="a bid is shown"):
        check_secrets(spoiled("pending", value=[{"step": "bids", "bids": {"1": 5}}]))
    with pytest.raises(AssertionError, match="race money"):
        check_money(spoiled("players", "1", "race", value=99))
    with pytest.raises(AssertionError, match="the auction"):
        check_money(spoiled("players", "1", "spent", value=99))


def test_the_check_of_the_money_at_the_end_can_fail() -> None:
    walk = Walk(0)
    walk.finish()
    for word, found in (("bets_won", "bets differ"), ("total", "the total")):
        wrong = copy.deepcopy(walk.table.state)
        wrong["players"]["1"][word] = 99
        with pytest.raises(AssertionError, match=found):
            check_money(wrong)
