"""Which house switches change the figures that advice is worked out from.

Odds, solved boards and reviews know the dice, the wear, the pit and the tires of the rulebook. A
switch that changes one of them is named here by whoever adds it, as long as advice does not know
it; then advice says so instead of giving figures of another race. (`blown_engine` and `coast_home`
are not there without a `wrecks`, which is.)
"""

from __future__ import annotations

from typing import Final

from companion.rules.formula.settings import Setup
from companion.rules.reading import bad

UNKNOWN_TO_ADVICE: Final = frozenset(
    {
        *("spin_restart", "block_last_tires", "wrecks", "worse_collision", "soft_rain"),
        *("slide", "pool_on_car", "pit_gear", "block_end"),
        *("build_points", "build_least", "build_most"),
        *("pit_entry", "pit_lane", "stop_restores", "fast_stop"),
        *("extra_move", "second_roll", "mandatory_tires", "wing"),
    }
)


def refuse_unknown_figures(setup: Setup) -> None:
    """Refuse to give advice for a race with such a switch set.

    Raises:
        Malformed: naming the switch.
    """
    for name, values in setup.edition.house.items():
        value = getattr(setup, name)
        word = {True: "on", False: "off"}.get(value, value)
        if name in UNKNOWN_TO_ADVICE and word != values[0]:
            message = f"advice does not know the house switch {name}: {word}, which changes figures"
            bad("advice-unknown-switch", message, name=name)
