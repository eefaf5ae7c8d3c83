"""Server-Sent Events for every page and phone at the table, from one thread.

An open stream costs no thread and no timer: the HTTP server parses the request and hands
the bare socket over, and from then on one epoll loop owns it. The table's thread only drops
a snapshot into a queue and pulls a wire; the loop encodes each snapshot once and sends the
same bytes to all.

Nobody can make another wait. A socket that takes no more keeps what it still owes in a short
backlog; beyond `BACKLOG_BYTES` all whole frames but the latest are dropped, for a snapshot
says everything and an older one is worth nothing. A phone that has left without a word is
noticed because a comment is sent every `BEAT_S` and the peer's kernel must acknowledge what
is sent: nothing acknowledged for `STALL_S` while something is owed, and the socket is let go.
TCP_USER_TIMEOUT tells the kernel the same, so that it keeps nothing alive behind our back.

What this cannot see: a phone whose page has stopped reading while its kernel still has room
for the little that we send. It costs nothing until the room is full, and then it is stalled.
"""

from __future__ import annotations

import fcntl
import os
import select
import socket
import struct
import termios
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Final

from companion.closing import Closing
from companion.table.ports import Snapshot, TablePort

BEAT_S: Final = 2.0
STALL_S: Final = 5.0
TICK_S: Final = 0.5
BACKLOG_BYTES: Final = 128 * 1024
SEND_BUFFER_BYTES: Final = 64 * 1024
MOST_STREAMS: Final = 400

TABLE: Final = 0  # the topic of the whole table; a seat's number is that of its picture

HEAD: Final = (
    b"HTTP/1.1 200 OK\r\n"
    b"Content-Type: text/event-stream; charset=utf-8\r\n"
    b"Cache-Control: no-store\r\n"
    b"X-Content-Type-Options: nosniff\r\n"
    b"X-Accel-Buffering: no\r\n"
    b"Connection: close\r\n\r\n"
)
BEAT: Final = b": still here\n\n"


def format_frame(topic: int, snapshot: Snapshot) -> bytes:
    """The event that tells a topic's news in this snapshot.

    >>> format_frame(TABLE, Snapshot(7, lambda: b'{"version":7}'))
    b'event: table\\nid: 7\\ndata: {"version":7}\\n\\n'
    """
    if topic == TABLE:
        data = snapshot.body.strip().replace(b"\n", b"\ndata: ")
        return b"event: table\nid: %d\ndata: %b\n\n" % (snapshot.version, data)
    # Everybody may listen: not even how often a seat has turned a page behind a closed face.
    picture = snapshot.public.get(topic)
    return b'event: picture\ndata: {"picture": %d}\n\n' % (picture.number if picture else 0)


@dataclass(eq=False)
class Viewer:
    """One open stream: its socket, and what it is still owed."""

    sock: socket.socket
    topic: int
    now: float
    owed: deque[bytes] = field(default_factory=deque)
    owed_bytes: int = 0
    sent_of_first: int = 0
    sent_bytes: int = 0
    acknowledged_bytes: int = 0
    moved: float = 0.0
    spoke: float = 0.0
    latest: bytes = b""

    def __post_init__(self) -> None:
        self.moved = self.spoke = self.now

    def tell(self, frame: bytes) -> None:
        """Owe a frame, unless it says what the frame before has said."""
        if frame == self.latest:
            return
        self.latest = frame
        if self.owed_bytes > BACKLOG_BYTES:
            self._keep_only_begun()
        self._owe(frame)

    def beat(self, now: float) -> None:
        """Owe a sign of life, where nothing else has been owed for a while."""
        if now - self.spoke >= BEAT_S and not self.owed:
            self._owe(BEAT)

    def flush(self, now: float) -> None:
        """Send what the socket takes.

        Raises:
            OSError: the other side is gone.
        """
        while self.owed:
            rest = memoryview(self.owed[0])[self.sent_of_first :]
            try:
                sent = self.sock.send(rest)
            except BlockingIOError:
                return
            self.spoke = now
            self.sent_bytes += sent
            self.owed_bytes -= sent
            self.sent_of_first += sent
            if sent < len(rest):
                return
            self.owed.popleft()
            self.sent_of_first = 0

    def is_stalled(self, now: float) -> bool:
        """Whether the peer owes us an acknowledgement and has given none for too long."""
        in_kernel = _unacknowledged_bytes(self.sock)
        acknowledged = self.sent_bytes - in_kernel
        if acknowledged > self.acknowledged_bytes or not (in_kernel or self.owed):
            self.acknowledged_bytes = acknowledged
            self.moved = now
        return now - self.moved >= STALL_S

    def _owe(self, frame: bytes) -> None:
        self.owed.append(frame)
        self.owed_bytes += len(frame)

    def _keep_only_begun(self) -> None:
        """Drop the frames of which nothing has been sent."""
        begun = [self.owed[0]] if self.sent_of_first else []
        self.owed = deque(begun)
        self.owed_bytes = sum(map(len, begun)) - self.sent_of_first


class Streams(Closing):
    """The loop that owns every open stream. A context manager; `close` may be called twice."""

    def __init__(self, table: TablePort, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._viewers: dict[int, Viewer] = {}
        self._waiting: set[int] = set()
        self._inbox: deque[Snapshot | Viewer] = deque()
        self._is_closing = False
        self._lock = Lock()
        self._wire = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._poll = select.epoll()
        self._poll.register(self._wire, select.EPOLLIN)
        self._unwatch = table.watch(self._put)
        self._latest = table.snapshot()
        self._thread = Thread(target=self._run, name="streams", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        """How many streams are open."""
        return len(self._viewers)

    def has_room(self) -> bool:
        """Whether one more stream may be opened."""
        return not self._is_closing and len(self._viewers) < MOST_STREAMS

    def adopt(self, sock: socket.socket, topic: int) -> None:
        """Take a connected socket over, at any thread; it belongs to the streams from now on."""
        sock.setblocking(False)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, round(STALL_S * 1000))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        self._put(Viewer(sock, topic, self._clock()))

    def close(self) -> None:
        """Stop watching the table, and end every stream."""
        with self._lock:
            if self._is_closing:
                return
            self._is_closing = True
            os.eventfd_write(self._wire, 1)
        self._unwatch()
        self._thread.join()
        self._forget_inbox()
        for viewer in list(self._viewers.values()):
            self._let_go(viewer)
        self._poll.close()
        os.close(self._wire)

    def _put(self, news: Snapshot | Viewer) -> None:
        self._inbox.append(news)
        with self._lock:
            if not self._is_closing:
                os.eventfd_write(self._wire, 1)
                return
        self._forget_inbox()

    def _forget_inbox(self) -> None:
        while self._inbox:
            news = self._inbox.popleft()
            if isinstance(news, Viewer):
                news.sock.close()

    def _run(self) -> None:
        ticked = self._clock()
        while not self._is_closing:
            for fd, events in self._poll.poll(TICK_S):
                self._attend(fd, events)
            self._take_in()
            if (now := self._clock()) - ticked >= TICK_S:
                ticked = now
                self._tick(now)

    def _attend(self, fd: int, events: int) -> None:
        if fd == self._wire:
            os.eventfd_read(self._wire)
            return
        viewer = self._viewers.get(fd)
        if viewer is None:
            return
        if events & (select.EPOLLHUP | select.EPOLLERR) or not _still_speaks(viewer.sock, events):
            self._let_go(viewer)
        elif events & select.EPOLLOUT:
            self._flush(viewer)

    def _take_in(self) -> None:
        while self._inbox:
            news = self._inbox.popleft()
            if isinstance(news, Viewer):
                self._welcome(news)
            else:
                self._latest = news
                self._tell_all(news)

    def _welcome(self, viewer: Viewer) -> None:
        fd = viewer.sock.fileno()
        self._viewers[fd] = viewer
        self._poll.register(fd, select.EPOLLIN)
        viewer.tell(HEAD)
        viewer.tell(format_frame(viewer.topic, self._latest))
        self._flush(viewer)

    def _tell_all(self, snapshot: Snapshot) -> None:
        frames: dict[int, bytes] = {}
        for viewer in list(self._viewers.values()):
            if snapshot.ticked and viewer.topic == TABLE:
                continue  # a page lets its own clock run
            if viewer.topic not in frames:
                frames[viewer.topic] = format_frame(viewer.topic, snapshot)
            viewer.tell(frames[viewer.topic])
            self._flush(viewer)

    def _tick(self, now: float) -> None:
        for viewer in list(self._viewers.values()):
            viewer.beat(now)
            self._flush(viewer)
            if viewer.sock.fileno() >= 0 and viewer.is_stalled(now):
                self._let_go(viewer)

    def _flush(self, viewer: Viewer) -> None:
        fd = viewer.sock.fileno()
        try:
            viewer.flush(self._clock())
        except OSError:
            self._let_go(viewer)
            return
        if bool(viewer.owed) != (fd in self._waiting):
            self._waiting ^= {fd}
            self._poll.modify(fd, select.EPOLLIN | (select.EPOLLOUT if viewer.owed else 0))

    def _let_go(self, viewer: Viewer) -> None:
        fd = viewer.sock.fileno()
        del self._viewers[fd]
        self._waiting.discard(fd)
        self._poll.unregister(fd)
        # Reset rather than linger: nobody reads what the kernel would still try to deliver.
        if viewer.owed or _unacknowledged_bytes(viewer.sock):
            viewer.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        viewer.sock.close()


def _still_speaks(sock: socket.socket, events: int) -> bool:
    """Read and forget what a client says on a stream; False at its end."""
    if not events & select.EPOLLIN:
        return True
    try:
        return bool(sock.recv(4096))
    except BlockingIOError:
        return True
    except OSError:
        return False


def _unacknowledged_bytes(sock: socket.socket) -> int:
    """Bytes given to the kernel that the peer's kernel has not acknowledged (SIOCOUTQ)."""
    told = fcntl.ioctl(sock.fileno(), termios.TIOCOUTQ, b"\0\0\0\0")
    return int(struct.unpack("i", told)[0])
