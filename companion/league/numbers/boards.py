"""The records of each board; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from companion.league.classified import classify
from companion.league.plain import Entry, Race
from companion.league.scores import is_classified


@dataclass(slots=True)
class Board:
    """What has been done on a board in one game.

    Args:
        title: as people call it. `races`: how many were driven on it.
        best_lap: the fewest rolls from line to line and who needed them; the first who did.
        best_race: likewise for whole races, by laps.
        winners: how often each driver (by key) has won here.
    """

    game: str
    title: str
    races: int = 0
    best_lap: tuple[int, Race, Entry] | None = None
    best_race: dict[int, tuple[int, Race, Entry]] = field(default_factory=dict)
    winners: Counter[str] = field(default_factory=Counter)


def board_of(race: Race) -> str | None:
    """What people call the board of a race; None without one."""
    return race.board or race.track


def boards_of(races: Iterable[Race]) -> list[Board]:
    """The boards by name, for each game; struck races do not count.

    Args:
        races: oldest first: of two who did the same, the first holds the record.
    """
    found: dict[tuple[str, str], Board] = {}
    for race in races:
        title = board_of(race)
        if not race.counts or title is None:
            continue
        key = (race.game, title.casefold())
        _add(found.setdefault(key, Board(race.game, title)), race, classify(race))
    return [found[key] for key in sorted(found, key=lambda key: (key[1], key[0]))]


def _add(board: Board, race: Race, entries: Sequence[Entry]) -> None:
    board.races += 1
    for entry in entries:
        lap, rolls = entry.best_lap, entry.numbers.get("rolls")
        if lap is not None and (board.best_lap is None or lap < board.best_lap[0]):
            board.best_lap = (lap, race, entry)
        if not is_classified(entry):
            continue
        board.winners[entry.driver] += entry.place == 1
        is_whole = entry.status == "finished" and race.laps is not None
        if rolls and is_whole and race.laps is not None:
            best = board.best_race.get(race.laps)
            if best is None or rolls < best[0]:
                board.best_race[race.laps] = (rolls, race, entry)
