"""`companion doctor`: what is wrong with the seats, and the command that mends it."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from companion.cli.seating import add_options, plan_of
from companion.seats.findings import Finding
from companion.seats.plan import PlanError

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

ALL_WELL, TO_MEND, FAILED = 0, 1, 2


def register(subparsers: Subparsers) -> None:
    """Add `doctor` to the command line."""
    parser = subparsers.add_parser(
        "doctor",
        help="look at the seats' hardware, and say what mends it",
        description="Looks at every seat that has a driver: libraries, groups, overlays, "
        "buttons, screens. Run it while no table is open. The status is 1 if there is "
        "something to mend.",
    )
    add_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object, for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine, and tell."""
    from companion.bootstrap import examine_seats

    try:
        found = examine_seats(plan_of(args))
    except PlanError as error:
        print(f"companion: {error}", file=sys.stderr)
        return FAILED
    is_well = all(one.ok for one in found)
    if args.json:
        print(json.dumps({"ok": is_well, "findings": [one.as_json() for one in found]}))
    else:
        for one in found:
            print(_line(one))
    return ALL_WELL if is_well else TO_MEND


def _line(found: Finding) -> str:
    where = "" if found.seat is None else f"seat {found.seat}, "
    line = f"{'ok   ' if found.ok else 'WRONG'} {where}{found.what}: {found.says}"
    return line if found.ok else f"{line}\n      {found.mend}"
