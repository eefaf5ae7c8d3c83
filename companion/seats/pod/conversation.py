"""A thread that keeps the conversation on one port going until the port is gone."""

from __future__ import annotations

import time
from collections.abc import Callable
from logging import getLogger
from threading import Event as Flag
from threading import Lock, Thread

from companion.seats.pod.link import Event, Link
from companion.seats.pod.serialport import Port, PortLost, SerialPort
from companion.seats.pod.wire import SETTLE_MS, Hello
from companion.table.ports import Picture, Trouble

_LONGEST_WAIT_S = 1.0

_log = getLogger(__name__)


class Conversation:
    """A port, the link on it, and the thread that carries bytes between them.

    Args:
        name: of the port.
        on_event: called in this conversation's thread with each event; must not wait for it.
        on_hello: called in the same thread when the pod's hello differs from the one before.
        open_port: opens the port; raises `PortLost`.
    """

    def __init__(
        self,
        name: str,
        *,
        on_event: Callable[[Conversation, Event], None],
        on_hello: Callable[[Conversation, Hello], None],
        open_port: Callable[[str], Port] = SerialPort,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        self.name = name
        self.lost: Trouble | None = None
        self._on_event, self._on_hello = on_event, on_hello
        self._open_port = open_port
        self._link = Link(settle_ms)
        self._lock = Lock()
        self._port: Port | None = None
        self._over = Flag()
        self._thread = Thread(target=self._run, name=f"pod on {name}", daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether the port is gone; `lost` then says why, None after `close`."""
        return self._over.is_set()

    @property
    def hello(self) -> Hello | None:
        """The last hello of the pod."""
        return self._link.hello

    @property
    def errors(self) -> dict[str, int]:
        """Damaged frames on the line, both ways, and starts of the pod's screen."""
        hello, damaged = self._link.hello, self._link.decoder.damaged
        theirs = {"line": damaged + hello.damaged, "starts": hello.screen} if hello else {}
        return {"line": damaged, **theirs}

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def show(self, picture: Picture) -> None:
        """Show this picture as soon as the line is free; never waits."""
        self._do(lambda link: link.show(picture))

    def setup(self, pod: int, controller: int) -> None:
        """Have the pod keep its number and its screen's controller."""
        self._do(lambda link: link.setup(pod, controller))

    def signal(self, *, lamp: int, beep_ms: int = 0) -> None:
        """The pod's lamp, one of `LAMPS`, and its buzzer."""
        self._do(lambda link: link.signal(lamp=lamp, beep_ms=beep_ms))

    def close(self) -> None:
        """Let the port go and wait until the thread has ended. May be called twice."""
        self._over.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join()

    def _do(self, act: Callable[[Link], None]) -> None:
        with self._lock:
            act(self._link)
        self._wake()

    def _wake(self) -> None:
        port = self._port
        if port is not None:
            port.wake()

    def _run(self) -> None:
        try:
            port = self._port = self._open_port(self.name)
        except PortLost as lost:
            self._end(lost.trouble)
            return
        try:
            while not self._over.is_set():
                self._turn(port)
        except PortLost as lost:
            self._end(lost.trouble)
        except Exception as error:  # a fault of ours: logged, and the driver begins again
            _log.exception("the conversation on %s broke off", self.name)
            self._end(Trouble("failed", f"{self.name} broke off: {error}"))
        finally:
            self._port = None
            port.close()

    def _end(self, why: Trouble) -> None:
        self.lost = why
        self._over.set()

    def _turn(self, port: Port) -> None:
        """Send what is to be sent, wait for bytes, act on them."""
        with self._lock:
            data = self._link.to_send(_now_ms())
            wait_s = (self._link.wake_ms - _now_ms()) / 1000
        if data:
            port.write(data)
        received = port.read(min(max(wait_s, 0.0), _LONGEST_WAIT_S))
        with self._lock:
            before = self._link.hello
            events = self._link.receive(received, _now_ms())
            hello = self._link.hello
        for event in events:
            self._on_event(self, event)
        if hello is not None and hello != before:
            self._on_hello(self, hello)


def _now_ms() -> float:
    return time.monotonic() * 1000
