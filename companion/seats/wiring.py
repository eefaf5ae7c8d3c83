"""The records of the pin map: what is wired to what. `pinmap.py` reads their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from companion.frozen import dataclass

HEADER = "GPIO"
"""The name of the Pi's own lines."""

ControllerName = Literal["SSD1306", "SSD1309", "SH1106"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line that can be read: of the Pi's header (`HEADER`) or of an expander, by its name."""

    chip: str
    number: int

    def __str__(self) -> str:
        return f"GPIO{self.number}" if self.chip == HEADER else f"{self.chip}.{self.number}"


@dataclass(frozen=True, slots=True)
class ScreenPlace:
    """Where a screen is: the number of its bus (`/dev/i2c-N`), its address, its controller."""

    bus: int
    address: int
    controller: ControllerName


@dataclass(frozen=True, slots=True)
class WiredSeat:
    """A seat wired to the Pi; `buttons[0]` is button 1."""

    seat: int
    buttons: tuple[Line, ...]
    screen: ScreenPlace


@dataclass(frozen=True, slots=True)
class Expander:
    """An MCP23017: 16 more lines. `interrupt` is the line of the header that its INTA is on."""

    name: str
    bus: int
    address: int
    interrupt: int


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to wire a table; `config` are the lines that the Pi's config.txt needs for it."""

    name: str
    about: str
    multiplexer: bool
    seats: Mapping[int, WiredSeat]
    expanders: Mapping[str, Expander]
    config: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bus:
    """The Pi's own I2C: its number and its rate in bits a second."""

    number: int
    baudrate: int


@dataclass(frozen=True, slots=True)
class LightPlace:
    """The lines of the chain of lights, and the overlay that gives them to SPI 0."""

    chip: str
    data: Line
    clock: Line
    overlay: str

    def taken_by(self, seats: Iterable[WiredSeat]) -> list[int]:
        """The seats with a button on one of its lines."""
        return [one.seat for one in seats if {self.data, self.clock} & set(one.buttons)]


@dataclass(frozen=True, slots=True)
class Multiplexer:
    """What gives each screen a bus of its own; `base` is the number of the first."""

    chip: str
    address: int
    base: int
    channels: int
