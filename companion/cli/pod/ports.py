"""`companion pod list|flash`: pods on the ports, and their firmware."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.tools import AS_JSON, FAILED, PATH, answer, command, sentences
from companion.seats.pod.codec import Stranger
from companion.seats.pod.flash import FlashFailed, NoAnswer, drop, flash, identify, set_up
from companion.seats.pod.image import IMAGE, PICO_IMAGE
from companion.seats.pod.link import describe, format_firmware
from companion.seats.pod.serialport import PortLost, usb_ports
from companion.seats.pod.wire import CONTROLLERS, FIRMWARE, Hello

POD_NUMBER = click.IntRange(1, 99)


@command("list", AS_JSON)
@click.argument("ports", nargs=-1, help="left out: all on USB")
@sentences(PortLost)
def list_pods(ports: tuple[str, ...], as_json: bool) -> None:
    """Show each port and the pod on it, or why there is none."""
    found = [_entry(port) for port in ports or usb_ports()]
    answer(as_json, found, *(map(_line, found) if found else ["no serial ports on USB"]))


def _entry(port: str) -> dict[str, object]:
    """A port as JSON tells it: `trouble` is there where something is wrong."""
    try:
        found = identify(port)
    except (PortLost, NoAnswer) as trouble:
        return {"port": port, "trouble": str(trouble)}
    if isinstance(found, Stranger):
        version = format_firmware(found.firmware)
        return {"port": port, "firmware": version, "trouble": describe(found)}
    down = [button + 1 for button in range(6) if found.down >> button & 1]
    entry: dict[str, object] = {
        "port": port,
        "pod": found.pod,
        "firmware": _version(found),
        "controller": _controller(found),
        "screen": found.screen > 0,
        "down": down,
    }
    if not found.screen > 0:
        entry["trouble"] = "the screen does not answer: look at its four wires"
    elif down:
        entry["trouble"] = f"button {down[0]} is down: is it stuck?"
    return entry


def _line(entry: dict[str, object]) -> str:
    who = f"pod {entry['pod'] or 'without a number'}" if "pod" in entry else "-"
    firmware = f"firmware {entry['firmware']}" if "firmware" in entry else ""
    return f"{entry['port']:<16} {who:<8} {firmware:<16} {entry.get('trouble', 'well')}".rstrip()


def _version(hello: Hello) -> str:
    return format_firmware((hello.major, hello.minor, hello.patch))


def _controller(hello: Hello) -> str:
    names = {number: name for name, number in CONTROLLERS.items()}
    return names.get(hello.controller, str(hello.controller))


@command("flash", AS_JSON)
@click.argument("port", help="such as /dev/ttyUSB0; of a Pico the folder of its drive")
@click.option("--number", type=POD_NUMBER, help="the pod's number: pod 3 is seat 3")
@click.option("--controller", type=click.Choice(sorted(CONTROLLERS)), help="that its screen has")
@click.option("--only-set-up", is_flag=True, help="keep the firmware, set number and controller")
@click.option("--image", type=PATH, help="another .hex file, or .uf2 file")
@sentences(PortLost, NoAnswer, FlashFailed)
def flash_pod(
    port: str,
    number: int | None,
    controller: str | None,
    only_set_up: bool,
    image: Path | None,
    as_json: bool,
) -> int:
    """Write the firmware with avrdude, or onto the drive of a Pico.

    Says which version was there before and which is there now. A Pico's number is set afterwards,
    with --only-set-up and its port.
    """
    if Path(port).is_dir():
        if number or controller or only_set_up:
            raise FlashFailed("a drive has no number: set it with --only-set-up and the port")
        drop(Path(port), image=image or PICO_IMAGE)
        answer(as_json, {"after": format_firmware(FIRMWARE)}, f"written to {port}")
        return 0
    before = _entry(port).get("firmware")
    if not as_json:
        print(f"before: {f'firmware {before}' if before else 'no pod answers'}", flush=True)
    if not only_set_up:
        flash(port, image=image or IMAGE)
    after = set_up(port, pod=number, controller=CONTROLLERS.get(controller or ""))
    version, screen = _version(after), _controller(after)
    answer(
        as_json,
        {"before": before, "after": version, "pod": after.pod, "controller": screen},
        f"after:  firmware {version}, pod {after.pod}, {screen}",
    )
    is_right = only_set_up or image is not None or version == format_firmware(FIRMWARE)
    return 0 if is_right else FAILED
