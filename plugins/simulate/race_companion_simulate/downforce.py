"""Games of Downforce as they are simulated: a table at which nobody sits, and what many come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from companion.advice.bots.downforce import DECK, Level, answer
from companion.advice.bots.levels import level_kind
from companion.rules.downforce.bets import classification, sheets
from companion.rules.downforce.game import Downforce
from companion.rules.downforce.state import TABLE, State
from companion.rules.downforce.tables import CARS, LEGS, LINES, POWERS, SPEED_CARDS, WILD, Card
from companion.rules.lines import Answer
from companion.system.frozen import dataclass

# The rules keep auction, turns, bets and money; here is what lies on the table otherwise. The cards
# are the assumed ones. The road has three lanes, now and then two or one; a car goes forward
# straight on or slantwise onto free spaces, as far as its line says or as it can (the book: moving
# the cars). Without a finish line it goes on in the same way. Powers do nothing here.

T = TypeVar("T")
TABLE_LENGTH: Final = 66
"""Spaces from pole to the finish."""
TABLE_LINES_AT: Final = (19, 36, 52)
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
    """Where the cars are, and what a card does to them; `endless`: without a finish (DF-VAR-3)."""

    def __init__(self, grid: Sequence[str], *, endless: bool = False) -> None:
        self._endless = endless
        self.at: dict[str, Place] = {car: (-(n // 2), n % 2) for n, car in enumerate(grid)}
        self.home: list[str] = []

    @property
    def standing(self) -> list[str]:
        """The cars on the road, the foremost first, of two that are level the one inside."""
        return sorted(self.at, key=lambda car: (-self.at[car][0], self.at[car][1]))

    def lines(self) -> int:
        """How many betting lines the foremost car is over."""
        far = TABLE_LENGTH if self.home else max(space for space, _ in self.at.values())
        return sum(far >= line for line in TABLE_LINES_AT)

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
        if reached[0][0] >= TABLE_LENGTH and not self._endless:
            del self.at[car]
            self.home.append(car)


def _ahead(place: Place) -> list[Place]:
    space, lane = place[0] + 1, place[1]
    lanes = NARROW.get(space % TABLE_LENGTH, LANES)
    side = min(lane, lanes - 1)  # where the road narrows the outer lane leads inside
    return [(space, one) for one in range(max(0, side - 1), min(lanes, side + 2))]


class Deal:
    """What is dealt and drawn for a race; `seats` in the order of the hands."""

    def __init__(self, seats: Sequence[int], dice: Shuffle) -> None:
        cards, each = dice.sample(DECK, len(DECK)), SPEED_CARDS // len(seats)
        self.hands = {seat: cards[n * each : (n + 1) * each] for n, seat in enumerate(seats)}
        self.grid, cars = dice.sample(CARS, len(CARS)), dice.sample(CARS, len(CARS))
        self._lots = list(zip(cars, dice.sample(POWERS, len(POWERS)), strict=True))
        self._first = dice.sample(seats, len(seats))

    def lot(self, number: int, *, power: bool) -> dict[str, str | None]:
        """The lot that is turned up after so many, with its power or without."""
        car, drawn = self._lots[number]
        return {"car": car, "power": drawn if power else None}

    def award(self, seats: Sequence[int | None]) -> int | None:
        """Who of these gets a car, nobody only where it can be nobody else's."""
        return next((seat for seat in self._first if seat in seats), None)


class Table:
    """One game: what is dealt and drawn for it, so that others may play the same.

    Args:
        players: how many, 2 to 6.
        rules: optional ones, of those that go with entered hands.
    """

    def __init__(self, players: int, dice: Shuffle, rules: Sequence[str] = ()) -> None:
        self._header = header(players, rules)
        self._deals = [Deal(range(1, players + 1), dice) for _ in range(LEGS)]

    def play(self, levels: Mapping[int, Level]) -> State:
        """The state at the end of the game between these levels, by seat."""
        game = Downforce()
        state = game.begin(self._header, None).state
        endless = state.setup.plays("long-distance")
        legs = [(deal, Road(deal.grid, endless=endless)) for deal in self._deals]
        while asks := game.asks(state):
            ask = asks[0]
            if ask.by_hand or ask.seat == TABLE:
                value = _on_the_table(state, ask, *legs[state.leg - 1])
            else:
                value = answer(levels[ask.seat], state, ask)
            state = game.decide(state, Answer(ask.seat, ask.kind, value), asks).state
        return state


def header(players: int, rules: Sequence[str]) -> dict[str, object]:
    """The header of a game at which every hand is entered."""
    seats = [{"seat": seat, "hand": "entered"} for seat in range(1, players + 1)]
    return {"game": "downforce", "rules": list(rules), "seats": seats}


def _on_the_table(state: State, ask: Any, deal: Deal, road: Road) -> object:
    """What lies on the table."""
    match ask.kind:
        case "hand":
            return {"cards": [[list(line) for line in card] for card in deal.hands[ask.seat]]}
        case "pole":
            return deal.grid
        case "standing":
            return road.standing
        case "end":
            return road.standing if state.setup.plays("long-distance") else True
        case "lot":
            return deal.lot(len(state.lots), power=not state.setup.plays("no-powers"))
        case "award":
            return deal.award(ask.seats)
        case "played":
            home = len(road.home)
            road.play(ask.card, state.cars_of(ask.seat))
            lines = min(road.lines(), LINES) - state.lines
            return {"lines": lines, "finished": road.home[home:]}
    raise TypeError(f"nothing on the table tells {ask.kind}")


# -- games by the thousand ------------------------------------------------------------------------


GAME = "downforce"


class Played(NamedTuple):
    """How a seat of one game did: `place` from 1, the rest in millions; `total` of all of it."""

    race: int
    seat: int
    level: str
    place: int
    prizes: int
    bets: int
    spent: int
    total: int


@dataclass(frozen=True, slots=True)
class GameStudy:
    """What is simulated: a game of `levels`, seat by seat; `rules` are optional rules."""

    rules: tuple[str, ...]
    levels: tuple[str, ...]
    seed: int

    def prepare(self) -> None:
        """Whether it can be simulated.

        Raises:
            Malformed: the header contradicts itself, a level is unknown.
        """
        for name in self.levels:
            level_kind(name, GAME)
        Downforce().begin(header(len(self.levels), self.rules), None)

    def boards(self) -> Mapping[str, bytes]:
        """Empty: no level of this game needs a solved board."""
        return {}

    def with_boards(self, folder: Path) -> GameStudy:
        """The same."""
        return self

    def crew(self) -> GameStudy:
        """The same: nothing has to be set up."""
        return self

    def play(self, race: int, dice: Shuffle) -> list[Played]:
        """One game; its number is noted."""
        made = {name: level_kind(name, GAME).make(None) for name in set(self.levels)}
        table = Table(len(self.levels), dice, self.rules)
        end = table.play({seat: made[name] for seat, name in enumerate(self.levels, 1)})
        places = {seat: place for place, seat in classification(end)}
        return [
            _row(race, end, seat, level, places[seat]) for seat, level in enumerate(self.levels, 1)
        ]

    def tell(self, rows: Sequence[Played]) -> dict[str, object]:
        """What `companion simulate` tells of its games, without the clock.

        `wins_by_seat` counts a shared first place for each; `money` is a seat's mean, in millions.
        """
        wins = Counter(row.seat for row in rows if row.place == 1)
        levels = {
            name: _level([row for row in rows if row.level == name])
            for name in dict.fromkeys(self.levels)
        }
        return {
            "races": len(rows) // len(self.levels),
            "wins_by_seat": [wins[seat] for seat, _ in enumerate(self.levels, 1)],
            "money": {
                name: mean(getattr(row, name) for row in rows)
                for name in ("prizes", "bets", "spent", "total")
            },
            "levels": levels,
        }


def _row(race: int, end: State, seat: int, level: str, place: int) -> Played:
    own = sheets(end, seat)
    prizes, bets, spent, total = (
        sum(getattr(one, name) for one in own) for name in ("race", "bets_won", "spent", "total")
    )
    return Played(race, seat, level, place, prizes, bets, spent, total)


def _level(rows: Sequence[Played]) -> dict[str, float]:
    return {
        "seats": len(rows),
        "wins": sum(row.place == 1 for row in rows),
        "mean_place": mean(row.place for row in rows),
        "mean_total": mean(row.total for row in rows),
    }
