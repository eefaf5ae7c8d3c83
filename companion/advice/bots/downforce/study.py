"""Games of bots by the thousand at the virtual table (`companion simulate --game downforce`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import NamedTuple

from companion.advice.bots.downforce.table import Shuffle, Table, header
from companion.advice.bots.levels import level_kind
from companion.frozen import dataclass
from companion.rules.downforce.game import Downforce
from companion.rules.downforce.ledger import classification, sheets
from companion.rules.downforce.state import State

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
        """None: no level needs one."""
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
