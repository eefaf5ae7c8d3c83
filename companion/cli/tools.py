"""What the commands share: groups, options, errors in a sentence, what is printed and written."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from unicodedata import combining, east_asian_width

import click
from click.core import augment_usage_errors

from companion.system.config import data_folder
from companion.system.plugins import Plugin

FAILED = 2
"""The status after an error."""
Run = Callable[..., int | None]
"""What a command does: its status, None for 0."""
Failure = click.ClickException
"""A command ends here; the sentence says why."""

PATH = click.Path(path_type=Path)
DATA = click.Option(
    ["--data"],
    type=PATH,
    default=data_folder,
    show_default=str(data_folder()),
    help="the folder of races and records",
)
AS_JSON = click.Option(["--json", "as_json"], is_flag=True, help="write JSON, for programs")
SEATS = click.Option(
    ["--seats"],
    help="the drivers of the seats, as in '2 wired simulated, 1 pod, 2 phones'; "
    "instead of what [seats] of the configuration says",
)
CONFIG = click.Option(
    ["--config"],
    type=PATH,
    help="the configuration of the seats (companion.toml in the folder of races)",
)


class Command(click.Command):
    """A command whose usage begins with a small letter; its mistakes name it."""

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write `usage: companion …`."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, "usage: ")

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the command."""
        with augment_usage_errors(ctx):
            return super().parse_args(ctx, args)


class Group(Command, click.Group):
    """A group whose commands are imported when they are asked for.

    Args:
        name: its own word in a command line.
        places: of each command, in the order of the help, its module, of `companion.cli` where it
            is ours, and its line of help.
        settings: of the group and all its commands, as click has them.
    """

    def __init__(
        self, name: str, places: Mapping[str, tuple[str, str]], about: str, **settings: object
    ) -> None:
        super().__init__(name, help=about, no_args_is_help=False, context_settings=settings)
        self._places = places

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(self._places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; None: there is none."""
        if cmd_name not in self._places:
            return None
        place = self._places[cmd_name][0]
        is_ours = not place.startswith("race_companion_")
        module = import_module(f"companion.cli.{place}" if is_ours else place)
        commands = (one for one in vars(module).values() if isinstance(one, click.Command))
        return next(one for one in commands if one.name == cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lines of help, which needs no command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in self._places.items()])


def command_of(plugin: Plugin) -> click.Command:
    """The command that a plugin gives.

    Raises:
        PluginError: it cannot be imported, fails, or is no command.
    """
    made = plugin.call()
    if isinstance(made, click.Command):
        return made
    raise plugin.broken(f"gives {made!r:.80}: it should be a command of click")


def command(
    name: str, *shared: click.Option, epilog: str | None = None
) -> Callable[[Run], click.Command]:
    """A command out of a function; options that it shares with others come after its own."""

    def make(run: Run) -> click.Command:
        made = click.command(name, cls=Command, epilog=epilog)(run)
        made.params += shared
        return made

    return make


def typed() -> str:
    """The program as it was called, so that what is printed can be typed as it stands."""
    called = Path(sys.argv[0])
    if called.name == "__main__.py":
        return f"{Path(sys.executable).name} -m companion"
    return str(called) if called.parent != Path() and called.name == "companion" else "companion"


def complain(sentence: str) -> int:
    """Say on stderr what is wrong; the status."""
    print(f"companion: {sentence}", file=sys.stderr)
    return FAILED


# -- what goes to stdout --------------------------------------------------------------------------


class Unheard(Exception):
    """Stdout takes nothing any more: its reader, say `head`, has gone, or its disk is full."""


class _Out(io.FileIO):
    """A standard stream that fails once at most, and as `Unheard`; `stderr` never."""

    def __init__(self, number: int) -> None:
        super().__init__(number, "wb", closefd=False)
        self._is_heard = True

    def write(self, data: Any) -> int:
        try:
            return super().write(data) or 0
        except OSError as error:
            was_heard, self._is_heard = self._is_heard, False
            if was_heard and self.fileno() == 1:
                raise Unheard from error
            return len(data)


def open_streams() -> None:
    """Let output raise nothing for its letters, or for what becomes of its stream."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:  # else the next file that is opened would pass for it
            os.open(os.devnull, os.O_RDWR)
    for number, name in ((1, "stdout"), (2, "stderr")):
        stream = getattr(sys, name)
        if stream is not getattr(sys, f"__{name}__"):  # somebody's in this process
            continue
        encoding, is_terminal = getattr(stream, "encoding", "utf-8"), os.isatty(number)
        buffer = io.BufferedWriter(_Out(number))
        lines = is_terminal or number == 2
        setattr(sys, name, io.TextIOWrapper(buffer, encoding, "replace", line_buffering=lines))


def show_code(code: Any) -> None:
    """A code of segno for a terminal, in letters that it has; none where those are for no eye."""
    try:
        "▀▄█".encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        if sys.stdout.isatty():
            code.terminal(out=sys.stdout)
    else:
        code.terminal(out=sys.stdout, compact=True)


@contextmanager
def sentences(*troubles: type[Exception]) -> Iterator[None]:
    """Let these end the command with their sentence."""
    try:
        yield
    except troubles as trouble:
        raise Failure(str(trouble)) from trouble


@contextmanager
def listening(address: str, port: int) -> Iterator[None]:
    """Say of an address that cannot be listened on what is wrong with it."""
    try:
        yield
    except OSError as error:
        ours = error.errno is None or error.errno in (errno.EADDRINUSE, errno.EADDRNOTAVAIL)
        why = "it is taken, or no address of this machine" if ours else error.strerror
        raise Failure(f"cannot listen on {address} port {port}: {why}") from error


def at_most_one(**options: object) -> None:
    """Refuse options that exclude each other, by their names and values."""
    given = [f"--{name}" for name, value in options.items() if value not in (None, False)]
    if len(given) > 1:
        click.get_current_context().fail(f"{' and '.join(given)} exclude each other")


def read(path: Path) -> bytes:
    """The content of a file that the command line names."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}") from error


def write(path: Path | None, content: bytes) -> None:
    """Write a file that the command line names; None: to stdout."""
    if path is None:
        sys.stdout.buffer.write(content)
        return
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}") from error


def parse_json(content: str | bytes, complaint: str) -> Any:
    """JSON of the command line or of a file that it names; `complaint` says what is none."""
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Failure(f"{complaint}: {error}") from error


def answer(as_json: bool, value: object, *lines: str) -> None:
    """Print JSON for programs, else the lines for people."""
    for line in (json.dumps(value, ensure_ascii=False),) if as_json else lines:
        print(line)


def print_table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """A table for the terminal; heads that end in # are of numbers and stand to the right."""
    lines = [[head.removesuffix("#") for head in heads], *map(list, rows)]
    widths = [max(map(_columns, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["─" * width for width in widths])
    print(title)
    for line in lines:
        cells = [
            _padded(cell, width, to_right=head.endswith("#"))
            for cell, width, head in zip(line, widths, heads, strict=True)
        ]
        print(f"  {'  '.join(cells)}".rstrip())


def _padded(text: str, width: int, *, to_right: bool) -> str:
    room = " " * (width - _columns(text))
    return room + text if to_right else text + room


def _columns(text: str) -> int:
    """How wide a text stands on a terminal: letters of East Asia take two columns, accents none."""
    wide = sum(east_asian_width(letter) in "WF" for letter in text)
    return len(text) + wide - sum(map(bool, map(combining, text)))
