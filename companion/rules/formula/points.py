"""Wear points given back by choice: the repair of a technical stop, a checkpoint, a prize."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rules.formula.tables import CATEGORIES, TIRES
from companion.rules.formula.wear import Wear
from companion.rules.reading import bad, refuse, whole_number


def read_points(
    kind: str,
    value: object,
    categories: Sequence[str],
    room: Mapping[str, int],
    points: int,
    *,
    rule: str,
    of_pool: bool = False,
) -> Wear:
    """An answer of 1 point or more by category, in the order of `categories`.

    `room` is what each category on offer can take, `points` what there is to give; where they come
    out of a pool (`of_pool`), that is judged first. Keys of refusals begin with `kind`.

    Raises:
        Malformed: not an object of whole numbers from 1 on.
        Illegal: more points than there are, a category not on offer, or more than it can take.
    """
    form = f"{kind}-form"
    if not isinstance(value, Mapping) or not value or not set(value) <= set(categories):
        message = f'{kind} is points by category ({{"engine": 1}}), not {value!r:.60}'
        bad(form, message, rule=rule)
    gains = {name: whole_number(value[name], name) for name in value}
    for name, gain in gains.items():
        if gain < 1:
            bad(form, f"{name} gets 1 point or more, not {gain}", rule=rule)
    full = next((name for name, gain in gains.items() if gain > room.get(name, 0)), None)
    given = sum(gains.values())
    if given > points and (of_pool or full is None):
        message = f"there are {points} points to give, not {given}"
        refuse(f"{kind}-too-many", message, rule=rule, points=points, given=given)
    if full is not None:
        _refuse_too_much(kind, full, gains[full], room.get(full, 0), rule)
    return tuple(gains.get(name, 0) for name in categories)


def _refuse_too_much(kind: str, name: str, gain: int, room: int, rule: str) -> None:
    """FD-CAR-2; tires that are not on offer are so by the rule that gives the points."""
    rule = rule if name == CATEGORIES[TIRES] and not room else "FD-CAR-2"
    message = f"{name} can take {room} points back, not {gain}"
    refuse(f"{kind}-too-much", message, rule=rule, category=name, room=room, points=gain)
