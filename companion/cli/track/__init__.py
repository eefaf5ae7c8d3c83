"""`companion track …`: the boards, shown, drawn, checked, written."""

from __future__ import annotations

from companion.cli.tools import Group

TRACK = Group(
    __name__,
    {
        "list": ("boards", "the boards that a race may ask for"),
        "show": ("boards", "one board: corners, grid, pit, weather"),
        "check": ("boards", "what is wrong with a track file"),
        "draw": ("boards", "a picture of a board, as SVG"),
        "import": ("bring", "a board of the public editor's format (.dat), as a track file"),
        "new": ("new", "ask for a board section by section and write its file"),
    },
    "List, show, draw, check and write boards.",
)
