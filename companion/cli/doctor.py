"""`companion doctor`: what is wrong with the seats, and the command that mends it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click

from companion.cli.seating import CONFIG, SEATS, plan_of
from companion.cli.tools import AS_JSON, DATA, answer, command, sentences
from companion.config import Config
from companion.seats.findings import Finding
from companion.seats.plan import PlanError, SeatPlan

ALL_WELL, TO_MEND = 0, 1


@command("doctor", DATA, SEATS, CONFIG, AS_JSON)
@click.option(
    *("--live",), is_flag=True, help="with a person at the seats: every glass asks for its buttons"
)
@sentences(PlanError)
def examine(data: Path, seats: str | None, config: Path | None, live: bool, as_json: bool) -> int:
    """Look at every seat that has a driver: libraries, groups, overlays, buttons, screens.

    Run it while no table is open. The status is 1 if there is something to mend.
    """
    found = [*_unread(data, config), *_examine(plan_of(data, seats, config), live)]
    is_well = all(one.ok for one in found)
    findings = [one.as_json() for one in found]
    answer(as_json, {"ok": is_well, "findings": findings}, *map(_line, found))
    return ALL_WELL if is_well else TO_MEND


def _examine(plan: SeatPlan, live: bool) -> list[Finding]:
    if live:
        from companion.cli.live import examine_live

        return examine_live(plan, partial(print, file=sys.stderr, flush=True))
    from companion.bootstrap import examine_seats

    return examine_seats(plan)


def _unread(data: Path, config: Path | None) -> list[Finding]:
    """A configuration that lies where nobody looks: else all would be well, unexamined."""
    here, there = Path("companion.toml"), Config(data=data).file
    if config is not None or not here.exists() or there.exists():
        return []
    says = f"companion.toml lies here and was not read: it is looked for at {there}"
    mend = f"companion doctor --config companion.toml, or move it into {data}"
    return [Finding("configuration", says, ok=False, mend=mend)]


def _line(found: Finding) -> str:
    where = "" if found.seat is None else f"seat {found.seat}, "
    line = f"{'ok   ' if found.ok else 'WRONG'} {where}{found.what}: {found.says}"
    return line if found.ok else f"{line}\n      {found.mend}"
