"""Where a league keeps its files, all of them in the folder of the table's data."""

from __future__ import annotations

from pathlib import Path

from companion.frozen import dataclass


@dataclass(frozen=True, slots=True)
class LeagueFolder:
    """The files of the league in a data folder.

    The truth: `records`, written by tables, `acts`, by people, and `people`, the names that both
    have keys of. The rest can be made again:
    `database` (where no other is named) and what was sent to a club (`sent`, by which a record
    is not offered twice). `aside` has what tables sent and was refused, for people to look at.
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
    def aside(self) -> Path:
        """Records that were refused, as they came."""
        return self.acts / "aside"

    @property
    def people(self) -> Path:
        """The folder of the names, which can be erased."""
        return self.acts / "people"

    @property
    def forgotten(self) -> Path:
        """Who is not to be named again, by keys."""
        return self.people / "forgotten.jsonl"

    @property
    def sent(self) -> Path:
        """What a club has taken or refused."""
        return self.acts / "sent.jsonl"

    def record(self, race: str) -> Path:
        """The record of a race."""
        return self.records / f"{race}.jsonl"
