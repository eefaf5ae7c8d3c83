"""What a finished record says: the result of a race, its earlier results, its notes.

To play a record takes a hundred times as long as to read what it came to, so that is kept beside
it (`came_of`), by the version of this program that has played it.
"""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, field, replace
from itertools import pairwise
from sys import intern
from typing import Any, Final

from companion.league.errors import LONGEST_NAME, BadRecord, NobodyDrove
from companion.league.forms import LONGEST_TEXT, MOST_CARS, MOST_LAPS, RACE_ID, STATUSES, is_day
from companion.league.games import AnyReplayed, CarEnd, Measured, Placing, game_of, replay_events
from companion.league.plain import MOST_POINTS, CarNumbers, Line, Note, RaceNumbers, Status
from companion.league.results import NOTHING, Row, read_row
from companion.race.record import (
    RULES_VERSION,
    EmbeddedTrack,
    RecordError,
    gone_switches,
    parse_record,
    seats_of,
)
from companion.rules.games import NAMES
from companion.rules.lines import Malformed, bad, can_be_written, one_of, read_name, whole
from companion.system.frozen import dataclass

LONGEST_TRACK = 128
"""Characters; `boards` opens no longer name."""
HOME: Mapping[str, Status] = {"finished": "finished", "out": "out"}
BY_HAND = ("seat", "phone")
"""Who answers for a car, if no bot does."""
RUNNING = ("racing", "stalled", "spun", "pit", "grid")
"""What the engine calls a car that was still under way when the race was ended."""

Measure = Callable[[AnyReplayed], Measured]
"""What counts overtakes, points lost and the like; called once a record that replays."""


def measure_nothing(race: AnyReplayed) -> Measured:
    """No numbers."""
    return Measured()


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat as the header has it; its names, where the header says them."""

    name: str | None
    player: str | None
    team: str | None
    crew: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finished:
    """A race as its record tells it. `rows` is the result; `earlier` those that it was before.
    `measured`: the numbers of race and cars, once they are packed."""

    id: str
    name: str
    date: str
    game: str
    track: str | None
    board: str | None
    laps: int | None
    rules: tuple[str, ...]
    rows: tuple[Row, ...] = ()
    earlier: tuple[tuple[Row, ...], ...] = ()
    notes: tuple[Note, ...] = ()
    remark: str | None = None
    numbers: RaceNumbers = field(default_factory=RaceNumbers)
    measured: bytes = b""


def read_finished(lines: Sequence[Line], measure: Measure = measure_nothing) -> Finished:
    """The race in the lines of a record (`record.read_record`).

    A record of other rules than today's may not replay: then its result stays what it is, and
    the remark says which line no longer holds.

    Raises:
        BadRecord: it is not finished, or damaged; the line is named.
    """
    result = _result(lines)
    if not _has_people(lines):
        raise NobodyDrove(1, "bots alone have driven it: it is kept, and is no race of the league")
    try:
        found, seats = _read_header(_with_late(lines), result)
    except Malformed as error:
        raise BadRecord(1, error.message) from error
    found = replace(found, notes=tuple(_note(line) for line in lines if "note" in line))
    try:
        race = replay_events(lines)
    except RecordError as error:
        if lines[0].get("rules_version") == RULES_VERSION and not gone_switches(lines[0]):
            rule = f"{error.rule}: " if error.rule else ""
            raise BadRecord(error.line, f"{rule}{error.message}") from error
        own = {seat: one.name or "" for seat, one in seats.items()}
        rows = _rows(result, seats, own, {}, Measured())
        return replace(found, rows=rows, remark=f"not played by today's rules: {error}")
    game, measured = game_of(race.game), measure(race)
    names, ends = game.names(race), game.ends(race)
    endings = [_rows(ending, seats, names, ends, measured) for ending in race.endings]
    earlier = tuple(rows for rows, after in pairwise(endings) if rows != after)
    return replace(found, rows=endings[-1], earlier=earlier, numbers=measured.race)


def _has_people(lines: Sequence[Line]) -> bool:
    """Whether a person drove: in a seat that is no bot's, or in the place of one."""
    seats = seats_of(lines) or lines[0].get("seats")
    bots = (
        [isinstance(one, dict) and "bot" in one for one in seats] if isinstance(seats, list) else []
    )
    return not bots or not all(bots) or any(line.get("by") in BY_HAND for line in lines)


def _with_late(lines: Sequence[Line]) -> Line:
    """The first line, with who came late in its seats."""
    return {**lines[0], "seats": seats_of(lines) or lines[0].get("seats")}


def _result(lines: Sequence[Line]) -> list[Placing]:
    if "result" not in lines[-1]:
        raise BadRecord(len(lines), "the record ends here, before the result")
    rows = lines[-1]["result"]
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_CARS:
        raise BadRecord(len(lines), f"the result is no list of 1 to {MOST_CARS} cars")
    try:
        return [_placing(row) for row in rows]
    except Malformed as error:
        raise BadRecord(len(lines), error.message) from error


def _placing(row: object) -> Placing:
    """A row of the result; its seat is compared with the header's later."""
    if not isinstance(row, dict):
        bad("row-form", f"the result is made of objects, not of {row!r:.40}")
    place = whole(row.get("place"), "a place of the result", 1, MOST_CARS)
    status = one_of(row.get("status"), "a status of the result", (*STATUSES, *RUNNING))
    seat, points = row.get("seat"), row.get("points")
    if points is not None:
        whole(points, "the points of the result", -MOST_POINTS, MOST_POINTS)
    return Placing(seat if isinstance(seat, int) else 0, place, status, points)


def _read_header(first: Line, result: Sequence[Placing]) -> tuple[Finished, dict[int, Seat]]:
    """What the league takes out of a header is of the right kind, whatever rules it is for."""
    race, track, laps, rules = (first.get(key) for key in ("id", "track", "laps", "rules"))
    if not isinstance(race, str) or not RACE_ID.fullmatch(race):
        bad("id-form", f"the id is 1 to 64 letters, digits and -, not {race!r:.80}")
    game = one_of(first.get("game"), "the game", NAMES)
    if track is not None and (not isinstance(track, str) or len(track) > LONGEST_TRACK):
        bad("track-form", f"the track is a text, not {track!r:.40}")
    started = "" if first.get("started") is None else first["started"]
    if not isinstance(started, str) or (started and not is_day(started)):
        bad("started-form", f"started is a date such as 2026-05-17T20:00:00, not {started!r:.40}")
    rules = rules or []
    if laps is not None:
        laps = whole(laps, "laps", 1, MOST_LAPS)
    if not isinstance(rules, list) or not all(isinstance(rule, str) for rule in rules):
        bad("rules-form", "the rules are a list of names")
    seats = _seats(first.get("seats"), [row.seat for row in result])
    found = Finished(
        id=race,
        name=str(first.get("name") or race),
        date=started,
        game=game,
        track=track,
        board=_board_in(first),
        laps=laps,
        rules=tuple(rules),
    )
    return found, seats


def _board_in(first: Line) -> str | None:
    """What people call the board: by its file, else the circuit that the header names."""
    board, circuit = first.get("track_file"), first.get("circuit")
    if isinstance(board, dict):
        return EmbeddedTrack(board["toml"]).title(str(first.get("track")))
    return None if circuit is None else read_name(circuit, "the circuit")


def _seats(data: object, wanted: Sequence[int]) -> dict[int, Seat]:
    if not isinstance(data, list) or not all(isinstance(seat, dict) for seat in data):
        bad("seats-form", "the header has no list of seats")
    seats = {}
    for one in data:
        number = whole(one.get("seat"), "a seat", 1, MOST_CARS)
        name, player, team = (_name_in(one, key) for key in ("name", "player", "team"))
        crew = one.get("crew") or ()
        seats[number] = Seat(name, player, team, tuple(read_name(name, "crew") for name in crew))
    known = [one["seat"] for one in data]
    strangers = [seat for seat in wanted if seat not in known]
    if strangers or len(set(wanted)) != len(wanted):
        bad("result-seats", f"the result has seats {wanted}, the header {known}")
    return seats


def _name_in(seat: Line, key: str) -> str | None:
    return None if seat.get(key) is None else read_name(seat[key], f"the {key} of a seat")


def _rows(
    result: Sequence[Placing],
    seats: Mapping[int, Seat],
    names: Mapping[int, str],
    ends: Mapping[int, CarEnd],
    measured: Measured,
) -> tuple[Row, ...]:
    """A classification as rows, with all that the replay knows of the cars."""
    rows = []
    for placing in result:
        number = placing.seat
        seat, end = seats[number], ends.get(number, CarEnd())
        name = names.get(number) or f"Seat {number}"
        row = Row(
            seat=number,
            name=name,
            player=seat.player or name,
            place=placing.place,
            status=HOME.get(placing.status, "running"),
            team=seat.team,
            crew=seat.crew,
            points=placing.points,
            grid=end.grid,
            lap=end.lap,
            out=end.out if placing.status == "out" else None,
            best_lap=end.best_lap,
            numbers=measured.cars.get(number, {}),
        )
        rows.append(row)
    return tuple(rows)


def _note(line: Line) -> Note:
    return Note(id=0, text=str(line["note"]), by=str(line.get("by", "")))


# -- kept -----------------------------------------------------------------------------------------


PROGRAM: Final = f"{RULES_VERSION}.4"
"""Goes up with the rules, or when a record comes to other numbers."""
JSON = dict[str, Any]
USUAL: Final = asdict(Row(seat=0, name="\n"))  # no car has this seat or name
"""What is not kept of a row: there are many, and all are read whenever a league is opened."""


def examine(content: bytes, measure: Measure) -> Finished:
    """The race in the bytes of a record, its texts as every database can hold them.

    Raises:
        BadRecord: it is damaged or not finished; the line is named.
    """
    try:
        return _tidy(read_finished(parse_record(content), measure))
    except RecordError as error:
        raise BadRecord(error.line, error.message) from error
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError) as error:
        # Records come from outside: one that nobody has thought of is refused like any other.
        raise BadRecord(1, f"this makes no sense as a race: {error!r:.100}") from error


def came_of(content: bytes, measure: Measure) -> JSON:
    """What a record comes to, to be kept.

    Raises:
        BadRecord: as `examine`.
    """
    found = asdict(packed(examine(content, measure)))
    found["rows"] = list(map(_short, found["rows"]))
    found["earlier"] = [list(map(_short, rows)) for rows in found["earlier"]]
    return {**found, "measured": b64encode(found["measured"]).decode()}


def _short(row: JSON) -> JSON:
    return {name: value for name, value in row.items() if value != USUAL[name]}


def played(content: bytes, measure: Measure) -> str | None:
    """The same as text; None for one that is refused."""
    try:
        return json.dumps(came_of(content, measure), ensure_ascii=False)
    except BadRecord:
        return None


def from_json(data: JSON) -> Finished:
    """What was kept of a record."""
    own = {
        "rules": tuple(data["rules"]),
        "rows": tuple(map(read_row, data["rows"])),
        "earlier": tuple(tuple(map(read_row, rows)) for rows in data["earlier"]),
        "notes": tuple(Note(**note) for note in data["notes"]),
        "measured": b64decode(data["measured"]),
    }
    alike = {name: intern(text) for name in ("game", "track", "board") if (text := data[name])}
    return Finished(**{**data, **alike, **own})


def retold(text: str, tell: Callable[[Any], Any]) -> str:
    """What was kept of a record, with all its texts told otherwise."""
    data = json.loads(text)
    measured = json.loads(zlib.decompress(b64decode(data.pop("measured"))))
    told = b64encode(_pack(tell(measured))).decode()
    return json.dumps({**tell(data), "measured": told}, ensure_ascii=False)


def packed(found: Finished) -> Finished:
    """A race whose numbers, but for time trials, are in few bytes: there is much of them, and only
    the page of the race and what is counted once need them."""
    cars = {f"{row.seat}": row.numbers for row in found.rows}
    return replace(
        found,
        numbers=RaceNumbers(),
        rows=tuple(map(_bare, found.rows)),
        earlier=tuple(tuple(map(_bare, rows)) for rows in found.earlier),
        measured=_pack({"race": found.numbers, "cars": cars}),
    )


def _pack(told: JSON) -> bytes:
    return zlib.compress(json.dumps(told, ensure_ascii=False).encode(), 6)


def _bare(row: Row) -> Row:
    trial = row.numbers.get("trial")
    return replace(row, numbers=CarNumbers(trial=trial) if trial else NOTHING, measured=True)


def unpacked(content: bytes) -> tuple[RaceNumbers, Mapping[str, CarNumbers]]:
    """What was measured of a race, and of its cars by their seats."""
    told = json.loads(zlib.decompress(content))
    return told["race"], told["cars"]


def plain_text(text: str, most: int = LONGEST_NAME) -> str:
    """Text out of a record, which anybody may have written."""
    shown = "".join(letter if can_be_written(letter) else " " for letter in text)
    return " ".join(shown.split())[:most]


def _tidy(found: Finished) -> Finished:
    return replace(
        found,
        name=plain_text(found.name),
        date=plain_text(found.date),
        track=None if found.track is None else plain_text(found.track, LONGEST_TRACK),
        rows=_tidy_rows(found.rows),
        earlier=tuple(map(_tidy_rows, found.earlier)),
        notes=tuple(replace(one, text=plain_text(one.text, LONGEST_TEXT)) for one in found.notes),
    )


def _tidy_rows(rows: Sequence[Row]) -> tuple[Row, ...]:
    return tuple(
        replace(
            row,
            name=plain_text(row.name) or f"Seat {row.seat}",
            player=plain_text(row.player or "") or f"Seat {row.seat}",
            team=plain_text(row.team) if row.team else None,
            crew=tuple(dict.fromkeys(plain_text(name) or "?" for name in row.crew)),
        )
        for row in rows
    )
