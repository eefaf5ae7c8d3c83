"""Ergast-shaped JSON as acts: one written here makes the same season again, with equal standings;
one of another program (api.jolpi.ca) becomes a season whose points are those that it states.

Read are `Results`; grids come with them, and laps and stops stay behind.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence
from typing import NotRequired, TypedDict

from companion.league.acts import MOST_LAPS, Act, parse_act
from companion.league.byhand import BY_HAND
from companion.league.errors import BadAct
from companion.league.plain import Line
from companion.rules.games import NAMES
from companion.rules.reading import NAME_LENGTH

Data = dict[str, object]

OUT = {"R": "out", "W": "out", "N": "out", "F": "out"}
DISQUALIFIED = ("D", "E")
NO_REASON = ("Retired", "Withdrew")
SHAPE = "MRData.RaceTable.Races, each with Results, as api.jolpi.ca writes it"


# What is read of a document; that it really has this form is seen as it is read.


class _Driver(TypedDict):
    givenName: str
    familyName: str


class _Named(TypedDict):
    name: str


class _Rank(TypedDict):
    rank: NotRequired[str]


class _Circuit(TypedDict):
    circuitName: str


class _Result(TypedDict):
    number: NotRequired[str]
    position: str
    positionText: str
    points: str
    Driver: _Driver
    Constructor: NotRequired[_Named]
    grid: NotRequired[str]
    laps: NotRequired[str]
    status: str
    FastestLap: NotRequired[_Rank]


class _Ours(TypedDict, total=False):
    """Of a race, in a document of a league's own; `ergast.py` writes it."""

    id: str
    game: str
    laps: int | None
    factor: int
    board: str | None
    points: dict[str, int | None]
    penalties: list[Data]
    notes: list[str]


class _Race(TypedDict):
    season: str
    round: str
    raceName: str
    date: str
    time: NotRequired[str]
    Circuit: _Circuit
    Results: list[_Result]
    companion: NotRequired[_Ours | None]


def read(content: bytes) -> Sequence[Act]:
    """The acts of a document.

    Raises:
        BadAct: it is no such document, or a value in it makes no sense here.
    """
    try:
        data = json.loads(content)["MRData"]
        races: list[_Race] = [one for one in data["RaceTable"]["Races"] if one.get("Results")]
        season: Data | None = data.get("companion")
        acts = [act for race in races for act in _race(race, season)]
        if not races:
            raise BadAct(f"there are no results in it; read is {SHAPE}")
        seasons = [_season(season)] if season else _years(races)
        penalties = _season_penalties(season) if season else ()
        return [parse_act(act) for act in (*seasons, *acts, *penalties)]
    except RecursionError as error:
        raise BadAct("this is nested too deep") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise BadAct(f"this is not {SHAPE}: {error!r:.80}") from error
    except ValueError as error:
        raise BadAct(f"this is no such JSON: {error}") from error


def _season(season: Data) -> Data:
    own = {key: value for key, value in season.items() if key != "penalties"}
    return {**own, "act": "season"}


def _years(races: Sequence[_Race]) -> Iterator[Data]:
    for year in dict.fromkeys(race["season"] for race in races):
        yield {"act": "season", "season": year, "title": year, "points": "result"}


def _season_penalties(season: Data) -> Iterator[Data]:
    penalties = season.get("penalties", ())
    if not isinstance(penalties, Sequence):
        raise TypeError("penalties is a list")
    for one in penalties:
        yield {"act": "penalty", "season": season["season"], **one}


def _race(race: _Race, season: Line | None) -> Iterator[Data]:
    ours: _Ours = race.get("companion") or {}
    name = race["raceName"][:NAME_LENGTH]
    date = f"{race['date']}T{race['time']}" if race.get("time") else race["date"]
    made = uuid.uuid5(BY_HAND, f"{race['season']} {race['round']} {date} {name}")
    act: Data = {
        "act": "race",
        "race": ours.get("id") or str(made),
        "date": date,
        "game": ours.get("game", NAMES[0]),
        "name": name,
        "track": ours["board"] if ours else race["Circuit"]["circuitName"],
        "laps": ours.get("laps"),
        "entries": [_entry(result, ours) for result in race["Results"]],
    }
    yield act
    number = _whole(race["round"], "round")
    placed = {"season": season["season"] if season else race["season"], "round": number}
    yield {"act": "round", "race": act["race"], **placed, "factor": ours.get("factor", 1)}
    for text in ours.get("notes", ()):
        yield {"act": "note", "race": act["race"], "text": text}
    penalties = ours["penalties"] if ours else _disqualified(race["Results"])
    for one in penalties:
        yield {"act": "penalty", "race": act["race"], **one}


def _entry(result: _Result, ours: _Ours) -> Data:
    own = ours.get("points", {}).get(result["number"]) if ours else _points(result["points"])
    status = OUT.get(result["positionText"]) or _home(result["status"])
    laps, why = _whole(result.get("laps", "0"), "laps"), result["status"]
    reason = None if why in NO_REASON else why
    timed = result.get("FastestLap")
    fastest = timed is not None and timed.get("rank") == "1"
    return {
        "name": _name(result["Driver"]),
        "place": _whole(result["position"], "position"),
        "status": status,
        "team": result["Constructor"]["name"] if "Constructor" in result else None,
        "grid": _whole(result.get("grid", "0"), "grid") or None,
        "lap": laps + 1 if laps < MOST_LAPS else None,
        "out": reason if status == "out" else None,
        "points": own,
        "fastest": fastest,
    }


def _home(status: str) -> str:
    return "running" if status == "Running" else "finished"


def _disqualified(results: Sequence[_Result]) -> Iterator[Data]:
    """What a document of another program says by a letter alone."""
    letters = {_name(one["Driver"]): one for one in results}
    for name, one in letters.items():
        if one["positionText"] in DISQUALIFIED:
            yield {"driver": name, "reason": one["status"], "disqualified": True}


def _name(driver: _Driver) -> str:
    return f"{driver['givenName']} {driver['familyName']}".strip()


def _points(text: str) -> int:
    value = float(text)
    if value != int(value):
        raise BadAct(f"points are whole numbers here, not {text!r:.20}")
    return int(value)


def _whole(text: object, what: str) -> int:
    if not isinstance(text, str) or not text.isdecimal():
        raise BadAct(f"{what} is a whole number in quotes, not {text!r:.40}")
    return int(text)
