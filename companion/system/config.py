"""How a companion is set up: the settings of a table, and what companion.toml says of them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import field
from json import dumps
from pathlib import Path

from companion.system.frozen import dataclass

PORT = 8000
IDLE_S = 20.0
"""Seconds of quiet after which a table has time for other things."""
PACE_S = 0.8
"""Seconds that a bot takes for an answer, so that people can follow."""
EVERYWHERE = "0.0.0.0"
ALL_OF_IPV6 = "::"
CONFIG_FILE = "companion.toml"


class ConfigError(Exception):
    """What the configuration file says of the page means nothing."""


def data_folder() -> Path:
    """Where races are kept unless something else is said: the user's own data folder."""
    folder = os.environ.get("XDG_DATA_HOME")
    return (Path(folder) if folder else _home() / ".local" / "share") / "race-companion"


def _home() -> Path:
    """The user's own folder; the root for one of whom the system knows none, as a service's."""
    try:
        return Path.home()
    except RuntimeError:
        return Path("/")


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of `companion race`.

    `data` is the folder of journal and records; `port` 0 takes any free one; `host` is the address
    to listen on, `EVERYWHERE` for phones to reach it; `stick` a folder on a stick that keeps the
    journal and backups; `bot_pace_s` are the seconds that a bot takes for an answer, at least;
    without `advice` no race at this table has any; `announcer` is the language in which the machine
    says the race, None: it does not; after `idle_s` seconds of quiet its board is
    solved. `unfollowed`: why the table is open without what companion.toml says.
    """

    data: Path = field(default_factory=data_folder)
    host: str = EVERYWHERE
    port: int = PORT
    stick: Path | None = None
    bot_pace_s: float = PACE_S
    advice: bool = True
    announcer: str | None = None
    idle_s: float = IDLE_S
    unfollowed: str = ""

    @property
    def fixed_host(self) -> str | None:
        """The one address that others reach it by; None: whatever the machine has."""
        return None if self.host in (EVERYWHERE, ALL_OF_IPV6) else self.host

    @property
    def file(self) -> Path:
        """The configuration file, where no other is named; an empty one, if it is not followed."""
        return Path(os.devnull) if self.unfollowed else self.data / CONFIG_FILE

    @property
    def solved(self) -> Path:
        """The folder of solved boards, and of the reviews that come of them."""
        return self.data / "solved"

    @property
    def records(self) -> Path:
        """The folder of the race records."""
        return self.data / "records"

    @property
    def tracks(self) -> Path:
        """The host's own track files."""
        return self.data / "tracks"

    @property
    def packs(self) -> Path:
        """The host's own rules packs."""
        return self.data / "packs"


def read_hosts(file: Path) -> tuple[str, ...]:
    """The names that `[page] hosts` of a configuration file adds to those of the machine.

    Raises:
        ConfigError: it cannot be read, or says what means nothing here.
    """
    hosts = _said(file, "page", "hosts") or []
    if not isinstance(hosts, list) or not all(isinstance(name, str) for name in hosts):
        raise ConfigError(f"{file}: [page] hosts is a list of names, not {hosts!r:.80}")
    return tuple(hosts)


def stick_of(file: Path) -> Path | None:
    """The folder on a stick that `[backup] stick` of companion.toml names; None: it names none.

    Raises:
        ConfigError: the file cannot be read, or says what means nothing here.
    """
    stick = _said(file, "backup", "stick")
    if stick is not None and not (isinstance(stick, str) and Path(stick).is_absolute()):
        raise ConfigError(f"{file}: [backup] stick is an absolute path, not {stick!r:.80}")
    return None if stick is None else Path(stick)


def announcer_of(file: Path, languages: Collection[str]) -> str | None:
    """The language in which `[announcer] language` has the race said; None: nobody says it.

    Args:
        languages: those that it may be.

    Raises:
        ConfigError: the file cannot be read, or says what means nothing here.
    """
    language = _said(file, "announcer", "language")
    if language is None or (isinstance(language, str) and language in languages):
        return language
    known = ", ".join(languages)
    raise ConfigError(f"{file}: [announcer] language is one of {known}, not {language!r:.80}")


def advice_of(file: Path) -> bool:
    """Whether races at this table have advice: `advice = false` in companion.toml says no.

    Raises:
        ConfigError: the file cannot be read, or says what means nothing here.
    """
    advice = read_config(file).get("advice", True)
    if not isinstance(advice, bool):
        raise ConfigError(f"{file}: advice is true or false, not {advice!r:.80}")
    return advice


def _said(file: Path, table: str, name: str) -> object:
    """What a table of a configuration file says, which may say nothing else; None: nothing."""
    found = read_config(file).get(table, {})
    if not isinstance(found, dict) or found.keys() - {name}:
        raise ConfigError(f"{file}: [{table}] may say {name}, and nothing else")
    return found.get(name)


def read_config(file: Path) -> dict[str, object]:
    """All that a configuration file says; one that is not there says nothing.

    Raises:
        ConfigError: it cannot be read, or is not TOML.
    """
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from error


def format_settings(tables: Mapping[str, object], heading: str = "") -> str:
    """The text of a configuration file that says this. Not all of JSON is TOML: read it back.

    >>> print(format_settings({"seats": {"1": "wired"}}), end="")
    ["seats"]
    "1" = "wired"
    """
    plain = {name: said for name, said in tables.items() if not isinstance(said, dict)}
    # A heading alone says something too: [light] has lights on.
    lines = [f"[{heading}]"] * bool(heading and (plain or not tables))
    lines += [f"{dumps(name)} = {dumps(said, ensure_ascii=False)}" for name, said in plain.items()]
    made = "".join(f"{line}\n" for line in lines)
    for name, said in tables.items():
        if isinstance(said, dict):
            made += format_settings(said, f"{heading}.{dumps(name)}".lstrip("."))
    return made
