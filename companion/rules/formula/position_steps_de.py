"""The pending steps of a position that one edition has and the other has not."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.formula.state import State, Step
from companion.rules.reading import bad


def check_edition(state: State, step: Step) -> None:
    """Whether this edition has such a step, and whether it names cars as the rule does.

    Raises:
        Malformed: what is wrong.
    """
    edition = state.setup.edition
    known = {
        "double": "double" in edition.start_outcomes,
        "collision": edition.collisions == "mover",
        "touch": edition.collisions == "group",
        "lift": edition.blocks == "wreck",
    }
    if not known.get(step.kind, True):
        bad("pending-form", f"{step.kind} is never pending in {edition.name}")
    if step.kind == "touch":
        _check_touch(step)


def _check_touch(step: Step) -> None:
    """The cause rolls when all others have, and nobody rolls for itself (DE-BUMP-1, DE-BUMP-2)."""
    if any(seat in (against, step.seat) for seat, against in step.rolls):
        bad("pending-form", "rolls of touch are of others than the cause, each for another car",
            rule="DE-BUMP-2")  # fmt: skip
    if step.seat in step.seats:
        bad("pending-form", "a car does not roll against itself", rule="DE-BUMP-1")


def check_double(steps: Sequence[Step]) -> None:
    """What counts double is the roll right before it (DE-START-1).

    Raises:
        Malformed: nobody rolls it, so it would wait for ever.
    """
    for before, step in zip((None, *steps), steps, strict=False):
        rolled = before and before.kind in ("gear", "roll") and before.seat == step.seat
        if step.kind == "double" and not rolled:
            bad("pending-form", "double follows the gear or the roll of its seat",
                rule="DE-START-1")  # fmt: skip
