"""Wear points given back by choice: the repair of a technical stop, a checkpoint, a prize."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.refuse import whole_number
from companion.rules.formula.tables import CATEGORIES, TIRES


def read_points(
    kind: str,
    value: Any,
    categories: Sequence[str],
    room: Mapping[str, int],
    points: int,
    *,
    rule: str,
    of_pool: bool = False,
) -> tuple[int, ...]:
    """An answer of 1 point or more by category, in the order of `categories`.

    `room` is what each category on offer can take, `points` what there is to give; where they come
    out of a pool (`of_pool`), that is judged first. Keys of refusals begin with `kind`.

    Raises:
        Malformed: not an object of whole numbers from 1 on.
        Illegal: more points than there are, a category not on offer, or more than it can take.
    """
    if not isinstance(value, Mapping) or not value or not set(value) <= set(categories):
        raise Malformed(
            f"{kind}-form",
            f'{kind} is points by category ({{"engine": 1}}), not {value!r:.60}',
            rule=rule,
        )
    for name in value:
        if whole_number(name, value[name]) < 1:
            raise Malformed(
                f"{kind}-form", f"{name} gets 1 point or more, not {value[name]}", rule=rule
            )
    too_much = (name for name, gain in value.items() if gain > room.get(name, 0))
    name = next(too_much, None)
    total = sum(value.values())
    if total > points and (of_pool or name is None):
        raise Illegal(
            f"{kind}-too-many",
            f"there are {points} points to give, not {total}",
            rule=rule,
            args={"points": points, "given": total},
        )
    if name is not None:
        raise _too_much(kind, name, value[name], room, rule)
    return tuple(value.get(name, 0) for name in categories)


def _too_much(kind: str, name: str, gain: int, room: Mapping[str, int], rule: str) -> Illegal:
    """FD-CAR-2; tires that are not on offer are so by the rule that gives the points."""
    most = room.get(name, 0)
    return Illegal(
        f"{kind}-too-much",
        f"{name} can take {most} points back, not {gain}",
        rule=rule if name == CATEGORIES[TIRES] and not most else "FD-CAR-2",
        args={"category": name, "room": most, "points": gain},
    )
