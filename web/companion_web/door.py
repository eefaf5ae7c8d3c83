"""HTTP for many clients of which some are slow: gevent waits, threads work.

One thread, gevent's hub, waits for every socket. A request is whole, head and body, within one
deadline before a worker sees it, and its answer is whole before a byte of it is sent: a client
that says nothing, writes a byte a second or does not read costs some kilobytes, and nobody
else's time. Workers are plain threads, as Flask and the table expect them. Nothing is
monkey-patched: no other thread of the process notices that there is a hub.

Nobody who comes is refused: an address that is over its share loses its own oldest connection that
is silent, and where the machine is full, so does the address with the most.

What is dear has a lane of its own: so much of it is done at a time, for one address a part of that,
and a press never waits behind it. Who waits too long is asked to come again; who has gone meanwhile
is not worked for.

What this cannot do: threads of one process take turns, so what is dearest belongs into another.
"""

from __future__ import annotations

import errno
import json
import os
import re
import resource
import select
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from io import BytesIO
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakValueDictionary

from gevent import Timeout, get_hub, sleep
from gevent.event import Event
from gevent.lock import Semaphore
from gevent.pywsgi import Input, WSGIHandler, WSGIServer
from gevent.threadpool import ThreadPool

from companion.system.frozen import dataclass
from companion.system.host import Closing
from companion_web.guard import Complaint, Problem

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication, WSGIEnvironment


# -- who makes room -------------------------------------------------------------------------------


CONNECTIONS: Final = 256
STREAMS: Final = 128
MOST: Final = 768
"""Connections of all addresses: each costs some 12 KiB, whatever it says."""
BYTES: Final = 8 * 1024 * 1024
PARTS: Final = 8
SMALL_BYTES: Final = 4096
DOUBT: Final = 4
"""How much more a byte of a request counts that may never be whole than one of an answer."""


@dataclass(eq=False, slots=True)
class Guest:
    """A connection; `leave` ends it. It is busy while its request is carried out.

    Attributes:
        held: bytes that are kept for it: of a request, or of an answer that it has not taken.
    """

    address: str
    leave: Callable[[], object]
    is_stream: bool = False
    is_busy: bool = False
    held: int = 0


class Shares:
    """The connections by address, each address's longest silent first.

    Args:
        most: of all addresses together.
        most_bytes: held for all of them together; an address has a share of it.
    """

    def __init__(self, most: int, most_bytes: int = BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._guests: dict[str, dict[Guest, None]] = {}
        self._held: Counter[str] = Counter()

    def __iter__(self) -> Iterator[Guest]:
        return (guest for own in list(self._guests.values()) for guest in list(own))

    def __len__(self) -> int:
        return sum(map(len, self._guests.values()))

    def enter(self, guest: Guest) -> None:
        """Somebody comes, or comes to stay as a stream."""
        own = self._guests.setdefault(guest.address, {})
        own[guest] = None
        like = [one for one in own if one.is_stream == guest.is_stream]
        if len(like) > (STREAMS if guest.is_stream else CONNECTIONS):
            self._send_away(like)
        if len(self) > self._most:
            self.make_room()

    def spoke(self, guest: Guest) -> None:
        """Of its address it is now the one that has been silent for the shortest time."""
        own = self._guests.get(guest.address, {})
        if guest in own:
            del own[guest]
            own[guest] = None

    def hold(self, guest: Guest, size: int) -> None:
        """So many bytes are kept for somebody now; the oldest of who has too many has to go."""
        # Nearly all requests are small, and not worth the counting.
        size = size if size > SMALL_BYTES else 0
        if size == guest.held or guest not in self._guests.get(guest.address, ()):
            return
        self._count(guest, size)
        while too_much := self._keeping_too_much(guest):
            self._send_away(too_much)

    def _keeping_too_much(self, but: Guest) -> list[Guest]:
        address = but.address
        if self._held[address] <= self._most_bytes // PARTS:
            if self._held.total() <= self._most_bytes:
                return []
            [(address, _)] = self._held.most_common(1)
        return [one for one in self._guests[address] if one.held and one is not but]

    def _count(self, guest: Guest, size: int) -> None:
        self._held[guest.address] += size - guest.held
        guest.held = size
        if not self._held[guest.address]:
            del self._held[guest.address]

    def leave(self, guest: Guest) -> None:
        """Somebody has gone; may be told twice."""
        self._count(guest, 0)
        own = self._guests.get(guest.address, {})
        own.pop(guest, None)
        if not own:
            self._guests.pop(guest.address, None)

    def make_room(self) -> bool:
        """Send somebody away; False where nobody is here."""
        most = max(self._guests.values(), key=len, default={})
        plain = [guest for guest in most if not guest.is_stream]
        self._send_away(plain if any(not guest.is_busy for guest in plain) else list(most))
        return bool(most)

    def _send_away(self, guests: list[Guest]) -> None:
        for guest in [one for one in guests if not one.is_busy][:1] or guests[:1]:
            self.leave(guest)
            guest.leave()


# -- requests and answers -------------------------------------------------------------------------


BACKLOG: Final = 512
REQUEST_S: Final = 10.0
"""From the first byte of a request to its last."""
BODY_BYTES: Final = 64 * 1024
STOP_S: Final = 1.0
LEAVE_S: Final = 0.3
BACK_OFF_S: Final = 0.1
NO_MORE_FILES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
SPARE_FILES: Final = 32
"""Open files that connections leave to the rest of the program."""
FEWEST: Final = 8
SILENT_S: Final = 10.0
"""How long a client may neither send nor take a byte."""
PIECE_BYTES: Final = 256 * 1024
HEAD_BYTES: Final = 8 * 1024
LINE_BYTES: Final = 1024
"""Of a head that are read at a time: what a stranger has not ended takes no more beside it."""
REQUEST_LINE: Final = re.compile(
    r"[!#$%&'*+.^_`|~\w-]+ [\x21-\x7e\x80-\xff]+ HTTP/1\.[01]\r?\n", re.ASCII
)
ABSOLUTE: Final = re.compile(r"https?://([^/?]+)(.*)", re.IGNORECASE)
FIELDS: Final = re.compile(rb"(?:[!#$%&'*+.^_`|~\w-]+:[\t\x20-\x7e\x80-\xff]*\r?\n)*+")
LENGTH: Final = re.compile(r"[0-9]{1,15}")
CODINGS: Final = {"chunked"}
DRAIN_BYTES: Final = 32 * 1024 * 1024
DRAIN_S: Final = 5.0

TakeStream = Callable[[socket.socket, Guest], None]
Answered = tuple[str, list[tuple[str, str]], bytes]


@dataclass(frozen=True, slots=True)
class Lane:
    """Requests of one kind: how many workers they have, how many of them one address, and how long
    somebody waits for one before being told to come again (None: however long it takes)."""

    workers: int = 8
    share: int = 8
    patience_s: float | None = None


class Work:
    """What is done in a lane."""

    def __init__(self, lane: Lane, hub: Any) -> None:
        self._lane, self.workers = lane, ThreadPool(lane.workers, hub=hub)
        self._places = Semaphore(lane.workers)
        self._shares: WeakValueDictionary[str, Semaphore] = WeakValueDictionary()

    @contextmanager
    def place(self, address: str, sock: socket.socket) -> Iterator[bool]:
        """A worker to be had for as long as the block lasts; False: none was free in time.

        Raises:
            BrokenPipeError: the client has gone while it waited.
        """
        own = self._shares.setdefault(address, Semaphore(self._lane.share))
        has_to_wait, has_place = own.locked() or self._places.locked(), False
        with ExitStack() as taken:
            with Timeout(self._lane.patience_s, False):
                taken.enter_context(own)
                taken.enter_context(self._places)
                has_place = True
            if has_to_wait and _has_gone(sock):
                raise BrokenPipeError(errno.EPIPE, "gone")
            yield has_place


class Doorkeeper:
    """What a door asks in its own thread, about a request of which it has the head."""

    most: int = MOST
    """Connections, as far as files may be opened."""
    most_bytes: int = BYTES
    """Of requests and answers that are held for all clients together."""
    lanes: tuple[Lane, ...] = (Lane(),)

    def open(self, shares: Shares) -> None:
        """The door opens, in this thread."""

    def body_bytes(self, environ: WSGIEnvironment) -> int:
        """How many bytes of a body to wait for; 0 where the app refuses it unread."""
        return BODY_BYTES

    def lane(self, environ: WSGIEnvironment) -> int:
        """Which of the lanes a request belongs to."""
        return 0

    def stream(self, environ: WSGIEnvironment) -> TakeStream | None:
        """What takes the connection over, where a stream is asked for; None: the app answers."""
        return None

    def close(self) -> None:
        """The door closes."""


class Handler(WSGIHandler):  # type: ignore[misc]  # gevent has no types
    """A connection: gevent's, with a deadline, bounds, and the app on a worker."""

    server: Listener
    result: list[bytes] | None
    wsgi_input: Input
    rfile: Any
    client_address: Any
    path: str

    def handle(self) -> None:
        """One request after the other, the connection in its place among the shares."""
        sock = self.socket
        sock.settimeout(SILENT_S)
        # Of gevent's own buffer of 8 KiB somebody who says nothing would need none.
        self.rfile.close()
        self.rfile = sock.makefile("rb", LINE_BYTES)
        # A small answer must not wait for the client's word on the one before.
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A door that is open to both kinds of addresses has the older ones in the newer's clothes.
        address = str(self.client_address[0]).removeprefix("::ffff:")
        self.client_address = (address, *self.client_address[1:])
        self._guest = Guest(address, lambda: _hang_up(sock))
        self.server.shares.enter(self._guest)
        try:
            super().handle()
        except OSError:
            return
        finally:
            if not self._guest.is_stream:
                self.server.shares.leave(self._guest)

    def handle_one_request(self) -> Any:
        """A request, once its first byte is here."""
        try:
            # The deadline begins with the first byte: browsers keep spare connections open.
            if not self.rfile.peek(1):
                return None
        except OSError:
            return None
        self._deadline = Timeout.start_new(self.server.request_s)
        try:
            return super().handle_one_request()
        except Timeout as late:
            self._must_be_ours(late)
            return "408", b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"
        finally:
            self._deadline.close()
            self._hold(0)

    def read_request(self, raw_requestline: str) -> Any:
        """The first line and the headers, as RFC 9112 has them and not as Python forgives them."""
        if not REQUEST_LINE.fullmatch(raw_requestline):
            raise ValueError("this is no first line")
        is_read = super().read_request(raw_requestline)
        # As to a proxy: what stands there counts, whatever `Host` says (RFC 9112, 3.2.2).
        if whole := ABSOLUTE.fullmatch(self.path):
            del self.headers["Host"]
            self.headers["Host"], self.path = whole[1], f"/{whole[2].removeprefix('/')}"
        return is_read

    def MessageClass(self, *_: object) -> Any:  # noqa: N802  # gevent's name
        """The headers, within bounds.

        Raises:
            ValueError: another server might see another request in them (RFC 9112, 2.2, 3.2, 5, 6).
        """
        head, line = bytearray(), b"\n"
        while True:
            is_begun = not line.endswith(b"\n")
            line = self.rfile.readline(LINE_BYTES)
            if not is_begun and line in (b"\r\n", b"\n"):
                break
            head += line
            if not line or len(head) > HEAD_BYTES:
                raise ValueError("the head has no end")
            self._hold(len(head) * DOUBT)
        if not FIELDS.fullmatch(head):
            raise ValueError("these are no headers")
        message = super().MessageClass(BytesIO(bytes(head) + b"\r\n"))
        names = ("Host", "Content-Length", "Transfer-Encoding")
        hosts, lengths, codings = ([one.strip() for one in message.get_all(n, ())] for n in names)
        is_new = self.request_version == "HTTP/1.1"
        if len(hosts) > 1 or len(hosts) < is_new:
            raise ValueError("one Host, no more and no less")
        is_clear = (
            all(map(LENGTH.fullmatch, lengths)) and {one.lower() for one in codings} <= CODINGS
        )
        if not is_clear or len(lengths) + len(codings) > 1 or (codings and not is_new):
            raise ValueError("how long the body is can be read in two ways")
        return message

    def run_application(self) -> None:
        """Answer a request whose head is here."""
        if (take := self.server.keeper.stream(self.environ)) is not None:
            self._hand_over(take)
            return
        try:
            is_whole = self._read_body()
        except Timeout as late:
            self._must_be_ours(late)
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "too-slow", "the body took too long")
        except OSError:
            self._refuse(HTTPStatus.BAD_REQUEST, "bad-body", "the body is broken, or ended early")
        else:
            self._deadline.close()
            self.close_connection |= not is_whole
            self._send(*self._ask_app())
            if not is_whole:
                self._drain()

    def handle_error(self, kind: Any, error: Any, where: Any) -> None:
        """A client that has gone is no error of ours."""
        self.close_connection = True
        if not issubclass(kind, OSError):
            super().handle_error(kind, error, where)

    def _handle_client_error(self, _: Exception) -> tuple[str, bytes]:
        return "400", b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"

    def _must_be_ours(self, late: Timeout) -> None:
        # gevent raises a timeout wherever its greenlet waits; another one has its own owner.
        if late is not self._deadline:
            raise late

    def _read_body(self) -> bool:
        """Put the body into the environ; False where the app is to refuse it unread."""
        most, length = self.server.keeper.body_bytes(self.environ), self.content_length or 0
        self._hold(DOUBT * (most if self.wsgi_input.chunked_input else min(length, most)))
        # gevent swallows what is left of its input, and must not wait for a body that was refused.
        wire, self.wsgi_input = self.wsgi_input, Input(self.rfile, 0)
        body = b""
        if wire.chunked_input and most:
            body = wire.read(most + 1)
        elif length <= most:
            body = wire.read()
        self.environ["wsgi.input"] = BytesIO(body)
        self.environ["wsgi.input_terminated"] = self.environ["wsgi.multithread"] = True
        return 0 < len(body) <= most or not (length or wire.chunked_input)

    def _hold(self, size: int) -> None:
        self.server.shares.hold(self._guest, size)

    def _ask_app(self) -> Answered:
        work = self.server.work[self.server.keeper.lane(self.environ)]
        with work.place(self._guest.address, self.socket) as has_place:
            if not has_place:
                return refused(HTTPStatus.SERVICE_UNAVAILABLE, "busy", "others are served first")
            self._guest.is_busy = True
            try:
                return self.server.ask(work, self.environ)
            finally:
                self._guest.is_busy = False
                self.server.shares.spoke(self._guest)

    def _refuse(self, status: HTTPStatus, key: str, message: str) -> None:
        self.close_connection = True
        self._send(*refused(status, key, message))

    def _send(self, status: str, headers: list[tuple[str, str]], body: bytes) -> None:
        # The time that a client has is for a piece, however long the whole may be.
        self.close_connection |= self.server.closed
        if self.close_connection:
            headers = [*headers, ("Connection", "close")]
        self.start_response(status, headers)
        self._hold(len(body))
        self.result = [body[at : at + PIECE_BYTES] for at in range(0, len(body), PIECE_BYTES)]
        self.process_result()
        self.result = None

    def _drain(self) -> None:
        """Say that no more will be sent, and swallow what the client is still sending.

        Closed at once, the kernel would reset the connection, and the client might never see
        the answer.
        """
        left = DRAIN_BYTES
        with Timeout(DRAIN_S, False), suppress(OSError):
            self.socket.shutdown(socket.SHUT_WR)
            while left > 0 and (got := self.socket.recv(65536)):
                left -= len(got)

    def _hand_over(self, take: TakeStream) -> None:
        """Give the bare socket away; gevent's has nothing left to close."""
        self.headers_sent = self.close_connection = True
        self.server.shares.leave(self._guest)
        self._guest.is_stream = True
        take(socket.socket(fileno=self.socket.detach()), self._guest)


class Listener(WSGIServer):  # type: ignore[misc]  # gevent has no types
    """gevent's server, with what its connections share."""

    handler_class = Handler
    max_accept = 4  # of a crowd that comes at once; between two looks others are heard
    keeper: Doorkeeper
    shares: Shares
    work: tuple[Work, ...]
    request_s: float

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._full, self._short = Complaint(), Complaint()

    def do_read(self) -> Any:
        """The next connection; where no file can be opened, room is made and it has to wait."""
        try:
            return super().do_read()
        except OSError as error:
            if error.errno not in NO_MORE_FILES:
                raise
            self._full.say(f"{error.strerror}: the silent connections are closed (LimitNOFILE)")
        self.shares.make_room()
        # The connection still waits, and gevent's loop would ask for it without a pause.
        self.stop_accepting()
        self._timer = self.loop.timer(BACK_OFF_S)
        self._timer.start(self._start_accepting_if_started)
        return None

    def ask(self, work: Work, environ: WSGIEnvironment) -> Answered:
        """The app's answer, by a worker."""
        try:
            answered: Answered = work.workers.apply(call, (self.application, environ))
        except (MemoryError, RuntimeError) as error:
            if not is_short_of_memory(error):
                raise
            self._short.say(f"memory is short, a request was refused: {error}")
            return refused(HTTPStatus.SERVICE_UNAVAILABLE, "no-memory", "memory is short")
        return answered


def is_short_of_memory(error: Exception) -> bool:
    """Whether the system has no more memory, or none for another thread."""
    return isinstance(error, MemoryError) or "start new thread" in str(error)


class Door(Closing):
    """An open door: a thread that serves an app. `close` may be called twice.

    Args:
        request_s: how long a request may take to arrive.

    Raises:
        OSError: the address is taken or not ours.
    """

    def __init__(
        self,
        app: WSGIApplication,
        listening: socket.socket,
        keeper: Doorkeeper | None = None,
        *,
        request_s: float = REQUEST_S,
    ) -> None:
        self._app, self._keeper = app, keeper or Doorkeeper()
        self._listening, self._request_s = listening, request_s
        self._address: tuple[str, int] = listening.getsockname()[:2]
        listening.setblocking(False)
        opened: SimpleQueue[BaseException | None] = SimpleQueue()
        self._thread = Thread(target=self._run, args=(opened,), name="page", daemon=True)
        self._thread.start()
        if (trouble := opened.get()) is not None:
            raise trouble

    @property
    def url(self) -> str:
        """Where it is on this machine."""
        host, port = self._address
        name = "127.0.0.1" if host in ("0.0.0.0", "::") else host
        return f"http://{f'[{name}]' if ':' in name else name}:{port}/"

    @property
    def port(self) -> int:
        """The port it listens at (chosen by the system where 0 was asked for)."""
        return self._address[1]

    def close(self) -> None:
        """Stop listening, end every stream and connection."""
        if self._thread.is_alive():
            # The event is the loop's, and may be set in its thread alone.
            self._loop.run_callback_threadsafe(self._stop.set)
        self._thread.join()
        self._listening.close()

    def _run(self, opened: SimpleQueue[BaseException | None]) -> None:
        hub = get_hub()
        self._loop, self._stop = hub.loop, Event()
        try:
            server = self._server = self._make(hub)
            self._keeper.open(server.shares)
            server.start()
        except BaseException as trouble:
            opened.put(trouble)
            return
        opened.put(None)
        self._stop.wait()
        # First nobody new comes in, then the streams end; who is being answered has a moment left.
        server.close()
        self._keeper.close()
        if self._send_home(server):
            hub.destroy(destroy_loop=True)

    def _make(self, hub: Any) -> Listener:
        # A name of its own, or gevent would ask the network for one.
        environ = {"SERVER_NAME": self._listening.getsockname()[0]}
        server = Listener(self._listening, self._app, log=None, environ=environ)
        server.keeper = self._keeper
        server.shares = Shares(most_connections(self._keeper.most), self._keeper.most_bytes)
        server.work = tuple(Work(lane, hub) for lane in self._keeper.lanes)
        server.request_s = self._request_s
        return server

    def _send_home(self, server: Listener) -> bool:
        """Let those whose request is being carried out have their answer, if it comes soon; whether
        no worker is left that will still tell the loop of one."""
        for guest in server.shares:
            if not guest.is_busy:
                guest.leave()
        with Timeout(STOP_S, False):
            while any(guest.is_busy for guest in server.shares):
                sleep(0.01)
        for guest in server.shares:
            guest.leave()
        with Timeout(LEAVE_S, False):
            sleep(0)
            for work in server.work:
                work.workers.kill()
            return True
        return False


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at this address; at 0.0.0.0 and :: for both kinds of addresses.

    Raises:
        OSError: the address is taken or not ours.
    """
    is_both = host in ("0.0.0.0", "::") and socket.has_dualstack_ipv6()
    host = "::" if is_both else host
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server(
        (host, port), family=family, backlog=BACKLOG, dualstack_ipv6=is_both
    )


def most_connections(most: int = MOST) -> int:
    """How many connections of these the limit of open files leaves room for."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return max(FEWEST, min(most, soft - len(os.listdir("/proc/self/fd")) - SPARE_FILES))


def refused(status: HTTPStatus, key: str, message: str) -> Answered:
    """The door's own answer, in the form of all others."""
    body = json.dumps(Problem(status, key, message).as_json()).encode() + b"\n"
    headers = [("Content-Type", "application/json")]
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers.append(("Retry-After", "5"))
    return f"{status.value} {status.phrase}", headers, body


def call(app: WSGIApplication, environ: WSGIEnvironment) -> Answered:
    """The app's whole answer, in a worker."""
    told: list[Any] = []
    parts: list[bytes] = []

    def start(status: str, headers: list[tuple[str, str]], _: object = None) -> Any:
        told[:] = status, headers
        # The `write` that WSGI still owes to old apps.
        return parts.append

    result = app(environ, start)
    try:
        parts.extend(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    return told[0], told[1], b"".join(parts)


def _has_gone(sock: socket.socket) -> bool:
    """Whether the other side has closed, as far as the kernel knows."""
    asked = select.poll()
    asked.register(sock.fileno(), select.POLLRDHUP)
    return bool(asked.poll(0))


def _hang_up(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
