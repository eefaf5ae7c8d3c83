"""The pin map, `seat.toml` of `companion.seats`: what is wired to what.

The layouts are read where there are wired seats; tools/pinmap.py makes all else that names a
pin of the same records, and of what the map says of pods and colours. That all of it can be wired
the tests see (tests/support/pinmap.py), which `make pinmap` asks first.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, get_args

from companion.seats.plan import MAP

HEADER = "GPIO"
"""The name of the Pi's own lines."""

ControllerName = Literal["SSD1306", "SSD1309", "SH1106"]
CONTROLLERS = get_args(ControllerName)
SCREEN_ADDRESSES = range(0x3C, 0x3E)


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
    """The lines of the chain of lights, and the overlay that gives the first two to SPI 0.

    `spare` are data and clock where the others are buttons.
    """

    chip: str
    data: Line
    clock: Line
    spare: tuple[Line, Line]
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


# -- reading it -----------------------------------------------------------------------------------


class PinMapError(Exception):
    """The map cannot be read; the message says where."""


@cache
def layouts() -> Mapping[str, Layout]:
    """Ways to wire a table, by name: what the shipped map has."""
    return read_layouts(tomllib.loads(MAP.read_text("utf-8")))


@cache
def light() -> LightPlace:
    """Where the chain of lights is wired in the shipped map."""
    return read_light(tomllib.loads(MAP.read_text("utf-8")))


def read_light(data: Mapping[str, Any]) -> LightPlace:
    """Where a map has the chain of lights.

    Raises:
        PinMapError: it cannot be read.
    """
    try:
        of = data["light"]
        data_line, clock = parse_line(of["data"]), parse_line(of["clock"])
        spare = parse_line(of["spare_data"]), parse_line(of["spare_clock"])
        return LightPlace(of["chip"], data_line, clock, spare, of["overlay"])
    except (KeyError, TypeError) as error:
        raise PinMapError(f"missing, or not known: {error}") from error


def read_layouts(data: Mapping[str, Any]) -> dict[str, Layout]:
    """The layouts of a map.

    Raises:
        PinMapError: the first thing that cannot be read.
    """
    try:
        bus, multiplexer = Bus(**data["bus"]), Multiplexer(**data["multiplexer"])
        return {name: _layout(name, of, bus, multiplexer) for name, of in data["layout"].items()}
    except (KeyError, TypeError) as error:
        raise PinMapError(f"missing, or not known: {error}") from error


_LINE = re.compile(r"(GPIO)(\d+)|(\w+)\.(\d+)")


def parse_line(name: str) -> Line:
    """The line of a name; `str` of it is the name again.

    >>> parse_line("GPIO17"), parse_line("X1.9")
    (Line(chip='GPIO', number=17), Line(chip='X1', number=9))

    Raises:
        PinMapError: it is the name of no line.
    """
    found = _LINE.fullmatch(name)
    if found is None:
        raise PinMapError(f"{name!r} is no line: write 'GPIO17' or 'X1.9'")
    chip, number = filter(None, found.groups())
    return Line(chip, int(number))


def _layout(name: str, data: Mapping[str, Any], bus: Bus, multiplexer: Multiplexer) -> Layout:
    seats = {
        one["seat"]: WiredSeat(
            one["seat"], tuple(map(parse_line, one["buttons"])), ScreenPlace(**one["screen"])
        )
        for one in data["seat"]
    }
    expanders = {
        one["name"]: Expander(
            one["name"], bus.number, one["address"], parse_line(one["interrupt"]).number
        )
        for one in data.get("expander", ())
    }
    layout = Layout(name, data["about"], data["multiplexer"], seats, expanders, config=())
    return replace(layout, config=tuple(_config(layout, bus, multiplexer)))


SPI_OFF = "dtparam=spi=off"


def _config(layout: Layout, bus: Bus, multiplexer: Multiplexer) -> Iterator[str]:
    """What the Pi's config.txt needs for a layout."""
    yield "dtparam=i2c_arm=on"
    yield f"dtparam=i2c_arm_baudrate={bus.baudrate}"
    lines = [line for seat in layout.seats.values() for line in seat.buttons]
    used = {line.number for line in lines if line.chip == HEADER}
    used |= {one.interrupt for one in layout.expanders.values()}
    # Where SPI 0 is on, it takes these five lines for itself.
    if used & set(range(7, 12)):
        yield SPI_OFF
    if used & {14, 15}:
        # A serial console drives GPIO14: a button would short it to ground.
        yield "enable_uart=0"
    if layout.multiplexer:
        at = f"addr=0x{multiplexer.address:02x},base={multiplexer.base}"
        yield f"dtoverlay=i2c-mux,{multiplexer.chip},{at}"
    for one in layout.expanders.values():
        yield f"dtoverlay=mcp23017,addr=0x{one.address:02x},gpiopin={one.interrupt}"
