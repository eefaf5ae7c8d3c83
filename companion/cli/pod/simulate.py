"""`companion pod simulate`: a pod without a board, by hand, by a program or by a script."""

from __future__ import annotations

import json
import select
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from companion.cli.pod.ports import POD_NUMBER
from companion.cli.tools import AS_JSON, PATH, Failure, command, sentences
from companion.seats.pod.console import HELP, Console
from companion.seats.pod.image import IMAGE
from companion.seats.pod.simulator import PROGRAM, NoSimulator, Simulator
from companion.seats.pod.terminal import screen_lines

REDRAW_S = 0.1
HOME = "\x1b[H\x1b[J"


@command("simulate", AS_JSON, epilog=f"Commands: {HELP}.")
@click.option("--number", type=POD_NUMBER, default=1, help="the pod's number")
@click.option("--port", type=PATH, help="where the port should be")
@click.option("--image", type=PATH, default=IMAGE, help="another .hex file")
@click.option(
    "--script", type=PATH, help="follow its commands, one a line, # begins a remark; then end"
)
@sentences(NoSimulator)
def simulate(
    number: int, port: Path | None, image: Path, script: Path | None, as_json: bool
) -> None:
    """Run the firmware on a simulated board, its screen in the terminal.

    Puts its line on a port, which `[pod] ports` of companion.toml may name. Ends with `quit`, the
    end of its commands, or Ctrl-C.
    """
    commands = None if script is None else _commands(script)
    with TemporaryDirectory(prefix="pod-") as folder:
        port = port or Path(folder) / "pod"
        with Simulator(image, port=port, pod=number, program=PROGRAM) as board:
            console = Console(board, image=image)
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


def _follow(console: Console, script: Iterable[str]) -> None:
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
            raise Failure(f"line {number}: {error}. {HELP}") from error


def _serve_program(console: Console, lines: Iterable[str]) -> None:
    for line in lines:
        if line.strip() == "quit":
            break
        print(_obey(console, line.strip()), flush=True)


def _serve_person(board: Simulator, console: Console, port: Path) -> None:
    """Commands from the keyboard, the screen to the terminal as often as it changes."""
    shown: tuple[bytes, int] | None = None
    answer = HELP
    while True:
        seen = board.screen(), board.figures()["lamp"]
        if seen != shown:
            shown = seen
            lamp = "● lit" if seen[1] else "○"
            head = f"pod at {port}   lamp {lamp}"
            print(HOME + "\n".join([head, *screen_lines(seen[0]), answer]), flush=True)
        if not select.select([sys.stdin], [], [], REDRAW_S)[0]:
            continue
        line = sys.stdin.readline()
        if not line or line.strip() == "quit":
            return
        answer, shown = _obey(console, line.strip()), None


def _obey(console: Console, words: str) -> str:
    try:
        return console.obey(words)
    except ValueError as error:
        return f"{error}. {HELP}"
