"""The switches by which a race goes as the federation's competition rules of 2018 have it.

What each of them does stands with the rule in its chapter; here are the words.
"""

from __future__ import annotations

from companion.views.lobby.tables import Switch, Value

WEATHER_MACHINE = Switch(
    "weather_machine",
    "Weather",
    (
        Value("rows", "rows", "A roll moves the weather by one row."),
        Value("masters", "masters", "A line holds until the next roll; twice, for good."),
    ),
    needs="weather",
)
WEATHER_TEST = Switch(
    "weather_test",
    "Weather roll",
    (
        Value("move", "at once", "The weather is rolled in the turn of the 20."),
        Value("round", "round", "The weather is rolled when the round ends."),
    ),
    needs="weather",
)
VARIABLE_START = Switch(
    "variable_start",
    "Variable",
    (
        Value("dry", "dry", "A variable race begins dry."),
        Value("as-trials", "as trials", "A variable race begins as wet as the trials."),
    ),
    needs="weather",
)
SLIDE = Switch(
    "slide",
    "Sliding",
    (
        Value("whole-move", "always", "In rain a car slides in every corner it touches."),
        Value("until-stops-made", "till done", "No more slide where a corner's stops are made."),
    ),
    needs="weather",
)
SPIN_LEVEL = Switch(
    "spin_level",
    "Spun, level",
    (
        Value("old", "kept", "Level with others a spun car has its old gear."),
        Value("first", "1st", "Level with others a spun car is in 1st."),
    ),
)
TRIAL_TIES = Switch(
    "trial_ties",
    "Equal trials",
    (
        Value("die", "die", "Equal trials are parted by the black die."),
        Value("first", "first", "Of equal trials the one driven first is ahead."),
    ),
    needs="trials",
)
BLOCK_END = Switch(
    "block_end",
    "Blocked at",
    (
        Value("choice", "any", "Of the furthest ends a blocked car takes any."),
        Value("plays-first", "first", "It takes the furthest end that plays first."),
    ),
)
BLOCK_CONTACT = Switch(
    "block_contact",
    "Out by block",
    (
        Value("nobody", "alone", "Who touches a car out by a block rolls not."),
        Value("rolls", "rolls", "Who touches a car out by a block rolls."),
    ),
)
LONG_STOP = Switch(
    "long_stop",
    "Long stop",
    (
        Value("repairs", "repair", "A long stop is for repairs."),
        Value("any", "always", "A long stop may be for tires alone."),
    ),
    needs="technical",
)
PIT_GEAR = Switch(
    "pit_gear",
    "Gear to box",
    (
        Value("any", "any", "To its box a car goes in any gear."),
        Value("reaches", "reaches", "To its box it takes a gear that can reach it."),
    ),
)
POOL_ON_CAR = Switch(
    "pool_on_car",
    "Pit points",
    (
        Value("no", "pit", "The points of the pit stay in the pit."),
        Value("yes", "or car", "The points of the pit may be on the car."),
    ),
    needs="technical",
)
BOXES = Switch(
    "boxes",
    "Boxes",
    (
        Value("seats", "seats", "The first seat has the first box, and so on."),
        Value("grid", "grid", "Boxes are chosen before the race, pole first."),
    ),
)
BLOWN_ENGINE = Switch(
    "blown_engine",
    "Engine gone",
    (
        Value("lifted", "out", "Who loses the engine is out at once."),
        Value("inertia-4", "rolls on", "Who loses the engine rolls once more, in 4th."),
    ),
)
COAST_HOME = Switch(
    "coast_home",
    "Coasting",
    (
        Value("never", "no", "Nobody coasts home without an engine."),
        Value("straight", "straight", "After the last corner a car coasts home."),
        Value("last-but-one-corner", "last turn", "After the last corner but one it coasts home."),
    ),
)
LAPPED = Switch(
    "lapped",
    "Lapped cars",
    (
        Value("round", "all play", "A lapped car plays in every round."),
        Value("circular", "lose", "Who is lapped loses a turn."),
    ),
)
BLACK_FLAG = Switch(
    "black_flag",
    "Black flag",
    (
        Value("off", "none", "Nobody is taken out by the referee's flag."),
        Value("on", "referee", "A black flag of the referee takes a car out."),
    ),
)
RED_FLAG = Switch(
    "red_flag",
    "Red flag",
    (
        Value("off", "none", "The race is not stopped."),
        Value("on", "restart", "A red flag: it starts again from the grid."),
    ),
)
TRIAL_ERROR = Switch(
    "trial_error",
    "Placing",
    (
        Value("0", "nothing", "A wrong space in a trial costs nothing."),
        Value("10", "10 rolls", "A wrong space in a trial costs 10 rolls."),
    ),
    needs="trials",
)

MANDATORY_TIRES = Switch(
    "mandatory_tires",
    "Tire kinds",
    (
        Value("any", "any", "One kind of tires may do for a race."),
        Value("two-kinds", "two", "In a dry race two kinds of tires, or out at the end."),
    ),
    needs="tires",
)
WING = Switch(
    "wing",
    "Wings",
    (
        Value("none", "none", "Cars have no wing to set."),
        Value("choice", "set", "High: less in corners; low: +1 in 4th to 6th."),
    ),
    unless="urban",
)
SECOND_ROLL = Switch(
    "second_roll",
    "Second roll",
    (
        Value("none", "none", "A roll is a roll."),
        Value("gear", "gear die", "Once a race a gear die may be rolled again."),
        Value("any", "any die", "Once a race any die may be rolled again."),
    ),
)
EXTRA_MOVE = Switch(
    "extra_move",
    "Extra space",
    (
        Value("none", "none", "A move is as long as it was rolled."),
        Value("engine", "engine", "1 engine point is a space more, in any turn."),
        Value("engine-lap", "1 a lap", "1 engine point is a space more, once a lap."),
        Value("top", "Top", "Once a lap a space more or less, for nothing."),
    ),
    unless="urban",
)

OF_MASTERS = (
    WEATHER_MACHINE,
    WEATHER_TEST,
    VARIABLE_START,
    SLIDE,
    SPIN_LEVEL,
    TRIAL_TIES,
    BLOCK_END,
    BLOCK_CONTACT,
    LONG_STOP,
    PIT_GEAR,
    POOL_ON_CAR,
    BOXES,
    BLOWN_ENGINE,
    COAST_HOME,
    LAPPED,
    BLACK_FLAG,
    RED_FLAG,
    TRIAL_ERROR,
    MANDATORY_TIRES,
    WING,
    SECOND_ROLL,
    EXTRA_MOVE,
)
OF_BOTH = (WEATHER_MACHINE, WEATHER_TEST)
"""Those that Formule Dé offers too."""
