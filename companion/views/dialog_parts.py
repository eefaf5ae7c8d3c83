"""Lines that several pages share: where a car is, what its corner wants, its wear."""

from __future__ import annotations

from functools import lru_cache

from companion.views.costs import CATEGORIES, WEAR
from companion.views.dialog_core import Talk
from companion.views.facts import box_of, car_of, full_wear, next_corner, space_of
from companion.views.model import Pip, Scene
from companion.views.places import corner_name, place_line
from companion.views.words import LINE_COLUMNS, Words, fit

SHORTEST_NAME = 3
"""Columns below which the name of a corner tells nothing."""


def car_pips(scene: Scene, seat: int, say: Words) -> tuple[Pip, ...]:
    """The wear of a car, by category in the order of the card."""
    left = (car_of(scene, seat) or {}).get("wear", {})
    return _pips(tuple(left.items()), tuple(full_wear(scene, seat).items()), say)


@lru_cache(maxsize=128)
def _pips(
    left: tuple[tuple[str, int], ...], full: tuple[tuple[str, int], ...], say: Words
) -> tuple[Pip, ...]:
    """Kept, as most presses wear one car or none and every screen has its pips."""
    now, most = dict(left), dict(full)
    return tuple(Pip(say(WEAR[name]), now[name], most[name]) for name in CATEGORIES if name in most)


def corner_line(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """The corner that matters now, stops made and needed: "Loews 1/3"; "" in the pit."""
    corner = next_corner(talk.scene, talk.who)
    track = talk.scene.track
    if corner is None or track is None:
        return ""
    stops = f" {corner.made}/{corner.needed}"
    if columns < len(stops) + SHORTEST_NAME:
        return stops.strip() if columns >= len(stops) else ""
    return fit(corner_name(track, corner.corner, talk.say), columns - len(stops)) + stops


def place_of_car(talk: Talk, columns: int = LINE_COLUMNS) -> str:
    """Where the car stands, on one line; "" when it is not on a board."""
    track, space = talk.scene.track, space_of(talk.scene, talk.who)
    if track is None or space is None:
        return ""
    return place_line(track, space, talk.say, columns, box_of(talk.scene, talk.who))
