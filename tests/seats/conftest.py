from __future__ import annotations

from collections.abc import Iterator

import pytest
import smbus2
from support.tables.sitting import Room

from race_companion_wired.simulated import smbus_of


@pytest.fixture(autouse=True)
def _no_bus_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test writes to the buses of the machine that it runs on: other things live there."""
    monkeypatch.setattr(smbus2, "SMBus", smbus_of({}))


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.session.start()
    yield made
    made.session.close()
