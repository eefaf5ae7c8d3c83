"""docs/wiring.md out of the pin map, and the same page in French.

A sentence is its own key: `say` looks it up in the table of the page's language, and one that is
not there stops the tool.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pinmap_french import FRENCH
from pinmap_map import PinMap
from pinmap_texts import HEADER_PINS, MADE, NANO_PINS, PICO_PINS

from companion.seats.pinmap import SCREEN_ADDRESSES
from companion.seats.wiring import HEADER, Expander, Layout, Line

Say = Callable[..., str]
"""A sentence in the language of the page, with its names in braces filled in."""


def wiring_pages(pins: PinMap) -> dict[str, str]:
    """The page in each of its languages, by its path in the repository.

    Raises:
        KeyError: a sentence has no French.
    """
    return {
        "docs/wiring.md": _page(pins, _say(None), "*[En français](wiring.fr.md)*"),
        "docs/wiring.fr.md": _page(pins, _say(FRENCH), "*[In English](wiring.md)*"),
    }


def _say(words: Mapping[str, str] | None) -> Say:
    def say(text: str, **values: object) -> str:
        return (text if words is None else words[text]).format(**values)

    return say


def _page(pins: PinMap, say: Say, languages: str) -> str:
    parts = [_head(say, languages)]
    parts += [_layout_part(pins, say, name, layout) for name, layout in pins.layouts.items()]
    parts += [_light_part(pins, say), _wires_part(pins, say)]
    parts += [_pod_part(pins, say), _pico_part(pins, say)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _head(say: Say, languages: str) -> Iterator[str]:
    yield f"<!-- {MADE} -->"
    yield f"# {say('Wiring')}"
    yield ""
    yield languages
    yield ""
    yield say(
        "Every button connects its line to ground. The buttons of a seat stand like a gear gate: "
        "1 3 5 above, 2 4 6 below. Numbers in brackets are pins of the header."
    )


def _layout_part(pins: PinMap, say: Say, name: str, layout: Layout) -> Iterator[str]:
    yield f"## {say('Layout `{name}`', name=name)}"
    yield ""
    yield say(layout.about)
    yield ""
    heads = [str(number) for number in range(1, 7)]
    yield _row([say("seat"), *heads, say("bus"), say("address"), say("screen")])
    yield _row(["---"] * 10)
    for seat in layout.seats.values():
        screen = seat.screen
        place = [str(screen.bus), f"0x{screen.address:02X}", screen.controller]
        yield _row([str(seat.seat), *map(_place, seat.buttons), *place])
    yield from _by_hand(pins, say, layout)
    yield ""
    yield say("In `/boot/firmware/config.txt`:")
    yield ""
    yield from (f"    {line}" for line in layout.config)


def _by_hand(pins: PinMap, say: Say, layout: Layout) -> Iterator[str]:
    """What is soldered beside the chips of a layout."""
    for expander in layout.expanders.values():
        yield ""
        yield say(
            "{name}: MCP23017 at {address} on the Pi's own bus, INTA to {pin}; {straps}.",
            name=expander.name,
            address=f"0x{expander.address:02X}",
            pin=_place(Line(HEADER, expander.interrupt)),
            straps=_straps(expander, say),
        )
    if layout.multiplexer:
        yield ""
        yield say(
            "Multiplexer: PCA9548 at {address}: A0, A1 and A2 to GND, "
            "RESET to 3.3 V; on most boards resistors do that and these pins stay open.",
            address=f"0x{pins.multiplexer.address:02X}",
        )
    if layout.expanders:
        yield ""
        yield say(
            "Every line of an expander that has a button needs a resistor of "
            "{resistance} kΩ to 3.3 V: a network of eight with one common pin "
            "serves a seat. The pull-ups inside the MCP23017 stay off: Linux drops the request "
            "for them.",
            resistance=pins.pull_up_ohm // 1000,
        )
    moved = [n for n, seat in layout.seats.items() if seat.screen.address != SCREEN_ADDRESSES[0]]
    if moved:
        yield ""
        yield say(
            "The screen of seat {seats} needs the address {address}: "
            "move the small resistor on its back.",
            seats=say(" and of seat ").join(map(str, moved)),
            address=f"0x{SCREEN_ADDRESSES[1]:02X}",
        )


def _straps(expander: Expander, say: Say) -> str:
    """How an expander's address is set.

    >>> _straps(Expander("X2", 1, 0x21, 9), _say(None))
    'A0 to 3.3 V, A1 A2 to GND, RESET to 3.3 V'
    """
    high = " ".join(f"A{bit}" for bit in range(3) if expander.address >> bit & 1)
    low = " ".join(f"A{bit}" for bit in range(3) if not expander.address >> bit & 1)
    set_to = [say("{pins} to 3.3 V", pins=high)] * bool(high)
    set_to += [say("{pins} to GND", pins=low)] * bool(low)
    return ", ".join([*set_to, say("{pins} to 3.3 V", pins="RESET")])


def _light_part(pins: PinMap, say: Say) -> Iterator[str]:
    """How the chain of lights is wired; its heading is what other pages lead to."""
    light = pins.light
    yield f"## {say('Light')}"
    yield ""
    yield say(
        "One chain of {chip} for the table: the five start lights first, then the seats, "
        "seat 1 first. In the layout `header` its lines are those of seat 4: one or the other.",
        chip=light.chip,
    )
    yield ""
    yield _row([say("chain"), "Pi"])
    yield _row(["---"] * 2)
    yield _row([say("data in (DI)"), _place(light.data)])
    yield _row([say("clock in (CI)"), _place(light.clock)])
    yield _row(["GND", say("any GND")])
    yield _row(["5 V", say("the Pi's 5 V (2 or 4)")])
    yield ""
    yield say(
        "Its inputs ask for 3.5 V at a supply of 5 V, the Pi gives 3.3: most chains take it; where "
        "the first light flickers, a 74AHCT125 between mends it. A light takes up to 60 mA by its "
        "sheet, at the usual brightness of 4 in 31 some 8."
    )
    yield ""
    yield say("In `/boot/firmware/config.txt`, instead of `dtparam=spi=off`:")
    yield ""
    yield f"    dtoverlay={light.overlay}"


def _wires_part(pins: PinMap, say: Say) -> Iterator[str]:
    colours = pins.colours
    yield f"## {say('Wires')}"
    yield ""
    yield _row([say("wire"), say("colour")])
    yield _row(["---"] * 2)
    for number, colour in enumerate(colours.buttons, 1):
        yield _row([_part(f"button {number}", say), say(colour)])
    yield _row([say("ground of the buttons"), say(colours.ground)])
    for pin, colour in colours.screen.items():
        yield _row([_part(f"screen {pin.upper()}", say), say(colour)])


def _pod_part(pins: PinMap, say: Say) -> Iterator[str]:
    pod = pins.pod
    yield f"## {say('Pod')}"
    yield ""
    yield _row([say("what"), "ATmega328P", "Nano"])
    yield _row(["---"] * 3)
    screen = pod.screen
    for name, pin in (*pod.named(), ("screen SDA", screen.sda), ("screen SCL", screen.scl)):
        yield _row([_part(name, say), pin, NANO_PINS[pin]])
    yield ""
    yield say(
        "The pod's screen: {controller} at {address}, with pull-ups.",
        controller=screen.controller,
        address=f"0x{screen.address:02X}",
    )
    if pod.led:
        pin, ohm = NANO_PINS[pod.led], pod.led_ohm
        yield say("The lamp in its front hangs on {pin} behind {ohm} Ω.", pin=pin, ohm=ohm)
    yield say("The drawing: {link}.", link="[pod.svg](../hardware/wiring/pod.svg)")


def _pico_part(pins: PinMap, say: Say) -> Iterator[str]:
    yield f"## {say('Pod on a Raspberry Pi Pico')}"
    yield ""
    yield _row([say("what"), "Pico", say("pin")])
    yield _row(["---"] * 3)
    for name, pin in (*pins.pico.named(), ("screen VCC", "3V3"), ("ground", "GND")):
        yield _row([_part(name, say), pin, str(PICO_PINS[pin])])
    yield ""
    yield say(
        "Screen and lamp are the Nano's, the lamp behind {ohm} Ω; the screen's VCC goes "
        "to 3V3(OUT), never to VBUS: its pull-ups would put 5 volts on the Pico's lines. "
        "The drawing: {link}.",
        ohm=pins.led_ohm,
        link="[pico.svg](../hardware/wiring/pico.svg)",
    )


def _part(name: str, say: Say) -> str:
    """What is on a pin, with its number or signal behind it: `button 3`, `screen SDA`."""
    what, _, which = name.partition(" ")
    return f"{say(what)} {which}".strip()


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
