"""The session: one thread owns the table; everybody else puts requests into its queue.

The thread takes what waits, carries it out, writes all of it with one sync, draws what has
changed, publishes, and only then answers. So nobody is told anything, and no screen shows
anything, that a pulled plug could take back. Where the disk fails nothing has happened: the
state is read again from the journal, the callers are told so, and every screen and page until
the disk serves again. A race whose record could not be written is over in the journal and on
no screen; the record is tried again every `RETRY_S`.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import field, replace
from itertools import groupby
from logging import getLogger
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from traceback import format_tb

from companion.rules.lines import Line, Refusal
from companion.system.frozen import dataclass
from companion.table import clock, ports
from companion.table.clock import (
    Ending,
    due,
    in_steps,
    look_at,
    pace_until_next_s,
    span_of,
    waits_of,
)
from companion.table.commands import Command, Lost, command_of, pressed
from companion.table.handlers import carry_out, reply_of, time_passes
from companion.table.ports import Caller, JournalPort, Reply, Snapshot, StorageError
from companion.table.resume import memory_of
from companion.table.screens import (
    Draw,
    Links,
    PageTimers,
    Press,
    Screens,
    make_scene,
    without_secrets,
)
from companion.table.state import PAGE, Outcome, TableState, Written
from companion.views.model import Advise, Ailing, Pause, Scene, Trouble
from companion.views.options import book_view
from companion.views.page import in_sight, tell_odds
from companion.views.screen import HOME

PICTURES_A_START = 1 << 24
"""Picture numbers of one start; those of the next start are all higher."""
RETRY_S = 2.0
"""Between two tries to write the record of a race that is over."""
FAILED = "a request failed; the table stands as it is on disk"

_log = getLogger(__name__)


class Session:
    """The `TablePort` of a table.

    Made, it has read the journal and published a first snapshot; `start` begins to serve.

    Raises:
        StorageError: the journal cannot be written.
    """

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self._inbox = Inbox(services.alive, services.alive_every_s)
        self._refused: dict[int, Refusal] = {}
        self._dead: dict[int, Ailing] = {}
        self._failing: Trouble | None = None
        self._said = ""
        self._closed = False
        self._page_timers = PageTimers()
        self._clocks = RaceClocks(state, services)
        self._writer = DiskWriter(state, services)
        self._helper = ThreadPoolExecutor(max_workers=1, thread_name_prefix="screens")
        self._thread = Thread(target=self._serve, name="table", daemon=True)
        # Before the screens are made, whose numbers must lie above those of every earlier start.
        state.boot()
        self._screens = Screens(services.draw, state.boots * PICTURES_A_START)
        self._clocks.go_on()
        self._clocks.hold()
        # On disk before the first snapshot, like everything else that anybody is shown.
        self._save()
        self._scene = self._shown = self._look()
        self._published = Published(self._make_snapshot())

    # -- the port ------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The latest published snapshot; never waits."""
        return self._published.latest

    def press(
        self, caller: Caller, seat: int, button: int, hold: bool, picture: int | None
    ) -> Reply:
        """A button of a seat was released."""
        return self._ask(Request(caller, Press(seat, button, hold, picture)))

    def submit(self, caller: Caller, line: Line) -> Reply:
        """A line of the engine protocol, or a word to the table."""
        return self._ask(Request(caller, line))

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` in the table's thread with each snapshot; returns how to stop."""
        return self._published.watch(listener)

    # -- life ----------------------------------------------------------------------------------

    def mark(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A part of a seat fails, or (None) the seat can be reached; shown, never kept.

        From every thread; no waiting.
        """
        self._inbox.put(Request(Caller(), Health(seat, part, trouble)))

    def start(self) -> None:
        """Begin to serve; links are known by now."""
        # The first snapshot had no links yet: the page had no address.
        self._scene = self._look()
        self._publish(self._make_snapshot())
        self._thread.start()

    def close(self) -> None:
        """Answer what waits and stop. May be called twice."""
        # Before the None goes in: nothing that is queued behind it would ever be answered.
        self._closed = True
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join()
        self._helper.shutdown()
        self._writer.keep(least=1)

    def _ask(self, request: Request) -> Reply:
        if self._closed:
            return ports.out_of_order(StorageError("the table is closed"))
        self._inbox.put(request)
        return request.reply.result()

    # -- the table's thread --------------------------------------------------------------------

    def _serve(self) -> None:
        while True:
            batch = self._next_batch()
            if not batch:
                self._tick()
            asked = [request for request in batch if request is not None]
            if asked:
                self._answer(asked)
            if len(asked) < len(batch):
                return

    def _next_batch(self) -> list[Request | None]:
        """What waits: None at its end means stop, an empty list that something is due."""
        now, clocks_s = self._services.clock.at(), self._clocks.until_next_s(self._scene)
        waits = (s for s in (clocks_s, self._page_timers.until_next_s(now)) if s is not None)
        patience_s = min(waits, default=None)
        # While the record is missing the screens stand still: only its next try is waited for.
        return self._inbox.batch(RETRY_S if self._lacks_record else patience_s)

    @property
    def _lacks_record(self) -> bool:
        return self._state.is_over and not self._state.is_kept

    def _tick(self) -> None:
        """Show a watch that has gone on: nothing is written, and no page is sent the table.

        What is due is written, and so is the record of a race that is over, if it is missing.
        """
        # Both write to the journal, so they go the way of a request that nobody waits for.
        if self._lacks_record or self._clocks.is_due:
            self._answer([])
            return
        try:
            for seat in self._page_timers.take_due(self._services.clock.at()):
                self._screens.put_back(seat, HOME)
            self._scene = self._look()
            self._publish(self._make_snapshot(ticked=True))
        except Exception:  # as with requests: a fault of ours must not end the evening
            _log.exception("the watch could not be shown")

    def _answer(self, batch: list[Request]) -> None:
        """Carry requests out, make it durable, show it, and only then answer."""
        try:
            self._let_time_pass()
            replies = [self._one(request) for request in batch]
            shown = self._save_and_show()
            self._said = ""
        except StorageError as trouble:
            # The batch shared one sync: of a commit that failed no request counts as accepted.
            replies = [ports.out_of_order(trouble)] * len(batch)
            # Before recovering, which draws screens that are to say what is wrong.
            self._fails(trouble)
            shown = self._recover()
        except Exception as fault:  # a fault of ours must not end the evening of six people
            self._log_fault(fault)
            replies = [ports.our_fault()] * len(batch)
            shown = self._recover()
        # Before any reply, so that a caller who then looks finds its own request in the snapshot.
        self._publish(shown)
        for request, reply in zip(batch, replies, strict=True):
            request.reply.set_result(reply)

    def _fails(self, trouble: StorageError) -> None:
        """The disk does not serve: said on stderr once, and shown until it does."""
        if str(trouble) != self._said:
            self._said = str(trouble)
            _log.error("%s", trouble)
        self._failing = Trouble(trouble.key, str(trouble))

    def _one(self, request: Request) -> Reply:
        match request.what:
            case Health(seat, part, trouble):
                self._mark(seat, part, trouble)
                return reply_of(self._state)
            case Press():
                return self._press(request.caller, request.what)
            case line:
                return self._submit(request.caller, line)

    def _mark(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A seat that was out of reach already keeps the round in which that began."""
        before = self._dead.pop(seat, None)
        if trouble is not None:
            race = self._state.race
            since = before.since if before else race.outline.round if race else 0
            self._dead[seat] = Ailing(part, trouble, since)
        self._scene = self._look()

    def _submit(self, caller: Caller, line: Line) -> Reply:
        try:
            outcome = self._carry_out(caller, command_of(line))
        except Refusal as refusal:
            self._scene = self._look()  # a watch has gone on meanwhile
            return ports.reply(refusal, self._state.asks)
        return reply_of(self._state, outcome)

    def _let_time_pass(self) -> None:
        """A flag falls and the bell rings before anything that comes later."""
        before = self._state.version
        time_passes(self._state, self._services.clock.at())
        if self._state.version != before:
            self._has_changed(before)

    def _carry_out(self, caller: Caller, command: Command, *, on_screen: bool = False) -> Outcome:
        before, at = self._state.version, self._services.clock.at()
        outcome = carry_out(self._state, caller, command, at, pressed=on_screen)
        self._has_changed(before)
        return outcome

    def _has_changed(self, before: int) -> None:
        if self._state.version != before:
            # They were about the race as it stood before.
            self._refused.clear()
        if self._state.is_over:
            # the record is complete before anything else can happen to the race
            self._save()
        self._clocks.go_on()
        self._scene = self._look()

    def _press(self, caller: Caller, press: Press) -> Reply:
        scene, screens, seat = self._scene, self._screens, press.seat
        self._refused.pop(seat, None)
        if self._state.race is not None:
            self._state.race.words.pop(seat, None)
        page, at = screens.dialog(seat), self._services.clock.at()
        outcome = Outcome(more={"seat": seat})
        if self._page_timers.rests(seat, at) and not press.hold:
            return reply_of(self._state, outcome)
        # Asked before the press turns the page.
        only_told = screens.only_tells(scene, seat)
        try:
            if press.picture is not None and not screens.still_means(scene, press):
                raise ports.refused("stale-picture")
            for intent in screens.press(scene, press):
                outcome = self._carry_out(caller, pressed(intent, seat), on_screen=True)
        except Refusal as refusal:  # a refused press says why on the seat's own screen
            # The press has moved the dialog on already; the seat is to see its question again.
            screens.put_back(seat, page)
            self._refused[seat] = refusal
            self._scene = self._look()
            return ports.reply(refusal, self._state.asks)
        self._scene = self._look()
        rests = only_told and not screens.only_tells(self._scene, seat)
        self._page_timers.turned(seat, screens.dialog(seat).page, at, rests=rests)
        return reply_of(self._state, outcome)

    def _log_fault(self, fault: Exception) -> None:
        """Its own words may quote an answer: where a game has secrets only the place is kept."""
        if self._state.race and self._state.race.secret_kinds:
            place = "".join(format_tb(fault.__traceback__))
            _log.error("%s\n%s%s", FAILED, place, type(fault).__name__)
        else:
            _log.error(FAILED, exc_info=fault)

    # -- writing -------------------------------------------------------------------------------

    def _save(self) -> None:
        """Put everything on disk; a loss of the disk's is shown.

        Raises:
            StorageError: not all of it is on disk.
        """
        if self._writer.save():
            self._scene = self._look()

    def _save_and_show(self) -> Snapshot:
        """Put everything on disk and draw the screens.

        In the ordinary case, answers in a race, a second thread draws while this one waits for
        the disk: the commit of one line lets go of the interpreter as a whole.

        Raises:
            StorageError: not all of it is on disk.
        """
        if self._state.is_over or not self._state.holds_answers_only:
            self._save()
            self._serves_again()
            return self._make_snapshot()
        lines = self._state.take_unsaved()
        if not lines:
            return self._make_snapshot()
        self._serves_again()
        shown = self._helper.submit(self._make_snapshot)
        try:
            self._writer.append(lines)
        finally:
            shown.exception()  # whatever comes next must find the screens at rest
        # Appending may itself have lost something that the drawing could not know of.
        if self._services.disk.has_news:
            self._writer.keep_news()
            self._scene = self._look()
            return self._make_snapshot()
        return shown.result()

    def _serves_again(self) -> None:
        """What is being written is shown as if the disk served; if not, it is shown again."""
        if self._failing is not None:
            self._failing = None
            self._scene = self._look()

    # -- showing -------------------------------------------------------------------------------

    def _recover(self) -> Snapshot:
        """Stand as the disk says. If it cannot even be read the table shows what it last knew."""
        try:
            self._state.load()
            self._refused.clear()
            if self._failing is not None:
                refusal = ports.disk_fails(self._failing)
                self._refused = dict.fromkeys((info.seat for info in self._shown.seats), refusal)
            self._scene = self._look()
            return self._make_snapshot()
        except Exception:  # whatever it is, the table must be there to be asked again
            _log.exception("the table could not be read from the journal")
            return self._published.latest

    def _look(self) -> Scene:
        link, buttons, advise = self._services.link, self._state.buttons, self._services.advise
        dead, watch = self._dead, self._clocks.watch
        scene = make_scene(self._state, self._refused, link, dead, watch, buttons, advise)
        scene = self._clocks.put_into(scene)
        return scene if self._failing is None else replace(scene, disk=(self._failing, *scene.disk))

    def _make_snapshot(self, *, ticked: bool = False) -> Snapshot:
        if self._lacks_record:  # over, but not for anybody to see yet
            self._scene = replace(self._shown, disk=self._scene.disk, refused=self._scene.refused)
        body = self._services.table_body
        return make_snapshot(self._scene, self._state, self._screens, body, ticked=ticked)

    def _publish(self, shown: Snapshot) -> None:
        self._shown = self._scene
        self._published.publish(shown)


# -- what waits for the table's thread ------------------------------------------------------------

MOST_AT_ONCE = 32
"""Requests that share a sync; more wait for the next."""


@dataclass(frozen=True, slots=True)
class Health:
    """A part of a seat fails, and why; None: it can be reached."""

    seat: int
    part: str
    trouble: Trouble | None


@dataclass(slots=True)
class Request:
    """What is asked of the table, by whom, and where its reply goes; a line as it came."""

    caller: Caller
    what: Press | Health | Line
    reply: Future[Reply] = field(default_factory=Future)


class Inbox:
    """The queue of the table's thread; None in it means stop.

    Args:
        alive: is called at each batch, and at least every `every_s` seconds (None: it need not be).
    """

    def __init__(self, alive: Callable[[], None], every_s: float | None) -> None:
        self._queue: SimpleQueue[Request | None] = SimpleQueue()
        self._alive = alive
        self._every_s = every_s

    def put(self, request: Request | None) -> None:
        """From every thread; no waiting."""
        self._queue.put(request)

    def batch(self, patience_s: float | None) -> list[Request | None]:
        """What waits, None at its end for a stop; nothing if patience runs out first."""
        self._alive()
        try:
            batch = [self._next(patience_s)]
        except Empty:
            return []
        # Nobody else takes from the queue: what is in it is still there a moment later.
        while len(batch) < MOST_AT_ONCE and batch[-1] is not None and not self._queue.empty():
            batch.append(self._queue.get())
        return batch

    def _next(self, patience_s: float | None) -> Request | None:
        """The next request.

        Raises:
            Empty: patience has come to its end.
        """
        every_s = self._every_s
        while every_s is not None and (patience_s is None or patience_s > every_s):
            with suppress(Empty):
                return self._queue.get(timeout=every_s)
            self._alive()
            patience_s = None if patience_s is None else patience_s - every_s
        return self._queue.get(timeout=patience_s)


# -- what leaves the table's thread ---------------------------------------------------------------


def make_snapshot(
    scene: Scene,
    table: TableState,
    screens: Screens,
    tell: Callable[[Scene], Line],
    *,
    ticked: bool,
) -> Snapshot:
    """The snapshot of a scene, its screens drawn; the body of the page is made when asked for."""
    # Asked for now: other threads make the body, and must not touch the table's state.
    waiting, has_more = table.waiting()[:PAGE], table.may_wait_longer
    screens.refresh(scene)
    dialogs = screens.dialogs()

    def make_body() -> bytes:
        races = [{"id": race.id, "name": race.name} for race in waiting]
        public = without_secrets(scene)
        view = {**tell(public), **in_sight(public, dialogs), "waiting": races}
        view["waiting_more"] = has_more
        return json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode("utf-8")

    return Snapshot(
        scene.version,
        make_body,
        host=next((info.seat for info in scene.seats if info.host), None),
        private=screens.pictures(),
        public=screens.public(),
        log=scene.log,
        ticked=ticked,
        tell_seat=screens.tell(),
        tell_odds=lambda seat: tell_odds(scene, seat),
        tell_book=lambda say: book_view(scene, say),
    )


class Published:
    """The latest snapshot, and who is called with each."""

    def __init__(self, first: Snapshot) -> None:
        self.latest = first
        self._listeners: tuple[Callable[[Snapshot], None], ...] = ()
        self._listening = Lock()

    def publish(self, shown: Snapshot) -> None:
        """Let this be the latest; in the table's thread."""
        self.latest = shown
        for listener in self._listeners:
            try:
                listener(shown)
            except Exception:  # the table goes on, whoever looks on
                _log.exception("somebody who follows the table failed")

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` with each snapshot; returns how to stop. From any thread."""
        with self._listening:
            # Replaced whole, so that `publish` goes through the old one without the lock.
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._listening:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop


# -- what goes on disk ----------------------------------------------------------------------------


KEPT_AFTER = 100
"""Lines of a race that a start may have to play again."""


class DiskWriter:
    """Puts on disk what the table has to keep; `write_record` is that of `Services`."""

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self.write_record = services.write_record
        self._kept = 0

    def save(self) -> bool:
        """Put everything on disk, then the record of a race that is over; whether there is news.

        A race that ended before anybody had moved has no record, so no league counts it.

        Raises:
            StorageError: not all of it is on disk.
        """
        self.append(self._state.take_unsaved())
        has_news = self.keep_news()
        finished, race = self._state.finish(), self._state.race
        if finished is not None:
            try:
                if race is not None and race.outline.was_driven:
                    self.write_record(*finished)
            except OSError as error:
                raise _no_record(error) from error
            # The result last: a start that does not find it in the journal writes the record again.
            self.append(self._state.take_unsaved())
        return has_news

    def keep_news(self) -> bool:
        """Let the table's log have what has been lost, so that it is shown until it is seen.

        Raises:
            StorageError: not all of it is on disk.
        """
        news = self._services.disk.take()
        for trouble in news:
            self._state.put(Lost(trouble))
        if news:
            self.append(self._state.take_unsaved())
        return bool(news)

    def append(self, lines: Written) -> None:
        """Put these lines on disk, of each log with one sync.

        Raises:
            StorageError: not all of them are on disk.
        """
        # Neighbours alone, since the order between the logs counts.
        for log, group in groupby(lines, key=lambda entry: entry[0]):
            self._services.journal.append(log, *(line for _, line in group))
        self.keep()

    def keep(self, least: int = KEPT_AFTER) -> None:
        """Have kept what the race has come to, where there are so many lines since the last time:
        a start goes on from there."""
        race = self._state.race
        if race and race.given and abs(len(race.lines) - self._kept) >= least and not race.unsaved:
            self._kept = len(race.lines)
            self._services.journal.keep(race.id, self._kept, memory_of(race, self._state.base))


def _no_record(error: OSError) -> StorageError:
    """The race is over and on disk, its record is not."""
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    why = "the disk is full" if is_full else f"the disk does not serve ({error})"
    message = f"{why}: the record of the race cannot be written yet; it is tried again by itself"
    return StorageError(message, "disk-full" if is_full else "storage")


class DiskNews:
    """The troubles of the disk: said on stderr at once, kept until somebody has seen them.

    Whatever has lost something, or fails, reports it here from the table's thread. The table lets
    its own log keep it (`commands.Lost`), so that a second start does not hide it.

    Args:
        complain: says a sentence on stderr.
    """

    def __init__(self, complain: Callable[[str], object] = lambda sentence: None) -> None:
        self._complain = complain
        self._new: list[Trouble] = []

    def report(self, trouble: Trouble) -> None:
        """Something is wrong; a person reads it on stderr before anything else happens."""
        self._complain(str(trouble))
        self._new.append(trouble)

    def tells(self, key: str) -> bool:
        """Whether a trouble of this key waits to be taken."""
        return any(trouble.key == key for trouble in self._new)

    @property
    def has_news(self) -> bool:
        """Whether there is something to take."""
        return bool(self._new)

    def take(self) -> list[Trouble]:
        """What has been reported since the last time."""
        new, self._new = self._new, []
        return new


# -- what goes on by itself -----------------------------------------------------------------------


class RaceClocks:
    """The clocks of the race on the table."""

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self._ending = Ending()
        self._clocked: str | None = None

    def go_on(self) -> None:
        """The time of a race goes on where its last line left it."""
        race = self._state.race
        # Once for each race, or every change would set its clock back to the last line.
        if race is not None and race.id != self._clocked:
            self._clocked = race.id
            self._services.clock.go_on_from(race.last_at)

    def hold(self) -> None:
        """A race with a clock is paused when the table was off: people have to come back first."""
        race = self._state.race
        if race and race.outline.timing.is_on and not (race.is_finished or race.paused):
            race.put(Pause(True), by="companion", at=race.last_at)

    @property
    def watch(self) -> Mapping[str, int] | None:
        """The watch of a trial, as everybody may see it."""
        return clock.look(self._state.race, self._services.clock.at)

    def put_into(self, scene: Scene) -> Scene:
        """A scene with what the clocks of its race show."""
        race, now = self._state.race, self._services.clock.at
        if race is None:
            return scene
        pace, left, waits = look_at(race, now), self._ending.minutes(race, now), waits_of(race)
        if pace is None and left is None and not waits:
            return scene
        minutes = left and in_steps(left.turns)
        return replace(
            scene, pace=pace, minutes_left=minutes, minutes_span=span_of(left), waits=waits
        )

    @property
    def is_due(self) -> bool:
        """Whether time has brought what is to be written: a flag, the bell."""
        race = self._state.race
        return race is not None and bool(due(look_at(race, self._services.clock.at), race.outline))

    def until_next_s(self, shown: Scene) -> float | None:
        """How long what a scene shows of watch and clocks stays true; None: for good."""
        race, now = self._state.race, self._services.clock.at
        waits = [clock.until_next_s(race, shown.watch, now)]
        if race is not None and shown.pace is not None:
            waits.append(pace_until_next_s(look_at(race, now)))
        return min((one for one in waits if one is not None), default=None)


# -- what a session is given ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Services:
    """What a session reaches outside of its thread.

    `link` gives a seat's link with its token; `table_body` makes the body of `/api/table` out of a
    scene without secrets; `write_record` keeps a finished race under its id and raises OSError;
    `disk` collects what the disk has lost. `alive` is called by the table's thread, at least as
    often as `alive_every_s` says (None: it need not be). `advise` works out odds for who asks.
    """

    journal: JournalPort
    clock: clock.TableClock
    link: Links
    draw: Draw
    table_body: Callable[[Scene], Line]
    write_record: Callable[[str, Sequence[Line]], None]
    disk: DiskNews = field(default_factory=DiskNews)
    alive: Callable[[], None] = lambda: None
    alive_every_s: float | None = None
    advise: Advise | None = None
