"""What there is to choose before a Formula race: rules, settings, drivers, teams, tires."""

from __future__ import annotations

from collections.abc import Mapping

from companion.views.lobby.tables import Driver, GameOptions, Option, Switch, Value
from companion.views.words import phrase

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
SLIPSTREAM_CHAIN = Switch(
    "slipstream_chain",
    phrase("Slipstreams"),
    (
        Value("any", phrase("any"), phrase("One slipstream may follow another in a move.")),
        Value("one", phrase("one"), phrase("One slipstream a move, and no other after it.")),
    ),
)

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

BOXES = range(1, 11)

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
    (GRID, START, SKY, CORNER_WAYS, SOFT_SECOND_LAP, SLIPSTREAM_CHAIN),
    laps=(1, 10, 2),
    short_laps={"urban": 1},  # FD-URBAN-1
    drivers=DRIVERS,
    teams=TEAMS_BY_COLOR,
    team_size=TEAM_SIZE,
    tires=TIRES_TO_FIT,
    boxes=BOXES,
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
    (GRID, START, SKY, SOFT_SECOND_LAP, LATE_BLOCK, SLIPSTREAM_CHAIN),
    laps=(1, 3, 2),
    drivers=DRIVERS,
    teams=TEAMS_BY_COLOR,
    team_size=TEAM_SIZE,
    tires=TIRES_TO_FIT,
    boxes=BOXES,
)

GAMES = (FORMULA_D, FORMULE_DE)
