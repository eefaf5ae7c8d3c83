"""The pit of a board: a lane one car wide, and boxes beside it (FD-PIT-6)."""

from __future__ import annotations

from companion.frozen import dataclass
from companion.rules.board.levels import pit_levels, unroll
from companion.rules.board.plan import PitPlan


@dataclass(frozen=True, slots=True)
class Pit:
    """The pit's spaces, numbered on after those of the track; tuples in that order.

    `far_level` counts on past the line without a jump.
    """

    ids: tuple[str, ...] = ()
    number: tuple[int, ...] = ()
    far_level: tuple[int, ...] = ()
    ahead: tuple[int, ...] = ()
    nexts: tuple[tuple[int, ...], ...] = ()
    lane: tuple[int, ...] = ()
    boxes: tuple[int, ...] = ()
    box_lane: tuple[int, ...] = ()
    entries: tuple[int, ...] = ()
    exits: tuple[int, ...] = ()


def build_pit(
    plan: PitPlan, entries: tuple[int, ...], exits: tuple[int, ...], levels: list[int], lap: int
) -> Pit:
    """The pit of a track with these levels, entered from `entries` and left to `exits`.

    Neither may be empty. The entry that counts for the levels is the last along the lap,
    the exit the first.
    """
    size = len(levels)
    near = levels[entries[0]]
    entry = max(unroll(levels[space], near, lap) for space in entries)
    first_exit = min(unroll(levels[space], levels[exits[0]], lap) for space in exits)
    far = pit_levels(entry, first_exit, plan.spaces, lap)
    lane = tuple(range(size, size + plan.spaces))
    boxes = tuple(range(size + plan.spaces, size + plan.spaces + len(plan.boxes)))
    box_lane = tuple(lane[number - 1] for number in plan.boxes)
    return Pit(
        ids=(
            *(f"P{k}" for k in range(1, len(lane) + 1)),
            *(f"B{k}" for k in range(1, len(boxes) + 1)),
        ),
        number=(*range(1, len(lane) + 1), *range(1, len(boxes) + 1)),
        far_level=(*far, *(far[number - 1] for number in plan.boxes)),
        ahead=(*lane[1:], -1, *(-1 for _ in boxes)),
        nexts=(*((space,) for space in lane[1:]), exits, *((space,) for space in box_lane)),
        lane=lane,
        boxes=boxes,
        box_lane=box_lane,
        entries=entries,
        exits=exits,
    )
