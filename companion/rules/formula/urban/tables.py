"""The numbers of the urban races, each table named after the thing, with its rule."""

from __future__ import annotations

from typing import Final

from companion.rules.formula.tables import GEAR_DICE

URBAN_LAPS: Final = 1  # FD-URBAN-1: laps unless chosen

# FD-URBAN-3: what the black die hits in the noise zone, "" where the shot misses.
NOISE: Final = {(1, 15): "", (16, 18): "tires", (19, 19): "body", (20, 20): "engine"}

SPEED_OF_A_FACE: Final = 10  # FD-URBAN-5
TOP_FACE: Final = max(high for _, high in GEAR_DICE.values())  # FD-DIE-1
USUAL_RECOVERY: Final = 2  # FD-URBAN-7
POLICE_PRIZE: Final = 2  # FD-URBAN-5
DRIFT: Final = 1  # FD-DRV-2: spaces more or less
DRIFT_COST: Final = 1  # FD-DRV-2: tires WP
CHARM: Final = 1  # FD-DRV-1: spaces less

# FD-BUMP-2, FD-ENGINE-3, FD-DEBRIS-3: the last of these puts a car out; of the first two each
# leaves debris (FD-DEBRIS-1).
VITAL: Final = ("body", "engine", "handling")
LEAVES_DEBRIS: Final = ("body", "engine")
