"""What the companion calls by the package's entry points (docs/plugins.md)."""

from __future__ import annotations

import click

from companion.cli.tools import Group
from race_companion_pods.doctor import examine, examine_simulated
from race_companion_pods.driver import open_seats
from race_companion_pods.simulator import open_picos
from race_companion_pods.simulator import open_seats as open_simulated

__all__ = ["open_command", "open_picos", "open_seats", "open_simulated"]

open_seats.examine = examine  # type: ignore[attr-defined]
open_simulated.examine = examine_simulated  # type: ignore[attr-defined]


def open_command() -> click.Command:
    """`companion pod list|flash|simulate`."""
    here = "race_companion_pods.commands"
    return Group(
        "pod",
        {
            "list": (here, "the pods on the ports, and how they are"),
            "flash": (here, "give a board the firmware of this companion"),
            "simulate": (here, "a pod without a board, its screen in the terminal"),
        },
        "Pods: list them, give them firmware, simulate one.",
    )
