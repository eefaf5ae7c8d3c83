"""Seats without an iron: a number pad, a keyboard or a game controller at a USB socket, one a seat.

The keys 1 to 6, of the row or of the pad, are the six buttons; of a controller they are the four
buttons under the thumb and the two under the fingers. A device is read through python-evdev and
grabbed, so that its digits reach no console. It has no glass: what its seat shows is the page
`/seat/N`, on a television or any other screen. Two devices of a kind are told apart by the socket
that they are in.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from errno import ENODEV
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from struct import Struct
from threading import Lock
from typing import Any, Final, Protocol

from companion.drawing.bitmap import SIZE
from companion.seats.contacts import HOLD_MS
from companion.seats.plan import SeatTrouble
from companion.system.host import Closing, Lasting
from companion.table.ports import Picture, Trouble

# -- what the kernel says of keys (linux/input-event-codes.h) -------------------------------------

EV_SYN, EV_KEY, SYN_DROPPED = 0, 1, 3
UP, DOWN = 0, 1
"""Of a key; 2 is one that repeats itself."""
ROW: Final = tuple(range(2, 8))
PAD: Final = (79, 80, 81, 75, 76, 77)
CONTROLLER: Final = (0x130, 0x131, 0x133, 0x134, 0x136, 0x137)
"""South, east, north, west, and the two shoulders."""
JOYSTICK: Final = tuple(range(0x120, 0x126))
"""What encoders for arcade buttons send."""
BUTTON_OF: Final[Mapping[int, int]] = {
    code: button
    for codes in (ROW, PAD, CONTROLLER, JOYSTICK)
    for button, code in enumerate(codes, 1)
}
LETTERS: Final = range(16, 51)
PLUGGED: Final = {0x03, 0x05}
"""USB and Bluetooth: the keyboard that is built into a laptop is no seat."""


class Event(Protocol):
    """An event of the kernel."""

    @property
    def type(self) -> int: ...
    @property
    def code(self) -> int: ...
    @property
    def value(self) -> int: ...


class Pad(Protocol):
    """What is used of evdev's `InputDevice`."""

    name: str
    phys: str
    uniq: str
    fd: int

    def grab(self) -> None:
        """Have it alone. Raises `OSError`."""

    def read(self) -> Iterable[Event]:
        """What has come. Raises `OSError` once it is unplugged."""

    def close(self) -> None:
        """Let go of it."""


Find = Callable[[], Sequence[Pad]]
"""Opens every device that can be a seat, in the order in which they are given seats."""


def socket_of(pad: Pad) -> str:
    """Where a device is plugged in, or which one it is where it comes through the air.

    A device of several parts says `usb-0000:01:00.0-1.2/input0` and so on: they are one.
    """
    return pad.uniq if ":" in pad.uniq and "usb" not in pad.phys else pad.phys.partition("/")[0]


def find_pads() -> list[Pad]:
    """Every pad, keyboard and controller of this machine: those without letters first."""
    evdev = import_module("evdev")
    found: dict[str, tuple[bool, Pad]] = {}
    for path in sorted(evdev.list_devices(), key=lambda path: (len(path), path)):
        try:
            pad = evdev.InputDevice(path)
            keys = set(pad.capabilities().get(EV_KEY, ()))
        except OSError:  # it was pulled out meanwhile
            continue
        can = any(keys.issuperset(codes) for codes in (ROW, PAD, CONTROLLER, JOYSTICK))
        if can and pad.info.bustype in PLUGGED and socket_of(pad) not in found:
            found[socket_of(pad)] = keys.issuperset(LETTERS[:10]), pad
        else:
            pad.close()
    return [found[socket][1] for socket in sorted(found, key=lambda one: (found[one][0], one))]


# -- the driver -----------------------------------------------------------------------------------

INSTALL: Final = "sudo apt install python3-evdev"
LOOK_S = 1.0
"""So often a seat without a device is looked for one."""


def open_seats(seats: Sequence[int], listener: Any, options: Any) -> KeySeats:
    """Start the seats of pads, keyboards and controllers.

    Args:
        options: `[keys]` of the configuration: `sockets` by seat, where a seat's device shall not
            be the next one that is found.

    Raises:
        SeatTrouble: that cannot be done.
    """
    if not has_evdev():
        raise SeatTrouble(f"keys need the library evdev: {INSTALL}", "no-library", name="evdev")
    return KeySeats(seats, listener, find_pads, sockets_of(seats, options))


def sockets_of(seats: Sequence[int], options: Any) -> dict[str, int]:
    """The seat of each socket that the configuration names.

    Raises:
        SeatTrouble: it is no such table.
    """
    named = options.get("sockets") or {}
    if not isinstance(named, dict) or not all(isinstance(one, str) for one in named.values()):
        raise SeatTrouble(f"[keys] sockets = {named!r} should be a table of texts by seat")
    if wrong := sorted(named.keys() - {str(seat) for seat in seats}):
        known = ", ".join(map(str, seats))
        raise SeatTrouble(f"[keys.sockets] names seat {wrong[0]!r}; the seats of keys are {known}")
    return {socket: int(seat) for seat, socket in named.items()}


@dataclass(frozen=True, slots=True)
class _Down:
    """A key under a finger since `at_ms`, which came down on this picture."""

    at_ms: float
    picture: int


class KeySeats(Closing):
    """The driver of such seats. Its pictures are seen elsewhere.

    Args:
        find: opens the devices.
        sockets: the seat of a socket, where the configuration names it.
        now: a monotonic clock in seconds.
    """

    def __init__(
        self,
        seats: Sequence[int],
        listener: Any,
        find: Find,
        sockets: Mapping[str, int],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seats, self._listener, self._find, self._now = seats, listener, find, now
        self._seat_of = dict(sockets)
        self._named = frozenset(sockets.values())
        self._pads: dict[int, Pad] = {}
        self._down: dict[tuple[int, int], _Down] = {}
        self._pictures: dict[int, Picture] = {}
        self._told: dict[int, Trouble] = {}
        self._end, self._ending = os.pipe()
        self._closing = Lock()
        self._thread = Lasting("keys", self._serve, lambda: False)
        self._thread.start()

    def show(self, seat: int, picture: Picture) -> None:
        """Keep this picture: a press is meant for the one that was there when the key came down."""
        self._pictures[seat] = picture

    def close(self) -> None:
        """Let go of all devices. May be called twice."""
        with self._closing:
            if self._ending < 0:
                return
            os.close(self._ending)
            self._ending = -1
        self._thread.join()
        os.close(self._end)

    # -- the thread ------------------------------------------------------------------------------

    def _serve(self) -> None:
        while True:
            missing = [seat for seat in self._seats if seat not in self._pads]
            if missing:
                self._look(missing)
            by_fd = {pad.fd: seat for seat, pad in self._pads.items()}
            waiting = LOOK_S if len(self._pads) < len(self._seats) else None
            ready = select.select([self._end, *by_fd], (), (), waiting)[0]
            if self._end in ready:
                break
            for fd in ready:
                self._read(by_fd[fd])
        for pad in self._pads.values():
            pad.close()

    def _look(self, missing: list[int]) -> None:
        """Give the seats without a device one, and tell of those that stay without."""
        why = Trouble("no-port", "no pad, keyboard or controller: plug one in")
        try:
            found = self._find()
        except Exception as error:  # a device that goes while it is looked at must end no seat
            found, why = (), Trouble("failed", f"the devices cannot be looked for: {error}")
        taken = {socket_of(pad) for pad in self._pads.values()}
        for pad in found:
            socket = socket_of(pad)
            seat = self._seat_of.get(socket) or self._free()
            if socket in taken or seat is None or seat in self._pads:
                pad.close()
                continue
            why = self._sit(pad, socket, seat) or why
        for seat in missing:
            if seat not in self._pads and self._told.get(seat) != why:
                self._told[seat] = why
                self._listener.health(seat, "buttons", why)

    def _free(self) -> int | None:
        """The first seat without a device; one whose own is out waits for it if another can."""
        free = [seat for seat in self._seats if seat not in self._pads and seat not in self._named]
        new = [seat for seat in free if seat not in self._seat_of.values()]
        return next(iter(new or free), None)

    def _sit(self, pad: Pad, socket: str, seat: int) -> Trouble | None:
        """Put a device at a seat; why that cannot be, or None."""
        try:
            pad.grab()
        except OSError as error:
            pad.close()
            return Trouble("port-busy", f"{pad.name} at {socket}: {error.strerror}")
        for old in [one for one, its in self._seat_of.items() if its == seat]:
            del self._seat_of[old]
        self._seat_of[socket] = seat
        self._pads[seat] = pad
        self._told.pop(seat, None)
        self._listener.health(seat, "buttons", None)
        return None

    def _read(self, seat: int) -> None:
        try:
            events = list(self._pads[seat].read())
        except OSError as error:
            self._pads.pop(seat).close()
            self._forget(seat)
            self._told[seat] = Trouble("unplugged", f"seat {seat}: {error.strerror}")
            self._listener.health(seat, "buttons", self._told[seat])
            return
        for event in events:
            if (event.type, event.code) == (EV_SYN, SYN_DROPPED):
                self._forget(seat)  # the kernel has lost some: no finger is known to be down
            elif event.type == EV_KEY and event.code in BUTTON_OF:
                self._key(seat, event.code, event.value)

    def _forget(self, seat: int) -> None:
        for key in [one for one in self._down if one[0] == seat]:
            del self._down[key]

    def _key(self, seat: int, code: int, value: int) -> None:
        now_ms = self._now() * 1000
        if value == DOWN:
            picture = self._pictures.get(seat)
            self._down[seat, code] = _Down(now_ms, picture.number if picture else 0)
        elif value == UP and (began := self._down.pop((seat, code), None)) is not None:
            is_held = now_ms - began.at_ms >= HOLD_MS
            self._listener.press(seat, BUTTON_OF[code], is_held, began.picture)


# -- the simulated twin ---------------------------------------------------------------------------


class SimulatedKeys(KeySeats):
    """The same driver with pads of which the bytes are ours; for the cabinet and for tests."""

    kind = "keys"

    def __init__(
        self, seats: Sequence[int], listener: Any, sockets: Mapping[str, int] | None = None
    ) -> None:
        self.pads = {seat: SimulatedPad(f"usb-simulated-1.{seat}") for seat in seats}
        super().__init__(seats, listener, self._plugged, sockets or {})

    def _plugged(self) -> list[Pad]:
        return [plugged for pad in self.pads.values() if (plugged := pad.plugged())]

    def glass(self, seat: int) -> bytes:
        """What the seat's page shows."""
        picture = self._pictures.get(seat)
        return picture.bitmap if picture else bytes(SIZE)

    def lamp(self, seat: int) -> bool | None:
        """A pad has none."""
        return None

    def finger(self, seat: int, button: int, down: bool) -> None:
        """A finger goes down on a key, or up."""
        self.pads[seat].send(PAD[button - 1], DOWN if down else UP)

    def fault(self, seat: int, name: str, on: bool) -> None:
        """Put a fault in, or take it out. Keys of a pad do not bounce."""
        if name != "noise":
            self.pads[seat].plug(not on)


class SimulatedPad:
    """A number pad: the kernel's 24 bytes an event, through a pipe."""

    def __init__(self, socket: str) -> None:
        self._socket = socket
        self._ends: tuple[int, int] | None = os.pipe()
        self._moving = Lock()

    def plugged(self) -> Pad | None:
        """The device as it is opened; None while it is out."""
        with self._moving:
            return _Opened(self._socket, os.dup(self._ends[0])) if self._ends else None

    def plug(self, is_in: bool) -> None:
        """Put it in, or pull it out."""
        with self._moving:
            if is_in == (self._ends is not None):
                return
            if self._ends:
                for end in self._ends:
                    os.close(end)
            self._ends = os.pipe() if is_in else None

    def send(self, code: int, value: int) -> None:
        """A key goes down, up, or repeats itself."""
        with self._moving:
            if self._ends:
                key = _EVENT.pack(0, 0, EV_KEY, code, value)
                os.write(self._ends[1], key + _EVENT.pack(0, 0, EV_SYN, 0, 0))


_EVENT: Final = Struct("llHHi")
"""The kernel's `struct input_event`: seconds, microseconds, type, code, value."""


@dataclass(frozen=True, slots=True)
class _Said:
    type: int
    code: int
    value: int


class _Opened:
    """A simulated pad as evdev would have opened it."""

    name, uniq = "simulated pad", ""

    def __init__(self, socket: str, fd: int) -> None:
        self.phys, self.fd = f"{socket}/input0", fd

    def grab(self) -> None:
        """Nobody else reads it."""

    def read(self) -> Iterator[_Said]:
        """What has come.

        Raises:
            OSError: it was pulled out, as the kernel says it.
        """
        came = os.read(self.fd, 64 * _EVENT.size)
        if not came:
            raise OSError(ENODEV, os.strerror(ENODEV))
        return (_Said(*rest) for _, _, *rest in _EVENT.iter_unpack(came))

    def close(self) -> None:
        """Let go of it."""
        os.close(self.fd)


def open_simulated(seats: Sequence[int], listener: Any, options: Any) -> SimulatedKeys:
    """Start such seats with simulated pads.

    Raises:
        SeatTrouble: the configuration asks for what there is not.
    """
    return SimulatedKeys(seats, listener, sockets_of(seats, options))


# -- the examination ------------------------------------------------------------------------------


def examine(
    wires: Mapping[str, Any], options: Any, find: Find = find_pads, root: Path = Path("/")
) -> Iterator[dict[str, Any]]:
    """Examine what is plugged in for the seats in `wires`; the table must not be running."""
    what, seats = "keys", wires["seats"]
    try:
        sockets = sockets_of(seats, options)
    except SeatTrouble as trouble:
        mend = "edit companion.toml"
        yield {"what": "configuration", "says": str(trouble), "ok": False, "mend": mend}
        return
    if not has_evdev():
        yield {"what": "libraries", "says": "missing: evdev", "ok": False, "mend": INSTALL}
        return
    devices = sorted((root / "dev/input").glob("event*"))
    if shut := [one.name for one in devices if not os.access(one, os.R_OK | os.W_OK)]:
        mend = "sudo usermod -aG input $USER, then log in again"
        says = f"/dev/input/{shut[0]} may not be opened"
        yield {"what": what, "says": says, "ok": False, "mend": mend}
    pads = find()
    for pad in pads:
        socket = socket_of(pad)
        says, seat = f"{pad.name} at {socket}", sockets.get(socket)
        yield {"what": what, "says": says, "ok": True, "seat": seat}
        pad.close()
    if len(pads) < len(seats):
        says = f"{len(seats)} seats of keys, and {len(pads)} with the keys 1 to 6 plugged in"
        mend = "plug in a number pad, a keyboard or a game controller a seat"
        yield {"what": what, "says": says, "ok": False, "mend": mend}


def has_evdev() -> bool:
    """Whether the library is installed."""
    return find_spec("evdev") is not None


open_seats.examine = examine  # type: ignore[attr-defined]  # as docs/plugins.md has it
