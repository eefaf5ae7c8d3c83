"""`companion doctor --live`: the seats with a person at them."""

from __future__ import annotations

from contextlib import ExitStack

from companion.seats.findings import Finding
from companion.seats.live import LiveTest, Tell
from companion.seats.plan import SeatPlan
from companion.seats.trouble import Troubled
from companion.table.ports import SeatDriver


def examine_live(plan: SeatPlan, tell: Tell) -> list[Finding]:
    """Open all seats that have a driver and ask for their buttons; what was found."""
    from companion.bootstrap_seats import seat_driver

    live, found = LiveTest(tell), []
    with ExitStack() as opened:
        drivers: dict[int, SeatDriver] = {}
        for name, seats in plan.groups().items():
            try:
                driver = seat_driver(name)(seats, live, plan.options_of(name))
            except Troubled as troubled:
                mend = "companion doctor tells more"
                found.append(Finding("driver", f"{name}: {troubled}", ok=False, mend=mend))
                continue
            opened.callback(driver.close)
            drivers |= dict.fromkeys(seats, driver)
        found += live.run(drivers)
    return found or [Finding("seats", "none has a driver: all are phones")]
