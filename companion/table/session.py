"""The session: one thread owns the table; everybody else puts requests into its queue.

The thread takes what waits, carries it out, writes all of it with one sync, draws what has
changed, publishes, and only then answers. So nobody is told anything, and no screen shows
anything, that a pulled plug could take back. Where the disk fails nothing has happened: the
desk is read again from the journal and the callers are told so.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from logging import getLogger
from threading import Lock, Thread

from companion.table import refusals, stopwatch
from companion.table.clock import TableClock
from companion.table.desk import Desk
from companion.table.faults import log_fault
from companion.table.intents import line_of
from companion.table.keeping import Keeper, WriteRecord
from companion.table.ports import (
    JSON,
    Caller,
    JournalPort,
    Reply,
    Snapshot,
    StorageError,
    Trouble,
)
from companion.table.requests import Request, Requests
from companion.table.scenes import Links, make_scene, without_secrets
from companion.table.screens import Draw, Screens
from companion.table.secrecy import secret_kinds
from companion.table.snapshots import LazySnapshot
from companion.table.table import handle
from companion.views.model import Ailing, Scene

PICTURES_A_START = 1 << 24
"""Picture numbers of one start; those of the next start are all higher."""

_log = getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Outside:
    """What a session reaches outside of its thread.

    `link` gives a seat's link with its token; `tell` makes the body of `/api/table` of a scene
    without secrets; `write_record` keeps a finished race under its id and raises OSError.
    """

    journal: JournalPort
    clock: TableClock
    link: Links
    draw: Draw
    tell: Callable[[Scene], JSON]
    write_record: WriteRecord


class Session:
    """The `TablePort` of a desk.

    Made, it has read the journal and published a first snapshot; `start` begins to serve.

    Raises:
        StorageError: the journal cannot be written.
    """

    def __init__(self, desk: Desk, outside: Outside) -> None:
        self._desk = desk
        self._outside = outside
        self._requests = Requests()
        self._listeners: tuple[Callable[[Snapshot], None], ...] = ()
        self._listening = Lock()
        self._refused: dict[int, JSON] = {}
        self._dead: dict[int, Ailing] = {}
        self._closed = False
        self._keeper = Keeper(desk, outside.journal, outside.write_record)
        self._thread = Thread(target=self._serve, name="table", daemon=True)
        desk.log({"boot": desk.boots + 1})
        self._screens = Screens(outside.draw, desk.boots * PICTURES_A_START)
        self._clocked: str | None = None
        self._set_clock()
        self._keeper.save()
        self._scene = self._look()
        self._snapshot = self._make_snapshot()

    # -- the port --------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The latest published snapshot; never waits."""
        return self._snapshot

    def press(
        self, caller: Caller, seat: int, button: int, hold: bool, picture: int | None
    ) -> Reply:
        """A button of a seat was released."""
        return self._ask(Request(caller, seat=seat, press=(button, hold, picture)))

    def submit(self, caller: Caller, line: JSON) -> Reply:
        """A line of the engine protocol, or a word to the table."""
        return self._ask(Request(caller, line))

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` in the table's thread with each snapshot; returns how to stop."""
        with self._listening:
            self._listeners = (*self._listeners, listener)

        def stop() -> None:
            with self._listening:
                self._listeners = tuple(one for one in self._listeners if one is not listener)

        return stop

    # -- life ------------------------------------------------------------------------------

    @property
    def host(self) -> int | None:
        """The host's seat, as published."""
        return next((info.seat for info in self._scene.seats if info.host), None)

    def mark(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A part of a seat fails, or (None) the seat can be reached; shown, never kept.

        Any thread; no waiting.
        """
        self._requests.put(Request(Caller(), seat=seat, health=(part, trouble)))

    def start(self) -> None:
        """Begin to serve; links are known by now."""
        self._scene = self._look()
        self._publish(self._make_snapshot())
        self._thread.start()

    def close(self) -> None:
        """Answer what waits and stop. May be called twice."""
        self._closed = True
        self._requests.put(None)
        if self._thread.is_alive():
            self._thread.join()
        self._keeper.close()

    def _ask(self, request: Request) -> Reply:
        if self._closed:
            return refusals.out_of_order("the table is closed")
        self._requests.put(request)
        return request.reply.result()

    # -- the table's thread ------------------------------------------------------------------

    def _serve(self) -> None:
        while True:
            batch = self._next_batch()
            if not batch:
                self._tick()
            asked = [request for request in batch if request is not None]
            if asked:
                self._carry_out(asked)
            if len(asked) < len(batch):
                return

    def _next_batch(self) -> list[Request | None]:
        """What waits; None at the end means stop, nothing that a watch has gone on."""
        watch, clock = self._scene.watch, self._outside.clock
        return self._requests.take(stopwatch.until_next_s(self._desk.race, watch, clock.at))

    def _tick(self) -> None:
        """Show a watch that has gone on. Nothing is written, and no page is sent the table."""
        try:
            self._scene = self._look()
            self._publish(self._make_snapshot(ticked=True))
        except Exception:  # as with requests: a fault of ours must not end the evening
            _log.exception("the watch could not be shown")

    def _carry_out(self, batch: list[Request]) -> None:
        """Carry requests out, make it durable, show it, and only then answer."""
        try:
            replies = [self._one(request) for request in batch]
            shown = self._keeper.save_during(self._make_snapshot)
        except StorageError as trouble:
            replies = [refusals.out_of_order(str(trouble))] * len(batch)
            shown = self._recover()
        except Exception as fault:  # a fault of ours must not end the evening of six people
            race = self._desk.race
            log_fault(_log, fault, has_secrets=bool(race and secret_kinds(race.header)))
            replies = [refusals.our_fault()] * len(batch)
            shown = self._recover()
        self._publish(shown)
        for request, reply in zip(batch, replies, strict=True):
            request.reply.set_result(reply)

    def _one(self, request: Request) -> Reply:
        if request.health is not None:
            self._mark(request.seat, *request.health)
            return Reply(200, _nothing_said(self._desk))
        if request.press is None:
            return self._handle(request.caller, request.line)
        return self._press(request.caller, request.seat, *request.press)

    def _mark(self, seat: int, part: str, trouble: Trouble | None) -> None:
        """A seat that was out of reach before keeps the round since when it is."""
        before = self._dead.pop(seat, None)
        if trouble is not None:
            race = self._desk.race
            since = before.since if before else race.state.get("round", 0) if race else 0
            self._dead[seat] = Ailing(part, trouble, since)
        self._scene = self._look()

    def _handle(self, caller: Caller, line: JSON, *, pressed: bool = False) -> Reply:
        before = self._desk.version
        reply = handle(self._desk, caller, line, self._outside.clock.at(), pressed=pressed)
        if self._desk.version != before:
            self._refused.clear()
        if self._desk.is_over:
            # the record is complete before anything else can happen to the race
            self._keeper.save()
        self._set_clock()
        self._scene = self._look()
        return reply

    def _press(
        self, caller: Caller, seat: int, button: int, hold: bool, picture: int | None
    ) -> Reply:
        scene, screens = self._scene, self._screens
        self._refused.pop(seat, None)
        if self._desk.race is not None:
            self._desk.race.words.pop(seat, None)
        if picture is not None and not screens.still_means(scene, seat, button, hold, picture):
            return self._refuse(seat, refusals.refuse(refusals.stale_picture(), self._desk.asks))
        page = screens.dialog(seat)
        reply = Reply(200, {**_nothing_said(self._desk), "seat": seat})
        for intent in screens.press(scene, seat, button, hold):
            reply = self._handle(caller, line_of(intent, seat), pressed=True)
            if reply.status != 200:
                screens.put_back(seat, page)
                return self._refuse(seat, reply)
        self._scene = self._look()
        return reply

    def _refuse(self, seat: int, reply: Reply) -> Reply:
        """A refused press says why on the seat's own screen."""
        self._refused[seat] = reply.body["error"]
        self._scene = self._look()
        return reply

    # -- showing -------------------------------------------------------------------------------

    def _recover(self) -> Snapshot:
        """Stand as the disk says. If it cannot even be read the table shows what it last knew."""
        try:
            self._desk.load()
            self._refused.clear()
            self._scene = self._look()
            return self._make_snapshot()
        except Exception:  # whatever it is, the table must be there to be asked again
            _log.exception("the table could not be read from the journal")
            return self._snapshot

    def _set_clock(self) -> None:
        """The time of a race goes on where its last line left it."""
        race = self._desk.race
        if race is not None and race.id != self._clocked:
            self._clocked = race.id
            told = [line["at"] for line in race.lines if "at" in line]
            self._outside.clock.go_on_from(max(told, default=0.0))

    def _look(self) -> Scene:
        watch = stopwatch.look(self._desk.race, self._outside.clock.at)
        return make_scene(self._desk, self._refused, self._outside.link, self._dead, watch)

    def _make_snapshot(self, *, ticked: bool = False) -> Snapshot:
        scene, waiting, tell = self._scene, self._desk.waiting(), self._outside.tell
        self._screens.refresh(scene)

        def make_body() -> bytes:
            told = {**tell(without_secrets(scene)), "waiting": waiting}
            return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode("utf-8")

        return LazySnapshot(
            scene.version,
            make_body,
            private=self._screens.pictures(),
            public=self._screens.public(),
            ticked=ticked,
        )

    def _publish(self, shown: Snapshot) -> None:
        """Show what is on disk; a race that is over not before its record is complete."""
        if self._desk.is_over and not self._desk.is_kept:
            return
        self._snapshot = shown
        for listener in self._listeners:
            listener(shown)


def _nothing_said(desk: Desk) -> JSON:
    return {"ok": True, "version": desk.version, "events": [], "asks": desk.asks}
