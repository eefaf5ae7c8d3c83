"""The way to a screen through luma's I2C interface, with its errors translated.

Of luma only the interface is used: its devices send all 1024 bytes of a picture each time, and
one that is closed blanks the screen.
"""

from __future__ import annotations

from luma.core.error import DeviceNotFoundError, DevicePermissionError
from luma.core.interface.serial import i2c

from companion.seats.wired.screen import Silent
from companion.seats.wiring import ScreenPlace


class LumaWire:
    """A screen on `/dev/i2c-N`. The bus is opened when it is needed, and again after a failure."""

    def __init__(self, place: ScreenPlace) -> None:
        self._place = place
        self._serial: i2c | None = None

    def command(self, *commands: int) -> None:
        """Send commands. Raises `Silent`."""
        try:
            self._open().command(*commands)
        except (DeviceNotFoundError, OSError) as error:
            raise self._silent() from error

    def data(self, dots: bytes) -> None:
        """Send dots. Raises `Silent`."""
        try:
            # Of a screen that does not answer luma says OSError here, but not above.
            self._open().data(dots)
        except (DeviceNotFoundError, OSError) as error:
            raise self._silent() from error

    def close(self) -> None:
        """May be called twice."""
        if self._serial is not None:
            self._serial.cleanup()
            self._serial = None

    def _open(self) -> i2c:
        if self._serial is None:
            bus = self._place.bus
            try:
                self._serial = i2c(port=bus, address=self._place.address)
            except DeviceNotFoundError as error:
                raise Silent(
                    f"there is no bus /dev/i2c-{bus}: add the lines of docs/wiring.md to config.txt"
                ) from error
            except DevicePermissionError as error:
                raise Silent(
                    f"/dev/i2c-{bus} may not be opened: sudo usermod -aG i2c $USER"
                ) from error
        return self._serial

    def _silent(self) -> Silent:
        self.close()
        place = self._place
        return Silent(
            f"the screen at 0x{place.address:02X} on bus {place.bus} does not answer: "
            "look at its four wires and its address"
        )
