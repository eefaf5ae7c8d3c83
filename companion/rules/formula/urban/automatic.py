"""The steps of urban races that go by themselves as far as they can; see `formula.turn`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Step
from companion.rules.formula.urban import aims, police, regain, reroll, trail

AUTOMATIC: Mapping[str, Callable[[Flow, Step], bool]] = {
    "checkpoint": regain.pass_checkpoint,
    "recover": regain.recover_if_plain,
    "police": police.note,
    "noise": aims.skip_quiet,
    "radio": aims.skip_alone,
    "throw": aims.skip_missed,
    "trail": trail.skip_if_idle,
    "reroll": reroll.settle_if_gone,
}

OWN = frozenset(AUTOMATIC) - {"reroll"}
"""Those that fall away with the car that they belong to."""
