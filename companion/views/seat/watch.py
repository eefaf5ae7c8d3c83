"""The stopwatch of a trial in figures."""

from __future__ import annotations

from companion.views.model import Scene


def minutes(seconds: float) -> str:
    """Minutes and seconds, as a watch shows them.

    >>> minutes(83.9), minutes(3600)
    ('1:23', '60:00')
    """
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02d}"


def running(scene: Scene, seat: int) -> str:
    """The watch that runs for a seat; "" where none does."""
    if scene.watch is None or scene.watch["seat"] != seat:
        return ""
    return minutes(scene.watch["seconds"])
