"""Ergast-shaped JSON as acts: one written here makes the same season again, with equal standings;
one of another program (api.jolpi.ca) becomes a season whose points are those that it states.

Read are `Results`; grids come with them, and laps and stops stay behind.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Sequence

from companion.league.acts import Act, parse_act
from companion.league.byhand import BY_HAND
from companion.league.errors import BadAct
from companion.league.plain import Line
from companion.league.said import MOST_LAPS
from companion.rules.games import NAMES
from companion.rules.reading import NAME_LENGTH

Data = dict[str, object]

OUT = ("R", "W", "F")
DISQUALIFIED = ("D", "E")
LETTERS = {"N": "not-classified"}
STATUSES = {"Running": "running", "Did not start": "not-started"}
NO_REASON = ("Retired", "Withdrew")
SHAPE = "MRData.RaceTable.Races, each with Results, as api.jolpi.ca writes it"


def read(content: bytes) -> Sequence[Act]:
    """The acts of a document.

    Raises:
        BadAct: it is no such document, or a value in it makes no sense here.
    """
    try:
        data = _object(_object(json.loads(content))["MRData"])
        races = [_object(one) for one in _list(_object(data["RaceTable"])["Races"])]
        races = [race for race in races if race.get("Results")]
        season = _object(data.get("companion") or {})
        acts = [act for race in races for act in _race(race, season)]
        if not races:
            raise BadAct(f"there are no results in it; read is {SHAPE}")
        seasons = [_season(season)] if season else _years(races)
        return [parse_act(act) for act in (*seasons, *acts, *_season_penalties(season))]
    except RecursionError as error:
        raise BadAct("this is nested too deep") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise BadAct(f"this is not {SHAPE}: {error!r:.80}") from error
    except ValueError as error:
        raise BadAct(f"this is no such JSON: {error}") from error


def _season(season: Line) -> Data:
    own = {key: value for key, value in season.items() if key != "penalties"}
    return {**own, "act": "season"}


def _years(races: Sequence[Line]) -> Iterator[Data]:
    for year in dict.fromkeys(race["season"] for race in races):
        yield {"act": "season", "season": year, "title": year, "points": "result"}


def _season_penalties(season: Line) -> Iterator[Data]:
    for one in _list(season.get("penalties", [])):
        yield {"act": "penalty", "season": season["season"], **_object(one)}


def _race(race: Line, season: Line) -> Iterator[Data]:
    ours = _object(race.get("companion") or {})
    results = [_object(result) for result in _list(race["Results"])]
    name = _text(race["raceName"])[:NAME_LENGTH]
    date = f"{race['date']}T{race['time']}" if race.get("time") else _text(race["date"])
    made = uuid.uuid5(BY_HAND, f"{race['season']} {race['round']} {date} {name}")
    act: Data = {
        "act": "race",
        "race": ours.get("id") or str(made),
        "date": date.removesuffix("Z") if ours else date,  # the Z of our own is Ergast's shape
        "game": ours.get("game", NAMES[0]),
        "name": name,
        "track": ours["board"] if ours else _object(race["Circuit"])["circuitName"],
        "laps": ours.get("laps"),
        "entries": [_entry(result, ours) for result in results],
    }
    yield act
    number = _whole(race["round"], "round")
    own = {"points": ours["scoring"]} if "scoring" in ours else {}
    placed = {"season": (season or race)["season"], "round": number}
    yield {"act": "round", "race": act["race"], **placed, "factor": ours.get("factor", 1), **own}
    for text in _list(ours.get("notes", [])):
        yield {"act": "note", "race": act["race"], "text": text}
    for one in _list(ours["penalties"]) if ours else _disqualified(results):
        yield {"act": "penalty", "race": act["race"], **_object(one)}


def _entry(result: Line, ours: Line) -> Data:
    own = _object(ours.get("points", {})).get(_text(result["number"])) if ours else _points(result)
    letter, why = result["positionText"], result["status"]
    by_letter = "out" if letter in OUT else LETTERS.get(_text(letter), "finished")
    status = STATUSES.get(_text(why), by_letter)
    laps = _whole(result.get("laps", "0"), "laps")
    reason = None if why in NO_REASON else why
    return {
        "name": _name(result),
        "place": _whole(result["position"], "position"),
        "status": status,
        "team": _object(result["Constructor"])["name"] if "Constructor" in result else None,
        "grid": _whole(result.get("grid", "0"), "grid") or None,
        "lap": laps + 1 if laps < MOST_LAPS else None,
        "out": reason if status == "out" else None,
        "points": own,
        "fastest": _object(result.get("FastestLap", {})).get("rank") == "1",
        **_object(_object(ours.get("cars", {})).get(_text(result["number"]), {})),
    }


def _disqualified(results: Sequence[Line]) -> list[object]:
    """What a document of another program says by a letter alone."""
    letters = {_name(one): one for one in results}
    return [
        {"driver": name, "reason": one["status"], "disqualified": True}
        for name, one in letters.items()
        if one["positionText"] in DISQUALIFIED
    ]


def _name(result: Line) -> str:
    driver = _object(result["Driver"])
    return f"{driver['givenName']} {driver['familyName']}".strip()


def _points(result: Line) -> int:
    text = _text(result["points"])
    value = float(text)
    if value != int(value):
        raise BadAct(f"points are whole numbers here, not {text!r:.20}")
    return int(value)


def _whole(text: object, what: str) -> int:
    if not isinstance(text, str) or not text.isdecimal():
        raise BadAct(f"{what} is a whole number in quotes, not {text!r:.40}")
    return int(text)


def _object(value: object) -> Line:
    if not isinstance(value, dict):
        raise TypeError(f"no object: {value!r:.40}")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError(f"no list: {value!r:.40}")
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"no text: {value!r:.40}")
    return value
