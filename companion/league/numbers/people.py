"""A driver's figures over many races; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.league.classified import classify
from companion.league.plain import Entry, Race
from companion.league.scores import is_classified

FORM_RACES = 5
PODIUM = 3
SUMMED = (
    *("rolls", "spaces", "passes", "passed", "led", "overshoots", "spins", "slipstreams"),
    *("over_revs", "blocks", "engine_tests", "debris", "bumped", "was_bumped", "hurt", "braked"),
)
"""The figures of `Entry.numbers` that are added up over races."""


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
