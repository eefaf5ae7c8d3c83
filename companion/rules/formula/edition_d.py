"""Formula D: the rules as `tables` has them."""

from __future__ import annotations

from typing import Final

from companion.rules.formula import tables
from companion.rules.formula.edition import NEVER, TIME, Edition
from companion.rules.game import Clash

_FOR_GOOD: Final = "a stop gives the gearbox back, and one that was empty is limited for good"
_GONE: Final = "who touches a car that a block puts out rolls, and it is gone at once"
_STANDS: Final = "where it has rolled out it stands until its next turn"
_NO_MORE: Final = "a car whose engine is gone is lifted, so it does not coast home"
_BELL: Final = "the bell may leave no lap in which to stop for the other kind of tires"
_TIMES: Final = TIME["race_time"][1:]

FORMULA_D: Final = Edition(
    name="formula-d",
    ids={},
    optional_rules=("build", "trials", "weather", "tires", "technical", "teams", "urban"),
    house={
        "corner_ways": ("any", "shortest"),
        "soft_second_lap": ("double", "single"),
        "slipstream_chain": ("any", "one"),
        "repair_lifts": ("yes", "no"),
        "spin_grace": ("while-at-0", "next-turn", "one-point"),
        "trial_start": ("standing", "flying"),
        "trial_corner": ("book", "missing"),
        "soft_rain": ("single", "double"),
        "level_order": ("inside", "arrived"),
        "grid_die": ("high", "low"),
        "spin_restart": ("first", "black-die"),
        "block_last_tires": ("nothing", "spin"),
        "wrecks": ("lifted", "blocked", "blocked-body"),
        "causer": ("rolls", "pays"),
        "worse_collision": ("off", "on"),
        "debris_from": ("every-out", "damage"),
        "debris_laid": ("turn-end", "at-once"),
        "debris_limit": ("none", "10"),
        "debris_swept": ("never", "last-car", "4-passes"),
        "build_points": ("20", "17", "18", "22", "24"),
        "build_least": ("1", "2"),
        "build_most": ("14-7", "any"),
        "pit_entry": ("any", "4th", "5th-brake"),
        "pit_lane": ("free", "gears"),
        "stop_restores": ("tires", "gearbox", "all"),
        "fast_stop": ("half", "quarter"),
        "points": tuple(tables.POINTS_BY_PLACE),
        "classified": ("line", "90", "distance"),
        "stopped_points": ("full", "half-75", "half-75-2-laps"),
        "weather_machine": ("rows", "masters"),
        "weather_test": ("move", "round"),
        "variable_start": ("dry", "as-trials"),
        "slide": ("whole-move", "until-stops-made"),
        "spin_level": ("old", "first"),
        "trial_ties": ("die", "first"),
        "block_end": ("choice", "plays-first"),
        "block_contact": ("nobody", "rolls"),
        "long_stop": ("repairs", "any"),
        "pit_gear": ("any", "reaches"),
        "pool_on_car": ("no", "yes"),
        "boxes": ("seats", "grid"),
        "blown_engine": ("lifted", "inertia-4"),
        "coast_home": ("never", "straight", "last-but-one-corner"),
        "lapped": ("round", "circular"),
        "black_flag": ("off", "on"),
        "red_flag": ("off", "on"),
        "trial_error": ("0", "10"),
        "mandatory_tires": ("any", "two-kinds"),
        "wing": ("none", "choice"),
        "second_roll": ("none", "gear", "any"),
        "extra_move": ("none", "engine", "engine-lap", "top"),
        **TIME,
    },
    fixed={},
    clashes=(
        Clash(("repair_lifts", "no"), ("stop_restores", "gearbox"), _FOR_GOOD),
        Clash(("repair_lifts", "no"), ("stop_restores", "all"), _FOR_GOOD),
        Clash(("block_contact", "rolls"), ("wrecks", "lifted"), _GONE),
        Clash(("blown_engine", "inertia-4"), ("wrecks", "lifted"), _STANDS),
        Clash(("blown_engine", "inertia-4"), ("wrecks", "blocked"), _STANDS),
        *(Clash(("mandatory_tires", "two-kinds"), ("race_time", t), _BELL) for t in _TIMES),
        *(
            Clash(("coast_home", after), other, why)
            for after in ("straight", "last-but-one-corner")
            for other, why in (
                (("blown_engine", "lifted"), _NO_MORE),
                (("wrecks", "lifted"), _STANDS),
                (("wrecks", "blocked"), _STANDS),
            )
        ),
    ),
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
CHOICES: Final = FORMULA_D.choices
