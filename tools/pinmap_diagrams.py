"""The wiring diagrams: what WireViz is given for each of them."""

from __future__ import annotations

from pinmap_map import PinMap, PodScreen
from pinmap_texts import HEADER_PINS, MADE, NANO_PINS

from companion.seats.pinmap import parse_line
from companion.seats.wiring import Layout, ScreenPlace, WiredSeat

# fmt: off
COLOURS = {
    "brown": "BN", "red": "RD", "orange": "OG", "yellow": "YE", "green": "GN",
    "blue": "BU", "black": "BK", "violet": "VT", "grey": "GY", "white": "WH",
}
# fmt: on
POWER = {"vcc": "3V3", "gnd": "GND", "scl": "SCL", "sda": "SDA"}
SCREEN_PINS = ("gnd", "vcc", "scl", "sda")
"""The order in which the pins stand on the usual screen of 0.96 inch."""


def diagrams(pins: PinMap) -> dict[str, str]:
    """WireViz's input in YAML, by the path of the file without its suffix."""
    made = {"hardware/wiring/pod": _pod(pins)}
    for count, layout, word in (
        (1, "pair", "one"),
        (2, "pair", "two"),
        (3, "header", "three"),
        (4, "header", "four"),
    ):
        made[f"hardware/wiring/{word}-wired"] = _wired(pins, pins.layouts[layout], count)
    return made


def _wired(pins: PinMap, layout: Layout, count: int) -> str:
    """So many seats of a layout on the Pi."""
    seats = list(layout.seats.values())[:count]
    lines = [str(line) for seat in seats for line in seat.buttons]
    labels = ["3V3", "SDA", "SCL", "GND", *lines]
    plugs = [_plug("Pi", "Raspberry Pi, header of 40 pins", labels, _header_pins(labels))]
    cables, ends = [], []
    if layout.multiplexer:
        behind = [seat.screen.bus - pins.multiplexer.base for seat in seats]
        channels = [f"{wire}{channel}" for channel in behind for wire in ("SC", "SD")]
        plugs.append(_plug("Mux", "PCA9548", ["3V3", "GND", "SCL", "SDA", *channels]))
        cables.append(_cable("WM", _screen_colours(pins)))
        ends.append(_joined("Pi", ["GND", "3V3", "SCL", "SDA"], "WM", "Mux"))
    for seat in seats:
        number = seat.seat
        pins_of_gate = [*map(str, seat.buttons), "GND"]
        plugs += [_gate(number), _screen(number, seat.screen)]
        cables += [
            _cable(f"WB{number}", _button_colours(pins)),
            _cable(f"WS{number}", _screen_colours(pins)),
        ]
        ends.append(_joined("Pi", pins_of_gate, f"WB{number}", f"Gate{number}", _gate_pins()))
        ends.append(_screen_ends(pins, layout, seat))
    return _yaml(plugs, cables, ends)


def _screen_ends(pins: PinMap, layout: Layout, seat: WiredSeat) -> list[str]:
    number = seat.seat
    target, wires = f"Screen{number}", f"WS{number}"
    if not layout.multiplexer:
        return _joined("Pi", [POWER[pin] for pin in SCREEN_PINS], wires, target, _screen_pins())
    channel = seat.screen.bus - pins.multiplexer.base
    source = ["GND", "3V3", f"SC{channel}", f"SD{channel}"]
    return _joined("Mux", source, wires, target, _screen_pins())


def _pod(pins: PinMap) -> str:
    pod = pins.pod
    buttons = [NANO_PINS[pin] for pin in pod.buttons]
    sda, scl = NANO_PINS[pod.screen.sda], NANO_PINS[pod.screen.scl]
    extra = [NANO_PINS[pod.buzzer]] if pod.buzzer else []
    plugs = [
        _plug("Nano", "Arduino Nano", ["5V", "GND", scl, sda, *buttons, *extra]),
        _gate(1),
        _screen(1, pod.screen),
    ]
    cables = [_cable("WB1", _button_colours(pins)), _cable("WS1", _screen_colours(pins))]
    ends = [
        _joined("Nano", [*buttons, "GND"], "WB1", "Gate1", _gate_pins()),
        _joined("Nano", ["GND", "5V", scl, sda], "WS1", "Screen1", _screen_pins()),
    ]
    if extra:
        plugs.append(_plug("Buzzer", "active buzzer 5 V", ["+", "-"]))
        cables.append(_cable("WZ", ["WH", "BK"]))
        ends.append(_joined("Nano", [*extra, "GND"], "WZ", "Buzzer", ["+", "-"]))
    return _yaml(plugs, cables, ends)


def _gate_pins() -> list[str]:
    return [*(f"button {number}" for number in range(1, 7)), "GND"]


def _screen_pins() -> list[str]:
    return [pin.upper() for pin in SCREEN_PINS]


def _gate(number: int) -> list[str]:
    return _plug(f"Gate{number}", f"buttons of seat {number}", _gate_pins())


def _screen(number: int, screen: ScreenPlace | PodScreen) -> list[str]:
    about = f"{screen.controller} at 0x{screen.address:02X}"
    return _plug(f"Screen{number}", about, _screen_pins())


def _button_colours(pins: PinMap) -> list[str]:
    return [COLOURS[name] for name in (*pins.colours.buttons, pins.colours.ground)]


def _screen_colours(pins: PinMap) -> list[str]:
    return [COLOURS[pins.colours.screen[pin]] for pin in SCREEN_PINS]


def _header_pins(labels: list[str]) -> list[str]:
    power = {"3V3": "1", "SDA": "3", "SCL": "5", "GND": "6"}
    return [power.get(label) or str(HEADER_PINS[parse_line(label).number]) for label in labels]


def _plug(name: str, kind: str, labels: list[str], pins: list[str] | None = None) -> list[str]:
    lines = [f"  {name}:", f'    type: "{kind}"']
    if pins is not None:
        lines.append(f"    pins: [{', '.join(pins)}]")
    quoted = ", ".join(f'"{label}"' for label in labels)
    return [*lines, f"    pinlabels: [{quoted}]"]


def _cable(name: str, colours: list[str]) -> list[str]:
    return [f"  {name}:", f"    wirecount: {len(colours)}", f"    colors: [{', '.join(colours)}]"]


def _joined(
    source: str, pins: list[str], cable: str, target: str, ends: list[str] | None = None
) -> list[str]:
    there = ends if ends is not None else pins
    quoted = [", ".join(f'"{pin}"' for pin in row) for row in (pins, there)]
    return [
        "  -",
        f"    - {source}: [{quoted[0]}]",
        f"    - {cable}: [1-{len(pins)}]",
        f"    - {target}: [{quoted[1]}]",
    ]


def _yaml(plugs: list[list[str]], cables: list[list[str]], ends: list[list[str]]) -> str:
    lines = [f"# {MADE}"]
    for head, blocks in (("connectors", plugs), ("cables", cables), ("connections", ends)):
        lines += [f"{head}:", *(line for block in blocks for line in block)]
    return "\n".join([*lines, ""])
