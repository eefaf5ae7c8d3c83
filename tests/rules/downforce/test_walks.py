"""Random games over every variant: money, bets, cars and secrets keep their order."""

from __future__ import annotations

import copy
import json
from itertools import combinations
from random import Random
from typing import Any

import pytest
from support.downforce import CARS, NoShelf, Table, header, shown

from companion.engine import Engine
from companion.rules.downforce.game import Downforce
from companion.rules.game import Answer

GAME = Downforce()
RULES = ("beginners", "no-powers", "no-bets", "two-players", "long-distance", "championship")
EVERY_VARIANT = [rules for size in range(7) for rules in combinations(RULES, size)]
RACE = (12, 9, 6, 4, 2, 0)
BETS = ((9, 6, 3), (6, 4, 2), (3, 2, 1))
JSON = dict[str, Any]


def rules_of(number: int) -> tuple[str, ...]:
    """Each of the 64 sets of variants in turn."""
    return EVERY_VARIANT[number % len(EVERY_VARIANT)]


def players_of(number: int) -> int:
    return 2 if "two-players" in rules_of(number) else 2 + number % 5


class Walk:
    """One game of random answers, with a diary of what the secrets are."""

    def __init__(self, number: int) -> None:
        self.dice = Random(number)
        self.rules = rules_of(number)
        self.table = Table(header(players_of(number), *self.rules))
        self.shown: list[tuple[JSON, list[JSON]]] = [self.look()]
        self.diary: dict[int, list[str]] = {seat: [] for seat in range(1, players_of(number) + 1)}

    def look(self) -> tuple[JSON, list[JSON]]:
        return self.table.state, self.table.asks

    @property
    def over(self) -> bool:
        return not self.table.engine.asks()

    def value(self, ask: JSON) -> Any:
        """A legal answer, most likely one that carries the game on."""
        options, dice = ask["options"], self.dice
        match ask["kind"]:
            case "pole":
                return dice.sample(CARS, 6)
            case "end":
                return dice.sample(CARS, 6) if len(options) == 6 else True
            case "bid":
                amount = dice.choice(options) if dice.random() < 0.6 else options[0]
                return {"amount": amount, "cars": dice.randint(3, 4), "wild": dice.random() < 0.3}
            case "played":
                home = dice.sample(options, min(len(options), dice.choice((0, 0, 0, 1, 1, 2))))
                lines = dice.choice(ask["lines"][:2]) if dice.random() < 0.9 else ask["lines"][-1]
                out = dice.random() < 0.05
                return {"lines": lines, "finished": home, "out_of_cards": out}
            case _:
                return dice.choice(options)

    def step(self) -> None:
        """Answer one open ask; the end of the race seldom as long as others are open."""
        asks = self.table.engine.asks()
        others = [ask for ask in asks if ask["kind"] != "end"]
        ask = self.dice.choice(others if others and self.dice.random() < 0.97 else asks)
        value, leg = self.value(ask), self.table.state.get("leg", 1)
        self.table.plays(ask["seat"], **{ask["kind"]: value})
        if ask["kind"] == "bet":
            self.diary[ask["seat"]].append(value)
        self.shown.append(self.look())
        self.check()
        if self.table.state.get("leg", 1) != leg or self.over:
            self.check_reveal()

    def check(self) -> None:
        state, asks = self.shown[-1]
        check_asks(asks)
        check_cars(state)
        check_bets(state, self.rules)
        check_secrets(state)
        check_money(state)

    def check_reveal(self) -> None:
        """The bets that come out are those that were made."""
        for seat, made in self.diary.items():
            player = self.table.player(seat)
            revealed = player["bets"] if self.over else player["legs"][-1]["bets"]
            assert revealed == made
            made.clear()

    def finish(self) -> None:
        for _ in range(2000):
            if self.over:
                return
            self.step()
        raise AssertionError("a game does not end")


def check_asks(asks: list[JSON]) -> None:
    keys = [(ask["seat"], ask["kind"]) for ask in asks]
    assert len(set(keys)) == len(keys), "a seat is asked the same twice"
    assert all(ask["options"] or ask["kind"] == "played" for ask in asks), "an ask without options"


def check_cars(state: JSON) -> None:
    """DF-BID-4: everybody has a car once the auction is over; DF-END-1: places are 1 to n."""
    places = sorted(car["place"] for car in state["cars"].values() if car["place"])
    assert places == list(range(1, len(places) + 1)), "places have gaps"
    for car in state["cars"].values():
        assert (car["owner"] is None) == (car["price"] is None), "a price without an owner"
    if state["phase"] in ("powers", "race"):
        assert all(player["cars"] for player in state["players"].values()), "nobody is left out"


def check_bets(state: JSON, rules: tuple[str, ...]) -> None:
    """DF-BET-1: a bet for each line crossed, but those still asked."""
    for seat, player in state["players"].items():
        steps = [step for step in state.get("pending", []) if step["step"] == "bets"]
        open_bets = sum(1 for step in steps if int(seat) in step["seats"])
        due = 0 if "no-bets" in rules else state["lines"] - open_bets
        assert len(player["bets"]) == due, "a bet too many or too few"


def check_secrets(state: JSON) -> None:
    """DF-BET-2: null until the reveal, and no money that would tell them."""
    if state["phase"] == "finished":
        return
    assert state["classification"] == []
    for player in state["players"].values():
        assert set(player["bets"]) <= {None}, "a bet is shown"
        assert (player["bets_won"], player["total"]) == (None, None), "money tells a bet"
    for step in state.get("pending", []):
        assert not any(step.get("bids", {}).values()), "a bid is shown"


def check_money(state: JSON) -> None:
    """DF-PAY-1, DF-PAY-2, DF-PAY-3, worked out afresh."""
    places = {name: car["place"] for name, car in state["cars"].items()}
    for seat, player in state["players"].items():
        legs = player.get("legs", [])
        own = [car for car in state["cars"].values() if car["owner"] == int(seat)]
        race = sum(RACE[car["place"] - 1] for car in own if car["place"])
        assert player["race"] == race + sum(leg["race"] for leg in legs), "race money differs"
        spent = sum(car["price"] for car in own) + sum(leg["spent"] for leg in legs)
        assert player["spent"] == spent, "the auction differs"
        if state["phase"] == "finished":
            won = sum(leg["bets_won"] for leg in legs)
            for paid, car in zip(BETS, player["bets"], strict=False):
                place = places.get(car)
                won += paid[place - 1] if place and place <= 3 else 0
            assert player["bets_won"] == won, "bets differ"
            assert player["total"] == player["race"] + won - spent, "the total differs"


@pytest.mark.parametrize("number", range(len(EVERY_VARIANT)))
def test_a_random_game_of_every_variant_keeps_its_order_to_the_end(number: int) -> None:
    """Every invariant at every line; then undo to the start, replay and fold come to the same."""
    play_through(number)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(EVERY_VARIANT), 200))
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
    state, events = GAME.begin(table.engine.header or {}, None)
    for event in events:
        state = GAME.evolve(state, event)
    for line in lines:
        kind = next(key for key in line if key != "seat")
        for event in GAME.decide(state, Answer(line["seat"], kind, line[kind])):
            state = GAME.evolve(state, event)
    return state


@pytest.mark.parametrize("number", range(0, 64, 3))
def test_every_state_of_a_random_game_is_a_position(number: int) -> None:
    """It tells the same and asks the same; what it cannot tell is asked when it is needed."""
    walk = Walk(number)
    told = header(players_of(number), *walk.rules)
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
    fresh.table = Table({**header(players_of(number), *walk.rules), "position": walk.table.state})
    for _ in range(500):
        asks = fresh.table.engine.asks()
        if not asks:
            break
        ask = fresh.dice.choice(asks)
        fresh.table.plays(ask["seat"], **{ask["kind"]: fresh.value(ask)})
    assert fresh.table.state["phase"] == "finished"


@pytest.mark.parametrize("number", range(0, 64, 7))
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


@pytest.mark.parametrize("number", range(0, 64, 9))
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
