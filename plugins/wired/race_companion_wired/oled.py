"""The controller of a screen, simulated: what becomes of the bytes that it is sent."""

from __future__ import annotations

from random import Random

from companion.drawing.bitmap import PAGES, SIZE, WIDTH

_COLUMNS = {"SSD1306": 128, "SSD1309": 128, "SH1106": 132}
_SEEN_FROM = {"SSD1306": 0, "SSD1309": 0, "SH1106": 2}
"""The column of the memory that stands at the left edge of the glass."""
_SSD_ARGUMENTS = {
    **dict.fromkeys((0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB, 0xFD), 1),
    **dict.fromkeys((0x21, 0x22), 2),
}
_SH_ARGUMENTS = dict.fromkeys((0x81, 0xA8, 0xAD, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB), 1)
_HORIZONTAL, _VERTICAL, _PAGED = 0, 1, 2


class Oled:
    """A screen's controller as its data sheet tells it: SSD1306, SSD1309 or SH1106.

    It takes the bytes of I2C transfers and keeps the memory; what can be seen on it is another
    matter: nothing while it is off or without its high voltage, and the memory holds anything at
    power-up. Only what the three can do on a screen of 128×64 is here.
    """

    def __init__(self, controller: str, chance: Random) -> None:
        self.controller = controller
        self.columns = _COLUMNS[controller]
        self._is_sh = controller == "SH1106"
        self._arguments = _SH_ARGUMENTS if self._is_sh else _SSD_ARGUMENTS
        self.power_up(chance)

    def power_up(self, chance: Random) -> None:
        """The power comes on: the registers as the data sheet says, the memory as it likes."""
        self.memory = bytearray(chance.randbytes(PAGES * self.columns))
        self.on = False
        self.pump = self.controller != "SSD1306"
        self.contrast = 0x80 if self._is_sh else 0x7F
        self._page = self._column = 0
        self._mode = _PAGED
        self._window = [0, self.columns - 1, 0, PAGES - 1]
        self._mirrored = self._upside_down = True
        self._inverted = self._all_on = False
        self._start_line = self._offset = 0
        self._multiplex = 63
        self._pending: list[int] = []

    def write(self, payload: bytes) -> None:
        """One transfer, from the control byte on."""
        rest = payload
        while rest:
            control, rest = rest[0], rest[1:]
            taken, rest = (rest[:1], rest[1:]) if control & 0x80 else (rest, b"")
            for byte in taken:
                (self._store if control & 0x40 else self._command)(byte)

    def status(self) -> int:
        """The byte that it answers to a reading: bit 6 while it is off, then what it is."""
        return (0 if self.on else 0x40) | (0x08 if self._is_sh else 0x03)

    def picture(self) -> bytes:
        """What can be seen, in the order of a `Picture`: dark unless it is on and has power."""
        if not (self.on and self.pump) or self._multiplex != 63:
            return bytes(SIZE)
        if self._all_on:
            return b"\xff" * SIZE
        rows = [self._row(y) for y in range(PAGES * 8)]
        if self._upside_down:
            rows.reverse()
        seen = bytearray(SIZE)
        for y, row in enumerate(rows):
            for x, dot in enumerate(reversed(row) if self._mirrored else row):
                if dot != self._inverted:
                    seen[y // 8 * WIDTH + x] |= 1 << y % 8
        return bytes(seen)

    def _row(self, y: int) -> list[bool]:
        """The dots of a row of the glass; module and memory agree when remapped both ways."""
        y = (y + self._start_line + self._offset) % (PAGES * 8)
        first = y // 8 * self.columns + _SEEN_FROM[self.controller]
        return [bool(self.memory[first + x] >> y % 8 & 1) for x in range(WIDTH)]

    def _store(self, byte: int) -> None:
        self.memory[self._page * self.columns + self._column] = byte
        if self._mode == _PAGED:
            # An SH1106 stops at its last column, the others begin the page again.
            last = self.columns - 1
            self._column = min(self._column + 1, last) if self._is_sh else (self._column + 1) & last
            return
        left, right, top, bottom = self._window
        if self._mode == _HORIZONTAL:
            self._column += 1
            if self._column > right:
                self._column = left
                self._page = top if self._page == bottom else self._page + 1
        else:
            self._page += 1
            if self._page > bottom:
                self._page = top
                self._column = left if self._column == right else self._column + 1

    def _command(self, byte: int) -> None:
        self._pending.append(byte)
        code, *arguments = self._pending
        if len(arguments) < self._arguments.get(code, 0):
            return
        self._pending = []
        if arguments:
            self._set(code, arguments)
        else:
            self._switch(code)

    def _switch(self, code: int) -> None:
        """A command of one byte; those that a controller does not know do nothing."""
        match code:
            case _ if code <= 0x0F:
                self._column = self._column & 0xF0 | code
            case _ if code <= 0x1F:
                self._column = min((code & 0x0F) << 4 | self._column & 0x0F, self.columns - 1)
            case _ if 0x40 <= code <= 0x7F:
                self._start_line = code & 0x3F
            case 0xA0 | 0xA1:
                self._mirrored = code == 0xA0
            case 0xA4 | 0xA5:
                self._all_on = code == 0xA5
            case 0xA6 | 0xA7:
                self._inverted = code == 0xA7
            case 0xAE | 0xAF:
                self.on = code == 0xAF
            case _ if 0xB0 <= code <= 0xB7:
                self._page = code & 0x07
            case 0xC0 | 0xC8:
                self._upside_down = code == 0xC0

    def _set(self, code: int, arguments: list[int]) -> None:
        match code:
            case 0x20:
                self._mode = arguments[0] & 0x03
            case 0x21:
                self._window[:2] = arguments
                self._column = arguments[0]
            case 0x22:
                self._window[2:] = arguments
                self._page = arguments[0]
            case 0x81:
                self.contrast = arguments[0]
            case 0x8D if self.controller == "SSD1306":
                self.pump = bool(arguments[0] & 0x04)
            case 0xAD:
                self.pump = bool(arguments[0] & 0x01)
            case 0xA8:
                self._multiplex = arguments[0]
            case 0xD3:
                self._offset = arguments[0]
