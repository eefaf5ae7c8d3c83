"""Races of the Formula games in which every two options, boards, drivers and numbers meet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

from companion.race.boards import TrackLibrary
from companion.rules.formula.book import FORMULA_D, FORMULE_DE, Edition
from companion.rules.packs import clashes
from support.formula.pairwise import Feature, Pair, cover
from support.formula.street import DRIVERS, JULIEN

JSON = dict[str, Any]
EDITIONS = {"formula-d": FORMULA_D, "formule-de": FORMULE_DE}
LAPS = {"formula-d": (1, 2, 3, 10), "formule-de": (1, 2, 3)}
SEATS = (1, 2, 2, 2, 3, 3, 4, 6, 10)
"""How many cars race; few of them mostly, as many cars cost time."""
SKIES = ("asked", "variable", "rain")
AGAINST_URBAN = ("build", "tires", "technical")
"""The optional rules that urban races do without (FD-URBAN-1)."""
COUNT, TRIES = 247, 30


@dataclass(frozen=True)
class Mixture:
    """One race: what its header says, as features and as a header."""

    game: str
    board: str
    rules: frozenset[str]
    house: tuple[tuple[str, str], ...]
    laps: int
    seats: int
    sky: str = "asked"
    drivers: tuple[str, ...] = ()

    @property
    def features(self) -> Iterator[Feature]:
        """What is to meet in pairs."""
        yield "board", self.board
        yield "laps", self.laps
        yield "seats", self.seats
        yield from (("house", switch) for switch in self.house)
        yield from (("driver", driver) for driver in self.drivers)
        for rule in options(self.game):
            yield rule, rule in self.rules
        if "weather" in self.rules:
            yield "sky", self.sky

    @property
    def cost(self) -> float:
        """What the race costs to drive: each car, and each of its trials."""
        return 4 + self.seats * (3 if "trials" in self.rules else 1)

    @property
    def header(self) -> JSON:
        """HEADER of the engine protocol."""
        cars: list[JSON] = [
            {"seat": seat, "team": f"team {(seat + 1) // 2}"} for seat in range(1, self.seats + 1)
        ]
        for car, driver in zip(cars, self.drivers, strict=False):
            car["driver"] = driver
        sky = {} if self.sky == "asked" or "weather" not in self.rules else {"weather": self.sky}
        data = {"game": self.game, "track": self.board, "laps": self.laps, "seats": cars}
        return {**data, "rules": sorted(self.rules), "house": dict(self.house), **sky}

    def __str__(self) -> str:
        on = [*sorted(self.rules), *(f"{name}={value}" for name, value in self.house)]
        return f"{self.board}-{self.laps}-laps-{self.seats}-cars-{'+'.join(on)}"


def options(game: str) -> list[str]:
    """The optional rules that mix; the basic game stands alone, and has races of its own."""
    return [rule for rule in EDITIONS[game].optional_rules if rule != "basic"]


@cache
def boards() -> tuple[str, ...]:
    """All boards of the library; to look for them in each of 15,000 draws took most of the time."""
    return tuple(sorted(TrackLibrary(()).names()))


def draw(game: str, dice: Random) -> Mixture:
    """Any race of this game that its rules allow."""
    edition = EDITIONS[game]
    rules = {rule for rule in options(game) if dice.random() < 0.5}
    seats = dice.choice(SEATS)
    drivers: list[str] = []
    if "urban" in rules:
        rules -= set(AGAINST_URBAN)
        drivers = dice.sample(DRIVERS, seats)
        rules |= {"weather"} if JULIEN in drivers else set()
    return Mixture(
        game=game,
        board=dice.choice(boards()),
        rules=frozenset(rules),
        house=tuple(draw_house(edition, dice).items()),
        laps=dice.choice(LAPS[game]),
        seats=seats,
        sky=dice.choice(SKIES),
        drivers=tuple(drivers),
    )


def draw_house(edition: Edition, dice: Random) -> dict[str, str]:
    """A value of each house switch, none of which contradicts another."""
    choices = edition.choices
    while True:
        chosen = {name: dice.choice(values) for name, values in choices.house.items()}
        if not any(clashes(chosen, choices)):
            return chosen


@cache
def mixtures(game: str) -> tuple[Mixture, ...]:
    """The two hundred and forty-seven races of a game, the most telling first."""
    return tuple(cover(lambda dice: draw(game, dice), COUNT, seed=7, tries=TRIES))


def wanted_pairs(game: str) -> set[Pair]:
    """Every pair of values that may meet in a race of this game."""
    edition = EDITIONS[game]
    values: dict[str, list[Any]] = {rule: [True, False] for rule in options(game)}
    values |= {"board": list(boards()), "laps": list(LAPS[game]), "seats": sorted(set(SEATS))}
    values |= {"sky": list(SKIES), "driver": list(DRIVERS) if "urban" in values else []}
    switches = [("house", (name, value)) for name, two in edition.house.items() for value in two]
    features = [(kind, value) for kind, some in values.items() for value in some] + switches
    return {frozenset(pair) for pair in combinations(features, 2) if may_meet(*pair)}


def contradict(one: object, other: object) -> bool:
    """Whether two values of switches cannot be together, in any edition."""
    both = {one, other}
    return any({c.one, c.other} == both for e in EDITIONS.values() for c in e.choices.clashes)


def may_meet(one: Feature, other: Feature) -> bool:
    """Whether a race may have both: by the rules, and because one thing has one value."""
    both = {one, other}
    if one[0] == other[0] and one[0] != "driver":
        same = one[0] != "house" or one[1][0] == other[1][0]  # type: ignore[index]
        return not same and not contradict(one[1], other[1])
    if "sky" in (one[0], other[0]) and ("weather", False) in both:
        return False
    if ("driver", JULIEN) in both and ("weather", False) in both:
        return False
    streets = ("urban", True) in both or "driver" in (one[0], other[0])
    if streets and any((rule, True) in both for rule in AGAINST_URBAN):
        return False
    if {one[0], other[0]} == {"driver", "seats"} or "driver" not in (one[0], other[0]):
        return True
    return ("urban", False) not in both
