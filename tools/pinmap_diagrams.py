"""The harness of wired seats, and what all harnesses are put together of.

No pin takes two wires. What many parts need (ground, 3.3 volts, a bus with two screens) is fed
once to a strip: a row of pins soldered together on a piece of perfboard.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pinmap_texts as texts
from pinmap_harness import Cable, End, Harness, Plug
from pinmap_map import PinMap, PodScreen

from race_companion_wired.pinmap import HEADER, Expander, Layout, Line, ScreenPlace, WiredSeat

SCREEN_PINS = ("gnd", "vcc", "scl", "sda")
"""The order in which the pins stand on the usual screen of 0.96 inch."""
BUS = {"scl": "5", "sda": "3"}
"""The pins of the header with the Pi's own bus."""
RAILS = {"gnd": "GND", "vcc": "3V3", "scl": "SCL", "sda": "SDA"}


def wired(pins: PinMap, layout: Layout, seats: Sequence[int]) -> Harness:
    """These seats of a layout on the Pi."""
    return _Wired(pins, layout, [layout.seats[seat] for seat in seats]).harness()


class Strip:
    """A strip of rails: hands out its pins one by one."""

    def __init__(self) -> None:
        self._rows: dict[str, list[str]] = {}

    def pin(self, rail: str) -> End:
        row = self._rows.setdefault(rail, [])
        row.append(f"{rail} {len(row) + 1}")
        return "Strip", row[-1]

    def has(self, rail: str) -> bool:
        return rail in self._rows

    def rows(self) -> list[list[str]]:
        return list(self._rows.values())

    def plug(self) -> Plug:
        labels = {pin: pin.split()[0] for row in self._rows.values() for pin in row}
        about = "strip: the pins of a rail are soldered together"
        return Plug("Strip", "strip", about, labels)


class _Wired:
    """The harness of some seats on the Pi, put together."""

    def __init__(self, pins: PinMap, layout: Layout, seats: Sequence[WiredSeat]) -> None:
        self._pins, self._layout, self._seats = pins, layout, seats
        self._strip = Strip()
        self._grounds = iter(texts.GROUND_PINS)
        self._header: dict[str, str] = {}
        self._plugs: list[Plug] = []
        self._cables: list[Cable] = []

    def harness(self) -> Harness:
        chips = {line.chip for seat in self._seats for line in seat.buttons} - {HEADER}
        has_strip = len(self._seats) > 1 or self._layout.multiplexer
        if has_strip:
            self._feed("vcc", "gnd", *(("scl", "sda") if self._shares_bus(chips) else ()))
        if self._layout.multiplexer:
            self._multiplexer("Strip" if chips else "Pi")
        for name in sorted(chips):
            self._expander(self._layout.expanders[name])
        for seat in self._seats:
            self._gate(seat)
            self._screen(seat, has_strip)
        plugs = [Plug("Pi", "Pi", "Raspberry Pi, header of 40 pins", self._header), *self._plugs]
        rails = {"Pi 3V3": self._pins.rails_ma["pi_3v3"]}
        if not has_strip:
            return Harness(plugs, self._cables, rails)
        plugs.insert(1, self._strip.plug())
        return Harness(plugs, self._cables, rails, {"Strip": self._strip.rows()})

    def _shares_bus(self, chips: set[str]) -> bool:
        return bool(chips) or not self._layout.multiplexer

    def _pi(self, pin: str, label: str) -> End:
        self._header[pin] = label
        return "Pi", pin

    def _ground(self) -> End:
        return self._pi(str(next(self._grounds)), "GND")

    def _own(self, part: str) -> End:
        """What the header has of a screen's pin: power, ground or its bus."""
        if part == "gnd":
            return self._ground()
        return self._pi(BUS.get(part, str(texts.POWER_PINS[0])), RAILS[part])

    def _source(self, part: str, has_strip: bool) -> End:
        return self._strip.pin(RAILS[part]) if has_strip else self._own(part)

    def _feed(self, *parts: str) -> None:
        wires = [(self._own(part), self._strip.pin(RAILS[part])) for part in parts]
        colours = [self._pins.colours.screen[part] for part in parts]
        self._cables.append(Cable("WP", colours, wires))

    def _multiplexer(self, bus: str) -> None:
        behind = [seat.screen.bus - self._pins.multiplexer.base for seat in self._seats]
        channels = [f"{wire}{channel}" for channel in sorted(set(behind)) for wire in ("SC", "SD")]
        own = {part: RAILS[part] for part in SCREEN_PINS}
        address = self._pins.multiplexer.address
        about = f"PCA9548 at 0x{address:02X}: A0 A1 A2 to GND or open, RESET open"
        labels = {label: label for label in (*own.values(), *channels)}
        draws_ma = self._pins.current_ma["multiplexer"]
        self._plugs.append(Plug("Mux", "multiplexer", about, labels, draws_ma, "3V3"))
        ends = [self._source(part, part in ("gnd", "vcc") or bus == "Strip") for part in own]
        wires = [(end, ("Mux", pin)) for end, pin in zip(ends, own.values(), strict=True)]
        self._cables.append(Cable("WM", self._screen_colours(), wires))

    def _expander(self, chip: Expander) -> None:
        """An MCP23017 on a board of its own, its straps soldered."""
        high = [f"A{bit}" for bit in range(3) if chip.address >> bit & 1]
        low = [f"A{bit}" for bit in range(3) if not chip.address >> bit & 1]
        straps = [("VDD", "vcc"), ("RESET", "vcc"), *((pin, "vcc") for pin in high)]
        straps += [("VSS", "gnd"), *((pin, "gnd") for pin in low)]
        straps += [("SCL", "scl"), ("SDA", "sda")]
        used = [line for one in self._seats for line in one.buttons if line.chip == chip.name]
        labels = {str(texts.EXPANDER_PINS[pin]): pin for pin, _ in straps}
        labels |= {str(texts.EXPANDER_PINS["INTA"]): "INTA"}
        labels |= {_port(line)[1]: _port(line)[0] for line in used}
        self._plugs.append(
            Plug(
                chip.name,
                "expander",
                f"MCP23017 at 0x{chip.address:02X}",
                labels,
                self._pins.current_ma["expander"],
                str(texts.EXPANDER_PINS["VDD"]),
                soldered=True,
            )
        )
        wires = [
            (self._strip.pin(RAILS[rail]), (chip.name, str(texts.EXPANDER_PINS[pin])))
            for pin, rail in straps
        ]
        interrupt = Line(HEADER, chip.interrupt)
        inta = self._pi(str(texts.HEADER_PINS[chip.interrupt]), str(interrupt))
        wires.append((inta, (chip.name, str(texts.EXPANDER_PINS["INTA"]))))
        colours = [*(self._pins.colours.screen[rail] for _, rail in straps), "violet"]
        self._cables.append(Cable(f"W{chip.name}", colours, wires))

    def _gate(self, seat: WiredSeat) -> None:
        number, name = seat.seat, f"Gate{seat.seat}"
        self._plugs += gate_plug(number)
        on_expander = seat.buttons[0].chip != HEADER
        if on_expander:
            self._resistors(seat)
        ends = [self._line(line) for line in seat.buttons]
        ends.append(self._strip.pin("GND") if on_expander else self._ground())
        self._cables.append(Cable(f"WB{number}", button_colours(self._pins), to(ends, name)))

    def _line(self, line: Line) -> End:
        if line.chip == HEADER:
            return self._pi(str(texts.HEADER_PINS[line.number]), str(line))
        return line.chip, _port(line)[1]

    def _resistors(self, seat: WiredSeat) -> None:
        """The pull-ups that Linux does not switch on in the expander."""
        name, kilohm = f"R{seat.seat}", self._pins.pull_up_ohm / 1000
        labels = {"1": "common"} | {str(n): f"R{n - 1}" for n in range(2, 8)}
        about = f"resistor network, {kilohm:g} kΩ, one pin common"
        draws_ma = 6 * 3300 / self._pins.pull_up_ohm
        self._plugs.append(
            Plug(name, "resistor network", about, labels, draws_ma, "1", soldered=True)
        )
        wires = [(self._strip.pin("3V3"), (name, "1"))]
        wires += [(self._line(line), (name, str(n))) for n, line in enumerate(seat.buttons, 2)]
        colours = [self._pins.colours.screen["vcc"], *self._pins.colours.buttons]
        self._cables.append(Cable(f"WR{seat.seat}", colours, wires))

    def _screen(self, seat: WiredSeat, has_strip: bool) -> None:
        name = f"Screen{seat.seat}"
        self._plugs.append(screen_plug(self._pins, seat.seat, seat.screen))
        ends = [self._source(part, has_strip) for part in ("gnd", "vcc")]
        if self._layout.multiplexer:
            ends += self._behind(seat.screen.bus)
        else:
            ends += [self._source(part, has_strip) for part in ("scl", "sda")]
        self._cables.append(Cable(f"WS{seat.seat}", self._screen_colours(), to(ends, name)))

    def _behind(self, bus: int) -> list[End]:
        """SCL and SDA of a channel of the multiplexer; by the strip where two screens share it."""
        channel = bus - self._pins.multiplexer.base
        wires = [f"SC{channel}", f"SD{channel}"]
        if [seat.screen.bus for seat in self._seats].count(bus) == 1:
            return [("Mux", wire) for wire in wires]
        if not self._strip.has(wires[0]):
            feed = [(("Mux", wire), self._strip.pin(wire)) for wire in wires]
            colours = [self._pins.colours.screen[part] for part in ("scl", "sda")]
            self._cables.append(Cable(f"WC{channel}", colours, feed))
        return [self._strip.pin(wire) for wire in wires]

    def _screen_colours(self) -> list[str]:
        return screen_colours(self._pins)


def _port(line: Line) -> tuple[str, str]:
    """What a line of an expander is called, and its pin."""
    name = f"GP{'AB'[line.number // 8]}{line.number % 8}"
    return name, str(texts.EXPANDER_PINS[name])


def gate_plug(number: int) -> Iterator[Plug]:
    """The place where the buttons' wires end, and the buttons."""
    labels = {str(n): f"button {n}" for n in range(1, 7)} | {"7": "GND"}
    yield Plug(f"Gate{number}", "gate", f"buttons of seat {number}", labels)


def screen_plug(pins: PinMap, number: int, screen: ScreenPlace | PodScreen) -> Plug:
    about = f"{screen.controller} at 0x{screen.address:02X}"
    labels = {str(n): pin.upper() for n, pin in enumerate(SCREEN_PINS, 1)}
    return Plug(f"Screen{number}", "screen", about, labels, pins.current_ma["screen"], "2")


def to(ends: Sequence[End], target: str) -> list[tuple[End, End]]:
    """A wire from each end to the pins of a plug: in order, or + and -."""
    pins = ("+", "-") if len(ends) == 2 else tuple(str(n) for n in range(1, len(ends) + 1))
    return [(end, (target, pin)) for end, pin in zip(ends, pins, strict=True)]


def button_colours(pins: PinMap) -> list[str]:
    return [*pins.colours.buttons, pins.colours.ground]


def screen_colours(pins: PinMap) -> list[str]:
    return [pins.colours.screen[pin] for pin in SCREEN_PINS]
