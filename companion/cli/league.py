"""`companion league …`: what belongs to it, and how each action reaches the league."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from companion.cli.leagueadd import register as register_add
from companion.cli.leagueclub import register as register_club
from companion.cli.leaguefiles import register as register_files
from companion.cli.leagueshow import register as register_show

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]


def register(subparsers: Subparsers) -> None:
    """Add `league` and its actions."""
    parser = subparsers.add_parser(
        "league",
        help="seasons and standings out of the records",
        description="The league of a folder of races: an index of its records, with what you "
        "add by hand. Finished races come in by themselves. docs/league.md tells it all.",
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    for register_part in (register_add, register_show, register_files, register_club):
        register_part(actions)
