"""The conversation with one pod, without any port, thread or clock.

The caller hands in what has arrived and the time, and sends what it is given:

    for event in link.receive(data, now_ms): ...
    port.write(link.to_send(now_ms))
    wait until link.wake_ms, or for bytes, or for the next link.show(...)

After the port is opened the table asks for a hello, again and again, since the pod's own may
have been sent before anybody listened. A pod that has started since (its session is not ours)
has to begin a new one: both sides then count from 1, and the whole picture is sent. A pod
that is still in our session goes on where it was, with the presses that were under way: each
is counted once whatever was lost in between.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from enum import Enum, auto

from companion.drawing.bitmap import PAGES, SIZE, WIDTH, Span, changed_spans
from companion.seats.contacts import HOLD_MS, SETTLE_MS
from companion.table.ports import Picture
from race_companion_pods import wire

SILENT_MS = 3 * wire.ASK_MS
"""So long without a word, a pod is silent."""


class Phase(Enum):
    """Where the conversation stands."""

    ASKING = auto()
    BEGINNING = auto()
    UP = auto()
    STRANGE = auto()


@dataclass(frozen=True, slots=True)
class Arrived:
    """A pod is there and takes pictures."""

    hello: wire.Hello


@dataclass(frozen=True, slots=True)
class Strange:
    """A pod is there whose protocol the table does not speak."""

    stranger: wire.Stranger


@dataclass(frozen=True, slots=True)
class Silent:
    """The pod has sent nothing for `SILENT_MS`."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was released; `picture` is the number of the table's picture it was read from.

    `bounced_ms` is how long its contact bounced, which makes it no other press; None: the pod's
    firmware does not tell.
    """

    button: int
    hold: bool
    picture: int
    bounced_ms: int | None = field(default=None, compare=False)


Event = Arrived | Strange | Silent | Pressed


def format_firmware(version: tuple[int, int, int]) -> str:
    """A version as people write it: 1.0.0."""
    return ".".join(map(str, version))


def describe(stranger: wire.Stranger) -> str:
    """What to tell a person about a pod that the table cannot talk to; names both versions."""
    older = "an older" if stranger.level < wire.LEVEL else "a newer"
    return (
        f"the pod's firmware {format_firmware(stranger.firmware)} speaks {older} protocol "
        f"(level {stranger.level}) than this companion (level {wire.LEVEL}, firmware "
        f"{format_firmware(wire.FIRMWARE)}); `companion pod flash` gives it the right one"
    )


_HASTE_MS = 200
"""Between two asks while there is no answer yet: a board that resets on opening is deaf for
up to a second, and then should not wait another one."""
_SESSIONS = 0xFFFF
_WIRE_PICTURES = 0xFFFF
_PICTURES_KEPT = 16
_PRESSES_BACK = 128
_BUTTONS = range(1, 7)


class Link:
    """One side of the line: the table's. Times are milliseconds of any clock that only rises.

    `settle_ms` is how long a button's contact must be steady.

    `phase`, `hello` (the last one of ours; None: none yet), `decoder.damaged`,
    `window.resent` and `unread` (presses on pictures nobody knows any more) tell its health.
    """

    def __init__(self, settle_ms: int = SETTLE_MS) -> None:
        self._settle_ms = settle_ms
        self._is_settled = True
        self._is_told = True
        self.phase = Phase.ASKING
        self.hello: wire.Hello | None = None
        self.unread = 0
        self.decoder = wire.Decoder()
        self.window = Window(
            size=wire.WINDOW, resend_ms=wire.RESEND_MS, longest_ms=4 * wire.RESEND_MS
        )
        self._session = 0
        self._last_press = 0
        self._glass = Glass()
        self._wanted: Picture | None = None
        self._shown: Picture | None = None
        self._wire_picture = 0
        self._pictures: dict[int, int] = {}
        self._lamp = wire.LAMPS["off"]
        self._signal: tuple[int, int] | None = None
        self._setup: wire.Setup | None = None
        self._answers = bytearray()
        self._ask_due_ms = 0.0
        self._heard_ms: float | None = None

    def show(self, picture: Picture) -> None:
        """From now on this picture is wanted; one that is not yet on its way is forgotten."""
        self._wanted = picture

    def signal(self, *, lamp: int, beep_ms: int = 0) -> None:
        """The lamp, one of `LAMPS`, kept over restarts of the pod; a sound of at most 2.5 s."""
        self._lamp = lamp
        self._signal = (lamp, min(beep_ms // 10, 255))

    def setup(self, pod: int, controller: int) -> None:
        """Have the pod keep its number and its screen's controller; `hello` will show them."""
        self._setup = wire.Setup(pod, controller)

    def opened(self) -> None:
        """The port was opened (again): what was half received is void; ask at once."""
        damaged, self.decoder = self.decoder.damaged, wire.Decoder()
        self.decoder.damaged = damaged
        if self.phase is not Phase.BEGINNING:
            self.phase = Phase.ASKING
        self._heard_ms = None
        self._ask_due_ms = 0.0

    @property
    def is_idle(self) -> bool:
        """Whether the pod has all that it should have."""
        has_all = self._shown == self._wanted and self._signal is None
        has_settings = self._is_settled and self._is_told
        return self.phase is Phase.UP and self.window.is_empty and has_all and has_settings

    @property
    def wake_ms(self) -> float:
        """When `to_send` has something to say at the latest, if nothing happens before."""
        due = self.window.due_ms if self.phase is Phase.UP else None
        return self._ask_due_ms if due is None else min(due, self._ask_due_ms)

    def receive(self, data: bytes, now_ms: float) -> list[Event]:
        """What these bytes (perhaps none) and the time mean."""
        events: list[Event] = []
        for message in self.decoder.feed(data):
            self._heard_ms = now_ms
            event = self._act(message, now_ms)
            if event is not None:
                events.append(event)
        if self._heard_ms is not None and now_ms - self._heard_ms >= SILENT_MS:
            # Said once, until the pod is heard again.
            self._heard_ms = None
            self.phase = Phase.ASKING if self.phase is Phase.UP else self.phase
            events.append(Silent())
        return events

    def _act(self, message: wire.Message | wire.Stranger, now_ms: float) -> Event | None:
        match message:
            case wire.Hello():
                return self._meet(message)
            case wire.Stranger():
                is_news = self.phase is not Phase.STRANGE
                self.phase = Phase.STRANGE
                return Strange(message) if is_news else None
            case wire.Press() if self.phase is Phase.UP:
                return self._note(message)
            case wire.Taken() if self.phase is Phase.UP:
                self.window.acknowledge(message.number, now_ms)
        return None

    def _meet(self, hello: wire.Hello) -> Arrived | None:
        """A hello: of our session, or a pod that must begin one."""
        before, self.hello = self.hello, hello
        if self._setup and (hello.pod, hello.controller) == (
            self._setup.pod,
            self._setup.controller,
        ):
            self._setup = None
        # 0 is no session: the pod has just started, or we have not begun.
        if hello.session == self._session and self._session:
            # Its screen has started anew since, and nobody knows what is on it.
            if before and before.screen != hello.screen:
                self._glass.forget()
                self._shown = None
            is_news = self.phase is not Phase.UP
            self.phase = Phase.UP
            return Arrived(hello) if is_news else None
        # While we begin, a hello of before may still be on its way.
        if self.phase is not Phase.BEGINNING:
            self._begin(hello.session)
        return None

    def _begin(self, theirs: int) -> None:
        """Choose a session that is neither theirs nor ours, and forget the old one's numbers."""
        self.phase = Phase.BEGINNING
        session = max(theirs, self._session) % _SESSIONS + 1
        self._session = session if session != theirs else session + 1
        self._last_press = 0
        self.window.begin()
        self._glass.forget()
        self._shown = None
        # A pod that starts is dark: it is told its lamp again, but not to sound.
        self._signal = (self._lamp, 0)
        # What every pod does by itself it need not be told.
        self._is_settled = self._settle_ms == SETTLE_MS
        self._is_told = False
        self._pictures.clear()
        self._ask_due_ms = 0.0

    def _note(self, press: wire.Press) -> Pressed | None:
        """A press: counted if it is the next, noted again if it was had, else it comes again."""
        is_next = follows(self._last_press, press.number)
        # A number this far off is ahead of us: one before it was lost, and both will come again.
        if not is_next and (self._last_press - press.number) % 256 >= _PRESSES_BACK:
            return None
        if is_next:
            self._last_press = press.number
        self._answers += wire.encode(wire.Noted(self._last_press))
        if not is_next:
            return None
        number = self._pictures.get(press.picture)
        if number is None or press.button not in _BUTTONS:
            self.unread += 1
            return None
        bounced_ms = press.bounced if isinstance(press, wire.Felt) else None
        return Pressed(press.button, press.held >= HOLD_MS, number, bounced_ms)

    def to_send(self, now_ms: float) -> bytes:
        """The bytes to write now; call it after every `receive`, `show` and at `wake_ms`."""
        sent = bytes(self._answers)
        self._answers.clear()
        if now_ms >= self._ask_due_ms:
            sent += self._ask(now_ms)
        if self.phase is Phase.UP:
            sent += self.window.again(now_ms)
            while self.window.has_room and (message := self._next()):
                frame = wire.encode(message)
                self.window.add(frame, now_ms)
                sent += frame
        return sent

    def _ask(self, now_ms: float) -> bytes:
        """The heartbeat: an ask, or what the pod has not answered yet."""
        is_up = self.phase is Phase.UP
        self._ask_due_ms = now_ms + (wire.ASK_MS if is_up else _HASTE_MS)
        if self.phase is Phase.BEGINNING:
            return wire.encode(wire.Begin(self._session))
        return wire.encode(self._setup if is_up and self._setup else wire.Ask())

    def _next(self) -> wire.Span | wire.Picture | wire.Signal | wire.Settle | wire.Tell | None:
        """The next numbered message: a setting, a signal, a piece of the picture, its number.

        What a firmware does not know yet, it takes and does nothing.
        """
        number = self.window.next_number
        if not self._is_told:
            self._is_told = True
            return wire.Tell(number, 1)
        if not self._is_settled:
            self._is_settled = True
            return wire.Settle(number, self._settle_ms)
        if self._signal is not None:
            (lamp, beep), self._signal = self._signal, None
            return wire.Signal(number, lamp, beep)
        if self._wanted is None or self._shown == self._wanted:
            return None
        piece = self._glass.next_span(self._wanted.bitmap)
        if piece is not None:
            # It is neither now: the one before may be wanted again before this one is whole.
            self._shown = None
            return wire.Span(number, *piece)
        self._shown = self._wanted
        self._wire_picture = self._wire_picture % _WIRE_PICTURES + 1
        self._pictures[self._wire_picture] = self._wanted.number
        while len(self._pictures) > _PICTURES_KEPT:
            del self._pictures[next(iter(self._pictures))]
        return wire.Picture(number, self._wire_picture)


# -- numbered frames under way --------------------------------------------------------------------


NUMBERS = 256
"""Numbers go round: 255 is followed by 0. The first of a session is 1."""


def follows(last: int, number: int) -> bool:
    """Whether `number` comes right after `last`.

    >>> follows(255, 0), follows(3, 3)
    (True, False)
    """
    return number == (last + 1) % NUMBERS


class Window:
    """The frames that are not acknowledged yet, oldest first, sent again until they are.

    The other side acts on them in order and acknowledges the last one, so an acknowledgement
    covers all before it, and after a loss everything from the lost one on is sent again. Receiving
    one twice does nothing: the numbers show it.
    """

    def __init__(self, *, size: int, resend_ms: float, longest_ms: float) -> None:
        self.resent = 0
        self._size = size
        self._shortest_ms, self._longest_ms = resend_ms, longest_ms
        self._wait_ms = resend_ms
        self._last = 0
        self._under_way: deque[tuple[int, bytes]] = deque()
        self._due_ms = 0.0

    @property
    def has_room(self) -> bool:
        """Whether one more may be sent."""
        return len(self._under_way) < self._size

    @property
    def is_empty(self) -> bool:
        """Whether all has been acknowledged."""
        return not self._under_way

    @property
    def due_ms(self) -> float | None:
        """When the frames are to be sent again; None: there is nothing to wait for."""
        return self._due_ms if self._under_way else None

    @property
    def next_number(self) -> int:
        """The number that the next frame must carry."""
        return (self._last + 1) % NUMBERS

    def add(self, frame: bytes, now_ms: float) -> None:
        """A frame with `next_number` is being sent."""
        self._last = self.next_number
        self._under_way.append((self._last, frame))
        self._due_ms = now_ms + self._wait_ms

    def acknowledge(self, number: int, now_ms: float) -> None:
        """Everything up to `number` has arrived; any other number is an old word, and nothing."""
        if number not in (known for known, _ in self._under_way):
            return
        while self._under_way.popleft()[0] != number:
            pass
        self._wait_ms = self._shortest_ms
        self._due_ms = now_ms + self._wait_ms

    def again(self, now_ms: float) -> bytes:
        """The frames, if it is time to send them again; each time the wait doubles."""
        if not self._under_way or now_ms < self._due_ms:
            return b""
        self.resent += len(self._under_way)
        self._wait_ms = min(self._wait_ms * 2, self._longest_ms)
        self._due_ms = now_ms + self._wait_ms
        return b"".join(frame for _, frame in self._under_way)

    def begin(self) -> None:
        """A new session: nothing is under way, numbers begin again."""
        self._under_way.clear()
        self._last = 0
        self._wait_ms = self._shortest_ms


# -- what the screen shows ------------------------------------------------------------------------


_PARTS = [
    Span(page, start, start + wire.SPAN_BYTES)
    # Backwards, as `pop` takes the last one first.
    for page in reversed(range(PAGES))
    for start in reversed(range(0, WIDTH, wire.SPAN_BYTES))
]


class Glass:
    """The memory of one screen, as far as the table knows it; it begins unknown.

    Frames are acted on in order and none is lost for good, so a span counts as shown as soon as it
    is on its way. What a screen shows that has just started nobody knows: its parts are unknown
    until they have been sent once.
    """

    def __init__(self) -> None:
        self._bitmap = bytearray(SIZE)
        self._unknown = list(_PARTS)

    def forget(self) -> None:
        """The screen has started anew."""
        self._unknown = list(_PARTS)

    def next_span(self, wanted: bytes) -> tuple[int, int, bytes] | None:
        """Page, first column and dots of the next piece to send, counted as shown from now on.

        None: the screen shows `wanted`.
        """
        span = self._unknown.pop() if self._unknown else self._first_change(wanted)
        if span is None:
            return None
        first = span.page * WIDTH + span.start
        dots = wanted[first : first + _first_part(span.stop - span.start)]
        self._bitmap[first : first + len(dots)] = dots
        return span.page, span.start, dots

    def _first_change(self, wanted: bytes) -> Span | None:
        return next(iter(changed_spans(bytes(self._bitmap), wanted)), None)


def _first_part(length: int) -> int:
    """How much of a long span to send first: equal parts keep line and bus both busy.

    >>> _first_part(64), _first_part(70)
    (64, 35)
    """
    parts = -(-length // wire.SPAN_BYTES)
    return -(-length // parts)
