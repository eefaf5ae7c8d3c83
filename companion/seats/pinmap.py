"""The pin map, `seat.toml`: what is wired to what, refused by name where it cannot be wired.

The program reads the layouts when it has wired seats; tools/pinmap.py makes all else that names a
pin of the same records, and of what the map says of pods and colours.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from companion.system.frozen import dataclass

HEADER = "GPIO"
"""The name of the Pi's own lines."""

ControllerName = Literal["SSD1306", "SSD1309", "SH1106"]
CONTROLLERS = get_args(ControllerName)


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


MAP = Path(__file__).with_name("seat.toml")


class PinMapError(Exception):
    """The map contradicts itself or the boards; one sentence a fault."""


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
        PinMapError: it cannot be read, or cannot be wired.
    """
    try:
        of = data["light"]
        names = ("data", "clock", "spare_data", "spare_clock")
        data_line, clock, *spare = (_line(f"the light's {one}", of[one]) for one in names)
        place = LightPlace(of["chip"], data_line, clock, (spare[0], spare[1]), of["overlay"])
    except (KeyError, TypeError) as error:
        raise PinMapError(f"missing, or not known: {error}") from error
    # A header without expanders: they cannot be on one, and no line that is kept is theirs.
    bare = Layout("light", "", multiplexer=False, seats={}, expanders={}, config=())
    faults = [
        f"{line} cannot be the light's: {why}"
        for line in (place.data, place.clock)
        for why in _unfit(line, bare)
    ]
    if faults:
        raise PinMapError("\n".join(faults))
    return place


def read_layouts(data: Mapping[str, Any]) -> dict[str, Layout]:
    """The layouts of a map.

    Raises:
        PinMapError: the first thing that cannot be read, or else all faults by name.
    """
    try:
        bus, multiplexer = Bus(**data["bus"]), Multiplexer(**data["multiplexer"])
        made = {name: _layout(name, of, bus, multiplexer) for name, of in data["layout"].items()}
    except (KeyError, TypeError) as error:
        raise PinMapError(f"missing, or not known: {error}") from error
    faults = [
        f"layout {name}: {fault}"
        for name, layout in made.items()
        for fault in (
            *_line_faults(layout),
            *_bus_faults(bus, multiplexer, layout),
            *_seat_faults(layout),
        )
    ]
    if faults:
        raise PinMapError("\n".join(faults))
    return made


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
    try:
        seats = [
            WiredSeat(
                one["seat"],
                tuple(
                    _line(f"button {number} of seat {one['seat']}", line)
                    for number, line in enumerate(one["buttons"], 1)
                ),
                ScreenPlace(**one["screen"]),
            )
            for one in data["seat"]
        ]
        expanders = [
            Expander(one["name"], bus.number, one["address"], _interrupt(**one))
            for one in data.get("expander", ())
        ]
        layout = Layout(
            name,
            data["about"],
            data["multiplexer"],
            _keyed("seats", ((one.seat, one) for one in seats)),
            _keyed("expanders", ((one.name, one) for one in expanders)),
            config=(),
        )
    except PinMapError as error:
        raise PinMapError(f"layout {name}: {error}") from error
    return replace(layout, config=tuple(_config(layout, bus, multiplexer)))


def _line(use: str, name: str) -> Line:
    try:
        return parse_line(name)
    except PinMapError as error:
        raise PinMapError(f"{use}: {error}") from error


def _interrupt(name: str, interrupt: str, **_: object) -> int:
    line = _line(f"the interrupt of {name}", interrupt)
    if line.chip != HEADER:
        raise PinMapError(f"the interrupt of {name}: {line} is no line of the header")
    return line.number


Key = TypeVar("Key")
Value = TypeVar("Value")


def _keyed(kind: str, values: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    made: dict[Key, Value] = {}
    for key, value in values:
        if key in made:
            raise PinMapError(f"there are two {kind} {key}")
        made[key] = value
    return made


SPI_OFF = "dtparam=spi=off"


def _config(layout: Layout, bus: Bus, multiplexer: Multiplexer) -> Iterator[str]:
    """What the Pi's config.txt needs for a layout."""
    yield "dtparam=i2c_arm=on"
    yield f"dtparam=i2c_arm_baudrate={bus.baudrate}"
    used = {line.number for line, _ in _uses(layout) if line.chip == HEADER}
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


def _uses(layout: Layout) -> Iterator[tuple[Line, str]]:
    """Every line that a layout uses, with what for."""
    for expander in layout.expanders.values():
        yield Line(HEADER, expander.interrupt), f"the interrupt of {expander.name}"
    for seat in layout.seats.values():
        for number, line in enumerate(seat.buttons, 1):
            yield line, f"button {number} of seat {seat.seat}"


def _line_faults(layout: Layout) -> Iterator[str]:
    taken: dict[Line, str] = {}
    for line, use in _uses(layout):
        if line in taken:
            yield f"{line} is {taken[line]} and {use}"
        taken[line] = use
        yield from (f"{line} cannot be {use}: {why}" for why in _unfit(line, layout))


HEADER_LINES = range(28)
KEPT = {0: "the ID EEPROM's", 1: "the ID EEPROM's", 2: "I2C's SDA", 3: "I2C's SCL"}
"""Lines of the header that are not for buttons."""
EXPANDER_LINES = range(16)
OUTPUT_ONLY = {7, 15}
"""GPA7 and GPB7 of an MCP23017 are outputs only, by its data sheet since 2022."""


def _unfit(line: Line, layout: Layout) -> Iterator[str]:
    if line.chip == HEADER:
        if line.number not in HEADER_LINES:
            yield f"the header has GPIO0 to GPIO{HEADER_LINES[-1]}"
        if line.number in KEPT:
            yield f"it is {KEPT[line.number]}"
    elif line.chip not in layout.expanders:
        yield f"there is no expander {line.chip}"
    elif line.number not in EXPANDER_LINES:
        yield f"{line.chip} has lines 0 to {EXPANDER_LINES[-1]}"
    elif line.number in OUTPUT_ONLY:
        yield "this line of an MCP23017 can only be an output"


EXPANDER_ADDRESSES = range(0x20, 0x28)
MULTIPLEXER_ADDRESSES = range(0x70, 0x78)
SCREEN_ADDRESSES = range(0x3C, 0x3E)


def _devices(
    bus: Bus, multiplexer: Multiplexer, layout: Layout
) -> Iterator[tuple[int, int, range, str]]:
    """Bus, address, possible addresses and name of all that is on a bus."""
    if layout.multiplexer:
        yield bus.number, multiplexer.address, MULTIPLEXER_ADDRESSES, "the multiplexer"
    for one in layout.expanders.values():
        yield one.bus, one.address, EXPANDER_ADDRESSES, f"expander {one.name}"
    for seat in layout.seats.values():
        place, name = seat.screen, f"the screen of seat {seat.seat}"
        yield place.bus, place.address, SCREEN_ADDRESSES, name


def _bus_faults(own: Bus, multiplexer: Multiplexer, layout: Layout) -> Iterator[str]:
    base = multiplexer.base
    devices = list(_devices(own, multiplexer, layout))
    for one, other in combinations(devices, 2):
        # What is on the Pi's own bus hears all that goes on behind a multiplexer.
        if one[1] == other[1] and (one[0] == other[0] or own.number in (one[0], other[0])):
            yield f"{one[-1]} and {other[-1]} both answer to 0x{one[1]:02X}"
    behind = range(base, base + multiplexer.channels) if layout.multiplexer else ()
    for bus, address, possible, name in devices:
        if bus not in {own.number, *behind}:
            yield f"{name} is on bus {bus}, which there is not"
        if address not in possible:
            yield f"{name} cannot have the address 0x{address:02X}"


BUTTONS = 6


def _seat_faults(layout: Layout) -> Iterator[str]:
    for number, seat in layout.seats.items():
        if len(seat.buttons) != BUTTONS:
            yield f"seat {number} has {len(seat.buttons)} buttons instead of {BUTTONS}"
        yield from controller_faults(f"seat {number}", seat.screen.controller)


def controller_faults(name: str, controller: str) -> Iterator[str]:
    """What is wrong with the controller of the screen of that name."""
    if controller not in CONTROLLERS:
        yield f"{name}: {controller!r} is none of {', '.join(CONTROLLERS)}"
