"""`companion doctor`: what is wrong with the machine and the seats, and what mends it."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from companion.cli.seating import CONFIG, SEATS, plan_of
from companion.cli.tools import AS_JSON, DATA, answer, command, sentences
from companion.config import Config, ConfigError, stick_of
from companion.seats.findings import Finding
from companion.seats.plan import PlanError, SeatPlan

ALL_WELL, TO_MEND = 0, 1
SIGNS = {True: "ok   ", False: "WRONG", None: "?    "}


@command("doctor", DATA, SEATS, CONFIG, AS_JSON)
@click.option(
    "--live", is_flag=True, help="with a person at the seats: every glass asks for its buttons"
)
@sentences(PlanError, ConfigError)
def examine(data: Path, seats: str | None, config: Path | None, live: bool, as_json: bool) -> int:
    """Look at the machine and at every seat that has a driver.

    Disk, clock, power, heat, memory, network, hotspot; libraries, groups, overlays, buttons and
    screens.
    Without --data it is the service's folder, where there is a service. Run it while no table is
    open. The status is 1 if there is something to mend; a ? is what it could not look at.
    """
    from companion.machine.configuration import examine_configuration, examine_stick
    from companion.machine.findings import examine_machine
    from companion.machine.hotspot import examine_hotspot

    data, whose = folder_of(data)
    file = config or Config(data=data).file
    found = [examine_configuration(file, whose), *_unread(data, config)]
    if found[0].ok is not False:
        found += [*examine_stick(stick_of(file)), *_examine(plan_of(data, seats, config), live)]
    found += [*examine_machine(data), examine_hotspot(data)]
    is_well = all(one.ok is not False for one in found)
    findings = [one.as_json() for one in found]
    answer(as_json, {"ok": is_well, "findings": findings}, *map(_line, found))
    return ALL_WELL if is_well else TO_MEND


def folder_of(data: Path) -> tuple[Path, str]:
    """The folder of races: what is named, else the service's, else the user's own; whose it is."""
    from companion.machine.service import service_data

    if click.get_current_context().get_parameter_source("data") is not ParameterSource.DEFAULT:
        return data, "named"
    of_service = service_data()
    return (of_service, "the service's") if of_service else (data, "your own, there is no service")


def _examine(plan: SeatPlan, live: bool) -> list[Finding]:
    if live:
        from companion.cli.live import examine_live

        return examine_live(plan, partial(print, file=sys.stderr, flush=True))
    from companion.bootstrap_seats import examine_seats

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
    line = f"{SIGNS[found.ok]} {where}{found.what}: {found.says}"
    return f"{line}\n      {found.mend}" if found.ok is False else line
