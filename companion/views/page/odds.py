"""The odds of a seat's gears for whoever asks for them on the page: figures, and words."""

from __future__ import annotations

from collections.abc import Mapping

from companion.views.games import views_of
from companion.views.model import Scene


def tell_odds(scene: Scene, seat: int) -> Mapping[str, object] | None:
    """The odds of each gear that a seat may roll with next; None: the race is without advice.

    `gears` have chances and expected turns, each language its sentences, in the order of the gears.
    """
    if scene.advise is None:
        return None
    return {"version": scene.version, "seat": seat, **views_of(scene).odds(scene, seat)}
