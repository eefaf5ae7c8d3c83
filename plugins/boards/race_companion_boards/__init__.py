"""Boards listed, shown, drawn, checked and written: `companion track`, a plugin that ships."""

from __future__ import annotations

from companion.cli.tools import Group


def open_command() -> Group:
    """`companion track list|show|check|draw|import|new`."""
    here = "race_companion_boards.commands"
    return Group(
        "track",
        {
            "list": (here, "the boards that a race may ask for"),
            "show": (here, "one board: corners, grid, pit, weather"),
            "check": (here, "what is wrong with a track file"),
            "draw": (here, "a picture of a board, as SVG"),
            "import": (here, "a board of another program (such as a .dat), as a track file"),
            "new": (here, "ask for a board section by section and write its file"),
        },
        "List, show, draw, check and write boards.",
    )
