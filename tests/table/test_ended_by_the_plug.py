"""A plug that is pulled between the last answer and the record: the next start writes it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.tables.sitting import race_header

from companion.app.table import RunningTable
from companion.system.config import Config
from companion.table.ports import Caller

REFEREE = Caller(referee=True, by="referee")


def test_a_race_that_was_over_without_its_record_has_it_after_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pulled(*_: Any) -> None:
        raise OSError(5, "the plug is out")

    config = Config(tmp_path, "127.0.0.1", 0)
    with RunningTable(config) as table, monkeypatch.context() as plug:
        table.start(header=race_header(2))
        assert table.session.submit(REFEREE, {"seat": 1, "gear": 1}).status == 200
        plug.setattr("companion.app.table.write_record", pulled)
        assert table.session.submit(REFEREE, {"end": True}).status == 503
    assert not list(config.records.glob("*"))
    with RunningTable(config) as table:
        table.start()
        assert len(list(config.records.glob("*.jsonl"))) == 1
        assert b'"finished"' in table.session.snapshot().body
