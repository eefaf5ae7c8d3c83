"""What is made from the pin map, as texts: for the firmware and the Pi."""

from __future__ import annotations

import tomllib
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pinmap_map import PinMap

from race_companion_wired.pinmap import HEADER, SCREEN_ADDRESSES, Expander, Layout, Line

PAGES = ("wiring.md", "wiring.fr.md")
WIRING = tomllib.loads(Path(__file__).with_name("french.toml").read_text("utf-8"))["wiring"]
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
    | {"GND": 3, "3V3": 36, "VBUS": 40}
)
"""Where each line of an RP2040 stands on a Pico of 40 pins; of its grounds the first."""


def texts(pins: PinMap) -> dict[str, str]:
    """Every text by its path in the repository."""
    made = {
        "firmware/pod/pins.h": c_header(pins),
        "firmware/pico/pico_pins.h": pico_header(pins),
        "systemd/60-companion-seats.rules": udev_rules(pins),
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


def wiring_pages(pins: PinMap) -> dict[str, str]:
    """The page in each of its languages, by its path in the repository.

    Raises:
        KeyError: a name of the map has no French.
    """
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "wiring"),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {"hex": "0x{:02X}".format, "place": _place, "french": _french}
    screen = pins.pod.screen
    known = {
        "made": MADE,
        "pins": pins,
        "pod": [*pins.pod.named(), ("screen SDA", screen.sda), ("screen SCL", screen.scl)],
        "pico": [*pins.pico.named(), ("screen VCC", "3V3"), ("ground", "GND")],
        "nano": NANO_PINS,
        "pico_pins": PICO_PINS,
        "addresses": SCREEN_ADDRESSES,
        "straps": _straps,
        "interrupt": lambda expander: Line(HEADER, expander.interrupt),
        "moved": _moved,
        "words": WIRING,
    }
    return {f"docs/{page}": templates.get_template(page).render(known) for page in PAGES}


def _moved(layout: Layout) -> list[int]:
    """The seats whose screens do not have the address that they are sold with."""
    usual = SCREEN_ADDRESSES[0]
    return [seat for seat, one in layout.seats.items() if one.screen.address != usual]


def _straps(expander: Expander) -> tuple[str, str]:
    """What sets an expander's address: its pins that are high, and those that are low.

    >>> _straps(Expander("X2", 1, 0x21, 9))
    ('A0', 'A1 A2')
    """
    high = " ".join(f"A{bit}" for bit in range(3) if expander.address >> bit & 1)
    low = " ".join(f"A{bit}" for bit in range(3) if not expander.address >> bit & 1)
    return high, low


def _french(name: str) -> str:
    """What is on a pin, with its number or signal behind it: `bouton 3`, `écran SDA`."""
    what, _, which = name.partition(" ")
    return f"{WIRING[what]} {which}".strip()


def _place(line: Line) -> str:
    """A line as a builder looks for it.

    >>> _place(Line("GPIO", 17)), _place(Line("X1", 9))
    ('GPIO17 (11)', 'X1 GPB1')
    """
    if line.chip == HEADER:
        return f"{line} ({HEADER_PINS[line.number]})"
    return f"{line.chip} GP{'AB'[line.number // 8]}{line.number % 8}"
