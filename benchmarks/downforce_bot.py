"""How strong the bots of Downforce are: games at a virtual table, each deal played by both sides.

Of every deal (cards, grid, lots) two games are played in which the levels sit in each other's
places, half of the seats each. Prints, a pair of levels a line, in how many deals the first had
more money, who won more games, the difference in millions with its standard error, and what an
SPRT says of the deals (p = 0.5 against 0.55, errors of 5 %).

Run: python benchmarks/downforce_bot.py [--deals N] [--players N] [--cost]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from random import Random
from statistics import mean, stdev

from companion.advice.bots.downforce import Learner, Level, Racer
from companion.rules.downforce.asks import BetAsk, BidAsk
from companion.rules.downforce.bets import classification, sheet
from companion.rules.downforce.state import Bid, State
from companion.rules.downforce.tables import CARS, Card
from race_companion_simulate.downforce import Table


class Anything:
    """Whatever the rules allow."""

    def __init__(self, dice: Random) -> None:
        self._dice = dice

    def bid(self, state: State, ask: BidAsk, bids: Sequence[Bid]) -> Bid:
        return self._dice.choice(bids)

    def card(self, state: State, seat: int, cards: Sequence[Card]) -> Card:
        return self._dice.choice(cards)

    def bet(self, state: State, ask: BetAsk) -> str:
        return self._dice.choice(CARS)


def deals(one: Level, other: Level, players: int, count: int) -> Iterator[tuple[float, float]]:
    """Of each deal how much more money a seat of `one` had, and how many more games it won."""
    for number in range(count):
        table = Table(players, Random(f"deal {number}"))
        money, wins = 0.0, 0.0
        for parity in (0, 1):
            seats = {s: (one if s % 2 == parity else other) for s in range(1, players + 1)}
            state = table.play(seats)
            mine = [s for s in seats if seats[s] is one]
            others = [s for s in seats if seats[s] is not one]
            totals = {seat: sheet(state, seat).total for seat in seats}
            money += mean(totals[s] for s in mine) - mean(totals[s] for s in others)
            first = [seat for place, seat in classification(state) if place == 1]
            wins += sum(1 if s in mine else -1 for s in first) / len(first)
        yield money / 2, wins / 2


def sprt(results: Sequence[float], low: float = 0.5, high: float = 0.55) -> str:
    """What a sequential test says of the deals that have a winner, and after how many."""
    bound, sum_ = math.log(0.95 / 0.05), 0.0
    for number, result in enumerate((one for one in results if one), 1):
        sum_ += math.log(high / low) if result > 0 else math.log((1 - high) / (1 - low))
        if abs(sum_) >= bound:
            return f"{'better' if sum_ > 0 else 'no better'} after {number}"
    return "undecided"


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=250)
    parser.add_argument("--players", type=int, default=4)
    given = parser.parse_args()
    anything, learner, racer = Anything(Random("anything")), Learner(), Racer()
    pairs: list[tuple[str, Level, str, Level]] = [
        ("learner", learner, "anything", anything),
        ("racer", racer, "anything", anything),
        ("racer", racer, "learner", learner),
    ]
    for name, one, rival, other in pairs:
        begun = time.process_time()
        found = list(deals(one, other, given.players, given.deals))
        money, wins = [m for m, _ in found], [w for _, w in found]
        error = stdev(money) / math.sqrt(len(money))
        better = sum(m > 0 for m in money), sum(m < 0 for m in money)
        print(
            f"{name:8} {rival:9} {2 * len(found)} games: more money {better[0]}:{better[1]}, "
            f"{mean(money):+.2f} ± {error:.2f} M$, wins {mean(wins):+.3f} a game; "
            f"{sprt(money)}; {time.process_time() - begun:.0f} s"
        )


if __name__ == "__main__":
    main()
