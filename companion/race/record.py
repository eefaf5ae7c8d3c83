"""The race record: one race in JSON Lines, whole enough to be played again anywhere.

The first line is the header of the race with the track file it was run on; then comes a line
an answer as in the engine protocol, with `at` (seconds) and `by` (who gave it); undo and
referee lines, notes and pauses in their places; and a last line with the result. The running
table's journal keeps the same lines, so that a journal is replayed by the same functions.

A record outlives the program that wrote it. Where today's rules refuse one of its lines,
`replay` names that line and the rule; the result that was recorded stays what it is.

Dice that the companion throws come from a secret seed. At the start the header has its SHA-256, at
the end the record has the seed itself, so that everybody can check every throw (`audit`).
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any, Final, Protocol

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.board.build import load_track
from companion.rules.board.track import Track
from companion.rules.game import Ask
from companion.rules.lines import Line, Malformed
from companion.rules.packs import Dice, part
from companion.system.host import write_whole

JSON = Mapping[str, Any]
RECORD_VERSION = 1
RULES_VERSION = 1
"""Goes up with every change after which a record could replay to another state."""
OWN_KEYS = ("record", "id", "name", "started", "rules_version", "track_file")
"""What the first line has besides HEADER."""


class RecordError(Exception):
    """A record that cannot be replayed to its end.

    `line` counts from 1; `rule` is the id of the rule that no longer holds, or None; `result`
    is the recorded one, None where the record ends before it.
    """

    def __init__(
        self, line: int, message: str, *, rule: str | None = None, result: object = None
    ) -> None:
        super().__init__(f"line {line}: {f'{rule}: ' if rule else ''}{message}")
        self.line = line
        self.rule = rule
        self.message = message
        self.result = result


class Player(Protocol):
    """What a replay needs of the engine."""

    def handle(self, line: dict[str, object]) -> JSON:
        """A reply of the engine protocol."""

    def state(self) -> Line | None:
        """STATE of the engine protocol."""


class EmbeddedTrack(TrackLibrary):
    """The one board that a record carries with it, compiled once, whatever the folders have now."""

    def __init__(self, text: str) -> None:
        super().__init__(folders=())
        self._text = text
        self._track: Track | None = None

    def text(self, name: object) -> str:
        """The embedded text, for any name."""
        return self._text

    def load(self, name: object) -> Track:
        """The embedded board, for any name."""
        if self._track is None:
            self._track = load_track(self._text)
        return self._track


def make_header(
    header: Line, *, race: str, name: str, started: str, track_text: str | None
) -> dict[str, object]:
    """The first line of a record: HEADER, what identifies the race, and its board.

    Args:
        started: ISO 8601, as far as the computer's clock can be believed.
        track_text: the whole track file; None for a race without a board.
    """
    board = None
    if track_text is not None:
        digest = hashlib.sha256(track_text.encode("utf-8")).hexdigest()
        board = {"sha256": digest, "toml": track_text}
    own = {
        "record": RECORD_VERSION,
        "id": race,
        "name": name,
        "started": started,
        "rules_version": RULES_VERSION,
        "track_file": board,
    }
    # A header cannot bring keys of ours along and pass for another race.
    return {**own, **{key: value for key, value in header.items() if key not in own}}


def name_in(entry: JSON) -> str:
    """The name in a header's entry of a seat; without one its number, as its screen has it."""
    return str(entry.get("name") or entry["seat"])


GONE: Final = {
    "build_least": "1",
    "debris_swept": "never",
    "fast_stop": "half",
    "mandatory_tires": "any",
    "red_flag": "off",
    "time_bank": "10",
    "wing": "none",
}
"""Switches of before that nobody's book played, with the value at which a race is played today."""


def header_of(first: Line) -> dict[str, object]:
    """HEADER of the engine protocol out of a first line.

    Switches that are gone since are left out, as far as they said what is played today.
    """
    header = {key: value for key, value in first.items() if key not in OWN_KEYS}
    house = header.get("house")
    if isinstance(house, dict) and not GONE.keys().isdisjoint(house):
        header["house"] = {name: v for name, v in house.items() if not _is_as_today(name, v)}
    return header


def _is_as_today(name: str, value: object) -> bool:
    return name in GONE and GONE[name] == ("off" if value is False else value)


def gone_switches(first: Line) -> list[str]:
    """The house switches of a first line, and of its pack, that no race is played by any more."""
    header = header_of(first)
    house, pack = header.get("house"), header.get("pack")
    text = str(pack.get("toml")) if isinstance(pack, dict) else ""
    said = {*(house if isinstance(house, dict) else ()), *re.findall(r"(?m)^\s*(\w+)\s*=", text)}
    return [name for name in GONE if name in said]


def seats_of(lines: Sequence[Line]) -> list[Line]:
    """The seats of a race: those of the header, then who came late and was not undone."""
    given = [line for line in map(engine_line, lines[1:]) if line is not None]
    kept: list[Line] = []
    for line in given:
        if isinstance(count := line.get("undo"), int):
            del kept[-count:]
        else:
            kept.append(line)
    late = [entry for line in kept if isinstance(entry := line.get("join"), dict)]
    seats = lines[0].get("seats")
    return [*(seats if isinstance(seats, list) else ()), *late]


def without_names(lines: Sequence[Line]) -> list[Line]:
    """A record that plays as it did, with nobody's name: seats are called by their numbers.

    >>> lines = [{"id": "a", "seats": [{"seat": 1, "name": "Ana"}]}, {"note": "Ana was late"}]
    >>> without_names(lines)
    [{'id': 'a', 'seats': [{'seat': 1, 'name': 'Seat 1'}], 'name': ''}, {'note': 'Seat 1 was late'}]
    """
    names = {name_in(entry): f"Seat {entry['seat']}" for entry in seats_of(lines)}
    # The longest first: Ann must not be taken out of Anna. Only where people are named or write:
    # somebody may be called Red, as a car's color is.
    wanted = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))

    def nameless(entry: JSON) -> dict[str, object]:
        return {**entry, "name": f"Seat {entry['seat']}"}

    def clean(line: Line) -> Line:
        if isinstance(line.get("note"), str) and names:
            note = re.sub(rf"\b(?:{wanted})\b", lambda found: names[found[0]], str(line["note"]))
            return {**line, "note": note}
        if isinstance(entry := line.get("join"), dict):
            return {**line, "join": nameless(entry)}
        return line

    first = {**lines[0], "name": "", "seats": list(map(nameless, seats_of(lines[:1])))}
    return [first, *map(clean, lines[1:])]


def tracks_of(first: JSON) -> TrackLibrary:
    """The board that a first line carries; for a race without one, all that there are."""
    board = first.get("track_file")
    return EmbeddedTrack(board["toml"]) if board else TrackLibrary()


NOTE_KEYS = ("at", "by")
"""What a line has besides the line of the engine protocol."""
NOT_PLAYED = ("note", "result", "seed", "table")
"""Lines that are not given to the engine."""


def engine_line(line: Line) -> dict[str, object] | None:
    """The line of the engine protocol in a line of a record; None: the engine has no part in it.

    >>> engine_line({"at": 3.5, "by": "phone", "seat": 2, "gear": 1})
    {'seat': 2, 'gear': 1}
    """
    if any(key in line for key in NOT_PLAYED):
        return None
    return {key: value for key, value in line.items() if key not in NOTE_KEYS}


PAUSES = ("pause", "resume")
"""The words to the table that a record has: what of its times is no playing time."""


def recorded(lines: Sequence[Line]) -> list[Line]:
    """The lines of a journal that belong into the record.

    That is all but the words to the table that are no pause, and results (with the seed before
    them) that were undone again.
    """
    kept = [line for line in lines if line.get("table", PAUSES[0]) in PAUSES]
    # By identity: a result that was undone and came again reads the same.
    last = [id(line) for line in kept[-2:]]
    return [line for line in kept if not ("result" in line or "seed" in line) or id(line) in last]


def result_of(state: Line) -> object:
    """The result that a finished state ends its record with."""
    return state["classification"]


def play(engine: Player, lines: Sequence[Line]) -> None:
    """Give an engine all the lines of a record, the first one included.

    Raises:
        RecordError: a line is refused, or the end is not the recorded result.
    """
    result = next((line["result"] for line in reversed(lines) if "result" in line), None)
    for number, line in enumerate(lines, 1):
        given: dict[str, object] | None = engine_line(line)
        if number == 1:
            given = {"new": header_of(line)}
        if given is None:
            continue
        if number == 1 and (gone := gone_switches(line)):
            message = f"the house switch {gone[0]} is gone: no race is played by it any more"
            raise RecordError(number, message, result=result)
        reply = engine.handle(given)
        if not reply["ok"]:
            error = reply["error"]
            raise RecordError(number, error["message"], rule=error["rule"], result=result)
    if result is not None and "result" in lines[-1]:
        _check_result(engine, result, len(lines))


def replay(lines: Sequence[JSON]) -> Engine:
    """An engine that has played a record to its end, on the board that it carries.

    Raises:
        RecordError: a line is refused, or the end is not the recorded result.
    """
    engine = Engine(tracks_of(lines[0]))
    play(engine, lines)
    return engine


def _check_result(engine: Player, result: object, line: int) -> None:
    state = engine.state() or {}
    if state.get("classification") != result:
        message = "today's rules come to another result than the recorded one"
        raise RecordError(line, message, result=result)


def read_record(path: Path) -> list[JSON]:
    """The lines of a record file.

    Raises:
        RecordError: a line is no JSON object, or the first one is no header of ours.
        OSError: the file cannot be read.
    """
    return parse_record(path.read_bytes())


def parse_record(content: bytes) -> list[JSON]:
    """The lines of a record as they stand in its file.

    Raises:
        RecordError: as `read_record`.
    """
    texts = content.splitlines()
    lines = [_parse(number, text) for number, text in enumerate(texts, 1)]
    if not lines or "record" not in lines[0]:
        raise RecordError(1, 'this is no race record: its first line has no "record"')
    if lines[0]["record"] != RECORD_VERSION:
        raise RecordError(
            1, f"record format {lines[0]['record']!r} is not known; accepted is {RECORD_VERSION}"
        )
    _check_board(lines[0])
    return lines


def _parse(number: int, text: bytes) -> JSON:
    try:
        line = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RecordError(number, f"no JSON: {error}") from error
    if not isinstance(line, dict):
        raise RecordError(number, f"a JSON object is wanted, not {text[:40]!r}")
    return line


def _check_board(first: JSON) -> None:
    """The embedded board is the one that was played on, and can be compiled."""
    board = first.get("track_file")
    if board is None:
        return
    if not isinstance(board, dict) or not isinstance(board.get("toml"), str):
        raise RecordError(1, '"track_file" must have the text of the board in "toml"')
    if hashlib.sha256(board["toml"].encode("utf-8")).hexdigest() != board.get("sha256"):
        raise RecordError(1, "the board has been changed since: its sha256 does not fit")
    try:
        load_track(board["toml"])
    except Malformed as error:
        raise RecordError(1, error.message) from error


def write_record(path: Path, lines: Iterable[Line]) -> None:
    """Write a record whole or not at all; on return it is on disk under its name.

    Raises:
        OSError: it could not be written; a file of that name is as it was.
    """
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    write_whole(path, text.encode())


# -- dice that the companion throws ---------------------------------------------------------------

BYTES: Final = 32
"""Of a seed."""


def digest(seed: str) -> str:
    """The SHA-256 of a seed in hexadecimal, which the header has."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def throw(seed: str, answers: int, ask: Ask, sides: Sequence[int]) -> int:
    """The side that comes up after so many answers.

    It is drawn from the seed, the number of answers before it, the seat and the kind of its ask, so
    that taking an answer back and giving it again throws the same: nobody can throw until it suits.
    The dice of the box have some faces more than once, so what is drawn is a side (FD-DIE-1). Every
    side is equally likely.
    """
    # A byte above the last whole multiple of the sides is passed over: it would favour low ones.
    limit = 256 - 256 % len(sides)
    for again in count():
        words = f"{answers} {ask.seat} {ask.kind} {again}".encode()
        for byte in hmac.digest(bytes.fromhex(seed), words, "sha256"):
            if byte < limit:
                return sides[byte % len(sides)]
    raise AssertionError("there is always another draw")


def audit(lines: Sequence[JSON]) -> int:
    """How many throws of the companion a record has; all of them are what its seed gives.

    Raises:
        RecordError: it has no seed, another seed than at its start, or another face somewhere.
    """
    header = header_of(lines[0])
    dice = part(header)[1].dice
    if dice is None or dice.sha256 is None:
        raise RecordError(1, "the companion threw no dice in this race")
    seed = next((str(line["seed"]) for line in lines if "seed" in line), None)
    if seed is None:
        raise RecordError(len(lines), "the seed is missing: the record ends before its result")
    if not _is_seed(seed) or digest(seed) != dice.sha256:
        raise RecordError(len(lines), "the seed is not the one that the race began with")
    engine, thrown = Engine(tracks_of(lines[0])), 0
    engine.handle({"new": header})
    for number, line in enumerate(lines[1:], 2):
        given = engine_line(line)
        if given is None:
            continue
        thrown += _check(engine, seed, dice, number, line)
        engine.handle(given)
    return thrown


def _is_seed(seed: str) -> bool:
    try:
        return len(bytes.fromhex(seed)) == BYTES
    except ValueError:
        return False


def _check(engine: Engine, seed: str, dice: Dice, number: int, line: Any) -> int:
    """1 for a line that is a throw as it should be, 0 for any other line."""
    ask = next((a for a in engine.open if a.seat == line.get("seat") and a.kind in line), None)
    sides = None if ask is None or not dice.throws_for(ask.seat) else ask.sides
    if ask is None or sides is None:
        return 0
    wanted = throw(seed, len(engine.accepted), ask, sides)
    if line[ask.kind] != wanted:
        message = f"seat {ask.seat} has {line[ask.kind]!r:.20} where the seed throws {wanted}"
        raise RecordError(number, message)
    return 1
