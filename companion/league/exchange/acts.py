"""A season as the acts that make it again in another league: a JSON list.

Results stand as they are now, with their penalties, teams and notes; what they were before,
lifted penalties and struck races stay behind, as do the records themselves (`league add`
takes those). People go by what they are called now.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from companion.league.acts import parse_act
from companion.league.classified import classify
from companion.league.errors import BadAct
from companion.league.plain import Entry, Penalty, Race, Season
from companion.league.points import format_points
from companion.league.ports import LeagueQueries
from companion.league.scores import EARNERS
from companion.league.standings import rounds_of

Act = dict[str, Any]
Names = Mapping[str, str]


def write(queries: LeagueQueries, key: str) -> bytes:
    """The acts of a season.

    Raises:
        BadAct: there is no such season.
    """
    found = [season for season in queries.seasons() if season.key == key]
    if not found:
        raise BadAct(f"there is no season {key!r}")
    names = {driver.key: driver.name for driver in queries.drivers()}
    races = rounds_of(found[0], queries.races(season=key))
    acts = [
        {"act": "season", **season_act(found[0])},
        *(act for race in races for act in _race(race, names)),
    ]
    acts += _additions(found[0], names)
    text = ",\n".join(json.dumps(act, ensure_ascii=False) for act in acts)
    return f"[\n{text}\n]\n".encode()


def read(content: bytes) -> Sequence[Act]:
    """The acts in such a file.

    Raises:
        BadAct: it is none, or one of them makes no sense.
    """
    try:
        told = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadAct(f"this is no JSON: {error}") from error
    if not isinstance(told, list) or not told:
        raise BadAct("a season in acts is a list of objects")
    return [parse_act(act) for act in told]


def season_act(season: Season) -> Act:
    """What the act `season` says to make it again."""
    return {
        "season": season.key,
        "title": season.title,
        "points": format_points(season.points),
        "drops": season.drops,
        "team_cars": season.team_cars,
        "planned": season.planned,
    }


def _race(race: Race, names: Names) -> Iterator[Act]:
    fastest = EARNERS["fastest"](classify(race))
    yield {
        "act": "race",
        "race": race.id,
        "date": race.date,
        "game": race.game,
        "name": race.name,
        "track": race.board,
        "laps": race.laps,
        "entries": [_entry(one, names, fastest=one.seat in fastest) for one in race.entries],
    }
    placed = {"season": race.season, "round": race.round, "factor": race.factor}
    yield {"act": "round", "race": race.id, **placed}
    for note in race.notes:
        yield {"act": "note", "race": race.id, "text": note.text}
    for penalty in race.penalties:
        if penalty.lifted is None:
            yield penalty_act(penalty, names, race=race.id)


def _entry(entry: Entry, names: Names, *, fastest: bool) -> Act:
    told: Act = {"name": entry.name, "player": names.get(entry.driver, entry.name)}
    for field in ("place", "status", "team", "grid", "lap", "out", "points"):
        told[field] = getattr(entry, field)
    return {**told, "fastest": fastest}


def penalty_act(penalty: Penalty, names: Names, **of: str | None) -> Act:
    """The act that makes a penalty again; `of` says of which race or season."""
    told = {"points": penalty.points, "places": penalty.places, "disqualified": True}
    said = {key: told[key] for key in told if getattr(penalty, key)}
    who = names.get(penalty.driver, penalty.driver)
    return {"act": "penalty", "driver": who, "reason": penalty.reason, **of, **said}


def _additions(season: Season, names: Names) -> Iterator[Act]:
    for driver, team in season.teams.items():
        who = names.get(driver, driver)
        yield {"act": "team", "season": season.key, "driver": who, "team": team}
    for penalty in season.penalties:
        if penalty.lifted is None:
            yield penalty_act(penalty, names, season=season.key)
