"""The options of commands that speak of seats, and the plan that they come to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from companion.cli.tools import PATH
from companion.config import Config
from companion.seats.plan import PlanError, SeatPlan, parse_seats, read_plan

SEATS = click.Option(
    ["--seats"],
    help="the drivers of the seats, as in '2 wired simulated, 1 pod, 2 phones'; "
    "instead of what [seats] of the configuration says",
)
CONFIG = click.Option(
    ["--config"],
    type=PATH,
    help="the configuration of the seats (companion.toml in the folder of races)",
)


def plan_of(data: Path, seats: str | None, config: Path | None) -> SeatPlan:
    """The plan of the configuration file, with the drivers that the command line names.

    Raises:
        PlanError: one of the two cannot be followed, or the file that is named is not there.
    """
    if config is not None and not config.exists():
        raise PlanError(f"{config} is not there")
    plan = read_plan(config or Config(data=data).file)
    return plan if seats is None else replace(plan, drivers=parse_seats(seats))
