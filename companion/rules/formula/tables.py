"""The numbers of the rulebook, each table named after the thing, with its rule."""

from __future__ import annotations

from typing import Final

# FD-CAR-1: the wear points of a car at the start, in the order of the car's board.
CATEGORIES: Final = ("tires", "brakes", "gearbox", "body", "engine", "handling")
TIRES, BRAKES, GEARBOX, BODY, ENGINE, HANDLING = range(6)
START_WEAR: Final = (6, 3, 3, 3, 3, 2)

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

# FD-ENGINE-1: the faces that ask for engine tests, by gear, and the gears that are tested.
ENGINE_FACES: Final = {5: 20, 6: 30}

# The black die hurts from 1 up to this: dry, and in rain (FD-WEATHER-4).
COLLISION_HURTS: Final = {False: 1, True: 2}  # FD-BUMP-1
ENGINE_HURTS: Final = {False: 4, True: 3}  # FD-ENGINE-1
DEBRIS_HURTS: Final = {False: 4, True: 5}  # FD-DEBRIS-2

# FD-TEAM-1: points by place.
POINTS: Final = (10, 8, 6, 5, 4, 3, 2, 1)

# FD-END-1, FD-LAPS-1
DEFAULT_LAPS: Final = 2
LAPS: Final = (1, 10)
