"""A season as the acts that make it again in another league: a JSON list.

Results stand as they are now, with their penalties, teams and notes; what they were before,
lifted penalties and struck races stay behind, as do the records themselves (`league add`
takes those). People go by what they are called now.

The acts that make a stage's entry list, its teams' changes and its calendar again; the ways to
other stages, and who comes, stay behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.league.acts import (
    Act,
    AddNote,
    Enter,
    EnterRace,
    Penalize,
    PlaceRace,
    Plan,
    SetSeason,
    SetTeam,
    StandFor,
    format_act,
    parse_act,
)
from companion.league.errors import BadAct
from companion.league.exchange.registry import season_sheet
from companion.league.forms import UNSAID, NewCar
from companion.league.plain import MINUTE_S, Entry, Line, Penalty, Race, Season, format_points
from companion.league.results import EARNERS, classify
from companion.league.view import View

# -- acts -----------------------------------------------------------------------------------------


Names = Mapping[str, str]


def write(queries: View, key: str) -> bytes:
    """The acts of a season.

    Raises:
        BadAct: there is no such season.
    """
    sheet = season_sheet(queries, key)
    season, names = sheet.of_season, sheet.names
    acts = [
        SetSeason.of(season),
        *(act for race in sheet.races for act in _race(race, names)),
        *_additions(season, names),
    ]
    text = ",\n".join(json.dumps(_entries_last(act), ensure_ascii=False) for act in acts)
    return f"[\n{text}\n]\n".encode()


def read(content: bytes) -> Sequence[Act]:
    """The acts in such a file.

    Raises:
        BadAct: it is none, or one of them makes no sense.
    """
    try:
        acts = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadAct(f"this is no JSON: {error}") from error
    if not isinstance(acts, list) or not acts:
        raise BadAct("a season in acts is a list of objects")
    return [parse_act(act) for act in acts]


def _entries_last(act: Act) -> Line:
    """An act as a file has it: the race before its cars, for people to read."""
    data = format_act(act)
    cars = data.pop("entries", None)
    return data if cars is None else {**data, "entries": cars}


def _race(race: Race, names: Names) -> Iterator[Act]:
    fastest = EARNERS["fastest"](classify(race))
    yield EnterRace(
        race=race.id,
        date=race.date,
        game=race.game,
        name=race.name,
        track=race.board,
        laps=race.laps,
        entries=tuple(_car(one, names, fastest=one.seat in fastest) for one in race.entries),
    )
    yield PlaceRace(
        race=race.id,
        season=race.season,
        round=UNSAID if race.round is None else race.round,
        factor=race.factor,
        points=UNSAID if race.scoring is None else format_points(race.scoring),
    )
    for note in race.notes:
        yield AddNote(race=race.id, text=note.text)
    yield from penalty_acts(race.penalties, names, race=race.id)


def _car(entry: Entry, names: Names, *, fastest: bool) -> NewCar:
    same = ("name", "place", "status", "team", "grid", "lap", "out", "points")
    crew = tuple(names.get(driver, driver) for driver in entry.crew)
    return NewCar(
        crew=crew or UNSAID,
        **measured(entry),
        player=names.get(entry.driver, entry.name),
        fastest=fastest,
        **{field: getattr(entry, field) for field in same},
    )


def measured(entry: Entry) -> dict[str, Any]:
    """What people measured of a car, as `acts.Car` has it."""
    if entry.trial_score is None or entry.trial_time is None:
        return {} if entry.time is None else {"time": entry.time}
    rolls = entry.trial_score - int(entry.trial_time // MINUTE_S)
    return {"time": entry.trial_time, "trial": rolls}


def penalty_acts(
    penalties: Iterable[Penalty],
    names: Names,
    *,
    race: str | None = None,
    season: str | None = None,
) -> Iterator[Penalize]:
    """The acts that make those penalties again that hold, in a race or a season."""
    for one in penalties:
        if one.lifted is None and not one.banned:
            driver = names.get(one.driver, one.driver)
            yield Penalize.of(one, driver, race=race, season=season)


def _additions(season: Season, names: Names) -> Iterator[Act]:
    names = {one.driver: one.name for one in season.entrants} | dict(names)
    for driver, team in season.teams.items():
        yield SetTeam(season=season.key, driver=names.get(driver, driver), team=team)
    yield from entry_list_acts(season, names)
    yield from penalty_acts(season.penalties, names, season=season.key)


# -- entries --------------------------------------------------------------------------------------


def entry_list_acts(season: Season, names: Mapping[str, str]) -> Iterator[Act]:
    """The acts, in an order in which each finds what it speaks of."""
    key = season.key
    for entrant in season.entrants:
        yield Enter(
            season=key,
            driver=names.get(entrant.driver, entrant.name),
            role=UNSAID if entrant.role == "regular" else entrant.role,
            **{
                field: UNSAID if getattr(entrant, field) is None else getattr(entrant, field)
                for field in ("number", "color", "until", "table", "grid")
            },
            crew=tuple(names.get(one, one) for one in entrant.crew) or UNSAID,
        )
    for move in season.moves:
        driver = names.get(move.driver, move.driver)
        yield SetTeam(season=key, driver=driver, team=move.team, since=move.since)
    for one in season.stand_ins:
        people = (names.get(name, name) for name in (one.driver, one.absent))
        driver, absent = people
        yield StandFor(season=key, round=one.round, driver=driver, absent=absent)
    for planned in season.calendar:
        yield Plan(
            season=key,
            round=planned.round,
            **{
                field: getattr(planned, field) or UNSAID
                for field in ("title", "date", "board", "pack", "laps", "weather", "cancelled")
            },
        )
