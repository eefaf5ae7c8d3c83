"""The pin map as read from hardware/seat.toml, and all that can be wrong with one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

BUTTONS = 6
HEADER_LINES = range(28)
KEPT = {0: "the ID EEPROM's", 1: "the ID EEPROM's", 2: "I2C's SDA", 3: "I2C's SCL"}
"""Lines of the header that are not for buttons."""
EXPANDER_LINES = range(16)
OUTPUT_ONLY = {7, 15}
"""GPA7 and GPB7 of an MCP23017 are outputs only, by its data sheet since 2022."""
EXPANDER_ADDRESSES = range(0x20, 0x28)
MULTIPLEXER_ADDRESSES = range(0x70, 0x78)
SCREEN_ADDRESSES = (0x3C, 0x3D)
CONTROLLERS = ("SSD1306", "SSD1309", "SH1106")
# fmt: off
POD_KEPT = {
    "PD0": "the serial line's RX", "PD1": "the serial line's TX", "PC6": "reset",
    "PB6": "the crystal's", "PB7": "the crystal's", "PC4": "I2C's SDA", "PC5": "I2C's SCL",
}
# fmt: on
_POD_PIN = re.compile(r"P[BD][0-7]|PC[0-6]")
_LINE = re.compile(r"GPIO(\d+)|(\w+)\.(\d+)")

JSON = Mapping[str, Any]


class PinMapError(Exception):
    """The map contradicts itself or the boards; one sentence a fault."""


@dataclass(frozen=True)
class PinMap:
    """A map without faults, as the file tells it."""

    told: JSON

    @property
    def layouts(self) -> Mapping[str, JSON]:
        return self.told["layout"]  # type: ignore[no-any-return]

    @property
    def pod(self) -> JSON:
        return self.told["pod"]  # type: ignore[no-any-return]


def read_map(text: str) -> PinMap:
    """The map of a TOML text.

    Raises:
        PinMapError: it has faults; all of them are named.
    """
    told = tomllib.loads(text)
    faults = [
        f"layout {name}: {fault}"
        for name, layout in told["layout"].items()
        for fault in (*_line_faults(layout), *_bus_faults(told, layout), *_seat_faults(layout))
    ]
    faults += [f"pod: {fault}" for fault in _pod_faults(told["pod"])]
    faults += _colour_faults(told["colours"])
    if faults:
        raise PinMapError("\n".join(faults))
    return PinMap(told)


def split_line(name: str) -> tuple[str, int]:
    """The chip and the number of a line.

    >>> split_line("GPIO17"), split_line("X1.9")
    (('GPIO', 17), ('X1', 9))

    Raises:
        PinMapError: it is the name of no line.
    """
    found = _LINE.fullmatch(name)
    if found is None:
        raise PinMapError(f"{name!r} is no line: write 'GPIO17' or 'X1.9'")
    header, chip, number = found.groups()
    return ("GPIO", int(header)) if header else (chip, int(number))


def _uses(layout: JSON) -> Iterator[tuple[str, str]]:
    """Every line that a layout uses, with what for."""
    for expander in layout.get("expander", ()):
        yield expander["interrupt"], f"the interrupt of {expander['name']}"
    for seat in layout["seat"]:
        for number, line in enumerate(seat["buttons"], 1):
            yield line, f"button {number} of seat {seat['seat']}"


def _line_faults(layout: JSON) -> Iterator[str]:
    expanders = {expander["name"] for expander in layout.get("expander", ())}
    taken: dict[tuple[str, int], str] = {}
    for name, use in _uses(layout):
        try:
            line = split_line(name)
        except PinMapError as error:
            yield f"{use}: {error}"
            continue
        if line in taken:
            yield f"{name} is {taken[line]} and {use}"
        taken[line] = use
        yield from (f"{name} cannot be {use}: {why}" for why in _unfit(line, expanders))


def _unfit(line: tuple[str, int], expanders: set[str]) -> Iterator[str]:
    chip, number = line
    if chip == "GPIO":
        if number not in HEADER_LINES:
            yield f"the header has GPIO0 to GPIO{HEADER_LINES[-1]}"
        if number in KEPT:
            yield f"it is {KEPT[number]}"
    elif chip not in expanders:
        yield f"there is no expander {chip}"
    elif number not in EXPANDER_LINES:
        yield f"{chip} has lines 0 to {EXPANDER_LINES[-1]}"
    elif number in OUTPUT_ONLY:
        yield "this line of an MCP23017 can only be an output"


def _devices(told: JSON, layout: JSON) -> Iterator[tuple[int, int, str]]:
    """Bus, address and name of all that is on a bus."""
    own = told["bus"]["number"]
    if layout["multiplexer"]:
        yield own, told["multiplexer"]["address"], "the multiplexer"
    for expander in layout.get("expander", ()):
        yield own, expander["address"], f"expander {expander['name']}"
    for seat in layout["seat"]:
        yield seat["screen"]["bus"], seat["screen"]["address"], f"the screen of seat {seat['seat']}"


def _bus_faults(told: JSON, layout: JSON) -> Iterator[str]:
    own = told["bus"]["number"]
    devices = list(_devices(told, layout))
    for one, other in combinations(devices, 2):
        # What is on the Pi's own bus hears all that is said on the buses behind a multiplexer.
        if one[1] == other[1] and (one[0] == other[0] or own in (one[0], other[0])):
            yield f"{one[2]} and {other[2]} both answer to 0x{one[1]:02X}"
    multiplexer = told["multiplexer"]
    behind = range(multiplexer["base"], multiplexer["base"] + multiplexer["channels"])
    buses = {own, *(behind if layout["multiplexer"] else ())}
    for bus, address, name in devices:
        if bus not in buses:
            yield f"{name} is on bus {bus}, which there is not"
        if address not in _addresses(name):
            yield f"{name} cannot have the address 0x{address:02X}"


def _addresses(name: str) -> range | tuple[int, ...]:
    if name.startswith("the multiplexer"):
        return MULTIPLEXER_ADDRESSES
    return EXPANDER_ADDRESSES if name.startswith("expander") else SCREEN_ADDRESSES


def _seat_faults(layout: JSON) -> Iterator[str]:
    numbers = [seat["seat"] for seat in layout["seat"]]
    for number in sorted({number for number in numbers if numbers.count(number) > 1}):
        yield f"there are two seats {number}"
    for seat in layout["seat"]:
        if len(seat["buttons"]) != BUTTONS:
            yield f"seat {seat['seat']} has {len(seat['buttons'])} buttons instead of {BUTTONS}"
        yield from _controller_faults(f"seat {seat['seat']}", seat["screen"])


def _controller_faults(name: str, screen: JSON) -> Iterator[str]:
    if screen["controller"] not in CONTROLLERS:
        yield f"{name}: {screen['controller']!r} is none of {', '.join(CONTROLLERS)}"


def _pod_faults(pod: JSON) -> Iterator[str]:
    taken: dict[str, str] = {}
    uses = [(pin, f"button {number}") for number, pin in enumerate(pod["buttons"], 1)]
    uses += [(pod[name], f"the {name}") for name in ("led", "buzzer") if name in pod]
    for pin, use in uses:
        if _POD_PIN.fullmatch(pin) is None:
            yield f"{use}: an ATmega328P has no pin {pin!r}"
        if pin in taken:
            yield f"{pin} is {taken[pin]} and {use}"
        if pin in POD_KEPT:
            yield f"{pin} cannot be {use}: it is {POD_KEPT[pin]}"
        taken[pin] = use
    if len(pod["buttons"]) != BUTTONS:
        yield f"it has {len(pod['buttons'])} buttons instead of {BUTTONS}"
    screen = pod["screen"]
    if (screen["sda"], screen["scl"]) != ("PC4", "PC5"):
        yield "the TWI of an ATmega328P is on PC4 (SDA) and PC5 (SCL)"
    if screen["address"] not in SCREEN_ADDRESSES:
        yield f"the screen cannot have the address 0x{screen['address']:02X}"
    yield from _controller_faults("the screen", screen)


def _colour_faults(colours: JSON) -> Iterator[str]:
    for name, wires in (
        ("buttons", [*colours["buttons"], colours["ground"]]),
        ("screen", list(colours["screen"].values())),
    ):
        for colour in sorted({wire for wire in wires if wires.count(wire) > 1}):
            yield f"colours of {name}: two wires are {colour}"
