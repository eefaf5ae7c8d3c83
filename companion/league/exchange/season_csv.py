"""A season as one CSV file that a league reads back with equal standings.

The columns of `byhand.COLUMNS`, a line a car, results without their penalties; and behind them
what scoring needs: `title scoring drops team_cars planned` of the season, `id` and `factor` of
the race, and `penalties` of the car, a JSON list of what the act `penalty` says; those of the
season as a whole (`"of": "season"`) stand with the driver's first car. A file without these
columns is read too. Laps, pit stops and all that was measured stay behind.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from companion.league.acts import parse_act
from companion.league.byhand import COLUMNS, csv_acts
from companion.league.classified import classify
from companion.league.errors import BadAct
from companion.league.exchange.sheet import Sheet, season_sheet
from companion.league.exchange.tables import format_csv
from companion.league.plain import Entry, Penalty, Race
from companion.league.points import format_points
from companion.league.ports import LeagueQueries
from companion.league.scores import EARNERS

Act = dict[str, Any]
Row = dict[str, str]

OF_SEASON = ("title", "scoring", "drops", "team_cars", "planned")
NUMBERS = ("drops", "team_cars", "planned")
MORE = (*OF_SEASON, "id", "factor", "penalties")


def write(queries: LeagueQueries, key: str) -> bytes:
    """The season in one table.

    Raises:
        BadAct: there is no such season.
    """
    sheet = season_sheet(queries, key)
    heads = (*COLUMNS, *MORE)
    named = _named(sheet.races)
    told: set[str] = set()
    rows = [
        [car.get(head) for head in heads]
        for race, name in named
        for car in _cars(sheet, race, name, told)
    ]
    return format_csv(heads, rows)


def _named(races: Iterable[Race]) -> Iterator[tuple[Race, str]]:
    """Races with names that tell two of one evening apart, as the lines of a file need."""
    seen: set[tuple[str, str]] = set()
    for race in races:
        name, number = race.name, 1
        while (race.date, name) in seen:
            number += 1
            name = f"{race.name[:30]} ({number})"
        seen.add((race.date, name))
        yield race, name


def _cars(sheet: Sheet, race: Race, name: str, told: set[str]) -> Iterator[Act]:
    season = sheet.season
    assert season is not None
    about: Act = {field: getattr(race, field) for field in ("date", "game", "laps", "factor")}
    about |= {
        "id": race.id,
        "race": name,
        "track": race.board,
        "season": season.key,
        "round": race.round,
    }
    about |= {field: getattr(season, field) for field in ("title", "drops", "team_cars", "planned")}
    about |= {"scoring": format_points(season.points)}
    about |= {"note": "\n".join(note.text for note in race.notes)}
    fastest = EARNERS["fastest"](classify(race))
    judged: set[str] = set()
    for entry in race.entries:
        penalties = [] if entry.driver in judged else _told(race.penalties, entry)
        if entry.driver not in told:
            penalties += [{"of": "season", **one} for one in _told(season.penalties, entry)]
        judged.add(entry.driver)
        told.add(entry.driver)
        yield {
            **about,
            **{field: getattr(entry, field) for field in ("place", "status", "grid", "lap")},
            "driver": sheet.name(entry),
            "team": sheet.team(entry),
            "out": entry.out,
            "points": entry.points,
            "fastest": "yes" if entry.seat in fastest else "",
            "penalties": json.dumps(penalties, ensure_ascii=False) if penalties else "",
        }


def _told(penalties: Iterable[Penalty], entry: Entry) -> list[Act]:
    found = []
    for one in penalties:
        if one.driver == entry.driver and one.lifted is None:
            said = {k: getattr(one, k) for k in ("points", "places", "disqualified")}
            found.append({"reason": one.reason, **{k: v for k, v in said.items() if v}})
    return found


def read(content: bytes) -> Sequence[Act]:
    """The acts of such a file, or of any that `league add` takes.

    Raises:
        BadAct: the line and what is wrong with it.
    """
    heads, lines = _lines(content)
    plain = [head for head in heads if head not in MORE]
    told = format_csv(plain, ([row[head] for head in plain] for _, row in lines))
    more = [(number, row) for number, row in lines if any(row.get(head) for head in MORE)]
    acts = list(_races(csv_acts(told.decode()), more))
    races = {_evening(act): act["race"] for act in acts if act["act"] == "race"}
    penalties = [act for line, row in more for act in _penalties(line, races[_evening(row)], row)]
    return [parse_act(act) for act in (*_seasons(more), *acts, *penalties)]


def _evening(told: Mapping[str, Any]) -> tuple[str, str]:
    """What the lines of a race have in common: of a line, and of the act made of them."""
    return told["date"], told.get("race" if "driver" in told else "name", "")


def _races(acts: Sequence[Act], more: Iterable[tuple[int, Row]]) -> Iterator[Act]:
    """The acts of races with the id and the factor that the first line of each says."""
    first: dict[tuple[str, str], tuple[int, Row]] = {}
    for line, row in more:
        first.setdefault(_evening(row), (line, row))
    evenings = {act["race"]: _evening(act) for act in acts if act["act"] == "race"}
    for act in acts:
        line, row = first.get(evenings[act["race"]], (0, {}))
        told = {**act, "race": row.get("id") or act["race"]}
        if act["act"] == "round" and row.get("factor"):
            told["factor"] = _number(line, row, "factor")
        yield told


def _lines(content: bytes) -> tuple[list[str], list[tuple[int, Row]]]:
    """The heads, and every line with its number, tidied."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadAct("a CSV file is text in UTF-8") from error
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter, restval="")
    heads = rows.fieldnames = [(name or "").strip().lower() for name in rows.fieldnames or ()]
    lines = []
    for row in rows:
        if None in row:
            raise BadAct(f"line {rows.line_num} has more fields than the first line has columns")
        lines.append((rows.line_num, {head: row[head].strip() for head in heads}))
    return heads, lines


def _seasons(more: Iterable[tuple[int, Row]]) -> Iterator[Act]:
    """What the first line of each season says of it."""
    seen = set()
    for line, row in more:
        key = row.get("season", "")
        if not key or key in seen:
            continue
        seen.add(key)
        act: Act = {"act": "season", "season": key, "title": row.get("title") or key}
        if row.get("scoring"):
            act["points"] = row["scoring"]
        numbers = {head: _number(line, row, head) for head in NUMBERS if row.get(head)}
        yield {**act, **numbers}


def _penalties(line: int, race: str, row: Row) -> Iterator[Act]:
    if not row.get("penalties"):
        return
    try:
        told = json.loads(row["penalties"])
    except (ValueError, RecursionError) as error:
        raise BadAct(f"line {line}: penalties is no JSON: {error}") from error
    if not isinstance(told, list) or not all(isinstance(one, Mapping) for one in told):
        raise BadAct(f"line {line}: penalties is a list of objects with a reason")
    for one in told:
        said = {key: value for key, value in one.items() if key != "of"}
        of = {"season": row["season"]} if one.get("of") == "season" else {"race": race}
        yield {"act": "penalty", "driver": row["driver"], **of, **said}


def _number(line: int, row: Row, head: str) -> int:
    if not row[head].isdecimal():
        raise BadAct(f"line {line}: {head} is a whole number, not {row[head]!r:.40}")
    return int(row[head])
