"""The wiring diagrams: which there are, the harnesses of pods, and what WireViz is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pinmap_diagrams import Strip, button_colours, gate_plug, screen_colours, screen_plug, to, wired
from pinmap_harness import Cable, End, Harness, Plug, wireviz
from pinmap_map import BASE_V, BOARD_LED_MA, LED_V, PinMap
from pinmap_texts import MADE, NANO_PINS, PICO_PINS


def diagrams(pins: PinMap) -> dict[str, str]:
    """WireViz's input in YAML, by the path of the file without its suffix."""
    made = {name: wireviz(harness, MADE) for name, harness in harnesses(pins).items()}
    return {f"hardware/wiring/{name}": text for name, text in made.items()}


def harnesses(pins: PinMap) -> dict[str, Harness]:
    """The harness of each drawing, by its name."""
    drawn = {
        "one-wired": ("pair", (1,)),
        "two-wired": ("pair", (1, 2)),
        "three-wired": ("header", (1, 2, 3)),
        "four-wired": ("header", (1, 2, 3, 4)),
        "expander": ("expanded", (4, 5)),
    }
    made = {
        name: wired(pins, pins.layouts[layout], seats) for name, (layout, seats) in drawn.items()
    }
    return made | {"pod": pod(pins), "pico": pico(pins)}


@dataclass(frozen=True, slots=True)
class _Board:
    """A board of a pod, by what is beside its pins; `power`, `pin`: its rails, of `volts`."""

    name: str
    about: str
    buttons: Sequence[str]
    sda: str
    scl: str
    led: str | None
    buzzer: str | None
    supply: str
    volts: float
    power: str
    pin: str
    usb: str
    usb_rail: str
    own_lamp_ma: float = 0.0
    places: Mapping[str, int] = field(default_factory=dict)

    def at(self, label: str) -> End:
        """The pin with this beside it: by its number, where the board has such."""
        return self.name, str(self.places.get(label, label))


def pod(pins: PinMap) -> Harness:
    """A pod: all grounds on a strip, the lamp in the front through its resistor."""
    of = pins.pod
    nano = _Board(
        "Nano",
        "Arduino Nano",
        [NANO_PINS[pin] for pin in of.buttons],
        NANO_PINS[of.screen.sda],
        NANO_PINS[of.screen.scl],
        NANO_PINS.get(of.led or ""),
        NANO_PINS.get(of.buzzer or ""),
        "5V",
        5.0,
        "nano_5v",
        "nano_pin",
        "5V",
        "nano_5v",
        BOARD_LED_MA,
    )
    return _pod(pins, nano)


def pico(pins: PinMap) -> Harness:
    """The same on a Raspberry Pi Pico."""
    of = pins.pico
    places = (of.buttons, of.sda, of.scl, of.led, of.buzzer)
    rails = ("3V3", 3.3, "pico_3v3", "pico_pin", "VBUS", "pico_5v")
    return _pod(pins, _Board("Pico", "Raspberry Pi Pico", *places, *rails, 0.0, PICO_PINS))


def _pod(pins: PinMap, board: _Board) -> Harness:
    strip, name = Strip(), board.name
    power = strip.pin("5V") if board.supply == board.usb else board.at(board.supply)
    plugs = [*gate_plug(1), screen_plug(pins, 1, pins.pod.screen)]
    cables = [
        Cable(
            "WP",
            ["black", "red"],
            [(board.at("GND"), strip.pin("GND")), (board.at(board.usb), strip.pin("5V"))],
        ),
        Cable(
            "WB1",
            button_colours(pins),
            to([*map(board.at, board.buttons), strip.pin("GND")], "Gate1"),
        ),
        Cable(
            "WS1",
            screen_colours(pins),
            to([strip.pin("GND"), power, board.at(board.scl), board.at(board.sda)], "Screen1"),
        ),
    ]
    rails = {f"{name} {board.supply}": pins.rails_ma[board.power],
             f"{name} {board.usb}": pins.rails_ma[board.usb_rail]}  # fmt: skip
    labels = [
        *dict.fromkeys((board.supply, board.usb)),
        "GND",
        board.scl,
        board.sda,
        *board.buttons,
    ]
    for pin, (more, wiring) in _signals(pins, board, strip).items():
        labels.append(pin)
        rails[f"{name} {pin}"] = pins.rails_ma[board.pin]
        plugs += more
        cables += wiring
    plug = Plug(name, name, board.about, {board.at(label)[1]: label for label in labels})
    inner = {"Strip": strip.rows(), "R1": [["1", "2"]], "R2": [["1", "2"]]}
    return Harness([plug, strip.plug(), *plugs], cables, rails, inner)


def _signals(
    pins: PinMap, board: _Board, strip: Strip
) -> dict[str, tuple[list[Plug], list[Cable]]]:
    """What a pod has beside buttons and screen, by its pin."""
    signs = {"+": "+", "-": "-"}
    made: dict[str, tuple[list[Plug], list[Cable]]] = {}
    if board.buzzer:
        made[board.buzzer] = _sound(pins, board, strip)
    if board.led:
        resistor = Plug(
            "R1", "resistor", f"{pins.led_ohm} Ω", {"1": "either", "2": "other"}, soldered=True
        )
        led_ma = (board.volts - LED_V) / pins.led_ohm * 1000 + board.own_lamp_ma
        lamp = Plug("Lamp", "lamp", "LED 5 mm, + is the long leg", signs, led_ma, "+")
        first = Cable("WL", ["grey"], [(board.at(board.led), ("R1", "1"))])
        ends = [("R1", "2"), strip.pin("GND")]
        made[board.led] = (
            [resistor, lamp],
            [first, Cable("WD", ["grey", "black"], to(ends, "Lamp"))],
        )
    return made


def _sound(pins: PinMap, board: _Board, strip: Strip) -> tuple[list[Plug], list[Cable]]:
    """A buzzer, the transistor that feeds it, and the diode that takes what its coil gives back."""
    ohm = pins.pod.buzzer_ohm
    base_ma = (board.volts - BASE_V) / ohm * 1000
    plugs = [
        Plug("R2", "resistor", f"{ohm} Ω", {"1": "either", "2": "other"}, base_ma, "1", True),
        Plug("Q1", "transistor", "2N3904", {"E": "E", "B": "B", "C": "C"}, soldered=True),
        Plug("D2", "diode", "1N4148, K is the end with the ring", {"K": "K", "A": "A"},
             soldered=True),
        Plug("Buzzer", "buzzer", "active buzzer 5 V", {"+": "+", "-": "-"},
             pins.current_ma["buzzer"], "+"),
    ]  # fmt: skip
    feed = [(strip.pin("GND"), ("Q1", "E")), (strip.pin("5V"), ("D2", "K"))]
    cables = [
        Cable("WT", ["violet"], [(board.at(board.buzzer), ("R2", "1"))]),
        Cable("WQ", ["violet", "black", "red", "white"],
              [(("R2", "2"), ("Q1", "B")), *feed, (("D2", "A"), ("Q1", "C"))]),
        Cable("WZ", ["red", "white"], to([strip.pin("5V"), ("Q1", "C")], "Buzzer")),
    ]  # fmt: skip
    return plugs, cables
