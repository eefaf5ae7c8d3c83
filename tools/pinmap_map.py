"""The whole pin map: the layouts as the program reads them, pods and colours as only tools do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.seats import pinmap

# fmt: off
POD_KEPT = {
    "PD0": "the serial line's RX", "PD1": "the serial line's TX", "PC6": "reset",
    "PB6": "the crystal's", "PB7": "the crystal's", "PC4": "I2C's SDA", "PC5": "I2C's SCL",
}
# fmt: on
CURRENTS = ("screen", "multiplexer", "expander", "buzzer")
RAILS = ("pi_3v3", "nano_5v", "nano_pin", "pico_3v3", "pico_5v", "pico_pin", "transistor")
LED_V = 2.0
BASE_V = 0.7
"""What the base of a transistor keeps."""
BOARD_LED_MA = 3.0
"""The lamp on the Nano itself, behind its resistor of 1 kΩ."""
PICO_LINES = (*range(23), 26, 27, 28)
"""Those that a Pico has on its edges."""
_PICO_PIN = re.compile(r"GP(\d\d?)")
_POD_PIN = re.compile(r"P[BD][0-7]|PC[0-6]")


@dataclass(frozen=True, slots=True)
class Colours:
    """The wires of a seat's cable: its buttons from 1 on and their ground; its screen's by pin."""

    buttons: Sequence[str]
    ground: str
    screen: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PodScreen:
    """A pod's screen and the pins of the ATmega328P that it is on."""

    sda: str
    scl: str
    address: int
    controller: pinmap.ControllerName


@dataclass(frozen=True, slots=True)
class Usb:
    """What a pod's board calls itself on USB."""

    about: str
    vendor: int
    product: int


@dataclass(frozen=True, slots=True)
class PodPins:
    """The pins of a pod, by the names of the ATmega328P; one of None: it has no such part."""

    buttons: Sequence[str]
    screen: PodScreen
    usb: Sequence[Usb]
    led: str | None = None
    led_ohm: int = 0
    buzzer: str | None = None
    buzzer_ohm: int = 0

    def named(self) -> Iterator[tuple[str, str]]:
        """What is on a pin of its own, with the pin: `("button 1", "PD2")`, …, `("led", "PB5")`."""
        yield from ((f"button {number}", pin) for number, pin in enumerate(self.buttons, 1))
        parts = (("led", self.led), ("buzzer", self.buzzer))
        yield from ((name, pin) for name, pin in parts if pin is not None)


@dataclass(frozen=True, slots=True)
class PicoUsb(Usb):
    """The same of a Pico, whose `name` it says on USB too."""

    name: str


@dataclass(frozen=True, slots=True)
class PicoPins:
    """The pins of a pod on a Raspberry Pi Pico, by what is printed beside them."""

    buttons: Sequence[str]
    led: str
    buzzer: str
    sda: str
    scl: str
    usb: PicoUsb

    def named(self) -> Iterator[tuple[str, str]]:
        """What is on a pin of its own, with the pin."""
        yield from ((f"button {number}", pin) for number, pin in enumerate(self.buttons, 1))
        yield from (("led", self.led), ("buzzer", self.buzzer))
        yield from (("screen SDA", self.sda), ("screen SCL", self.scl))


@dataclass(frozen=True, slots=True)
class PinMap:
    """The whole map; `layouts` by their names, currents in milliamperes."""

    multiplexer: pinmap.Multiplexer
    colours: Colours
    layouts: Mapping[str, pinmap.Layout]
    pod: PodPins
    pico: PicoPins
    pull_up_ohm: int
    current_ma: Mapping[str, float]
    rails_ma: Mapping[str, float]
    light: pinmap.LightPlace

    @property
    def led_ohm(self) -> int:
        """The resistor before a pod's lamp."""
        return self.pod.led_ohm


def read_map(text: str) -> PinMap:
    """The map of a TOML text.

    Raises:
        pinmap.PinMapError: what cannot be read, or else all faults by name.
    """
    try:
        data = tomllib.loads(text)
        parts = data["pod"]
        parts |= {"screen": PodScreen(**parts["screen"]), "usb": [Usb(**u) for u in parts["usb"]]}
        pod, colours = PodPins(**parts), Colours(**data["colours"])
        pico = PicoPins(**data["pico"] | {"usb": PicoUsb(**data["pico"]["usb"])})
        multiplexer = pinmap.Multiplexer(**data["multiplexer"])
        ohm, currents, rails = _electric(data)
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise pinmap.PinMapError(f"missing, or not known: {error}") from error
    faults = [*(f"pod: {fault}" for fault in _pod_faults(pod)), *_colour_faults(colours)]
    faults += [f"pico: {fault}" for fault in _pico_faults(pico)]
    try:
        layouts, light = pinmap.read_layouts(data), pinmap.read_light(data)
    except pinmap.PinMapError as error:
        raise pinmap.PinMapError("\n".join([str(error), *faults])) from error
    if faults:
        raise pinmap.PinMapError("\n".join(faults))
    return PinMap(multiplexer, colours, layouts, pod, pico, ohm, currents, rails, light)


def _electric(
    data: Mapping[str, Mapping[str, int]],
) -> tuple[int, Mapping[str, float], Mapping[str, float]]:
    """The expander's resistors, what parts take, what rails give.

    Raises:
        KeyError: one is missing.
    """
    currents = {name: data["current_ma"][name] for name in CURRENTS}
    rails = {name: data["rails_ma"][name] for name in RAILS}
    return data["expander"]["pull_up_ohm"], currents, rails


def _pod_faults(pod: PodPins) -> Iterator[str]:
    taken: dict[str, str] = {}
    for part, pin in pod.named():
        use = part if part.startswith("button") else f"the {part}"
        if _POD_PIN.fullmatch(pin) is None:
            yield f"{use}: an ATmega328P has no pin {pin!r}"
        if pin in taken:
            yield f"{pin} is {taken[pin]} and {use}"
        if pin in POD_KEPT:
            yield f"{pin} cannot be {use}: it is {POD_KEPT[pin]}"
        taken[pin] = use
    if len(pod.buttons) != pinmap.BUTTONS:
        yield f"it has {len(pod.buttons)} buttons instead of {pinmap.BUTTONS}"
    if (pod.screen.sda, pod.screen.scl) != ("PC4", "PC5"):
        yield "the TWI of an ATmega328P is on PC4 (SDA) and PC5 (SCL)"
    if pod.screen.address not in pinmap.SCREEN_ADDRESSES:
        yield f"the screen cannot have the address 0x{pod.screen.address:02X}"
    yield from pinmap.controller_faults("the screen", pod.screen.controller)


def _pico_faults(pico: PicoPins) -> Iterator[str]:
    taken: dict[str, str] = {}
    for part, pin in pico.named():
        found = _PICO_PIN.fullmatch(pin)
        if found is None or int(found[1]) not in PICO_LINES:
            yield f"{part}: a Pico has no pin {pin!r}"
        if pin in taken:
            yield f"{pin} is {taken[pin]} and {part}"
        taken[pin] = part
    if len(pico.buttons) != pinmap.BUTTONS:
        yield f"it has {len(pico.buttons)} buttons instead of {pinmap.BUTTONS}"
    bus = (_PICO_PIN.fullmatch(pin) for pin in (pico.sda, pico.scl))
    lines = [int(found[1]) for found in bus if found]
    if lines not in [[line, line + 1] for line in range(0, 30, 4)]:
        yield "I2C0 of an RP2040 is on GP0, GP4, GP8 … (SDA) and the next one each (SCL)"


def _colour_faults(colours: Colours) -> Iterator[str]:
    for name, wires in (
        ("buttons", [*colours.buttons, colours.ground]),
        ("screen", list(colours.screen.values())),
    ):
        for colour in sorted({wire for wire in wires if wires.count(wire) > 1}):
            yield f"colours of {name}: two wires are {colour}"
