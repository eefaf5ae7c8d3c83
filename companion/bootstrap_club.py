"""What ties a running table to its club: nothing of it needs the league's database."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

from companion.address import wall_clock
from companion.closing import Closing
from companion.config import Config
from companion.league.settings import LeagueSettings, read_settings
from companion.table.ports import TablePort

if TYPE_CHECKING:
    from companion.league.push.sender import Sender


class ClubLink(Closing):
    """Sends a table's records to its club, and tells the club how the table stands.

    Without a club in companion.toml it does nothing.

    Raises:
        LeagueError: what companion.toml says of the league means nothing.
    """

    def __init__(self, config: Config, table: TablePort) -> None:
        settings = read_settings(config.file)
        self._sender: Sender | None = None
        with ExitStack() as opened:
            if settings.club is not None:
                self._open(opened, settings, config, table)
            self._opened = opened.pop_all()

    def _open(
        self, opened: ExitStack, settings: LeagueSettings, config: Config, table: TablePort
    ) -> None:
        # Imported here: a table without a club starts without them.
        from companion.league.folder import LeagueFolder
        from companion.league.push.club import Club
        from companion.league.push.live_reporter import LiveReporter
        from companion.league.push.outbox import Outbox
        from companion.league.push.sender import Sender

        address, key = settings.club or "", settings.key or ""
        club = Club(address, key)
        outbox = Outbox(LeagueFolder(config.data), address, wall_clock)
        self._sender = opened.enter_context(Sender(outbox, club))
        reporter = opened.enter_context(LiveReporter(club, lambda: table.snapshot().body))
        opened.callback(table.watch(lambda _: reporter.nudge()))

    def record_written(self) -> None:
        """A race is over and its record is on disk; never waits."""
        if self._sender is not None:
            self._sender.nudge()

    def close(self) -> None:
        """Let go of the club. May be called twice."""
        self._opened.close()
