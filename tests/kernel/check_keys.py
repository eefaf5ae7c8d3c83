"""Run by `make test-kernel` in an emulated machine: seats of pads on real input devices.

The kernel's uinput stands for the USB socket; evdev, its grabbing and its errors are the real ones.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import evdev
from evdev import ecodes

import race_companion_keys as keys
from companion.system.plugins import Options
from companion.table.ports import Picture, Reply
from companion.views.model import Trouble
from race_companion_keys import PAD, find_pads, socket_of

PATIENCE_S = 20.0


class Listener:
    def __init__(self) -> None:
        self.presses: list[tuple[int, int, bool, int | None]] = []
        self.troubles: dict[int, Trouble | None] = {}

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.presses.append((seat, button, hold, picture))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        self.troubles[seat] = trouble


def said(**options: object) -> Options:
    return Options("keys", options)


def soon(is_true: Callable[[], bool]) -> bool:
    until_s = time.monotonic() + PATIENCE_S
    while not is_true():
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


def plug(socket: str, codes: tuple[int, ...] = PAD) -> Any:
    """A device at a socket, as the kernel would show one of USB."""
    return evdev.UInput(
        {ecodes.EV_KEY: codes}, name="number pad", bustype=ecodes.BUS_USB, phys=f"{socket}/input0"
    )


def tap(pad: Any, code: int) -> None:
    for value in (1, 0):
        pad.write(ecodes.EV_KEY, code, value)
        pad.syn()


def sockets() -> list[str]:
    found = find_pads()
    for pad in found:
        pad.close()
    return [socket_of(pad) for pad in found]


def main() -> None:
    mouse = plug("usb-0-1.9", (ecodes.BTN_LEFT, ecodes.BTN_RIGHT))
    assert PAD[0] == ecodes.KEY_KP1
    assert keys.CONTROLLER[0] == ecodes.BTN_SOUTH
    assert keys.CONTROLLER[5] == ecodes.BTN_TR
    assert keys.JOYSTICK[0] == ecodes.BTN_TRIGGER
    assert keys.ROW[0] == ecodes.KEY_1
    pads = [plug("usb-0-1.2"), plug("usb-0-1.3")]
    assert soon(lambda: sockets() == ["usb-0-1.2", "usb-0-1.3"]), sockets()
    print("two equal pads are told apart by their sockets, and a mouse is none")
    listener = Listener()
    with keys.open_seats((1, 2), listener, said(sockets={"1": "usb-0-1.3"})) as seats:
        seats.show(1, Picture(41, bytes(1024)))
        assert soon(lambda: listener.troubles == {1: None, 2: None}), listener.troubles
        others = [evdev.InputDevice(path) for path in evdev.list_devices()]
        tap(pads[1], PAD[3])
        tap(pads[0], PAD[5])
        assert soon(lambda: len(listener.presses) == 2)
        assert sorted(listener.presses) == [(1, 4, False, 41), (2, 6, False, 0)]
        print("a key of each is a press of its seat")
        for one in others:
            try:
                heard = list(one.read())
            except BlockingIOError:
                heard = []
            assert heard == [], one
            one.close()
        print("and nobody else hears it")
        pads[1].close()
        assert soon(lambda: (listener.troubles[1] or Trouble("")).key == "unplugged")
        pads[1] = plug("usb-0-1.3")
        assert soon(lambda: listener.troubles[1] is None)
        tap(pads[1], PAD[0])
        assert soon(lambda: listener.presses[2:] == [(1, 1, False, 41)])
        print("pulled out it is told, and plugged in again it has its seat")
    busy, wanted = evdev.InputDevice(pads[0].device.path), Listener()
    busy.grab()
    with keys.open_seats((1, 2), wanted, said()):
        assert soon(lambda: [why.key for why in wanted.troubles.values() if why] == ["port-busy"])
        busy.close()
        assert soon(lambda: wanted.troubles == {1: None, 2: None}), wanted.troubles
    print("one that another program has is told, and had once it is free")
    found = list(keys.examine({"seats": (1, 2, 3)}, said()))
    assert [one["ok"] for one in found] == [True, True, False], found
    print("the doctor finds both, and that one is missing")
    mouse.close()


if __name__ == "__main__":
    main()
