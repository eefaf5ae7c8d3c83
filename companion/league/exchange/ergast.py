"""A season, or a race, as one Ergast-shaped JSON document, and back.

Everything that Ergast serves at many addresses stands in one `MRData`: `RaceTable.Races[]` with
`Results`, `QualifyingResults`, `Laps` and `PitStops`, and `StandingsTable`. What Ergast has no
word for stands under `companion`, which other programs pass over: how the season is scored, the
ids and reasons. The rulings stand first, the way back at the end.

The pieces of Ergast-shaped JSON (as api.jolpi.ca serves it), made of a sheet.

All values are texts, as there. Rulings: a time is of dice, not of the clock, which would measure
the talk: one second is a roll of a gear die (`time` of laps, `FastestLap`) or a turn in the pits
(`duration` of stops); only `Q1`, the time trial (FD-TRIAL-2), is in real seconds. `season` is the
year of its first race, for programs want a number. `positionText` is the place, R for out, W for
a car that was taken out of the race, D for disqualified.

Ergast-shaped JSON as acts: one written here makes the same season again, with equal standings;
one of another program (api.jolpi.ca) becomes a season whose points are those that it states.

Read are `Results`; grids come with them, and laps and stops stay behind.
"""

from __future__ import annotations

import json
import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from companion.league.acts import Act, SetSeason, format_act, parse_act
from companion.league.byhand import BY_HAND
from companion.league.errors import BadAct, ascii_of, ascii_person, key_of
from companion.league.exchange.acts import measured, penalty_acts
from companion.league.exchange.registry import (
    Sheet,
    grid_of,
    laps_completed,
    laps_of,
    sheet_of,
    stops_of,
)
from companion.league.forms import MOST_LAPS
from companion.league.plain import Entry, Line, Penalty, Planned, Race, format_points, tidy
from companion.league.results import EARNERS, Score
from companion.league.standings import Standing, standings, team_standings
from companion.league.view import View
from companion.rules.games import NAMES
from companion.rules.lines import NAME_LENGTH

# -- ergast ---------------------------------------------------------------------------------------


__all__ = ["read", "write"]


def write(queries: View, key: str) -> bytes:
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
            "season": year_of(sheet),
            "Races": [_race(sheet, race) for race in sheet.races],
        },
    }
    if sheet.is_whole and sheet.season is not None:
        data["StandingsTable"] = _standings_table(sheet)
        scoring = _without(format_act(SetSeason.of(sheet.season)), "act")
        data["companion"] = {**scoring, "penalties": _penalties(sheet.season.penalties, sheet)}
    return (json.dumps({"MRData": data}, ensure_ascii=False, indent=1) + "\n").encode()


def _standings_table(sheet: Sheet) -> Doc:
    """The standings after the last race of a sheet."""
    lists = {name: rows(sheet) for name, rows in STANDINGS.items()}
    held = [{**standings_head(sheet), **lists}] if sheet.races else []
    return {"season": year_of(sheet), "StandingsLists": held}


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
        **race_head(sheet, race),
        "Results": results(sheet, race),
        "QualifyingResults": qualifying(sheet, race),
        "Laps": as_laps(lap_timings(sheet, race)),
        "PitStops": pit_stops(sheet, race),
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


# -- ergast parts ---------------------------------------------------------------------------------


Doc = dict[str, object]
Timing = tuple[str, Doc]
"""The number of a lap, and the time of one car in it."""

RETIRED = "retired"
"""Why a car is out that a person took out of the race."""
STATUS: Mapping[str, str] = {
    "finished": "Finished",
    "running": "Running",
    "disqualified": "Disqualified",
    "not-classified": "Not classified",
    "not-started": "Did not start",
}


STATUS_IDS: Mapping[str, int] = {
    "finished": 1,
    "disqualified": 2,
    "engine": 5,
    "gearbox": 6,
    "suspension": 22,
    "brakes": 23,
    "retired": 31,
}
"""As Ergast numbers them, where it has the same word."""
OWN_IDS = 1000
"""From here on are the numbers of words that Ergast does not have."""
NO_BOARD = "Unknown"
"""Of a race that was driven without a board, or of which nobody wrote it down."""
NO_YEAR = "0"
"""Of a season without a race."""


def format_time(seconds: float) -> str:
    """Minutes, seconds and thousandths.

    >>> format_time(12), format_time(75.25)
    ('0:12.000', '1:15.250')
    """
    minutes, rest = divmod(round(seconds * 1000), 60_000)
    return f"{minutes}:{rest // 1000:02}.{rest % 1000:03}"


def year_of(sheet: Sheet) -> str:
    """The year of the season's first race; 0 before there is one."""
    return sheet.year or min((race.date for race in sheet.races), default=NO_YEAR)[:4]


def race_head(sheet: Sheet, race: Race) -> Doc:
    """What every table says of a race."""
    return {
        "season": year_of(sheet),
        "round": f"{race.round or 1}",
        "raceName": race.name,
        "Circuit": circuit(board_of(race)),
        **moment(race.date),
    }


def planned_head(sheet: Sheet, one: Planned) -> Doc:
    """What is told of a round that is to be driven yet."""
    return {
        "season": year_of(sheet),
        "round": f"{one.round}",
        "raceName": one.title or one.board or f"{one.round}",
        "Circuit": circuit(one.board or NO_BOARD),
        **(moment(one.date) if one.date else {}),
    }


def moment(when: str) -> Doc:
    """When a race began, or is to."""
    date, _, time = when.replace(" ", "T").partition("T")
    return {"date": date, **({"time": _in_zone(time)} if time else {})}


def _in_zone(time: str) -> str:
    """A time of day as Ergast has it; the clock of a table knows no zone, and counts as UTC."""
    return time if "Z" in time or "+" in time or "-" in time else f"{time}Z"


def board_of(race: Race) -> str:
    """The board of a race: Ergast's form has no race without a circuit."""
    return race.board or NO_BOARD


def circuit(board: str) -> Doc:
    """A board."""
    where = {"locality": "" if board == NO_BOARD else board, "country": ""}
    return {"circuitId": ascii_of(key_of(board)), "circuitName": board, "Location": where}


def driver(key: str, name: str) -> Doc:
    """A person; the last word of the name is the family's.

    >>> driver("ana-maria-paz", "Ana Maria Paz")["familyName"]
    'Paz'
    """
    given, _, family = name.rpartition(" ")
    return {
        "driverId": ascii_person(key),
        "givenName": given or family,
        "familyName": family if given else "",
    }


def constructor(team: str) -> Doc:
    """A team."""
    return {"constructorId": ascii_of(key_of(team)), "name": team}


def results(sheet: Sheet, race: Race) -> list[Doc]:
    """`Results` of a race, penalties in them."""
    scores = sheet.scores(race)
    entries = [score.entry for score in scores]
    ranks = ranks_of(entries)
    return [_result(sheet, race, score, ranks.get(score.entry.seat)) for score in scores]


def ranks_of(entries: Sequence[Entry]) -> dict[int, int]:
    """The rank of the best lap of each car, by seat, 1 for all that have the fastest one."""
    fastest = EARNERS["fastest"](entries)
    timed = [one for one in entries if one.best_lap is not None or one.seat in fastest]
    timed.sort(key=lambda one: (one.seat not in fastest, one.best_lap or 0))
    return {one.seat: 1 if one.seat in fastest else rank for rank, one in enumerate(timed, 1)}


def _result(sheet: Sheet, race: Race, score: Score, rank: int | None) -> Doc:
    entry = score.entry
    row: Doc = {
        "number": f"{entry.seat}",
        "position": f"{entry.place}",
        "positionText": position_text(entry),
        "points": f"{score.points}",
        **_who(sheet, race, entry),
        "grid": f"{entry.grid or 0}",
        "laps": f"{laps_completed(race, entry) or 0}",
        "status": status_of(entry),
    }
    return row if rank is None else {**row, "FastestLap": _fastest_lap(entry, rank)}


def status_of(entry: Entry) -> str:
    """How a car came home, or why it did not."""
    return STATUS.get(entry.status) or entry.out or "Retired"


def status_id(status: str) -> str:
    """The number of a status: Ergast's, or one that any league comes to for the same words.

    >>> status_id("Finished"), status_id("engine"), status_id("ran out of snacks")
    ('1', '5', '152708')
    """
    known = STATUS_IDS.get(status.lower())
    return f"{known or OWN_IDS + zlib.crc32(status.lower().encode()) % 1_000_000}"


def position_text(entry: Entry) -> str:
    """The place, or the letter of why there is none."""
    if entry.status == "disqualified":
        return "D"
    if entry.status == "not-classified":
        return "N"
    if entry.status == "not-started":
        return "W"
    if entry.status == "out":
        return "W" if entry.out == RETIRED else "R"
    return f"{entry.place}"


def _fastest_lap(entry: Entry, rank: int) -> Doc:
    laps = [lap for lap in entry.numbers.get("laps", ()) if lap["rolls"] == entry.best_lap]
    number = {"lap": f"{laps[0]['number']}"} if laps else {}
    time = {} if entry.best_lap is None else {"Time": {"time": format_time(entry.best_lap)}}
    return {"rank": f"{rank}", **number, **time}


def qualifying(sheet: Sheet, race: Race) -> list[Doc]:
    """`QualifyingResults`: the grid, and the time trial as Q1."""
    return [
        {
            "number": f"{row.entry.seat}",
            "position": f"{row.place}",
            **_who(sheet, race, row.entry),
            **({} if row.seconds is None else {"Q1": format_time(row.seconds)}),
        }
        for row in grid_of(race)
    ]


def lap_timings(sheet: Sheet, race: Race) -> list[Timing]:
    """The times of all cars, lap by lap."""
    return [
        (
            f"{lap['number']}",
            {
                "driverId": ascii_person(entry.driver),
                "position": f"{lap['position']}",
                "time": format_time(lap["rolls"]),
            },
        )
        for entry, lap in laps_of(race)
    ]


def as_laps(timings: Iterable[Timing]) -> list[Doc]:
    """`Laps`, a time a car."""
    return [
        {"number": number, "Timings": [time for _, time in own]}
        for number, own in groupby(timings, key=lambda timing: timing[0])
    ]


def pit_stops(sheet: Sheet, race: Race) -> list[Doc]:
    """`PitStops`; the time of day is left out, for nobody knows it."""
    return [
        {
            "driverId": ascii_person(row.entry.driver),
            "lap": f"{row.lap or 0}",
            "stop": f"{row.stop}",
            "duration": f"{row.turns}.000",
        }
        for row in stops_of(race)
    ]


def driver_standings(sheet: Sheet) -> list[Doc]:
    """`DriverStandings` of a season."""
    if sheet.season is None:
        return []
    return [
        {
            **_standing(line),
            "Driver": driver(line.key, line.name),
            "Constructors": [constructor(line.team)] if line.team else [],
        }
        for line in standings(sheet.season, sheet.races, sheet.names)
    ]


def constructor_standings(sheet: Sheet) -> list[Doc]:
    """`ConstructorStandings` of a season; none where nobody has a team."""
    if sheet.season is None:
        return []
    lines = team_standings(sheet.season, sheet.races)
    return [{**_standing(line), "Constructor": constructor(line.name)} for line in lines]


STANDINGS: Mapping[str, Callable[[Sheet], list[Doc]]] = {
    "DriverStandings": driver_standings,
    "ConstructorStandings": constructor_standings,
}


def standings_head(sheet: Sheet) -> Doc:
    """After which race of a sheet its standings are: the last."""
    last = max((race.round or 0 for race in sheet.races), default=0)
    return {"season": year_of(sheet), "round": f"{last}"}


def _standing(line: Standing) -> Doc:
    place = f"{line.place}"
    totals = {"points": f"{line.points}", "wins": f"{line.wins}"}
    return {"position": place, "positionText": place, **totals}


def _who(sheet: Sheet, race: Race, entry: Entry) -> Doc:
    team = sheet.team(race, entry)
    person: Doc = {"Driver": driver(entry.driver, sheet.name(entry))}
    return {**person, "Constructor": constructor(team)} if team else person


# -- ergast read ----------------------------------------------------------------------------------


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
        data = _together(json.loads(content))
        races = [_object(one) for one in _list(_object(data["RaceTable"])["Races"])]
        races = [race for race in races if race.get("Results")]
        season = _object(data.get("companion") or {})
        acts = [act for race in races for act in _ergast_read_race(race, season)]
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


def _together(told: object) -> Line:
    """One document of several pages of one; of a list of documents.

    Raises:
        BadAct: pages of it are missing; those that are there are told.
    """
    pages = [
        _object(_object(one)["MRData"]) for one in (told if isinstance(told, list) else [told])
    ]
    if not pages:
        raise BadAct(f"there is no document in it; read is {SHAPE}")
    spans = sorted(filter(None, map(_span, pages)))
    reached = 0
    for first, last, total in spans:
        if first > reached or total != spans[0][2]:
            break
        reached = max(reached, last)
    if spans and reached < spans[0][2]:
        there = ", ".join(f"{first + 1} to {last}" for first, last, _ in spans)
        raise BadAct(
            f"this is not the whole: rows {there} of {spans[0][2]}; import all pages at once: "
            "companion league import ergast PAGE PAGE …, or a list of them"
        )
    races: dict[object, Data] = {}
    for race in (
        _object(one) for page in pages for one in _list(_object(page["RaceTable"])["Races"])
    ):
        at = (
            race.get("season"),
            race.get("round"),
            race.get("raceName"),
            race.get("companion") is None,
        )
        if at not in races or not at[-1]:
            races[at if at[-1] else id(race)] = {**race}
        else:
            rows = [*_list(races[at].get("Results", [])), *_list(race.get("Results", []))]
            races[at]["Results"] = [one for n, one in enumerate(rows) if one not in rows[:n]]
    return {**pages[0], "RaceTable": {"Races": list(races.values())}}


def _span(page: Line) -> tuple[int, int, int] | None:
    """Which rows of how many a document has; None: all of them."""
    if "total" not in page or "limit" not in page:
        return None
    first, most, total = (_whole(page.get(one, "0"), one) for one in ("offset", "limit", "total"))
    return None if first == 0 and most >= total else (first, min(first + most, total), total)


def _season(season: Line) -> Data:
    own = {key: value for key, value in season.items() if key != "penalties"}
    return {**own, "act": "season"}


def _years(races: Sequence[Line]) -> Iterator[Data]:
    for year in dict.fromkeys(race["season"] for race in races):
        yield {"act": "season", "season": year, "title": year, "points": "result"}


def _season_penalties(season: Line) -> Iterator[Data]:
    for one in _list(season.get("penalties", [])):
        yield {"act": "penalty", "season": season["season"], **_object(one)}


def _ergast_read_race(race: Line, season: Line) -> Iterator[Data]:
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


def _points(result: Line) -> float:
    return tidy(float(_text(result["points"])))


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
