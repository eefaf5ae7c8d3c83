"""Puts the companion together: the only module that names concrete classes."""

from __future__ import annotations

import secrets
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial, reduce
from importlib import import_module
from logging import getLogger
from pathlib import Path
from typing import TYPE_CHECKING

from companion.address import PageAddress
from companion.boards import TrackLibrary
from companion.bootstrap_bots import TableBots
from companion.bootstrap_club import ClubLink
from companion.bootstrap_machine import Machine, portal
from companion.bootstrap_solving import IdleSolving
from companion.closing import Closing
from companion.config import EVERYWHERE, Config, read_hosts
from companion.dice import BYTES
from companion.drawing.seat import draw_seat
from companion.engine import Engine
from companion.journal import FolderLock, Journal, open_journal
from companion.league.errors import LeagueError
from companion.league.settings import read_settings
from companion.notify import this_process
from companion.packs import PackLibrary
from companion.record import write_record
from companion.seats.findings import Examine, Finding
from companion.seats.hub import Opener, SeatHub
from companion.seats.plan import LIGHT, SIMULATED, SeatPlan
from companion.seats.trouble import SeatTrouble
from companion.table.access import Access
from companion.table.clock import TableClock
from companion.table.disk import DiskNews
from companion.table.outside import Outside
from companion.table.ports import Caller, Line, Reply, TablePort
from companion.table.session import Session
from companion.table.state import Surroundings, TableState
from companion.views.model import Advise, Chances
from companion.views.page.table import table_view

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

    from companion.advising import Adviser
    from companion.bootstrap_league import LeaguePages
    from companion.notify import Notifier
    from companion.seats.wiring import WiredSeat
    from companion_web.guard import Guard
    from companion_web.server import Server, Wrap

BY_COMMAND = Caller(referee=True, by="host")
"""Whoever started the program on the command line."""
LEAGUE_PATHS = ("/league", "/api/league", "/ergast")
"""What the league answers at a table's address."""
CABINET_PATHS = ("/cabinet", "/api/cabinet")
"""What the cabinet of simulated seats answers."""
HELP_PATHS = ("/help",)
LEARN_PATHS = ("/learn",)
"""What the pages to read answer."""
LIVE_PATHS = ("/live", "/api/live")
"""What the live test of the seats answers."""
_log = getLogger(__name__)
SEAT_DRIVERS: Mapping[str, tuple[str, str]] = {
    "wired": ("companion.seats.wired.driver", "open_seats"),
    "wired simulated": ("companion.seats.simulated.wired", "open_seats"),
    "pod": ("companion.seats.pod.driver", "open_seats"),
    "pod simulated": ("companion.seats.pod.simulated", "open_seats"),
}
"""Drivers of seats by name: module and function. Only those in use are imported, so that a
table of phones needs none of the libraries of the hardware."""


def print_error(sentence: str) -> None:
    """Say on stderr what is wrong."""
    print(f"companion: {sentence}", file=sys.stderr, flush=True)


def make_engine(tracks: TrackLibrary, version: int) -> Engine:
    """An engine whose version goes on from a number."""
    engine = Engine(tracks)
    engine.version = version
    return engine


SEAT_DOCTORS: Mapping[str, tuple[str, str]] = {
    "wired": ("companion.seats.wired.doctor", "examine"),
    "pod": ("companion.seats.pod.doctor", "examine"),
    "pod simulated": ("companion.seats.pod.doctor", "examine_simulated"),
}
"""What examines the seats of a driver; simulated wires have nothing to examine."""


def seat_driver(name: str) -> Opener:
    """What starts the driver of this name.

    Raises:
        SeatTrouble: a library that it needs is not installed.
    """
    module, function = SEAT_DRIVERS[name]
    try:
        opener: Opener = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise SeatTrouble(
            f"the driver {name!r} needs the library {error.name}: pip install 'race-companion[pi]'",
            "no-library",
            name=error.name,
        ) from error
    return opener


def examine_seats(plan: SeatPlan) -> list[Finding]:
    """All that is found about the seats of a plan."""
    found: list[Finding] = []
    for name, seats in plan.groups().items():
        if name not in SEAT_DOCTORS:
            says = f"{name}: not looked at, nothing of it is real"
            found += [Finding("driver", says, ok=None, seat=seat) for seat in seats]
            continue
        module, function = SEAT_DOCTORS[name]
        examine: Examine = getattr(import_module(module), function)
        found += examine(seats, plan.options_of(name))
    if LIGHT in plan.options:
        found += _examine_light(plan)
    return found or [Finding("seats", "none has a driver: all are phones", ok=None)]


def _wired(plan: SeatPlan) -> list[WiredSeat]:
    """The seats of a plan that are wired, where that can be read at all."""
    from companion.seats.wired.driver import layout_of

    seats = plan.groups().get("wired", ())
    try:
        layout = layout_of(seats, plan.options_of("wired")) if seats else None
    except SeatTrouble:  # their own driver and doctor say so
        layout = None
    return [layout.seats[seat] for seat in seats] if layout else []


def _examine_light(plan: SeatPlan) -> list[Finding]:
    from companion.seats.light.doctor import examine
    from companion.seats.wired.machine import Machine

    return examine(plan.options_of(LIGHT), _wired(plan), Machine())


def light_up(table: TablePort, plan: SeatPlan) -> Closing | None:
    """The chain of lights of a plan; what keeps it dark is in the log and keeps no table closed."""
    if LIGHT not in plan.options:
        return None
    try:
        from companion.seats.light.driver import open_lights

        return open_lights(table, plan.options_of(LIGHT), _wired(plan))
    except (SeatTrouble, ImportError) as error:
        _log.warning("the lights stay dark: %s", error)
        return None


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
            journal = opened.enter_context(open_journal(config.data, news.hear, config.stick))
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
            cabinet = partial(_cabinet, self.hub)
            annexes = [
                partial(portal, config, self.access),
                partial(_annex, HELP_PATHS, _help),
                partial(_annex, LEARN_PATHS, _learning),
                partial(_league_annex, config, league),
                partial(_live_annex, self.hub, self.session, self.state, live),
                *([partial(_annex, CABINET_PATHS, cabinet)] if self.has_cabinet else ()),
            ]
            table = (self.session, self.access, config, boards)
            self.server = _serve(*table, annexes, machine)
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
        Outside(
            journal=journal,
            clock=clock,
            link=access.link,
            draw=draw_seat,
            tell=table_view,
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


def _serve(
    session: Session,
    access: Access,
    config: Config,
    boards: TrackLibrary,
    annexes: Sequence[Callable[[Guard], Wrap]],
    machine: Machine,
) -> Server:
    # Imported here: whoever only replays or checks a track need not wait for a web server.
    from companion_web.guard import Guard
    from companion_web.hosts import Hosts
    from companion_web.server import serve

    guard = Guard(access, Hosts(read_hosts(config.file)))

    def wrap(page: WSGIApplication) -> WSGIApplication:
        return reduce(lambda house, annex: annex(guard)(house), annexes, page)

    return serve(session, access, config.host, config.port, boards, wrap, guard, machine)


def _league_annex(config: Config, opened: ExitStack, guard: Guard) -> Wrap:
    """Puts the league before the page's app; it is opened when somebody asks for it."""

    def make() -> LeaguePages:
        from companion.bootstrap_league import LeaguePages

        database = read_settings(config.file).database
        return opened.enter_context(LeaguePages(config.data, database, guard))

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.annex import Annex

        return Annex(page, make, LEAGUE_PATHS, (LeagueError,))

    return wrap


def _annex(
    paths: tuple[str, ...], create: Callable[[Guard], WSGIApplication], guard: Guard
) -> Wrap:
    """Puts an app before the page's; it is created when somebody asks for one of its paths."""

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.annex import Annex

        return Annex(page, lambda: create(guard), paths)

    return wrap


def _help(guard: Guard) -> WSGIApplication:
    from companion_web.helping import create_help

    return create_help(guard)


def _learning(guard: Guard) -> WSGIApplication:
    from companion_web.learning import create_learning

    return create_learning(guard)


def _live_annex(
    hub: SeatHub, session: Session, state: TableState, opened: ExitStack, guard: Guard
) -> Wrap:
    """Puts the live test's page before the page's app; it is made when somebody asks for it."""

    def make() -> WSGIApplication:
        from companion.bootstrap_live import LiveSeats, is_racing
        from companion_web.live import create_live

        live = opened.enter_context(LiveSeats(hub, session, lambda: is_racing(state)))
        return create_live(live, guard)

    def wrap(page: WSGIApplication) -> WSGIApplication:
        from companion_web.annex import Annex

        return Annex(page, make, LIVE_PATHS)

    return wrap


def _cabinet(hub: SeatHub, guard: Guard) -> WSGIApplication:
    from companion.seats.simulated.cabinet import Cabinet
    from companion_web.cabinet import create_cabinet

    return create_cabinet(Cabinet(hub.drivers), guard)
