"""What others add: packages that are installed beside the companion, found by their entry points.

docs/plugins.md is all that they may rely on. A plugin goes by the name of its entry point, and the
heading of companion.toml with this name configures it. Nothing of it is imported before it is
wanted. Whatever is wrong with one is told in a sentence that names it, and stops nothing else.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache, lru_cache, reduce
from importlib import import_module
from pathlib import Path
from threading import Thread
from types import MappingProxyType
from typing import Any, TypeVar
from urllib.parse import urlsplit

from companion.system.frozen import dataclass

GROUPS: Mapping[str, str] = MappingProxyType(
    {
        "seats": "a driver of seats",
        "listeners": "told what happens at the table",
        "tracks": "boards, or a reader of other programs' boards",
        "exports": "the league in a form of other programs",
        "receivers": "told what happens in a club",
        "commands": "a command of the command line",
    }
)
"""The entry points that are looked at, below `DOOR`, and what each is for."""
T = TypeVar("T")
DOOR = "race_companion."
OUR = "race-companion"
SHIPPED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "light": ("lights", "listeners"),
        "dat": ("dat", "tracks"),
        "ergast": ("ergast", "exports"),
        "calendar": ("calendar", "exports"),
        "bgstats": ("bgstats", "exports"),
        "webhook": ("webhooks", "receivers"),
        "mqtt": ("mqtt", "receivers"),
        "pod": ("pods", "seats", "commands"),
        "pico": ("pods", "seats"),
        "keys": ("keys", "seats"),
        "track": ("boards", "commands"),
        "simulate": ("simulate", "commands"),
        "wired": ("wired", "seats"),
        "boot": ("wired", "commands"),
    }
)
"""The names of the plugins that ship: their folder in plugins/, and their groups. Nobody else's can
have one of them."""
SIMULATED = "simulated"
"""Behind the name of a driver of seats: its twin that needs no hardware."""
OURS = "race_companion-", "race_companion."
"""How the folders begin in which installers tell of the companion itself."""
HEADING = re.compile(r"^\[race_companion\.(\S+)\]", re.MULTILINE)
VALUE = re.compile(r"([\w.]+)\s*:\s*([\w.]+)\s*(?:\[.*\]\s*)?")
NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
PATIENCE_S = 5.0
"""How long the program waits for a plugin that it cannot do without."""


class PluginError(Exception):
    """A plugin cannot be used; the message is a sentence that names it."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One that is installed.

    Args:
        group: one of `GROUPS`.
        package: the distribution that brings it, with its version.
        value: its entry point, as package.module:function.
    """

    group: str
    name: str
    package: str
    value: str

    @property
    def word(self) -> str:
        """Its name; of a simulated twin that of its driver."""
        return self.name.partition(" ")[0]

    @property
    def heading(self) -> str:
        """The heading of companion.toml that configures it; a Pico is a pod."""
        return {"pico": "pod"}.get(self.word, self.word)

    @property
    def is_ours(self) -> bool:
        """Whether it ships with the companion, be it as a package of its own."""
        return self.package.split()[0] in {OUR, *(f"{OUR}-{one}" for one in folder_of(self.word))}

    def check_name(self) -> None:
        """See that it has no name of a plugin that ships.

        Raises:
            PluginError: it has, and does not ship.
        """
        if self.word in SHIPPED and not self.is_ours:
            raise self.broken("this is the name of a plugin that ships with the companion")

    def load(self) -> Callable[..., Any]:
        """What its entry point names.

        Raises:
            PluginError: it cannot be imported, or nothing can call it.
        """
        match = VALUE.fullmatch(self.value)
        if match is None:
            raise self.broken(f"{self.value!r} should be like 'package.module:function'")
        try:
            found: Any = reduce(getattr, match[2].split("."), import_module(match[1]))
        except (Exception, SystemExit) as error:
            ours = {f"race_companion_{one}": one for one, *_ in SHIPPED.values()}
            away = ours.get(f"{error.name}") if isinstance(error, ImportError) else None
            why = in_words(error) + (f": {_how(away)}" if away else "")
            raise self.broken(f"cannot be imported: {why}") from error
        if not callable(found):
            raise self.broken(f"{self.value} should be a function or a class")
        made: Callable[..., Any] = found
        return made

    def called_with(self, found: Callable[..., Any], *forms: str) -> str:
        """In which of these forms it can be called; each names the arguments, with commas.

        Raises:
            PluginError: in none.
        """
        # Here: a table without plugins does not wait for it.
        import inspect

        try:
            signature = inspect.signature(found)
        except ValueError:  # of what is written in C nobody knows
            return forms[0]
        for form in forms:
            with suppress(TypeError):
                signature.bind(*filter(None, form.split(", ")))
                return form
        known = " or ".join(f"({one})" for one in forms)
        raise self.broken(f"{self.value} takes {signature}; it is called with {known}")

    def call(self, *args: object) -> Any:
        """What it gives when it is called.

        Raises:
            PluginError: it cannot be imported, fails, or hangs.
        """
        return self.in_time(lambda: self.load()(*args))

    def in_time(self, work: Callable[[], T], patience_s: float = PATIENCE_S) -> T:
        """What work with it gives; it is done in a thread of its own, which may hang.

        Raises:
            PluginError: it fails, or is not done in time.
        """
        given: list[T] = []
        failed: list[BaseException] = []

        def carry_out() -> None:
            try:
                given.append(work())
            except (Exception, SystemExit) as error:
                failed.append(error)

        thread = Thread(target=carry_out, name=f"plugin {self.name}", daemon=True)
        thread.start()
        thread.join(patience_s)
        for error in failed:
            if isinstance(error, PluginError):
                raise error
            raise self.broken(f"fails: {in_words(error)}") from error
        if not given:
            raise self.broken(f"does not answer within {patience_s:g} s")
        return given[0]

    def broken(self, why: str) -> PluginError:
        """The error that says what is wrong with it, and whose it is."""
        return PluginError(f"the plugin {self.name!r} of {self.package}: {why}")


def folder_of(name: str) -> tuple[str, ...]:
    """Where the plugin of this name is in plugins/, if it ships.

    >>> folder_of("light"), folder_of("hello")
    (('lights',), ())
    """
    return SHIPPED.get(name, ())[:1]


def missing(group: str, name: str) -> str:
    """What to install for a name that only a plugin has which ships; "" where it is installed, or
    there is none.

    >>> missing("seats", "light")
    ''
    """
    folder, *groups = SHIPPED.get(name, ("",))
    says = f"{name!r} comes with the plugin {OUR}-{folder}, which is not installed"
    if group not in groups or any(folder_of(one) == (folder,) for one in plugins(group)):
        return ""
    return f"{says}: {_how(folder)}"


def _how(folder: str) -> str:
    return f"{sys.prefix}/bin/pip install plugins/{folder}, in the folder of the sources"


def plugins(group: str, *, with_ours: bool = True) -> dict[str, Plugin]:
    """Those of a group by name; of several with one name, the first that Python finds. One that has
    the name of a plugin that ships is told once, and left out.

    Args:
        with_ours: else nothing, where no others have any than those that ship.
    """
    found: dict[str, Plugin] = {}
    for plugin in installed(group, with_ours=with_ours):
        try:
            plugin.check_name()
        except PluginError as trouble:
            _tell(str(trouble))
        else:
            found.setdefault(plugin.name, plugin)
    return found


@cache
def _tell(trouble: str) -> None:
    # Here: a command that starts without such a plugin does not wait for it.
    from logging import getLogger

    getLogger(__name__).warning("%s", trouble)


def installed(group: str, *, with_ours: bool = True) -> Iterator[Plugin]:
    """All of a group, also those that cannot be used; as `plugins`."""
    named = [(file.parent, text) for file, text in _entries() if f"[{DOOR}{group}]" in text]
    if not any(with_ours or not folder.name.startswith(OURS) for folder, _ in named):
        return
    for folder, text in named:
        heading = ""
        # Read here: importlib.metadata takes longer than all else that a driver needs to start.
        for line in map(str.strip, text.splitlines()):
            name, is_entry, value = map(str.strip, line.partition("="))
            if line.startswith("["):
                heading = line
            elif is_entry and heading == f"[{DOOR}{group}]" and not line.startswith("#"):
                yield Plugin(group, name, _package(folder), value)


@cache
def _package(folder: Path) -> str:
    """The distribution of which an installer tells in this folder, with its version."""
    for file in ("METADATA", "PKG-INFO"):
        with suppress(OSError, UnicodeDecodeError):
            head = (folder / file).read_text("utf-8").partition("\n\n")[0]
            told = dict(re.findall(r"^(Name|Version):\s*(\S+)", head, re.MULTILINE))
            return f"{told['Name']} {told['Version']}" if len(told) == 2 else folder.stem
    return folder.stem


def groups() -> list[str]:
    """Those that there are, and those that packages name by mistake."""
    named = (found for _, text in _entries() for found in HEADING.findall(text))
    return list(dict.fromkeys([*GROUPS, *named]))


def _entries() -> list[tuple[Path, str]]:
    path = []
    for folder in sys.path:
        with suppress(OSError):
            path.append((folder, os.stat(folder).st_mtime_ns))
    return _told(tuple(path))


@lru_cache(maxsize=1)
def _told(path: tuple[tuple[str, int], ...]) -> list[tuple[Path, str]]:
    """Where installers tell of entry points that are for us, and what they tell; what cannot be
    read says nothing.

    Kept until a folder of the path changes: hundreds of packages are looked through.
    """
    found = []
    for file in (one for at, _ in path for one in Path(at).glob("*-info/entry_points.txt")):
        with suppress(OSError, UnicodeDecodeError):
            if f"[{DOOR}" in (text := file.read_text("utf-8")):
                found.append((file, text))
    return found


def plugin_names() -> list[str]:
    """The names of all plugins, once for each group: companion.toml may have a heading for each.

    Commands have none, and a simulated twin has that of its driver.
    """
    groups = [group for group in GROUPS if group != "commands"]
    return [name for group in groups for name in plugins(group) if " " not in name]


def in_words(error: str | BaseException) -> str:
    """What has failed, with the kind of error."""
    return error if isinstance(error, str) else f"{type(error).__name__}: {error}".rstrip(": ")


# -- what companion.toml says of one --------------------------------------------------------------


class Options(Mapping[str, object]):
    """What stands under the heading of a plugin. Each option is read where it is used, with its
    bounds; one that nobody has read is a mistake, which `check` tells.

    >>> options = Options("hello", {"count": 3})
    >>> options.number("count", usual=1, least=1, most=8)
    3
    """

    def __init__(self, name: str, said: Mapping[str, object]) -> None:
        self._name, self._said = name, dict(said)
        self._known: set[str] = set()

    def __getitem__(self, key: str) -> object:
        self._known.add(key)
        return self._said[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._said)

    def __len__(self) -> int:
        return len(self._said)

    def number(self, key: str, usual: int, least: int, most: int) -> int:
        """A whole number within bounds.

        Raises:
            PluginError: it is something else.
        """
        value = self.get(key, usual)
        if type(value) is int and least <= value <= most:
            return value
        raise self._wrong(key, value, f"a whole number from {least} to {most}")

    def text(self, key: str, usual: str = "", among: Collection[str] = ()) -> str:
        """A text; one of `among`, if that names any.

        Raises:
            PluginError: it is something else.
        """
        value = self.get(key, usual)
        if isinstance(value, str) and (value in among or not among):
            return value
        raise self._wrong(key, value, f"one of {', '.join(among)}" if among else "a text")

    def flag(self, key: str, usual: bool = False) -> bool:
        """True or false.

        Raises:
            PluginError: it is something else.
        """
        value = self.get(key, usual)
        if isinstance(value, bool):
            return value
        raise self._wrong(key, value, "true or false")

    def address(self, key: str, schemes: Collection[str]) -> str:
        """An address of one of these schemes; "" where nothing is said.

        Raises:
            PluginError: it is something else, or names a user before its host.
        """
        value = self.get(key, "")
        if value == "" or is_address(value, schemes):
            return str(value)
        like = f"an address such as {next(iter(schemes))}://club.example"
        # Not quoted: there may be a password in it.
        raise PluginError(f"[{self._name}] {key} should be {like}, without a user before its host")

    def check(self) -> None:
        """Say that there is an option which nobody has read. Where plugins of two groups share a
        heading, the other one may read it.

        Raises:
            PluginError: there is one.
        """
        unread = sorted(self._said.keys() - self._known)
        if unread and plugin_names().count(self._name) < 2:
            known = ", ".join(sorted(self._known)) or "none"
            raise PluginError(f"[{self._name}] has {unread[0]!r}; its options are: {known}")

    def _wrong(self, key: str, value: object, wanted: str) -> PluginError:
        return PluginError(f"[{self._name}] {key} = {value!r:.80} should be {wanted}")


def is_address(address: object, schemes: Collection[str]) -> bool:
    """Whether this is an address of a server, in ASCII, of one of these schemes, without a user.

    >>> [is_address(one, ("http",)) for one in ("http://x:1/y", "http://me@x", "ftp://x", 3)]
    [True, False, False, False]
    """
    if not isinstance(address, str):
        return False
    try:
        parts = urlsplit(address)
        (parts.hostname or "").encode("idna")
        is_one = parts.scheme in schemes and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return is_one and "@" not in parts.netloc and f"{parts.path}{parts.query}".isascii()
