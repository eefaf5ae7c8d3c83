"""The drawings of the wiring: each wire of WireViz's YAML is the map's, and can be plugged.

Pins of one plug with the same label are one piece of copper: grounds of the header, rows of a
strip. So a drawing is right if its wires join just those labels that the map has on one net.
"""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
import yaml
from pinmap import DRAWINGS, NANO_PINS, PICO_PINS, ROOT, SIGNALS, read_map
from support.each import in_one
from wireviz.wireviz import parse
from wireviz.wv_colors import translate_color
from wireviz.wv_helper import expand

from companion.seats.plan import MAP
from race_companion_wired.pinmap import HEADER, Line

PARTS = ROOT / "hardware" / "parts.csv"
PINS = read_map(MAP.read_text("utf-8"))
End = tuple[str, str]
"""A plug's name, and the label of one of its pins."""

# -- what a drawing says --------------------------------------------------------------------------


@dataclass
class Drawing:
    """What WireViz reads: `pins` with the label beside each, `wires` by colour and two such."""

    types: dict[str, str] = field(default_factory=dict)
    pins: dict[tuple[str, str], str] = field(default_factory=dict)
    wires: list[tuple[str, tuple[str, str], tuple[str, str]]] = field(default_factory=list)

    def label(self, pin: tuple[str, str]) -> End:
        return pin[0], self.pins[pin]

    def nets(self) -> set[frozenset[End]]:
        """The labels that wires join."""
        found: list[set[End]] = []
        for _, *ends in self.wires:
            pair = set(map(self.label, ends))
            joined = [net for net in found if net & pair]
            found = [net for net in found if not net & pair] + [pair.union(*joined)]
        return set(map(frozenset, found))


@cache
def source(name: str) -> Any:
    """The YAML of a drawing; not to be changed."""
    return yaml.safe_load((ROOT / DRAWINGS / f"{name}.yml").read_text("utf-8"))


def read(data: Any) -> Drawing:
    """A drawing out of its YAML.

    Raises:
        Exception: WireViz does not understand it.
    """
    harness, drawing = parse(deepcopy(data), return_types="harness"), Drawing()
    for name, plug in harness.connectors.items():
        drawing.types[name] = plug.type
        pins = ((name, str(pin)) for pin in plug.pins)
        drawing.pins |= zip(pins, plug.pinlabels, strict=True)
    for name, cable in harness.cables.items():
        colours = [translate_color(colour, "full") for colour in cable.colors]
        ports = sorted(wire.via_port for wire in cable.connections)
        assert ports == list(range(1, len(colours) + 1)), f"the wires of {name}"
        drawing.wires += (
            (colours[w.via_port - 1], (w.from_name, str(w.from_pin)), (w.to_name, str(w.to_pin)))
            for w in cable.connections
        )
    return drawing


# -- what the map says ----------------------------------------------------------------------------

SCREEN = ("GND", "VCC", "SCL", "SDA")
"""As the pins stand on the usual screen of 0.96 inch."""
GATE = (*(f"button {number}" for number in range(1, 7)), "GND")
# As its data sheet has them, from pin 1 on; None: not connected.
EXPANDER = (*(f"GPB{n}" for n in range(8)), "VDD", "VSS", None, "SCL", "SDA", None, "A0", "A1",
            "A2", "RESET", "INTB", "INTA", *(f"GPA{n}" for n in range(8)))  # fmt: skip
ENDS = {
    "Gate": {str(n): label for n, label in enumerate(GATE, 1)},
    "Screen": {str(n): label for n, label in enumerate(SCREEN, 1)},
    "X": {str(n): label for n, label in enumerate(EXPANDER, 1)},
    "Pi": {str(n): name for n, name in SIGNALS.items()} | {"3": "SDA", "5": "SCL"},
    "Pico": {str(n): name for name, n in PICO_PINS.items()},
    "R": {"1": "common"} | {str(n + 1): f"R{n}" for n in range(1, 7)},
    "Q": {"1": "E", "2": "B", "3": "C"},
    "D": {"1": "K", "2": "A"},
    "Buzzer": {"1": "+", "2": "-"},
    "Lamp": {"1": "+", "2": "-"},
}
"""What stands beside the pins of a plug, by the numbers that they have on the thing itself."""
FIXED = {
    "Pi": "Raspberry Pi, header of 40 pins",
    "Nano": "Arduino Nano",
    "Pico": "Raspberry Pi Pico",
    "Strip": "strip: the pins of a rail are soldered together",
    "Q1": "2N3904",
    "D2": "1N4148, K is the end with the ring",
    "Buzzer": "active buzzer 5 V",
    "Lamp": "LED 5 mm, + is the long leg",
}


class Wanted:
    """What a drawing has to be: the ends on each net, its colour, what each plug is."""

    def __init__(self) -> None:
        self.nets: dict[str, set[End]] = defaultdict(set)
        self.types = dict(FIXED)
        screen = PINS.colours["screen"]
        self.colours = {"GND": screen["gnd"], "3V3": screen["vcc"], "5V": screen["vcc"],
                        "SCL": screen["scl"], "SDA": screen["sda"]}  # fmt: skip

    def seat(self, seat: int, screen: Any, lines: Sequence[str], nets: Mapping[str, str]) -> None:
        """Buttons and screen of a seat, on these lines and nets."""
        self.types[f"Gate{seat}"] = f"buttons of seat {seat}"
        self.types[f"Screen{seat}"] = f"{screen.controller} at 0x{screen.address:02X}"
        self.nets["GND"].add((f"Gate{seat}", "GND"))
        for label, line, colour in zip(GATE, lines, PINS.colours["buttons"], strict=False):
            self.nets[line].add((f"Gate{seat}", label))
            self.colours[line] = colour
        for label in SCREEN:
            net = nets.get(label, label)
            self.nets[net].add((f"Screen{seat}", label))
            self.colours[net] = PINS.colours["screen"][label.lower()]

    @property
    def plugs(self) -> set[str]:
        return {plug for ends in self.nets.values() for plug, _ in ends}


def wired(layout_name: str, numbers: Sequence[int]) -> Wanted:
    """These seats of a layout on the Pi."""
    layout, wanted = PINS.layouts[layout_name], Wanted()
    seats = [layout.seats[number] for number in numbers]
    for rail in ("GND", "3V3", "SCL", "SDA"):
        wanted.nets[rail] |= {("Pi", rail)} | ({("Mux", rail)} if layout.multiplexer else set())
    address = PINS.multiplexer.address
    wanted.types["Mux"] = f"PCA9548 at 0x{address:02X}: A0 A1 A2 to GND or open, RESET open"
    for seat in seats:
        bus = {"VCC": "3V3"}
        if layout.multiplexer:
            channel = seat.screen.bus - PINS.multiplexer.base
            bus |= {"SCL": f"SC{channel}", "SDA": f"SD{channel}"}
            for net in (bus["SCL"], bus["SDA"]):
                wanted.nets[net].add(("Mux", net))
        wanted.seat(seat.seat, seat.screen, [*map(str, seat.buttons)], bus)
        for number, line in enumerate(seat.buttons, 1):
            if line.chip == HEADER:
                wanted.nets[str(line)].add(("Pi", str(line)))
            else:
                on_chip = (line.chip, f"GP{'AB'[line.number // 8]}{line.number % 8}")
                wanted.nets[str(line)] |= {on_chip, (f"R{seat.seat}", f"R{number}")}
                wanted.nets["3V3"].add((f"R{seat.seat}", "common"))
        kilohm = PINS.expander["pull_up_ohm"] / 1000
        wanted.types[f"R{seat.seat}"] = f"resistor network, {kilohm:g} kΩ, one pin common"
    for name in {line.chip for seat in seats for line in seat.buttons} - {HEADER}:
        _expander(wanted, layout.expanders[name])
    return wanted


def _expander(wanted: Wanted, chip: Any) -> None:
    """An MCP23017: fed, on the Pi's bus, its address strapped, INTA on the header."""
    wanted.types[chip.name] = f"MCP23017 at 0x{chip.address:02X}"
    high = [f"A{bit}" for bit in range(3) if chip.address >> bit & 1]
    low = {"A0", "A1", "A2"}.difference(high)
    line = str(Line(HEADER, chip.interrupt))
    on = {"3V3": ["VDD", "RESET", *high], "GND": ["VSS", *low], "SCL": ["SCL"], "SDA": ["SDA"],
          line: ["INTA"]}  # fmt: skip
    for net, labels in on.items():
        wanted.nets[net] |= {(chip.name, label) for label in labels}
    wanted.nets[line].add(("Pi", line))
    wanted.colours[line] = "violet"


def pod(board: str) -> Wanted:
    """A pod: the lamp through its resistor, the buzzer by a transistor, a diode across it."""
    if board == "Nano":
        of, usb, power, bus = PINS.pod, "5V", "5V", PINS.pod.screen
        pins = NANO_PINS
    else:
        of, usb, power, bus = PINS.pico, "VBUS", "3V3", PINS.pico
        pins = {line: line for line in PICO_PINS}
    wanted, lines = Wanted(), [pins[pin] for pin in of.buttons]
    wanted.seat(1, PINS.pod.screen, lines, {"VCC": power})
    own = {"GND": "GND", "5V": usb, power: "5V" if power == usb else power,
           "SCL": pins[bus.scl], "SDA": pins[bus.sda], "buzzer": pins[of.buzzer],
           "lamp": pins[of.led]} | {line: line for line in lines}  # fmt: skip
    for net, label in own.items():
        wanted.nets[net].add((board, label))
    rest = {
        "GND": {("Q1", "E"), ("Lamp", "-")},
        "5V": {("D2", "K"), ("Buzzer", "+")},
        "buzzer": {("R2", "either")},
        "base": {("R2", "other"), ("Q1", "B")},
        "collector": {("Q1", "C"), ("D2", "A"), ("Buzzer", "-")},
        "lamp": {("R1", "either")},
        "behind the lamp's resistor": {("R1", "other"), ("Lamp", "+")},
    }
    for net, ends in rest.items():
        wanted.nets[net] |= ends
    wanted.colours |= dict.fromkeys(("buzzer", "base"), "violet") | {"collector": "white"}
    wanted.colours |= dict.fromkeys(("lamp", "behind the lamp's resistor"), "grey")
    wanted.types |= {"R1": f"{PINS.pod.led_ohm} Ω", "R2": f"{PINS.pod.buzzer_ohm} Ω"}
    return wanted


WANTED = {
    "one-wired": wired("pair", [1]),
    "two-wired": wired("pair", [1, 2]),
    "three-wired": wired("header", [1, 2, 3]),
    "four-wired": wired("header", [1, 2, 3, 4]),
    "expander": wired("expanded", [4, 5]),
    "pod": pod("Nano"),
    "pico": pod("Pico"),
}
TEN = wired("expanded", range(1, 11))

# -- one held against the other -------------------------------------------------------------------

SOLDERED = ("X", "R", "Q", "D")
"""Plugs whose pins are pads on a board: one takes three wires at most, a pin of others one."""


def stem(plug: str) -> str:
    return plug.rstrip("0123456789")


def faults(data: Any, wanted: Wanted) -> Iterator[str]:
    """What a drawing has otherwise than the map, and what nobody can plug; a sentence each."""
    try:
        drawing = read(data)
    except Exception as error:  # WireViz raises nothing narrower
        yield f"WireViz: {error}"
        return
    yield from _wrong_plugs(drawing, wanted)
    nets = {net: set(ends) for net, ends in wanted.nets.items()}
    for _, *ends in drawing.wires:
        for name, label in map(drawing.label, ends):
            if name == "Strip":
                nets[label].add((name, label))
    if (drawn := drawing.nets()) != (meant := set(map(frozenset, nets.values()))):
        yield f"joined, and not so in the map: {sorted(map(sorted, drawn - meant))}"
        yield f"in the map, and not so joined: {sorted(map(sorted, meant - drawn))}"
    net_of = {end: net for net, ends in nets.items() for end in ends}
    for colour, *ends in drawing.wires:
        labels = [drawing.label(end) for end in ends]
        due = wanted.colours.get(net_of.get(labels[0], ""))
        if any(stem(plug) == "Gate" and label == "GND" for plug, label in labels):
            due = PINS.colours["ground"]
        if colour != due:
            yield f"the wire from {ends[0]} to {ends[1]} is {colour}, not {due}"


def _wrong_plugs(drawing: Drawing, wanted: Wanted) -> Iterator[str]:
    for name, about in drawing.types.items():
        if about != wanted.types.get(name):
            yield f"{name} is called {about!r}, not {wanted.types.get(name)!r}"
    for (name, pin), label in drawing.pins.items():
        usual = pin.partition(" ")[0] if name == "Strip" else label
        right = ENDS.get(stem(name), {}).get(pin, usual)
        # A single resistor has no right way round.
        if label not in (right, "either", "other"):
            yield f"beside pin {pin} of {name} stands {label!r}, not {right!r}"
    count = Counter(end for _, *ends in drawing.wires for end in ends)
    for name, pin in drawing.pins:
        wires = count[name, pin]
        if not 1 <= wires <= (3 if stem(name) in SOLDERED else 1):
            yield f"{wires} wires on pin {pin} of {name}"


@in_one("name", WANTED)
def test_a_drawing_is_as_the_map_and_can_be_plugged(name: str) -> None:
    assert list(faults(source(name), WANTED[name])) == []


def test_every_drawing_is_held_against_the_map() -> None:
    assert {path.stem for path in (ROOT / DRAWINGS).glob("*.yml")} == set(WANTED)


# Each of these must be seen, or the check above sees nothing.


def mutants(data: Any) -> Iterator[tuple[str, Any]]:
    """The drawing with one thing wrong in it: a type, a label, a colour, a row, a wire's end."""
    for name, plug in data["connectors"].items():
        yield f"type of {name}", _with(data, ("connectors", name, "type"), "another")
        labels = plug["pinlabels"]
        for at in range(len(labels) - 1):
            for key in {"pins", "pinlabels"} & plug.keys() if name not in UNPLACED else ():
                if labels[at] != labels[at + 1]:
                    turned = _turned(plug[key], at, at + 1)
                    yield f"{key} {at} of {name}", _with(data, ("connectors", name, key), turned)
    for name, cable in data["cables"].items():
        for at in range(len(cable["colors"])):
            yield f"colour {at} of {name}", _with(data, ("cables", name, "colors", at), "PK")
    rows = data["connections"]
    for at in range(len(rows)):
        yield f"row {at} left out", data | {"connections": rows[:at] + rows[at + 1 :]}
    yield from _rewired(data)


QUICK = ("one-wired", "two-wired", "pod")
UNPLACED = ("Mux", "Nano")
"""Plugs that are drawn without numbers, as boards differ: their pins go by what is beside them."""


def _rewired(data: Any) -> Iterator[tuple[str, Any]]:
    """Each end of a wire on another pin of its plug, and in the place of the next other one."""
    ends = [
        (at, part, plug, number, str(pin))
        for at, row in enumerate(data["connections"])
        for part in (0, 2)
        for plug, pins in row[part].items()
        for number, pin in enumerate(expand(pins))
    ]
    drawing = read(data)
    nets = {end: net for net in drawing.nets() for end in net}

    def net(end: Any) -> frozenset[End]:
        _, _, plug, _, pin = end
        return nets[plug, drawing.pins.get((plug, pin), pin)]

    for end in ends:
        own = [other for other in ends if other[2] == end[2]]
        following = own[own.index(end) + 1 :] + own[: own.index(end)]
        for other in [one for one in following if one[4] != end[4]][:1]:
            yield f"{end[2:]} on {other[4]}", _moved(data, (end, other[4]))
        for other in [one for one in following if net(one) != net(end)][:1]:
            swapped = _moved(data, (end, other[4]), (other, end[4]))
            yield f"{end[2:]} and {other[2:]} swapped", swapped


def _moved(data: Any, *moves: tuple[Any, str]) -> Any:
    changed = deepcopy(data)
    for (at, part, plug, number, _), pin in moves:
        pins = expand(changed["connections"][at][part][plug])
        pins[number] = int(pin) if pin.isdecimal() else pin
        changed["connections"][at][part][plug] = pins
    return changed


def _turned(row: Sequence[Any], one: int, other: int) -> list[Any]:
    turned = list(row)
    turned[one], turned[other] = row[other], row[one]
    return turned


def _with(data: Any, path: Sequence[Any], value: Any) -> Any:
    changed = deepcopy(data)
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    "name",
    [
        *QUICK,
        *(pytest.param(name, marks=pytest.mark.slow) for name in WANTED if name not in QUICK),
    ],
)
def test_one_wrong_pin_label_colour_or_wire_is_seen(name: str) -> None:
    every = dict(mutants(source(name)))
    assert len(every) > 40
    assert [what for what, data in every.items() if not list(faults(data, WANTED[name]))] == []


def test_two_wires_on_a_pin_are_seen() -> None:
    """As the drawing of four seats was: five wires on pin 6 of the header."""
    four = deepcopy(source("four-wired"))
    for row in four["connections"]:
        if "Pi" in row[0]:
            row[0]["Pi"] = [6 if pin in (9, 14) else pin for pin in expand(row[0]["Pi"])]
    assert "3 wires on pin 6 of Pi" in list(faults(four, WANTED["four-wired"]))


def test_a_buzzer_on_a_pin_is_seen() -> None:
    """As it was drawn: 30 mA by its sheet, on a pin that gives 20."""
    bare = deepcopy(source("pod"))
    rows = [r for r in bare["connections"] if not {"R2", "Q1", "D2"} & {*r[0], *r[2]}]
    bare["connections"] = [*rows, [{"Nano": ["D9"]}, {"WT": [1]}, {"Buzzer": ["+"]}]]
    assert list(faults(bare, WANTED["pod"]))


# -- what it takes, and what it is made of --------------------------------------------------------

POWER = {"Screen": ("VCC", "screen"), "Mux": ("3V3", "multiplexer"), "X": ("VDD", "expander"),
         "Buzzer": ("+", "buzzer")}  # fmt: skip
"""By which pin parts take current, and what the map calls them."""
LED_V, BASE_V = 2.0, 0.7
"""What a lamp and the base of a transistor keep."""
BOARD_LED_MA = 3.0
"""The lamp on the Nano itself, behind its resistor of 1 kΩ."""


def taken_ma(wanted: Wanted, net: str) -> float:
    """What hangs on a net, in milliamperes."""
    taken = 0.0
    for plug, label in wanted.nets[net]:
        pin, kind = POWER.get(stem(plug), ("", ""))
        taken += PINS.current_ma[kind] if label == pin else 0
        if label == "common":
            taken += 6 * 3300 / PINS.expander["pull_up_ohm"]
    return taken


@in_one(
    ("wanted", "net", "rail"),
    [
        *((WANTED[name], "3V3", "pi_3v3") for name in WANTED if name not in ("pod", "pico")),
        (TEN, "3V3", "pi_3v3"),
        (WANTED["pod"], "5V", "nano_5v"),
        (WANTED["pico"], "3V3", "pico_3v3"),
        (WANTED["pico"], "5V", "pico_5v"),
    ],
)
def test_no_rail_gives_more_than_it_has(wanted: Wanted, net: str, rail: str) -> None:
    assert 0 < taken_ma(wanted, net) <= PINS.rails_ma[rail]


def test_ten_screens_take_three_fifths_of_what_the_pi_gives() -> None:
    assert taken_ma(TEN, "3V3") == pytest.approx(10 * 30 + 1 + 4 + 7 * 6 * 0.33, abs=0.1)


@in_one(("volts", "board_ma", "pin"), [(5.0, BOARD_LED_MA, "nano_pin"), (3.3, 0.0, "pico_pin")])
def test_a_pin_bears_its_lamp_and_opens_the_transistor_of_the_buzzer_wide(
    volts: float, board_ma: float, pin: str
) -> None:
    """A 2N3904 is sure to be open where its base has a tenth of what its collector takes."""
    assert (volts - LED_V) / PINS.pod.led_ohm * 1000 + board_ma <= PINS.rails_ma[pin]
    base_ma = (volts - BASE_V) / PINS.pod.buzzer_ohm * 1000
    assert PINS.current_ma["buzzer"] / 10 <= base_ma <= PINS.rails_ma[pin]
    assert PINS.current_ma["buzzer"] <= PINS.rails_ma["transistor"]


MADE_OF = {"Gate": {"button": 6}, "Strip": {"strip": 1, "pins": 1}, "Mux": {"multiplexer": 1},
           "X": {"expander": 1}, "Q": {"transistor": 1}, "D": {"diode": 1}}  # fmt: skip
"""What a plug of the drawings is made of, where the list of parts has another name for it."""
GROUPS = {
    "one-wired": {"table": 1, "wired seat": 1},
    "two-wired": {"table": 1, "wired seat": 2, "two or more wired seats": 1},
    "three-wired": {
        "table": 1,
        "wired seat": 3,
        "two or more wired seats": 1,
        "three or more wired seats": 1,
    },
    "pod": {"pod": 1, "pod on a Nano": 1},
    "pico": {"pod": 1, "pod on a Pico": 1},
}
GROUPS["four-wired"] = GROUPS["three-wired"] | {"wired seat": 4}
GROUPS["ten wired"] = GROUPS["four-wired"] | {"wired seat": 10, "five or more wired seats": 1}


def needed(name: str) -> Counter[str]:
    """The parts of a drawing; of ten seats, which none shows, those of the map."""
    if name == "ten wired":
        types = {plug: TEN.types[plug] for plug in {*TEN.plugs, "Strip"}}
        wires = sum(stem(plug) not in ("Pi", "X") for ends in TEN.nets.values() for plug, _ in ends)
    else:
        drawing = read(source(name))
        types, wires = drawing.types, len(drawing.wires)
    parts = Counter({"wire": wires})
    for plug, about in types.items():
        kind = "resistor network" if "network" in about else "resistor"
        parts.update(MADE_OF.get(stem(plug), {kind if stem(plug) == "R" else part_of(plug): 1}))
    return parts


def part_of(plug: str) -> str:
    """What the list of parts calls it: boards have their own names."""
    return plug if plug in ("Pi", "Nano", "Pico") else stem(plug).lower()


def bought(groups: dict[str, int]) -> Counter[str]:
    parts: Counter[str] = Counter()
    with PARTS.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            parts[line["stands_for"]] += int(line["count"]) * groups.get(line["for"], 0)
    return parts


@in_one("name", GROUPS)
def test_every_part_of_a_drawing_can_be_bought(name: str) -> None:
    missing = needed(name) - bought(GROUPS[name])
    assert missing == Counter()


@in_one("name", GROUPS)
def test_no_part_is_bought_that_stands_in_no_drawing(name: str) -> None:
    unplugged = {"", "case", "screw", "board", "pins", "wire"}
    more = bought(GROUPS[name]) - needed(name)
    assert set(more) <= unplugged


def price(groups: dict[str, int]) -> int:
    """Euros, the upper of two where a part has two prices."""
    with PARTS.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    return sum(int(one["price_eur"].split("–")[-1]) * groups.get(one["for"], 0) for one in lines)


@in_one("count", [1, 2, 4, 6, 10])
def test_the_guide_names_what_seats_cost(count: int) -> None:
    more = {"two or more wired seats": 2, "three or more wired seats": 3}
    more["five or more wired seats"] = 5
    wired_eur = price({"wired seat": count} | {name: 1 for name, n in more.items() if count >= n})
    pods_eur = price({"pod": count, "pod on a Nano": count, "pods": int(count >= 3)})
    # A Pi has four sockets.
    keys_eur = price({"number pad": count, "pods": int(count > 4)})
    guide = (PARTS.parent.parent / "docs" / "seats.md").read_text("utf-8")
    assert f"| {count} | 0 | {keys_eur} | {wired_eur} | {pods_eur} |" in guide
    assert f"clock: {price({'table': 1})})" in guide
