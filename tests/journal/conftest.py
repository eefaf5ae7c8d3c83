from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.journal import SqliteJournal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.db"


@pytest.fixture
def journal(path: Path) -> Iterator[SqliteJournal]:
    with SqliteJournal(path) as opened:
        yield opened
