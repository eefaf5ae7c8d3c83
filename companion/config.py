"""What a running companion is told: one record, checked where it is made."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

PORT = 8000
EVERYWHERE = "0.0.0.0"


def data_folder() -> Path:
    """Where races are kept unless something else is said: the user's own data folder."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "race-companion"


@dataclass(frozen=True, slots=True)
class Config:
    """Settings of `companion race`.

    `data` is the folder of journal and records; `port` 0 takes any free one; `host` is the
    address to listen on, `EVERYWHERE` for phones to reach it; `stick` a folder on
    a stick that keeps the journal and backups.
    """

    data: Path = field(default_factory=data_folder)
    host: str = EVERYWHERE
    port: int = PORT
    stick: Path | None = None

    @property
    def file(self) -> Path:
        """The configuration file, where no other is named."""
        return self.data / "companion.toml"

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


class SettingsError(Exception):
    """companion.toml says what means nothing; the message says where."""


def stick_of(file: Path) -> Path | None:
    """The folder on a stick that `[backup] stick` of companion.toml names; None: it names none.

    Raises:
        SettingsError: the file cannot be read, or says what means nothing here.
    """
    try:
        table = tomllib.loads(file.read_text("utf-8")).get("backup", {})
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingsError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise SettingsError(f"{file} is not TOML: {error}") from error
    if not isinstance(table, dict) or table.keys() - {"stick"}:
        raise SettingsError(f"{file}: [backup] may say stick, and nothing else")
    stick = table.get("stick")
    if stick is not None and not (isinstance(stick, str) and Path(stick).is_absolute()):
        raise SettingsError(f"{file}: [backup] stick is an absolute path, not {stick!r:.80}")
    return None if stick is None else Path(stick)
