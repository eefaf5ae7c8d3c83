"""What stands on the boards, and which pin is on which net: all of it from the pin map.

This is the one netlist: the sheet, the copper and the list of parts are made from it, and nothing
here needs KiCad. Places are in steps of `STEP` millimetres from the board's upper left corner, so
that all pins of 2.54 mm stand on the router's grid.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pinmap_map import PinMap
from pinmap_texts import GROUND_PINS, HEADER_PINS, NANO_PINS, POWER_PINS

from companion.seats.pinmap import HEADER

STEP = 0.254
LAYOUT = "header"
GND, V3, V5 = "GND", "+3V3", "+5V"
POWER = frozenset({GND, V3, V5})
SDA_PIN, SCL_PIN = HEADER_PINS[2], HEADER_PINS[3]
MULTIPLEXER_FIRST_ADDRESS = 0x70
SWITCH_CHANNELS = ((4, 5), (6, 7), (8, 9), (10, 11), (13, 14), (15, 16), (17, 18), (19, 20))
"""A PCA9548A in its case of 24 pins: SD and SC of each channel."""
SWITCH_STRAPS = (1, 2, 21)
"""Its A0, A1, A2."""
SWITCH_SCL, SWITCH_SDA, SWITCH_RESET, SWITCH_GND, SWITCH_VCC = 22, 23, 3, 12, 24
NANO_BOARD = {
    **{f"D{n}": n + 3 for n in range(2, 14)},
    **{f"A{n}": n + 19 for n in range(8)},
    "5V": 27,
}
"""Where what is printed on a Nano stands, counted as its 30 pins are."""
NANO_GROUNDS = (4, 29)
PLUG_PITCH = 2.5 / STEP
BUTTON_WORDS = ("1", "2", "3", "4", "5", "6", "GND")
SCREEN_WORDS = ("GND", "VCC", "SCL", "SDA")
POD_SCREEN = {"1": GND, "2": V5, "3": "SCL", "4": "SDA"}
DISC = "Capacitor_THT:C_Disc_D5.0mm_W2.5mm_P5.00mm"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a board. `nets` has the net of each connected pin by the pin's number; `place` is
    its first pin or its middle, as its footprint counts, in steps, and degrees to the left.
    """

    ref: str
    value: str
    symbol: str
    footprint: str
    place: tuple[int, int, int]
    nets: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Word:
    """Words on a board: where their middle is, and how high they are in millimetres."""

    at: tuple[float, float]
    text: str
    height: float = 1.0


@dataclass(frozen=True, slots=True)
class Board:
    """A board of so many steps, its parts, and the words printed beside them."""

    name: str
    title: str
    size: tuple[int, int]
    parts: Sequence[Part]
    words: Sequence[Word]

    def nets(self) -> dict[str, list[tuple[str, str]]]:
        """The pins of every net, as (part, pin)."""
        made: dict[str, list[tuple[str, str]]] = {}
        for part in self.parts:
            for pin, net in part.nets.items():
                made.setdefault(net, []).append((part.ref, pin))
        return made

    def digest(self) -> str:
        """Sixteen digits that change with whatever is made from this."""
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]


def boards(pins: PinMap) -> list[Board]:
    """Every board, of a map of pins."""
    return [header_board(pins), pod_board(pins)]


def header_board(pins: PinMap) -> Board:
    """Between the Pi and four wired seats: a ribbon in, two plugs a seat out."""
    parts, words = [_pi(pins), _switch(pins), *_beside_switch()], [Word((93, 152), "1")]
    words += [Word((205, 156), "RASPBERRY PI: THE RIBBON'S RED EDGE AT 1")]
    for number, seat in enumerate(pins.layouts[LAYOUT].seats):
        x, y = 44 + number % 2 * 170, (24 if number < 2 else 272)
        name, down = f"S{seat}", 1 if number < 2 else -1
        screen = {"1": GND, "2": V3, "3": f"{name}_SCL", "4": f"{name}_SDA"}
        parts += [screen_plug(f"J{seat}2", (x, y), screen)]
        parts += [button_plug(f"J{seat}1", (x + 60, y), name)]
        words += pin_words((x, y + 22 * down), SCREEN_WORDS)
        words += pin_words((x + 60, y + 22 * down), BUTTON_WORDS)
        words += [Word((x + 44, y + 34 * down), f"SEAT {seat}", 1.5)]
    parts += _holes(400, 300)
    return Board("header", "Four seats on the Pi's header", (400, 300), parts, words)


def pod_board(pins: PinMap) -> Board:
    """Carries a pod's Nano; the seat's two plugs, its lamp and its buzzer."""
    pod = pins.pod
    nets = {str(pin): GND for pin in NANO_GROUNDS} | {str(NANO_BOARD["5V"]): V5}
    named = {f"B{n}": pin for n, pin in enumerate(pod.buttons, 1)}
    named |= {"SDA": pod.screen.sda, "SCL": pod.screen.scl}
    parts = [button_plug("J1", (142, 48), ""), screen_plug("J2", (142, 90), POD_SCREEN)]
    words = [*pin_words((142, 70), BUTTON_WORDS)]
    words += pin_words((142, 112), SCREEN_WORDS)
    parts += [Part("C1", "100n", "Device:C", DISC, (192, 90, 0), {"1": V5, "2": GND})]
    if pod.led is not None:
        named["LED"] = pod.led
        parts += [resistor("R1", str(pod.led_ohm), (190, 136), ("LED", "LAMP"))]
        lamp = {"1": GND, "2": "LAMP"}
        parts += [Part("D1", "LED", "Device:LED", "LED_THT:LED_D5.0mm", (146, 136, 0), lamp)]
    if pod.buzzer is not None:
        named["BUZZER"] = pod.buzzer
        sound = {"1": "BUZZER", "2": GND}
        parts += [Part("BZ1", "BUZZER", "Device:Buzzer", "Buzzer_Beeper:Buzzer_12x9.5RM7.6",
                       (150, 184, 0), sound)]  # fmt: skip
    nets |= {str(NANO_BOARD[NANO_PINS[pin]]): net for net, pin in named.items()}
    nano = Part("A1", "Nano", "MCU_Module:Arduino_Nano_v3.x", "Module:Arduino_Nano", (46, 44, 0),
                nets)  # fmt: skip
    return Board("pod", "A pod: an Arduino Nano and its seat", (240, 212),
                 [nano, *parts, *_holes(240, 212)], words)  # fmt: skip


def pin_words(at: tuple[int, int], texts: Sequence[str]) -> Iterator[Word]:
    """What each pin of a plug is."""
    for number, text in enumerate(texts):
        yield Word((at[0] + PLUG_PITCH * number, at[1]), text, 0.8)


def button_plug(ref: str, at: tuple[int, int], name: str) -> Part:
    """Six buttons and their ground; of the seat of this name, where a board has several."""
    nets = {str(n): f"{name}_B{n}".lstrip("_") for n in range(1, 7)} | {"7": GND}
    return Part(
        ref, "BUTTONS", "Connector_Generic:Conn_01x07",
        "Connector_JST:JST_XH_B7B-XH-A_1x07_P2.50mm_Vertical", (*at, 0), nets,
    )  # fmt: skip


def screen_plug(ref: str, at: tuple[int, int], nets: Mapping[str, str]) -> Part:
    """A screen: ground, power, SCL, SDA."""
    return Part(
        ref, "SCREEN", "Connector_Generic:Conn_01x04",
        "Connector_JST:JST_XH_B4B-XH-A_1x04_P2.50mm_Vertical", (*at, 0), nets,
    )  # fmt: skip


def _pi(pins: PinMap) -> Part:
    nets = {str(pin): GND for pin in GROUND_PINS} | {str(pin): V3 for pin in POWER_PINS}
    nets |= {str(SDA_PIN): "SDA", str(SCL_PIN): "SCL"}
    for seat in pins.layouts[LAYOUT].seats.values():
        for number, line in enumerate(seat.buttons, 1):
            if line.chip != HEADER:
                raise ValueError(f"the board has no place for {line}: it is no line of the header")
            nets[str(HEADER_PINS[line.number])] = f"S{seat.seat}_B{number}"
    return Part(
        "J1", "PI", "Connector_Generic:Conn_02x20_Odd_Even",
        "Connector_IDC:IDC-Header_2x20_P2.54mm_Vertical", (105, 130, 90), nets,
    )  # fmt: skip


def _switch(pins: PinMap) -> Part:
    nets = {str(SWITCH_SCL): "SCL", str(SWITCH_SDA): "SDA", str(SWITCH_RESET): "RESET"}
    nets |= {str(SWITCH_GND): GND, str(SWITCH_VCC): V3}
    straps = pins.multiplexer.address - MULTIPLEXER_FIRST_ADDRESS
    nets |= {str(pin): V3 if straps >> bit & 1 else GND for bit, pin in enumerate(SWITCH_STRAPS)}
    for seat in pins.layouts[LAYOUT].seats.values():
        data, clock = SWITCH_CHANNELS[seat.screen.bus - pins.multiplexer.base]
        nets |= {str(data): f"S{seat.seat}_SDA", str(clock): f"S{seat.seat}_SCL"}
    return Part(
        "U1", "PCA9548ADW", "Interface_Expansion:PCA9548ADW",
        "Package_SO:SOIC-24W_7.5x15.4mm_P1.27mm", (200, 202, 90), nets,
    )  # fmt: skip


def _beside_switch() -> Iterator[Part]:
    yield resistor("R1", "10k", (124, 226), (V3, "RESET"))
    yield Part("C1", "100n", "Device:C", DISC, (136, 178, 0), {"1": GND, "2": V3})
    yield Part(
        "C2", "10u", "Device:C_Polarized", "Capacitor_THT:CP_Radial_D5.0mm_P2.50mm",
        (60, 140, 0), {"1": V3, "2": GND},
    )  # fmt: skip


def resistor(ref: str, value: str, at: tuple[int, int], between: tuple[str, str]) -> Part:
    """A resistor of a quarter watt."""
    return Part(
        ref, value, "Device:R", "Resistor_THT:R_Axial_DIN0207_L6.3mm_D2.5mm_P7.62mm_Horizontal",
        (*at, 0), dict(zip("12", between, strict=True)),
    )  # fmt: skip


def _holes(width: int, height: int) -> Iterator[Part]:
    """For screws M3, in the corners."""
    corners = [(x, y) for y in (16, height - 16) for x in (16, width - 16)]
    for number, (x, y) in enumerate(corners, 1):
        yield Part(
            f"H{number}", "M3", "Mechanical:MountingHole", "MountingHole:MountingHole_3.2mm_M3",
            (x, y, 0), {},
        )  # fmt: skip


def faults(board: Board) -> Iterator[str]:
    """What cannot be right about a board, whatever the map says."""
    for net, pins in board.nets().items():
        if len(pins) < 2:
            yield f"{net} has one pin: {pins[0]}"
    for ref, count in Counter(part.ref for part in board.parts).items():
        if count > 1:
            yield f"{count} parts are called {ref}"
