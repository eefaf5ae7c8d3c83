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
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeVar

from companion.league.errors import ascii_of, ascii_person, key_of

Doc = dict[str, Any]
Season = Mapping[str, Any]
Race = Mapping[str, Any]
Car = Mapping[str, Any]
"""As docs/plugins.md has them."""
League = Any
GAME = "formula-d"
"""Of a race of another program."""


class Ergast:
    """The form, and what answers at the addresses of Ergast."""

    title = "Ergast (JSON)"
    about = "JSON as Ergast and Jolpica write it"
    of = "either"
    suffix = ".json"
    address = "ergast/f1"

    def write(self, league: League, key: str) -> bytes:
        """A season or a race as one document."""
        return write(league, key)

    def read(self, content: bytes) -> list[Doc]:
        """The acts of a document, or of its pages in a list."""
        return read(content)

    def answer(self, league: League, path: str, query: Mapping[str, str], url: str) -> Doc | None:
        """The document at a path below the address."""
        limit, offset = number(query, "limit", ROWS_A_PAGE), number(query, "offset", 0)
        found = answer(league, path, limit=limit, offset=offset)
        return None if found is None else {"MRData": {"xmlns": "", "url": url, **found}}


def number(query: Mapping[str, str], name: str, usual: int) -> int:
    """A number of the query.

    Raises:
        ValueError: it is none.
    """
    text = query.get(name)
    if text is None:
        return usual
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise ValueError(
            f"{name} is a whole number from 0 on (at most {MOST_ROWS} rows are told at once)"
        )
    return int(text)


# -- ergast ---------------------------------------------------------------------------------------


def write(league: League, key: str) -> bytes:
    """The document.

    Raises:
        ValueError: there is neither a season nor a race with this key.
    """
    season = league.season(key) if key in {one["season"] for one in league.seasons()} else None
    races = league.races([key]) if season is None else season["races"]
    if season is None and not races:
        raise ValueError(f"there is no race {key!r}")
    year = season["year"] if season else races[0]["date"][:4]
    acts = league.acts(key)
    count = f"{len(races)}"
    data: Doc = {
        "series": races[0]["game"] if races else GAME,
        "limit": count,
        "offset": "0",
        "total": count,
        "RaceTable": {
            "season": year or NO_YEAR,
            "Races": [_race(year, race, acts) for race in races],
        },
    }
    if season is not None:
        data["StandingsTable"] = _standings_table(league, season)
        scoring = _without(acts[0], "act")
        data["companion"] = {**scoring, "penalties": _penalties(acts, "season", key)}
    return (json.dumps({"MRData": data}, ensure_ascii=False, indent=1) + "\n").encode()


def _standings_table(league: League, season: Season) -> Doc:
    """The standings after the last race of a season."""
    year = season["year"] or NO_YEAR
    found = league.standings(season["season"])
    head = {"season": year, "round": f"{found['round']}"}
    lists = {name: rows(found) for name, rows in STANDINGS.items()}
    return {"season": year, "StandingsLists": [{**head, **lists}] if season["races"] else []}


def _race(year: str | None, race: Race, acts: Sequence[Doc]) -> Doc:
    every = sorted(race["cars"], key=lambda car: car["seat"])
    cars = {f"{car['seat']}": own for car in every if (own := _of_car(car))}
    ours: Doc = {
        "id": race["race"],
        **{name: race[name] for name in ("game", "laps", "factor")},
        **({"scoring": race["points"]} if race["points"] else {}),
        "board": race["board"],
        "points": {f"{car['seat']}": car["own_points"] for car in every},
        **({"cars": cars} if cars else {}),
        "penalties": _penalties(acts, "race", race["race"]),
        "notes": race["notes"],
    }
    return {
        **race_head(year, race),
        "Results": results(race),
        "QualifyingResults": qualifying(race),
        "Laps": as_laps(lap_rows(race)),
        "PitStops": as_stops(stop_rows(race)),
        "companion": ours,
    }


def _of_car(car: Car) -> Doc:
    """The crew of a car and what people measured of it, if there is any."""
    return {name: car[name] for name in ("time", "trial", "crew") if car.get(name)}


def _penalties(acts: Iterable[Doc], of: str, key: str) -> list[Doc]:
    """Penalties as their acts, without the places: the results have them already."""
    own = (act for act in acts if act["act"] == "penalty" and act.get(of) == key)
    return [_without(act, "act", of, "places") for act in own]


def _without(data: Doc, *keys: str) -> Doc:
    return {key: value for key, value in data.items() if key not in keys}


# -- ergast parts ---------------------------------------------------------------------------------


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
LETTER_OF = {"disqualified": "D", "not-classified": "N", "not-started": "W"}
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


def race_head(year: str | None, race: Race) -> Doc:
    """What every table says of a race."""
    return {
        "season": year or NO_YEAR,
        "round": f"{race['round'] or 1}",
        "raceName": race["name"],
        "Circuit": circuit(board_of(race)),
        **moment(race["date"]),
    }


def planned_head(year: str | None, one: Mapping[str, Any]) -> Doc:
    """What is told of a round that is to be driven yet."""
    return {
        "season": year or NO_YEAR,
        "round": f"{one['round']}",
        "raceName": one["title"] or one["board"] or f"{one['round']}",
        "Circuit": circuit(one["board"] or NO_BOARD),
        **(moment(one["date"]) if one["date"] else {}),
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
    board: str = race["board"] or NO_BOARD
    return board


def circuit(board: str) -> Doc:
    """A board."""
    where = {"locality": "" if board == NO_BOARD else board, "country": ""}
    return {"circuitId": ascii_of(key_of(board)), "circuitName": board, "Location": where}


def driver(person: str, name: str) -> Doc:
    """A person; the last word of the name is the family's.

    >>> driver("ana-maria-paz", "Ana Maria Paz")["familyName"]
    'Paz'
    """
    given, _, family = name.rpartition(" ")
    return {
        "driverId": person,
        "givenName": given or family,
        "familyName": family if given else "",
    }


def constructor(team: str) -> Doc:
    """A team."""
    return {"constructorId": ascii_of(key_of(team)), "name": team}


def results(race: Race) -> list[Doc]:
    """`Results` of a race, penalties in them."""
    ranks = ranks_of(race)
    return [_result(car, ranks.get(car["seat"])) for car in race["cars"]]


def ranks_of(race: Race) -> dict[int, int]:
    """The rank of the best lap of each car, by seat, 1 for all that have the fastest one."""
    timed = [one for one in race["cars"] if one["best_lap"] is not None or one["fastest"]]
    timed.sort(key=lambda one: (not one["fastest"], one["best_lap"] or 0))
    return {one["seat"]: 1 if one["fastest"] else rank for rank, one in enumerate(timed, 1)}


def _result(car: Car, rank: int | None) -> Doc:
    row: Doc = {
        "number": f"{car['seat']}",
        "position": f"{car['place']}",
        "positionText": position_text(car),
        "points": f"{car['points']}",
        **_who(car),
        "grid": f"{car['grid'] or 0}",
        "laps": f"{car['laps'] or 0}",
        "status": status_of(car),
    }
    return row if rank is None else {**row, "FastestLap": _fastest_lap(car, rank)}


def status_of(car: Car) -> str:
    """How a car came home, or why it did not."""
    return STATUS.get(car["status"]) or car["out"] or "Retired"


def status_id(status: str) -> str:
    """The number of a status: Ergast's, or one that any league comes to for the same words.

    >>> status_id("Finished"), status_id("engine"), status_id("ran out of snacks")
    ('1', '5', '152708')
    """
    known = STATUS_IDS.get(status.lower())
    return f"{known or OWN_IDS + zlib.crc32(status.lower().encode()) % 1_000_000}"


def position_text(car: Car) -> str:
    """The place, or the letter of why there is none."""
    if car["status"] == "out":
        return "W" if car["out"] == RETIRED else "R"
    return LETTER_OF.get(car["status"]) or f"{car['place']}"


def _fastest_lap(car: Car, rank: int) -> Doc:
    best = car["best_lap"]
    laps = [lap for lap in car["lap_times"] if lap["rolls"] == best]
    number = {"lap": f"{laps[0]['number']}"} if laps else {}
    time = {} if best is None else {"Time": {"time": format_time(best)}}
    return {"rank": f"{rank}", **number, **time}


def qualifying(race: Race) -> list[Doc]:
    """`QualifyingResults`: the grid, and the time trial as Q1."""
    grid = [car for car in race["cars"] if car["grid"] is not None]
    return [
        {
            "number": f"{one['seat']}",
            "position": f"{one['grid']}",
            **_who(one),
            **({"Q1": format_time(one["time"])} if "trial" in one else {}),
        }
        for one in sorted(grid, key=lambda one: (one["grid"], one["seat"]))
    ]


def lap_rows(race: Race) -> list[Timed]:
    """The times of all cars, lap by lap."""
    laps = [(car, lap) for car in race["cars"] for lap in car["lap_times"]]
    laps.sort(key=lambda row: (row[1]["number"], row[1]["position"]))
    return [
        Timed(
            car["seat"],
            f"{lap['number']}",
            {
                "driverId": car["id"],
                "position": f"{lap['position']}",
                "time": format_time(lap["rolls"]),
            },
        )
        for car, lap in laps
    ]


def as_laps(rows: Iterable[Timed]) -> list[Doc]:
    """`Laps`, a time a car."""
    return [
        {"number": number, "Timings": [one.told for one in own]}
        for number, own in groupby(rows, key=lambda one: one.number)
    ]


def stop_rows(race: Race) -> list[Timed]:
    """The pit stops; the time of day is left out, for nobody knows it."""
    stops = [(car, stop) for car in race["cars"] for stop in car["stops"]]
    stops.sort(key=lambda row: (row[1]["lap"] or 0, row[0]["seat"]))
    return [
        Timed(
            car["seat"],
            f"{stop['stop']}",
            {
                "driverId": car["id"],
                "lap": f"{stop['lap'] or 0}",
                "stop": f"{stop['stop']}",
                "duration": f"{stop['turns']}.000",
            },
        )
        for car, stop in stops
    ]


def as_stops(rows: Iterable[Timed]) -> list[Doc]:
    """`PitStops`."""
    return [one.told for one in rows]


def driver_standings(found: Doc) -> list[Doc]:
    """`DriverStandings` of a season."""
    return [
        {
            **_standing(line),
            "Driver": driver(line["id"], line["name"]),
            "Constructors": [constructor(line["team"])] if line["team"] else [],
        }
        for line in found["drivers"]
    ]


def constructor_standings(found: Doc) -> list[Doc]:
    """`ConstructorStandings` of a season; none where nobody has a team."""
    return [
        {**_standing(line), "Constructor": constructor(line["team"])} for line in found["teams"]
    ]


STANDINGS: Mapping[str, Callable[[Doc], list[Doc]]] = {
    "DriverStandings": driver_standings,
    "ConstructorStandings": constructor_standings,
}


def _standing(line: Doc) -> Doc:
    place = f"{line['place']}"
    totals = {"points": f"{line['points']}", "wins": f"{line['wins']}"}
    return {"position": place, "positionText": place, **totals}


def _who(car: Car) -> Doc:
    person: Doc = {"Driver": driver(car["id"], car["name"])}
    return {**person, "Constructor": constructor(car["team"])} if car["team"] else person


# -- ergast read ----------------------------------------------------------------------------------


Data = dict[str, object]
Line = Mapping[str, object]
BY_HAND = uuid.UUID("6f1c1d3e-0a53-4c1f-9e55-2f6a3f0a7b10")
"""Of the ids of races that came without one: the same for the same race."""
LONGEST_NAME = 40
MOST_LAPS = 100

OUT = ("R", "W", "F")
DISQUALIFIED = ("D", "E")
LETTERS = {"N": "not-classified"}
STATUSES = {"Running": "running", "Did not start": "not-started"}
NO_REASON = ("Retired", "Withdrew")
SHAPE = "MRData.RaceTable.Races, each with Results, as api.jolpi.ca writes it"


def read(content: bytes) -> list[Data]:
    """The acts of a document.

    Raises:
        ValueError: it is no such document.
    """
    try:
        data = _together(json.loads(content))
        races = [_object(one) for one in _list(_object(data["RaceTable"])["Races"])]
        races = [race for race in races if race.get("Results")]
        season = _object(data.get("companion") or {})
        acts = [act for race in races for act in _ergast_read_race(race, season)]
        if not races:
            raise Unread(f"there are no results in it; read is {SHAPE}")
        seasons = [_season(season)] if season else _years(races)
        return [*seasons, *acts, *_season_penalties(season)]
    except Unread:
        raise
    except RecursionError as error:
        raise Unread("this is nested too deep") from error
    except (KeyError, TypeError, AttributeError) as error:
        raise Unread(f"this is not {SHAPE}: {error!r:.80}") from error
    except ValueError as error:
        raise Unread(f"this is no such JSON: {error}") from error


class Unread(ValueError):
    """Why a document is not read, in a sentence."""


def _together(told: object) -> Line:
    """One document of several pages of one; of a list of documents.

    Raises:
        Unread: pages of it are missing; those that are there are told.
    """
    pages = [
        _object(_object(one)["MRData"]) for one in (told if isinstance(told, list) else [told])
    ]
    if not pages:
        raise Unread(f"there is no document in it; read is {SHAPE}")
    spans = sorted(filter(None, map(_span, pages)))
    reached = 0
    for first, last, total in spans:
        if first > reached or total != spans[0][2]:
            break
        reached = max(reached, last)
    if spans and reached < spans[0][2]:
        there = ", ".join(f"{first + 1} to {last}" for first, last, _ in spans)
        raise Unread(
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
    name = _text(race["raceName"])[:LONGEST_NAME]
    date = f"{race['date']}T{race['time']}" if race.get("time") else _text(race["date"])
    made = uuid.uuid5(BY_HAND, f"{race['season']} {race['round']} {date} {name}")
    act: Data = {
        "act": "race",
        "race": ours.get("id") or str(made),
        "date": date.removesuffix("Z") if ours else date,  # the Z of our own is Ergast's shape
        "game": ours.get("game", GAME),
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
    points = float(_text(result["points"]))
    return int(points) if points.is_integer() else round(points, 4)


def _whole(text: object, what: str) -> int:
    if not isinstance(text, str) or not text.isdecimal():
        raise Unread(f"{what} is a whole number in quotes, not {text!r:.40}")
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

    def fits(self, row: Row) -> bool:
        """Whether a car is asked for."""
        if self.of == "races" and row.sprint == "beside":
            return False
        if (self.of == "sprints" and not row.sprint) or (self.by_grid and not row.grid):
            return False
        return all(getattr(row, name) == value for name, value in self.values)


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


def standings_asked(found: Doc, asked: Asked) -> list[Doc]:
    """The lines of a season's standings that are asked for."""
    rows = STANDINGS[STANDINGS_OF[asked.what]](found)
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


class Row(NamedTuple):
    """A car of a round. `sprint`: none, one in the round of another race, or a race of a stage that
    is a sprint."""

    at: str
    race: str
    seat: int
    season: str
    driver: str
    driver_id: str
    hidden: bool
    team: str | None
    board: str
    status: str
    place: int
    grid: int
    fastest: int | None
    sprint: Literal["", "beside", "stage"]

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


def rows_of(season: Season) -> list[Row]:
    """The cars of the rounds of a season."""
    return [row for race in season["races"] for row in _rows_in(season, race)]


def _rows_in(season: Season, race: Race) -> Iterator[Row]:
    ranks, board = ranks_of(race), board_of(race)
    is_stage = season["stage"] == "sprint"
    for car in race["cars"]:
        yield Row(
            at=f"{race['date']} {race['race']}",
            race=race["race"],
            seat=car["seat"],
            season=season["season"],
            driver=car["driver"],
            driver_id=car["id"],
            hidden=car["hidden"],
            team=car["team"],
            board=board,
            status=status_of(car),
            place=car["place"],
            grid=car["grid"] or 0,
            fastest=ranks.get(car["seat"]),
            sprint="beside" if race["sprint"] else "stage" if is_stage else "",
        )


def pick(league: League, picked: Picked) -> list[Row]:
    """The cars of all seasons that are picked, oldest race first, by place; of who is hidden none
    where a driver is picked."""

    def make() -> list[Row]:
        is_by_driver = "driver_id" in dict(picked.values)
        every = league.each("cars", rows_of)
        found = [row for row in every if picked.fits(row) and not (is_by_driver and row.hidden)]
        return sorted(found, key=attrgetter("at", "grid" if picked.by_grid else "place", "seat"))

    rows: list[Row] = league.kept(f"cars {picked}", make)
    return rows


def group(league: League, picked: Picked, of: str) -> list[Group]:
    """What the picked cars of all seasons have as `driver`, `team`, `board`, `status`, `season` or
    `race`, each once, and how many cars; of hidden drivers nothing."""

    def make() -> list[Group]:
        rows = pick(league, picked)
        return grouped((row for row in rows if not (of == "driver" and row.hidden)), of)

    groups: list[Group] = league.kept(f"groups {of} {picked}", make)
    return groups


def grouped(rows: Iterable[Row], of: str) -> list[Group]:
    """Likewise of some cars."""
    by = attrgetter("at" if of == "race" else f"{of}_id" if hasattr(Row, f"{of}_id") else of, of)
    counted = Counter(by(row) for row in rows if getattr(row, of) is not None)
    return [(value, count) for (_, value), count in sorted(counted.items())]


# -- api ------------------------------------------------------------------------------------------


RowT = TypeVar("RowT")
ROWS_A_PAGE = 30
MOST_ROWS = 1000
MOST_OF_ALL = 100
"""Rows at once of all seasons, as Jolpica has it."""
MOST_SEASONS = 10
"""Of standings so many seasons at once: each is worked out."""
OF_CARS: Mapping[str, tuple[str, Callable[[Race], list[Doc]]]] = {
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
Rounds = Sequence[tuple[Race, str | None]]
"""Races, each with the year of its season."""


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

    def cars(self, asked: Asked, about: Doc, found: Sequence[Row], rounds: Rounds) -> Doc:
        """Races with the rows of cars: those of this page."""
        seats = {(row.race, f"{row.seat}") for row in self.cut(found)}
        name, tell = OF_CARS[asked.what]
        races = []
        for race, year in rounds:
            own = [row for row in tell(race) if (race["race"], row["number"]) in seats]
            races += [{**race_head(year, race), name: own}] if own else []
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
        return [driver(ascii_person(key), called.get(key, key)) for key, _ in rows]
    if of == "status":
        return [
            {"statusId": status_id(status), "count": f"{count}", "status": status}
            for status, count in rows
        ]
    tell = constructor if of == "team" else circuit
    return [tell(title) for title, _ in rows]


def answer(
    league: League,
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
    key = _season_called(league, words[0])
    if key is None:
        asked = read_words(words) if words[0] in WORDS else None
        page = Page(limit, offset, MOST_ROWS if words == ["seasons"] else MOST_OF_ALL)
        return None if asked is None else _of_all(league, asked, page)
    season = league.season(key)
    number, rest = _round(season, words[1:])
    asked = read_words(rest)
    return None if asked is None else _of_one(league, season, number, asked, Page(limit, offset))


def _season_called(league: League, name: str) -> str | None:
    """The key of the season that an address names, the newest of those that it may mean."""
    seasons = league.seasons()
    if name == "current":
        seasons = sorted(seasons, key=lambda one: not one["open"])[:1]  # else the newest: stable
    else:
        by = "season" if any(one["season"] == name for one in seasons) else "year"
        seasons = [one for one in seasons if one[by] == name]
    return seasons[0]["season"] if seasons else None


# -- of one season --------------------------------------------------------------------------


def _of_one(
    league: League, season: Season, number: int | None, asked: Asked, page: Page
) -> Doc | None:
    """What is asked of a season, or of a round of it."""
    what, planned, year = asked.what, _planned(season, asked), season["year"]
    numbers = {race["round"] or 0 for race in season["races"]}
    if what == "races" and not asked.is_of_cars:
        numbers |= {one["round"] for one in planned}
    if number is not None and number not in numbers:
        return None
    about: Doc = {"season": year or NO_YEAR}
    if what in STANDINGS_OF:
        return _standings(league, season["season"], number, asked, about, page)
    about |= {} if number is None else {"round": f"{number}"}
    races = [race for race in season["races"] if number in (None, race["round"])]
    picked = asked.picked()
    every = rows_of({**season, "races": races}) if picked else []
    cars = [row for row in every if picked and picked.fits(row)]
    held = {row.race for row in cars}
    rounds = [(race, year) for race in races if race["race"] in held]
    if what in TIMES:
        return _times(rounds, cars, asked, about, page)
    if what in OF_CARS:
        by = {race["race"]: n for n, race in enumerate(races)}
        place = attrgetter("grid" if what == "qualifying" else "place", "seat")
        cars.sort(key=lambda row: (by[row.race], place(row)))
        return page.cars(asked, about, cars, rounds)
    if what == "races":
        sprints = {race["round"]: race for race in races if race["sprint"]}
        heads = [_in_calendar(year, race, sprints.get(race["round"])) for race, _ in rounds]
        told = [one for one in planned if number in (None, one["round"]) and not asked.is_of_cars]
        heads += [planned_head(year, one) for one in told]
        return page.whole("RaceTable", about, "Races", heads)
    if what == "seasons":
        return page.whole(
            "SeasonTable", about, "Seasons", [{"season": about["season"]}] if held else []
        )
    rows = grouped(cars, GROUPS[what][0])
    rows = sorted(rows) if what in ("circuits", "status") else rows  # by their names, not their ids
    return page.groups(asked, about, rows, league.names)


def _round(season: Season, words: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    """The round that an address names, and what is behind it."""
    if words and words[0] == "next":
        return next((one["round"] for one in _planned(season, Asked())), 0), words[1:]
    if words and words[0] == "last":
        return _last(season), words[1:]
    if words and words[0].isdecimal():
        return int(words[0]), words[1:]
    return None, words


def _last(season: Season) -> int:
    return max((race["round"] or 0 for race in season["races"]), default=0)


def _planned(season: Season, asked: Asked) -> list[Doc]:
    """The rounds of the calendar that are to be driven yet, on the board that is asked for."""
    last, board = _last(season), asked.values.get("circuits")
    return [
        one
        for one in season["calendar"]
        if one["round"] > last
        and not one["cancelled"]
        and board in (None, circuit(one["board"] or NO_BOARD)["circuitId"])
    ]


def _in_calendar(year: str | None, race: Race, sprint: Race | None) -> Doc:
    """A race of a season, with the sprint of its round."""
    told = {} if sprint is None else {"Sprint": moment(sprint["date"])}
    return {**race_head(year, race), **told}


def _standings(
    league: League, key: str, number: int | None, asked: Asked, about: Doc, page: Page
) -> Doc:
    """The standings after a round, or the last one."""
    found = league.standings(key, number)
    rows = standings_asked(found, asked)
    about = {**about, "round": f"{found['round']}"}
    lists = [{**about, STANDINGS_OF[asked.what]: page.cut(rows)}] if found["drivers"] else []
    return page.document("StandingsTable", about, "StandingsLists", lists, len(rows))


def _times(rounds: Rounds, cars: Iterable[Row], asked: Asked, about: Doc, page: Page) -> Doc:
    """Laps or stops, race by race; a page ends wherever it is full."""
    seats = {(row.race, row.seat) for row in cars}
    (name, rows, join), own = TIMES[asked.what], asked.values.get(asked.what)
    every = [
        (race, row)
        for race, _ in rounds
        for row in rows(race)
        if (race["race"], row.seat) in seats and own in (None, row.number)
    ]
    cut, races = page.cut(every), []
    for race, year in rounds:
        told = [row for other, row in cut if other is race]
        races += [{**race_head(year, race), name: join(told)}] if told else []
    return page.document("RaceTable", about, "Races", races, len(every))


# -- of all seasons -------------------------------------------------------------------------


def _of_all(league: League, asked: Asked, page: Page) -> Doc | None:
    """What is asked of all seasons; None where Ergast, too, wants one."""
    what, picked = asked.what, asked.picked()

    def groups(of: str) -> list[Group]:
        return [] if picked is None else group(league, picked, of)

    years = {one["season"]: one["year"] for one in league.seasons() if one["year"]}
    if what in STANDINGS_OF:
        held = sorted((years[key], key) for key, _ in groups("season") if key in years)
        return _all_standings(league, held, asked, page)
    if what == "seasons":
        is_every = picked is not None and not picked.values
        every = years if is_every else [key for key, _ in groups("season") if key in years]
        told: list[Doc] = [{"season": year} for year in sorted({years[key] for key in every})]
        return page.whole("SeasonTable", {}, "Seasons", told)
    if what == "races":
        races = [race for race, _ in groups("race")]
        heads = [race_head(year, race) for race, year in _rounds(league, page.cut(races), years)]
        return page.document("RaceTable", {}, "Races", heads, len(races))
    if what in OF_CARS:
        cars = [] if picked is None else pick(league, picked)
        shown = {row.race for row in page.cut(cars)}
        return page.cars(asked, {}, cars, _rounds(league, shown, years))
    if what in GROUPS:
        return page.groups(asked, {}, groups(GROUPS[what][0]), league.names)
    return None


def _rounds(league: League, keys: Iterable[str], years: Mapping[str, str]) -> Rounds:
    """These races with their years, oldest first."""
    return [(race, years.get(race["season"])) for race in league.races({*keys}) if race["season"]]


def _all_standings(
    league: League, held: Sequence[tuple[str, str]], asked: Asked, page: Page
) -> Doc:
    """A list a season, the oldest first: seasons are counted here, not lines."""
    page = Page(page.limit, page.offset, MOST_SEASONS)
    lists: list[Doc] = []
    for year, key in page.cut(held):
        found = league.standings(key)
        rows = standings_asked(found, asked)
        head = {"season": year, "round": f"{found['round']}"}
        lists += [{**head, STANDINGS_OF[asked.what]: rows}] if rows else []
    return page.document("StandingsTable", {}, "StandingsLists", lists, len(held))
