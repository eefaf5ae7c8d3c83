"""The numbers of the rulebook, each table named after the thing, with its rule."""

from __future__ import annotations

from typing import Final

MANY: Final = 10_000
"""More laps, stops and rounds than any race has."""

# FD-CAR-1: the wear points of a car at the start, in the order of the car's board.
CATEGORIES: Final = ("tires", "brakes", "gearbox", "body", "engine", "handling")
TIRES, BRAKES, GEARBOX, BODY, ENGINE, HANDLING = range(6)
START_WEAR: Final = (6, 3, 3, 3, 3, 2)

# FD-BUILD-1: all points of a constructed car, and the bounds of each category.
BUILD_POINTS: Final = 20
BUILD_LIMITS: Final = ((1, 14), (1, 7), (1, 7), (1, 7), (1, 7), (1, 7))

# FD-DIE-1: the lowest and highest face of each gear's die.
GEAR_DICE: Final = {1: (1, 2), 2: (2, 4), 3: (4, 8), 4: (7, 12), 5: (11, 20), 6: (21, 30)}
TOP_GEAR: Final = 6
BLACK_DIE: Final = (1, 20)

# FD-REV-1: what an over-rev costs, by the number of gears skipped.
OVER_REV_COST: Final = {
    1: {GEARBOX: 1},
    2: {GEARBOX: 1, BRAKES: 1},
    3: {GEARBOX: 1, BRAKES: 1, ENGINE: 1},
}

# FD-BLOCK-1: what the spaces not moved cost; one more than the last puts the car out.
BLOCKED_COST: Final = {
    0: {},
    1: {BRAKES: 1},
    2: {BRAKES: 2},
    3: {BRAKES: 3},
    4: {BRAKES: 3, TIRES: 1},
    5: {BRAKES: 3, TIRES: 2},
    6: {BRAKES: 3, TIRES: 3},
}

# FD-START-2, FD-START-3, FD-START-4: the start roll.
START_RANGES: Final = ((1, 1), (2, 19), (20, 20))
GREAT_START: Final = 4

# FD-SLIP-1, FD-SLIP-2, FD-SLIP-5
SLIPSTREAM_GEAR: Final = 4
SLIPSTREAM: Final = 3
SLIPSTREAM_CORNER_COST: Final = 1

# FD-PIT-2: a slow stop; a fast one moves half the roll, rounded up, in this gear.
PIT_SLOW: Final = (11, 20)
PIT_GEAR: Final = 4

PIT_ENTRY_GEAR: Final = 4  # FD-PIT-1, where a house bounds it

COAST_GEAR: Final = 4
"""FD-ENGINE-3: the die on which a car without an engine rolls on."""
HOME_FROM: Final = {"never": 0, "straight": 1, "last-but-one-corner": 2}
"""House switch `coast_home`: behind which corner, from the last one, a car coasts to the line."""

# FD-ENGINE-1: the faces that ask for engine tests, by gear, and the gears that are tested.
ENGINE_FACES: Final = {5: frozenset({20}), 6: frozenset({30})}

# FD-WEATHER-3: the faces that make the roller roll for the weather.
WEATHER_FACES: Final = {5: 20, 6: 30}

# The black die hurts from 1 up to this: dry, and in rain (FD-WEATHER-4).
COLLISION_HURTS: Final = {False: 1, True: 2}  # FD-BUMP-1
ENGINE_HURTS: Final = {False: 4, True: 3}  # FD-ENGINE-1
WORSE_COLLISION: Final = {False: 2, True: 3}  # house switch `worse_collision`
DEBRIS_HURTS: Final = {False: 4, True: 5}  # FD-DEBRIS-2

# FD-TRIAL-1: a trial begins before the line and is over when it is crossed again.
TRIAL_LAPS: Final = 1

# FD-WEATHER-3: the rows from the top; a roll in the race moves one row up or down.
WEATHER_ROWS: Final = ("fine", "variable", "variable-rain", "rain")
WEATHER_STEP: Final = {"fine": -1, "variable": 0, "rain": 1}
USUAL_WEATHER: Final = {"rain": (1, 7), "variable": (8, 12), "fine": (13, 20)}
"""The table of the board in the box, for boards of which none is known (FD-WEATHER-1)."""
TEMPORARY: Final = {"fine": "variable", "rain": "variable-rain"}
"""FD-WEATHER-3, by the federation's machine: what a line brings until the next roll."""
CHANGEABLE: Final = frozenset({"variable", "variable-rain"})
RAINS: Final = frozenset({"variable-rain", "rain"})

# FD-TIRE-1
TIRE_KINDS: Final = ("hard", "soft", "rain")

# FD-TIRE-2, FD-TIRE-4, FD-TIRE-5: spaces of a slide in rain, by kind of tires.
SLIDE: Final = {"hard": 3, "soft": 3, "rain": 1}
SOFT_BONUS: Final = 1  # FD-TIRE-3

# What an overshoot costs, by kind of tires, rain, and lap on them; the last lap named stays
# (FD-TIRE-2 to FD-TIRE-6).
OVERSHOOT: Final = {
    ("hard", False): (1,),
    ("hard", True): (1,),
    ("soft", False): (2, 2, 3),
    ("soft", True): (1, 1, 3),
    ("rain", False): (2, 2, 3),
    ("rain", True): (1,),
}
SOFT_RAIN_DOUBLE: Final = (2, 2, 3)  # house switch `soft_rain: double`
SOFT_DRY_BY_THE_LETTER: Final = (2, 1, 3)  # house switch `soft_second_lap: single`


# FD-TECH-1: generic WP of a car for the race, and how many of them one stop takes at most.
POOL: Final = 2
POOL_A_STOP: Final = 2
TEAM_POOL: Final = 4  # FD-TEAM-1
TEAM_SIZE: Final = 2

# FD-TEAM-1: points by place.
POINTS: Final = (10, 8, 6, 5, 4, 3, 2, 1)
# House switch `points`: what championships give by place, named by their first four.
POINTS_BY_PLACE: Final = {
    "10-8-6-5": POINTS,
    "10-8-6-4": (10, 8, 6, 4, 3, 2, 1),
    "10-6-4-3": (10, 6, 4, 3, 2, 1),
    "12-10-8-7": (12, 10, 8, 7, 6, 5, 4, 3, 2, 1),
    "25-18-15-12": (25, 18, 15, 12, 10, 8, 6, 4, 2, 1),
}

# FD-END-1, FD-LAPS-1
DEFAULT_LAPS: Final = 2
LAPS: Final = (1, 10)
