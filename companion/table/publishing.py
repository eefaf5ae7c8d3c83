"""What leaves the table's thread: snapshots to whoever looks on, lines and records to the disk.

A snapshot is immutable. What goes on by itself (the watch of a trial, the clock of the turns, the
forecast) is worked out from the lines of the race and the table's clock when a snapshot is made.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from threading import Lock

from companion.frozen import dataclass
from companion.rules.lines import Line
from companion.table import clock
from companion.table.clock import Ending, due, look_at, pace_until_next_s, waits_of
from companion.table.commands import Lost
from companion.table.ports import JournalPort, Snapshot, StorageError
from companion.table.screens import Draw, Links, Screens, without_secrets
from companion.table.state import PAGE, TableState, Written
from companion.views.model import Advise, Pause, Scene, Trouble
from companion.views.page import in_sight, tell_odds


def make_snapshot(
    scene: Scene,
    table: TableState,
    screens: Screens,
    tell: Callable[[Scene], Line],
    *,
    ticked: bool,
) -> Snapshot:
    """The snapshot of a scene, its screens drawn; the body of the page is made when asked for."""
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
        ticked=ticked,
        tell_seat=screens.tell(),
        tell_odds=lambda seat: tell_odds(scene, seat),
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
            listener(shown)

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` with each snapshot; returns how to stop. From any thread."""
        with self._listening:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._listening:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop


# -- what goes on disk ----------------------------------------------------------------------------


class DiskWriter:
    """Puts on disk what the table has to keep; `write_record` is that of `Services`."""

    def __init__(self, state: TableState, services: Services) -> None:
        self._state = state
        self._services = services
        self.write_record = services.write_record

    def save(self) -> bool:
        """Put everything on disk, then the record of a race that is over; whether there is news.

        Raises:
            StorageError: not all of it is on disk.
        """
        self.append(self._state.take_unsaved())
        has_news = self.keep_news()
        finished = self._state.finish()
        if finished is not None:
            try:
                self.write_record(*finished)
            except OSError as error:
                raise _no_record(error) from error
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
        for log, group in groupby(lines, key=lambda entry: entry[0]):
            self._services.journal.append(log, *(line for _, line in group))


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
        return replace(scene, pace=pace, minutes_left=left, waits=waits)

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
