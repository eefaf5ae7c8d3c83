"""What the page shows on the board of the seats' keys: which button ends the move where, and the
place that a seat steps to. So whoever plays by buttons finds the button by looking at the road."""

from __future__ import annotations

from collections.abc import Mapping

from companion.views.games import views_of
from companion.views.model import Scene
from companion.views.seat.core import Dialog
from companion.views.seat.dialog import talk_of

MOVES = ("move", "slipstream")


def in_sight(scene: Scene, dialogs: Mapping[int, Dialog]) -> dict[str, object]:
    """`keyed`: the ends that a button gives now; `ghosts`: where a seat says that a car stands."""
    keyed: list[dict[str, object]] = []
    ghosts: list[dict[str, object]] = []
    moving = [ask.seat for ask in scene.asks if ask.kind in MOVES and ask.seat in dialogs]
    for seat in dict.fromkeys(moving):
        talk, page = talk_of(scene, seat, dialogs[seat])
        road = views_of(scene).road(talk, page.choices)
        if road is None or page.face is not None:
            continue
        ids = road.track.ids
        keyed += [
            {"seat": seat, "to": ids[end.to], "button": end.button, "mark": end.price}
            for end in road.ends
            if end.button is not None
        ]
        if road.ghost is not None:
            ghosts.append({"seat": road.seat, "space": ids[road.ghost]})
    return {"keyed": keyed, "ghosts": ghosts}
