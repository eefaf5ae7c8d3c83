"""What is made from the pin map, as texts: for the firmware, the Pi and people."""

from __future__ import annotations

from collections.abc import Iterator

from pinmap_map import PinMap

from companion.seats.pinmap import SCREEN_ADDRESSES
from companion.seats.wiring import HEADER, Expander, Layout, Line

MADE = "made from companion/seats/seat.toml by tools/pinmap.py; change that and run it again"
# fmt: off
HEADER_PINS = {
    0: 27, 1: 28, 2: 3, 3: 5, 4: 7, 5: 29, 6: 31, 7: 26, 8: 24, 9: 21, 10: 19, 11: 23, 12: 32,
    13: 33, 14: 8, 15: 10, 16: 36, 17: 11, 18: 12, 19: 35, 20: 38, 21: 40, 22: 15, 23: 16,
    24: 18, 25: 22, 26: 37, 27: 13,
}
# fmt: on
"""Where each line of the Pi stands on its header of 40 pins."""
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
POWER_PINS = (1, 17)
"""The header's pins of ground, and of 3.3 volts."""
EXPANDER_PINS = {
    **{f"GPB{n}": 1 + n for n in range(8)},
    "VDD": 9,
    "VSS": 10,
    "SCL": 12,
    "SDA": 13,
    **{f"A{n}": 15 + n for n in range(3)},
    "RESET": 18,
    "INTB": 19,
    "INTA": 20,
    **{f"GPA{n}": 21 + n for n in range(8)},
}
"""Where each signal stands on an MCP23017 in its case of 28 pins."""
NANO_PINS = {f"P{port}{bit}": f"D{first + bit}" for port, first in (("D", 0), ("B", 8))
             for bit in range(8)} | {f"PC{bit}": f"A{bit}" for bit in range(6)}  # fmt: skip
"""What is printed beside the ATmega328P's pins on an Arduino Nano."""
PICO_PINS = (
    {f"GP{line}": line + 1 + (line + 2) // 4 for line in range(23)}
    | {"GP26": 31, "GP27": 32, "GP28": 34}
    | {"GND": 3, "3V3": 36}
)
"""Where each line of an RP2040 stands on a Pico of 40 pins; of its grounds the first."""


def texts(pins: PinMap) -> dict[str, str]:
    """Every text by its path in the repository."""
    made = {
        "firmware/pod/pins.h": c_header(pins),
        "firmware/pico/pico_pins.h": pico_header(pins),
        "systemd/60-companion-seats.rules": udev_rules(pins),
        "docs/wiring.md": wiring_table(pins),
    }
    for name, layout in pins.layouts.items():
        lines = [f"# {MADE}", f"# {layout.about}", *layout.config]
        made[f"hardware/config/{name}.txt"] = "\n".join(lines) + "\n"
    return made


def c_header(pins: PinMap) -> str:
    """The pod's pins: for each its port, direction and input registers, and its bit."""
    pod = pins.pod
    lines = [f"/* The pod's pins: {MADE}. */", "#ifndef PINS_H", "#define PINS_H", ""]
    for part, pin in pod.named():
        name = part.upper().replace(" ", "_")
        lines += [
            f"/* {name}: {pin}, {NANO_PINS[pin]} on a Nano */",
            f"#define {name}_PORT PORT{pin[1]}",
            f"#define {name}_DDR DDR{pin[1]}",
            f"#define {name}_PIN PIN{pin[1]}",
            f"#define {name}_BIT {pin[2]}",
            "",
        ]
    lines += [f"#define HAS_LED {int(pod.led is not None)}"]
    lines += [f"#define HAS_BUZZER {int(pod.buzzer is not None)}"]
    lines += [f"#define BUTTONS {len(pod.buttons)}"]
    lines += [f"#define SCREEN_ADDRESS 0x{pod.screen.address:02X}"]
    ports = {pin[1] for pin in pod.buttons}
    if len(ports) == 1:
        (port,) = ports
        mask = sum(1 << int(pin[2]) for pin in pod.buttons)
        lines += ["", "/* All buttons stand on one port: one reading sees them at once. */"]
        lines += [f"#define BUTTONS_PORT PORT{port}", f"#define BUTTONS_DDR DDR{port}"]
        lines += [f"#define BUTTONS_PIN PIN{port}", f"#define BUTTONS_MASK 0x{mask:02X}"]
    return "\n".join([*lines, "", "#endif", ""])


def pico_header(pins: PinMap) -> str:
    """The lines of a pod on a Pico, and what it calls itself on USB."""
    pico = pins.pico
    usb = pico.usb
    buttons = ", ".join(pin.removeprefix("GP") for pin in pico.buttons)
    lines = [f"/* The pod's lines on a Pico: {MADE}. */", "#ifndef PICO_PINS_H"]
    lines += ["#define PICO_PINS_H", "", f"#define PICO_BUTTONS {{{buttons}}}"]
    for part in ("led", "buzzer", "sda", "scl"):
        lines.append(f"#define PICO_{part.upper()} {getattr(pico, part).removeprefix('GP')}")
    lines += [f"#define PICO_VENDOR 0x{usb.vendor:04X}"]
    lines += [f"#define PICO_PRODUCT 0x{usb.product:04X}"]
    lines += [f'#define PICO_NAME "{usb.name}"']
    return "\n".join([*lines, "", "#endif", ""])


def udev_rules(pins: PinMap) -> str:
    lines = [
        f"# {MADE}",
        "# Lines, buses and pods belong to groups, so that the companion need not be root.",
        'SUBSYSTEM=="gpio", KERNEL=="gpiochip*", GROUP="gpio", MODE="0660"',
        'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"',
        'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"',
        "",
        "# ModemManager speaks to every new serial port; a pod would take it for noise.",
    ]
    for usb in (*pins.pod.usb, pins.pico.usb):
        ids = f'ATTRS{{idVendor}}=="{usb.vendor:04x}", ATTRS{{idProduct}}=="{usb.product:04x}"'
        owner = 'GROUP="dialout", MODE="0660", ENV{ID_MM_DEVICE_IGNORE}="1"'
        lines += [f"# {usb.about}", f'SUBSYSTEM=="tty", {ids}, {owner}']
    return "\n".join([*lines, ""])


def wiring_table(pins: PinMap) -> str:
    lines = [
        f"<!-- {MADE} -->",
        "# Wiring",
        "",
        "Every button connects its line to ground. The buttons of a seat stand like a gear gate: "
        "1 3 5 above, 2 4 6 below. Numbers in brackets are pins of the header.",
    ]
    for name, layout in pins.layouts.items():
        lines += ["", f"## Layout `{name}`", "", layout.about, ""]
        heads = [str(number) for number in range(1, 7)]
        lines += [_row(["seat", *heads, "bus", "address", "screen"]), _row(["---"] * 10)]
        for seat in layout.seats.values():
            screen = seat.screen
            place = [str(screen.bus), f"0x{screen.address:02X}", screen.controller]
            lines.append(_row([str(seat.seat), *map(_place, seat.buttons), *place]))
        for expander in layout.expanders.values():
            lines += [
                "",
                f"{expander.name}: MCP23017 at 0x{expander.address:02X} on the Pi's own bus, "
                f"INTA to {_place(Line(HEADER, expander.interrupt))}; {_straps(expander)}.",
            ]
        lines += _by_hand(pins, layout)
        lines += ["", "In `/boot/firmware/config.txt`:", ""]
        lines += [f"    {line}" for line in layout.config]
    lines += ["", *_light_table(pins)]
    lines += ["", "## Wires", "", _row(["wire", "colour"]), _row(["---"] * 2)]
    colours = pins.colours
    lines += [_row([f"button {n}", one]) for n, one in enumerate(colours.buttons, 1)]
    lines += [_row(["ground of the buttons", colours.ground])]
    lines += [_row([f"screen {pin.upper()}", one]) for pin, one in colours.screen.items()]
    return "\n".join([*lines, "", *_pod_table(pins), "", *_pico_table(pins), ""])


def _light_table(pins: PinMap) -> Iterator[str]:
    """How the chain of lights is wired."""
    light = pins.light
    yield "## Light"
    yield ""
    yield (
        f"One chain of {light.chip} for the table: the five start lights first, then the seats, "
        "seat 1 first. In the layout `header` its lines are those of seat 4: one or the other."
    )
    yield ""
    yield _row(["chain", "Pi"])
    yield _row(["---"] * 2)
    yield _row(["data in (DI)", _place(light.data)])
    yield _row(["clock in (CI)", _place(light.clock)])
    yield _row(["GND", "any GND"])
    yield _row(["5 V", "the Pi's 5 V (2 or 4)"])
    yield ""
    yield (
        "Its inputs ask for 3.5 V at a supply of 5 V, the Pi gives 3.3: most chains take it; where "
        "the first light flickers, a 74AHCT125 between mends it. A light takes up to 60 mA by its "
        "sheet, at the usual brightness of 4 in 31 some 8."
    )
    yield ""
    yield "In `/boot/firmware/config.txt`, instead of `dtparam=spi=off`:"
    yield ""
    yield f"    dtoverlay={light.overlay}"


def _straps(expander: Expander) -> str:
    """How an expander's address is set.

    >>> _straps(Expander("X2", 1, 0x21, 9))
    'A0 to 3.3 V, A1 A2 to GND, RESET to 3.3 V'
    """
    high = " ".join(f"A{bit}" for bit in range(3) if expander.address >> bit & 1)
    low = " ".join(f"A{bit}" for bit in range(3) if not expander.address >> bit & 1)
    set_to = [f"{high} to 3.3 V"] * bool(high) + [f"{low} to GND"] * bool(low)
    return ", ".join([*set_to, "RESET to 3.3 V"])


def _by_hand(pins: PinMap, layout: Layout) -> Iterator[str]:
    """What is soldered beside the chips of a layout."""
    if layout.multiplexer:
        yield ""
        yield (
            f"Multiplexer: PCA9548 at 0x{pins.multiplexer.address:02X}: A0, A1 and A2 to GND, "
            "RESET to 3.3 V; on most boards resistors do that and these pins stay open."
        )
    if layout.expanders:
        yield ""
        yield (
            "Every line of an expander that has a button needs a resistor of "
            f"{pins.pull_up_ohm // 1000} kΩ to 3.3 V: a network of eight with one common pin "
            "serves a seat. The pull-ups inside the MCP23017 stay off: Linux drops the request "
            "for them."
        )
    moved = [n for n, seat in layout.seats.items() if seat.screen.address != SCREEN_ADDRESSES[0]]
    if moved:
        yield ""
        yield (
            f"The screen of seat {' and of seat '.join(map(str, moved))} needs the address "
            f"0x{SCREEN_ADDRESSES[1]:02X}: move the small resistor on its back."
        )


def _pod_table(pins: PinMap) -> Iterator[str]:
    pod = pins.pod
    yield "## Pod"
    yield ""
    yield _row(["what", "ATmega328P", "Nano"])
    yield _row(["---"] * 3)
    screen = pod.screen
    for name, pin in (*pod.named(), ("screen SDA", screen.sda), ("screen SCL", screen.scl)):
        yield _row([name, pin, NANO_PINS[pin]])
    yield ""
    yield f"The pod's screen: {screen.controller} at 0x{screen.address:02X}, with pull-ups."
    if pod.led:
        yield f"The lamp in its front hangs on {NANO_PINS[pod.led]} behind {pod.led_ohm} Ω."
    yield "The drawing: [pod.svg](../hardware/wiring/pod.svg)."


def _pico_table(pins: PinMap) -> Iterator[str]:
    yield "## Pod on a Raspberry Pi Pico"
    yield ""
    yield _row(["what", "Pico", "pin"])
    yield _row(["---"] * 3)
    for name, pin in pins.pico.named():
        yield _row([name, pin, str(PICO_PINS[pin])])
    for name, pin in (("screen VCC", "3V3"), ("ground", "GND")):
        yield _row([name, pin, str(PICO_PINS[pin])])
    yield ""
    yield (
        f"Screen and lamp are the Nano's, the lamp behind {pins.led_ohm} Ω; the screen's VCC goes "
        "to 3V3(OUT), never to VBUS: its pull-ups would put 5 volts on the Pico's lines. "
        "The drawing: [pico.svg](../hardware/wiring/pico.svg)."
    )


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _place(line: Line) -> str:
    """A line as a builder looks for it.

    >>> _place(Line("GPIO", 17)), _place(Line("X1", 9))
    ('GPIO17 (11)', 'X1 GPB1')
    """
    if line.chip == HEADER:
        return f"{line} ({HEADER_PINS[line.number]})"
    return f"{line.chip} GP{'AB'[line.number // 8]}{line.number % 8}"
