"""A season as the acts that make it again in another league: a JSON list.

Results stand as they are now, with their penalties, teams and notes; what they were before,
lifted penalties and struck races stay behind, as do the records themselves (`league add`
takes those). People go by what they are called now.

What of a file is in the league already: a sheet that has grown, or was corrected.

The acts that make a stage's entry list, its teams' changes and its calendar again; the ways to
other stages, and who comes, stay behind.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from companion.league import results
from companion.league.acts import (
    Act,
    AddNote,
    Amend,
    EnterRace,
    Penalize,
    PlaceRace,
    Plan,
    SetSeason,
    SetTeam,
    format_act,
    parse_act,
)
from companion.league.errors import BadAct, key_of
from companion.league.exchange.registry import Sheet, season_sheet
from companion.league.forms import UNSAID, ChangedCar, NewCar, given, said
from companion.league.plain import MINUTE_S, Entry, Line, Penalty, Race, Season, format_points
from companion.league.results import EARNERS, Row, classify
from companion.league.view import View
from companion.rules.codec import replace

# -- acts -----------------------------------------------------------------------------------------


Names = Mapping[str, str]


def write(queries: View, key: str) -> bytes:
    """The acts of a season.

    Raises:
        BadAct: there is no such season.
    """
    acts = acts_of(season_sheet(queries, key))
    text = ",\n".join(json.dumps(_entries_last(act), ensure_ascii=False) for act in acts)
    return f"[\n{text}\n]\n".encode()


def acts_of(sheet: Sheet) -> list[Act]:
    """The acts of a sheet: of a race alone, or of a whole season."""
    races = [act for race in sheet.races for act in _race(race, sheet.names)]
    if not sheet.is_whole:
        return races
    season = sheet.of_season
    return [SetSeason.of(season), *races, *_additions(season, sheet.names)]


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
        entries=tuple(car_of(one, names, fastest=one.seat in fastest) for one in race.entries),
    )
    yield PlaceRace(
        race=race.id,
        season=race.season,
        round=said(race.round),
        factor=race.factor,
        points=said(format_points(race.scoring) if race.scoring else None),
    )
    for note in race.notes:
        yield AddNote(race=race.id, text=note.text)
    yield from penalty_acts(race.penalties, names, race=race.id)


def car_of(entry: Entry, names: Names, *, fastest: bool) -> NewCar:
    """A car as somebody would enter it by hand."""
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
    """Teams, the entry list, stand-ins, the calendar and penalties of the season, in an order in
    which each finds what it speaks of."""
    key = season.key
    called = ({one.driver: one.name for one in season.entrants} | dict(names)).get
    for driver, team in season.teams.items():
        yield SetTeam(season=key, driver=called(driver, driver), team=team)
    if season.entrants or season.stand_ins:
        from companion.league.federation.stages import entry_acts

        yield from entry_acts(season, called)
    for move in season.moves:
        driver = called(move.driver, move.driver)
        yield SetTeam(season=key, driver=driver, team=move.team, since=move.since)
    for planned in season.calendar:
        own = {field: getattr(planned, field) or UNSAID for field in OF_ROUND}
        yield Plan(season=key, round=planned.round, **own)
    yield from penalty_acts(season.penalties, names, season=key)


OF_ROUND = ("title", "date", "board", "pack", "laps", "weather", "cancelled")


# -- again ----------------------------------------------------------------------------------------


class Otherwise(BadAct):
    """Races of a file are in the league with another result; `races` are their ids.

    Whether they are to be amended somebody has to say.
    """

    def __init__(self, races: Sequence[Race]) -> None:
        told = ", ".join(f"{one.name} of {one.date[:10]}" for one in races)
        super().__init__(f"of these the league has another result: {told}. Shall they be amended?")
        self.races = tuple(one.id for one in races)


OF_CAR = ("place", "status", "team", "grid", "lap", "out", "fastest", "time")
"""By what a car of a file is another one than the league has, beside who drove it."""
WHY = "as the file has it now"


def new_in(acts: Sequence[Act], queries: View, *, is_amending: bool = False) -> list[Act]:
    """Those acts of a file that the league has not done yet; a race that is there with another
    result becomes an amendment, so that no file counts twice.

    A race of a file is one that is there by its id, its round, or its evening and its people.

    Args:
        is_amending: somebody has said that what is there is to be amended.

    Raises:
        Otherwise: some are there with another result, and nobody has said so.
    """
    placed = {act.race: act for act in acts if isinstance(act, PlaceRace)}
    entered = [act for act in acts if isinstance(act, EnterRace)]
    there = {act.race: _same_race(act, placed.get(act.race), entered, queries) for act in entered}
    known = {race: found for race, found in there.items() if found is not None}
    who = (
        {key_of(name): one.key for one in queries.drivers() for name in one.names} if known else {}
    )
    changed = {
        a.race: c for a in entered if a.race in known and (c := _change(a, known[a.race], who))
    }
    if changed and not is_amending:
        raise Otherwise([known[race] for race in changed])
    seasons = {one.key: one for one in queries.seasons()} if known else {}
    fresh: list[Act] = []
    for act in acts:
        found = known.get(getattr(act, "race", ""))
        season = seasons.get(getattr(act, "season", "") or "")
        if season is not None and not isinstance(act, PlaceRace):
            is_new = isinstance(act, Penalize) and not _is_there(act, season, who)
            fresh += [act] if is_new else []  # else of the season all is there
        elif found is None:
            fresh.append(act)
        elif isinstance(act, EnterRace):
            fresh += [changed[act.race]] if act.race in changed else []
        elif isinstance(act, AddNote | Penalize) and not _is_there(act, found, who):
            fresh.append(replace(act, race=found.id))
    return fresh


def _same_race(
    act: EnterRace, placed: PlaceRace | None, entered: Sequence[EnterRace], queries: View
) -> Race | None:
    """The race of the league that one of a file is."""
    if found := queries.race(act.race):
        return found
    name = act.name if isinstance(act.name, str) else act.track or act.date
    people = {key_of(car.name) for car in act.entries}
    season = None if placed is None else placed.season
    is_own = placed is not None and placed.points is not UNSAID
    others = {one.race for one in entered}
    for race in queries.races(season=season) if season else queries.on(act.date[:10]):
        own = {key_of(entry.name) for entry in race.entries}
        is_round = placed is not None and placed.round == race.round and race.season == season
        is_evening = race.date[:10] == act.date[:10] and race.name == name
        is_like = 2 * len(own & people) >= len(people) and is_own == (race.scoring is not None)
        if (is_round or is_evening) and is_like and race.id not in others:
            return race
    return None


def _change(act: EnterRace, race: Race, who: Mapping[str, str]) -> Amend | None:
    """The amendment that makes a race what a file says; None: it is so, or once was."""
    rows = results.entered(act.entries, act.game)
    # What a table measured of its own race is not for a file to say.
    of = OF_CAR[:2] if race.source == "record" else OF_CAR
    told = {_car_of(row, who, of) for row in rows}
    kept = [{_car_of(entry, who, of) for entry in one} for one in (race.entries, *_before(race))]
    is_other_day = act.date[:10] != race.date[:10]
    if told in kept and not is_other_day:
        return None
    seats = {who.get(key_of(one.name), key_of(one.name)): one.seat for one in race.entries}
    more = count(max(seats.values(), default=0) + 1)
    cars = tuple(
        ChangedCar(**{"seat": seats.get(_driver(row, who)) or next(more), **given(car)})
        for row, car in zip(sorted(rows, key=lambda row: row.seat), act.entries, strict=True)
    )
    date = act.date if is_other_day else UNSAID
    return Amend(race=race.id, reason=WHY, entries=cars, date=date)


def _before(race: Race) -> Iterator[Sequence[Entry]]:
    return (one.entries for one in race.earlier)


def _driver(row: Row | Entry, who: Mapping[str, str]) -> str:
    if isinstance(row, Entry):
        return row.driver
    key = key_of(row.player or row.name)
    return who.get(key, key)


def _car_of(row: Row | Entry, who: Mapping[str, str], of: Sequence[str]) -> tuple[object, ...]:
    return _driver(row, who), *(getattr(row, name) or None for name in of)


def _is_there(act: AddNote | Penalize, of: Race | Season, who: Mapping[str, str]) -> bool:
    """Whether a note or a penalty of a file is in the league already."""
    if isinstance(act, AddNote):
        return isinstance(of, Season) or act.text in {one.text for one in of.notes}
    driver = None if act.driver is UNSAID else key_of(act.driver)
    same = {(one.driver, one.reason) for one in of.penalties}
    return (who.get(driver or "", driver or ""), act.reason) in same
