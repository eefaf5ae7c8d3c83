"""`companion pod list|flash|simulate`: pods on the ports, their firmware, pods without a board."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.cli.podsimulate import ABOUT, add_options
from companion.cli.podsimulate import run as run_simulate
from companion.seats.pod.codec import Stranger
from companion.seats.pod.flash import FlashFailed, NoAnswer, flash, identify, set_up
from companion.seats.pod.image import IMAGE
from companion.seats.pod.link import format_firmware, told
from companion.seats.pod.serialport import PortLost, usb_ports
from companion.seats.pod.simulator import NoSimulator
from companion.seats.pod.wire import CONTROLLERS, FIRMWARE, Hello

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

FAILED = 2
TROUBLES = (PortLost, NoAnswer, FlashFailed, NoSimulator)


def register(subparsers: Subparsers) -> None:
    """Add `pod` and what belongs to it."""
    parser = subparsers.add_parser("pod", help="pods: list them, give them firmware, simulate one")
    actions = parser.add_subparsers(metavar="ACTION", required=True)

    listing = actions.add_parser("list", help="the pods on the ports, and how they are")
    listing.add_argument("ports", metavar="PORT", nargs="*", help="left out: all on USB")
    _finish(listing, run_list)

    flashing = actions.add_parser(
        "flash",
        help="give a board the firmware of this companion",
        description="Writes the firmware with avrdude and says which version was there before "
        "and which is there now.",
    )
    flashing.add_argument("port", metavar="PORT", help="such as /dev/ttyUSB0")
    flashing.add_argument(
        "--number", type=_pod_number, metavar="N", help="the pod's number: pod 3 is seat 3"
    )
    flashing.add_argument(
        "--controller", choices=sorted(CONTROLLERS), help="the controller of its screen"
    )
    flashing.add_argument(
        "--only-set-up", action="store_true", help="keep the firmware, set number and controller"
    )
    flashing.add_argument("--image", type=Path, default=IMAGE, help="another .hex file")
    _finish(flashing, run_flash)

    simulate = actions.add_parser(
        "simulate", help="a pod without a board, its screen in the terminal", description=ABOUT
    )
    simulate.add_argument("--number", type=_pod_number, default=1, metavar="N")
    add_options(simulate)
    _finish(simulate, run_simulate)


def _finish(parser: argparse.ArgumentParser, run: Callable[[argparse.Namespace], int]) -> None:
    parser.add_argument("--json", action="store_true", help="write JSON, for programs")
    parser.set_defaults(run=lambda args: _run(run, args))


def _run(run: Callable[[argparse.Namespace], int], args: argparse.Namespace) -> int:
    """Run an action; a trouble becomes a sentence on stderr."""
    try:
        return run(args)
    except TROUBLES as trouble:
        print(f"companion: {trouble}", file=sys.stderr)
        return FAILED


def _pod_number(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 99:
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 to 99")
    return int(text)


def run_list(args: argparse.Namespace) -> int:
    """Each port and the pod on it, or why there is none."""
    entries = [_entry(port) for port in args.ports or usb_ports()]
    if args.json:
        print(json.dumps(entries, ensure_ascii=False))
    elif not entries:
        print("no serial ports on USB")
    else:
        print("\n".join(map(_line, entries)))
    return 0


def _entry(port: str) -> dict[str, Any]:
    """A port as JSON tells it: `trouble` is there where something is wrong."""
    try:
        found = identify(port)
    except (PortLost, NoAnswer) as trouble:
        return {"port": port, "trouble": str(trouble)}
    if isinstance(found, Stranger):
        version = format_firmware(found.firmware)
        return {"port": port, "firmware": version, "trouble": told(found)}
    entry: dict[str, Any] = {
        "port": port,
        "pod": found.pod,
        "firmware": _version(found),
        "controller": _controller(found),
        "screen": found.screen > 0,
        "down": [button + 1 for button in range(6) if found.down >> button & 1],
    }
    if not entry["screen"]:
        entry["trouble"] = "the screen does not answer: look at its four wires"
    elif entry["down"]:
        entry["trouble"] = f"button {entry['down'][0]} is down: is it stuck?"
    return entry


def _line(entry: dict[str, Any]) -> str:
    who = f"pod {entry['pod'] or 'without a number'}" if "pod" in entry else "-"
    firmware = f"firmware {entry['firmware']}" if "firmware" in entry else ""
    return f"{entry['port']:<16} {who:<8} {firmware:<16} {entry.get('trouble', 'well')}".rstrip()


def _version(hello: Hello) -> str:
    return format_firmware((hello.major, hello.minor, hello.patch))


def _controller(hello: Hello) -> str:
    names = {number: name for name, number in CONTROLLERS.items()}
    return names.get(hello.controller, str(hello.controller))


def run_flash(args: argparse.Namespace) -> int:
    """The version before, the image, the version after; number and controller if they are given."""
    before = _entry(args.port).get("firmware")
    if not args.json:
        print(f"before: {f'firmware {before}' if before else 'no pod answers'}", flush=True)
    if not args.only_set_up:
        flash(args.port, image=args.image)
    controller = None if args.controller is None else CONTROLLERS[args.controller]
    after = set_up(args.port, pod=args.number, controller=controller)
    if args.json:
        told_now = {"pod": after.pod, "controller": _controller(after)}
        print(json.dumps({"before": before, "after": _version(after), **told_now}))
    else:
        print(f"after:  firmware {_version(after)}, pod {after.pod}, {_controller(after)}")
    is_right = (
        args.only_set_up or args.image != IMAGE or _version(after) == format_firmware(FIRMWARE)
    )
    return 0 if is_right else FAILED
