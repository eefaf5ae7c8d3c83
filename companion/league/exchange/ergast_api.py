"""The read-only API of Ergast and Jolpica over a league: an address comes to a document.

    seasons · S · S/races · S/results · S/qualifying · S/laps · S/pitstops · S/drivers
    S/constructors · S/circuits · S/status · S/sprint · S/driverstandings · S/constructorstandings

and all but laps and pit stops without S, over all seasons.

S is the key of a season, its year (the newest one then) or `current`; behind it may stand a
round or `last`: of the standings, those after that round. Between it and what is asked for may
stand filters. `.json` may end an address.

The addresses of Ergast that name no season: `drivers`, `results`, `drivers/ana/races` …

What they pick is looked up among the cars of all rounds, which are kept season by season as long as
these stand; only the races of the page that is asked for are told.

What an address of Ergast picks out: `drivers/ana/results`, `grid/1/drivers`, `results/1`; pure.

Behind season and round stand names, each with a value or without; the last name is what is asked
for. Values pick cars of a race: a row of its results has to fit them all at once.

A page of what an address of Ergast asks for: so many rows behind so many.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from operator import attrgetter
from typing import Literal, NamedTuple, TypeVar

from companion.league.errors import ascii_of, ascii_person
from companion.league.exchange import ergast as parts
from companion.league.exchange.ergast import Doc, Timing
from companion.league.exchange.registry import Sheet, names_of
from companion.league.plain import Planned, Race, Season
from companion.league.results import classify
from companion.league.standings import rounds_of
from companion.league.view import View
from companion.system.frozen import dataclass

# -- ergast filters -------------------------------------------------------------------------------


def _inside(row: Doc, name: str, key: str) -> str:
    inner = row.get(name)
    return str(inner.get(key, "")).lower() if isinstance(inner, dict) else ""


READ_OF_CARS: Mapping[str, Callable[[Doc], str]] = {
    "drivers": lambda row: _inside(row, "Driver", "driverId"),
    "constructors": lambda row: _inside(row, "Constructor", "constructorId"),
    "grid": lambda row: str(row["grid"]),
    "results": lambda row: str(row["position"]),
    "fastest": lambda row: _inside(row, "FastestLap", "rank"),
    "status": lambda row: parts.status_id(str(row["status"])),
}
"""By the name of a filter, what of a row of `Results` it is compared with."""
OF_ROWS: Mapping[str, str] = {
    "laps": "number",
    "pitstops": "stop",
    "qualifying": "position",
    "driverstandings": "position",
    "constructorstandings": "position",
}
"""Of what is asked for, the key of its rows that a value behind it picks."""
AS_IDS: Mapping[str, Callable[[str], str]] = {
    "drivers": ascii_person,
    "constructors": ascii_of,
    "circuits": ascii_of,
    "status": lambda value: value if value.isdecimal() else parts.status_id(value),
}
"""By the name of a filter, the id that a value means: ids are ASCII, keys and words are not."""
NAMES = {*READ_OF_CARS, *OF_ROWS, "circuits", "races", "seasons", "sprint"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is asked for, and by which values it is picked, by the names of the filters."""

    what: str = "races"
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def own(self) -> str | None:
        """The value that picks rows of what is asked for."""
        return self.values.get(self.what) if self.what in OF_ROWS else None

    @property
    def picks_cars(self) -> bool:
        """Whether some cars are asked for, not all."""
        return any(name in self.values for name in READ_OF_CARS)

    def takes(self, race: Race) -> bool:
        """Whether a race is on the board that is asked for."""
        board = parts.circuit(parts.board_of(race))["circuitId"]
        return self.values.get("circuits", board) == board

    def cars(self, sheet: Sheet, race: Race) -> list[Doc]:
        """The rows of a race's results that fit."""
        own = {name: self.values[name] for name in READ_OF_CARS if name in self.values}
        rows = parts.results(sheet, race)
        return [
            row for row in rows if all(READ_OF_CARS[n](row) == value for n, value in own.items())
        ]


STANDINGS = {name.lower(): name for name in parts.STANDINGS}


def pick_standings(sheet: Sheet, asked: Asked) -> list[Doc]:
    """The lines of a season's standings that are asked for."""
    rows = parts.STANDINGS[STANDINGS[asked.what]](sheet) if sheet.races else []
    if "drivers" in asked.values:
        rows = [row for row in rows if READ_OF_CARS["drivers"](row) == asked.values["drivers"]]
    if "constructors" in asked.values:
        rows = [row for row in rows if asked.values["constructors"] in _teams_of(row)]
    if asked.own is not None:
        rows = [row for row in rows if row["position"] == asked.own]
    return rows


def _teams_of(row: Doc) -> set[str]:
    """The ids of the teams in a line of the standings, of a team or of a driver."""
    held = row.get("Constructors")
    teams = held if isinstance(held, list) else [row.get("Constructor")]
    return {str(team["constructorId"]) for team in teams if isinstance(team, dict)}


def read(words: Sequence[str]) -> Asked | None:
    """What the words of an address ask for; None where one of them is nothing."""
    if not words:
        return Asked()
    values: dict[str, str] = {}
    names: list[str] = []
    rest = list(words)
    while rest:
        name = rest.pop(0)
        if name not in NAMES:
            return None
        names.append(name)
        if rest and rest[0] not in NAMES:
            values[name] = AS_IDS.get(name, str)(rest.pop(0))
    is_ended = all(name in values for name in names[:-1]) and names[-1] not in ("grid", "fastest")
    return Asked(names[-1], values) if is_ended else None


# -- ergast page ----------------------------------------------------------------------------------


RowT = TypeVar("RowT")
Rows = Callable[[Sheet, Race], list[Timing]]
Join = Callable[[Sequence[Timing]], list[Doc]]
ROWS_A_PAGE = 30
MOST_ROWS = 1000


class Page:
    """The rows that were asked for, out of all."""

    def __init__(self, limit: int, offset: int) -> None:
        self.limit = min(max(limit, 0), MOST_ROWS)
        self.offset = max(offset, 0)

    def at_most(self, rows: int) -> Page:
        """The same with no more rows than these."""
        return Page(min(self.limit, rows), self.offset)

    def head(self, total: int) -> Doc:
        """What every document begins with."""
        numbers = {"limit": self.limit, "offset": self.offset, "total": total}
        return {"series": "f1", **{key: f"{value}" for key, value in numbers.items()}}

    def cut(self, rows: Sequence[RowT]) -> list[RowT]:
        """The rows of this page."""
        return list(rows[self.offset : self.offset + self.limit])

    def document(self, table: str, about: Doc, name: str, rows: Sequence[Doc]) -> Doc:
        """A document with one list."""
        return {**self.head(len(rows)), table: {**about, name: self.cut(rows)}}

    def races(
        self,
        sheet: Sheet,
        about: Doc,
        name: str,
        rows: Rows,
        join: Join,
        *,
        fits: Callable[[Race, Timing], bool],
    ) -> Doc:
        """Races with what is asked of them; a page ends wherever it is full."""
        told = ((race, row) for race in sheet.races for row in rows(sheet, race))
        every = [(race, row) for race, row in told if fits(race, row)]
        cut = self.cut(every)
        races = []
        for race in sheet.races:
            own = [row for other, row in cut if other is race]
            if own:
                races.append({**parts.race_head(sheet, race), name: join(own)})
        return {**self.head(len(every)), "RaceTable": {**about, "Races": races}}

    def cut_already(self, table: str, about: Doc, name: str, rows: Sequence[Doc], of: int) -> Doc:
        """A document with one list, of which only this page was read; `of` how many."""
        return {**self.head(of), table: {**about, name: list(rows)}}


# -- ergast api -----------------------------------------------------------------------------------


Listed = Callable[[Sheet, Asked], Iterator[Doc]]


def _single(rows: Callable[[Sheet, Race], list[Doc]]) -> Rows:
    """Rows that stand alone; of laps the times of the cars are counted singly."""
    return lambda sheet, race: [("", row) for row in rows(sheet, race)]


def _as_they_are(rows: Sequence[Timing]) -> list[Doc]:
    return [row for _, row in rows]


OF_RACES: Mapping[str, tuple[str, Rows, Join]] = {
    "results": ("Results", _single(parts.results), _as_they_are),
    "qualifying": ("QualifyingResults", _single(parts.qualifying), _as_they_are),
    "laps": ("Laps", parts.lap_timings, parts.as_laps),
    "sprint": ("SprintResults", _single(parts.results), _as_they_are),
    "pitstops": ("PitStops", _single(parts.pit_stops), _as_they_are),
}
"""The name in a race, its rows, and how the rows of a page are put together."""


def answer(
    queries: View,
    address: str,
    *,
    limit: int = ROWS_A_PAGE,
    offset: int = 0,
) -> Doc | None:
    """The document at an address below `/ergast/f1/`; None: there is none.

    Args:
        limit: rows at most, 0 to `MOST_ROWS`, across seasons `ergast_all.MOST`; a lap of all its
            cars is as many rows.
        offset: rows left out before.
    """
    words = address.removesuffix("/").removesuffix(".json").removesuffix("/").lower().split("/")
    page = Page(limit, offset)
    if words == ["seasons"]:
        return page.document("SeasonTable", {}, "Seasons", _years(queries))
    sheet = _sheet(queries, words[0])
    if sheet is not None:
        return _answer_season(sheet, words[1:], page)
    asked = read(words) if words[0] in NAMES else None
    return None if asked is None else AllSeasons(queries, asked).answer(page)


def _answer_season(sheet: Sheet, words: Sequence[str], page: Page) -> Doc | None:
    number, rest = _round(sheet, words)
    asked, numbers = read(rest), _numbers(sheet)
    if asked is not None and asked.what == "races" and not asked.picks_cars:
        numbers |= {one.round for one in _planned(sheet, asked)}
    if asked is None or (number is not None and number not in numbers):
        return None
    about: Doc = {"season": parts.year_of(sheet)}
    if number is not None:
        about["round"] = f"{number}"
    if asked.what in STANDINGS:
        return _standings(_until(sheet, number), asked, about, page)
    whole, sheet = sheet, _only(sheet, number)
    sprints = {race.round: race for race in sheet.races if race.is_sprint}
    sheet = replace(sheet, races=_races_of(sheet, asked))
    if asked.what in OF_RACES:
        return page.races(sheet, about, *OF_RACES[asked.what], fits=_fits(asked, sheet))
    if asked.picks_cars:
        held = tuple(race for race in sheet.races if asked.cars(sheet, race))
        sheet = replace(sheet, races=held)
    if asked.what == "races":
        heads = [_in_calendar(sheet, race, sprints.get(race.round)) for race in sheet.races]
        if not asked.picks_cars:
            told = (one for one in _planned(whole, asked) if number in (None, one.round))
            heads += [parts.planned_head(sheet, one) for one in told]
        return page.document("RaceTable", about, "Races", heads)
    if asked.what in LISTS:
        table, name, listed = LISTS[asked.what]
        return page.document(table, about, name, list(listed(sheet, asked)))
    return None


def _races_of(sheet: Sheet, asked: Asked) -> tuple[Race, ...]:
    """The races on the board that is asked for: sprints, all but those, or whichever."""
    every = sheet.races
    is_of_sprints = sheet.season is not None and sheet.season.kind == "sprint"
    if asked.what in (*OF_RACES, "races") and not (asked.what == "sprint" and is_of_sprints):
        every = tuple(race for race in every if race.is_sprint == (asked.what == "sprint"))
    return tuple(race for race in every if asked.takes(race))


def _in_calendar(sheet: Sheet, race: Race, sprint: Race | None) -> Doc:
    """A race of a season, with the sprint of its round."""
    told = {} if sprint is None else {"Sprint": parts.moment(sprint.date)}
    return {**parts.race_head(sheet, race), **told}


def _fits(asked: Asked, sheet: Sheet) -> Callable[[Race, Timing], bool]:
    """Whether a row of a race is one of those that are asked for."""
    known: dict[str, set[str]] = {}

    def fits(race: Race, timing: Timing) -> bool:
        number, row = timing
        if race.id not in known:
            cars = asked.cars(sheet, race)
            known[race.id] = {READ_OF_CARS["drivers"](car) for car in cars}
        driver = str(row.get("driverId") or READ_OF_CARS["drivers"](row))
        own = number or str(row.get(OF_ROWS.get(asked.what, ""), ""))
        return driver in known[race.id] and asked.own in (None, own)

    return fits


def _sheet(queries: View, name: str) -> Sheet | None:
    """The season that an address names, the newest of those that it may mean."""
    if name == "current":
        season = queries.current()
        return None if season is None else of_season(queries, season)
    found = queries.seasons(name)
    if not found:
        key = next((key for key, year in queries.years().items() if year == name), None)
        found = [] if key is None else queries.seasons(key)
    return of_season(queries, found[0]) if found else None


def _years(queries: View) -> list[Doc]:
    return [{"season": year} for year in sorted(set(queries.years().values()))]


def _round(sheet: Sheet, words: Sequence[str]) -> tuple[int | None, Sequence[str]]:
    """The round that an address names, and what is behind it."""
    if words and words[0] == "next":
        return next((one.round for one in _planned(sheet, Asked())), 0), words[1:]
    if words and words[0] == "last":
        return max(_numbers(sheet), default=0), words[1:]
    if words and words[0].isdecimal():
        return int(words[0]), words[1:]
    return None, words


def _planned(sheet: Sheet, asked: Asked) -> list[Planned]:
    """The rounds of the calendar that are to be driven yet, on the board that is asked for."""
    last = max(_numbers(sheet), default=0)
    calendar = sheet.of_season.calendar if sheet.season else ()
    ours = (one for one in calendar if one.round > last and not one.cancelled)
    boards = {
        one.round: parts.circuit(one.board or parts.NO_BOARD)["circuitId"] for one in calendar
    }
    board = asked.values.get("circuits")
    return [one for one in ours if board in (None, boards[one.round])]


def _numbers(sheet: Sheet) -> set[int]:
    return {race.round or 0 for race in sheet.races}


def _only(sheet: Sheet, number: int | None) -> Sheet:
    races = (race for race in sheet.races if number in (None, race.round))
    return replace(sheet, races=tuple(races))


def _until(sheet: Sheet, number: int | None) -> Sheet:
    races = (race for race in sheet.races if number is None or (race.round or 0) <= number)
    return replace(sheet, races=tuple(races))


def _standings(sheet: Sheet, asked: Asked, about: Doc, page: Page) -> Doc:
    name = STANDINGS[asked.what]
    rows = pick_standings(sheet, asked)
    head = parts.standings_head(sheet)
    lists = [{**head, name: page.cut(rows)}] if sheet.races else []
    table = {**about, "round": head["round"], "StandingsLists": lists}
    return page.head(len(rows)) | {"StandingsTable": table}


def _parts_of(name: str, key: str) -> Listed:
    """What the cars that are asked for have under a name, each once, by its id."""

    def listed(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
        cars = [car for race in sheet.races for car in asked.cars(sheet, race)]
        found = {str(part[key]): part for car in cars if isinstance(part := car.get(name), dict)}
        return (found[one] for one in sorted(found))

    return listed


def _boards(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
    return (parts.circuit(one) for one in sorted(set(map(parts.board_of, sheet.races))))


def _fates(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
    rows = (str(car["status"]) for race in sheet.races for car in asked.cars(sheet, race))
    counted = sorted(Counter(rows).items())
    return (
        {"statusId": parts.status_id(one), "count": f"{n}", "status": one} for one, n in counted
    )


def _years_of(sheet: Sheet, asked: Asked) -> Iterator[Doc]:
    if sheet.races:
        yield {"season": parts.year_of(sheet)}


LISTS: Mapping[str, tuple[str, str, Listed]] = {
    "drivers": ("DriverTable", "Drivers", _parts_of("Driver", "driverId")),
    "constructors": ("ConstructorTable", "Constructors", _parts_of("Constructor", "constructorId")),
    "circuits": ("CircuitTable", "Circuits", _boards),
    "status": ("StatusTable", "Status", _fates),
    "seasons": ("SeasonTable", "Seasons", _years_of),
}
"""The name of the table, of its list, and the rows."""


# -- cars -----------------------------------------------------------------------------------------


Sprints = Literal["", "beside", "stage"]


class Car(NamedTuple):
    """A car of a round. `sprint`: none, one in the round of another race, or a race of a stage that
    is a sprint."""

    at: str
    race: str
    seat: int
    season: str
    driver: str
    driver_id: str
    team: str | None
    team_id: str | None
    board: str
    board_id: str
    status: str
    status_id: str
    place: int
    grid: int
    fastest: int | None
    sprint: Sprints


@dataclass(frozen=True, slots=True)
class Picked:
    """Which cars of all seasons are asked for.

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


def cars_of(season: Season, races: Sequence[Race]) -> list[Car]:
    """The cars of the rounds of a season."""
    counted = [race for race in races if race.counts]
    return [car for race in counted for car in _cars_in(season, race)]


def _cars_in(season: Season, race: Race) -> Iterator[Car]:
    entries, board = classify(race), parts.board_of(race)
    ranks = parts.ranks_of(entries)
    for entry in entries:
        team = season.team_of(entry.driver, race.round or 0, entry.team)
        status = parts.status_of(entry)
        yield Car(
            at=f"{race.date} {race.id}",
            race=race.id,
            seat=entry.seat,
            season=season.key,
            driver=entry.driver,
            driver_id=ascii_person(entry.driver),
            team=team,
            team_id=f"{parts.constructor(team)['constructorId']}" if team else None,
            board=board,
            board_id=f"{parts.circuit(board)['circuitId']}",
            status=status,
            status_id=parts.status_id(status),
            place=entry.place,
            grid=entry.grid or 0,
            fastest=ranks.get(entry.seat),
            sprint="beside" if race.is_sprint else "stage" if season.kind == "sprint" else "",
        )


def pick(view: View, picked: Picked) -> list[Car]:
    """The cars that are picked, oldest race first, by place; kept as long as the league stands."""
    return view.remembered(("cars", picked), lambda: _pick(view, picked))


def _pick(view: View, picked: Picked) -> list[Car]:
    hidden = view.hidden() if "driver_id" in dict(picked.values) else frozenset()
    every = view.over_seasons("cars", cars_of)
    found = [car for car in every if picked.fits(car) and car.driver not in hidden]
    by = attrgetter("at", "grid" if picked.by_grid else "place", "seat")
    return sorted(found, key=by)


def group(view: View, picked: Picked, of: str) -> list[tuple[str, int]]:
    """What these cars have as `driver`, `team`, `board`, `status`, `season` or `race`, each once,
    and how many cars."""
    return view.remembered(("groups", picked, of), lambda: _group(view, picked, of))


def _group(view: View, picked: Picked, of: str) -> list[tuple[str, int]]:
    hidden = view.hidden() if of == "driver" else frozenset()
    by = attrgetter("at" if of == "race" else f"{of}_id" if f"{of}_id" in Car._fields else of, of)
    found = (car for car in pick(view, picked) if getattr(car, of) is not None)
    counted = Counter(by(car) for car in found if car.driver not in hidden)
    return [(value, count) for (_, value), count in sorted(counted.items())]


# -- ergast all -----------------------------------------------------------------------------------


Groups = tuple[list[tuple[str, int]], int]
MOST = 100
"""Rows at once, as Jolpica has it."""
MOST_SEASONS = 10
"""Of standings so many seasons at once: each is worked out."""
COLUMNS: Mapping[str, str] = {
    "drivers": "driver_id",
    "constructors": "team_id",
    "circuits": "board_id",
    "status": "status_id",
    "grid": "grid",
    "results": "place",
    "fastest": "fastest",
    "qualifying": "grid",
}
"""By the name of a filter, what of a kept car it is compared with."""
OF_CARS: Mapping[str, tuple[str, Callable[[Sheet, Race], list[Doc]]]] = {
    "results": ("Results", parts.results),
    "qualifying": ("QualifyingResults", parts.qualifying),
    "sprint": ("SprintResults", parts.results),
}
"""By what is asked for, its name in a race and its rows."""
OF: Mapping[str, Literal["races", "sprints"]] = {
    "results": "races",
    "qualifying": "races",
    "races": "races",
    "sprint": "sprints",
}
"""By what is asked for, the races whose cars count; those of all for what is not named."""
NUMBERS = ("grid", "place", "fastest")
GROUPS: Mapping[str, tuple[str, str, str]] = {
    "drivers": ("driver", "DriverTable", "Drivers"),
    "constructors": ("team", "ConstructorTable", "Constructors"),
    "circuits": ("board", "CircuitTable", "Circuits"),
    "status": ("status", "StatusTable", "Status"),
}
"""By what is asked for: what of a kept car, the table and its list."""


def of_season(queries: View, season: Season, *, is_slim: bool = False) -> Sheet:
    """A season with all its rounds; slim ones do for its standings."""
    races = rounds_of(season, queries.races(season=season.key, is_slim=is_slim))
    year = min((race.date[:4] for race in races), default=None)
    return Sheet(season, tuple(races), names_of(queries, races), year=year)


class AllSeasons:
    """What is asked of all seasons."""

    def __init__(self, queries: View, asked: Asked) -> None:
        self._queries = queries
        self._asked = asked

    def answer(self, page: Page) -> Doc | None:
        """The document; None where Ergast, too, wants a season."""
        what, page = self._asked.what, page.at_most(MOST)
        picked = self._picked()
        if what in STANDINGS:
            return self._standings(picked, page.at_most(MOST_SEASONS))
        if picked is None and what in (*OF_CARS, "races"):
            return page.document("RaceTable", {}, "Races", [])
        if what == "seasons":
            return self._seasons(picked, page)
        if what == "races":
            return self._races(picked, page)
        if what in OF_CARS:
            return self._cars(picked, page)
        return self._groups(picked, page) if what in GROUPS else None

    def _picked(self) -> Picked | None:
        """The cars that are asked for; None: none can be."""
        values: list[tuple[str, str | int]] = []
        for name, value in self._asked.values.items():
            column = COLUMNS.get(name)
            if column in NUMBERS and not (value.isascii() and value.isdecimal() and len(value) < 6):
                return None
            if column is not None:
                values.append((column, int(value) if column in NUMBERS else value))
        what = self._asked.what
        return Picked(tuple(values), by_grid=what == "qualifying", of=OF.get(what, "all"))

    def _group(self, picked: Picked | None, of: str, page: Page) -> Groups:
        found = [] if picked is None else group(self._queries, picked, of)
        return page.cut(found), len(found)

    def _held_in(self, picked: Picked | None, years: Mapping[str, str]) -> list[str]:
        """The seasons that have such cars."""
        if picked is None:
            return []
        return [key for key, _ in group(self._queries, picked, "season") if key in years]

    def _groups(self, picked: Picked | None, page: Page) -> Doc:
        of, table, name = GROUPS[self._asked.what]
        rows, total = self._group(picked, of, page)
        return page.cut_already(table, {}, name, list(self._told(of, rows)), total)

    def _told(self, of: str, rows: Iterable[tuple[str, int]]) -> Iterable[Doc]:
        rows = list(rows)
        if of == "driver":
            names = self._queries.names([key for key, _ in rows])
            return [parts.driver(key, names.get(key, key)) for key, _ in rows]
        if of == "status":
            return [
                {"statusId": parts.status_id(status), "count": f"{count}", "status": status}
                for status, count in rows
            ]
        tell = parts.constructor if of == "team" else parts.circuit
        return [tell(title) for title, _ in rows]

    def _seasons(self, picked: Picked | None, page: Page) -> Doc:
        years = self._queries.years()
        if picked is None or picked.values:
            held = {years[key] for key in self._held_in(picked, years)}
        else:
            held = set(years.values())
        rows: list[Doc] = [{"season": year} for year in sorted(held)]
        return page.document("SeasonTable", {}, "Seasons", rows)

    def _races(self, picked: Picked | None, page: Page) -> Doc:
        rows, total = self._group(picked, "race", page)
        found = self._rounds(key for key, _ in rows)
        heads = [parts.race_head(sheet, race) for race, sheet in found]
        return page.cut_already("RaceTable", {}, "Races", heads, total)

    def _cars(self, picked: Picked | None, page: Page) -> Doc:
        assert picked is not None  # `answer` has seen to it
        found = pick(self._queries, picked)
        rows = page.cut(found)
        name, tell = OF_CARS[self._asked.what]
        seats = {(car.race, f"{car.seat}") for car in rows}
        races: list[Doc] = []
        for race, sheet in self._rounds(car.race for car in rows):
            own = [row for row in tell(sheet, race) if (race.id, row["number"]) in seats]
            races.append({**parts.race_head(sheet, race), name: own})
        return page.cut_already("RaceTable", {}, "Races", races, len(found))

    def _rounds(self, keys: Iterable[str]) -> list[tuple[Race, Sheet]]:
        """These races with their seasons, oldest first."""
        races = self._queries.rounds(set(keys))
        names, years = names_of(self._queries, races), self._queries.years()
        sheets: dict[str, Sheet] = {}
        keys = {race.season for race in races if race.season}
        for season in self._queries.seasons(keys=keys):
            own = tuple(race for race in races if race.season == season.key)
            sheets[season.key] = Sheet(season, own, names, year=years.get(season.key))
        return [(race, sheets[race.season]) for race in races if race.season in sheets]

    def _standings(self, picked: Picked | None, page: Page) -> Doc:
        """A list a season, the oldest first: seasons are counted here, not lines."""
        name = STANDINGS[self._asked.what]
        years = self._queries.years()
        keys = sorted((years[key], key) for key in self._held_in(picked, years))
        lists: list[Doc] = []
        for sheet in self._sheets([key for _, key in page.cut(keys)]):
            rows = pick_standings(sheet, self._asked)
            if rows:
                lists.append({**parts.standings_head(sheet), name: rows})
        return page.cut_already("StandingsTable", {}, "StandingsLists", lists, len(keys))

    def _sheets(self, keys: Sequence[str]) -> Iterable[Sheet]:
        """These seasons with all their rounds, slim ones: all are asked for at once."""
        seasons = {one.key: one for one in self._queries.seasons(keys=keys)}
        races = self._queries.races(stages=keys, is_slim=True)
        names = names_of(self._queries, races)
        for season in (seasons[key] for key in keys if key in seasons):
            own = [race for race in races if race.season == season.key]
            own.sort(key=lambda race: (race.round or 0, race.date, race.id))
            rounds = tuple(rounds_of(season, own))
            yield Sheet(
                season, rounds, names, year=min((one.date[:4] for one in rounds), default=None)
            )
