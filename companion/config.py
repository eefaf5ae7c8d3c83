"""What a running companion is told: one record, checked where it is made."""

from __future__ import annotations

import os
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
    address to listen on, `EVERYWHERE` for phones to reach it.
    """

    data: Path = field(default_factory=data_folder)
    host: str = EVERYWHERE
    port: int = PORT

    @property
    def file(self) -> Path:
        """The configuration file, where no other is named."""
        return self.data / "companion.toml"

    @property
    def journal(self) -> Path:
        """The main file of the journal."""
        return self.data / "journal.db"

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
