from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.tables.sitting import Room, Sitting


@pytest.fixture
def sitting() -> Sitting:
    return Sitting()


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.session.start()
    yield made
    made.session.close()
