"""A season, or a race, as one Ergast-shaped JSON document, and back.

Everything that Ergast serves at many addresses stands in one `MRData`: `RaceTable.Races[]` with
`Results`, `QualifyingResults`, `Laps` and `PitStops`, and `StandingsTable`. What Ergast has no
word for stands under `companion`, which other programs pass over: how the season is scored, the
ids and reasons. `ergast_parts.py` has the rulings, `ergast_read.py` the way back.
"""

from __future__ import annotations

import json

from companion.league.acts import format_act
from companion.league.exchange import ergast_parts as parts
from companion.league.exchange.acts import measured, penalty_acts, season_act
from companion.league.exchange.ergast_parts import Doc
from companion.league.exchange.ergast_read import read
from companion.league.exchange.sheet import Sheet, sheet_of
from companion.league.plain import Penalty, Race
from companion.league.points import format_points
from companion.league.ports import LeagueQueries
from companion.rules.games import NAMES

__all__ = ["read", "write"]


def write(queries: LeagueQueries, key: str) -> bytes:
    """The document.

    Raises:
        BadAct: there is neither a season nor a race with this key.
    """
    sheet = sheet_of(queries, key)
    count = f"{len(sheet.races)}"
    data: Doc = {
        "series": sheet.races[0].game if sheet.races else NAMES[0],
        "limit": count,
        "offset": "0",
        "total": count,
        "RaceTable": {
            "season": parts.year_of(sheet),
            "Races": [_race(sheet, race) for race in sheet.races],
        },
    }
    if sheet.is_whole and sheet.season is not None:
        data["StandingsTable"] = _standings_table(sheet)
        scoring = _without(format_act(season_act(sheet.season)), "act")
        data["companion"] = {**scoring, "penalties": _penalties(sheet.season.penalties, sheet)}
    return (json.dumps({"MRData": data}, ensure_ascii=False, indent=1) + "\n").encode()


def _standings_table(sheet: Sheet) -> Doc:
    """The standings after the last race of a sheet."""
    lists = {name: rows(sheet) for name, rows in parts.STANDINGS.items()}
    held = [{**parts.standings_head(sheet), **lists}] if sheet.races else []
    return {"season": parts.year_of(sheet), "StandingsLists": held}


def _race(sheet: Sheet, race: Race) -> Doc:
    ours: Doc = {
        "id": race.id,
        "game": race.game,
        "laps": race.laps,
        "factor": race.factor,
        **({"scoring": format_points(race.scoring)} if race.scoring else {}),
        "board": race.board,
        "points": {f"{entry.seat}": entry.points for entry in race.entries},
        **_cars(race, sheet),
        "penalties": _penalties(race.penalties, sheet),
        "notes": [note.text for note in race.notes],
    }
    return {
        **parts.race_head(sheet, race),
        "Results": parts.results(sheet, race),
        "QualifyingResults": parts.qualifying(sheet, race),
        "Laps": parts.as_laps(parts.lap_timings(sheet, race)),
        "PitStops": parts.pit_stops(sheet, race),
        "companion": ours,
    }


def _cars(race: Race, sheet: Sheet) -> Doc:
    """Crews and what people measured, of the cars that have any, by their seats."""
    cars = {}
    for entry in race.entries:
        crew = [sheet.names.get(driver, driver) for driver in entry.crew]
        own = {**measured(entry), **({"crew": crew} if crew else {})}
        if own:
            cars[f"{entry.seat}"] = own
    return {"cars": cars} if cars else {}


def _penalties(penalties: tuple[Penalty, ...], sheet: Sheet) -> list[Doc]:
    """Penalties as their acts, without the places: the results have them already."""
    acts = penalty_acts(penalties, sheet.names)
    return [_without(format_act(act), "act", "places") for act in acts]


def _without(data: Doc, *keys: str) -> Doc:
    return {key: value for key, value in data.items() if key not in keys}
