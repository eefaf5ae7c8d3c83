"""Drivers and boards over many races, counted from the beginning whenever somebody asks: slow, and
independent of what the league goes on counting (`numbers.py`), which must come to the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from companion.league.plain import Entry, Race
from companion.league.ratings import START, gains
from companion.league.results import classify, is_classified, started
from companion.league.tally import PODIUM, SUMMED, board_of

FORM_RACES = 5


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
        _add_race(found.setdefault(key, Board(race.game, title)), race, classify(race))
    return [found[key] for key in sorted(found, key=lambda key: (key[1], key[0]))]


def _add_race(board: Board, race: Race, entries: Sequence[Entry]) -> None:
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


@dataclass(slots=True)
class Career:
    """What a driver has done.

    Args:
        races: races driven, `cars` in them; of the cars: `wins`, `podiums`, `poles`, `home`
            (finished, or classified as it stood) and `out`.
        gained: places made up from the grid to the end, by cars that came home.
        form: the latest races, newest first: the race and the driver's best car in it.
        counted: the sums of `SUMMED`; `measured` is how many cars they are of.
        wp: wear points lost, by category.
        luck: of the gear dice, in spaces.
        stops: the pit stops, each by its turns.
        out_by: why cars went out, how often.
    """

    races: int = 0
    cars: int = 0
    wins: int = 0
    podiums: int = 0
    poles: int = 0
    home: int = 0
    out: int = 0
    gained: int = 0
    measured: int = 0
    luck: float = 0.0
    places: list[int] = field(default_factory=list)
    form: list[tuple[Race, Entry]] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)
    wp: Counter[str] = field(default_factory=Counter)
    stops: list[int] = field(default_factory=list)
    out_by: Counter[str] = field(default_factory=Counter)

    @property
    def mean_place(self) -> float | None:
        """Over all cars; None without one."""
        return sum(self.places) / len(self.places) if self.places else None


def career_of(driver: str, races: Iterable[Race]) -> Career:
    """A driver's figures; struck races do not count.

    Args:
        races: oldest first, those of others too.
    """
    career = Career()
    for race in races:
        own = [entry for entry in classify(race) if entry.driver == driver]
        if not race.counts or not own:
            continue
        career.races += 1
        career.form.insert(0, (race, own[0]))
        for entry in own:
            _add(career, entry)
    del career.form[FORM_RACES:]
    return career


def _add(career: Career, entry: Entry) -> None:
    career.cars += 1
    career.places.append(entry.place)
    career.poles += entry.grid == 1
    if is_classified(entry):
        career.home += 1
        career.wins += entry.place == 1
        career.podiums += entry.place <= PODIUM
        career.gained += entry.grid - entry.place if entry.grid else 0
    elif entry.status == "out":
        career.out += 1
        career.out_by[entry.out or "?"] += 1
    if "wp" in entry.numbers:
        _add_measured(career, entry)


def _add_measured(career: Career, entry: Entry) -> None:
    numbers = entry.numbers
    career.measured += 1
    career.counted.update({name: numbers.get(name, 0) for name in SUMMED})
    career.wp.update(numbers["wp"])
    career.luck += numbers["luck"]
    career.stops += numbers["stops"]


@dataclass(frozen=True, slots=True)
class Rating:
    """A driver's rating after some races; `history` has race and rating, oldest first."""

    driver: str
    points: float = START
    history: tuple[tuple[str, float], ...] = ()


def ratings(races: Iterable[Race]) -> dict[str, Rating]:
    """The rating of everybody who drove against somebody, by driver's key.

    Args:
        races: oldest first; struck ones do not count.
    """
    found: dict[str, Rating] = {}
    for race in races:
        places = places_of(race)
        if not race.counts or len(places) < 2:
            continue
        before = {driver: found.get(driver, Rating(driver)).points for driver in places}
        for driver, gain in gains(places, before).items():
            points = before[driver] + gain
            history = (*found.get(driver, Rating(driver)).history, (race.id, points))
            found[driver] = Rating(driver, points, history)
    return found


def places_of(race: Race) -> dict[str, int]:
    """The best place of each driver in a race, penalties in it."""
    places: dict[str, int] = {}
    for entry in started(classify(race)):
        places[entry.driver] = min(entry.place, places.get(entry.driver, entry.place))
    return places


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody whom a driver has met: the driver was so often `ahead`, `behind`, or neither."""

    driver: str
    races: int
    ahead: int
    behind: int


def rivals_of(driver: str, races: Iterable[Race]) -> list[Rival]:
    """Everybody a driver has met, those met most first; struck races do not count."""
    met: dict[str, list[int]] = {}
    for race in races:
        places = places_of(race)
        if not race.counts or driver not in places:
            continue
        own = places[driver]
        for other, place in places.items():
            if other != driver:
                met.setdefault(other, []).append((place > own) - (place < own))
    found = [
        Rival(other, len(duels), duels.count(1), duels.count(-1)) for other, duels in met.items()
    ]
    return sorted(found, key=lambda rival: (-rival.races, rival.driver))
