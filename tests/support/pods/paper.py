"""A pod on paper: what the firmware does, in a few lines, behind a line that may lose frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from race_companion_pods.link import Event, Link, follows
from race_companion_pods.wire import (
    LEVEL,
    RESEND_MS,
    WINDOW,
    Ask,
    Begin,
    Decoder,
    Hello,
    Message,
    Noted,
    Numbered,
    Picture,
    Press,
    Setup,
    Signal,
    Span,
    Taken,
    encode,
)


@dataclass
class PaperPod:
    """The other side of a link; `screen` is its glass, `lamp` the last signal."""

    pod: int = 3
    session: int = 0
    picture: int = 0
    starts: int = 1
    controller: int = 0
    screen: bytearray = field(default_factory=lambda: bytearray(b"\xa5" * 1024))
    lamp: Signal | None = None
    spans: int = 0
    _last_taken: int = 0
    _last_press: int = 0
    _presses: list[Press] = field(default_factory=list)
    _due_ms: float = 0.0
    _decoder: Decoder = field(default_factory=Decoder)

    def press(self, button: int, held: int = 50) -> None:
        self._last_press = (self._last_press + 1) % 256
        self._presses.append(Press(self._last_press, button, held, self.picture))
        self._due_ms = 0.0

    def reboot(self) -> None:
        self.__init__(self.pod)  # type: ignore[misc]

    def hello(self) -> Hello:
        return Hello(LEVEL, 1, 0, 0, self.session, self.pod, self.controller, self.starts, 0, 0, 0)

    def hear(self, data: bytes) -> bytes:
        """Answers to what arrives."""
        return b"".join(
            encode(answer)
            for message in self._decoder.feed(data)
            for answer in self._act(message)  # type: ignore[arg-type]
        )

    def due(self, now_ms: float) -> bytes:
        """Presses to send, or to send again."""
        if not self._presses or now_ms < self._due_ms:
            return b""
        self._due_ms = now_ms + RESEND_MS
        return b"".join(map(encode, self._presses[:WINDOW]))

    def _act(self, message: Message) -> Iterator[Message]:
        match message:
            case Ask():
                yield self.hello()
            case Begin(session):
                if session != self.session:
                    self.session, self._last_taken, self._last_press = session, 0, 0
                    self.picture = 0
                    self._presses.clear()
                yield self.hello()
            case Setup(pod, controller):
                self.pod, self.controller = pod, controller
                yield self.hello()
            case Noted(number):
                while self._presses and (number - self._presses[0].number) % 256 < 128:
                    del self._presses[0]
            case Numbered():  # what it does not know, it takes and does nothing
                if follows(self._last_taken, message.number):
                    self._last_taken = message.number
                    self._take(message)
                yield Taken(self._last_taken)

    def _take(self, message: Numbered) -> None:
        if isinstance(message, Picture):
            self.picture = message.picture
        elif isinstance(message, Signal):
            self.lamp = message
        elif isinstance(message, Span):
            first = message.page * 128 + message.start
            self.screen[first : first + len(message.dots)] = message.dots
            self.spans += 1


@dataclass
class Line:
    """Link and pod, a clock, and a rule that says which write is damaged (True) and which not."""

    link: Link = field(default_factory=Link)
    pod: PaperPod = field(default_factory=PaperPod)
    now_ms: float = 0.0
    noise: Iterator[bool] | None = None

    def _pass(self, data: bytes) -> bytes:
        if data and self.noise is not None and next(self.noise, False):
            return data[: len(data) // 2] + b"\x55" + data[len(data) // 2 + 1 :]
        return data

    def run(self, ms: int, step_ms: int = 5) -> list[Event]:
        """Let time pass; the events of the link."""
        events: list[Event] = []
        for _ in range(0, ms, step_ms):
            self.now_ms += step_ms
            up = self.pod.hear(self._pass(self.link.to_send(self.now_ms)))
            up += self.pod.due(self.now_ms)
            events += self.link.receive(self._pass(up), self.now_ms)
        return events
