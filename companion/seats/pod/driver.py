"""The driver of pods: whatever port they are on, each comes to its seat.

Ports move and cheap boards have no serial number, so a pod is known by the number in its
hello: pod 3 is seat 3. A pod without a number (a new one) takes the first seat that waits for
one, and says on its glass where there is none. A port that is pulled out and put in again is
found by looking once a second.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from threading import Event as Flag
from threading import Lock, Thread
from typing import Protocol, runtime_checkable

from companion.drawing.notice import spare_pod
from companion.seats.plan import Options
from companion.seats.pod.codec import Stranger
from companion.seats.pod.conversation import Conversation
from companion.seats.pod.link import (
    Arrived,
    Event,
    Pressed,
    Silent,
    Strange,
    describe,
    format_firmware,
)
from companion.seats.pod.serialport import Port, SerialPort, usb_ports
from companion.seats.pod.wire import FIRMWARE, LAMPS, LEVEL, SETTLE_MS, Hello
from companion.seats.settling import SETTLE, settle_of
from companion.seats.trouble import SeatTrouble
from companion.table.ports import Picture, SeatListener, Trouble

OPTIONS = {"ports", "buzzer", SETTLE}
FindPorts = Callable[[], Sequence[str]]
LOOK_S = 1.0
"""Between two looks for ports."""
PATIENCE_S = 4.0
"""So long after the start, a seat without a pod is reported."""
TURN_MS = 60
"""The sound of "your turn", where the configuration wants it."""


@runtime_checkable
class Feeling(Protocol):
    """What a listener may also be: one that wants to know how contacts bounce."""

    def bounce(self, seat: int, button: int, ms: int) -> None:
        """The contact of the press that follows bounced so long."""


def open_seats(seats: Sequence[int], listener: SeatListener, options: Options) -> PodSeats:
    """Start the pods of some seats.

    Args:
        options: `[pod]` of the configuration: `ports`, the names of the serial ports; left out,
            all on USB whose boards seat.toml knows. `buzzer`, whether a pod sounds when its
            seat's turn comes; left out, it does not. `settle_ms`, how long a contact must be
            steady; left out, 5.

    Raises:
        SeatTrouble: the configuration says something else.
    """
    settle_ms, buzzer = settle_of("pod", options), has_buzzer(options)
    find_ports = ports_of(options)
    return PodSeats(seats, listener, find_ports=find_ports, buzzer=buzzer, settle_ms=settle_ms)


def ports_of(options: Options) -> FindPorts:
    """What finds the ports that the configuration means.

    Raises:
        SeatTrouble: it says something that cannot be followed.
    """
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise SeatTrouble(f"[pod] has {unknown[0]!r}; it knows {', '.join(sorted(OPTIONS))}")
    ports = options.get("ports")
    if ports is None:
        return usb_ports
    if not isinstance(ports, list) or not all(isinstance(port, str) for port in ports):
        raise SeatTrouble(f"[pod] ports = {ports!r} should be a list of names of ports")
    return lambda: ports


def has_buzzer(options: Options) -> bool:
    """Whether the configuration wants the buzzer.

    Raises:
        SeatTrouble: it says neither true nor false.
    """
    wanted = options.get("buzzer", False)
    if not isinstance(wanted, bool):
        raise SeatTrouble(f"[pod] buzzer = {wanted!r} should be true or false")
    return wanted


class PodSeats:
    """A `SeatDriver` for all seats that are pods.

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
        listener: SeatListener,
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
        self._over = Flag()
        self._watcher = Thread(target=self._watch, name="pods", daemon=True)
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
        """Let a seat sound for so long; see `Sounding`."""
        with self._lock:
            talk, shown = self._at.get(seat), self._pictures.get(seat)
            if talk is not None:
                talk.signal(lamp=LAMPS[shown.lamp if shown else "off"], beep_ms=ms)

    def errors(self, seat: int) -> dict[str, int]:
        """What went wrong on the line of a seat, and with its screen; see `Counting`."""
        talk = self._at.get(seat)
        return talk.errors if talk else {}

    def close(self) -> None:
        """Let all ports go. May be called twice."""
        self._over.set()
        if self._watcher.is_alive():
            self._watcher.join()
        for talk in list(self._talks.values()):
            talk.close()

    def _watch(self) -> None:
        """Look for ports that have come and conversations that have ended."""
        patient_until_s = time.monotonic() + PATIENCE_S
        while True:
            for name, talk in list(self._talks.items()):
                if talk.is_over:
                    self._part(name, talk)
            for name in self._find_ports():
                if name not in self._talks:
                    self._begin(name)
            self._tell_spares()
            if time.monotonic() >= patient_until_s:
                self._miss()
            if self._over.wait(self._look_s):
                return

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

    def _event(self, talk: Conversation, event: Event) -> None:
        match event:
            case Arrived(hello):
                self._strangers.pop(talk, None)
                seat = self._sit_down(talk, self._given.get(talk, hello.pod))
                if seat is not None:
                    self._listener.health(seat, "pod", None)
                    self._greet(talk, hello)
                else:
                    self._spare[talk] = hello.pod
                    self._tell_spares()
            case Pressed():
                self._press(talk, event)
            case Silent():
                says = "the pod is silent: pull its plug and put it in again"
                self._fail(talk, Trouble("silent", f"{talk.name}: {says}"))
            case Strange(stranger):
                self._strangers[talk] = _strange(talk.name, stranger)
                self._sit_down(talk, 0)
                self._fail(talk, self._strangers[talk])

    def _press(self, talk: Conversation, pressed: Pressed) -> None:
        seat, button = self._seat_of(talk), pressed.button
        if seat is None:
            self._sit_by_press(talk)
            return
        if pressed.bounced_ms is not None and isinstance(self._listener, Feeling):
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
    versions = {"has": format_firmware(stranger.firmware), "needs": format_firmware(FIRMWARE)}
    return Trouble(key, f"{port}: {describe(stranger)}", versions)
