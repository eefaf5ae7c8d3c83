"""The manual page of the program, out of what `--help` says: `python tools/manpage.py`."""

from __future__ import annotations

import re
from importlib.metadata import version

import click

from companion.cli import COMMANDS, COMPANION
from companion.system.config import data_folder

OWN = "~/.local/share/race-companion"
FILES = {
    "/var/lib/companion": "races, records, league and keys of the service; companion.toml says what"
    " seats there are",
    OWN: "the same of a table that somebody opens by hand",
}


def escaped(text: str) -> str:
    """Text as roff has it."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", plain, flags=re.MULTILINE)


def options(name: str, command: click.Command) -> list[str]:
    """A command: its usage, what it does, its options."""
    context = click.Context(command, info_name=name, parent=click.Context(COMPANION))
    pieces = " ".join(command.collect_usage_pieces(context))
    lines = [".SS " + escaped(f"companion {name} {pieces}")]
    lines += [escaped(" ".join((command.help or COMMANDS[name][1]).split()))]
    for option in command.get_params(context):
        if (record := option.get_help_record(context)) is not None:
            lines += [".TP", rf"\fB{escaped(record[0])}\fR", escaped(record[1])]
    if isinstance(command, click.Group):
        for one in command.list_commands(context):
            below = command.get_command(context, one)
            if below is not None:
                about = below.get_short_help_str(200)
                lines += [".TP", rf"\fB{escaped(one)}\fR", escaped(about)]
    return lines


def manual() -> str:
    """The page."""
    context = click.Context(COMPANION, info_name="companion")
    lines = [f'.TH COMPANION 1 "" "race-companion {version("race-companion")}"']
    lines += [".SH NAME", r"companion \- companion of a racing board game at a real table"]
    lines += [".SH SYNOPSIS", r"\fBcompanion\fR COMMAND [OPTIONS] [ARGUMENTS]"]
    lines += [".SH DESCRIPTION"]
    lines += [
        escaped("It does the bookkeeping of a race that is played with board, dice and cars.")
    ]
    lines += [escaped("Without a terminal: the service companion opens the table at power-on.")]
    lines += [".SH COMMANDS"]
    for name in COMPANION.list_commands(context):
        command = COMPANION.get_command(context, name)
        assert command is not None
        lines += options(name, command)
    lines += [".SH FILES"]
    for path, about in FILES.items():
        lines += [".TP", rf"\fI{escaped(path)}\fR", escaped(about)]
    lines += [
        ".SH EXIT STATUS",
        escaped("0 if all is well, 2 after an error: a sentence on stderr."),
    ]
    return "\n".join(lines).replace(escaped(str(data_folder())), escaped(OWN)) + "\n"


if __name__ == "__main__":
    print(manual(), end="")
