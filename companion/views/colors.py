"""Which color the car of a seat has."""

from __future__ import annotations

from companion.rules.colors import share_out
from companion.views.facts import once
from companion.views.lobby import options
from companion.views.model import Scene


def color_of(scene: Scene, seat: int) -> str:
    """The color of a seat's car: as its header or the lobby has it, else that of its seat."""
    return once(scene, _colors).get(seat) or share_out([seat], {})[seat]


def _colors(scene: Scene) -> dict[int, str]:
    if scene.header is not None:
        seats = scene.header["seats"]
        chosen = {one["seat"]: one["color"] for one in seats if one.get("color")}
        return share_out([one["seat"] for one in seats], chosen)
    lobby = scene.lobby
    return {} if lobby is None else options.colors(lobby)
