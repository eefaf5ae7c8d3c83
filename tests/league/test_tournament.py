"""A tournament day: trials in one weather, heats at six tables whose network is cut, a final."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient
from support.formula import careful
from support.leagues.club import KEYS, outbox
from support.leagues.records import (
    BOARD,
    JSON,
    LIBRARY,
    as_record,
    do,
    draw,
    ended,
    image,
    keep,
    qualify,
    seat_late,
)

from companion.league.errors import BadAct, Receipt
from companion.league.federation.competitions import overall, tables_of
from companion.league.federation.stages import TableSheet, draw_tables, header_of, table_sheets
from companion.league.games import measure
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.plain import Race, Season
from companion.league.push import Club, ClubAway, deliver
from companion.league.results import classify
from companion.league.standings import standings
from companion.race.engine import Engine
from companion.rules.formula.state import Phase
from companion_web.guard import Guard, KeeperPin
from companion_web.league.app import create_league_app
from companion_web.league.doors import LeagueAccess

TABLES = 6
DRIVERS = 48


class Cable:
    """A table's way to the club's server, which fails once: `lost` before it, `deaf` behind it."""

    def __init__(self, address: str, fault: str | None = None, key: str = KEYS["one"]) -> None:
        self._club, self._fault = Club(address, key), fault
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


# -- an Open ----------------------------------------------------------------------------------


@pytest.fixture
def club(url: str | None, tmp_path: Path) -> Iterator[League]:
    """A club that counts time trials, with the key of a table."""
    minutes = count()
    with League(
        tmp_path / "club",
        url=url,
        now=lambda: f"2026-03-01T12:{next(minutes) % 60:02}:00",
        measure=measure,
    ) as league:
        act = {"act": "table", "table": "one", "key_sha256": digest_of_key(KEYS["one"])}
        do(league, act, by="t")
        yield league


def an_open(league: League) -> None:
    """Time trials in one weather, heats, a final; 48 drivers in 24 teams."""
    stage = {"act": "season", "competition": "open"}
    path = {"act": "path", "first": 1}
    names = ((n, f"Driver {n:02}", f"Team {n // 2:02}") for n in range(DRIVERS))
    do(
        league,
        {"act": "competition", "competition": "open", "title": "Open", "ranking": "stages"},
        {**stage, "season": "final", "stage": "final", "step": 3},
        {**stage, "season": "heats", "stage": "heats", "step": 2, "current_round": 1},
        {**stage, "season": "trials", "stage": "trials", "current_round": 1, "open": True},
        {**path, "season": "trials", "into": "heats", "last": -1},
        {**path, "season": "heats", "into": "final", "last": 1, "by": "race"},
        {"act": "plan", "season": "trials", "round": 1, "board": BOARD, "weather": "rain"},
        {"act": "plan", "season": "heats", "round": 1, "board": BOARD, "laps": 1},
        *(
            {"act": "enter", "season": "trials", "driver": name, "team": team, "number": n}
            for n, name, team in names
        ),
        by="t",
    )


def trials_at(sheet: TableSheet) -> list[JSON]:
    """The record of the time trials of a table, which ends when all have driven."""
    engine, dice = Engine(LIBRARY), Random(int(sheet.table or 0))
    header = header_of(sheet, "formula-d")
    reply = engine.handle({"new": header})
    assert reply["ok"], reply
    lines: list[JSON] = []
    while engine.moment.phase is Phase.TRIALS:
        ask = reply["asks"][0]
        lines.append({"seat": ask["seat"], ask["kind"]: careful.answer(ask, engine.moment, dice)})
        reply = engine.handle(lines[-1])
        assert reply["ok"], (lines[-1], reply)
    lines.append({"end": True})
    assert engine.handle(lines[-1])["ok"]
    race, started = f"trials-{sheet.table}", f"2026-01-01T10:0{sheet.table}:00"
    return as_record(race, header, lines, engine, started)


def run_trials(club: League, address: str, folder: Path) -> list[JSON]:
    """All tables drive their trials in the weather of the club; their headers."""
    draw(club, "trials", TABLES, "lot", Random(1))
    sheets = table_sheets(club.queries, "trials")
    records = [trials_at(sheet) for sheet in sheets]
    for sheet, record in zip(sheets, records, strict=True):
        keep(folder / f"table-{sheet.table}", record)
        deliver(outbox(folder / f"table-{sheet.table}"), Cable(address))
    return [record[0] for record in records]


def heat_at(sheet: TableSheet, *more: str) -> list[JSON]:
    """The record of a heat in the order of its grid; `more` drive without being on the sheet."""
    header = header_of(sheet, "formula-d")
    seats = header["seats"]
    assert isinstance(seats, list)
    names = [*(seat["name"] for seat in seats), *more]
    grid = [*header["grid"], *range(len(seats) + 1, len(names) + 1)]  # type: ignore[misc]
    at = f"2026-01-01T20:0{sheet.table}:00"
    return ended(f"heat-{sheet.table}", names, grid=grid, started=at)


def client_of(club: League) -> FlaskClient:
    guard = Guard(KeeperPin("31415926"))
    access = LeagueAccess(club.public, club, guard)
    return create_league_app(access=access).test_client()


@pytest.mark.slow
@pytest.mark.long
def test_an_open_of_48_is_run_at_six_tables_with_the_network_cut_twice(
    club: League, address: str, tmp_path: Path
) -> None:
    an_open(club)
    headers = run_trials(club, address, tmp_path)
    assert {header["weather"] for header in headers} == {"rain"}  # one for all tables
    order = standings(*stage_of(club, "trials"))
    told = [line.trial for line in order]
    assert len(told) == DRIVERS
    assert [one for one in told if one] == sorted(one for one in told if one)

    # A ban, and places on the next grid, given in the trials.
    best, second = order[0].name, order[1].name
    penalty = {"act": "penalty", "race": race_of(club, best), "reason": "took the dice twice"}
    do(club, {**penalty, "driver": best, "ban": 1}, by="steward")
    penalty["race"] = race_of(club, second)
    do(club, {**penalty, "driver": second, "grid": 2}, by="steward")
    assert len(qualify(club, "trials")) == DRIVERS
    drawn = draw(club, "heats", TABLES, "placing", Random(1), with_grid=True)
    assert [(one.name, one.round, one.reason) for one in drawn.banned] == [
        (best, 1, "took the dice twice")
    ]
    assert len(drawn.names) == DRIVERS - 1
    assert best not in drawn.names
    do(club, {"act": "enter", "season": "heats", "driver": "Late Lou"}, by="t")
    assert seat_late(club, "heats").names == ["Late Lou"]

    # Six heats; at the last table the banned driver drives all the same.
    sheets = table_sheets(club.queries, "heats")
    first = {car.name: (car.grid, car.lost) for car in sheets[0].cars}
    assert first[second] == (3, 2)
    assert sheets[-1].cars[-1].name == "Late Lou"
    do(
        club,
        {"act": "season", "season": "heats", "open": True},
        {"act": "club", "confirm": "by-hand"},
        *({"act": "table", "table": t, "key_sha256": digest_of_key(f"key {t}")} for t in "123456"),
        {"act": "person", "person": "Max", "role": "marshal", "table": "3", **DIGEST},
        by="t",
    )
    for sheet in sheets:
        table = sheet.table or ""
        house = tmp_path / f"table-{table}"
        keep(house, heat_at(sheet, *([best] if table == "6" else [])))
        # The cable is out before one race has gone, and behind another one's arrival.
        way = Cable(address, {"2": "lost", "5": "deaf"}.get(table), key=f"key {table}")
        for _ in range(2):
            deliver(outbox(house), way)
        assert way.asked == (2 if table in "25" else 1)
    correct_by_marshal(club, sheets[2])
    waiting = [race for race in club.queries.races(season="heats") if race.provisional]
    do(club, *({"act": "confirm", "race": race.id} for race in waiting), by="steward")

    heats = club.queries.races(season="heats")
    assert [race.round for race in heats] == [1] * TABLES
    lost = next(one for one in classify(heats[-1]) if one.name == best)
    assert (lost.status, lost.place) == ("disqualified", len(heats[-1].entries))
    winners = {classify(race)[0].name for race in heats}
    assert {*qualify(club, "heats")} == winners
    do(club, {"act": "season", "season": "final", "open": True}, by="t")
    do(club, {"act": "club", "confirm": "at-once"}, by="t")
    keep(tmp_path / "table-1", ended("final", sorted(winners), started="2026-01-01T22:00:00"))
    deliver(outbox(tmp_path / "table-1"), Cable(address))
    stages = club.queries.stages("open")
    tables = tables_of(stages, club.queries.races(stages=[one.key for one in stages]))
    lines = overall(club.queries.competitions()[0], tables)
    assert len(lines) == DRIVERS + 1
    assert [line.name for line in lines[:TABLES]] == sorted(winners)
    assert Counter(line.last for line in lines) == {"final": TABLES, "heats": DRIVERS + 1 - TABLES}
    assert lines[-1].name == best
    before = image(club)
    club.rebuild()
    assert image(club) == before


DIGEST = {"key_sha256": digest_of_key("k" * 40)}


def stage_of(club: League, key: str) -> tuple[Season, list[Race]]:
    return club.queries.seasons(key)[0], club.queries.races(season=key, is_slim=True)


def race_of(club: League, name: str) -> str:
    (driver,) = (one.key for one in club.queries.drivers() if one.name == name)
    return club.queries.races(driver=driver)[0].id


def correct_by_marshal(club: League, sheet: TableSheet) -> None:
    """The marshal of a table swaps two drivers in its result and confirms it; of another table's
    he may do neither."""
    client = client_of(club)
    race, other = (f"heat-{table}" for table in (sheet.table, "4"))
    (found,) = club.queries.races(race=race)
    first, second, *rest = (entry.seat for entry in found.entries)
    entries = [{"seat": seat} for seat in (second, first, *rest)]
    amend = {"act": "amend", "race": race, "reason": "photo", "entries": entries}
    told = []
    for one, what in ((race, amend), (other, {**amend, "race": other})):
        acts = [what, {"act": "confirm", "race": one}]
        headers = {"Authorization": f"Bearer {'k' * 40}"}
        told.append(client.post("/api/league/acts", json={"acts": acts}, headers=headers))
    assert [reply.status_code for reply in told] == [200, 403]
    assert told[1].json["error"]["message"] == "this is not of table 3, whose marshal you are"
    (now,) = club.queries.races(race=race)
    assert (now.provisional, now.entries[0].seat) == (False, second)
