"""A season as one CSV file that a league reads back with equal standings.

The columns of `byhand.COLUMNS`, a line a car, results without their penalties; and behind them
what scoring needs: `title scoring drops team_cars planned` of the season, `id` and `factor` of
the race, and `penalties` of the car, a JSON list of what the act `penalty` says; those of the
season as a whole (`"of": "season"`) stand with the driver's first car, and have the name
(`driver`) where one of a crew has them. A file without these
columns is read too. Laps, pit stops and all that was measured stay behind.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from companion.league.acts import Act, EnterRace, PlaceRace, format_act, parse_act
from companion.league.byhand import COLUMNS, CsvLine, line_acts, read_csv
from companion.league.classified import classify
from companion.league.errors import BadAct
from companion.league.exchange.acts import measured, penalty_acts
from companion.league.exchange.sheet import Sheet, season_sheet
from companion.league.exchange.tables import format_csv
from companion.league.plain import Entry, Penalty, Race
from companion.league.points import format_points
from companion.league.ports import LeagueQueries
from companion.league.scores import EARNERS

Evening = tuple[str, str]
"""What the lines of a race have in common: the date and the name."""

OF_SEASON = (
    "title",
    "scoring",
    "drops",
    "team_cars",
    "planned",
    "ties",
    "half_under",
    "licence",
    "crews",
    "stage",
)
NUMBERS = ("drops", "team_cars", "planned", "licence")
WORDS = ("ties", "crews", "stage")
MORE = (*OF_SEASON, "id", "factor", "race_scoring", "penalties")


def write(queries: LeagueQueries, key: str) -> bytes:
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
    about = {
        **{field: getattr(race, field) for field in ("date", "game", "laps", "factor", "id")},
        **{field: getattr(season, field) for field in ("title", *NUMBERS)},
        "race": name,
        "track": race.board,
        "season": season.key,
        "round": race.round,
        "scoring": format_points(season.points),
        "ties": ",".join(season.ties) if season.ties != ("places",) else None,
        "half_under": season.half_under,
        "crews": season.crews if season.crews != "car" else None,
        "stage": season.kind if season.kind != "season" else None,
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
            **{field: getattr(entry, field) for field in ("place", "status", "grid", "lap")},
            **{field: getattr(entry, field) for field in ("out", "points")},
            "driver": sheet.name(entry),
            "team": sheet.team(race, entry),
            "crew": ", ".join(sheet.names.get(one, one) for one in entry.crew),
            **measured(entry),
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
    """The acts of such a file, or of any that `league add` takes.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    try:
        heads, lines = read_csv(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadAct("a CSV file is text in UTF-8") from error
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
        act: dict[str, object] = {
            "act": "season",
            "season": key,
            "title": line.row.get("title") or key,
        }
        points = {"points": line.row["scoring"]} if line.row.get("scoring") else {}
        points |= {word: line.row[word] for word in WORDS if line.row.get(word)}
        if line.row.get("half_under"):
            act["half_under"] = line.number_of("half_under")
        yield {**act, **points, **{n: line.whole(n) for n in NUMBERS if line.row.get(n)}}


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
