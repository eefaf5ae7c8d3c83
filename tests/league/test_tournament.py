"""A tournament day: a draw, heats at six tables whose network is cut, and a final."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from support.leagues.club import KEYS, outbox
from support.leagues.records import do, ended, keep

from companion.league.draws import draw_tables
from companion.league.errors import BadAct
from companion.league.league import League
from companion.league.overall import overall, tables_of
from companion.league.plain import Season
from companion.league.ports import Receipt
from companion.league.push.club import Club, ClubAway
from companion.league.push.sender import deliver

TABLES = 6
DRIVERS = 48


class Cable:
    """A table's way to the club's server, which fails once: `lost` before it, `deaf` behind it."""

    def __init__(self, address: str, fault: str | None = None) -> None:
        self._club, self._fault = Club(address, KEYS["one"]), fault
        self.asked = 0

    def send(self, content: bytes) -> Receipt:
        self.asked += 1
        fault, self._fault = self._fault, None
        if fault == "lost":
            raise ClubAway("the cable is out")
        receipt = self._club.send(content)
        if fault == "deaf":
            raise ClubAway("the answer is lost")
        return receipt


def entered(league: League) -> None:
    """Heats and a final of 48 drivers in 24 teams; the first of every table go on."""
    stage = {"act": "season", "competition": "open"}
    names = ((n, f"Driver {n:02}", f"Team {n // 2:02}") for n in range(DRIVERS))
    do(
        league,
        {"act": "competition", "competition": "open", "title": "Open", "ranking": "stages"},
        {**stage, "season": "final", "stage": "final", "step": 2},
        {**stage, "season": "heats", "stage": "heats", "open": True, "current_round": 1},
        {"act": "path", "season": "heats", "into": "final", "first": 1, "last": 1, "by": "race"},
        *(
            {"act": "enter", "season": "heats", "driver": name, "team": team, "number": n}
            for n, name, team in names
        ),
        by="t",
    )


def heats_of(league: League) -> Season:
    return league.queries.seasons("heats")[0]


def tables_drawn(league: League) -> dict[str, list[str]]:
    at: dict[str, list[str]] = {}
    for one in heats_of(league).entrants:
        at.setdefault(one.table or "", []).append(one.name)
    return at


@pytest.mark.parametrize("seed", range(5))
def test_a_lot_parts_team_mates_and_fills_tables_evenly(club: League, seed: int) -> None:
    entered(club)
    heats = heats_of(club)
    drawn = draw_tables(heats, heats.entrants, 7, "lot", Random(seed))
    sizes = Counter(table for _, table in drawn)
    assert sorted(sizes.values()) == [6, 7, 7, 7, 7, 7, 7]
    mates = Counter((table, heats.team_of(one.driver, 1, None)) for one, table in drawn)
    assert set(mates.values()) == {1}
    by_number = draw_tables(heats, heats.entrants, TABLES, "number", Random(seed))
    assert [one.number for one, table in by_number if table == "2"] == list(range(8, 16))
    with pytest.raises(BadAct, match="48 drivers are entered"):
        draw_tables(heats, heats.entrants, 2, "lot", Random(seed))


def test_an_open_of_48_is_run_at_six_tables_with_the_network_cut_twice(
    club: League, address: str, tmp_path: Path
) -> None:
    entered(club)
    assert len(club.draw("heats", TABLES, "lot", Random(1), by="t").names) == DRIVERS
    for table, names in sorted(tables_drawn(club).items()):
        house = tmp_path / f"table-{table}"
        keep(house, ended(f"heat-{table}", names, started=f"2026-01-01T20:0{table}:00"))
        # The cable is out before one race has gone, and behind another one's arrival.
        way = Cable(address, {"2": "lost", "5": "deaf"}.get(table))
        for _ in range(2):
            deliver(outbox(house), way)
        assert way.asked == (2 if table in "25" else 1)
    heats = club.queries.races(season="heats")
    assert [race.round for race in heats] == [1] * TABLES
    winners = {race.entries[0].name for race in heats}
    assert {*club.qualify("heats", by="t")} == winners
    do(club, {"act": "season", "season": "final", "open": True}, by="t")
    keep(tmp_path / "table-1", ended("final", sorted(winners), started="2026-01-01T22:00:00"))
    deliver(outbox(tmp_path / "table-1"), Cable(address))
    stages = club.queries.stages("open")
    tables = tables_of(stages, club.queries.races(stages=[one.key for one in stages]))
    lines = overall(club.queries.competitions()[0], tables)
    assert len(lines) == DRIVERS
    assert [line.name for line in lines[:TABLES]] == sorted(winners)
    assert Counter(line.last for line in lines) == {"final": TABLES, "heats": DRIVERS - TABLES}
    # Behind the final come all seconds of the heats, which nothing tells apart, and so on.
    assert Counter(line.place for line in lines)[7] == TABLES
    assert {line.parts["heats"].place for line in lines[6:12]} == {7}
