"""The drivers of seats by their names, what examines them, and the chain of lights beside them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from logging import getLogger
from typing import TYPE_CHECKING

from companion.closing import Closing
from companion.seats.findings import Examine, Finding
from companion.seats.hub import Opener
from companion.seats.plan import LIGHT, SeatPlan
from companion.seats.trouble import SeatTrouble
from companion.table.ports import TablePort

if TYPE_CHECKING:
    from companion.seats.wiring import WiredSeat

_log = getLogger(__name__)
SEAT_DRIVERS: Mapping[str, tuple[str, str]] = {
    "wired": ("companion.seats.wired.driver", "open_seats"),
    "wired simulated": ("companion.seats.simulated.wired", "open_seats"),
    "pod": ("companion.seats.pod.driver", "open_seats"),
    "pod simulated": ("companion.seats.pod.simulated", "open_seats"),
}
"""Drivers of seats by name: module and function. Only those in use are imported, so that a
table of phones needs none of the libraries of the hardware."""
SEAT_DOCTORS: Mapping[str, tuple[str, str]] = {
    "wired": ("companion.seats.wired.doctor", "examine"),
    "pod": ("companion.seats.pod.doctor", "examine"),
    "pod simulated": ("companion.seats.pod.doctor", "examine_simulated"),
}
"""What examines the seats of a driver; simulated wires have nothing to examine."""


def seat_driver(name: str) -> Opener:
    """What starts the driver of this name.

    Raises:
        SeatTrouble: a library that it needs is not installed.
    """
    module, function = SEAT_DRIVERS[name]
    try:
        opener: Opener = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise SeatTrouble(
            f"the driver {name!r} needs the library {error.name}: pip install 'race-companion[pi]'",
            "no-library",
            name=error.name,
        ) from error
    return opener


def examine_seats(plan: SeatPlan) -> list[Finding]:
    """All that is found about the seats of a plan."""
    found: list[Finding] = []
    for name, seats in plan.groups().items():
        if name not in SEAT_DOCTORS:
            says = f"{name}: not looked at, nothing of it is real"
            found += [Finding("driver", says, ok=None, seat=seat) for seat in seats]
            continue
        module, function = SEAT_DOCTORS[name]
        examine: Examine = getattr(import_module(module), function)
        found += examine(seats, plan.options_of(name))
    if LIGHT in plan.options:
        found += _examine_light(plan)
    return found or [Finding("seats", "none has a driver: all are phones", ok=None)]


def _wired(plan: SeatPlan) -> list[WiredSeat]:
    """The seats of a plan that are wired, where that can be read at all."""
    from companion.seats.wired.driver import layout_of

    seats = plan.groups().get("wired", ())
    try:
        layout = layout_of(seats, plan.options_of("wired")) if seats else None
    except SeatTrouble:  # their own driver and doctor say so
        layout = None
    return [layout.seats[seat] for seat in seats] if layout else []


def _examine_light(plan: SeatPlan) -> list[Finding]:
    from companion.seats.light.doctor import examine
    from companion.seats.wired.machine import Machine

    return examine(plan.options_of(LIGHT), _wired(plan), Machine())


def light_up(table: TablePort, plan: SeatPlan) -> Closing | None:
    """The chain of lights of a plan; what keeps it dark is in the log and keeps no table closed."""
    if LIGHT not in plan.options:
        return None
    try:
        from companion.seats.light.driver import open_lights

        return open_lights(table, plan.options_of(LIGHT), _wired(plan))
    except (SeatTrouble, ImportError) as error:
        _log.warning("the lights stay dark: %s", error)
        return None
