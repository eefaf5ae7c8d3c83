"""Formula D: the rules as `tables` has them."""

from __future__ import annotations

from typing import Final

from companion.rules.formula import tables
from companion.rules.formula.edition import NEVER, Edition

FORMULA_D: Final = Edition(
    name="formula-d",
    ids={},
    optional_rules=("build", "trials", "weather", "tires", "technical", "teams", "urban"),
    house={
        "corner_ways": ("any", "shortest"),
        "soft_second_lap": ("double", "single"),
        "slipstream_chain": ("any", "one"),
        "repair_lifts": ("yes", "no"),
        "spin_grace": ("while-at-0", "next-turn"),
    },
    fixed={},
    clashes=(),
    laps=tables.LAPS,
    most_cars=NEVER,  # as many as the grid of the board has room for
    categories=tables.CATEGORIES,
    start_wear=tables.START_WEAR,
    wear_by_laps={},
    built_wear=tables.START_WEAR,
    build_rule="build",
    build_limits=tables.BUILD_LIMITS,
    pool_rules=frozenset({"technical"}),
    low_roll_leads=False,
    start_outcomes=("stalled", "normal", "great"),
    keeps_arrivals=False,
    engine_faces=tables.ENGINE_FACES,
    overshoot_spins=NEVER,
    overshoot_out=NEVER,
    block_spins=False,
    blocks="lifted",
    collisions="mover",
    debris_at_once=False,
    debris_of=frozenset({"corner", "tires", "blocked", "body", "engine", "handling"}),
    stops_worn_only=False,
    pit_entry_gear=tables.TOP_GEAR,
    holds_gear_after_pit=False,
)
CHOICES: Final = FORMULA_D.choices
