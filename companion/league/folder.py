"""Where a league keeps its files, all of them in the folder of the table's data."""

from __future__ import annotations

from pathlib import Path

from companion.frozen import dataclass


@dataclass(frozen=True, slots=True)
class LeagueFolder:
    """The files of the league in a data folder.

    What is the truth among them goes through `storage.py`. The rest can be made again: `database`
    (where no other is named) and what was sent to a club (`sent`, by which a record is not offered
    twice).
    """

    data: Path

    @property
    def records(self) -> Path:
        """The race records, a file a race."""
        return self.data / "records"

    @property
    def acts(self) -> Path:
        """The folder of the journal of acts, and of its lock."""
        return self.data / "league"

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.data / "league.db"

    @property
    def forgotten(self) -> Path:
        """Who is not to be named again, by keys."""
        return self.acts / "people" / "forgotten.jsonl"

    @property
    def sent(self) -> Path:
        """What a club has taken or refused."""
        return self.acts / "sent.jsonl"
