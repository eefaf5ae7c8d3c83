"""What a pin map must be so that it can be wired, each fault in a sentence.

The program takes its own map as it is; the tests hold that, and maps with faults, against this.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from pinmap import named, read_map

from race_companion_wired.pinmap import (
    CONTROLLERS,
    HEADER,
    SCREEN_ADDRESSES,
    Bus,
    Layout,
    LightPlace,
    Line,
    Multiplexer,
    PinMapError,
)

# fmt: off
POD_KEPT = {
    "PD0": "the serial line's RX", "PD1": "the serial line's TX", "PC6": "reset",
    "PB6": "the crystal's", "PB7": "the crystal's", "PC4": "I2C's SDA", "PC5": "I2C's SCL",
}
# fmt: on
PICO_LINES = (*range(23), 26, 27, 28)
"""Those that a Pico has on its edges."""
_PICO_PIN = re.compile(r"GP(\d\d?)")
_POD_PIN = re.compile(r"P[BD][0-7]|PC[0-6]")


def faults(text: str) -> list[str]:
    """All that is wrong with a map, or else the first thing that cannot be read."""
    try:
        return list(_faults(read_map(text), tomllib.loads(text)))
    except PinMapError as error:
        return [str(error)]
    except (KeyError, AttributeError) as error:
        return [f"missing: {error}"]


def _faults(pins: SimpleNamespace, data: Mapping[str, Any]) -> list[str]:
    bus, found = Bus(**data["bus"]), [*_light_faults(pins.light), *_colour_faults(pins.colours)]
    found += [f"pod: {fault}" for fault in _pod_faults(pins.pod)]
    found += [f"pico: {fault}" for fault in _pico_faults(pins.pico)]
    for name, layout in pins.layouts.items():
        of = (_twice(data["layout"][name]), _line_faults(layout), _seat_faults(layout))
        buses = _bus_faults(bus, pins.multiplexer, layout)
        found += [f"layout {name}: {fault}" for each in (*of, buses) for fault in each]
    return found


def _twice(said: Mapping[str, Any]) -> Iterator[str]:
    """Seats and expanders that the map has twice, and interrupts that are not on the header."""
    seats, expanders = said["seat"], said.get("expander", ())
    yield from _of_one_name("seats", (one["seat"] for one in seats))
    yield from _of_one_name("expanders", (one["name"] for one in expanders))
    for one in expanders:
        if not one["interrupt"].startswith(HEADER):
            yield f"the interrupt of {one['name']}: {one['interrupt']} is no line of the header"


def _of_one_name(kind: str, names: Iterable[object]) -> Iterator[str]:
    yield from (f"there are two {kind} {name}" for name, n in Counter(names).items() if n > 1)


def _light_faults(light: LightPlace) -> Iterator[str]:
    # A header without expanders: they cannot be on one, and no line that is kept is theirs.
    bare = Layout("light", "", multiplexer=False, seats={}, expanders={}, config=())
    for line in (light.data, light.clock):
        yield from (f"{line} cannot be the light's: {why}" for why in _unfit(line, bare))


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
        yield from _controller_faults(f"seat {number}", seat.screen.controller)


def _controller_faults(name: str, controller: str) -> Iterator[str]:
    """What is wrong with the controller of the screen of that name."""
    if controller not in CONTROLLERS:
        yield f"{name}: {controller!r} is none of {', '.join(CONTROLLERS)}"


def _pod_faults(pod: SimpleNamespace) -> Iterator[str]:
    taken: dict[str, str] = {}
    for part, pin in named(pod):
        if part.startswith("screen"):
            continue  # it can only be on the bus, see below
        use = part if part.startswith("button") else f"the {part}"
        if _POD_PIN.fullmatch(pin) is None:
            yield f"{use}: an ATmega328P has no pin {pin!r}"
        if pin in taken:
            yield f"{pin} is {taken[pin]} and {use}"
        if pin in POD_KEPT:
            yield f"{pin} cannot be {use}: it is {POD_KEPT[pin]}"
        taken[pin] = use
    if len(pod.buttons) != BUTTONS:
        yield f"it has {len(pod.buttons)} buttons instead of {BUTTONS}"
    if (pod.screen.sda, pod.screen.scl) != ("PC4", "PC5"):
        yield "the TWI of an ATmega328P is on PC4 (SDA) and PC5 (SCL)"
    if pod.screen.address not in SCREEN_ADDRESSES:
        yield f"the screen cannot have the address 0x{pod.screen.address:02X}"
    yield from _controller_faults("the screen", pod.screen.controller)


def _pico_faults(pico: SimpleNamespace) -> Iterator[str]:
    taken: dict[str, str] = {}
    for part, pin in named(pico):
        found = _PICO_PIN.fullmatch(pin)
        if found is None or int(found[1]) not in PICO_LINES:
            yield f"{part}: a Pico has no pin {pin!r}"
        if pin in taken:
            yield f"{pin} is {taken[pin]} and {part}"
        taken[pin] = part
    if len(pico.buttons) != BUTTONS:
        yield f"it has {len(pico.buttons)} buttons instead of {BUTTONS}"
    bus = (_PICO_PIN.fullmatch(pin) for pin in (pico.sda, pico.scl))
    lines = [int(found[1]) for found in bus if found]
    if lines not in [[line, line + 1] for line in range(0, 30, 4)]:
        yield "I2C0 of an RP2040 is on GP0, GP4, GP8 … (SDA) and the next one each (SCL)"


def _colour_faults(colours: Mapping[str, Any]) -> Iterator[str]:
    for name, wires in (
        ("buttons", [*colours["buttons"], colours["ground"]]),
        ("screen", list(colours["screen"].values())),
    ):
        for colour in sorted({wire for wire in wires if wires.count(wire) > 1}):
            yield f"colours of {name}: two wires are {colour}"
