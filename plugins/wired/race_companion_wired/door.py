"""What the companion calls by the package's entry points (docs/plugins.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from companion.seats.plan import SeatTrouble
from companion.system.host import how_to_install
from race_companion_wired import driver
from race_companion_wired.doctor import examine
from race_companion_wired.pinmap import layouts, light


@contextmanager
def _libraries() -> Iterator[None]:
    """One that is missing is told with what installs it."""
    try:
        yield
    except ModuleNotFoundError as error:
        says = f"wired seats need the library {error.name}: {how_to_install('pi')}"
        raise SeatTrouble(says, "no-library", name=error.name) from error


@_libraries()
def open_seats(seats: Sequence[int], listener: Any, options: Any) -> driver.WiredSeats:
    """Start the wired seats on the Pi's own lines and buses; see `driver.open_seats`."""
    return driver.open_seats(seats, listener, options)


@_libraries()
def open_simulated(seats: Sequence[int], listener: Any, options: Any) -> driver.WiredSeats:
    """Start wired seats on simulated pins and buses.

    Raises:
        SeatTrouble: the configuration asks for what there is not.
    """
    # Here: it needs the libraries that only a table with wired seats has.
    from race_companion_wired.simulated import SimulatedSeats

    return SimulatedSeats(seats, listener, options)


def check(options: Any) -> None:
    """See that there is the layout that the page asks for."""
    options.text("layout", "pair", layouts())


def wires(seats: Sequence[int], options: Any) -> dict[str, object]:
    """The pin factory, and the lines of a chain of lights where the seats' buttons have its bus."""
    said, place = driver.said_in(options), light()
    told: dict[str, object] = {"factory": str(said.get("pin_factory", "lgpio"))}
    with suppress(SeatTrouble):  # the driver and the doctor say so
        layout = driver.layout_of(seats, said)
        if place.taken_by(layout.seats[seat] for seat in seats):
            told["light"] = tuple(line.number for line in place.spare)
    return told


open_seats.examine = examine  # type: ignore[attr-defined]
open_seats.check = check  # type: ignore[attr-defined]
open_seats.wires = wires  # type: ignore[attr-defined]
