"""`companion pod list|flash|simulate`: pods on the ports, their firmware, pods without a board."""

from __future__ import annotations

import json
import select
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.cli.tools import AS_JSON, FAILED, PATH, Failure, answer, command, sentences
from race_companion_pods import simulator
from race_companion_pods.image import IMAGE, PICO_IMAGE
from race_companion_pods.link import describe, format_firmware
from race_companion_pods.ports import (
    FlashFailed,
    NoAnswer,
    PortLost,
    drop,
    flash,
    identify,
    set_up,
    usb_ports,
)
from race_companion_pods.wire import CONTROLLERS, FIRMWARE, Hello, Stranger

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
    # A Pico that waits for its firmware is a drive, and no port.
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
    # An image of one's own may be of any version.
    is_right = only_set_up or image is not None or version == format_firmware(FIRMWARE)
    return 0 if is_right else FAILED


# -- a pod without a board ------------------------------------------------------------------------


REDRAW_S = 0.1
HOME = "\x1b[H\x1b[J"


@command("simulate", AS_JSON, epilog=f"Commands: {simulator.HELP}.")
@click.option("--number", type=POD_NUMBER, default=1, help="the pod's number")
@click.option("--port", type=PATH, help="where the port should be")
@click.option("--pico", is_flag=True, help="a Raspberry Pi Pico instead of a Nano")
@click.option("--image", type=PATH, help="another .hex file, or .uf2 file")
@click.option(
    "--script", type=PATH, help="follow its commands, one a line, # begins a remark; then end"
)
@sentences(simulator.NoSimulator)
def simulate(
    number: int,
    port: Path | None,
    pico: bool,
    image: Path | None,
    script: Path | None,
    as_json: bool,
) -> None:
    """Run the firmware on a simulated board, its screen in the terminal.

    Puts its line on a port, which `[pod] ports` of companion.toml may name. Ends with `quit`, the
    end of its commands, or Ctrl-C.
    """
    commands = None if script is None else _commands(script)
    image = image or (PICO_IMAGE if pico else IMAGE)
    with TemporaryDirectory(prefix="pod-") as folder:
        port = port or Path(folder) / "pod"
        with simulator.Simulator(image, port=port, pod=number, program=simulator.PROGRAM) as board:
            console = simulator.Console(board, image=image)
            try:
                if commands is None and sys.stdout.isatty() and not as_json:
                    _serve_person(board, console, port)
                    return
                print(json.dumps({"port": str(port)}) if as_json else port, flush=True)
                if commands is None:
                    _serve_program(console, sys.stdin)
                else:
                    _follow(console, commands)
            except KeyboardInterrupt:
                return


def _commands(script: Path) -> list[str]:
    try:
        return script.read_text("utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise Failure(f"{script} cannot be read: {error}") from error


def _follow(console: simulator.Console, script: Iterable[str]) -> None:
    """A line of a script after another; the first that cannot be followed ends it."""
    for number, line in enumerate(script, 1):
        words = line.partition("#")[0].strip()
        if words == "quit":
            break
        if not words:
            continue
        try:
            print(f"{words}: {console.obey(words)}", flush=True)
        except ValueError as error:
            raise Failure(f"line {number}: {error}. {simulator.HELP}") from error


def _serve_program(console: simulator.Console, lines: Iterable[str]) -> None:
    for line in lines:
        if line.strip() == "quit":
            break
        print(_obey(console, line.strip()), flush=True)


def _serve_person(board: simulator.Simulator, console: simulator.Console, port: Path) -> None:
    """Commands from the keyboard, the screen to the terminal as often as it changes."""
    shown: tuple[bytes, int] | None = None
    answer = simulator.HELP
    while True:
        seen = board.screen(), board.figures()["lamp"]
        if seen != shown:
            shown = seen
            lamp = "● lit" if seen[1] else "○"
            head = f"pod at {port}   lamp {lamp}"
            print(HOME + "\n".join([head, *simulator.screen_lines(seen[0]), answer]), flush=True)
        if not select.select([sys.stdin], [], [], REDRAW_S)[0]:
            continue
        line = sys.stdin.readline()
        if not line or line.strip() == "quit":
            return
        # The answer stands below the screen, which is drawn again to show it.
        answer, shown = _obey(console, line.strip()), None


def _obey(console: simulator.Console, words: str) -> str:
    try:
        return console.obey(words)
    except ValueError as error:
        return f"{error}. {simulator.HELP}"
