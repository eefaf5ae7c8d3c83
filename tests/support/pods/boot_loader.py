"""A Nano whose boot loader listens: what avrdude talks to before the firmware runs.

It speaks as much of STK500 version 1 as Optiboot does, at the end of a pseudo-terminal, and
keeps what is written to it. When it has to leave, what it keeps is started.
"""

from __future__ import annotations

import os
import termios
import tty
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Self

FLASH_BYTES = 32_768
SIGNATURE = b"\x1e\x95\x0f"
"""Of the ATmega328P."""
IN_SYNC, OK = b"\x14", b"\x10"
END = 0x20
ARGUMENTS = {
    0x30: 0,  # are you there
    0x41: 1,  # a parameter
    0x42: 20,  # the device
    0x45: 5,  # the device, continued
    0x50: 0,  # begin
    0x51: 0,  # leave
    0x55: 2,  # an address in words, low byte first
    0x56: 4,  # four bytes as they are: Optiboot does nothing
    0x64: 3,  # write a page: its length, high byte first, and its kind
    0x74: 3,  # read a page
    0x75: 0,  # the signature
}
"""The bytes that follow each command, END and the page not counted."""


class BootLoader:
    """A board at a port.

    Args:
        link: where the port should be.
        baud: what it listens at; whoever speaks at another rate is not heard.
        leave: called when it has to leave, before it says yes to that.
        worn: the byte of its flash that has a bit wrong once it is written.
    """

    def __init__(
        self,
        link: Path,
        *,
        baud: int = termios.B115200,
        leave: Callable[[Self], None] | None = None,
        worn: int | None = None,
    ) -> None:
        self.flash = bytearray(b"\xff" * FLASH_BYTES)
        self._baud, self._leave, self._worn = baud, leave, worn
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        link.symlink_to(os.ttyname(self._slave))
        self._address = 0
        self._thread = Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Switch it off."""
        os.close(self._slave)  # its reader finds the line dead
        self._thread.join()
        os.close(self._master)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _serve(self) -> None:
        try:
            while True:
                self._answer(self._take(1)[0])
        except OSError:
            return

    def _take(self, length: int) -> bytes:
        """So many bytes, at our rate; of others nothing can be made."""
        taken = b""
        while len(taken) < length:
            more = os.read(self._master, length - len(taken))
            if termios.tcgetattr(self._slave)[4] == self._baud:
                taken += more
        return taken

    def _answer(self, command: int) -> None:
        if command not in ARGUMENTS:
            return
        words = self._take(ARGUMENTS[command])
        page = self._take(words[0] << 8 | words[1]) if command == 0x64 else b""
        if self._take(1)[0] == END:
            os.write(self._master, IN_SYNC + self._act(command, words, page) + OK)

    def _act(self, command: int, words: bytes, page: bytes) -> bytes:
        """What is sent between IN_SYNC and OK."""
        match command:
            case 0x41 | 0x56:
                return b"\x03"
            case 0x75:
                return SIGNATURE
            case 0x55:
                self._address = 2 * (words[0] | words[1] << 8)
            case 0x64:
                self.flash[self._address : self._address + len(page)] = page
                worn, end = self._worn, self._address + len(page)
                if worn is not None and self._address <= worn < end:
                    self.flash[worn] ^= 1
            case 0x74:
                return bytes(self.flash[self._address :][: words[0] << 8 | words[1]])
            case 0x51 if self._leave is not None:
                self._leave(self)
        return b""
