"""`companion doctor|report|hotspot`: what is wrong with the machine and its seats, the same to be
sent, a network of its own.
"""

from __future__ import annotations

import io
import json
import sys
import zipfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import click
from click.core import ParameterSource

from companion.app.plugins import OutsideSeats
from companion.app.seats import examine_seats, plan_of, seat_driver
from companion.cli import tools
from companion.machine import findings, hotspot
from companion.race.record import RecordError, read_record, without_names
from companion.seats.live import LiveTest, Tell
from companion.seats.plan import Finding, PlanError, SeatPlan, Troubled
from companion.system.config import Config, ConfigError, stick_of
from companion.table.ports import SeatDriver

ALL_WELL, TO_MEND = 0, 1


@tools.command("doctor", tools.DATA, tools.SEATS, tools.CONFIG, tools.AS_JSON)
@click.option(
    "--live", is_flag=True, help="with a person at the seats: every glass asks for its buttons"
)
@tools.sentences(PlanError, ConfigError)
def examine(data: Path, seats: str | None, config: Path | None, live: bool, as_json: bool) -> int:
    """Look at the machine and at every seat that has a driver.

    Disk, clock, power, heat, memory, network, hotspot; libraries, groups, overlays, buttons and
    screens.
    Without --data it is the service's folder, where there is a service. Run it while no table is
    open. The status is 1 if there is something to mend; a ? is what it could not look at.
    """
    found, _ = _look(*_folder_of(data), config, seats, live=live)
    is_well = all(one.ok is not False for one in found)
    answer = {"ok": is_well, "findings": [one.as_json() for one in found]}
    tools.answer(as_json, answer, *map(_line, found))
    return ALL_WELL if is_well else TO_MEND


def _look(
    data: Path, whose: str, config: Path | None, seats: str | None = None, *, live: bool = False
) -> tuple[list[Finding], SeatPlan]:
    """All that is found of a folder of races, its seats and the machine; and how these are set up.

    Raises:
        PlanError: the file or the seats that the command line names mean nothing.
        ConfigError: so does the file.
    """
    file, plan = config or Config(data=data).file, SeatPlan()
    found = [findings.examine_configuration(file, whose), *_unread(data, config)]
    # Seats and stick are named in the configuration: what cannot be read tells of none.
    if found[0].ok is not False:
        try:
            stick, plan = stick_of(file), plan_of(data, seats, config)
        except (PlanError, ConfigError) as trouble:
            if config is not None or seats is not None:  # what was typed is to be typed anew
                raise
            mend = f"mend {file}: until then every seat is a phone"
            found.append(Finding("configuration", str(trouble), ok=False, mend=mend))
        else:
            found += [*findings.examine_stick(stick), *_examine(plan, live)]
    found += [*findings.examine_machine(data), hotspot.examine_hotspot(data)]
    return findings.worst_first(found), plan


@tools.command("report", tools.DATA, tools.CONFIG, tools.AS_JSON)
@click.argument("file", type=tools.PATH, help="the ZIP file to write")
@click.option("--picture", "pictures", type=tools.PATH, multiple=True, help="a photograph with it")
@click.option("--races", type=int, default=3, show_default=True, help="so many of the latest")
@tools.sentences(PlanError, ConfigError)
def pack_report(
    data: Path,
    config: Path | None,
    file: Path,
    pictures: tuple[Path, ...],
    races: int,
    as_json: bool,
) -> None:
    """Pack what a question needs into one file, to be looked at before it is sent.

    In it are what the doctor finds, versions, how the seats are set up, the latest races with
    their times and without anybody's name, and the photographs that are named: these as they are.
    """
    data, whose = _folder_of(data)
    found, plan = _look(data, whose, config)
    seats = {"drivers": plan.drivers, "options": plan.options}
    files = {
        "doctor.txt": "\n".join((f"{data} ({whose})", *map(_line, found), "")).encode(),
        "seats.json": json.dumps(seats, indent=1, default=dict).encode(),
        **_nameless(data / "records", races),
        **{f"pictures/{path.name}": tools.read(path) for path in pictures},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    tools.write(file, packed.getvalue())
    says = [f"{file} has:", *(f"  {name}, {len(one)} bytes" for name, one in files.items())]
    says.append("Look at it before you send it: pictures are as they were taken.")
    tools.answer(as_json, {"file": str(file), "has": list(files)}, *says)


def _nameless(folder: Path, count: int) -> dict[str, bytes]:
    """The latest records, by their names in the report; of one that cannot be read, why not."""
    newest = sorted(folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    found = {}
    for path in newest[:count]:
        try:
            lines = without_names(read_record(path))
        except (RecordError, OSError) as error:
            found[f"records/{path.stem}.txt"] = f"cannot be read: {error}\n".encode()
            continue
        found[f"records/{path.name}"] = "".join(f"{json.dumps(one)}\n" for one in lines).encode()
    return found


def _folder_of(data: Path) -> tuple[Path, str]:
    """The folder of races: what is named, else the service's, else the user's own; whose it is."""
    if click.get_current_context().get_parameter_source("data") is not ParameterSource.DEFAULT:
        return data, "named"
    of_service = findings.service_data()
    return (of_service, "the service's") if of_service else (data, "your own, there is no service")


def _examine(plan: SeatPlan, live: bool) -> list[Finding]:
    if live:
        return _examine_live(plan, partial(print, file=sys.stderr, flush=True))
    return examine_seats(plan)


def _examine_live(plan: SeatPlan, tell: Tell) -> list[Finding]:
    """Open all seats that have a driver and ask for their buttons; what was found."""
    live, found = LiveTest(tell), []
    with ExitStack() as opened:
        drivers: dict[int, SeatDriver] = {}
        for name, seats in plan.groups().items():
            try:
                driver = seat_driver(name)(seats, live, plan.options_of(name))
                opened.callback(driver.close)
                if isinstance(driver, OutsideSeats):
                    driver.begin()
            except Troubled as troubled:
                # One driver that fails keeps no other seat from being tried.
                mend = "companion doctor tells more"
                found.append(Finding("driver", f"{name}: {troubled}", ok=False, mend=mend))
                continue
            drivers |= dict.fromkeys(seats, driver)
        found += live.run(drivers)
    return found or [Finding("seats", "none has a driver: all are phones")]


def _unread(data: Path, config: Path | None) -> list[Finding]:
    """A configuration that lies where nobody looks: else all would be well, unexamined."""
    here, there = Path("companion.toml"), Config(data=data).file
    if config is not None or not here.exists() or there.exists():
        return []
    says = f"companion.toml lies here and was not read: it is looked for at {there}"
    mend = f"companion doctor --config companion.toml, or move it into {data}"
    return [Finding("configuration", says, ok=False, mend=mend)]


SIGNS = {True: "ok   ", False: "WRONG", None: "?    "}


def _line(found: Finding) -> str:
    where = "" if found.seat is None else f"seat {found.seat}, "
    line = f"{SIGNS[found.ok]} {where}{found.what}: {found.says}"
    return f"{line}\n      {found.mend}" if found.ok is False else line


# -- hotspot --------------------------------------------------------------------------------------


ON, OFF, SHOW = "on", "off", "show"


@tools.command("hotspot", tools.DATA, tools.AS_JSON)
@click.argument("does", type=click.Choice((ON, OFF, SHOW)), help="on, off, or show the password")
@click.option("--name", default="Race companion", show_default=True, help="of the network")
@click.option("--now", is_flag=True, help="leave the network that the radio is in")
@tools.sentences(hotspot.HotspotTrouble)
def switch(data: Path, does: str, name: str, now: bool, as_json: bool) -> None:
    """Let the machine open a network of its own where it knows none; as root.

    Name and password are shown on the page; a phone that comes in is led to the table. Without
    --data it is the service's folder, where there is a service.
    """
    data, _ = _folder_of(data)
    if does == OFF:
        hotspot.turn_off(data)
        tools.answer(as_json, {"on": False}, "off")
        return
    if does == ON:
        network, is_open = hotspot.turn_on(data, name, now=now)
        says = (
            "open" if is_open else "on; it opens where no known network is there (--now: at once)"
        )
        _tell(network, says, as_json)
        return
    known = hotspot.read_hotspot(data)
    if known is None:
        raise hotspot.HotspotTrouble("there is none yet; sudo companion hotspot on")
    _tell(known, "as it was switched on", as_json)


def _tell(network: hotspot.Hotspot, says: str, as_json: bool) -> None:
    known = {"name": network.name, "password": network.password, "code": network.code}
    line = f"network {network.name}, password {network.password}: {says}"
    tools.answer(as_json, {"on": True, **known}, line)
