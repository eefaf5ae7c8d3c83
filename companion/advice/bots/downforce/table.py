"""A table at which nobody sits: the cards are the assumed ones, the board a straight road.

The rules of the companion keep auction, turns, bets and money; here is what lies on the table
otherwise. The road has three lanes, now and then two or one; a car goes forward straight on or
slantwise onto free spaces, as far as its line says or as it can (the book: moving the cars).
Powers do nothing here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol, TypeVar

from companion.advice.bots.downforce.deck import DECK
from companion.advice.bots.downforce.level import Level, answer
from companion.rules.commands import Answer
from companion.rules.downforce.forms import Card
from companion.rules.downforce.game import Downforce
from companion.rules.downforce.state import State
from companion.rules.downforce.tables import CARS, LINES, POWERS, SPEED_CARDS, WILD

T = TypeVar("T")
LENGTH: Final = 66
"""Spaces from pole to the finish."""
LINES_AT: Final = (19, 36, 52)
LANES: Final = 3
NARROW: Final = {**dict.fromkeys(range(12, 17), 2), **dict.fromkeys(range(28, 33), 1),
                 **dict.fromkeys(range(45, 50), 2)}  # fmt: skip
"""Spaces with fewer lanes."""

Place = tuple[int, int]
"""How far along the road, and in which lane."""


class Shuffle(Protocol):
    """What deals and draws: `random.Random`, say."""

    def sample(self, population: Sequence[T], k: int) -> list[T]:
        """So many of these, in a drawn order."""


class Road:
    """Where the cars are, and what a card does to them."""

    def __init__(self, grid: Sequence[str]) -> None:
        self.at: dict[str, Place] = {car: (-(n // 2), n % 2) for n, car in enumerate(grid)}
        self.home: list[str] = []

    @property
    def standing(self) -> list[str]:
        """The cars on the road, the foremost first, of two that are level the one inside."""
        return sorted(self.at, key=lambda car: (-self.at[car][0], self.at[car][1]))

    def lines(self) -> int:
        """How many betting lines the foremost car is over."""
        far = LENGTH if self.home else max(space for space, _ in self.at.values())
        return sum(far >= line for line in LINES_AT)

    def play(self, card: Card, own: Sequence[str]) -> None:
        """Carry a card out, its wilds for a car of one's own, else for the last on the road."""
        left = [car for car in CARS if car not in {color for color, _ in card}]
        for color, spaces in card:
            car = color if color != WILD else self._for_wild(left, own)
            if color == WILD and car in left:
                left.remove(car)
            if car in self.at:
                self._move(car, spaces)

    def _for_wild(self, left: Sequence[str], own: Sequence[str]) -> str:
        order = [car for car in self.standing if car in left]
        mine = [car for car in order if car in own]
        return mine[0] if mine else order[-1] if order else ""

    def _move(self, car: str, spaces: int) -> None:
        taken = {place for other, place in self.at.items() if other != car}
        reached = [self.at[car]]
        for _ in range(spaces):
            onward = {to for place in reached for to in _ahead(place) if to not in taken}
            if not onward:
                break
            reached = sorted(onward, key=lambda to: ((to[0] + 1, to[1]) in taken, to[1]))
        self.at[car] = reached[0]
        if reached[0][0] >= LENGTH:
            del self.at[car]
            self.home.append(car)


def _ahead(place: Place) -> list[Place]:
    space, lane = place[0] + 1, place[1]
    lanes = LANES if space >= LENGTH else NARROW.get(space, LANES)
    side = min(lane, lanes - 1)  # where the road narrows the outer lane leads inside
    return [(space, one) for one in range(max(0, side - 1), min(lanes, side + 2))]


class Table:
    """One game: what is dealt and drawn for it, so that others may play the same."""

    def __init__(self, players: int, dice: Shuffle) -> None:
        self.seats = range(1, players + 1)
        cards, each = dice.sample(DECK, len(DECK)), SPEED_CARDS // players
        self._hands = {seat: cards[(seat - 1) * each : seat * each] for seat in self.seats}
        self._grid, cars = dice.sample(CARS, len(CARS)), dice.sample(CARS, len(CARS))
        self._lots = list(zip(cars, dice.sample(POWERS, len(POWERS)), strict=True))
        self._ties = dice.sample(range(players), players)

    def play(self, levels: Mapping[int, Level]) -> State:
        """The state at the end of the game between these levels, by seat."""
        game, road = Downforce(), Road(self._grid)
        seats = [{"seat": seat, "hand": "entered"} for seat in self.seats]
        state = game.begin({"game": "downforce", "seats": seats}, None).state
        while asks := game.asks(state):
            ask = asks[0]
            value = self._told(state, ask, road)
            if value is None:
                value = answer(levels[ask.seat], state, ask)
            state = game.decide(state, Answer(ask.seat, ask.kind, value), asks).state
        return state

    def _told(self, state: State, ask: Any, road: Road) -> object:
        """What lies on the table; None: it is the bot's to say."""
        match ask.kind:
            case "hand":
                return {"cards": [[list(line) for line in card] for card in self._hands[ask.seat]]}
            case "pole":
                return self._grid
            case "standing":
                return road.standing
            case "end":
                return True
            case "lot":
                car, power = self._lots[len(state.lots)]
                return {"car": car, "power": power}
            case "award":
                return min(ask.seats, key=lambda seat: self._ties[seat - 1])
            case "played":
                home = len(road.home)
                road.play(ask.card, state.cars_of(ask.seat))
                lines = min(road.lines(), LINES) - state.lines
                return {"lines": lines, "finished": road.home[home:]}
        return None
