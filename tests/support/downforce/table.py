"""A table that plays Downforce: lines in, replies out, and short words for whole phases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.race.engine import Engine

CARS = ["black", "blue", "green", "yellow", "orange", "red"]
POWERS = ["aggressive", "cunning", "determined", "strategist", "sly", "unpredictable"]
JSON = dict[str, Any]


class NoShelf:
    """Downforce opens no track file."""

    def load(self, name: str) -> Any:
        raise AssertionError(f"the track {name!r} was opened")


def header(players: int = 4, *rules: str, **more: Any) -> JSON:
    """A header with seats 1 to `players`."""
    seats = [{"seat": seat} for seat in range(1, players + 1)]
    return {"game": "downforce", "track": None, "rules": list(rules), "seats": seats, **more}


def bid(amount: int, cars: int = 4, wild: bool = False) -> JSON:
    """A bid in full."""
    return {"amount": amount, "cars": cars, "wild": wild}


def shown(asks: Sequence[Mapping[str, Any]]) -> list[JSON]:
    """Asks without `since`."""
    return [{key: value for key, value in ask.items() if key != "since"} for ask in asks]


class Table:
    """One engine; a line that is refused by surprise fails the test with its own sentence."""

    def __init__(self, data: JSON | None = None) -> None:
        self.engine = Engine(NoShelf())
        self.events: list[JSON] = self.says({"new": data or header()})

    # -- lines ---------------------------------------------------------------------------

    def says(self, line: JSON) -> list[JSON]:
        """A line that must be accepted; its events."""
        reply = self.engine.handle(line)
        assert reply["ok"], f"{line}: {reply['error']['message']}"
        return list(reply["events"])

    def plays(self, seat: int, **answer: Any) -> list[JSON]:
        """An answer that must be accepted; its events."""
        return self.says({"seat": seat, **answer})

    def refused(self, line: JSON) -> JSON:
        """The error of a line that must be refused and change nothing."""
        before = (self.state, self.engine.asks(), self.engine.version, len(self.engine.lines))
        reply = self.engine.handle(line)
        assert not reply["ok"], f"{line} was accepted"
        after = (self.state, self.engine.asks(), self.engine.version, len(self.engine.lines))
        assert before == after, f"refused {line} left a trace"
        return dict(reply["error"])

    def why(self, seat: int, **answer: Any) -> tuple[str, str | None]:
        """Code and rule of a refused answer."""
        error = self.refused({"seat": seat, **answer})
        return error["code"], error["rule"]

    # -- what is shown -------------------------------------------------------------------

    @property
    def state(self) -> JSON:
        state = self.engine.state()
        assert state is not None
        return state

    @property
    def asks(self) -> list[JSON]:
        return shown(self.engine.asks())

    def asked(self, kind: str) -> list[int]:
        """The seats that are asked this."""
        return [ask["seat"] for ask in self.engine.asks() if ask["kind"] == kind]

    def ask(self, kind: str) -> JSON:
        """The first open ask of this kind."""
        return next(ask for ask in self.asks if ask["kind"] == kind)

    def player(self, seat: int) -> JSON:
        player: JSON = self.state["players"][str(seat)]
        return player

    def owner(self, car: str) -> int | None:
        owner: int | None = self.state["cars"][car]["owner"]
        return owner

    # -- whole phases --------------------------------------------------------------------

    def pole(self, order: Sequence[str] = CARS) -> None:
        self.plays(0, pole=list(order))

    def lot(self, car: str, power: str | None = None) -> list[JSON]:
        """Turn a lot up; without a word the next power that has not been."""
        left = [option["power"] for option in self.ask("lot")["options"]]
        return self.plays(0, lot={"car": car, "power": power or left[0]})

    def bids(self, bids: Mapping[int, int | JSON]) -> list[JSON]:
        """All these bids; the events of the last one."""
        events: list[JSON] = []
        for seat, one in bids.items():
            events = self.plays(seat, bid=one if isinstance(one, dict) else bid(one))
        return events

    def sell(self, car: str, seat: int, price: int = 1) -> None:
        """A lot that this seat gets at this price, the others bidding 0."""
        self.lot(car)
        self.bids({other: price if other == seat else 0 for other in self.asked("bid")})

    def auction(self, owners: Mapping[str, tuple[int, int]]) -> None:
        """The whole auction: car to seat and price; the first power is kept."""
        self.pole()
        for car, (seat, price) in owners.items():
            self.sell(car, seat, price)
        for ask in self.asks:
            if ask["kind"] == "keep":
                self.plays(ask["seat"], keep=ask["options"][0])

    def card(self, lines: int = 0, finished: Sequence[str] = (), out: bool = False) -> list[JSON]:
        """The seat on turn plays a card."""
        data = {"lines": lines, "finished": list(finished), "out_of_cards": out}
        return self.plays(self.asked("played")[0], played=data)

    def passed(self, lines: int = 3) -> Table:
        """So many betting lines are behind the cars, and nobody has bet on any."""
        players = {seat: {"bets": ["none"] * lines} for seat in self.state["players"]}
        self.says({"correct": {"lines": lines, "players": players}, "reason": "told late"})
        return self

    def bets(self, cars: Mapping[int, str]) -> list[JSON]:
        """All these bets; the events of the last one."""
        events: list[JSON] = []
        for seat, car in cars.items():
            events = self.plays(seat, bet=car)
        return events


FOUR = {"black": (1, 1), "blue": (2, 2), "green": (3, 4), "yellow": (3, 5), "orange": (4, 3),
        "red": (1, 6)}  # fmt: skip
"""Owners and prices of a plain auction of four."""


def racing(*rules: str, players: int = 4) -> Table:
    """Four players at the start of their race, everything sold as in `FOUR`."""
    table = Table(header(players, *rules))
    table.auction(FOUR)
    return table


def named(events: Sequence[JSON], name: str) -> list[JSON]:
    """The events of this name."""
    return [event for event in events if event["event"] == name]
