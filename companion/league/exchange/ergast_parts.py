"""The pieces of Ergast-shaped JSON (as api.jolpi.ca serves it), made of a sheet.

All values are texts, as there. Rulings: a time is of dice, not of the clock, which would measure
the talk: one second is a roll of a gear die (`time` of laps, `FastestLap`) or a turn in the pits
(`duration` of stops); only `Q1`, the time trial (FD-TRIAL-2), is in real seconds. `season` is the
year of its first race, for programs want a number. `positionText` is the place, R for out, W for
a car that was taken out of the race, D for disqualified.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby

from companion.league.exchange.sheet import Sheet, grid_of, laps_completed, laps_of, stops_of
from companion.league.names import ascii_of, ascii_person, key_of
from companion.league.plain import Entry, Race
from companion.league.scores import EARNERS, Score
from companion.league.standings import Standing, standings, team_standings

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


def sprints_among(races: Iterable[Race]) -> set[str]:
    """The ids of the sprints of a season: races with points of their own, in a round that has a
    race with those of the season, too."""
    some = list(races)
    rounds = {race.round for race in some if race.scoring is None}
    return {race.id for race in some if race.scoring is not None and race.round in rounds}


def race_head(sheet: Sheet, race: Race) -> Doc:
    """What every table says of a race."""
    return {
        "season": year_of(sheet),
        "round": f"{race.round or 1}",
        "raceName": race.name,
        "Circuit": circuit(board_of(race)),
        **moment(race),
    }


def moment(race: Race) -> Doc:
    """When a race began."""
    date, _, time = race.date.replace(" ", "T").partition("T")
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
