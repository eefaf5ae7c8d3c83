"""The driver of pods: whatever port they are on, each comes to its seat.

Ports move and cheap boards have no serial number, so a pod is known by the number in its hello:
pod 3 is seat 3. A pod without a number (a new one) takes the first seat that waits for one, and
says on its screen where there is none. A port that is pulled out and put in again is found by
looking once a second. Each port has a thread that keeps its conversation going until it is gone.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from logging import getLogger
from threading import Event, Lock, Thread
from typing import Any

from companion.drawing.seat import spare_pod
from companion.seats.contacts import POSSIBLE_MS, SETTLE, SETTLE_MS
from companion.seats.plan import SeatTrouble
from companion.system.host import Lasting
from companion.table.ports import Picture, Trouble
from race_companion_pods import link
from race_companion_pods.ports import Port, PortLost, SerialPort, usb_ports
from race_companion_pods.wire import FIRMWARE, LAMPS, LEVEL, Hello, Stranger

FindPorts = Callable[[], Sequence[str]]


def open_seats(seats: Sequence[int], listener: Any, options: Any) -> PodSeats:
    """Start the pods of some seats.

    Args:
        options: `[pod]` of the configuration: `ports`, the names of the serial ports; left out,
            all on USB whose boards seat.toml knows. `buzzer`, whether a pod sounds when its
            seat's turn comes; left out, it does not. `settle_ms`, how long a contact must be
            steady; left out, 5.
    """
    find_ports, buzzer, settle_ms = settings_of(options)
    return PodSeats(seats, listener, find_ports=find_ports, buzzer=buzzer, settle_ms=settle_ms)


def settings_of(options: Any) -> tuple[FindPorts, bool, int]:
    """What finds the ports, whether the buzzer is wanted, how long a contact must be steady."""
    settle_ms = options.number(SETTLE, SETTLE_MS, POSSIBLE_MS[0], POSSIBLE_MS[-1])
    buzzer = options.flag("buzzer", False)  # first: what is not read counts as unknown
    return ports_of(options), buzzer, settle_ms


def ports_of(options: Any) -> FindPorts:
    """What finds the ports that the configuration means.

    Raises:
        SeatTrouble: it says something that cannot be followed.
    """
    ports = options.get("ports")
    if ports is None:
        return usb_ports
    if not isinstance(ports, list) or not all(isinstance(port, str) for port in ports):
        raise SeatTrouble(f"[pod] ports = {ports!r} should be a list of names of ports")
    return lambda: ports


TURN_MS = 60
"""The sound of "your turn", where the configuration wants it."""
LOOK_S = 1.0
"""Between two looks for ports."""
PATIENCE_S = 4.0
"""So long after the start, a seat without a pod is reported."""


class PodSeats:
    """The driver of all seats that are pods.

    Args:
        find_ports: the names of the ports that may have a pod.
        open_port: opens one of them; raises `PortLost`.
        look_s: between two looks for ports.
        buzzer: whether a pod sounds when its seat's turn comes.
        settle_ms: how long a button's contact must be steady.
    """

    def __init__(
        self,
        seats: Sequence[int],
        listener: Any,
        *,
        find_ports: FindPorts = usb_ports,
        open_port: Callable[[str], Port] = SerialPort,
        look_s: float = LOOK_S,
        buzzer: bool = False,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        self._seats = tuple(seats)
        self._listener = listener
        self._find_ports, self._open_port, self._look_s = find_ports, open_port, look_s
        self._beep_ms = TURN_MS if buzzer else 0
        self._settle_ms = settle_ms
        self._lock = Lock()
        self._pictures: dict[int, Picture] = {}
        self._talks: dict[str, Conversation] = {}
        self._at: dict[int, Conversation] = {}
        self._strangers: dict[Conversation, Trouble] = {}
        self._spare: dict[Conversation, int] = {}
        self._given: dict[Conversation, int] = {}
        self._waiting = set(self._seats)
        self._missed: dict[int, Trouble] = {}
        self._over = Event()
        self._unseen: Trouble | None = None
        self._watcher = Lasting("pods", self._watch, self._over.is_set)
        self._watcher.start()

    def show(self, seat: int, picture: Picture) -> None:
        """Show this picture; the latest wins; never blocks."""
        with self._lock:
            before = self._pictures.get(seat)
            self._pictures[seat] = picture
            talk = self._at.get(seat)
            if talk is None:
                return
            talk.show(picture)
            was = before.lamp if before else "off"
            if picture.lamp != was:
                is_turn = (was, picture.lamp) == ("off", "on")
                talk.signal(lamp=LAMPS[picture.lamp], beep_ms=self._beep_ms if is_turn else 0)

    def beep(self, seat: int, ms: int) -> None:
        """Let a seat sound for so long."""
        with self._lock:
            talk, shown = self._at.get(seat), self._pictures.get(seat)
            if talk is not None:
                talk.signal(lamp=LAMPS[shown.lamp if shown else "off"], beep_ms=ms)

    def errors(self, seat: int) -> dict[str, int]:
        """What went wrong on the line of a seat, and with its screen."""
        talk = self._at.get(seat)
        return talk.errors if talk else {}

    def close(self) -> None:
        """Let all ports go. May be called twice."""
        # The watcher first, which could otherwise begin another conversation.
        self._over.set()
        if self._watcher.is_alive():
            self._watcher.join()
        for talk in list(self._talks.values()):
            talk.close()

    def _watch(self) -> None:
        """Look for ports that have come and conversations that have ended."""
        patient_until_s = time.monotonic() + PATIENCE_S
        while True:
            # First those that have ended: their ports can then be opened again in this round.
            for name, talk in list(self._talks.items()):
                if talk.is_over:
                    self._part(name, talk)
            for name in self._look():
                if name not in self._talks:
                    self._begin(name)
            self._tell_spares()
            if time.monotonic() >= patient_until_s:
                self._miss()
            if self._over.wait(self._look_s):
                return

    def _look(self) -> Sequence[str]:
        """The ports that are found; none while they cannot be looked at, which the page says."""
        try:
            found, self._unseen = self._find_ports(), None
        except PortLost as lost:
            found, self._unseen = [], lost.trouble
        return found

    def _begin(self, name: str) -> None:
        talk = Conversation(
            name,
            on_event=self._event,
            on_hello=self._greet,
            open_port=self._open_port,
            settle_ms=self._settle_ms,
        )
        self._talks[name] = talk
        talk.start()

    def _part(self, name: str, talk: Conversation) -> None:
        """A port is gone: its seat waits for a pod, and the port is tried again."""
        del self._talks[name]
        talk.close()
        self._strangers.pop(talk, None)
        seat = self._seat_of(talk)
        with self._lock:
            self._spare.pop(talk, None)
            self._given.pop(talk, None)
        if seat is not None:
            with self._lock:
                del self._at[seat]
            self._listener.health(seat, "pod", talk.lost or Trouble("unplugged"))

    def _miss(self) -> None:
        """Tell of each seat that has never had a pod, and again where the reason is another."""
        with self._lock:
            self._waiting -= self._at.keys()
            missing = sorted(self._waiting)
        for seat in missing:
            why = self._why_none(seat)
            if self._missed.get(seat) != why:
                self._missed[seat] = why
                self._listener.health(seat, "pod", why)

    def _why_none(self, seat: int) -> Trouble:
        """Why a seat has no pod: the pod that is there without a seat explains it best."""
        with self._lock:
            number = next(filter(None, self._spare.values()), None)
        if number is not None:
            key, is_what = "pod-elsewhere", f"pod {number} has no seat here"
            if number in self._seats:
                key, is_what = "pod-twice", f"two pods are number {number}"
            says = f"no pod for seat {seat}; {is_what}: press one of its buttons to sit there"
            return Trouble(key, says, {"n": number})
        if self._unseen is not None:
            return self._unseen
        why = next((talk.lost for talk in self._talks.values() if talk.lost), None)
        return why or Trouble("no-pod", f"no pod for seat {seat} on any port")

    def _tell_spares(self) -> None:
        """Each pod without a seat shows why, and what a press does; only what changes is sent."""
        with self._lock:
            free = self._free_seat()
            for talk, number in self._spare.items():
                is_twin = number in self._seats
                talk.show(Picture(free or 0, spare_pod(number, is_twin=is_twin, free=free)))

    def _free_seat(self) -> int | None:
        return next((seat for seat in self._seats if seat not in self._at), None)

    def _sit_by_press(self, talk: Conversation) -> None:
        """A button of a pod without a seat was pressed: it takes the seat that its screen names."""
        with self._lock:
            free = self._free_seat()
            if talk not in self._spare or free is None:
                return
            self._given[talk] = free
        if self._sit_down(talk, free) is not None and talk.hello is not None:
            self._listener.health(free, "pod", None)
            self._greet(talk, talk.hello)

    def _seat_of(self, talk: Conversation) -> int | None:
        with self._lock:
            return next((seat for seat, one in self._at.items() if one is talk), None)

    def _event(self, talk: Conversation, event: link.Event) -> None:
        match event:
            case link.Arrived(hello):
                self._strangers.pop(talk, None)
                # A seat that was taken by a press is kept for as long as the port is there.
                seat = self._sit_down(talk, self._given.get(talk, hello.pod))
                if seat is not None:
                    self._listener.health(seat, "pod", None)
                    self._greet(talk, hello)
                else:
                    self._spare[talk] = hello.pod
                    self._tell_spares()
            case link.Pressed():
                self._press(talk, event)
            case link.Silent():
                says = "the pod is silent: pull its plug and put it in again"
                self._fail(talk, Trouble("silent", f"{talk.name}: {says}"))
            case link.Strange(stranger):
                self._strangers[talk] = _strange(talk.name, stranger)
                # It gets a seat all the same: its trouble has to be told of some seat.
                self._sit_down(talk, 0)
                self._fail(talk, self._strangers[talk])

    def _press(self, talk: Conversation, pressed: link.Pressed) -> None:
        seat, button = self._seat_of(talk), pressed.button
        if seat is None:
            self._sit_by_press(talk)
            return
        if pressed.bounced_ms is not None:
            self._listener.bounce(seat, button, pressed.bounced_ms)
        self._listener.press(seat, button, pressed.hold, pressed.picture)

    def _fail(self, talk: Conversation, why: Trouble) -> None:
        seat = self._seat_of(talk)
        if seat is not None:
            self._listener.health(seat, "pod", why)

    def _sit_down(self, talk: Conversation, number: int) -> int | None:
        """Give a pod of this number (0: none that we know) its seat, and the seat's picture.

        A pod that we cannot talk to makes room for one of the seat's own number.
        """
        with self._lock:
            old = next((seat for seat, one in self._at.items() if one is talk), None)
            seat = self._seat_for(talk, number, old)
            if old is not None and seat != old:
                del self._at[old]
            if seat is None:
                return None
            self._spare.pop(talk, None)
            displaced, self._at[seat] = self._at.get(seat, talk), talk
            picture = self._pictures.get(seat)
            if picture is not None and talk not in self._strangers:
                talk.show(picture)  # in here, so that no newer one can be overtaken
                talk.signal(lamp=LAMPS[picture.lamp])
        if displaced is not talk:
            self._sit_down(displaced, 0)
            self._fail(displaced, self._strangers[displaced])
        return seat

    def _seat_for(self, talk: Conversation, number: int, old: int | None) -> int | None:
        """The seat of a number; without one the seat it has, else the first that is free."""
        if not number and old is not None:
            return old
        free = [
            seat
            for seat in self._seats
            if (at := self._at.get(seat)) in (None, talk) or (number and at in self._strangers)
        ]
        if number:
            return number if number in free else None
        return next(iter(free), None)

    def _greet(self, talk: Conversation, hello: Hello) -> None:
        """The pod's hello differs from its last: its screen may be dead, or alive again."""
        seat = self._seat_of(talk)
        if seat is not None:
            is_alive = hello.screen > 0
            says = "the screen does not answer: look at its four wires"
            trouble = None if is_alive else Trouble("silent", f"{talk.name}: {says}")
            self._listener.health(seat, "screen", trouble)


def _strange(port: str, stranger: Stranger) -> Trouble:
    """A pod whose protocol we do not speak: both versions, on the page too."""
    key = "old-firmware" if stranger.level < LEVEL else "new-firmware"
    versions = {
        "has": link.format_firmware(stranger.firmware),
        "needs": link.format_firmware(FIRMWARE),
    }
    return Trouble(key, f"{port}: {link.describe(stranger)}", versions)


# -- the conversation on one port -----------------------------------------------------------------


_log = getLogger(__name__)
_LONGEST_WAIT_S = 1.0


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
        on_event: Callable[[Conversation, link.Event], None],
        on_hello: Callable[[Conversation, Hello], None],
        open_port: Callable[[str], Port] = SerialPort,
        settle_ms: int = SETTLE_MS,
    ) -> None:
        self.name = name
        self.lost: Trouble | None = None
        self._on_event, self._on_hello = on_event, on_hello
        self._open_port = open_port
        self._link = link.Link(settle_ms)
        self._lock = Lock()
        self._port: Port | None = None
        self._over = Event()
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
        self._do(lambda line: line.show(picture))

    def setup(self, pod: int, controller: int) -> None:
        """Have the pod keep its number and its screen's controller."""
        self._do(lambda line: line.setup(pod, controller))

    def signal(self, *, lamp: int, beep_ms: int = 0) -> None:
        """The pod's lamp, one of `LAMPS`, and its buzzer."""
        self._do(lambda line: line.signal(lamp=lamp, beep_ms=beep_ms))

    def close(self) -> None:
        """Let the port go and wait until the thread has ended. May be called twice."""
        self._over.set()
        self._wake()
        if self._thread.is_alive():
            self._thread.join()

    def _do(self, act: Callable[[link.Link], None]) -> None:
        with self._lock:
            act(self._link)
        self._wake()

    def _wake(self) -> None:
        # Read once: the conversation's own thread may let go of it meanwhile.
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
            # A port that is closed must not be woken.
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
        # Outside the lock: whoever is told shows pictures in turn, which takes it again.
        for event in events:
            self._on_event(self, event)
        if hello is not None and hello != before:
            self._on_hello(self, hello)


def _now_ms() -> float:
    return time.monotonic() * 1000
