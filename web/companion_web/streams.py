"""Server-Sent Events for every page and phone at the table, in the door's own thread.

An open stream costs no thread: a socket, and two watchers of gevent's loop. The table's thread
only drops a snapshot into a queue and wakes the loop, which encodes each snapshot once for each
kind of stream and sends the same bytes to all.

Nobody can make another wait. Of a socket that takes no more the rest of one frame is kept, and
once it takes again it is sent the latest snapshot, for that says everything. A client that takes
nothing for `STALL_S` is let go; a phone that has left without a word is noticed because a beat is
sent every `BEAT_S` which its kernel must acknowledge within as long.
"""

from __future__ import annotations

import json
import socket
import struct
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from functools import cached_property, partial
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol

from gevent import get_hub

from companion.system.frozen import dataclass
from companion.table.ports import Snapshot
from companion_web.guard import TABLE

if TYPE_CHECKING:
    from companion_web.door import Guest, Shares


BEAT_S: Final = 5.0
STALL_S: Final = 4.5
TICK_S: Final = 0.5
SEND_BUFFER_BYTES: Final = 64 * 1024
READ, WRITE = 1, 2
RESET: Final = struct.pack("ii", 1, 0)

HEAD: Final = (
    b"HTTP/1.1 200 OK\r\n"
    b"Content-Type: text/event-stream; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\n"
    b"X-Content-Type-Options: nosniff\r\n"
    # nginx would hold events back to send them together.
    b"X-Accel-Buffering: no\r\n"
    b"Connection: close\r\n\r\n"
)


@dataclass(eq=False)
class Viewer:
    """One open stream: its socket, and what it is still owed of a frame that is begun."""

    sock: socket.socket
    topics: tuple[int, ...]
    guest: Guest
    rest: memoryview = field(default_factory=lambda: memoryview(b""))
    moved: float = 0.0  # when it last took something, while it is owed something
    is_behind: bool = False  # it has missed something, as it was still owed a frame
    latest: bytes = b""
    watchers: tuple[Any, ...] = ()


class Source(Protocol):
    """What is told of: a table, or all tables of a club."""

    def snapshot(self) -> Snapshot:
        """What it is now."""

    def watch(self, tell: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Have it told of every change, in whichever thread; what ends it."""


class Streams:
    """Every open stream. All but `announce` is for the door's thread alone."""

    def __init__(self, table: Source) -> None:
        self._table = table
        self._viewers: dict[Viewer, None] = {}
        self._inbox: deque[Snapshot | bytes] = deque()
        self._lock = Lock()
        self._is_open = False

    def __len__(self) -> int:
        """How many streams are open."""
        return len(self._viewers)

    def open(self, shares: Shares) -> None:
        """Begin to listen to the table, in the door's thread."""
        self._shares, self._loop = shares, get_hub().loop
        self._bell, self._ticks = self._loop.async_(), self._loop.timer(TICK_S, TICK_S)
        self._bell.start(self._take_in)
        self._ticks.start(self._tick)
        self._beaten = time.monotonic()
        self._is_open = True
        # Before the snapshot is read: news that comes in between waits in the inbox.
        self._unwatch = self._table.watch(self._put)
        self._latest = self._told = Frames(self._table.snapshot())

    def close(self) -> None:
        """Stop listening to the table, and end every stream."""
        self._unwatch()
        with self._lock:
            self._is_open = False
        for watcher in (self._bell, self._ticks):
            watcher.stop()
        for viewer in list(self._viewers):
            self._let_go(viewer)

    def add(self, topics: tuple[int, ...], sock: socket.socket, guest: Guest) -> None:
        """Take a connection over; it belongs to the streams from now on."""
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(STALL_S * 1000))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        viewer = Viewer(sock, topics, guest)
        viewer.watchers = tuple(self._loop.io(sock.fileno(), what) for what in (READ, WRITE))
        viewer.watchers[0].start(self._hear, viewer)
        self._viewers[viewer] = None
        # Before it enters: that may send somebody away, and it may be this one.
        guest.leave = partial(self._let_go, viewer)
        self._shares.enter(guest)
        if viewer in self._viewers:
            self._send(viewer, HEAD + self._latest.whole(*topics))

    def announce(self, frame: bytes) -> None:
        """Tell everybody who listens now, from any thread."""
        self._put(frame)

    def _put(self, news: Snapshot | bytes) -> None:
        with self._lock:  # or the table might wake a loop that is no more
            if self._is_open:
                self._inbox.append(news)
                self._bell.send()

    def _take_in(self) -> None:
        while self._inbox:
            news = self._inbox.popleft()
            if isinstance(news, bytes):
                self._tell_all(news)
                continue
            self._latest = Frames(news, self._told)
            # Pages are not told of a tick, so what they hear next is a change of the one before.
            if not self._latest.snapshot.ticked:
                self._told = self._latest
            # A copy: whoever cannot be sent to is let go of on the way.
            for viewer in list(self._viewers):
                self._tell(viewer)
            self._latest.forget()

    def _tell(self, viewer: Viewer) -> None:
        frame = self._latest.news(*viewer.topics)
        if frame in (b"", viewer.latest):
            return
        viewer.latest = frame
        if viewer.rest:
            viewer.is_behind = True
        else:
            self._send(viewer, frame)

    def _tick(self) -> None:
        now = time.monotonic()
        is_due = now - self._beaten >= BEAT_S
        if is_due:
            self._beaten = now
        for viewer in list(self._viewers):
            if viewer.rest and now - viewer.moved >= STALL_S:
                self._let_go(viewer)
        if is_due:
            self._tell_all(self._latest.beat())

    def _tell_all(self, frame: bytes) -> None:
        """Tell what means nothing later: whoever is still owed a frame does without it."""
        for viewer in list(self._viewers):
            if not viewer.rest:
                self._send(viewer, frame)

    def _send(self, viewer: Viewer, frame: bytes | memoryview) -> None:
        try:
            sent = viewer.sock.send(frame)
        except BlockingIOError:
            sent = 0
        except OSError:
            self._let_go(viewer)
            return
        if sent == len(frame) and not viewer.rest:
            return  # as nearly always, and a hundred times a press
        if sent or not viewer.rest:
            viewer.moved = time.monotonic()
        was_owed, viewer.rest = bool(viewer.rest), memoryview(frame)[sent:]
        if bool(viewer.rest) and not was_owed:
            viewer.watchers[1].start(self._go_on, viewer)
        elif was_owed and not viewer.rest:
            viewer.watchers[1].stop()

    def _go_on(self, viewer: Viewer) -> None:
        self._send(viewer, viewer.rest)
        if viewer.is_behind and not viewer.rest and viewer in self._viewers:
            viewer.is_behind = False
            self._send(viewer, self._latest.whole(*viewer.topics))

    def _hear(self, viewer: Viewer) -> None:
        """Forget what a client says on a stream; let go at its end."""
        try:
            if viewer.sock.recv(4096):
                return
        except BlockingIOError:
            return
        except OSError:
            pass
        self._let_go(viewer)

    def _let_go(self, viewer: Viewer) -> None:
        if viewer not in self._viewers:
            return
        del self._viewers[viewer]
        self._shares.leave(viewer.guest)
        for watcher in viewer.watchers:
            watcher.stop()
            watcher.close()
        # Reset rather than linger: nobody reads what the kernel would still try to deliver.
        viewer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        viewer.sock.close()


# -- what stands in a stream ----------------------------------------------------------------------


CHANGES: Final = -1  # the table again: a snapshot first, then what changes of it
PAGES: Final = (TABLE, CHANGES)  # a seat's number is the topic of its picture
TOLD_ONCE: Final = ("story", "log")
"""Lists to which sentences are added at the end and which lose old ones at the front."""


class Frames:
    """The events that tell of one snapshot, each encoded once for all who hear it.

    Args:
        before: those of the snapshot that pages were told last.
    """

    def __init__(self, snapshot: Snapshot, before: Frames | None = None) -> None:
        self.snapshot = snapshot
        self._before = before
        self._pictures: dict[int, bytes] = {}

    def whole(self, *topics: int) -> bytes:
        """All there is to know, for somebody who knows nothing."""
        return b"".join(self._table if one in PAGES else self._picture(one) for one in topics)

    def news(self, *topics: int) -> bytes:
        """What there is to tell somebody who was told the one before."""
        if self.snapshot.ticked:  # a page lets its own clock run
            topics = tuple(one for one in topics if one not in PAGES)
        head, rest = (self._change, topics[1:]) if topics[:1] == (CHANGES,) else (b"", topics)
        return head + self.whole(*rest)

    def forget(self) -> None:
        """Everybody has been told: or every snapshot would hold all that were before it."""
        self._before = None

    def beat(self) -> bytes:
        """The sign of life."""
        return b'event: beat\ndata: {"version": %d}\n\n' % self.snapshot.version

    @cached_property
    def _table(self) -> bytes:
        data = self.snapshot.body.strip().replace(b"\n", b"\ndata: ")
        return b"event: table\nid: %d\ndata: %b\n\n" % (self.snapshot.version, data)

    @cached_property
    def _change(self) -> bytes:
        patch = change(self._before.told, self.told) if self._before else None
        if patch is None:
            return self._table
        data = json.dumps(patch, ensure_ascii=False, separators=(",", ":")).encode()
        return b"event: change\nid: %d\ndata: %b\n\n" % (self.snapshot.version, data)

    @cached_property
    def told(self) -> dict[str, Any]:
        """The snapshot as data."""
        told: dict[str, Any] = json.loads(self.snapshot.body)
        return told

    def _picture(self, seat: int) -> bytes:
        # Everybody may listen: not even how often a seat has turned a page behind a closed face.
        if seat not in self._pictures:
            picture = self.snapshot.public.get(seat)
            number = picture.number if picture else 0
            told = b'event: picture\ndata: {"seat": %d, "picture": %d}\n\n' % (seat, number)
            self._pictures[seat] = told
        return self._pictures[seat]


def notice(texts: Mapping[str, str]) -> bytes:
    """A sentence for people at every page, by language."""
    return b"event: notice\ndata: %b\n\n" % json.dumps(texts, ensure_ascii=False).encode()


def change(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any] | None:
    """The merge patch from one snapshot to the next; of what is told once only what is new.

    None: sentences were taken back, or all are others; that a snapshot alone can say.

    >>> change({"version": 1, "log": ["a"]}, {"version": 2, "log": ["a", "b"]})
    {'version': 2, 'log': ['b']}
    """
    patch = merge_patch(before, after)
    for key in TOLD_ONCE:
        if key in patch:
            fresh = added(before.get(key) or [], after.get(key) or [])
            if fresh is None:
                return None
            patch[key] = fresh
    return patch


def merge_patch(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """What makes `after` of `before` (RFC 7396), where a key that is null is as none at all.

    >>> merge_patch({"a": 1, "b": {"c": 2, "d": 3}}, {"b": {"c": 4, "d": 3}})
    {'a': None, 'b': {'c': 4}}
    """
    patch: dict[str, Any] = {key: None for key in before if key not in after}
    for key, value in after.items():
        old = before.get(key)
        if old == value:  # most of it is, and need not be walked through
            continue
        if isinstance(old, dict) and isinstance(value, dict):
            patch[key] = merge_patch(old, value)
        else:
            patch[key] = value
    return patch


def added(before: Sequence[Any], after: Sequence[Any]) -> list[Any] | None:
    """What came at the end of a list of which the front may be forgotten; None: it is another.

    >>> added(["a", "b", "c"], ["b", "c", "d"]), added(["a", "b"], ["a"])
    (['d'], None)
    """
    for fresh in range(len(after) + 1):
        kept = len(after) - fresh
        is_end = list(before[len(before) - kept :]) == list(after[:kept])
        if kept <= len(before) and is_end and (kept or not before):
            return list(after[kept:])
    return None
