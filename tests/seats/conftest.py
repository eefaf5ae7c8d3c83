from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.sitting import Room


@pytest.fixture
def room() -> Iterator[Room]:
    made = Room()
    made.session.start()
    yield made
    made.session.close()
