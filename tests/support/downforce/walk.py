"""A random game of Downforce, and what must hold at every line of it."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

from companion.rules.downforce.cards import bids_of
from support.downforce.cards import entered_header, random_hand, told
from support.downforce.table import CARS, Table, header

RULES = ("beginners", "no-powers", "no-bets", "two-players", "long-distance", "championship")
EVERY_VARIANT = [rules for size in range(7) for rules in combinations(RULES, size)]
PARTS = ("dealt", "hands-of-three", "first-wins")
HOUSES = (
    {},
    {"auction": "entered", "cards": "events"},
    {"auction": "entered", "first_home": "any"},
    {"cards": "events"},
)
ENTERED = 256
"""From this number on hands are entered."""
RACE = (12, 9, 6, 4, 2, 0)
BETS = ((9, 6, 3), (6, 4, 2), (3, 2, 1))
JSON = dict[str, Any]


def rules_of(number: int) -> tuple[str, ...]:
    """Each of the 64 sets of variants in turn."""
    return EVERY_VARIANT[number % len(EVERY_VARIANT)]


def players_of(number: int) -> int:
    return 2 if "two-players" in rules_of(number) else 2 + number % 5


def header_of(number: int) -> JSON:
    """A game's header: from the 65th on with house switches too, from the 129th the beginners'
    rules one by one, from the 257th with hands that are entered, of every second seat."""
    if number >= ENTERED:
        rules = tuple(rule for rule in rules_of(number) if rule not in ("beginners", "two-players"))
        players = players_of(number)
        return entered_header(players, *rules, seats=tuple(range(1, players + 1, 2)))
    rules, switches = rules_of(number), HOUSES[number // len(EVERY_VARIANT) % len(HOUSES)]
    if number >= 2 * len(EVERY_VARIANT):
        parts = tuple(one for at, one in enumerate(PARTS) if number >> at & 1)
        rules = (*parts, *(rule for rule in rules if rule != "beginners"))
    return header(players_of(number), *rules, house=switches)


class Walk:
    """One game of random answers, with a diary of what the secrets are."""

    rules: tuple[str, ...] = ()

    def __init__(self, number: int) -> None:
        self.dice = Random(number)
        self.header = header_of(number)
        self.rules = tuple(self.header["rules"])
        self.table = Table(self.header)
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
            case "bid" if self.held(ask["seat"]):
                return self.bid_in_hand(ask)
            case "bid":
                amount = dice.choice(options) if dice.random() < 0.6 else options[0]
                return {"amount": amount, "cars": dice.randint(3, 4), "wild": dice.random() < 0.3}
            case "hand":
                return {"cards": random_hand(dice, ask["cards"])}
            case "card":
                return told(dice.choice(self.held(ask["seat"])))
            case "standing":
                return dice.sample(options, len(options))
            case "lot" if "seats" in ask:
                return entered(ask, dice)
            case "played":
                return self.played(ask)
            case _:
                return dice.choice(options)

    def played(self, ask: JSON) -> JSON:
        """What a card did; the finish lies beyond all betting lines (DF-BET-1)."""
        options, lines, dice = ask["options"], ask["lines"], self.dice
        home = dice.sample(options, min(len(options), dice.choice((0, 0, 0, 1, 1, 2))))
        crossed = dice.choice(lines[:2]) if dice.random() < 0.9 else lines[-1]
        if crossed < lines[-1] and "no-bets" not in self.rules:
            home = []
        out = ask["seat"] > 0 and dice.random() < 0.05
        return {"lines": crossed, "finished": home, "out_of_cards": out}

    def held(self, seat: int) -> Any:
        """The cards of an entered hand; nothing of another's."""
        return self.table.engine.moment.players[seat].cards or ()

    def bid_in_hand(self, ask: JSON) -> JSON:
        """What a card of an entered hand bids."""
        bids = [bid for _, bid in bids_of(self.held(ask["seat"]), ask["car"])]
        if ask["forced"]:
            lowest = min(bid.amount for bid in bids if bid.amount)
            bids = [bid for bid in bids if bid.amount == lowest]
        bid = self.dice.choice(bids)
        return {"amount": bid.amount, "cars": bid.cars, "wild": bid.wild}

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


def entered(ask: JSON, dice: Random) -> JSON:
    """A lot with who has it; seldom nobody."""
    seats = [seat for seat in ask["seats"] if seat is not None]
    seat = dice.choice(seats) if seats and dice.random() < 0.8 else ask["seats"][-1]
    lot = {**dice.choice(ask["options"]), "seat": seat}
    if seat is None or "prices" not in ask:
        return lot
    return {**lot, "price": dice.choice([price for price in ask["prices"] if price != 8])}


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
        assert "cards" not in player, "a hand is shown"
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
