"""What there is to choose before a race, game by game: names, words, and what goes with what.

Everything a person may ever set is here, whether or not this version plays it; `options.offer`
takes the part that the game on the shelf knows, so that a rule appears by itself on the day
on which its game plays it. A sentence is at most three lines of a seat's screen, in every
language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.views.words import phrase


@dataclass(frozen=True, slots=True)
class Option:
    """An optional rule, as a header names it.

    `wants` is what every seat must say where it is on, `opens` what a seat may say; it is not
    played together with those it `excludes`, and only by so many `players` (None: by any
    number).
    """

    name: str
    title: str
    says: str
    wants: tuple[str, ...] = ()
    opens: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    players: int | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """One choice of a switch."""

    name: str
    label: str
    says: str


@dataclass(frozen=True, slots=True)
class Switch:
    """A setting with a few values, of which the first is the default.

    `house` tells a house switch of the rules from what else a header settles; it is there
    only with the optional rule `needs`, and not together with the rule `unless`.
    """

    name: str
    title: str
    values: tuple[Value, ...]
    house: bool = True
    needs: str = ""
    unless: str = ""


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver of urban races; `needs` is an optional rule without which nobody takes him."""

    name: str
    says: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All that one game lets a table choose; `short` is its name on a key.

    `laps` are the fewest, the most, and the usual; `players` the fewest and the most.
    """

    name: str
    title: str
    short: str
    options: tuple[Option, ...] = ()
    switches: tuple[Switch, ...] = ()
    laps: tuple[int, int, int] = (1, 1, 1)
    players: tuple[int, int] = (1, 10)
    has_track: bool = True


WEATHER = Option(
    "weather",
    phrase("Weather"),
    phrase("The black die makes the weather, before the race and in it."),
)
TIRES = Option(
    "tires",
    phrase("Tires"),
    phrase("Hard, soft or rain tires: what each one gives, it takes."),
    opens=("tires",),
)
TECHNICAL = Option(
    "technical",
    phrase("Pit choice"),
    phrase("In the box: tires and the die, or a repair of 2 points."),
)
TEAMS = Option(
    "teams",
    phrase("Teams"),
    phrase("Two cars make a team; the points of both are added."),
    wants=("team",),
)

GRID = Switch(
    "grid",
    phrase("Grid"),
    (
        Value("rolled", phrase("rolled"), phrase("Every car rolls for its place on the grid.")),
        Value("seats", phrase("as seated"), phrase("Who joined first has pole. No rolls.")),
    ),
    house=False,
    unless="trials",
)
START = Switch(
    "start",
    phrase("Start"),
    (
        Value("rolled", phrase("rolled"), phrase("Every car rolls for its start: 1 stalls.")),
        Value("normal", phrase("normal"), phrase("Every car gets away. No start rolls.")),
    ),
    house=False,
)
SKY = Switch(
    "weather",
    phrase("First sky"),
    (
        Value("rolled", phrase("rolled"), phrase("The black die decides on the first weather.")),
        Value("fine", phrase("fine"), phrase("It is fine, for good.")),
        Value("variable", phrase("changing"), phrase("It is dry, and may rain later.")),
        Value("rain", phrase("rain"), phrase("It rains, for good.")),
    ),
    house=False,
    needs="weather",
)
CORNER_WAYS = Switch(
    "corner_ways",
    phrase("Ways"),
    (
        Value("any", phrase("any"), phrase("In corners any way along the arrows is legal.")),
        Value("shortest", phrase("shortest"), phrase("In corners too only the shortest ways.")),
    ),
)
SOFT_SECOND_LAP = Switch(
    "soft_second_lap",
    phrase("Soft, lap 2"),
    (
        Value("double", phrase("double"), phrase("In lap 2 soft tires pay overshoots double.")),
        Value("single", phrase("single"), phrase("In lap 2 soft tires pay overshoots once.")),
    ),
    needs="tires",
)
LATE_BLOCK = Switch(
    "late_block",
    phrase("Late block"),
    (
        Value("on", phrase("on"), phrase("Blocked with no brakes: all tires and 1 body.")),
        Value("off", phrase("off"), phrase("A block without brakes is as any other.")),
    ),
)

FORMULA_D = GameOptions(
    "formula-d",
    "Formula D",
    "Form. D",
    (
        Option(
            "build",
            phrase("Construction"),
            phrase("Build your car: 20 points, spread as you like."),
        ),
        Option(
            "trials",
            phrase("Time trials"),
            phrase("A lap alone against the watch decides the grid."),
        ),
        WEATHER,
        TIRES,
        TECHNICAL,
        TEAMS,
        Option(
            "urban",
            phrase("Urban race"),
            phrase("Street drivers with gifts, nitro, noise and police."),
            wants=("driver",),
            excludes=("build", "tires", "technical"),
        ),
    ),
    (GRID, START, SKY, CORNER_WAYS, SOFT_SECOND_LAP),
    laps=(1, 10, 2),
)
FORMULE_DE = GameOptions(
    "formule-de",
    "Formule Dé",
    "Form.Dé",
    (
        Option(
            "advanced",
            phrase("Advanced"),
            phrase("Build the car; handling counts, the pit repairs."),
        ),
        WEATHER,
        TIRES,
        TECHNICAL,
        TEAMS,
    ),
    (GRID, START, SKY, SOFT_SECOND_LAP, LATE_BLOCK),
    laps=(1, 3, 2),
)
DOWNFORCE = GameOptions(
    "downforce",
    "Downforce",
    "Downf.",
    (
        Option(
            "beginners",
            phrase("Beginners"),
            phrase("Cars are dealt, hands of three, first car home wins."),
        ),
        Option("no-powers", phrase("No powers"), phrase("Nobody has a power card.")),
        Option("no-bets", phrase("No bets"), phrase("Nobody bets; only the race pays.")),
        Option(
            "two-players",
            phrase("Two players"),
            phrase("For two: speed-8 cards lie open, own draw piles."),
            players=2,
        ),
        Option(
            "long-distance",
            phrase("Long distance"),
            phrase("No finish: out of cards, the furthest car wins."),
        ),
        Option(
            "championship",
            phrase("Championship"),
            phrase("Two races, one on each board; the money is added."),
        ),
    ),
    players=(2, 6),
    has_track=False,
)
GAMES: Mapping[str, GameOptions] = {game.name: game for game in (FORMULA_D, FORMULE_DE, DOWNFORCE)}

URBAN_LAPS = 1
"""FD-URBAN-1: the usual laps of an urban race."""

DRIVERS = (
    Driver("Li-Tsu Sin", phrase("Who passes her in a straight goes 1 space less.")),
    Driver("Jack Owens", phrase("In a corner 1 space more or less, for 1 tires point.")),
    Driver("Stanley Washington", phrase("Once a race a car next to him loses 1 point.")),
    Driver("Dimitri Tzarof", phrase("His engine suffers on 1–3 only, in rain on 1–2.")),
    Driver(
        "Julien Marcellin",
        phrase("Rolls again for weather; slides 1 space, not 3."),
        needs="weather",
    ),
    Driver("Jenny Slivers", phrase("At the checkpoint she regains 4 points, not 2.")),
    Driver("Montoya Cadena", phrase("May add 3 spaces to each nitro.")),
    Driver("Derek Manson", phrase("Who collides with him rolls twice.")),
    Driver("Diane Montfort", phrase("Level with others she plays first and wins ties.")),
    Driver("Temana Matahi", phrase("Once a lap leaves debris where the move began.")),
)
"""FD-DRV-1 to FD-DRV-10."""

TEAMS_BY_COLOR: Mapping[str, str] = {
    "red": phrase("red"),
    "blue": phrase("blue"),
    "green": phrase("green"),
    "yellow": phrase("yellow"),
    "black": phrase("black"),
}
"""FD-TEAM-1: a team goes by its color; five of two cars are a full grid."""
TEAM_SIZE = 2

TIRES_TO_FIT: Mapping[str, str] = {
    "hard": phrase("hard"),
    "soft": phrase("soft"),
    "rain": phrase("rain"),
}
"""FD-TIRE-1."""
