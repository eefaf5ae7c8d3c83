"""Formule Dé (1991): what differs from Formula D, with its rules.

What it words itself and plays as Formula D does needs no figure: brakes mixed with tires
(DE-CORNER-2), slipstreams (DE-SLIP-1), the ways in straights and corners, here without a
switch (DE-MOVE-1). The boxes that the teams choose come with the header (DE-PIT-3).
"""

from __future__ import annotations

from typing import Final

from companion.rules.formula.edition import Edition
from companion.rules.game import Choices

# The rules that Formule Dé words itself; all others keep the id of Formula D.
_IDS: Final = {
    "FD-CAR-1": "DE-CAR-1",
    "FD-BUILD-1": "DE-CAR-1",
    "FD-LAPS-1": "DE-CAR-2",
    "FD-GRID-1": "DE-GRID-1",
    "FD-START-2": "DE-START-1",
    "FD-START-3": "DE-START-1",
    "FD-START-4": "DE-START-1",
    "FD-ORDER-3": "DE-ORDER-1",
    "FD-GEAR-3": "DE-REV-1",
    "FD-CORNER-2": "DE-CORNER-1",
    "FD-CORNER-3": "DE-CORNER-1",
    "FD-CORNER-6": "DE-CORNER-3",
    "FD-CORNER-7": "DE-CORNER-3",
    "FD-BRAKE-1": "DE-BRAKE-1",
    "FD-BLOCK-1": "DE-BLOCK-1",
    "FD-REV-1": "DE-REV-1",
    "FD-REV-2": "DE-REV-1",
    "FD-BUMP-1": "DE-BUMP-1",
    "FD-BUMP-2": "DE-OUT-1",
    "FD-ENGINE-1": "DE-ENGINE-1",
    "FD-ENGINE-3": "DE-OUT-1",
    "FD-DEBRIS-1": "DE-DEBRIS-1",
    "FD-DEBRIS-2": "DE-DEBRIS-1",
    "FD-DEBRIS-3": "DE-DEBRIS-1",
    "FD-PIT-2": "DE-PIT-2",
    "FD-PIT-4": "DE-PIT-4",
    "FD-END-1": "DE-END-1",
}

FORMULE_DE: Final = Edition(
    name="formule-de",
    ids=_IDS,
    optional_rules=("advanced", "weather", "tires", "technical", "teams"),
    laps=(1, 3),  # DE-CAR-2
    most_cars=10,  # DE-CAR-2
    # DE-CAR-1: `fuel` stands where Formula D has gearbox; handling in advanced races only.
    categories=("tires", "brakes", "fuel", "body", "engine", "handling"),
    start_wear=(6, 4, 3, 3, 3, 0),
    wear_by_laps={1: (4, 3, 2, 2, 2, 0)},
    built_wear=(6, 4, 3, 3, 3, 1),
    build_rule="advanced",
    build_limits=((1, 15),) * 6,
    pool_rules=frozenset({"technical", "advanced"}),  # DE-PIT-2
    start_outcomes=("stalled", "normal", "double"),  # DE-START-1
    pit_in_order_of_entry=True,  # DE-PIT-4
    engine_faces={5: frozenset({19, 20}), 6: frozenset({29, 30})},  # DE-ENGINE-1
    overshoot_spins=6,  # DE-CORNER-1
    overshoot_out=7,  # DE-CORNER-1
    collisions="group",  # DE-BUMP-1
    stops_worn_only=True,  # DE-PIT-1
    pit_entry_gear=4,  # DE-PIT-1
    holds_gear_after_pit=True,  # DE-PIT-2
)


def choices() -> Choices:
    """What a header of Formule Dé may choose."""
    return FORMULE_DE.choices
