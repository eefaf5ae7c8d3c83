"""What there is to choose before a Formula race: rules, settings, drivers, teams, tires."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from companion.views.model import Driver, GameOptions, Option, Switch, Value
from companion.views.words import keyed, phrase

WEATHER = Option(
    "weather", "Weather", "The black die makes the weather, before the race and in it."
)
TIRES = Option(
    "tires", "Tires", "Hard, soft or rain tires: what each one gives, it takes.", opens=("tires",)
)
TECHNICAL = Option(
    "technical", "Pit choice", "In the box: tires and the die, or a repair of 2 points."
)
TEAMS = Option(
    "teams", "Teams", "Two cars make a team; the points of both are added.", wants=("team",)
)

GRID = Switch(
    "grid",
    "Grid",
    (
        Value("rolled", "rolled", "Every car rolls for its place on the grid."),
        Value("seats", "as seated", "Who joined first has pole. No rolls."),
    ),
    house=False,
    unless="trials",
    asks=phrase("Who starts where on the grid?"),
    group=phrase("Start and time trials"),
)
START = Switch(
    "start",
    "Start",
    (
        Value("rolled", "rolled", "Every car rolls for its start: 1 stalls."),
        Value("normal", "normal", "Every car gets away. No start rolls."),
    ),
    house=False,
    asks=phrase("Is the start rolled for?"),
    group=phrase("Start and time trials"),
)
ADVICE = Switch(
    "advice",
    "Advice",
    (
        Value("on", "on", "Who asks sees the odds; the race is reviewed."),
        Value("off", "off", "No odds, and no review afterwards."),
    ),
    house=False,
    asks=phrase("Does the companion tell odds and review the race?"),
    group=phrase("Time, flags and points"),
)
DICE = Switch(
    "dice",
    "Dice",
    (
        Value("own", "your own", "Everybody rolls dice of the box. Bots need none."),
        Value("thrown", "thrown", "The companion throws all dice: tap to throw."),
    ),
    house=False,
    asks=phrase("Whose dice are rolled?"),
    group=phrase("Driving"),
)
SKY = Switch(
    "weather",
    "First sky",
    (
        Value("rolled", "rolled", "The black die decides on the first weather."),
        Value("fine", "fine", "It is fine, for good."),
        Value("variable", "changing", "It is dry, and may rain later."),
        Value("rain", "rain", "It rains, for good."),
    ),
    house=False,
    asks=phrase("What is the weather at the start?"),
    group=phrase("Tires and weather"),
    needs="weather",
)


def _house(edition: str) -> tuple[Switch, ...]:
    """The house switches of an edition, with the words that its file has."""
    # Here: until a lobby is looked at nobody waits for that file.
    from companion.rules.formula.book import switches

    return tuple(
        Switch(
            one.name,
            one.title,
            tuple(Value(*row[:3]) for row in one.values),
            needs=one.needs,
            unless=one.unless,
            asks=one.asks,
            group=one.group,
            rule=one.rule,
        )
        for one in switches().values()
        if edition in one.editions
    )


DRIVERS = (
    Driver("Li-Tsu Sin", "Who passes her in a straight goes 1 space less."),
    Driver("Jack Owens", "In a corner 1 space more or less, for 1 tires point."),
    Driver("Stanley Washington", "Once a race a car next to him loses 1 point."),
    Driver("Dimitri Tzarof", "His engine suffers on 1–3 only, in rain on 1–2."),
    Driver("Julien Marcellin", "Rolls again for weather; slides 1 space, not 3.", needs="weather"),
    Driver("Jenny Slivers", "At the checkpoint she regains 4 points, not 2."),
    Driver("Montoya Cadena", "May add 3 spaces to each nitro."),
    Driver("Derek Manson", "Who collides with him rolls twice."),
    Driver("Diane Montfort", "Level with others she plays first and wins ties."),
    Driver("Temana Matahi", "Once a lap leaves debris where the move began."),
)
"""FD-DRV-1 to FD-DRV-10."""

TIRES_TO_FIT = keyed("hard | soft | rain")
"""FD-TIRE-1."""
TIRES_GIVE = {
    "hard": phrase("Dry as usual; in rain 3 spaces further in corners."),
    "soft": phrase("Dry 1 space further in lap 1, but overshoots cost double."),
    "rain": phrase("In rain 1 space further in corners; dry, overshoots cost double."),
}
"""FD-TIRE-2 to FD-TIRE-5, as far as it matters for the choice."""
SKIES = {"fine": phrase("fine"), "variable": phrase("changes"), "rain": phrase("rain")}
"""The lines of the weather table (FD-WEATHER-1)."""

FORMULA_D = GameOptions(
    "formula-d",
    "Formula D",
    "Form. D",
    (
        Option(
            "basic",
            "First race",
            "18 points, one lap: the box's own first rules.",
            excludes=("build", "trials", "weather", "tires", "technical", "teams", "urban"),
        ),
        Option("build", "Construction", "Build your car: 20 points, spread as you like."),
        Option("trials", "Time trials", "A lap alone against the watch decides the grid."),
        WEATHER,
        TIRES,
        TECHNICAL,
        TEAMS,
        Option(
            "urban",
            "Urban race",
            "Street drivers with gifts, nitro, noise and police.",
            wants=("driver",),
            excludes=("build", "tires", "technical"),
        ),
    ),
    rules=("basic",),
    switches=(GRID, START, DICE, SKY, ADVICE),
    house=partial(_house, "formula-d"),
    laps=(1, 10, 2),
    short_laps={"urban": 1, "basic": 1},  # FD-URBAN-1, FD-BASIC-1
    drivers=DRIVERS,
    teams=keyed("red | blue | green | yellow | black"),  # FD-TEAM-1: two cars of a color
    team_size=2,
    tires=TIRES_TO_FIT,
    tires_give=TIRES_GIVE,
    boxes=range(1, 11),
)
ADVANCED = Option("advanced", "Advanced", "Build the car; handling counts, the pit repairs.")
FORMULE_DE = replace(
    FORMULA_D,
    name="formule-de",
    title="Formule Dé",
    short="Form.Dé",
    options=(ADVANCED, WEATHER, TIRES, TECHNICAL, TEAMS),
    rules=(),
    house=partial(_house, "formule-de"),
    laps=(1, 3, 2),
    short_laps={},
)

GAMES = (FORMULA_D, FORMULE_DE)
