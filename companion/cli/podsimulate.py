"""`companion pod simulate`: a pod without a board, by hand, by a program or by a script."""

from __future__ import annotations

import argparse
import json
import select
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.seats.pod.console import HELP, Console
from companion.seats.pod.image import IMAGE
from companion.seats.pod.simulator import PROGRAM, Simulator
from companion.seats.pod.terminal import screen_lines

FAILED = 2
REDRAW_S = 0.1
HOME = "\x1b[H\x1b[J"
ABOUT = (
    "Runs the firmware on a simulated board and puts its line on a port, which `[pod] ports` of "
    f"companion.toml may name. Its screen is shown in the terminal. Commands: {HELP}."
)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what only `simulate` knows."""
    parser.add_argument("--port", type=Path, metavar="LINK", help="where the port should be")
    parser.add_argument("--image", type=Path, default=IMAGE, help="another .hex file")
    parser.add_argument(
        "--script",
        type=Path,
        metavar="FILE",
        help="follow the commands of a file, one a line, # begins a remark; then end",
    )


def run(args: argparse.Namespace) -> int:
    """A simulated pod until `quit`, the end of its commands, or Ctrl-C."""
    script = None
    if args.script is not None:
        try:
            script = args.script.read_text("utf-8").splitlines()
        except (OSError, ValueError) as error:
            return _complain(f"{args.script} cannot be read: {error}")
    with TemporaryDirectory(prefix="pod-") as folder:
        port = args.port or Path(folder) / "pod"
        with Simulator(args.image, port=port, pod=args.number, program=PROGRAM) as board:
            console = Console(board, image=args.image)
            try:
                if script is None and sys.stdout.isatty() and not args.json:
                    return _serve_person(board, console, port)
                print(json.dumps({"port": str(port)}) if args.json else port, flush=True)
                if script is None:
                    return _serve_program(console, sys.stdin)
                return _follow(console, script)
            except KeyboardInterrupt:
                return 0


def _follow(console: Console, script: Iterable[str]) -> int:
    """A line of a script after another; the first that cannot be followed ends it."""
    for number, line in enumerate(script, 1):
        command = line.partition("#")[0].strip()
        if command == "quit":
            break
        if not command:
            continue
        try:
            print(f"{command}: {console.obey(command)}", flush=True)
        except ValueError as error:
            return _complain(f"line {number}: {error}. {HELP}")
    return 0


def _serve_program(console: Console, lines: Iterable[str]) -> int:
    """A line in, a line out."""
    for line in lines:
        if line.strip() == "quit":
            break
        print(_obey(console, line.strip()), flush=True)
    return 0


def _serve_person(board: Simulator, console: Console, port: Path) -> int:
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
            return 0
        answer, shown = _obey(console, line.strip()), None


def _obey(console: Console, command: str) -> str:
    """The answer to a command, or what is wrong with it."""
    try:
        return console.obey(command)
    except ValueError as error:
        return f"{error}. {HELP}"


def _complain(sentence: str) -> int:
    print(f"companion: {sentence}", file=sys.stderr)
    return FAILED
