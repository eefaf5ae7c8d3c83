"""Puts the companion together: the only module that names concrete classes."""

from __future__ import annotations

import secrets
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.address import PageAddress
from companion.boards import TrackLibrary
from companion.bootstrap_bots import TableBots
from companion.bootstrap_club import ClubLink
from companion.bootstrap_machine import Machine, portal
from companion.bootstrap_pages import (
    cabinet_annex,
    help_annex,
    league_annex,
    learn_annex,
    live_annex,
    open_page,
)
from companion.bootstrap_seats import light_up, seat_driver
from companion.bootstrap_solving import IdleSolving
from companion.closing import Closing
from companion.config import EVERYWHERE, Config
from companion.dice import BYTES
from companion.drawing.seat import draw_seat
from companion.engine import Engine
from companion.journal import FolderLock, Journal, open_journal
from companion.notify import this_process
from companion.packs import PackLibrary
from companion.record import write_record
from companion.seats.hub import SeatHub
from companion.seats.plan import SIMULATED, SeatPlan
from companion.table.access import Access
from companion.table.clock import TableClock
from companion.table.disk import DiskNews
from companion.table.outside import Services
from companion.table.ports import Caller, Line, Reply
from companion.table.session import Session
from companion.table.state import Surroundings, TableState
from companion.views.model import Advise, Chances
from companion.views.page.table import table_view

if TYPE_CHECKING:
    from companion.advising import Adviser
    from companion.notify import Notifier

BY_COMMAND = Caller(referee=True, by="host")
"""Whoever started the program on the command line."""


def print_error(sentence: str) -> None:
    """Say on stderr what is wrong."""
    print(f"companion: {sentence}", file=sys.stderr, flush=True)


def make_engine(tracks: TrackLibrary, version: int) -> Engine:
    """An engine whose version goes on from a number."""
    engine = Engine(tracks)
    engine.version = version
    return engine


class RunningTable(Closing):
    """A table that is open: journal, session, page, seats. Closing it twice is no fault.

    Args:
        seats: which seats have a driver; without it all are phones.
        complain: says on stderr what is wrong with the disk, before the page answers.
        now: the clock that the table measures by, in seconds from any zero.

    Raises:
        StorageError: the folder is held by another companion, or cannot be read or written.
        LeagueError: what companion.toml says of the league means nothing.
        ConfigError: so does what it says of the page.
        OSError: the address to listen on is taken or not ours.
    """

    def __init__(
        self,
        config: Config,
        tracks: TrackLibrary | None = None,
        seats: SeatPlan | None = None,
        complain: Callable[[str], object] = print_error,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._plan = seats or SeatPlan()
        # The record of a race that the plug has ended is written before there is a club.
        self.club: ClubLink | None = None
        self.notifier = this_process(time.monotonic)
        boards = tracks or TrackLibrary((Path(), config.tracks))
        with ExitStack() as opened:
            opened.enter_context(FolderLock(config.data))
            news = DiskNews(complain)
            journal = opened.enter_context(open_journal(config.data, news.report, config.stick))
            machine = Machine(config, lambda: self.hub.troubles)
            self.state, self.session, self.access = _make_table(
                config,
                boards,
                journal,
                (news, self.notifier),
                self._record_written,
                self._plan,
                now,
                machine.switch if machine.can_switch else None,
            )
            _follow(opened, config, complain)
            opened.callback(self.session.close)
            league, live = opened.enter_context(ExitStack()), ExitStack()
            self.hub = SeatHub(self.session, self.session.mark)
            annexes = [
                partial(portal, config, self.access),
                help_annex,
                learn_annex,
                partial(league_annex, config, league),
                partial(live_annex, self.hub, self.session, self.state, live),
                *([cabinet_annex(self.hub)] if self.has_cabinet else ()),
            ]
            table = (self.session, self.access, config, boards)
            self.server = open_page(*table, annexes, machine)
            opened.callback(self.server.close)
            fixed = None if config.host == EVERYWHERE else config.host
            self._address = PageAddress(fixed, self.server.port)
            self.access.serve_at(self._address.url, self.session)
            opened.enter_context(self.hub)
            opened.enter_context(live)  # gives the seats back while they are open
            self._lights = opened.enter_context(ExitStack())
            opened.enter_context(TableBots(self.session, self.state, config))
            self.solving = opened.enter_context(IdleSolving(self.session, self.state, config))
            self.club = opened.enter_context(ClubLink(config, self.session))
            self._opened = opened.pop_all()

    def start(self, *, header: Line | None = None, resume: str | None = None) -> Reply | None:
        """Begin to serve; then put a new or a waiting race on the table, if one is named.

        Returns:
            The table's reply to that, None where nothing was named.
        """
        self.session.start()
        self.hub.start(self._plan, seat_driver)
        if lights := light_up(self.session, self._plan):
            self._lights.enter_context(lights)
        if header is not None:
            return self.session.submit(BY_COMMAND, {"new": header})
        if resume is not None:
            return self.session.submit(BY_COMMAND, {"table": "open", "value": resume})
        return None

    @property
    def url(self) -> str:
        """Where people find the page now: a network may come up after the table."""
        return self._address.url()

    @property
    def has_cabinet(self) -> bool:
        """Whether a seat is simulated: then there is a page that draws them all."""
        return any(name.endswith(SIMULATED) for name in self._plan.groups())

    def _record_written(self) -> None:
        """The club is told; one that opens later looks for what it has not been sent yet."""
        if self.club is not None:
            self.club.record_written()

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the race on the table, else all that there are."""
        return tuple(self.session.snapshot().private)

    def close(self) -> None:
        """Stop the page, answer what waits, fold the journal, let go of the folder."""
        self._opened.close()


def _follow(opened: ExitStack, config: Config, complain: Callable[[str], object]) -> None:
    """Let the stick that is named keep what the disk may lose."""
    if config.stick is None:
        return
    # Imported here: packing a backup needs what a table without a stick does not.
    from companion.journal.dates import now
    from companion.journal.stick import Stick

    opened.enter_context(Stick(config.stick, config.data, complain, now)).start()


def _make_table(
    config: Config,
    boards: TrackLibrary,
    journal: Journal,
    told: tuple[DiskNews, Notifier],
    written: Callable[[], None],
    plan: SeatPlan,
    now: Callable[[], float],
    switch: Callable[[str], str] | None,
) -> tuple[TableState, Session, Access]:
    clock = TableClock(now=now, wall=time.time)
    news, notifier = told
    state = TableState(
        Surroundings(
            journal=journal,
            engines=make_engine,
            tracks=boards,
            new_id=lambda: str(uuid.uuid4()),
            new_seed=lambda: secrets.token_hex(BYTES),
            date=clock.date,
            packs=PackLibrary((config.packs,)),
            advice=config.advice,
            buttons=frozenset(seat for seats in plan.groups().values() for seat in seats),
            switch=switch,
        )
    )

    def keep(race: str, lines: Sequence[Line]) -> None:
        write_record(config.records / f"{race}.jsonl", lines)
        written()

    access = Access(journal)
    session = Session(
        state,
        Services(
            journal=journal,
            clock=clock,
            link=access.link,
            draw=draw_seat,
            table_body=table_view,
            write_record=keep,
            disk=news,
            alive=notifier.alive,
            alive_every_s=notifier.every_s,
            advise=_odds_on_request(config.data / "solved"),
        ),
    )
    return state, session, access


def _odds_on_request(solved: Path) -> Advise:
    """What works out odds; a table that nobody asks for any does not import it."""
    known: list[Adviser] = []

    def advise(state: object, seat: int) -> Mapping[int, Chances]:
        from companion.advising import Adviser
        from companion.solved import SolvedBoards

        if not known:
            known.append(Adviser(SolvedBoards(solved)))
        return known[0].odds(state, seat)

    return advise
