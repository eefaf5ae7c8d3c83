"""Puts a running table together: its journal, its seats, its page, and its link to a club.

The rooms below know one another by protocols only; concrete classes are named in this folder. The
page of the table has others before it, each made when it is first asked for, the league's among
them. The referee's PIN is read from a folder of races whether a table is open on it or not.
"""

from __future__ import annotations

import json
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.app.bots import IdleSolving, TableBots
from companion.app.seats import (
    COMMANDS,
    LiveSeats,
    Machine,
    is_racing,
    light_up,
    portal,
    seat_driver,
)
from companion.drawing.seat import draw_seat
from companion.journal.journal import COPY, FOLDER, FolderLock, Journal, open_journal, refuse_old
from companion.journal.log import file_date, read, walk
from companion.league.errors import LeagueError, LeagueFolder
from companion.league.push import Club, LeagueSettings, LiveReporter, Outbox, Sender, read_settings
from companion.packs import PackLibrary
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import BYTES, write_record
from companion.rules.lines import Line
from companion.seats.hub import SeatHub
from companion.seats.plan import SIMULATED, SeatPlan
from companion.system.config import EVERYWHERE, Config, read_hosts
from companion.system.host import (
    Closing,
    PageAddress,
    knows_the_time,
    this_process,
    wall_clock,
)
from companion.table.clock import TableClock
from companion.table.ports import Caller, Reply, StorageError, TablePort
from companion.table.session import DiskNews, Services, Session
from companion.table.state import ACCESS_LOG, Access, Surroundings, TableState
from companion.views.model import Advise, Chances
from companion.views.page import table_view

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from companion.study.solved import Adviser
    from companion_web.app import Server
    from companion_web.guard import Guard


BY_COMMAND = Caller(referee=True, by="host")
"""Whoever started the program on the command line."""


def _print_error(sentence: str) -> None:
    """Say on stderr what is wrong."""
    print(f"companion: {sentence}", file=sys.stderr, flush=True)


def _make_engine(tracks: TrackLibrary, version: int) -> Engine:
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
        complain: Callable[[str], object] = _print_error,
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
            # Asked only later: the hub is made for a session that this machine belongs to.
            commands = COMMANDS if self.notifier.is_heard else {}
            machine = Machine(config, lambda: self.hub.troubles, commands)
            self._make_table(config, boards, journal, news, now, machine)
            _follow(opened, config, complain)
            opened.callback(self.session.close)
            # Entered before the page, so closed after it: pages may read the league to the end.
            league, live = opened.enter_context(ExitStack()), ExitStack()
            self.hub = SeatHub(self.session, self.session.mark)
            table = (self.session, self.access, config, boards)
            self.server = _open_page(
                *table, self._annexes(config, league, live), machine, self.clock
            )
            opened.callback(self.server.close)
            fixed = None if config.host == EVERYWHERE else config.host
            self._address = PageAddress(fixed, self.server.port)
            # Only now: of port 0 nobody knew before which one it would be.
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
        # Before the seats: a press waits for the answer of a thread that has to be there.
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

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats of the race on the table, else all that there are."""
        return tuple(self.session.snapshot().private)

    def close(self) -> None:
        """Stop the page, answer what waits, fold the journal, let go of the folder."""
        self._opened.close()

    def _make_table(
        self,
        config: Config,
        boards: TrackLibrary,
        journal: Journal,
        news: DiskNews,
        now: Callable[[], float],
        machine: Machine,
    ) -> None:
        """The table itself, its thread and its keys."""
        clock = self.clock = TableClock(now=now, wall=time.time, is_set=knows_the_time)
        seated = self._plan.groups().values()
        self.state = TableState(
            Surroundings(
                journal=journal,
                engines=_make_engine,
                tracks=boards,
                new_id=lambda: str(uuid.uuid4()),
                new_seed=lambda: secrets.token_hex(BYTES),
                date=clock.date,
                packs=PackLibrary((config.packs,)),
                advice=config.advice,
                buttons=frozenset(seat for seats in seated for seat in seats),
                switch=machine.switch if machine.can_switch else None,
            )
        )

        def keep(race: str, lines: Sequence[Line]) -> None:
            write_record(config.records / f"{race}.jsonl", lines)
            # A club that opens later looks for what it has not been sent yet.
            if self.club is not None:
                self.club.record_written()

        self.access = Access(journal)
        self.session = Session(
            self.state,
            Services(
                journal=journal,
                clock=clock,
                link=self.access.link,
                draw=draw_seat,
                table_body=table_view,
                write_record=keep,
                disk=news,
                alive=self.notifier.alive,
                alive_every_s=self.notifier.every_s,
                advise=_odds_on_request(config.solved),
            ),
        )

    def _annexes(self, config: Config, league: ExitStack, live: ExitStack) -> list[Annexing]:
        test = partial(_live, self.hub, self.session, self.state, live)
        annexes: list[Annexing] = [
            (("/help",), _help),
            (("/learn",), _learning),
            (("/league", "/api/league", "/ergast"), partial(_league, config, league)),
            (("/live", "/api/live"), test),
        ]
        if self.has_cabinet:
            annexes.append((("/cabinet", "/api/cabinet"), partial(_cabinet, self.hub)))
        return annexes


def _follow(opened: ExitStack, config: Config, complain: Callable[[str], object]) -> None:
    """Let the stick that is named keep what the disk may lose."""
    if config.stick is None:
        return
    # Imported here: packing a backup needs what a table without a stick does not.
    from companion.journal.backups import Stick

    opened.enter_context(Stick(config.stick, config.data, complain, file_date)).start()


def _odds_on_request(solved: Path) -> Advise:
    """What works out odds; a table that nobody asks for any does not import it."""
    known: list[Adviser] = []

    def advise(state: object, seat: int) -> Mapping[int, Chances]:
        from companion.study.solved import Adviser, SolvedBoards

        if not known:
            known.append(Adviser(SolvedBoards(solved)))
        return known[0].odds(state, seat)

    return advise


# -- the link to a club ---------------------------------------------------------------------------


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


# -- the pages before the table's -----------------------------------------------------------------

Annexing = tuple[tuple[str, ...], Callable[["Guard"], "WSGIApplication"]]
"""Paths that an app of its own answers before the page does, and what makes it."""


def _open_page(
    session: Session,
    access: Access,
    config: Config,
    boards: TrackLibrary,
    annexes: Sequence[Annexing],
    machine: Machine,
    clock: TableClock,
) -> Server:
    """The page of a table and all that is put before it, served."""
    # Imported here: whoever only replays or checks a track need not wait for a web server.
    from companion_web.app import Annex, serve
    from companion_web.guard import Guard, Hosts

    guard = Guard(access, Hosts(read_hosts(config.file)))

    def wrap(page: WSGIApplication) -> WSGIApplication:
        page = portal(config, access, guard)(page)
        for paths, make in annexes:
            page = Annex(page, partial(make, guard), paths, (LeagueError,))
        return told_the_time(page, clock)

    return serve(session, access, config.host, config.port, boards, wrap, guard, machine)


def told_the_time(page: WSGIApplication, clock: TableClock) -> WSGIApplication:
    """A page whose clock hears the time of every phone that has a key: what our scripts post says
    it (`X-Now`)."""

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        told = environ.get("HTTP_X_NOW", "")

        def begin(status: str, *rest: Any) -> Any:
            if told and status.startswith("2"):
                clock.believe(told)
            return start(status, *rest)

        return page(environ, begin if environ["REQUEST_METHOD"] == "POST" else start)

    return answer


# Each is made when one of its paths is first asked for, and imported then.


def _help(guard: Guard) -> WSGIApplication:
    from companion_web.learning import create_help

    return create_help(guard)


def _learning(guard: Guard) -> WSGIApplication:
    from companion_web.learning import create_learning

    return create_learning(guard)


def _league(config: Config, opened: ExitStack, guard: Guard) -> WSGIApplication:
    from companion.app.league import LeaguePages

    database = read_settings(config.file).database
    return opened.enter_context(LeaguePages(config.data, database, guard))


def _live(
    hub: SeatHub, session: Session, state: TableState, opened: ExitStack, guard: Guard
) -> WSGIApplication:
    from companion_web.cabinet import create_live

    live = opened.enter_context(LiveSeats(hub, session, lambda: is_racing(state)))
    return create_live(live, guard)


def _cabinet(hub: SeatHub, guard: Guard) -> WSGIApplication:
    from companion.seats.hub import Cabinet
    from companion_web.cabinet import create_cabinet

    return create_cabinet(Cabinet(hub.drivers), guard)


# -- the referee's PIN ----------------------------------------------------------------------------


def read_pin(data: Path) -> str | None:
    """The PIN as the journal has it, read without touching anything; None: there is none yet.

    Raises:
        StorageError: the folder cannot be read; or it was written by version 0.1.0.
    """
    refuse_old(data)
    files = (data / folder / f"{ACCESS_LOG}.log" for folder in (FOLDER, COPY))
    try:
        found = [read(file.read_bytes(), ACCESS_LOG) for file in files if file.exists()]
    except OSError as error:
        raise StorageError(f"{data} cannot be read: {error.strerror}") from error
    row = walk(ACCESS_LOG, *found)
    return None if not row else str(json.loads(row[-1].text)["pin"])


def renew_pin(data: Path) -> str | None:
    """A new PIN; the tokens of the seats stay.

    Raises:
        StorageError: a table is open on the folder, or it cannot be written.
    """
    if not data.is_dir():
        return None
    with FolderLock(data), open_journal(data, lambda trouble: None) as journal:
        access = Access(journal)
        return access.renew_pin()
