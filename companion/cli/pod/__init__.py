"""`companion pod …`: pods on the ports, their firmware, pods without a board."""

from __future__ import annotations

from companion.cli.tools import Group

POD = Group(
    __name__,
    {
        "list": ("ports", "the pods on the ports, and how they are"),
        "flash": ("ports", "give a board the firmware of this companion"),
        "simulate": ("simulate", "a pod without a board, its screen in the terminal"),
    },
    "Pods: list them, give them firmware, simulate one.",
)
