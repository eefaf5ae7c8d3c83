"""A season, or a race, as one Ergast-shaped JSON document, and back.

Everything that Ergast serves at many addresses stands in one `MRData`: `RaceTable.Races[]` with
`Results`, `QualifyingResults`, `Laps` and `PitStops`, and `StandingsTable`. What Ergast has no
word for stands under `companion`, which other programs pass over: how the season is scored, the
ids and reasons. `ergast_parts.py` has the rulings, `ergast_read.py` the way back.
"""

from __future__ import annotations

import json
from typing import Any

from companion.league.exchange.acts import Act, penalty_act, season_act
from companion.league.exchange.ergast_parts import (
    constructor_standings,
    driver_standings,
    laps,
    pit_stops,
    qualifying,
    race_head,
    results,
    year_of,
)
from companion.league.exchange.ergast_read import read
from companion.league.exchange.sheet import Sheet, sheet_of
from companion.league.plain import Penalty, Race
from companion.league.ports import LeagueQueries

__all__ = ["read", "write"]

Json = dict[str, Any]


def write(queries: LeagueQueries, key: str) -> bytes:
    """The document.

    Raises:
        BadAct: there is neither a season nor a race with this key.
    """
    sheet = sheet_of(queries, key)
    count = f"{len(sheet.races)}"
    told: Json = {
        "series": sheet.races[0].game if sheet.races else "formula-d",
        "limit": count,
        "offset": "0",
        "total": count,
        "RaceTable": {
            "season": year_of(sheet),
            "Races": [_race(sheet, race) for race in sheet.races],
        },
    }
    if sheet.is_whole and sheet.season is not None:
        told["StandingsTable"] = standings_table(sheet)
        penalties = [_penalty(one, sheet) for one in sheet.season.penalties if one.lifted is None]
        told["companion"] = {**season_act(sheet.season), "penalties": penalties}
    return (json.dumps({"MRData": told}, ensure_ascii=False, indent=1) + "\n").encode()


def standings_table(sheet: Sheet) -> Json:
    """The standings after the last race of a sheet."""
    about = {"season": year_of(sheet)}
    last = f"{max((race.round or 0 for race in sheet.races), default=0)}"
    lists = {
        "DriverStandings": driver_standings(sheet),
        "ConstructorStandings": constructor_standings(sheet),
    }
    return {**about, "StandingsLists": [{**about, "round": last, **lists}] if sheet.races else []}


def _race(sheet: Sheet, race: Race) -> Json:
    parts = {
        "Results": results(sheet, race),
        "QualifyingResults": qualifying(sheet, race),
        "Laps": laps(sheet, race),
        "PitStops": pit_stops(sheet, race),
    }
    ours: Json = {
        "id": race.id,
        "game": race.game,
        "laps": race.laps,
        "factor": race.factor,
        "board": race.board,
        "points": {f"{entry.seat}": entry.points for entry in race.entries},
        "penalties": [_penalty(one, sheet) for one in race.penalties if one.lifted is None],
        "notes": [note.text for note in race.notes],
    }
    return {**race_head(sheet, race), **parts, "companion": ours}


def _penalty(penalty: Penalty, sheet: Sheet) -> Act:
    """A penalty as its act, without the places: the results have them already."""
    act = penalty_act(penalty, sheet.names)
    return {key: value for key, value in act.items() if key not in ("act", "places")}
