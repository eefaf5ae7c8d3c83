"""The command line: `companion COMMAND …`.

A command is a module of this package with `register(subparsers)`, which adds a parser and
sets `run` on it: a function from the arguments to the exit status. Only the module of the
command that was asked for is imported, so that a start stays quick.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from companion.rules.errors import Refusal

COMMANDS = ("race", "engine", "replay", "track", "doctor", "pod", "league")
"""Names of the commands, which are those of their modules, in the order of the help."""

USAGE_ERROR = 2


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the whole usage before it."""

    def error(self, message: str) -> NoReturn:
        self.exit(USAGE_ERROR, f"{self.prog}: {message}; see {self.prog} --help\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is well, 2 after an error told on stderr in a sentence."""
    words = list(sys.argv[1:] if argv is None else argv)
    args = _parser(words).parse_args(words)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except Refusal as refusal:
        print(f"companion: {refusal.message}", file=sys.stderr)
        return USAGE_ERROR
    except BrokenPipeError:  # the reader, say `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status


def _parser(words: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the command that is asked for, or of all of them for `--help`."""
    parser = _Parser(prog="companion", description="The companion of a racing board game.")
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = words[0] if words and words[0] in COMMANDS else None
    for name in COMMANDS:
        if asked in (None, name):
            import_module(f"companion.cli.{name}").register(subparsers)
    return parser
