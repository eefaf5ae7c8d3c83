"""CSV for spreadsheets and pandas: results, laps, pit stops, qualifying, standings.

UTF-8 with the mark that Excel wants, commas, a header line, numbers as plain digits, empty where
nobody knows. Every row says of which race it is, so a season is one table.

A season can also go out as one CSV file that a league reads back with equal standings: the columns
of `byhand.COLUMNS`, a line a car, results without their penalties; and behind them what scoring
needs: `title scoring drops team_cars planned` of the season, `id` and `factor` of the race, and
`penalties` of the car, a JSON list of what the act `penalty` says; those of the season as a whole
(`"of": "season"`) stand with the driver's first car, and have the name (`driver`) where one of a
crew has them. A file without these columns is read too. Laps, pit stops and all that was measured
stay behind.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from companion.league.acts import Act, EnterRace, PlaceRace, SetSeason, format_act, parse_act
from companion.league.byhand import COLUMNS, CsvLine, decoded, guard, line_acts, read_csv, with_days
from companion.league.errors import BadAct
from companion.league.exchange.acts import car_of, penalty_acts
from companion.league.exchange.registry import (
    Sheet,
    grid_of,
    laps_completed,
    laps_of,
    season_sheet,
    sheet_of,
    stops_of,
)
from companion.league.forms import NOTHING, Amount, asked_in
from companion.league.plain import Entry, Penalty, Race, format_points
from companion.league.results import EARNERS, classify
from companion.league.standings import Standing, standings, team_standings
from companion.league.view import View
from companion.rules.codec import Within, tell

# -- tables ---------------------------------------------------------------------------------------


Row = Sequence[object]
Own = Callable[[Race], Iterable[tuple[Entry, Row]]]
"""The rows of a race: each one's car, and what it says beside race and car."""

OF_RACE = ("season", "round", "race", "date", "board", "seat", "driver", "name")


def write_results(queries: View, key: str) -> bytes:
    """Every car of every race by place, with the points of the season."""
    heads = "team position status out grid laps best_lap_rolls points kept_waiting_s waited_s"
    sheet = sheet_of(queries, key)

    def rows(race: Race) -> Iterator[tuple[Entry, Row]]:
        for score in sheet.scores(race):
            one = score.entry
            home = (sheet.team(race, one), score.place, score.status, one.out, one.grid)
            waits = one.numbers.get("kept_waiting"), one.numbers.get("waited")
            yield one, (*home, laps_completed(race, one), one.best_lap, score.points, *waits)

    return _write(sheet, heads.split(), rows)


def write_laps(queries: View, key: str) -> bytes:
    """Every lap: the position at its end, the rolls of its gear dice, seconds of the clock."""
    return _write(
        sheet_of(queries, key),
        ("lap", "position", "rolls", "seconds"),
        lambda race: (
            (entry, (lap["number"], lap["position"], lap["rolls"], lap["at"]))
            for entry, lap in laps_of(race)
        ),
    )


def write_stops(queries: View, key: str) -> bytes:
    """Every pit stop with the turns that it took."""
    return _write(
        sheet_of(queries, key),
        ("stop", "lap", "turns"),
        lambda race: ((row.entry, (row.stop, row.lap, row.turns)) for row in stops_of(race)),
    )


def write_qualifying(queries: View, key: str) -> bytes:
    """Every place on a grid, with the time trial where there was one."""
    return _write(
        sheet_of(queries, key),
        ("position", "trial_seconds", "trial_score"),
        lambda race: ((one, (one.grid, one.trial_time, one.trial_score)) for one in grid_of(race)),
    )


def write_standings(queries: View, key: str) -> bytes:
    """The drivers of a season, then its teams, best first."""
    sheet = season_sheet(queries, key)
    season = sheet.of_season
    heads = "season of position key name team points wins penalty trial_score trial_seconds"
    lines = (
        *_lines(season.key, "driver", standings(season, sheet.races, sheet.names)),
        *_lines(season.key, "team", team_standings(season, sheet.races)),
    )
    return format_csv(heads.split(), lines)


def format_csv(heads: Sequence[str], rows: Iterable[Row]) -> bytes:
    """A file with a header line; None is empty, texts are guarded (`byhand.guard`).

    >>> format_csv(("name", "lap"), [("Łukasz, 2", None)]).decode("utf-8-sig")
    'name,lap\\r\\n"Łukasz, 2",\\r\\n'
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(heads)
    writer.writerows(
        [guard(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return stream.getvalue().encode("utf-8-sig")  # without its mark Excel takes it for 1252


def _write(sheet: Sheet, heads: Sequence[str], own: Own) -> bytes:
    """A table of all races: each row says of which race and car it is, then its own."""

    def about(race: Race, entry: Entry) -> Row:
        of_race = (race.season, race.round, race.id, race.date[:10], race.board)
        return (*of_race, entry.seat, entry.driver, sheet.name(entry))

    rows = ((*about(race, one), *row) for race in sheet.races for one, row in own(race))
    return format_csv((*OF_RACE, *heads), rows)


def _lines(season: str, of: str, lines: Iterable[Standing]) -> Iterator[Row]:
    for line in lines:
        about = (season, of, line.place, line.key, line.name, line.team)
        trial = line.trial or (None, None)
        yield (*about, line.points, line.wins, line.penalty, *trial)


# -- season csv -----------------------------------------------------------------------------------


Evening = tuple[str, str]
"""What the lines of a race have in common: the date and the name."""

HEADS: Mapping[str, str] = {"points": "scoring"}
"""What a column is called that is not called as the act has it."""
OF_SEASON = ("title", *SetSeason.SCORING)
MORE = (*(HEADS.get(name, name) for name in OF_SEASON), "id", "factor", "race_scoring", "penalties")


def write(queries: View, key: str) -> bytes:
    """The season in one table.

    Raises:
        BadAct: there is no such season.
    """
    sheet = season_sheet(queries, key)
    heads = (*COLUMNS, *MORE)
    known: set[str] = set()
    rows = [
        [car.get(head) for head in heads]
        for race, name in _named(sheet.races)
        for car in _cars(sheet, race, name, known)
    ]
    return format_csv(heads, rows)


def _named(races: Iterable[Race]) -> Iterator[tuple[Race, str]]:
    """Races with names that tell two of one evening apart, as the lines of a file need."""
    seen: set[Evening] = set()
    for race in races:
        name, number = race.name, 1
        while (race.date, name) in seen:
            number += 1
            name = f"{race.name[:30]} ({number})"
        seen.add((race.date, name))
        yield race, name


def _cars(sheet: Sheet, race: Race, name: str, known: set[str]) -> Iterator[Mapping[str, object]]:
    """The lines of a race by head; `known` are the drivers of the lines before."""
    season = sheet.of_season
    said = format_act(SetSeason.of(season))
    about = {
        **{field: getattr(race, field) for field in ("date", "game", "laps", "factor", "id")},
        **{HEADS.get(name, name): said.get(name) for name in OF_SEASON},
        "race": name,
        "track": race.board,
        "season": season.key,
        "round": race.round,
        "race_scoring": race.scoring and format_points(race.scoring),
        "note": "\n".join(note.text for note in race.notes),
    }
    fastest = EARNERS["fastest"](classify(race))
    judged: set[str] = set()
    for entry in race.entries:
        # Those of teams stand with the first car, those of one of a crew with that one's first.
        penalties = _penalties_of(race.penalties, entry, judged, sheet.names)
        own = _penalties_of(season.penalties, entry, known, sheet.names)
        penalties += [{"of": "season", **one} for one in own]
        judged |= {"", entry.driver, *entry.crew}
        known |= {"", entry.driver, *entry.crew}
        yield {
            **about,
            **tell(car_of(entry, sheet.names, fastest=False), NOTHING),
            "driver": sheet.name(entry),
            "team": sheet.team(race, entry),
            "crew": ", ".join(sheet.names.get(one, one) for one in entry.crew),
            "fastest": "yes" if entry.seat in fastest else "",
            "penalties": json.dumps(penalties, ensure_ascii=False) if penalties else "",
        }


def _penalties_of(
    penalties: Iterable[Penalty], entry: Entry, told: Collection[str], names: Mapping[str, str]
) -> list[dict[str, object]]:
    """Those of teams, of the driver of a car and of its crew, but of nobody who is told already;
    one's of a crew have the name."""
    whose = {"", entry.driver, *entry.crew} - {*told}
    acts = penalty_acts((one for one in penalties if one.driver in whose), names)
    lines = [{k: v for k, v in format_act(act).items() if k != "act"} for act in acts]
    for line in lines:
        if line.get("driver") == names.get(entry.driver, entry.driver):
            del line["driver"]  # the line of the file has it
    return lines


def read(content: bytes) -> Sequence[Act]:
    """The acts of such a file, or of any other with a line a car: the lines of a race have one date
    and one `race`; the first line names the columns (`byhand.COLUMNS`), in any order.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    heads, lines = read_csv(decoded(content))
    lines = with_days(lines)
    more = [line for line in lines if any(line.row.get(head) for head in MORE)]
    races, acts = _races(line_acts([head for head in heads if head not in MORE], lines), more)
    penalties = [act for line in more for act in _penalties(line, races[_evening(line)])]
    return [*map(parse_act, _seasons(more)), *acts, *map(parse_act, penalties)]


def _evening(line: CsvLine) -> Evening:
    return line.row["date"], line.row.get("race", "")


def _races(
    acts: Sequence[Act], more: Iterable[CsvLine]
) -> tuple[Mapping[Evening, str], Sequence[Act]]:
    """The ids of the races, and acts that have the id and factor of each race's first line."""
    first: dict[Evening, CsvLine] = {}
    for line in more:
        first.setdefault(_evening(line), line)
    lines, races, changed = {}, {}, []
    for act in acts:
        if isinstance(act, EnterRace):
            evening = (act.date, act.name if isinstance(act.name, str) else "")
            lines[act.race] = line = first.get(evening, CsvLine(0, {}))
            races[evening] = line.row.get("id") or act.race
    for act in acts:
        data = format_act(act)
        line = lines[str(data["race"])]
        data["race"] = line.row.get("id") or data["race"]
        if isinstance(act, PlaceRace) and line.row.get("factor"):
            data["factor"] = line.number_of("factor")
        if isinstance(act, PlaceRace) and line.row.get("race_scoring"):
            data["points"] = line.row["race_scoring"]
        changed.append(parse_act(data))
    return races, changed


def _seasons(more: Iterable[CsvLine]) -> Iterator[dict[str, object]]:
    """What the first line of each season says of it."""
    seen = set()
    for line in more:
        key = line.row.get("season", "")
        if not key or key in seen:
            continue
        seen.add(key)
        act = {"act": "season", "season": key, "title": line.row.get("title") or key}
        yield {**act, **dict(_scoring(line))}


def _scoring(line: CsvLine) -> Iterator[tuple[str, object]]:
    """What a line says of how its season is scored."""
    asked = asked_in(SetSeason)
    for name in SetSeason.SCORING:
        head, form = HEADS.get(name, name), asked[name].form
        text = line.row.get(head)
        if text and isinstance(form, Within):
            yield name, line.whole(head)
        elif text:
            yield name, line.number_of(head) if isinstance(form, Amount) else text


def _penalties(line: CsvLine, race: str) -> Iterator[dict[str, object]]:
    if not line.row.get("penalties"):
        return
    try:
        penalties = json.loads(line.row["penalties"])
    except (ValueError, RecursionError) as error:
        raise BadAct(f"line {line.number}: penalties is no JSON: {error}") from error
    if not isinstance(penalties, list) or not all(isinstance(one, dict) for one in penalties):
        raise BadAct(f"line {line.number}: penalties is a list of objects with a reason")
    for one in penalties:
        own = {key: value for key, value in one.items() if key != "of"}
        whose = {} if own.keys() & {"team", "driver"} else {"driver": line.row["driver"]}
        of = {"season": line.row["season"]} if one.get("of") == "season" else {"race": race}
        yield {"act": "penalty", **whose, **of, **own}
