"""`companion plugin list|check`: what others have added to the companion."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from companion.cli import COMMANDS, tools
from companion.race.boards import is_reader, read_track_file
from companion.rules.board.check import check_track
from companion.seats.plan import OTHERS, PHONE
from companion.system.plugins import (
    DOOR,
    GROUPS,
    NAME,
    SIMULATED,
    Plugin,
    PluginError,
    groups,
    installed,
)

PLUGIN = tools.Group(
    "plugin",
    {
        "list": ("plugin", "the plugins that are installed, and whether they work"),
        "check": ("plugin", "what is wrong with the plugin in a folder"),
    },
    "List and check plugins: what others have added.",
)
FAULTS_FOUND = 1
TAKEN = {"seats", PHONE, *OTHERS}
"""Headings of companion.toml that no plugin can have."""


@tools.command("list", tools.AS_JSON)
def list_plugins(as_json: bool) -> None:
    """List the plugins that are installed, and say of each whether it works, else why not."""
    found = [one for group in groups() for one in installed(group)]
    once = {(one.group, one.name, one.package): one for one in found}
    entries = [_entry(one) for one in once.values()]
    lines = (
        f"{one['name']:<16} {one['group']:<10} {one['package']}: {one['fault'] or 'works'}"
        for one in entries
    )
    tools.answer(
        as_json, entries, *(lines if entries else ["There is no plugin (docs/plugins.md)."])
    )


def _entry(plugin: Plugin) -> dict[str, object]:
    fault = next(_faults(plugin), None)
    place = {"name": plugin.name, "group": plugin.group, "package": plugin.package}
    return {**place, "ok": fault is None, "fault": fault}


@tools.command("check", tools.AS_JSON)
@click.argument("folder", type=tools.PATH, help="the folder with the plugin's pyproject.toml")
def check_plugin(folder: Path, as_json: bool) -> int:
    """Check the plugin in a folder, which need not be installed: its entry points, what they name,
    and its boards; nothing else of it is opened. Status 1: there is something to mend."""
    found = _of_folder(folder)
    faults = [fault for one in found for fault in _faults(one)]
    names = ", ".join(f"{one.name} ({one.group})" for one in found)
    tools.answer(as_json, {"faults": faults}, *(faults or [f"{names}: well"]))
    return FAULTS_FOUND if faults else 0


def _of_folder(folder: Path) -> list[Plugin]:
    """What the pyproject.toml of a folder says that it has; its modules can be imported now."""
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(tools.read(file).decode()).get("project", {})
    except ValueError as error:
        raise tools.Failure(f"{file} is not TOML: {error}") from error
    groups = project.get("entry-points", {}) if isinstance(project, dict) else {}
    if not (isinstance(groups, dict) and all(isinstance(one, dict) for one in groups.values())):
        raise tools.Failure(f"{file}: entry-points should be a table of tables")
    package = f"{project.get('name', '?')} in {folder}"
    found = [
        Plugin(group.removeprefix(DOOR), name, package, str(value))
        for group, entries in groups.items()
        if group.startswith(DOOR)
        for name, value in entries.items()
    ]
    if not found:
        raise tools.Failure(
            f"{file} has no entry point of {', '.join(DOOR + one for one in GROUPS)}"
        )
    sys.path[:0] = [str(folder), str(folder / "src")]
    return found


def _faults(plugin: Plugin) -> Iterator[str]:
    """What is wrong with a plugin, a sentence each."""
    try:
        plugin.in_time(lambda: _look_at(plugin))
        if plugin.group == "tracks":
            yield from _faults_of_boards(plugin)
        if plugin.group == "exports":
            _look_at_form(plugin)
        if plugin.group == "commands":
            tools.command_of(plugin)
    except PluginError as trouble:
        yield str(trouble)


ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    "seats": ("seats, listener, options",),
    "listeners": ("event", "table, options"),
    "tracks": ("",),
    "exports": ("",),
    "receivers": ("options",),
    "commands": ("",),
}
"""With what a plugin of each group is called."""


def _look_at(plugin: Plugin) -> None:
    """Raises `PluginError` where a plugin cannot be what its group says."""
    if plugin.group not in GROUPS:
        raise plugin.broken(f"there is no group {plugin.group!r}; there are {', '.join(GROUPS)}")
    twin = f" {SIMULATED}" if plugin.group == "seats" else ""
    if not NAME.fullmatch(plugin.name.removesuffix(twin)):
        raise plugin.broken("a name is small letters, digits and hyphens, a letter first")
    plugin.check_name()
    if plugin.word in TAKEN or (plugin.group == "commands" and COMMANDS.get(plugin.name, ("",))[0]):
        raise plugin.broken("the companion itself uses this name")
    plugin.called_with(plugin.load(), *ARGUMENTS[plugin.group])


def _look_at_form(plugin: Plugin) -> None:
    """Raises `PluginError` where an export is none."""
    # Here: whoever asks for a driver of seats does not wait for the league.
    from companion.league.exchange.outside import form_of
    from companion.league.exchange.registry import FORMS

    if plugin.name in FORMS:
        raise plugin.broken("the companion itself uses this name")
    form_of(plugin)


def _faults_of_boards(plugin: Plugin) -> Iterator[str]:
    """What is wrong with the boards of a plugin, or with what it gives."""
    given = plugin.call()
    if is_reader(given):
        return
    if not isinstance(given, str | Path):
        raise plugin.broken(f"gives {given!r:.80}: it should be a folder of boards, or a reader")
    if not Path(given).is_dir():
        raise plugin.broken(f"there is no folder {given} (package-data brings files along)")
    for file in sorted({*Path(given).glob("*.toml")} - {*Path(given).glob("pyproject.toml")}):
        for fault in check_track(read_track_file(file)):
            yield str(plugin.broken(f"{file}: {fault}"))
