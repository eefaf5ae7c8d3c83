"""Puts a running table together: its journal, its seats, its page, and its link to a club.

The rooms below know one another by protocols only; concrete classes are named in this folder. The
page of the table has others before it, each made when it is first asked for, the league's among
them. The referee's PIN is read from a folder of races whether a table is open on it or not.
"""

from __future__ import annotations

import json
import secrets
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from companion.app.bots import IdleSolving, Solver, TableBots
from companion.app.plugins import Listeners
from companion.app.seats import (
    LiveSeats,
    Machine,
    commands_here,
    is_racing,
    portal,
    seat_driver,
    wires_of,
)
from companion.drawing.seat import draw_seat
from companion.journal.journal import (
    COPY,
    FOLDER,
    FolderLock,
    Found,
    Journal,
    open_journal,
    refuse_newer,
    refuse_old,
    survey,
)
from companion.journal.log import file_date, read, walk
from companion.league.errors import LeagueFolder
from companion.league.push import Club, LeagueSettings, LiveReporter, Outbox, Sender, read_settings
from companion.race.boards import PackLibrary, TrackLibrary
from companion.race.engine import TABLE, Engine
from companion.race.record import BYTES, write_record
from companion.rules.lines import Line
from companion.seats.hub import SeatHub
from companion.seats.plan import SeatPlan
from companion.system import host
from companion.system.config import Config, read_hosts
from companion.system.plugins import SIMULATED
from companion.table import ports
from companion.table.clock import TableClock
from companion.table.session import DiskNews, Services, Session
from companion.table.state import Access, Surroundings, TableState, make_pin
from companion.views.model import Chances, Scene
from companion.views.page import table_view
from companion.views.words import words

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

    from companion.advice.odds import Chance
    from companion.study.solved import Adviser
    from companion_web.app import Part, Server
    from companion_web.guard import Guard, Letters


BY_COMMAND = ports.Caller(referee=True, by="host")
"""Whoever started the program on the command line."""


def _print_error(sentence: str) -> None:
    """Say on stderr what is wrong."""
    print(f"companion: {sentence}", file=sys.stderr, flush=True)


def _make_engine(tracks: TrackLibrary, version: int) -> Engine:
    """An engine whose version goes on from a number."""
    engine = Engine(tracks)
    engine.version = version
    return engine


class RunningTable(host.Closing):
    """A table that is open: journal, session, page, seats. Closing it twice is no fault.

    Args:
        seats: which seats have a driver; without it all are phones.
        complain: says on stderr what is wrong with the disk, before the page answers.
        now: the clock that the table measures by, in seconds from any zero.
        notifier: tells systemd how it goes; None: the one of this process.

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
        notifier: host.Notifier | None = None,
    ) -> None:
        self._plan = seats or SeatPlan()
        self.solver = Solver(config.solved)
        # The record of a race that the plug has ended is written before there is a club.
        self.club: ClubLink | None = None
        self.notifier = notifier or host.this_process(time.monotonic)
        boards = tracks or TrackLibrary((Path(), config.tracks))
        with ExitStack() as opened:
            opened.enter_context(FolderLock(config.data))
            news = DiskNews(complain)
            journal = opened.enter_context(open_journal(config.data, news.report, config.stick))
            if host.is_beside(config.data):
                why = "the races' part of the card cannot be mounted: this is beside the system"
                news.report(ports.Trouble("races-beside", why))
            # Asked only later: the hub is made for a session that this machine belongs to.
            commands = commands_here(self.notifier.is_heard)
            machine = Machine(config, lambda: self.hub.troubles, commands)
            self._make_table(config, boards, journal, news, now, machine)
            _follow(opened, config, complain)
            opened.callback(self.session.close)
            live = ExitStack()
            self.hub = SeatHub(self.session, self.session.mark)
            table = (self.session, self.access, config, boards)
            self.server, self.letters = _open_page(
                *table, self._annexes(config, live), machine, self.clock, opened
            )
            opened.callback(self.session.watch(_renewing(self.letters, self.state)))
            self._address = host.PageAddress(config.fixed_host, self.server.port)
            # Only now: of port 0 nobody knew before which one it would be.
            self.access.serve_at(self._address.url, self.session)
            opened.enter_context(self.hub)
            opened.enter_context(live)  # gives the seats back while they are open
            opened.enter_context(self.solver)
            of_race = self.session, self.state, config, self.solver
            opened.enter_context(TableBots(*of_race))
            self.solving = opened.enter_context(IdleSolving(*of_race))
            self.club = opened.enter_context(ClubLink(config, self.session))
            opened.enter_context(Speaker(self.session, config.announcer))
            self._listeners = opened.enter_context(ExitStack())
            self._opened = opened.pop_all()

    def start(self, *, header: Line | None = None, resume: str | None = None) -> ports.Reply | None:
        """Begin to serve; then put a new or a waiting race on the table, if one is named.

        Returns:
            The table's reply to that, None where nothing was named.
        """
        # Before the seats: a press waits for the answer of a thread that has to be there.
        self.session.start()
        self.hub.start(self._plan, seat_driver)
        told = Listeners(self.session, self._plan.options, partial(wires_of, self._plan))
        self._listeners.enter_context(told)
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
    def join_link(self) -> str:
        """What the phones' code leads to: the next free seat. It is a key."""
        return self.access.link(TABLE)

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
        clock = self.clock = TableClock(now=now, wall=time.time, is_set=host.knows_the_time)
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

        advice = Advice(config.solved, self.solver)
        self.access = Access(journal)
        self._miss(journal, news)
        if config.unfollowed:
            news.report(ports.Trouble("not-followed", config.unfollowed))
        self.session = Session(
            self.state,
            Services(
                journal=journal,
                clock=clock,
                link=self.access.link,
                draw=draw_seat,
                table_body=advice.table_body,
                write_record=keep,
                disk=news,
                alive=self.notifier.alive,
                alive_every_s=self.notifier.every_s,
                advise=advice.odds,
            ),
        )

    def _miss(self, journal: Journal, news: DiskNews) -> None:
        """Say what must have been there and has left no file behind."""
        was_open = bool(self.state.boots or journal.races() or news.has_news)
        if self.access.is_new and was_open and not news.tells("keys-lost"):
            news.report(ports.Trouble("keys-lost", "the journal of the keys is gone; all are new"))
        if not self.state.boots and was_open and not news.tells("table-lost"):
            message = "the journal of the table is gone; the races that are not over wait"
            news.report(ports.Trouble("table-lost", message))

    def _annexes(self, config: Config, live: ExitStack) -> list[Annexing]:
        test = partial(_live, self.hub, self.session, self.state, live)
        annexes: list[Annexing] = [
            (("/rescue", "/api/rescue"), partial(_rescue, Lying(config.data))),
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


class Advice:
    """What is advised at a table; a table that has nothing to tell does not import it.

    Args:
        solved: the folder of solved boards.
        solver: whose work is told while it goes on.
    """

    def __init__(self, solved: Path, solver: Solver) -> None:
        self._solved, self._solver = solved, solver
        self._known: dict[str, Adviser] = {}
        self._lock = Lock()

    def odds(self, state: object, seat: int) -> Mapping[int, Chances]:
        """The odds of a seat's gears; in the table's thread."""
        return self._adviser("odds").odds(state, seat)

    def table_body(self, scene: Scene) -> Line:
        """The body of `/api/table`, with the chances of the race and how solving goes on."""
        return {**table_view(scene), **self._chances(scene), "solving": self._solver.share}

    def _chances(self, scene: Scene) -> Line:
        """By seat the chance to win, and to stand on the podium; None: nobody knows."""
        found: Mapping[int, Chance] = {}
        if scene.advise is not None and scene.state is not None and self._solved.is_dir():
            with self._lock:  # two pages may want the same body at once
                found = self._adviser("chances").chances(scene.state)
        wins = {str(seat): round(one.wins, 3) for seat, one in found.items()}
        if wins:
            # Rounded they still make 1 together.
            first = max(wins, key=lambda seat: wins[seat])
            wins[first] = round(wins[first] + 1 - sum(wins.values()), 3)
        podium = {str(seat): round(one.podium, 3) for seat, one in found.items()}
        return {"chances": wins or None, "podium": podium or None}

    def _adviser(self, thread: str) -> Adviser:
        """One for each thread, as it remembers the race that it was asked about last."""
        from companion.study.solved import Adviser, SolvedBoards

        if thread not in self._known:
            self._known[thread] = Adviser(SolvedBoards(self._solved))
        return self._known[thread]


# -- the link to a club ---------------------------------------------------------------------------


class ClubLink(host.Closing):
    """Sends a table's records to its club, and tells the club how the table stands.

    Without a club in companion.toml it does nothing.

    Raises:
        LeagueError: what companion.toml says of the league means nothing.
    """

    def __init__(self, config: Config, table: ports.TablePort) -> None:
        settings = read_settings(config.file)
        self._sender: Sender | None = None
        with ExitStack() as opened:
            if settings.club is not None:
                self._open(opened, settings, config, table)
            self._opened = opened.pop_all()

    def _open(
        self, opened: ExitStack, settings: LeagueSettings, config: Config, table: ports.TablePort
    ) -> None:
        address, key = settings.club or "", settings.key or ""
        club = Club(address, key)
        outbox = Outbox(LeagueFolder(config.data), address, host.wall_clock)
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


# -- the machine's own loudspeaker ----------------------------------------------------------------

VOICE = "espeak-ng"
SLOWEST_S = 20.0
"""A sentence that takes longer hangs: the device is gone."""


class Speaker(host.Closing):
    """Says the race aloud where companion.toml names a language and the voice is installed.

    It speaks over nobody: a sentence is said to its end, then the newest, and what has grown old
    meanwhile is dropped. It knows what every screen shows, so no secret.

    Args:
        language: one that the screens have too; None: nothing is said.
    """

    def __init__(self, table: ports.TablePort, language: str | None) -> None:
        self._program = None if language is None else shutil.which(VOICE)
        self._language, self._latest = language or "", table.snapshot()
        self._told = Telling(self._language)
        self._news, self._is_closing = Event(), False
        self._stop: Callable[[], None] = lambda: None
        self._thread = Thread(target=self._speak, name="announcer", daemon=True)
        if self._program is not None:
            self._told.new(json.loads(self._latest.body))  # what was before it is said to nobody
            self._stop = table.watch(self._look)
            self._thread.start()

    def close(self) -> None:
        """Fall silent after the sentence at hand. May be called twice."""
        self._stop()
        self._is_closing = True
        self._news.set()

    def _look(self, shown: ports.Snapshot) -> None:
        """In the table's thread, which does not wait for a voice."""
        if not shown.ticked:
            self._latest = shown
            self._news.set()

    def _speak(self) -> None:
        while True:
            self._news.wait()
            self._news.clear()
            for sentence in self._told.new(json.loads(self._latest.body)):
                if self._is_closing or self._news.is_set():
                    break
                words = [str(self._program), "-v", self._language, "--", sentence]
                with suppress(OSError, subprocess.TimeoutExpired):
                    subprocess.run(words, check=False, capture_output=True, timeout=SLOWEST_S)
            if self._is_closing:
                return


class Telling:
    """What of each `/api/table` is new to ears, in one language."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._last: tuple[str, ...] = ()
        self._asked: tuple[str, ...] = ()

    def new(self, table: Mapping[str, Any]) -> list[str]:
        """The news since the table before, then who is to do what, where that is another."""
        news = tuple(one[self._language] for one in table.get("news", ()))
        # It is the end of the story: what it begins with may be what the one before ended with.
        lengths = range(min(len(news), len(self._last)), 0, -1)
        known = next((n for n in lengths if self._last[-n:] == news[:n]), 0)
        asked = tuple(self._task(one, table) for one in table.get("tasks", ()))
        is_asked = asked != self._asked
        self._last, self._asked = news, asked
        return [*news[known:], *(asked if is_asked else ())]

    def _task(self, task: Mapping[str, Any], table: Mapping[str, Any]) -> str:
        """Of a roll the die is named: its color is that of the gear."""
        from companion.views.formula.turn import DICE  # of a game that has begun

        said = str(task[self._language])
        car = (table.get("state") or {}).get("cars", {}).get(str(task["seat"])) or {}
        die = DICE.get(car.get("gear") or 0) if task["kind"] == "roll" else None
        return f"{said}: {words(self._language)(die)}." if die else f"{said}."


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
    opened: ExitStack,
) -> tuple[Server, Letters]:
    """The page of a table and all that is put before it, served; and its letters for coming in."""
    # Imported here: whoever only replays or checks a track need not wait for a web server.
    from companion_web.app import ELSEWHERE, Annex, Elsewhere, serve
    from companion_web.guard import Guard, Hosts

    guard = Guard(access, Hosts(read_hosts(config.file)))
    elsewhere = Elsewhere(guard, *_elsewhere(config, boards))

    def wrap(page: WSGIApplication) -> WSGIApplication:
        page = portal(config, access, guard)(page)
        for paths, make in annexes:
            page = Annex(page, partial(make, guard), paths)
        return told_the_time(Annex(page, lambda: elsewhere, ELSEWHERE), clock)

    server = serve(session, access, config.host, config.port, boards, wrap, guard, machine)
    opened.callback(server.close)
    # Closed before the page, whose workers wait for it.
    opened.enter_context(elsewhere)
    return server, guard.letters


def _elsewhere(config: Config, boards: TrackLibrary) -> list[Part]:
    """What is served by a process of its own, and by which names it is made there."""
    league = (config, read_settings(config.file).database)
    return [
        (("/circuit",), "companion_web.pages:create_drawings", (boards,)),
        (("/help",), "companion_web.learning:create_help", ()),
        (("/learn",), "companion_web.learning:create_learning", ()),
        (("/league", "/api/league", "/ergast"), "companion.app.league:LeaguePages", league),
    ]


KEYLESS = "/api/demo/"
"""What anybody in the room may post."""


def told_the_time(page: WSGIApplication, clock: TableClock) -> WSGIApplication:
    """A page whose clock hears the time of every phone that has a key: what our scripts post says
    it (`X-Now`). A look at the race of an empty table needs no key, and sets no clock."""

    def answer(environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        told = environ.get("HTTP_X_NOW", "")

        def begin(status: str, *rest: Any) -> Any:
            if told and status.startswith("2"):
                clock.believe(told)
            return start(status, *rest)

        has_key = environ["REQUEST_METHOD"] == "POST" and not environ["PATH_INFO"].startswith(
            KEYLESS
        )
        return page(environ, begin if has_key else start)

    return answer


def _renewing(letters: Letters, state: TableState) -> Callable[[ports.Snapshot], None]:
    """Other letters as soon as a race has made room for other people."""
    was_racing = state.race is not None

    def look(shown: ports.Snapshot) -> None:
        nonlocal was_racing
        if was_racing and state.race is None:
            letters.renew()
        was_racing = state.race is not None

    return look


# Each is made when one of its paths is first asked for, and imported then.


def _rescue(folder: Lying, guard: Guard) -> WSGIApplication:
    from companion_web.learning import create_rescue

    return create_rescue(guard, folder)


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


# -- where no table can be opened ------------------------------------------------------------------


class Lying:
    """What lies in a folder of data, for a page: each log, and its files to take along.

    `why` no table can be opened on it; empty where one is.
    """

    def __init__(self, data: Path, why: str = "") -> None:
        self._data, self.why = data, why

    def logs(self) -> list[Found]:
        """All logs, the newest race first."""
        return survey(self._data)

    def content(self, name: str) -> bytes | None:
        """What a file has, by its place in the folder; None: it is none of these, or unreadable."""
        files = (path for found in self.logs() for path in found.files)
        try:
            return next(p.read_bytes() for p in files if str(p) == name)
        except (OSError, StopIteration):
            return None


class Rescue(host.Closing):
    """A page in the place of a table that cannot be opened: why, what is whole, and what is not.

    It holds and writes nothing, so that a backup can be restored meanwhile. `pin` opens the files:
    the referee's, where that can be read.

    Raises:
        OSError: the address to listen on is taken or not ours.
    """

    def __init__(self, config: Config, why: str) -> None:
        from companion_web.door import Door, listen
        from companion_web.guard import Guard, KeeperPin

        self._data = config.data
        try:
            known = read_pin(config.data)
        except ports.StorageError:
            known = None
        self.is_new, self.pin = known is None, known or make_pin()
        app = _rescue(Lying(config.data, why), Guard(KeeperPin(self.pin)))
        self._door = Door(app, listen(config.host, config.port))
        self.url = host.PageAddress(config.fixed_host, self._door.port).url()

    def looks(self) -> object:
        """How the folder looks: another value when anything in it was changed, or it came back."""
        try:
            found = [(path, path.lstat()) for path in (self._data, *self._data.rglob("*"))]
        except OSError as error:
            return str(error)
        return [(path, its.st_ctime_ns, its.st_size) for path, its in found]

    def close(self) -> None:
        """Close the page. May be called twice."""
        self._door.close()


# -- the referee's PIN ----------------------------------------------------------------------------


def read_pin(data: Path) -> str | None:
    """The PIN as the journal has it, read without touching anything; None: there is none yet.

    Raises:
        StorageError: the folder cannot be read; or it was written by version 0.1.0.
    """
    refuse_old(data)
    refuse_newer(data)
    files = (data / folder / f"{ports.ACCESS_LOG}.log" for folder in (FOLDER, COPY))
    try:
        found = [read(file.read_bytes(), ports.ACCESS_LOG) for file in files if file.exists()]
    except OSError as error:
        raise ports.StorageError(f"{data} cannot be read: {error.strerror}") from error
    row = walk(ports.ACCESS_LOG, *found)
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
