"""A recorded SPI bus with a chain of APA102 at its end, as the chips take their bits."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Condition


class SpiBus:
    """Stands where the kernel's spidev does, and may fail as it does."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.opened = 0
        self.fault: OSError | None = None
        self.max_speed_hz = 0
        self._written = Condition()

    def open(self, bus: int, device: int) -> None:
        """As `spidev.SpiDev.open`."""
        if self.fault is not None:
            raise self.fault
        assert (bus, device) == (0, 0)
        self.opened += 1

    def writebytes(self, data: Sequence[int]) -> None:
        """As `spidev.SpiDev.writebytes`."""
        with self._written:
            if self.fault is not None:
                raise self.fault
            self.frames.append(bytes(data))
            self._written.notify_all()

    def close(self) -> None:
        """As `spidev.SpiDev.close`."""

    def wait_for(self, shown: list[tuple[int, int, int]], within: float = 10.0) -> None:
        """Until the chain shows these colors."""
        with self._written:
            done = self._written.wait_for(
                lambda: bool(self.frames) and self.shown(len(shown)) == shown, within
            )
        assert done, self.frames[-1:]

    def shown(self, lights: int) -> list[tuple[int, int, int]]:
        """What a chain of so many chips shows of the last frame, in red, green, blue.

        Each chip takes the first 32 bits that begin with three ones after 32 zeros, and hands
        the others on half a clock later: the last of n shows its bits only after n/2 clocks more.
        """
        bits = "".join(f"{byte:08b}" for byte in self.frames[-1])
        assert bits.startswith("0" * 32)
        shown = []
        for chip in range(lights):
            frame = bits[32 * (chip + 1) : 32 * (chip + 2)]
            assert frame.startswith("111"), f"light {chip}: {frame}"
            blue, green, red = (int(frame[at : at + 8], 2) for at in (8, 16, 24))
            shown.append((red, green, blue))
        assert len(bits) - 32 * (lights + 1) >= (lights - 1) / 2
        return shown

    def brightness(self) -> set[int]:
        """The brightness of the lights in the last frame, of 31."""
        frame = self.frames[-1][4:]
        return {byte & 31 for byte in frame[::4] if byte & 0xE0 == 0xE0}
