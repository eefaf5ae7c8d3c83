"""`companion hotspot`: a network of the table's own, where there is no known one."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.tools import AS_JSON, DATA, answer, command, sentences
from companion.machine.hotspot import Hotspot, HotspotTrouble, read_hotspot, turn_off, turn_on

ON, OFF, SHOW = "on", "off", "show"


@command("hotspot", DATA, AS_JSON)
@click.argument("does", type=click.Choice((ON, OFF, SHOW)), help="on, off, or show the password")
@click.option("--name", default="Race companion", show_default=True, help="of the network")
@click.option("--now", is_flag=True, help="leave the network that the radio is in")
@sentences(HotspotTrouble)
def switch(data: Path, does: str, name: str, now: bool, as_json: bool) -> None:
    """Let the machine open a network of its own where it knows none; as root.

    Name and password are shown on the page; a phone that comes in is led to the table. Without
    --data it is the service's folder, where there is a service.
    """
    from companion.cli.doctor import folder_of

    data, _ = folder_of(data)
    if does == OFF:
        turn_off(data)
        answer(as_json, {"on": False}, "off")
        return
    if does == ON:
        hotspot, is_open = turn_on(data, name, now=now)
        says = (
            "open" if is_open else "on; it opens where no known network is there (--now: at once)"
        )
        _tell(hotspot, says, as_json)
        return
    known = read_hotspot(data)
    if known is None:
        raise HotspotTrouble("there is none yet; sudo companion hotspot on")
    _tell(known, "as it was switched on", as_json)


def _tell(hotspot: Hotspot, says: str, as_json: bool) -> None:
    told = {"on": True, "name": hotspot.name, "password": hotspot.password, "code": hotspot.code}
    answer(as_json, told, f"network {hotspot.name}, password {hotspot.password}: {says}")
