from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.tables.sitting import Room
from support.wires import no_bus_of_this_machine

__all__ = ["no_bus_of_this_machine", "room"]


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.session.start()
    yield made
    made.session.close()
