"""The whole pin map: the layouts as the program reads them, pods and colours as only tools do."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from companion.seats.pinmap import (
    BUTTONS,
    SCREEN_ADDRESSES,
    PinMapError,
    controller_faults,
    read_layouts,
)
from companion.seats.wiring import ControllerName, Layout, Multiplexer

# fmt: off
POD_KEPT = {
    "PD0": "the serial line's RX", "PD1": "the serial line's TX", "PC6": "reset",
    "PB6": "the crystal's", "PB7": "the crystal's", "PC4": "I2C's SDA", "PC5": "I2C's SCL",
}
# fmt: on
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
    controller: ControllerName


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
    buzzer: str | None = None

    def named(self) -> Iterator[tuple[str, str]]:
        """What is on a pin of its own, with the pin: `("button 1", "PD2")`, …, `("led", "PB5")`."""
        yield from ((f"button {number}", pin) for number, pin in enumerate(self.buttons, 1))
        parts = (("led", self.led), ("buzzer", self.buzzer))
        yield from ((name, pin) for name, pin in parts if pin is not None)


@dataclass(frozen=True, slots=True)
class PinMap:
    """The whole map; `layouts` by their names."""

    multiplexer: Multiplexer
    colours: Colours
    layouts: Mapping[str, Layout]
    pod: PodPins


def read_map(text: str) -> PinMap:
    """The map of a TOML text.

    Raises:
        PinMapError: what cannot be read, or else all faults by name.
    """
    try:
        data = tomllib.loads(text)
        parts = data["pod"]
        parts |= {"screen": PodScreen(**parts["screen"]), "usb": [Usb(**u) for u in parts["usb"]]}
        pod, colours = PodPins(**parts), Colours(**data["colours"])
        multiplexer = Multiplexer(**data["multiplexer"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise PinMapError(f"missing, or not known: {error}") from error
    faults = [*(f"pod: {fault}" for fault in _pod_faults(pod)), *_colour_faults(colours)]
    try:
        layouts = read_layouts(data)
    except PinMapError as error:
        raise PinMapError("\n".join([str(error), *faults])) from error
    if faults:
        raise PinMapError("\n".join(faults))
    return PinMap(multiplexer, colours, layouts, pod)


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
    if len(pod.buttons) != BUTTONS:
        yield f"it has {len(pod.buttons)} buttons instead of {BUTTONS}"
    if (pod.screen.sda, pod.screen.scl) != ("PC4", "PC5"):
        yield "the TWI of an ATmega328P is on PC4 (SDA) and PC5 (SCL)"
    if pod.screen.address not in SCREEN_ADDRESSES:
        yield f"the screen cannot have the address 0x{pod.screen.address:02X}"
    yield from controller_faults("the screen", pod.screen.controller)


def _colour_faults(colours: Colours) -> Iterator[str]:
    for name, wires in (
        ("buttons", [*colours.buttons, colours.ground]),
        ("screen", list(colours.screen.values())),
    ):
        for colour in sorted({wire for wire in wires if wires.count(wire) > 1}):
            yield f"colours of {name}: two wires are {colour}"
