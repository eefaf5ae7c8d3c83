"""What may be said to the table: commands as types, and the one reader of lines from outside.

Whatever comes in is a `Command` from here on. A seat's press means one already (`views.model`);
a line that is posted is read here, once. What a command may hold is read where it can be judged
without the table; the handlers judge the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from companion.rules.commands import (
    Answer,
    Correct,
    End,
    InRace,
    New,
    Retire,
    Return,
    Undo,
    read,
)
from companion.rules.errors import Illegal, Malformed, no_such_space
from companion.rules.games import KINDS
from companion.table import refusals
from companion.table.ports import JSON
from companion.views.model import (
    Agree,
    Intent,
    Language,
    Pause,
    Preset,
    Propose,
    SetUp,
    Start,
    TakeBack,
)
from companion.views.words import LANGUAGES

OURS_ONLY = ("at", "by", "result", "record", "quit", "state")
"""Keys that a line from outside must not have: the table writes them itself, or never."""
NOTE_LENGTH = 500
MOST_SHOWN = 100
GEARS = range(1, 7)


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence of the referee or the host, for the record."""

    text: str


@dataclass(frozen=True, slots=True)
class PreviewUndo:
    """What `Undo` would undo, and what would be asked then."""

    count: int


@dataclass(frozen=True, slots=True)
class Amend:
    """The answer `back` answers ago (1: the last) was this; `preview`: only what comes of it.

    With a `version` it is for that version alone. The race judges `back` and `version`.
    """

    back: object
    value: object
    version: object = None
    preview: bool = False


@dataclass(frozen=True, slots=True)
class AskedThen:
    """Which ask was answered so many answers ago; otherwise as `Amend`."""

    back: object
    version: object = None


@dataclass(frozen=True, slots=True)
class LastAnswers:
    """The answers that count, newest first, at most so many."""

    count: int


@dataclass(frozen=True, slots=True)
class Open:
    """A waiting race, by its name or id, comes back on the table."""

    race: str


@dataclass(frozen=True, slots=True)
class Close:
    """The race on the table is put away, to wait."""


@dataclass(frozen=True, slots=True)
class Boards:
    """A board was kept: the lobby looks again, also while a race runs."""


FromSeats = Intent
FromHost = New | End | Note | Open | Close | Boards
FromReferee = Undo | PreviewUndo | Amend | AskedThen | LastAnswers | Correct | Return
Command = FromSeats | FromHost | FromReferee


def pressed(intent: Intent, seat: int) -> Command:
    """The command of an intent that came from the buttons of a seat.

    >>> pressed(Preset(3), 2)
    Preset(gear=3, seat=2)
    >>> pressed(Answer(4, "black", 7), 2)
    Answer(seat=4, kind='black', value=7, version=None)
    """
    if isinstance(intent, Answer | Retire):
        return intent
    if isinstance(intent, Propose):
        return replace(intent, proposer=seat)
    return replace(intent, seat=seat)


def command_of(line: JSON) -> Command:
    """The command in a line from outside.

    Raises:
        Malformed: it has none, or is not of its form.
        Illegal: a gear that no car has.
    """
    for key in OURS_ONLY:
        if key in line:
            raise Malformed("unknown-key", f"a line has no {key!r}", args={"name": key})
    if "table" in line:
        return _word(line)
    for key, read_line in LINES.items():
        if key in line:
            return read_line(line)
    return _in_race(line)


def _in_race(line: JSON) -> InRace:
    command = read(line, KINDS)
    assert isinstance(command, InRace)  # all others have been read before, or are ours only
    return command


# -- lines -----------------------------------------------------------------------------------


def _new(line: JSON) -> New:
    header = line["new"]
    if not isinstance(header, dict):
        raise Malformed("header-form", f"a header is an object, not {header!r:.40}")
    return New(header)


def _note(line: JSON) -> Note:
    note = line["note"]
    if not isinstance(note, str) or not 1 <= len(note) <= NOTE_LENGTH:
        raise refusals.bad_value("note", note, f"1 to {NOTE_LENGTH} letters")
    return Note(note)


def _undo(line: JSON) -> Undo | PreviewUndo:
    undo = _in_race({"undo": line["undo"]})
    assert isinstance(undo, Undo)
    return PreviewUndo(undo.count) if line.get("preview") is True else undo


def _amend(line: JSON) -> Amend | AskedThen:
    back, version, preview = line["amend"], line.get("version"), line.get("preview") is True
    if preview and "value" not in line:
        return AskedThen(back, version)
    return Amend(back, line.get("value"), version, preview)


def _answers(line: JSON) -> LastAnswers:
    count = line["answers"]
    if type(count) is not int or not 1 <= count <= MOST_SHOWN:
        raise refusals.bad_value("answers", count, f"1 to {MOST_SHOWN}")
    return LastAnswers(count)


LINES: Mapping[str, Callable[[JSON], Command]] = {
    "new": _new,
    "note": _note,
    "undo": _undo,
    "amend": _amend,
    "answers": _answers,
}
"""The lines that are more than the engine's, by their keys."""


# -- words to the table ----------------------------------------------------------------------


def _word(line: JSON) -> Command:
    """A word to the table. The page, which is no seat, names the seat within its value."""
    word, seat, value = line["table"], line.get("seat"), line.get("value")
    if isinstance(value, dict) and "seat" in value:
        seat, value = value["seat"], value.get("value")
    if not isinstance(word, str):
        raise refusals.unknown_word(word)
    if seat is not None and type(seat) is not int:
        raise refusals.bad_value("seat", seat, "1 to 10")
    make = WORDS.get(word)
    return SetUp(word, value, seat) if make is None else make({**line, "value": value}, seat)


def _preset(line: JSON, seat: int | None) -> Preset:
    gear = line.get("gear")
    if gear is not None and (type(gear) is not int or gear not in GEARS):
        raise Illegal("no-such-gear", f"there is no gear {gear!r:.20}", args={"gear": gear})
    return Preset(gear, seat)


def _propose(line: JSON, seat: int | None) -> Propose:
    space = line.get("space")
    if not isinstance(space, str):
        raise no_such_space(space)
    if seat is None:
        raise refusals.bad_value("seat", seat, "1 to 10")
    return Propose(seat, space, line.get("from"))


def _open(line: JSON, seat: int | None) -> Open:
    if not isinstance(line["value"], str):
        raise refusals.no_such_race(line["value"])
    return Open(line["value"])


def _language(line: JSON, seat: int | None) -> Language:
    if not isinstance(line["value"], str) or line["value"] not in LANGUAGES:
        raise refusals.bad_value("language", line["value"], "one of " + ", ".join(LANGUAGES))
    return Language(line["value"], seat)


WORDS: Mapping[str, Callable[[JSON, int | None], Command]] = {
    "pause": lambda line, seat: Pause(True, seat),
    "resume": lambda line, seat: Pause(False, seat),
    "preset": _preset,
    "take-back": lambda line, seat: TakeBack(seat),
    "propose": _propose,
    "agree": lambda line, seat: Agree(line.get("yes") is True, seat),
    "open": _open,
    "close": lambda line, seat: Close(),
    "language": _language,
    "boards": lambda line, seat: Boards(),
    "start": lambda line, seat: Start(seat),
}
"""The words that the table knows; all others are for the lobby."""
