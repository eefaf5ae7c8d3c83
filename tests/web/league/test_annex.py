"""The league behind a table's page: made when first asked for, once, and not before."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from werkzeug.test import Client

from companion_web.app import Annex

WATCHED = ("sqlite3", "companion.league.league", "companion_web.league", "resvg_py")
OPEN_A_TABLE = """
import sys, tempfile
from pathlib import Path
from urllib.request import urlopen
from companion.app.table import RunningTable
from companion.system.config import Config

def watched():
    return sorted(name for name in {watched!r} if name in sys.modules)

with tempfile.TemporaryDirectory() as folder:
    with RunningTable(Config(data=Path(folder), host="127.0.0.1", port=0)) as table:
        table.start()
        urlopen(f"{{table.url}}/").read()
        print(watched())
        print(urlopen(f"{{table.url}}/league/drivers").status)
        print(watched())
"""


def answering(text: str) -> Any:
    def app(environ: Any, start: Any) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        return [text.encode()]

    return app


def test_the_annex_is_made_once_and_only_for_its_own_addresses() -> None:
    made: list[int] = []

    def make() -> Any:
        made.append(1)
        return answering("annex")

    client = Client(Annex(answering("house"), make, ("/league",)))
    assert client.get("/leagues").text == "house"
    assert client.get("/").text == "house"
    assert made == []
    assert client.get("/league").text == client.get("/league/x").text == "annex"
    assert made == [1]


def test_an_annex_that_cannot_be_made_says_why_and_is_tried_again() -> None:
    troubles = [OSError("the disk is full")]

    def make() -> Any:
        if troubles:
            raise troubles.pop()
        return answering("annex")

    client = Client(Annex(answering("house"), make, ("/league",), (OSError,)))
    first = client.get("/league")
    assert (first.status_code, first.text) == (503, "the disk is full\n")
    assert client.get("/league").text == "annex"


@pytest.mark.slow
def test_a_table_carries_nothing_of_the_league_until_it_is_asked_for() -> None:
    code = OPEN_A_TABLE.format(watched=WATCHED)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    before, status, after = done.stdout.splitlines() or [done.stderr] * 3
    assert (before, status) == ("[]", "200"), done.stderr
    assert "companion_web.league" in after
    assert "resvg_py" not in after  # brought by the first picture
