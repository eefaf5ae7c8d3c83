"""The options of commands that speak of seats: `--data`, `--config`, `--seats`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from companion.config import Config, data_folder
from companion.seats.plan import PlanError, SeatPlan, parse_seats, read_plan


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the three options."""
    parser.add_argument(
        "--data",
        metavar="DIR",
        type=Path,
        default=data_folder(),
        help="the folder of races and records (%(default)s)",
    )
    parser.add_argument(
        "--seats",
        metavar="TEXT",
        help="the drivers of the seats, as in '2 wired simulated, 1 pod, 2 phones'; "
        "instead of what [seats] of the configuration says",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="the configuration of the seats (companion.toml in the folder of races)",
    )


def plan_of(args: argparse.Namespace) -> SeatPlan:
    """The plan of the configuration file, with the drivers that the command line names.

    Raises:
        PlanError: one of the two cannot be followed, or the file that is named is not there.
    """
    if args.config is not None and not args.config.exists():
        raise PlanError(f"{args.config} is not there")
    plan = read_plan(args.config or Config(data=args.data).file)
    return plan if args.seats is None else replace(plan, drivers=parse_seats(args.seats))
