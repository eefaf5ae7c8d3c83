"""The lamp of a seat: who is waited for can be seen across the table."""

from __future__ import annotations

from typing import Literal

from companion.views.model import Scene

Lamp = Literal["off", "on", "blinks"]


def lamp_of(scene: Scene, seat: int) -> Lamp:
    """Lit while the seat is asked something that it alone must answer.

    It blinks while the seat's last press stands refused, and is dark in a pause.
    """
    if seat in scene.refused:
        return "blinks"
    is_asked = any(ask.seat == seat for ask in scene.asks)
    return "on" if is_asked and not scene.paused else "off"
