# SPDX-License-Identifier: MIT
"""picosim.py IMAGE --port LINK [--pod N] [--sh1106] [--seed N]: a pod on a Raspberry Pi Pico.

rp2040py emulates the chip's core and its peripherals, which run the firmware's own image; here are
six buttons, a screen that takes the time that I2C takes, the flash chip's own number, and the
computer at the other end of the cable. As a program it lets time pass as it does outside, and is
told what podsim is told (control.c), of which it knows less.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import time
import tty
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from io import FileIO
from pathlib import Path
from random import Random

from rp2040py import RP2040, ConsoleLogger, GPIOPinState, I2CMode, LogLevel, Simulator
from rp2040py.device.load_flash import load_uf2
from rp2040py.execute_batch import execute_batch
from rp2040py.usb.cdc import USBCDC

from race_companion_wired.oled import Oled

NANOS_PER_MS = 1_000_000
NANOS_PER_CLOCK = 1e9 / 48_000_000
FLASH = 0x10000000
BUTTONS = {1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7}
"""The line of each button; a test holds all of these against the pin map."""
LED, BUZZER, SDA, SCL = 15, 14, 0, 1
ADDRESS = 0x3C
PULL_UP = 1 << 3
OWN_NUMBER = bytes.fromhex("E6614C311B7A9F2D")
READ_OWN_NUMBER, ITS_PLACE = 0x4B, 5
DESCRIPTOR = 6
SETTINGS, MARK = 0x1FF000, 0x50
"""Where the firmware keeps its number in the flash, and how a sector begins that it has written."""
BUFFERS, OUT, DATA1 = 0x80, 4, 1 << 13
"""Where the words of the endpoints' buffers stand in the controller's RAM, and a bit of them."""


class Screen:
    """A screen on the Pico's bus; `slow`: it stretches each clock to so many."""

    def __init__(self, chip: RP2040, controller: str, chance: Random) -> None:
        self.chip, self.chance = chip, chance
        self.oled = Oled(controller, chance)
        self.is_on = True
        self.slow = 1.0
        self.changed_ms = 0.0
        self._transfer = bytearray()
        self._next: Callable[[], None] = lambda: None
        self._alarm = chip.clock.create_alarm(lambda: self._next())
        bus = chip.i2c[0]
        bus.on_connect, bus.on_write_byte, bus.on_stop = self._connect, self._write, self._end

    @property
    def hz(self) -> float:
        """The bus's clock: both halves as they are set, and what the chip adds to them."""
        bus = self.chip.i2c[0]
        clocks = bus.fs_clock_high_period + bus.fs_clock_low_period + bus._spikelen + 8
        return 1e9 / (clocks * NANOS_PER_CLOCK)

    def power(self, on: bool) -> None:
        """Its plug."""
        if on and not self.is_on:
            self.oled.power_up(self.chance)
        self.is_on = on

    def _after_a_byte(self, act: Callable[[], None]) -> None:
        self._next = act
        self._alarm.schedule(9 / self.hz * 1e9 * self.slow)

    def _connect(self, address: int, mode: I2CMode) -> None:
        self._transfer.clear()
        answers = self.is_on and address == ADDRESS and mode == I2CMode.WRITE
        self._after_a_byte(lambda: self.chip.i2c[0].complete_connect(answers))

    def _write(self, byte: int) -> None:
        self._transfer.append(byte)
        self._after_a_byte(lambda: self.chip.i2c[0].complete_write(self.is_on))

    def _end(self) -> None:
        if self.is_on and self._transfer:
            self.oled.write(bytes(self._transfer))
            self.changed_ms = self.chip.clock.nanos / NANOS_PER_MS
        self.chip.i2c[0].complete_stop()


class Computer:
    """The other end of the cable: it hands out bytes only where the pod has armed its endpoint."""

    def __init__(self, chip: RP2040) -> None:
        self.chip = chip
        self.cdc = USBCDC(chip.usb_ctrl)
        self.said = bytearray()
        self.said_ms = 0.0
        self.is_plugged = True
        self.is_strict = True
        """Of the firmware's packets; the ROM's own loader works with two buffers at once."""
        self._to_send = bytearray()
        self._has_room = 0
        self._answer: bytearray | None = None
        self._next_is_data1: dict[int, bool] = {}
        self._enumerate = chip.usb_ctrl.on_endpoint_read, chip.usb_ctrl.on_endpoint_write
        self._greet = chip.usb_ctrl.on_reset_received
        self.cdc.on_serial_data = self._hear
        chip.usb_ctrl.on_reset_received = self._begin
        chip.usb_ctrl.on_endpoint_read = self._read
        chip.usb_ctrl.on_endpoint_write = self._write

    def send(self, data: bytes) -> None:
        """Hand bytes to the pod as it takes them."""
        if self.is_plugged:
            self._to_send += data
        self._go_on()

    def _go_on(self) -> None:
        if self._to_send and self._has_room:
            packet = bytes(self._to_send[: self._has_room])
            del self._to_send[: len(packet)]
            self._has_room = 0
            self.chip.usb_ctrl.endpoint_read_done(self.cdc._out_endpoint, packet)

    def _begin(self) -> None:
        """It has reset the bus: all begins anew."""
        self._next_is_data1.clear()
        self._has_room = 0
        assert self._greet
        self._greet()

    def _take_name(self, at: int) -> None:
        """A packet is DATA0 or DATA1, in turn; a real computer drops one that is not."""
        word = int.from_bytes(self.chip.usb_dpram[at : at + 4], "little")
        if not self.is_strict:
            return
        is_data1 = bool(word & DATA1)
        expected = self._next_is_data1.get(at, False)
        assert is_data1 is expected, f"the packet at {at:#x} has the wrong name"
        self._next_is_data1[at] = not expected

    def _read(self, endpoint: int, size: int) -> None:
        first = self._enumerate[0]
        if endpoint:
            self._take_name(BUFFERS + 8 * endpoint + OUT)
        if endpoint == 0:
            assert first
            first(endpoint, size)
        else:
            assert not (self._has_room and self.is_strict), "armed while it is armed"
            self._has_room = size
            self._go_on()

    def _write(self, endpoint: int, buffer: bytes | bytearray) -> None:
        first = self._enumerate[1]
        if endpoint:
            self._take_name(BUFFERS + 8 * endpoint)
        if endpoint == 0 and self._answer is not None:
            self._answer += buffer
        else:
            assert first
            first(endpoint, buffer)

    def _hear(self, data: bytes | bytearray) -> None:
        if self.is_plugged:
            self.said += data
            self.said_ms = self.said_ms or self.chip.clock.nanos / NANOS_PER_MS

    def ask(self, request: bytes, run: Callable[[float], object]) -> bytes:
        """What the pod answers on its first endpoint; `run` lets time pass."""
        self._answer = bytearray()
        self.chip.usb_ctrl.send_setup_packet(request)
        run(5)
        answer, self._answer = bytes(self._answer), None
        return answer

    def descriptor(self, kind: int, index: int, run: Callable[[float], object]) -> bytes:
        return self.ask(bytes([0x80, DESCRIPTOR, index, kind, 9, 4, 255, 0]), run)


class Pico:
    """One pod, just plugged in. Time passes only in `run`."""

    def __init__(self, image: Path, *, pod: int = 0, sh1106: bool = False, seed: int = 1) -> None:
        self._chance = Random(seed)
        self.chip = RP2040()
        self.chip.logger = ConsoleLogger(LogLevel.ERROR, True)
        self._simulator = Simulator(rp2040=self.chip)
        load_uf2(image, self.chip)
        if pod:
            self.chip.flash[SETTINGS : SETTINGS + 3] = bytes([MARK, pod, sh1106])
        self.glass = Screen(self.chip, "SH1106" if sh1106 else "SSD1306", self._chance)
        self.computer = Computer(self.chip)
        self.resets = 0
        self.lightings = 0
        self.sounded_ms = 0.0
        self._sounds_since_ms = 0.0
        self._down: set[int] = set()
        self._end = self.chip.clock.create_alarm(self._stop)
        self.chip.gpio[LED].add_listener(self._lamp)
        self.chip.gpio[BUZZER].add_listener(self._buzzer)
        self.chip.watchdog.on_watchdog_trigger = self._restart
        self._answer_as_the_flash()
        self.chip.core.pc = FLASH

    @property
    def now_ms(self) -> float:
        return float(self.chip.clock.nanos) / NANOS_PER_MS

    def _stop(self) -> None:
        self._simulator.stopped = True

    def begin_run(self, ms: float, data: bytes = b"") -> None:
        """Hand it bytes; `end_run` lets so much time pass."""
        self.computer.send(data)
        self._simulator.stopped = False
        self._end.schedule(ms * NANOS_PER_MS)

    def end_run(self) -> bytes:
        """Let the time pass; what it has said in it."""
        while not self._simulator.stopped:
            execute_batch(self._simulator, 1)
        said = bytes(self.computer.said)
        self.computer.said.clear()
        return said

    def run(self, ms: float, data: bytes = b"") -> bytes:
        self.begin_run(ms, data)
        return self.end_run()

    def tell(self, command: str) -> None:
        """A command of the simulated board's, as far as it is known here."""
        match command.split():
            case ["screen", ("on" | "off") as how]:
                self.glass.power(how == "on")
            case ["bus", "slow", times]:
                self.glass.slow = int(times)
            case ["reboot"]:
                self.chip.enter_reset()
                self.chip.leave_reset()
            case [("plug" | "unplug") as how]:
                self.computer.is_plugged = how == "plug"
            case _:
                raise ValueError(command)

    def screen(self) -> bytes:
        """What can be seen."""
        return self.glass.oled.picture() if self.glass.is_on else bytes(1024)

    def press(self, button: int) -> None:
        self._down.add(button)
        self.chip.gpio[BUTTONS[button]].set_input_value(False)

    def release(self, button: int) -> None:
        self._down.discard(button)
        self.chip.gpio[BUTTONS[button]].release_input()

    def bounce(self, button: int, moves: int) -> None:
        """To its other side in `moves` (odd) moves, 0.2 to 2 ms apart."""
        left = moves

        def move() -> None:
            nonlocal left
            left -= 1
            (self.release if button in self._down else self.press)(button)
            if left:
                alarm.schedule(self._chance.uniform(0.2, 2) * NANOS_PER_MS)

        alarm = self.chip.clock.create_alarm(move)
        move()

    @property
    def is_lit(self) -> bool:
        return bool(self.chip.gpio[LED].value == GPIOPinState.HIGH)

    def _lamp(self, state: GPIOPinState, before: GPIOPinState) -> None:
        self.lightings += state == GPIOPinState.HIGH

    def _buzzer(self, state: GPIOPinState, before: GPIOPinState) -> None:
        if state == GPIOPinState.HIGH:
            self._sounds_since_ms = self.now_ms
        elif before == GPIOPinState.HIGH:
            self.sounded_ms += self.now_ms - self._sounds_since_ms

    def _restart(self) -> None:
        self.resets += 1
        self.chip.enter_reset(from_watchdog=True)
        self.chip.leave_reset()

    def _answer_as_the_flash(self) -> None:
        """The emulated flash chip has no number of its own."""
        ssi = self.chip.ssi
        shift = ssi._shift_byte

        def shifted(byte: int) -> int:
            answer, said = shift(byte), ssi._tx_buffer
            place = len(said) - 1 - ITS_PLACE
            if said[0] == READ_OWN_NUMBER and 0 <= place < len(OWN_NUMBER):
                return OWN_NUMBER[place]
            return answer

        ssi._shift_byte = shifted  # type: ignore[assignment]

    def close(self) -> None:
        """Nothing of it runs by itself."""


# -- the program ----------------------------------------------------------------------------------

STARTED_MS = 100
"""Its start costs more time than it takes: whoever opens the port at once is not kept waiting."""
QUICK = 0.05
"""Of the time that its bus takes: the chip looks whether it is done all the while, and to emulate
that takes forty times as long."""
SLICE_MS = 2
CYCLES_PER_MS = 16_000
"""Of podsim's chip, by which its figures tell the time."""
LATE_S = 0.1
"""More than that behind, the lost time is let go."""
DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG: no simulator outlives who started it."""


class Line:
    """The pseudo-terminal that a link points to, and what spoils its bytes; closed: unplugged."""

    def __init__(self, link: Path, chance: Random) -> None:
        self._link, self._chance = link, chance
        self._ends: tuple[int, ...] = ()
        self.faults: dict[tuple[str, str], int] = {}

    def plug(self) -> None:
        """The other end stays open here too: else reading fails while nobody has it."""
        self.unplug()
        self._ends = os.openpty()
        tty.setraw(self._ends[1])
        os.set_blocking(self._ends[0], False)
        self._link.symlink_to(os.ttyname(self._ends[1]))

    def unplug(self) -> None:
        self._link.unlink(missing_ok=True)
        while self._ends:
            os.close(self._ends[-1])
            self._ends = self._ends[:-1]

    def read(self) -> bytes:
        with suppress(BlockingIOError):
            return self._spoilt("to", os.read(self._ends[0], 512)) if self._ends else b""
        return b""

    def write(self, data: bytes) -> None:
        with suppress(BlockingIOError):  # nobody reads
            if self._ends and data:
                os.write(self._ends[0], self._spoilt("from", data))

    def _spoilt(self, side: str, data: bytes) -> bytes:
        def strikes(kind: str) -> bool:
            return self._chance.randrange(1000) < self.faults.get((side, kind), 0)

        kept = [byte for byte in data if not strikes("drop")]
        return bytes(b ^ 1 << self._chance.randrange(8) if strikes("flip") else b for b in kept)


def answer(pico: Pico, line: Line, command: str) -> str:
    """What a command is answered with, once it is done."""
    match command.split():
        case ["screen"]:
            return pico.screen().hex()
        case ["figures"]:
            figures = {
                "cycle": round(pico.now_ms * CYCLES_PER_MS),
                "lamp": int(pico.is_lit),
                "lightings": pico.lightings,
                "resets": pico.resets,
                "bus_hz": round(pico.glass.hz),
            }
            return json.dumps(figures)
        case [("press" | "release" | "bounce") as how, *numbers]:
            getattr(pico, how)(*map(int, numbers))
        case ["fault", ("to" | "from") as side, ("drop" | "flip") as kind, share]:
            line.faults[side, kind] = int(share)
        case ["unplug"]:
            line.unplug()
        case ["plug"]:
            line.plug()
            for word in ("screen off", "screen on", "reboot"):
                pico.tell(word)
        case _:
            pico.tell(command)
    return "ok"


def obey(pico: Pico, line: Line, told: FileIO, wait_s: float) -> bool:
    """Follow what it is told, and wait for it so long; whether to go on."""
    while select.select([told], [], [], max(0, wait_s))[0]:
        command, wait_s = told.readline().decode().strip(), 0
        if command in ("", "quit"):
            return False
        try:
            said = answer(pico, line, command)
        except (ValueError, KeyError, TypeError):
            said = "what?"
        print(said, flush=True)
    return True


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("image", type=Path)
    parser.add_argument("--port", type=Path, required=True)
    parser.add_argument("--pod", type=int, default=0)
    parser.add_argument("--sh1106", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
    told = FileIO(sys.stdin.fileno())  # a buffer would hide lines from `select`
    pico = Pico(asked.image, pod=asked.pod, sh1106=asked.sh1106, seed=asked.seed)
    line = Line(asked.port, Random(asked.seed))
    pico.glass.slow = QUICK
    pico.run(STARTED_MS)
    line.plug()
    print("ok", flush=True)
    due_s = time.monotonic()
    while obey(pico, line, told, due_s - time.monotonic()):
        line.write(pico.run(SLICE_MS, line.read()))
        due_s = max(due_s + SLICE_MS / 1000, time.monotonic() - LATE_S)
    line.unplug()


if __name__ == "__main__":
    main()
