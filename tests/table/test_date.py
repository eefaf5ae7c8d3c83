"""The date of a race, at a table whose computer has no clock of its own."""

from __future__ import annotations

import ctypes
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.each import in_one

from companion.app.table import told_the_time
from companion.system.host import BUILT, _kernel_knows, knows_the_time
from companion.table.clock import TableClock

DAY_S = 86_400.0
OFF = BUILT - 40 * DAY_S
"""What a computer wakes up with: long before the evening."""


def at_rest(*, is_set: bool = False) -> TableClock:
    return TableClock(now=lambda: 0.0, wall=lambda: OFF, is_set=lambda: is_set)


def test_four_evenings_of_a_month_without_a_network_are_on_the_right_days() -> None:
    days = ("2026-03-06", "2026-03-13", "2026-03-20", "2026-03-27")
    found = []
    for day in days:  # it is switched off in between, and wakes up as on the first one
        ticks = iter([10.0, 3610.0])
        clock = TableClock(now=ticks.__next__, wall=lambda: OFF, is_set=lambda: False)
        clock.believe(f"{day}T20:30:00+13:00")
        found.append(clock.date())
    assert found == [f"{day}T21:30:00+13:00" for day in days]


def test_the_first_phone_counts_and_no_later_one() -> None:
    clock = at_rest()
    clock.believe("2026-03-06T20:30:00+01:00")
    clock.believe("2031-01-01T00:00:00+01:00")
    assert clock.date() == "2026-03-06T20:30:00+01:00"


@in_one("told", ["", "soon", "2026-03-06", "1970-01-01T00:00:00Z", "9999-12-31T00:00:00Z"])
def test_what_is_no_time_of_a_phone_is_passed_over(told: str) -> None:
    clock = at_rest()
    clock.believe(told)
    assert clock.date()[:4] == "2024"


def test_a_computer_that_knows_the_time_asks_no_phone() -> None:
    clock = at_rest(is_set=True)
    clock.believe("2026-03-06T20:30:00+01:00")
    assert clock.date()[:4] == "2024"


@pytest.mark.parametrize(
    ("file", "content", "kernel", "knows"),
    [
        ("run/systemd/timesync/synchronized", "", False, True),
        ("sys/class/rtc/rtc0/since_epoch", f"{BUILT + 5}", False, True),
        ("sys/class/rtc/rtc0/since_epoch", "12", False, False),  # a clock without a battery
        ("other", "", True, True),
        ("other", "", False, False),
    ],
)
def test_a_computer_knows_the_time_from_the_network_or_a_clock_with_a_battery(
    tmp_path: Path, file: str, content: str, kernel: bool, knows: bool
) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text(content)
    assert knows_the_time(tmp_path, kernel=lambda: kernel) is knows


@pytest.mark.parametrize(("returned", "knows"), [(0, True), (5, False), (-1, False)])
def test_a_kernel_that_may_not_be_asked_does_not_know_the_time(
    monkeypatch: pytest.MonkeyPatch, returned: int, knows: bool
) -> None:
    asked = SimpleNamespace(adjtimex=lambda _: returned)  # -1: the service's own `ProtectClock=`
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: asked)
    assert _kernel_knows() is knows


@pytest.mark.parametrize(
    ("method", "path", "status", "day"),
    [
        ("POST", "/api/act", "200 OK", "2026"),
        ("POST", "/api/act", "401 UNAUTHORIZED", "2024"),
        ("POST", "/api/demo/watch", "200 OK", "2024"),  # it needs no key
        ("GET", "/api/table", "200 OK", "2024"),
    ],
)
def test_a_phone_is_believed_whose_post_is_accepted_by_its_key(
    method: str, path: str, status: str, day: str
) -> None:
    clock = at_rest()

    def page(environ: Any, start: Any) -> list[bytes]:
        start(status, [])
        return []

    said = {"PATH_INFO": path, "HTTP_X_NOW": "2026-03-06T20:30:00+01:00"}
    environ: Any = {"REQUEST_METHOD": method, **said}
    told_the_time(page, clock)(environ, lambda *_: lambda _: None)
    assert clock.date()[:4] == day
