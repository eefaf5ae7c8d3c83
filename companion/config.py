"""What a running companion is told: one record, checked where it is made."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

PORT = 8000
EVERYWHERE = "0.0.0.0"
CONFIG_FILE = "companion.toml"


class ConfigError(Exception):
    """What the configuration file says of the page means nothing."""


def data_folder() -> Path:
    """Where races are kept unless something else is said: the user's own data folder."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "race-companion"


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of `companion race`.

    `data` is the folder of journal and records; `port` 0 takes any free one; `host` is the
    address to listen on, `EVERYWHERE` for phones to reach it.
    """

    data: Path = field(default_factory=data_folder)
    host: str = EVERYWHERE
    port: int = PORT

    @property
    def file(self) -> Path:
        """The configuration file, where no other is named."""
        return self.data / CONFIG_FILE

    @property
    def journal(self) -> Path:
        """The folder of the journal."""
        return self.data / "journal"

    @property
    def records(self) -> Path:
        """The folder of the race records."""
        return self.data / "records"

    @property
    def tracks(self) -> Path:
        """The host's own track files."""
        return self.data / "tracks"


def read_hosts(file: Path) -> tuple[str, ...]:
    """The names that `[page] hosts` of a configuration file adds to those of the machine.

    Raises:
        ConfigError: it cannot be read, or says what means nothing here.
    """
    try:
        page = tomllib.loads(file.read_text("utf-8")).get("page", {})
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise ConfigError(f"{file} is not TOML: {error}") from error
    hosts = page.get("hosts", []) if isinstance(page, dict) and page.keys() <= {"hosts"} else None
    if not isinstance(hosts, list) or not all(isinstance(name, str) for name in hosts):
        raise ConfigError(f'{file}: [page] may say hosts = ["a.name"], and nothing else')
    return tuple(hosts)
