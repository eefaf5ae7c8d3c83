"""Formula D: the rules as `tables` has them."""

from __future__ import annotations

from typing import Final

from companion.rules.formula import tables
from companion.rules.formula.edition import NEVER, Edition
from companion.rules.game import Choices

FORMULA_D: Final = Edition(
    name="formula-d",
    ids={},
    optional_rules=("build", "trials", "weather", "tires", "technical", "teams", "urban"),
    laps=tables.LAPS,
    most_cars=NEVER,  # as many as the grid of the board has room for
    categories=tables.CATEGORIES,
    start_wear=tables.START_WEAR,
    wear_by_laps={},
    built_wear=tables.START_WEAR,
    build_rule="build",
    build_limits=tables.BUILD_LIMITS,
    pool_rules=frozenset({"technical"}),
    start_outcomes=("stalled", "normal", "great"),
    pit_in_order_of_entry=False,
    engine_faces=tables.ENGINE_FACES,
    overshoot_spins=NEVER,
    overshoot_out=NEVER,
    collisions="mover",
    stops_worn_only=False,
    pit_entry_gear=tables.TOP_GEAR,
    holds_gear_after_pit=False,
)


def choices() -> Choices:
    """What a header of Formula D may choose."""
    return FORMULA_D.choices
