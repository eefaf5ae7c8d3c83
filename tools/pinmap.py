"""Writes what is made from the pin map, and draws the wiring: `python tools/pinmap.py [--check]`.

What is made are texts: the templates in tools/wiring, filled with the map, and the lines for the
Pi's config.txt. The wiring is drawn by WireViz, which needs Graphviz, from the YAML in
hardware/wiring: that is a source, held against the map by tests/hardware/test_harness.py. A drawing
carries the digest of the YAML that it was drawn from, so an old one is seen.

`--check` writes nothing and names what is not up to date.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

from gpiozero import pi_info
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from made import renew

from companion.seats.plan import MAP
from race_companion_wired.pinmap import (
    HEADER,
    SCREEN_ADDRESSES,
    Expander,
    Layout,
    Line,
    Multiplexer,
    PinMapError,
    read_layouts,
    read_light,
)

ROOT = Path(__file__).parent.parent
SOURCE = MAP.relative_to(ROOT).as_posix()
TEMPLATES = ROOT / "tools" / "wiring"
DRAWINGS = "hardware/wiring"
MADE = f"made from {SOURCE} by tools/pinmap.py; change that and run it again"
FRENCH = tomllib.loads(Path(__file__).with_name("french.toml").read_text("utf-8"))["wiring"]
SIGNALS = {number: pin.name for number, pin in pi_info("a02082").headers["J8"].pins.items()}
"""What stands on each pin of the header of 40 pins, which is the same on every Pi."""
HEADER_PINS = {name: number for number, name in SIGNALS.items()}
NANO_PINS = {f"P{port}{bit}": f"D{first + bit}" for port, first in (("D", 0), ("B", 8))
             for bit in range(8)} | {f"PC{bit}": f"A{bit}" for bit in range(6)}  # fmt: skip
"""What is printed beside the ATmega328P's pins on an Arduino Nano."""
PICO_PINS = (
    {f"GP{line}": line + 1 + (line + 2) // 4 for line in range(23)}
    | {"GP26": 31, "GP27": 32, "GP28": 34}
    | {"GND": 3, "3V3": 36, "VBUS": 40}
)
"""Where each line of an RP2040 stands on a Pico of 40 pins; of its grounds the first."""


def read_map(text: str) -> SimpleNamespace:
    """The map of a TOML text: its tables by name, layouts and light as the program reads them.

    Of the tables `pod` and `pico` what they say are attributes.

    Raises:
        PinMapError: what cannot be read.
    """
    try:
        data = tomllib.loads(text)
        pods = json.dumps({name: data[name] for name in ("pod", "pico")})
        multiplexer = Multiplexer(**data["multiplexer"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise PinMapError(f"missing, or not known: {error}") from error
    data |= {"layouts": read_layouts(data), "light": read_light(data), "multiplexer": multiplexer}
    opened = json.loads(pods, object_hook=lambda table: SimpleNamespace(**table))
    return SimpleNamespace(**data | vars(opened))


def named(pod: SimpleNamespace) -> Iterator[tuple[str, str]]:
    """What is on a pin of a pod, with the pin: `("button 1", "PD2")`, …, `("screen SCL", "PC5")`.

    Lamp and buzzer are left out where it has none.
    """
    yield from ((f"button {number}", pin) for number, pin in enumerate(pod.buttons, 1))
    yield from ((part, getattr(pod, part)) for part in ("led", "buzzer") if hasattr(pod, part))
    bus = getattr(pod, "screen", pod)
    yield from (("screen SDA", bus.sda), ("screen SCL", bus.scl))


def texts(pins: SimpleNamespace) -> dict[str, str]:
    """Every text by its path in the repository.

    Raises:
        KeyError: a name of the map has no French.
    """
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    templates.filters |= {"hex": "0x{:02X}".format, "place": _place, "french": _french}
    known = {
        "made": MADE,
        "pins": pins,
        "pod": list(named(pins.pod)),
        "pico": [*named(pins.pico), ("screen VCC", "3V3"), ("ground", "GND")],
        "nano": NANO_PINS,
        "pico_pins": PICO_PINS,
        "addresses": SCREEN_ADDRESSES,
        "bits": lambda buttons: sum(1 << int(pin[2]) for pin in buttons),
        "straps": _straps,
        "interrupt": lambda expander: Line(HEADER, expander.interrupt),
        "moved": _moved,
        "words": FRENCH,
    }
    made = {path: templates.get_template(path).render(known) for path in templates.list_templates()}
    for name, layout in pins.layouts.items():
        lines = (f"# {MADE}", f"# {layout.about}", *layout.config, "")
        made[f"hardware/config/{name}.txt"] = "\n".join(lines)
    return made


def _moved(layout: Layout) -> list[int]:
    """The seats whose screens do not have the address that they are sold with."""
    usual = SCREEN_ADDRESSES[0]
    return [seat for seat, one in layout.seats.items() if one.screen.address != usual]


def _straps(expander: Expander) -> Sequence[str]:
    """What sets an expander's address: its pins that are high, and those that are low.

    >>> _straps(Expander("X2", 1, 0x21, 9))
    ['A0', 'A1 A2']
    """
    bits = [(bit, expander.address >> bit & 1) for bit in range(3)]
    return [" ".join(f"A{bit}" for bit, is_high in bits if is_high == of) for of in (1, 0)]


def _french(name: str) -> str:
    """What is on a pin, with its number or signal behind it: `bouton 3`, `écran SDA`."""
    what, _, which = name.partition(" ")
    return f"{FRENCH[what]} {which}".strip()


def _place(line: Line) -> str:
    """A line as a builder looks for it.

    >>> _place(Line("GPIO", 17)), _place(Line("X1", 9))
    ('GPIO17 (11)', 'X1 GPB1')
    """
    if line.chip == HEADER:
        return f"{line} ({HEADER_PINS[str(line)]})"
    return f"{line.chip} GP{'AB'[line.number // 8]}{line.number % 8}"


# -- written, drawn, out of date ------------------------------------------------------------------


def made(root: Path) -> dict[Path, str]:
    """Every file that is made of the map, as it should be.

    Raises:
        PinMapError: the map has faults.
    """
    pins = read_map((root / SOURCE).read_text("utf-8"))
    return {root / path: text for path, text in texts(pins).items()}


def undrawn(root: Path) -> list[Path]:
    """The drawings that show another YAML, or are not there."""
    drawings = (path.with_suffix(".svg") for path in sorted((root / DRAWINGS).glob("*.yml")))
    return [one for one in drawings if not one.exists() or mark(one) not in one.read_text("utf-8")]


def can_draw() -> bool:
    """Whether WireViz and Graphviz are there."""
    return find_spec("wireviz") is not None and shutil.which("dot") is not None


def draw(drawing: Path) -> None:
    """Draw an SVG from the YAML beside it, signed with what it was drawn from."""
    from wireviz.wireviz import parse  # without it the texts can still be written

    parse(drawing.with_suffix(".yml"), output_formats=("svg",))
    drawing.write_text(f"{drawing.read_text('utf-8').rstrip()}\n{mark(drawing)}\n", "utf-8")


def mark(drawing: Path) -> str:
    """The line that says which YAML a drawing shows."""
    source = drawing.with_suffix(".yml").read_bytes()
    return f"<!-- drawn from {hashlib.sha256(source).hexdigest()[:16]} -->"


def main() -> int:
    try:
        files = made(ROOT)
    except PinMapError as error:
        print(f"pinmap: {SOURCE} has faults:\n{error}", file=sys.stderr)
        return 2
    if can_draw() and "--check" not in sys.argv:
        for drawing in undrawn(ROOT):
            draw(drawing)
    return renew(
        files, (f"{one.name} is not drawn from its YAML as it is" for one in undrawn(ROOT))
    )


if __name__ == "__main__":
    sys.exit(main())
