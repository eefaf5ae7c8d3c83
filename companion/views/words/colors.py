"""The colors of cars: ten names, which headers, pages and drawings share."""

from __future__ import annotations

from companion.views.model import Scene

COLORS = (
    "red", "blue", "yellow", "green", "black", "orange", "purple", "turquoise", "pink", "brown",
)  # fmt: skip
"""By seat, for a car of which nobody has said its color."""


def color_of(scene: Scene, seat: int) -> str:
    """The color of a seat's car: the one in the header, else that of its number."""
    entries = scene.header["seats"] if scene.header else ()
    said = next((entry.get("color") for entry in entries if entry.get("seat") == seat), None)
    return said if said in COLORS else COLORS[(seat - 1) % len(COLORS)]
