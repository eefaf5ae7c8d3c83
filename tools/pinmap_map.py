"""The whole pin map: the layouts as the program reads them, pods and colours as only tools do."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from race_companion_wired import pinmap

CURRENTS = ("screen", "multiplexer", "expander", "buzzer")
RAILS = ("pi_3v3", "nano_5v", "nano_pin", "pico_3v3", "pico_5v", "pico_pin", "transistor")
LED_V = 2.0
BASE_V = 0.7
"""What the base of a transistor keeps."""
BOARD_LED_MA = 3.0
"""The lamp on the Nano itself, behind its resistor of 1 kΩ."""


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
        pinmap.PinMapError: what cannot be read.
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
    layouts, light = pinmap.read_layouts(data), pinmap.read_light(data)
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
