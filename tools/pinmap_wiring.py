"""docs/wiring.md out of the pin map, and the same page in French: from templates in `wiring/`."""

from __future__ import annotations

from pathlib import Path

from french import WIRING
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from pinmap_map import PinMap
from pinmap_texts import HEADER_PINS, MADE, NANO_PINS, PICO_PINS

from companion.seats.pinmap import HEADER, SCREEN_ADDRESSES, Expander, Layout, Line

PAGES = ("wiring.md", "wiring.fr.md")


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
