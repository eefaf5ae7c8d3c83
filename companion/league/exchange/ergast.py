"""The league as Ergast and Jolpica have it: a document, back from one, and their API.

A season or a race goes out as one `MRData` (api.jolpi.ca): `RaceTable.Races[]` with `Results`,
`QualifyingResults`, `Laps` and `PitStops`, and `StandingsTable`. What Ergast has no word for stands
under `companion`, which other programs pass over: how the season is scored, ids and reasons.

All values are texts, as there. Rulings: a time is of dice, not of the clock, which would measure
the talk: one second is a roll of a gear die (`time` of laps, `FastestLap`) or a turn in the pits
(`duration` of stops); only `Q1`, the time trial (FD-TRIAL-2), is in real seconds. `season` is the
year of its first race, for programs want a number. `positionText` is the place, R for out, W for
a car that was taken out of the race, D for disqualified.

A document that was written here makes the same season again, with equal standings; one of another
program becomes a season whose points are those that it states. Read are `Results`; grids come with
them, and laps and stops stay behind.

The API, read only, below `/ergast/f1/`:

    seasons · S · S/races · S/results · S/qualifying · S/laps · S/pitstops · S/drivers
    S/constructors · S/circuits · S/status · S/sprint · S/driverstandings · S/constructorstandings

and all but laps and pit stops without S, over all seasons. S is the key of a season, its year (the
newest one then) or `current`; behind it may stand a round or `last`: of the standings, those after
that round. Between it and what is asked for may stand filters, each a name and a value
(`drivers/ana/results`, `grid/1/drivers`): they pick cars, which have to fit all of them at once.
`.json` may end an address. The cars of all seasons are kept season by season as long as these
stand; only the races of the page that is asked for are told.
"""

from __future__ import annotations

import json
import uuid
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from operator import attrgetter
from typing import Literal, NamedTuple, TypeVar

from companion.league.acts import Act, SetSeason, format_act, parse_act
from companion.league.byhand import BY_HAND
from companion.league.errors import BadAct, ascii_of, ascii_person, key_of
from companion.league.exchange.acts import measured, penalty_acts
from companion.league.exchange.registry import (
    Sheet,
    grid_of,
    laps_completed,
    laps_of,
    names_of,
    sheet_of,
    stops_of,
)
from companion.league.forms import MOST_LAPS
from companion.league.plain import Entry, Line, Penalty, Planned, Race, Season, format_points, tidy
from companion.league.results import EARNERS, Score, classify
from companion.league.standings import Standing, standings, team_standings
from companion.league.view import View
from companion.rules.games import NAMES
from companion.rules.lines import NAME_LENGTH
from companion.system.frozen import dataclass

# -- ergast ---------------------------------------------------------------------------------------


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
        "Laps": as_laps(lap_rows(race)),
        "PitStops": as_stops(stop_rows(race)),
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
Names = Mapping[str, str]


class Timed(NamedTuple):
    """What is told of the lap or the stop of a car with this number."""

    seat: int
    number: str
    told: Doc


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
            "number": f"{one.seat}",
            "position": f"{one.grid}",
            **_who(sheet, race, one),
            **({} if one.trial_time is None else {"Q1": format_time(one.trial_time)}),
        }
        for one in grid_of(race)
    ]


def lap_rows(race: Race) -> list[Timed]:
    """The times of all cars, lap by lap."""
    return [
        Timed(
            entry.seat,
            f"{lap['number']}",
            {
                "driverId": ascii_person(entry.driver),
                "position": f"{lap['position']}",
                "time": format_time(lap["rolls"]),
            },
        )
        for entry, lap in laps_of(race)
    ]


def as_laps(rows: Iterable[Timed]) -> list[Doc]:
    """`Laps`, a time a car."""
    return [
        {"number": number, "Timings": [one.told for one in own]}
        for number, own in groupby(rows, key=lambda one: one.number)
    ]


def stop_rows(race: Race) -> list[Timed]:
    """The pit stops; the time of day is left out, for nobody knows it."""
    return [
        Timed(
            row.entry.seat,
            f"{row.stop}",
            {
                "driverId": ascii_person(row.entry.driver),
                "lap": f"{row.lap or 0}",
                "stop": f"{row.stop}",
                "duration": f"{row.turns}.000",
            },
        )
        for row in stops_of(race)
    ]


def as_stops(rows: Iterable[Timed]) -> list[Doc]:
    """`PitStops`."""
    return [one.told for one in rows]


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


# -- what is asked --------------------------------------------------------------------------------


PICKS: Mapping[str, str] = {
    "drivers": "driver_id",
    "constructors": "team_id",
    "circuits": "board_id",
    "status": "status_id",
    "grid": "grid",
    "results": "place",
    "fastest": "fastest",
    "qualifying": "grid",
}
"""By the name of a filter, what of a car it is compared with."""
NUMBERS = ("grid", "place", "fastest")
STANDINGS_OF = {name.lower(): name for name in STANDINGS}
TIMES: Mapping[str, tuple[str, Callable[[Race], list[Timed]], Callable[[list[Timed]], list[Doc]]]]
TIMES = {"laps": ("Laps", lap_rows, as_laps), "pitstops": ("PitStops", stop_rows, as_stops)}
"""By what is asked for, its name in a race, its rows, and how those of a page are put together."""
AS_IDS: Mapping[str, Callable[[str], str]] = {
    "drivers": ascii_person,
    "constructors": ascii_of,
    "circuits": ascii_of,
    "status": lambda value: value if value.isdecimal() else status_id(value),
}
"""By the name of a filter, the id that a value means: ids are ASCII, keys and words are not."""
WORDS = {*PICKS, *TIMES, *STANDINGS_OF, "races", "seasons", "sprint"}
OF: Mapping[str, Literal["races", "sprints"]] = {
    **dict.fromkeys(("results", "qualifying", "races", *TIMES), "races"),
    "sprint": "sprints",
}
"""By what is asked for, the races whose cars count; those of all for what is not named."""


@dataclass(frozen=True, slots=True)
class Picked:
    """Which cars are asked for.

    Args:
        values: by names of the fields of a car, all of which have to fit.
        by_grid: those with a place on the grid, in its order.
        of: cars of all races, of sprints alone, or of all but the sprints beside another race.
    """

    values: tuple[tuple[str, str | int], ...] = ()
    by_grid: bool = False
    of: Literal["all", "races", "sprints"] = "all"

    def fits(self, car: Car) -> bool:
        """Whether a car is asked for."""
        if self.of == "races" and car.sprint == "beside":
            return False
        if (self.of == "sprints" and not car.sprint) or (self.by_grid and not car.grid):
            return False
        return all(getattr(car, name) == value for name, value in self.values)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for, and by which values it is picked, by the names of the filters."""

    what: str = "races"
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_of_cars(self) -> bool:
        """Whether some cars are asked for, not all."""
        return any(name in self.values for name in PICKS if name != "circuits")

    def picked(self) -> Picked | None:
        """The cars that are asked for; None: none can be."""
        values: list[tuple[str, str | int]] = []
        for name, value in self.values.items():
            column = PICKS.get(name)
            if column in NUMBERS and not (value.isascii() and value.isdecimal() and len(value) < 6):
                return None
            if column is not None:
                values.append((column, int(value) if column in NUMBERS else value))
        is_grid = self.what == "qualifying"
        return Picked(tuple(values), by_grid=is_grid, of=OF.get(self.what, "all"))


def read_words(words: Sequence[str]) -> Asked | None:
    """What the words of an address ask for; None where one of them is nothing."""
    values: dict[str, str] = {}
    names, rest = [], list(words)
    while rest:
        name = rest.pop(0)
        if name not in WORDS:
            return None
        names.append(name)
        if rest and rest[0] not in WORDS:
            values[name] = AS_IDS.get(name, str)(rest.pop(0))
    if not names:
        return Asked()
    is_ended = all(name in values for name in names[:-1]) and names[-1] not in ("grid", "fastest")
    return Asked(names[-1], values) if is_ended else None


def standings_asked(sheet: Sheet, asked: Asked) -> list[Doc]:
    """The lines of a season's standings that are asked for."""
    rows = STANDINGS[STANDINGS_OF[asked.what]](sheet) if sheet.races else []
    for name, own in (("drivers", _people_in), ("constructors", _teams_in)):
        if name in asked.values:
            rows = [row for row in rows if asked.values[name] in own(row)]
    place = asked.values.get(asked.what)
    return [row for row in rows if place in (None, row["position"])]


def _people_in(row: Doc) -> set[str]:
    driver = row.get("Driver")
    return {str(driver["driverId"])} if isinstance(driver, dict) else set()


def _teams_in(row: Doc) -> set[str]:
    """The ids of the teams in a line of the standings, of a team or of a driver."""
    held = row.get("Constructors")
    teams = held if isinstance(held, list) else [row.get("Constructor")]
    return {str(team["constructorId"]) for team in teams if isinstance(team, dict)}


# -- cars -----------------------------------------------------------------------------------------


class Car(NamedTuple):
    """A car of a round. `sprint`: none, one in the round of another race, or a race of a stage that
    is a sprint."""

    at: str
    race: str
    seat: int
    season: str
    driver: str
    team: str | None
    board: str
    status: str
    place: int
    grid: int
    fastest: int | None
    sprint: Literal["", "beside", "stage"]

    @property
    def driver_id(self) -> str:
        return ascii_person(self.driver)

    @property
    def team_id(self) -> str | None:
        return self.team and ascii_of(key_of(self.team))

    @property
    def board_id(self) -> str:
        return ascii_of(key_of(self.board))

    @property
    def status_id(self) -> str:
        return status_id(self.status)


Group = tuple[str, int]
"""What some cars have in common, and how many they are."""


def cars_of(season: Season, races: Sequence[Race]) -> list[Car]:
    """The cars of the rounds of a season."""
    return [car for race in races if race.counts for car in _cars_in(season, race)]


def _cars_in(season: Season, race: Race) -> Iterator[Car]:
    entries, board = classify(race), board_of(race)
    ranks, at = ranks_of(entries), f"{race.date} {race.id}"
    for entry in entries:
        yield Car(
            at=at,
            race=race.id,
            seat=entry.seat,
            season=season.key,
            driver=entry.driver,
            team=season.team_of(entry.driver, race.round or 0, entry.team),
            board=board,
            status=status_of(entry),
            place=entry.place,
            grid=entry.grid or 0,
            fastest=ranks.get(entry.seat),
            sprint="beside" if race.is_sprint else "stage" if season.kind == "sprint" else "",
        )


def pick(view: View, picked: Picked) -> list[Car]:
    """The cars of all seasons that are picked, oldest race first, by place; kept as long as the
    league stands."""
    return view.remembered(("cars", picked), lambda: _pick(view, picked))


def _pick(view: View, picked: Picked) -> list[Car]:
    hidden = view.hidden() if "driver_id" in dict(picked.values) else frozenset()
    every = view.over_seasons("cars", cars_of)
    found = [car for car in every if picked.fits(car) and car.driver not in hidden]
    by = attrgetter("at", "grid" if picked.by_grid else "place", "seat")
    return sorted(found, key=by)


def group(view: View, picked: Picked, of: str) -> list[Group]:
    """What the picked cars of all seasons have as `driver`, `team`, `board`, `status`, `season` or
    `race`, each once, and how many cars; of hidden drivers nothing."""

    def make() -> list[Group]:
        hidden = view.hidden() if of == "driver" else frozenset()
        return grouped((car for car in pick(view, picked) if car.driver not in hidden), of)

    return view.remembered(("groups", picked, of), make)


def grouped(cars: Iterable[Car], of: str) -> list[Group]:
    """Likewise of some cars."""
    by = attrgetter("at" if of == "race" else f"{of}_id" if hasattr(Car, f"{of}_id") else of, of)
    counted = Counter(by(car) for car in cars if getattr(car, of) is not None)
    return [(value, count) for (_, value), count in sorted(counted.items())]


# -- api ------------------------------------------------------------------------------------------


RowT = TypeVar("RowT")
ROWS_A_PAGE = 30
MOST_ROWS = 1000
MOST_OF_ALL = 100
"""Rows at once of all seasons, as Jolpica has it."""
MOST_SEASONS = 10
"""Of standings so many seasons at once: each is worked out."""
OF_CARS: Mapping[str, tuple[str, Callable[[Sheet, Race], list[Doc]]]] = {
    "results": ("Results", results),
    "qualifying": ("QualifyingResults", qualifying),
    "sprint": ("SprintResults", results),
}
"""By what is asked for, its name in a race and its rows."""
GROUPS: Mapping[str, tuple[str, str, str]] = {
    "drivers": ("driver", "DriverTable", "Drivers"),
    "constructors": ("team", "ConstructorTable", "Constructors"),
    "circuits": ("board", "CircuitTable", "Circuits"),
    "status": ("status", "StatusTable", "Status"),
}
"""By what is asked for: what of a car, the table and its list."""
Rounds = Sequence[tuple[Race, Sheet]]


class Page:
    """The rows that were asked for, out of all."""

    def __init__(self, limit: int, offset: int, most: int = MOST_ROWS) -> None:
        self.limit = min(max(limit, 0), most)
        self.offset = max(offset, 0)

    def cut(self, rows: Sequence[RowT]) -> list[RowT]:
        """The rows of this page."""
        return list(rows[self.offset : self.offset + self.limit])

    def document(self, table: str, about: Doc, name: str, rows: Sequence[Doc], of: int) -> Doc:
        """A document with one list, of which this page is told; `of` how many there are."""
        numbers = {"limit": self.limit, "offset": self.offset, "total": of}
        head = {"series": "f1", **{key: f"{value}" for key, value in numbers.items()}}
        return {**head, table: {**about, name: rows}}

    def whole(self, table: str, about: Doc, name: str, rows: Sequence[Doc]) -> Doc:
        """A document with one list, cut to this page."""
        return self.document(table, about, name, self.cut(rows), len(rows))

    def cars(self, asked: Asked, about: Doc, found: Sequence[Car], rounds: Rounds) -> Doc:
        """Races with the rows of cars: those of this page."""
        seats = {(car.race, f"{car.seat}") for car in self.cut(found)}
        name, tell = OF_CARS[asked.what]
        races = []
        for race, sheet in rounds:
            own = [row for row in tell(sheet, race) if (race.id, row["number"]) in seats]
            races += [{**race_head(sheet, race), name: own}] if own else []
        return self.document("RaceTable", about, "Races", races, len(found))

    def groups(
        self, asked: Asked, about: Doc, rows: Sequence[Group], names: Callable[..., Names]
    ) -> Doc:
        """What some cars have in common, each once."""
        of, table, name = GROUPS[asked.what]
        told = _groups_told(of, self.cut(rows), names)
        return self.document(table, about, name, told, len(rows))


def _groups_told(of: str, rows: Sequence[Group], names: Callable[..., Names]) -> list[Doc]:
    if of == "driver":
        called = names([key for key, _ in rows])
        return [driver(key, called.get(key, key)) for key, _ in rows]
    if of == "status":
        return [
            {"statusId": status_id(status), "count": f"{count}", "status": status}
            for status, count in rows
        ]
    tell = constructor if of == "team" else circuit
    return [tell(title) for title, _ in rows]


def answer(
    queries: View,
    address: str,
    *,
    limit: int = ROWS_A_PAGE,
    offset: int = 0,
) -> Doc | None:
    """The document at an address below `/ergast/f1/`; None: there is none.

    Args:
        limit: rows at most, 0 to `MOST_ROWS`, across seasons `MOST_OF_ALL`; a lap of all its cars
            is as many rows.
        offset: rows left out before.
    """
    words = address.removesuffix("/").removesuffix(".json").removesuffix("/").lower().split("/")
    season = _season_called(queries, words[0])
    if season is None:
        asked = read_words(words) if words[0] in WORDS else None
        page = Page(limit, offset, MOST_ROWS if words == ["seasons"] else MOST_OF_ALL)
        return None if asked is None else _of_all(queries, asked, page)
    sheet = _sheet(queries, season)
    number, rest = _round(sheet, words[1:])
    asked = read_words(rest)
    return None if asked is None else _of_one(sheet, number, asked, Page(limit, offset))


def _season_called(queries: View, name: str) -> Season | None:
    """The season that an address names, the newest of those that it may mean."""
    if name == "current":
        return queries.current()
    key = next((key for key, year in queries.years().items() if year == name), None)
    return queries.season(name) or queries.season(key)


def _sheet(queries: View, season: Season, *, is_slim: bool = False) -> Sheet:
    """A season with all its rounds; slim ones do for its standings."""
    races = queries.held(season, is_slim=is_slim)
    year = min((race.date[:4] for race in races), default=None)
    return Sheet(season, tuple(races), names_of(queries, races), year=year)


# -- of one season --------------------------------------------------------------------------


def _of_one(sheet: Sheet, number: int | None, asked: Asked, page: Page) -> Doc | None:
    """What is asked of a season, or of a round of it."""
    what, planned = asked.what, _planned(sheet, asked)
    numbers = {race.round or 0 for race in sheet.races}
    if what == "races" and not asked.is_of_cars:
        numbers |= {one.round for one in planned}
    if number is not None and number not in numbers:
        return None
    about: Doc = {"season": year_of(sheet)}
    if what in STANDINGS_OF:
        return _standings(sheet, number, asked, about, page)
    about |= {} if number is None else {"round": f"{number}"}
    races = [race for race in sheet.races if number in (None, race.round)]
    picked = asked.picked()
    every = cars_of(sheet.of_season, races) if picked else []
    cars = [car for car in every if picked and picked.fits(car)]
    held = {car.race for car in cars}
    rounds = [(race, sheet) for race in races if race.id in held]
    if what in TIMES:
        return _times(rounds, cars, asked, about, page)
    if what in OF_CARS:
        by = {race.id: n for n, race in enumerate(races)}
        place = attrgetter("grid" if what == "qualifying" else "place", "seat")
        cars.sort(key=lambda car: (by[car.race], place(car)))
        return page.cars(asked, about, cars, rounds)
    if what == "races":
        sprints = {race.round: race for race in races if race.is_sprint}
        heads = [_in_calendar(sheet, race, sprints.get(race.round)) for race, _ in rounds]
        told = [one for one in planned if number in (None, one.round) and not asked.is_of_cars]
        heads += [planned_head(sheet, one) for one in told]
        return page.whole("RaceTable", about, "Races", heads)
    if what == "seasons":
        years: list[Doc] = [{"season": year_of(sheet)}] if held else []
        return page.whole("SeasonTable", about, "Seasons", years)
    rows = grouped(cars, GROUPS[what][0])
    rows = sorted(rows) if what in ("circuits", "status") else rows  # by their names, not their ids
    return page.groups(asked, about, rows, lambda _: sheet.names)


def _round(sheet: Sheet, words: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    """The round that an address names, and what is behind it."""
    if words and words[0] == "next":
        return next((one.round for one in _planned(sheet, Asked())), 0), words[1:]
    if words and words[0] == "last":
        return max((race.round or 0 for race in sheet.races), default=0), words[1:]
    if words and words[0].isdecimal():
        return int(words[0]), words[1:]
    return None, words


def _planned(sheet: Sheet, asked: Asked) -> list[Planned]:
    """The rounds of the calendar that are to be driven yet, on the board that is asked for."""
    last = max((race.round or 0 for race in sheet.races), default=0)
    board = asked.values.get("circuits")
    return [
        one
        for one in sheet.of_season.calendar
        if one.round > last
        and not one.cancelled
        and board in (None, circuit(one.board or NO_BOARD)["circuitId"])
    ]


def _in_calendar(sheet: Sheet, race: Race, sprint: Race | None) -> Doc:
    """A race of a season, with the sprint of its round."""
    told = {} if sprint is None else {"Sprint": moment(sprint.date)}
    return {**race_head(sheet, race), **told}


def _standings(sheet: Sheet, number: int | None, asked: Asked, about: Doc, page: Page) -> Doc:
    """The standings after a round, or the last one."""
    races = (race for race in sheet.races if number is None or (race.round or 0) <= number)
    sheet = replace(sheet, races=tuple(races))
    head, rows = standings_head(sheet), standings_asked(sheet, asked)
    lists = [{**head, STANDINGS_OF[asked.what]: page.cut(rows)}] if sheet.races else []
    about = {**about, "round": head["round"]}
    return page.document("StandingsTable", about, "StandingsLists", lists, len(rows))


def _times(rounds: Rounds, cars: Iterable[Car], asked: Asked, about: Doc, page: Page) -> Doc:
    """Laps or stops, race by race; a page ends wherever it is full."""
    seats = {(car.race, car.seat) for car in cars}
    (name, rows, join), own = TIMES[asked.what], asked.values.get(asked.what)
    every = [
        (race, row)
        for race, _ in rounds
        for row in rows(race)
        if (race.id, row.seat) in seats and own in (None, row.number)
    ]
    cut, races = page.cut(every), []
    for race, sheet in rounds:
        told = [row for other, row in cut if other is race]
        races += [{**race_head(sheet, race), name: join(told)}] if told else []
    return page.document("RaceTable", about, "Races", races, len(every))


# -- of all seasons -------------------------------------------------------------------------


def _of_all(queries: View, asked: Asked, page: Page) -> Doc | None:
    """What is asked of all seasons; None where Ergast, too, wants one."""
    what, picked = asked.what, asked.picked()

    def groups(of: str) -> list[Group]:
        return [] if picked is None else group(queries, picked, of)

    years = queries.years()
    if what in STANDINGS_OF:
        held = sorted((years[key], key) for key, _ in groups("season") if key in years)
        return _all_standings(queries, [key for _, key in held], asked, page)
    if what == "seasons":
        is_every = picked is not None and not picked.values
        every = years if is_every else [key for key, _ in groups("season") if key in years]
        told: list[Doc] = [{"season": year} for year in sorted({years[key] for key in every})]
        return page.whole("SeasonTable", {}, "Seasons", told)
    if what == "races":
        races = [race for race, _ in groups("race")]
        heads = [race_head(sheet, race) for race, sheet in _rounds(queries, page.cut(races))]
        return page.document("RaceTable", {}, "Races", heads, len(races))
    if what in OF_CARS:
        cars = [] if picked is None else pick(queries, picked)
        return page.cars(asked, {}, cars, _rounds(queries, {car.race for car in page.cut(cars)}))
    if what in GROUPS:
        return page.groups(asked, {}, groups(GROUPS[what][0]), queries.names)
    return None


def _rounds(queries: View, keys: Iterable[str]) -> Rounds:
    """These races with their seasons, oldest first."""
    races = queries.rounds(set(keys))
    names, years = names_of(queries, races), queries.years()
    seasons = {race.season for race in races if race.season}
    sheets = {
        season.key: Sheet(season, (), names, year=years.get(season.key))
        for season in queries.seasons(keys=seasons)
    }
    return [(race, sheets[race.season]) for race in races if race.season in sheets]


def _all_standings(queries: View, keys: Sequence[str], asked: Asked, page: Page) -> Doc:
    """A list a season, the oldest first: seasons are counted here, not lines."""
    page = Page(page.limit, page.offset, MOST_SEASONS)
    lists: list[Doc] = []
    for key in page.cut(keys):
        sheet = _sheet(queries, queries.the_season(key), is_slim=True)
        rows = standings_asked(sheet, asked)
        lists += [{**standings_head(sheet), STANDINGS_OF[asked.what]: rows}] if rows else []
    return page.document("StandingsTable", {}, "StandingsLists", lists, len(keys))
