"""The way to a chain of APA102 (or SK9822) through luma: SPI 0, without a chip select."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from luma.core.error import DeviceNotFoundError
from luma.core.interface.serial import noop, spi
from luma.led_matrix.device import apa102
from PIL import Image

from companion.seats.light.chain import Color

RATE_HZ = 1_000_000
"""A meter of loose wire carries that; fifteen lights take 0.6 ms."""
STEPS = 16
"""luma sets the brightness of a whole chain in so many steps, of the chip's 31."""


class LumaChain:
    """A chain that is there. The bus is opened when it is needed, and again after a failure.

    Args:
        length: lights on the chain.
        brightness: 1 to 15, of the 31 that the chip knows.
        spidev: stands for the kernel's bus in tests.
    """

    def __init__(self, length: int, brightness: int, spidev: Any = None) -> None:
        self._length = length
        self._brightness = brightness
        self._spidev = spidev
        self._chain: apa102 | None = None

    def show(self, colors: Sequence[Color]) -> None:
        """Send a color to every light.

        Raises:
            OSError: the bus is not there, may not be opened, or took no bytes.
        """
        if self._chain is None:
            self._chain = self._open()
        picture = Image.new("RGBA", (self._length, 1))
        picture.putdata([(*color, 255) for color in colors])
        self._chain.display(picture)

    def close(self) -> None:
        """May be called twice."""
        if self._chain is not None:
            self._chain.persist = True  # else luma would send one more frame, to a dead bus too
            self._chain.cleanup()
            self._chain = None

    def _open(self) -> apa102:
        try:
            bus = spi(self._spidev, gpio=noop(), bus_speed_hz=RATE_HZ)
        except DeviceNotFoundError as error:
            raise OSError("there is no /dev/spidev0.0") from error
        except ImportError as error:
            raise OSError("spidev is missing: sudo apt install python3-spidev") from error
        chain = apa102(bus, cascaded=self._length)
        chain.contrast(self._brightness * STEPS)
        return chain
