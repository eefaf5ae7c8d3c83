"""What every test of wired seats stands on."""

from __future__ import annotations

import pytest
import smbus2

from race_companion_wired.simulated import smbus_of


@pytest.fixture(autouse=True)
def no_bus_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes to the buses of the machine that it runs on: other things live there."""
    monkeypatch.setattr(smbus2, "SMBus", smbus_of({}))
