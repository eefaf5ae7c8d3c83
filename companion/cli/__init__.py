"""The command line: `companion COMMAND …`, on click.

A command is imported when it is asked for, so that a start stays quick; the tables of the groups
(`COMMANDS` here, others in `league`, `pack`) say where it is, and have its line of help. Behind
them come the commands of plugins.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from companion.cli import tools
from companion.cli.tools import complain
from companion.rules.lines import Refusal
from companion.system.plugins import Plugin, PluginError, missing, plugins

INTERRUPTED = 130
"""As a shell counts it: 128 and the number of the signal."""
OF_PLUGIN = ""
"""The module of a command that a plugin brings which ships."""
COMMANDS = {
    "race": ("race", "open the table: the page, the seats, and the race that was going on"),
    "engine": ("engine", "the rules as a program: one JSON object a line in, one a line out"),
    "replay": ("engine", "the state after a race record"),
    "solve": ("advice", "the expected turns of a board, and what a wear point is worth"),
    "odds": ("advice", "what may come of each gear that a car is offered"),
    "review": ("advice", "what luck, choices and traffic did in a race"),
    "simulate": (OF_PLUGIN, "races of bots by the thousand"),
    "track": (OF_PLUGIN, "list, show, draw, check and write boards"),
    "pack": ("data", "list, show and check rules packs: how clubs play"),
    "plugin": ("plugin", "what others have added: drivers of seats, listeners, boards"),
    "backup": ("data", "races, records and keys in one file"),
    "restore": ("data", "what a backup has, back in its place"),
    "pin": ("data", "the referee's PIN, shown or renewed"),
    "boot": (OF_PLUGIN, "the lines of a Raspberry Pi's config.txt that wired seats need"),
    "hotspot": ("machine", "a network of the table's own, where there is no known one"),
    "doctor": ("machine", "look at the machine and the seats' hardware, and say what mends it"),
    "report": ("machine", "what to send with a question: doctor, seats and races in one file"),
    "pod": (OF_PLUGIN, "pods: list them, give them firmware, simulate one"),
    "league": ("league", "seasons and standings out of the records"),
}
"""The commands in the order of the help: the module of each, and its line of help."""
COMPLETION = "_COMPANION_COMPLETE"
"""The variable by which a shell asks for completions."""
LOOKS_AFTER = 20_000
"""Objects that are made between two looks for garbage."""


class Commands(tools.Group):
    """The commands of the companion, and behind them those of others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return [*COMMANDS, *_others()]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name; None: there is none."""
        if COMMANDS.get(cmd_name, (OF_PLUGIN,))[0] != OF_PLUGIN:
            return super().get_command(ctx, cmd_name)
        try:
            return _of_plugin(cmd_name)
        except PluginError as trouble:
            if ctx.resilient_parsing:  # a shell that asks what may come next wants no sentence
                return None
            raise tools.Failure(str(trouble)) from trouble

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the lines of help; only other people's commands are imported for it."""
        super().format_commands(ctx, formatter)
        if others := _others():
            with formatter.section("Commands of plugins"):
                formatter.write_dl([(name, _about(one)) for name, one in others.items()])


def _of_plugin(name: str) -> click.Command | None:
    plugin = plugins("commands").get(name)
    if plugin is None and (lacking := missing("commands", name)):
        raise PluginError(lacking)
    return None if plugin is None else tools.command_of(plugin)


def _others() -> dict[str, Plugin]:
    """Other people's commands, by name."""
    found = plugins("commands", with_ours=False)
    return {name: one for name, one in found.items() if name not in COMMANDS}


def _about(plugin: Plugin) -> str:
    try:
        return tools.command_of(plugin).get_short_help_str()
    except PluginError as trouble:
        return str(trouble)


COMPANION = Commands(
    "companion",
    COMMANDS,
    "The companion of a racing board game.",
    help_option_names=["-h", "--help"],
    show_default=True,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; 0 if all is well, 2 after an error, a sentence on stderr.

    Raises:
        SystemExit: the words ask for help (0), or make no command (2).
    """
    # What is imported stays: looking seven hundred objects after seven hundred for some that went
    # was a seventh of a start.
    gc.set_threshold(LOOKS_AFTER)
    words = list(sys.argv[1:] if argv is None else argv)
    tools.open_streams()
    try:
        if asked := os.environ.get(COMPLETION):
            from click.shell_completion import shell_complete

            return shell_complete(COMPANION, {}, "companion", COMPLETION, asked)
        with COMPANION.make_context("companion", words) as context:
            status: int | None = COMPANION.invoke(context)
        # Here, where it is still caught if the reader has gone.
        sys.stdout.flush()
    except click.exceptions.Exit as done:
        with suppress(tools.Unheard):
            sys.stdout.flush()
        sys.exit(done.exit_code)
    except click.UsageError as error:
        # Some messages of click have several lines; an error here is one sentence.
        wrong = " ".join(error.format_message().split()).rstrip(".")
        sys.exit(complain(f"{wrong}; see {error.ctx.command_path if error.ctx else ''} --help"))
    except (click.ClickException, Refusal) as error:
        return complain(error.message)
    except (MemoryError, RuntimeError) as error:
        # A thread that cannot be started means short memory too.
        if isinstance(error, RuntimeError) and "start new thread" not in str(error):
            raise
        return complain("memory is short, even to begin with; end other programs or give it more")
    except tools.Unheard as unheard:
        has_seen_enough = isinstance(unheard.__cause__, BrokenPipeError)
        return 0 if has_seen_enough else complain(f"what it says is lost: {unheard.__cause__}")
    except KeyboardInterrupt:
        return INTERRUPTED
    return status or 0
