"""Moments of a game of Downforce, as seats see them: what a test of its pages looks at."""

from __future__ import annotations

from collections.abc import Iterator

from companion.views.model import Scene, SeatInfo
from support.downforce.cards import Told
from support.downforce.table import CARS, POWERS, Table, bid, header

NAMES = ("Ana", "Bob", "Cid", "Dora", "Eve", "Fay")


class Seats(Table):
    """A table with people at it; `scene` is what their screens are a function of."""

    def __init__(self, players: int = 4, *rules: str, language: str = "en", **more: object) -> None:
        self.language = language
        self.log: list[dict[str, object]] = []
        data = header(players, *rules, **more)
        super().__init__(data)

    def says(self, line: dict[str, object]) -> list[dict[str, object]]:
        events = super().says(line)
        self.log += events
        return events

    def scene(self, **more: object) -> Scene:
        engine, players = self.engine, self.state["players"]
        infos = tuple(
            SeatInfo(int(seat), NAMES[int(seat) - 1], self.language, host=seat == "1")
            for seat in players
        )
        return Scene(
            version=engine.version,
            seats=infos,
            header=engine.header,
            state=engine.visible,
            asks=engine.open_asks,
            log=tuple(self.log),
            own={info.seat: engine.own(info.seat) for info in infos},
            **more,  # type: ignore[arg-type]
        )


def worked_example(language: str = "en") -> Seats:
    """DF-PAY-4: yellow 2nd, green 5th; bets on yellow, yellow and blue; green 4, yellow 5."""
    table = Seats(4, language=language)
    owners = {"green": (1, 4), "yellow": (1, 5), "black": (2, 6), "blue": (3, 3)}
    table.auction({**owners, "orange": (4, 2), "red": (2, 1)})
    for first, others in (("yellow", "red"), ("yellow", "black"), ("blue", "blue")):
        table.card(lines=1)
        table.bets({1: first, 2: others, 3: others, 4: others})
    table.card(finished=["blue", "yellow", "black", "red", "green", "orange"])
    return table


BOT = 6
DEALT = 7
"""Cards that each of six is dealt."""
LAST = [["red", 3]]
"""The card with which the bot buys the last car."""


def with_a_bot(language: str = "en") -> Seats:
    """Six at the table, the last a bot whose hand is to be entered; the cars are on the grid."""
    seats = [{"seat": seat} for seat in range(1, BOT)] + [{"seat": BOT, "hand": "entered"}]
    table = Seats(6, language=language, seats=seats)
    table.pole()
    return table


def bot_plays(card: Told, language: str = "en") -> Seats:
    """The same in the race: the bot, which has a car as everybody has, has turned up a card."""
    table = with_a_bot(language)
    table.plays(BOT, hand={"cards": [card] * (DEALT - 1) + [LAST]})
    for seat, car in enumerate(CARS, 1):
        table.lot(car)
        for other in table.asked("bid"):
            price = 6 if other == seat else 0
            table.plays(other, bid=bid(price) if other != BOT else bid(price and 3, cars=1))
    while table.asked("played"):
        table.card()
    table.plays(BOT, card=card)
    return table


def moments(language: str) -> Iterator[Scene]:
    """One scene of each thing that can go on."""
    table = Seats(4, language=language)
    yield table.scene()
    table.pole()
    yield table.scene(old={(0, "pole"): CARS, (0, "lot"): {"car": "orange", "power": "sly"}})
    table.lot("orange", "unpredictable")
    yield table.scene(old={(2, "bid"): bid(6, 4, wild=True)})
    table.bids({1: 0, 2: 6})
    yield table.scene()
    yield table.scene(refused={3: {"key": "must-bid", "rule": "DF-BID-4", "args": {}}})
    yield table.scene(paused=True)
    table.bids({3: 6, 4: 0})
    yield table.scene()
    table.plays(0, award=2)
    for car, seat in {"black": 2, "yellow": 2, "green": 3, "blue": 4, "red": 1}.items():
        table.sell(car, seat, 5)
    yield table.scene()
    for ask in list(table.asks):
        table.plays(ask["seat"], keep=ask["options"][0])
    yield table.scene()
    table.card(lines=1)
    yield table.scene()
    table.bets({1: "orange", 2: "yellow", 3: "orange", 4: "orange"})
    table.card(lines=2)
    for _ in range(2):
        table.bets(dict.fromkeys((1, 2, 3, 4), "orange"))
    yield table.scene()
    table.plays(table.asked("played")[0], played={"finished": ["orange"]})
    yield table.scene()
    yield worked_example(language).scene()
    yield from _variants(language)
    yield from _told(language)


def _told(language: str) -> Iterator[Scene]:
    """What a table left to itself is asked: whose a lot is, what happened, powers of its own."""
    house = {"auction": "entered", "cards": "events"}
    own = [{"name": "daring", "reminder": "May pass on the curb, once a race and only there."}]
    table = Seats(4, language=language, house=house, powers=own)
    table.pole()
    yield table.scene(old={(0, "lot"): {"car": "red", "power": "daring", "seat": 3, "price": 6}})
    powers = ["daring", *POWERS]
    for number, car in enumerate(CARS):
        seat = None if car == "blue" else 1 + number % 4
        lot = {"car": car, "power": powers[number], "seat": seat}
        table.plays(0, lot=lot if seat is None else {**lot, "price": 5})
        yield table.scene()
    while table.asked("lot"):
        ask = table.ask("lot")
        table.plays(0, lot={**ask["options"][0], "seat": ask["seats"][0], "price": 1})
    for seat in table.asked("keep"):
        table.plays(seat, keep=table.player(seat)["powers"][0])
    yield table.scene()
    table.plays(0, played={"lines": 1})
    table.bets(dict.fromkeys((1, 2, 3, 4), "orange"))
    table.plays(0, played={"lines": 2, "finished": ["orange", "yellow"]})
    yield table.scene()


def _variants(language: str) -> Iterator[Scene]:
    """What only a variant asks: cars dealt, a lot without a power, an order at the end."""
    dealt = Seats(4, "beginners", language=language)
    dealt.pole()
    yield dealt.scene()
    dealt.lot("orange")
    yield dealt.scene()
    far = Seats(2, "long-distance", "no-bets", "no-powers", language=language)
    far.pole()
    for number, car in enumerate(CARS):
        far.plays(0, lot={"car": car, "power": None})
        asked = far.asked("bid")
        far.bids({seat: 3 if seat == asked[number % len(asked)] else 0 for seat in asked})
    for _ in range(2):
        yield far.scene()
        far.card(out=True)
    yield far.scene()
