"""The examination of wired seats: the machine first, then each line and each screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from companion.seats.findings import Finding
from companion.seats.plan import Options
from companion.seats.trouble import SeatTrouble
from companion.seats.wired.controllers import NOTHING
from companion.seats.wired.driver import layout_of, wired_of
from companion.seats.wired.machine import (
    Machine,
    examine_board,
    examine_buses,
    examine_libraries,
    examine_lines,
)
from companion.seats.wired.pins import BACK_ENDS, Factories
from companion.seats.wired.screen import Silent, Wire
from companion.seats.wiring import HEADER, ScreenPlace, WiredSeat

READ_FAMILY = {0x03: "SSD1306", 0x06: "SSD1306", 0x07: "SSD1306", 0x08: "SH1106"}
"""The low bits of the byte that a controller answers to a reading. No data sheet of an SSD1306
promises them; modules at hand all keep to it. An SSD1309 answers as an SSD1306 does."""
ADDRESSES = (0x3C, 0x3D)

MakeWire = Callable[[ScreenPlace], Wire]
ReadByte = Callable[[int, int], int]
"""From a bus and an address to the byte that is read there; raises OSError."""


def examine(seats: Sequence[int], options: Options) -> list[Finding]:
    """Examine the wired seats of this machine; the table must not be running."""
    factory = options.get("pin_factory")
    if not isinstance(factory, str) or factory not in BACK_ENDS or factory == "mock":
        mend = 'write pin_factory = "lgpio" in [wired] of companion.toml; "rpigpio" up to a Pi 4'
        says = f"pin_factory is {factory!r}"
        return [Finding("configuration", says, ok=False, mend=mend)]
    try:
        layout = layout_of(seats, options)
        wired = wired_of(seats, layout, options)
    except SeatTrouble as trouble:
        mend = "see docs/build.md, then edit companion.toml"
        return [Finding("configuration", str(trouble), ok=False, mend=mend)]
    machine = Machine()
    found = [
        *examine_libraries(machine, factory),
        *examine_board(machine, factory),
        *examine_lines(machine, [line for one in wired for line in one.buttons]),
        *examine_buses(machine, layout, sorted({one.screen.bus for one in wired})),
    ]
    if all(one.ok for one in found if one.what in ("libraries", "board")):
        from companion.seats.wired.wire import LumaWire

        factories = Factories(factory, layout.expanders.values())
        found += examine_buttons(wired, factories)
        found += examine_screens(wired, LumaWire, read_byte)
    return found


def read_byte(bus: int, address: int) -> int:
    """Read a byte from a bus of this machine."""
    import smbus2

    with smbus2.SMBus(bus) as opened:
        return int(opened.read_byte_data(address, 0))


def examine_buttons(wired: Sequence[WiredSeat], factories: Factories) -> Iterator[Finding]:
    """Whether every line can be read, and none reads pressed while nobody presses."""
    try:
        for seat in wired:
            down, unread = _buttons_of(seat, factories)
            for says in unread:
                mend = "sudo systemctl stop companion, or end what else uses this line"
                yield Finding("buttons", says, ok=False, mend=mend, seat=seat.seat)
            if len(down) == len(seat.buttons) and seat.buttons[0].chip != HEADER:
                yield _without_resistors(seat)
                continue
            for says in down:
                mend = "let go of it; or it sticks, or its wire touches ground (docs/wiring.md)"
                yield Finding(
                    "buttons", f"{says} reads pressed", ok=False, mend=mend, seat=seat.seat
                )
            if not down and not unread:
                yield Finding("buttons", "six, all up", seat=seat.seat)
    finally:
        factories.close()


def _without_resistors(seat: WiredSeat) -> Finding:
    says = f"all lines on expander {seat.buttons[0].chip} read pressed: they float"
    mend = "10 kΩ from each line to 3.3 volts: Linux leaves the expander's own off (docs/wiring.md)"
    return Finding("buttons", says, ok=False, mend=mend, seat=seat.seat)


def _buttons_of(seat: WiredSeat, factories: Factories) -> tuple[list[str], list[str]]:
    """Buttons that read pressed, and lines that cannot be read, in words."""
    down, unread = [], []
    for number, line in enumerate(seat.buttons, 1):
        try:
            pin = factories.of(line).pin(f"GPIO{line.number}")
            pin.input_with_pull("up")
            if not pin.state:
                down.append(f"button {number} ({line})")
        except Exception as error:  # every back end raises errors of its own kind
            unread.append(f"button {number} ({line}) cannot be read: {error}")
    return down, unread


def examine_screens(
    wired: Sequence[WiredSeat], make_wire: MakeWire, read: ReadByte
) -> Iterator[Finding]:
    """Whether every screen answers where it should, and is what the configuration names."""
    places = {(one.screen.bus, one.screen.address) for one in wired}
    for seat in wired:
        place = seat.screen
        wire = make_wire(place)
        try:
            wire.command(NOTHING)
        except Silent as silence:
            yield _silent(seat.seat, place, str(silence), _strays(place.bus, places, read))
        else:
            yield _kind(seat.seat, place, read)
        finally:
            wire.close()


def _silent(seat: int, place: ScreenPlace, says: str, elsewhere: list[int]) -> Finding:
    """A screen that does not answer; `elsewhere` are addresses of nobody that do."""
    if elsewhere:
        says = f"it answers at 0x{elsewhere[0]:02X} instead of 0x{place.address:02X}"
        mend = "move the resistor on its back that sets the address"
        return Finding("screen", says, ok=False, mend=mend, seat=seat)
    mend = f"look at its wires, then: i2cdetect -y {place.bus}"
    return Finding("screen", says, ok=False, mend=mend, seat=seat)


def _kind(seat: int, place: ScreenPlace, read: ReadByte) -> Finding:
    byte = _byte(place.bus, place.address, read)
    family = None if byte is None else READ_FAMILY.get(byte & 0x0F)
    believed = "SSD1306" if place.controller == "SSD1309" else place.controller
    if family is not None and family != believed:
        says = f"it seems to be an {family} and is driven as an {place.controller}"
        mend = f'write {seat} = "{family}" in [wired.controllers] of companion.toml'
        return Finding("screen", says, ok=False, mend=mend, seat=seat)
    where = f"{place.controller} at 0x{place.address:02X} on bus {place.bus}"
    return Finding("screen", f"{where} answers", seat=seat)


def _strays(bus: int, places: set[tuple[int, int]], read: ReadByte) -> list[int]:
    """Addresses of screens on a bus that answer and are no seat's."""
    free = [address for address in ADDRESSES if (bus, address) not in places]
    return [address for address in free if _byte(bus, address, read) is not None]


def _byte(bus: int, address: int, read: ReadByte) -> int | None:
    try:
        return read(bus, address)
    except OSError:
        return None
