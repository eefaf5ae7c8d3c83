"""What a finished record says: the result of a race, its earlier results, its notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from companion.league.acts import GAMES, MOST_CARS, MOST_LAPS, RACE_ID, STATUSES
from companion.league.errors import BadRecord
from companion.league.numbers.laps import driven_laps
from companion.league.points import MOST_POINTS
from companion.league.replayed import Replayed, replay_events
from companion.record import RULES_VERSION, EmbeddedTrack, RecordError
from companion.rules.errors import Malformed
from companion.rules.reading import bad, one_of, read_name, whole

JSON = Mapping[str, Any]
Row = dict[str, Any]
"""A car of a result in JSON: the fields of `plain.Entry` but for the driver, and `player`."""

LONGEST_TRACK = 128
"""Characters; `boards` opens no longer name."""
RUNNING = ("racing", "stalled", "spun", "pit", "grid")
"""What the engine calls a car that was still under way when the race was ended."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Numbers of a race (by name) and of its cars (by seat, then by name), as JSON."""

    race: JSON = field(default_factory=dict)
    cars: Mapping[int, JSON] = field(default_factory=dict)


Measure = Callable[[Replayed], Measured]
"""What counts overtakes, points lost and the like; called once a record that replays."""


def measure_nothing(race: Replayed) -> Measured:
    """No numbers."""
    return Measured()


@dataclass(frozen=True, slots=True)
class Found:
    """A race as its record tells it. `rows` is the result; `earlier` those that it was before."""

    id: str
    name: str
    date: str
    game: str
    track: str | None
    board: str | None
    laps: int | None
    rules: tuple[str, ...]
    rows: list[Row]
    earlier: list[list[Row]]
    notes: list[Row]
    remark: str | None
    numbers: JSON


def read_finished(lines: Sequence[JSON], measure: Measure = measure_nothing) -> Found:
    """The race in the lines of a record (`record.read_record`).

    A record of other rules than today's may not replay: then its result stays what it is, and
    the remark says which line no longer holds.

    Raises:
        BadRecord: it is not finished, or damaged; the line is named.
    """
    first = lines[0]
    result = _result(lines)
    _check_header(first, result)
    try:
        race = replay_events(lines)
    except RecordError as error:
        if first.get("rules_version") == RULES_VERSION:
            rule = f"{error.rule}: " if error.rule else ""
            raise BadRecord(error.line, f"{rule}{error.message}") from error
        names = {seat["seat"]: seat.get("name") for seat in first["seats"]}
        rows = [_row(first, row, names, {}, {}) for row in result]
        return _found(lines, rows, remark=f"not played by today's rules: {error}")
    measured = measure(race)
    endings = [_rows(race, ending, measured.cars) for ending in race.endings]
    earlier = [rows for rows, after in pairwise(endings) if rows != after]
    return _found(lines, endings[-1], earlier=earlier, numbers=measured.race)


def _found(
    lines: Sequence[JSON],
    rows: list[Row],
    *,
    earlier: Iterable[list[Row]] = (),
    remark: str | None = None,
    numbers: JSON | None = None,
) -> Found:
    first = lines[0]
    board = first.get("track_file")
    return Found(
        id=first["id"],
        name=str(first.get("name") or first["id"]),
        date=str(first.get("started") or ""),
        game=first["game"],
        track=first.get("track"),
        board=EmbeddedTrack(board["toml"]).title(str(first.get("track"))) if board else None,
        laps=first.get("laps"),
        rules=tuple(first.get("rules") or ()),
        rows=rows,
        earlier=list(earlier),
        notes=[_note(line) for line in lines if "note" in line],
        remark=remark,
        numbers=dict(numbers or {}),
    )


def _result(lines: Sequence[JSON]) -> list[JSON]:
    if "result" not in lines[-1]:
        raise BadRecord(len(lines), "the record ends here, before the result")
    rows = lines[-1]["result"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_CARS:
        raise BadRecord(len(lines), f"the result is no list of 1 to {MOST_CARS} cars")
    try:
        for row in rows:
            _check_row(row)
    except Malformed as error:
        raise BadRecord(len(lines), error.message) from error
    return list(rows)


def _check_row(row: Any) -> None:
    if not isinstance(row, dict):
        bad("row-form", f"the result is made of objects, not of {row!r:.40}")
    whole(row.get("place"), "a place of the result", 1, MOST_CARS)
    one_of(row.get("status"), "a status of the result", (*STATUSES, *RUNNING))
    if row.get("points") is not None:
        whole(row["points"], "the points of the result", -MOST_POINTS, MOST_POINTS)


def _check_header(first: JSON, result: Sequence[JSON]) -> None:
    """What the league takes out of a header is of the right kind, whatever rules it is for."""
    try:
        if not isinstance(first.get("id"), str) or not RACE_ID.fullmatch(first["id"]):
            bad("id-form", f"the id is 1 to 64 letters, digits and -, not {first.get('id')!r:.80}")
        one_of(first.get("game"), "the game", GAMES)
        track = first.get("track")
        if track is not None and (not isinstance(track, str) or len(track) > LONGEST_TRACK):
            bad("track-form", f"the track is a text, not {track!r:.40}")
        if first.get("laps") is not None:
            whole(first["laps"], "laps", 1, MOST_LAPS)
        rules = first.get("rules") or []
        if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
            bad("rules-form", "the rules are a list of names")
        _check_seats(first.get("seats"), [row.get("seat") for row in result])
    except Malformed as error:
        raise BadRecord(1, error.message) from error


def _check_seats(seats: Any, wanted: Sequence[Any]) -> None:
    if not isinstance(seats, list) or not all(isinstance(seat, dict) for seat in seats):
        bad("seats-form", "the header has no list of seats")
    for seat in seats:
        whole(seat.get("seat"), "a seat", 1, MOST_CARS)
        for key in ("name", "player", "team"):
            if seat.get(key) is not None:
                read_name(seat[key], f"the {key} of a seat")
    known = [seat["seat"] for seat in seats]
    strangers = [seat for seat in wanted if seat not in known]
    if strangers or len(set(wanted)) != len(wanted):
        bad("result-seats", f"the result has seats {wanted}, the header {known}")


def _rows(race: Replayed, ending: Sequence[JSON], numbers: Mapping[int, JSON]) -> list[Row]:
    """A classification as rows, with all that the replay knows of the cars."""
    cars: JSON = race.state.get("cars", {})
    people: JSON = race.state.get("players") or cars
    names = {int(seat): one["name"] for seat, one in people.items()}
    grid = _grid(race)
    laps = _best_laps(race)
    extra: dict[int, Row] = {}
    for row in ending:
        seat = row["seat"]
        car = cars.get(str(seat), {}) if people is cars else {}
        gone = car.get("out")
        extra[seat] = {
            "grid": grid.get(seat),
            "lap": car.get("lap"),
            "out": gone["why"] if gone and row["status"] == "out" else None,
            "best_lap": laps.get(seat),
        }
    return [_row(race.header, row, names, extra, numbers) for row in ending]


def _row(
    first: JSON,
    row: JSON,
    names: Mapping[int, Any],
    extra: Mapping[int, Row],
    numbers: Mapping[int, JSON],
) -> Row:
    seat = row["seat"]
    told = next(one for one in first["seats"] if one["seat"] == seat)
    name = str(names.get(seat) or f"Seat {seat}")
    return {
        "seat": seat,
        "name": name,
        "player": str(told.get("player") or name),
        "place": row["place"],
        "status": "running" if row["status"] in RUNNING else row["status"],
        "team": told.get("team"),
        "points": row.get("points"),
        **extra.get(seat, {}),
        "numbers": dict(numbers.get(seat, {})),
    }


def _grid(race: Replayed) -> dict[int, int]:
    """Places on the grid by seat; empty for a race that had no grid of its own."""
    orders = [event["order"] for event in race.events() if event["event"] == "GridSet"]
    order = orders[-1] if orders else race.header.get("grid") or []
    return {seat: place for place, seat in enumerate(order, 1) if isinstance(seat, int)}


def _best_laps(race: Replayed) -> dict[int, int]:
    """The fewest rolls of the gear dice from line to line, by seat; whole laps only."""
    laps = driven_laps(race.moves).items()
    return {seat: min(lap.rolls for lap in driven) for seat, driven in laps if driven}


def _note(line: JSON) -> Row:
    return {"text": str(line["note"]), "by": str(line.get("by", ""))}
