"""What a federation has beside a season is a room of its own, which no table at home imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import environment
from support.leagues.records import do

from companion.league.acts import OF_FEDERATIONS, every_kind, kind_of
from companion.league.errors import BadAct

ROOM = "companion.league.federation"
PAGES = "companion_web.league.organise"
AT_HOME = """
import sys
from pathlib import Path
from companion.app.league import open_league
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

with open_league(Path(sys.argv[1])) as league:
    access = LeagueAccess(league.public, league, Guard(KeeperPin("1234")), has_table=True)
    page = create_league_app(access=access).test_client()
    keeper = {"Authorization": "Bearer 1234"}
    evening = {"date": "2026-05-17", "order": ["Ana", "Bea"], "out": {"Cai": "engine"}}
    race = page.post("/api/league/race", json=evening, headers=keeper).json["races"][0]
    mended = {"act": "penalty", "race": race, "driver": "Ana", "points": 1, "reason": "late"}
    plan = {"act": "plan", "season": "2026", "round": 2, "date": "2026-05-24"}
    told = page.post("/api/league/acts", json={"acts": [mended, plan]}, headers=keeper)
    assert told.status_code == 200, told.text
    for path in ("", f"/races/{race}", f"/races/{race}/amend", "/drivers/ana", "/enter", "/acts",
                 "/seasons/2026", "/seasons/2026/organise", "/boards", f"/races/{race}/after.json",
                 "/export/season/2026/acts", "/export/season/2026/calendar"):
        told = page.get(f"/league{path}", follow_redirects=True)
        assert told.status_code == 200, (path, told.status_code)
    rooms = ("companion.league.federation", "companion_web.league.organise")
    print([name for name in sys.modules if name.startswith(rooms)])
    assert page.get("/league/competitions").status_code == 200
    print(len([name for name in sys.modules if name.startswith(rooms)]) > 3)
"""


def test_a_table_at_home_with_an_evening_imports_nothing_of_a_federation(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", AT_HOME, str(tmp_path)],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["[]", "True"]


def test_every_kind_of_a_federation_is_found_by_its_word(open_league: Any) -> None:
    """The words stand where acts are read, the classes in the room."""
    own = [word for word, kind in every_kind().items() if kind.__module__.startswith(ROOM)]
    assert sorted(own) == sorted(OF_FEDERATIONS)
    assert kind_of("enter") is every_kind()["enter"]
    assert kind_of("nothing") is kind_of(4) is None
    with pytest.raises(BadAct, match="there is no season"):
        do(open_league(), {"act": "enter", "season": "s", "driver": "Ana"}, by="t")
