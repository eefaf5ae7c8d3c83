"""What is said at the table, and what comes of it.

`handle` takes what a caller says and gives the reply; a refusal changes nothing. What kind of
line it is decides one table of functions or the other; every one of them ends in a line that
a race or the desk folds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.rules.errors import Malformed, Refusal
from companion.table import lobby as lobbies
from companion.table import propose, refusals, steward, stopwatch, undo
from companion.table.amend import amend, last_answers, look
from companion.table.desk import Desk
from companion.table.lobby_race import header_of
from companion.table.ports import JSON, By, Caller, Reply
from companion.table.presets import answer_presets, preset_line
from companion.table.race import Race
from companion.table.secrecy import open_line
from companion.views.words import LANGUAGES

NOTE_LENGTH = 500
OURS_ONLY = ("at", "by", "result", "record", "quit", "state")
"""Keys that a line from outside must not have: the table writes them itself, or never."""


class Said:
    """One line, who said it, and when: what every function below is given."""

    __slots__ = ("at", "by", "caller", "desk", "line")

    def __init__(self, desk: Desk, line: JSON, caller: Caller, at: float) -> None:
        self.desk = desk
        self.line = line
        self.caller = caller
        self.at = at
        self.by: By = steward.said_by(caller, line.get("seat"), desk.host)

    @property
    def race(self) -> Race:
        """The race on the table.

        Raises:
            NoRace: there is none.
        """
        if self.desk.race is None:
            raise refusals.no_race()
        return self.desk.race

    @property
    def seat(self) -> int:
        """The seat that the line is about.

        Raises:
            Malformed: it names none of the race.
        """
        seat = self.line.get("seat")
        if seat not in self.race.seats:
            raise refusals.bad_value("seat", seat, f"one of {sorted(self.race.seats)}")
        assert isinstance(seat, int)
        return seat

    def say(self, line: JSON) -> dict[str, Any]:
        """Fold a line into the race, with what then follows by itself: a time, early gears."""
        reply = self.race.say(line, by=self.by, at=self.at)
        if reply["ok"]:
            stopped = stopwatch.stop(self.race, line, self.at)
            reply = {**reply, "events": [*reply["events"], *stopped]}
        return self.follow(reply)

    def follow(self, reply: dict[str, Any]) -> dict[str, Any]:
        """An accepted reply, with what follows by itself."""
        if not reply["ok"]:
            return reply
        race = self.race
        events = [*reply["events"], *answer_presets(race, self.at)]
        return {**reply, "version": race.engine.version, "events": events, "asks": race.asks}


def handle(desk: Desk, caller: Caller, line: JSON, at: float, *, pressed: bool = False) -> Reply:
    """Carry out what a caller says, or refuse it and change nothing.

    Args:
        at: seconds on the table's clock.
        pressed: it was pressed on the caller's own screen, which offers stewards the others'
            asks; a line that is sent otherwise speaks for the caller's seat only.
    """
    try:
        told = plain(line)
        free = steward.free_seats(desk.race.state, told) if pressed and desk.race else ()
        steward.check_may_say(caller, told, desk.host, free)
        return refusals.reply_of(_carry_out(Said(desk, told, caller, at)))
    except Refusal as refusal:
        return refusals.refuse(refusal, desk.asks)


def plain(line: JSON) -> dict[str, Any]:
    """A line from outside in the form that it has inside.

    The page, which is no seat, names the seat of a word within its value.

    >>> plain({"table": "join", "value": {"seat": 3, "value": "Ana"}})
    {'table': 'join', 'value': 'Ana', 'seat': 3}

    Raises:
        Malformed: it has a key that only the table itself writes.
    """
    for key in OURS_ONLY:
        if key in line:
            raise Malformed("unknown-key", f"a line has no {key!r}", args={"name": key})
    told = dict(line)
    value = told.get("value")
    if "table" in told and isinstance(value, dict) and "seat" in value:
        told.update(seat=value["seat"], value=value.get("value"))
    return told


def _carry_out(said: Said) -> dict[str, Any]:
    line = said.line
    if "table" in line:
        word = line["table"]
        work = WORDS.get(word, _set_up) if isinstance(word, str) else _set_up
        return work(said)
    for key, work in LINES.items():
        if key in line:
            return work(said)
    if said.race.paused and steward.REFEREE_LINES.isdisjoint(line):
        raise refusals.paused()
    return said.say(line)


# -- lines ---------------------------------------------------------------------------------


def _new(said: Said) -> dict[str, Any]:
    return said.desk.start(said.line["new"])


def _note(said: Said) -> dict[str, Any]:
    note = said.line["note"]
    if not isinstance(note, str) or not 1 <= len(note) <= NOTE_LENGTH:
        raise refusals.bad_value("note", note, f"1 to {NOTE_LENGTH} letters")
    return said.race.say({"note": note}, by=said.by, at=said.at)


def _undo(said: Said) -> dict[str, Any]:
    """Undo by the referee; with `preview` only what would be undone, and what would be asked."""
    line = {"undo": said.line["undo"]}
    if said.line.get("preview") is not True:
        return said.say(line)
    trial = said.desk.trial(said.race)
    given = [{"by": one.by, **open_line(trial, at)} for at, one in enumerate(trial.given)]
    reply = trial.say(line, by=said.by, at=said.at)
    if not reply["ok"]:
        return reply
    return {**said.race.reply(), "asks": trial.asks, "undone": given[len(trial.given) :]}


def _amend(said: Said) -> dict[str, Any]:
    """Amend an answer; with `preview` only what would come of it. With a version the line is
    for that version alone, as answers are counted from the end."""
    line, race = said.line, said.race
    if line.get("version", race.engine.version) != race.engine.version:
        raise refusals.gone_on(line["version"], race.engine.version)
    trial = said.desk.trial(race)
    if line.get("preview") is True:
        return {**race.reply(), **look(trial, line, by=said.by, at=said.at)}
    reply = amend(trial, line["amend"], line.get("value"), by=said.by, at=said.at)
    if not reply["ok"]:
        return {**reply, "asks": race.asks}
    stopwatch.keep_start(race, trial, said.at)
    said.desk.race = trial
    return said.follow(reply)


def _answers(said: Said) -> dict[str, Any]:
    return {**said.race.reply(), "answers": last_answers(said.race, said.line["answers"])}


LINES: Mapping[str, Callable[[Said], dict[str, Any]]] = {
    "new": _new,
    "note": _note,
    "undo": _undo,
    "amend": _amend,
    "answers": _answers,
}
"""The lines that are more than the engine's; all others are said as they are."""


# -- words ---------------------------------------------------------------------------------


def _pause(said: Said) -> dict[str, Any]:
    said.race.say({"table": said.line["table"]}, by=said.by, at=said.at)
    return said.race.reply()


def _preset(said: Said) -> dict[str, Any]:
    line = preset_line(said.race, said.seat, said.line.get("gear"))
    return said.say(line)


def _take_back(said: Said) -> dict[str, Any]:
    if said.race.paused:
        raise refusals.paused()
    reply = undo.take_back(said.race, said.seat, by=said.by, at=said.at)
    return said.follow(reply)


def _propose(said: Said) -> dict[str, Any]:
    """Kept until another seat agrees; one that could never be carried out is refused now.

    On a board that is a sketch an end near the listed ones is an answer like any other.
    """
    near = propose.near_end(said.race, said.seat, said.line.get("space"))
    if near is not None:
        return said.say(near)
    proposer = said.line.get("from", said.caller.seat)
    line = propose.proposal_line(said.race, said.seat, said.line.get("space"), proposer)
    trial = said.desk.trial(said.race)
    trial.say(line, by=said.by, at=said.at)
    assert trial.proposal is not None
    tried = trial.say(propose.correction(trial, trial.proposal), by=said.by, at=said.at)
    return said.say(line) if tried["ok"] else {**tried, "asks": said.race.asks}


def _agree(said: Said) -> dict[str, Any]:
    proposal = said.race.proposal
    if proposal is None:
        raise refusals.no_proposal()
    if said.line.get("yes") is not True:
        return said.say({"table": "drop"})
    if not said.caller.referee:
        for seat in (proposal["seat"], proposal["from"]):
            if seat in (said.caller.seat, said.line.get("seat")):
                raise refusals.needs_another(seat)
    return said.say(propose.correction(said.race, proposal))


def _close(said: Said) -> dict[str, Any]:
    reply = said.race.reply()
    said.desk.put_away()
    return {**reply, "asks": []}


def _open(said: Said) -> dict[str, Any]:
    said.desk.resume(said.line.get("value"))
    return said.race.reply()


def _language(said: Said) -> dict[str, Any]:
    language, seat = said.line.get("value"), said.line.get("seat")
    if not isinstance(language, str) or language not in LANGUAGES:
        raise refusals.bad_value("language", language, "one of " + ", ".join(LANGUAGES))
    if seat not in lobbies.SEATS:
        raise refusals.bad_value("seat", seat, "1 to 10")
    said.desk.log({"table": "language", "seat": seat, "value": language})
    return _quietly(said.desk)


def _start(said: Said) -> dict[str, Any]:
    """The race that the lobby has set up."""
    if said.desk.race is not None and not said.desk.race.is_finished:
        raise refusals.race_runs()
    return said.desk.start(header_of(said.desk.lobby))


def _set_up(said: Said) -> dict[str, Any]:
    """A word to the lobby; a race that is over makes room for it."""
    desk, word = said.desk, said.line["table"]
    if not isinstance(word, str):
        raise refusals.unknown_word(word)
    told: dict[str, Any] = {
        "table": word,
        "seat": said.line.get("seat"),
        "value": said.line.get("value"),
    }
    if desk.race is not None:
        if not desk.race.is_finished:
            raise refusals.race_runs()
        lobbies.act(desk.fresh_lobby(), word, told["seat"], told["value"])
        desk.put_away()
    desk.log(told)
    return _quietly(desk)


def _boards(said: Said) -> dict[str, Any]:
    """A board was kept: the lobby looks at the shelf again, also while a race runs."""
    said.desk.log({"table": "boards"})
    return _quietly(said.desk)


def _quietly(desk: Desk) -> dict[str, Any]:
    return {"ok": True, "version": desk.version, "events": [], "asks": desk.asks}


WORDS: Mapping[str, Callable[[Said], dict[str, Any]]] = {
    "pause": _pause,
    "resume": _pause,
    "preset": _preset,
    "take-back": _take_back,
    "propose": _propose,
    "agree": _agree,
    "open": _open,
    "close": _close,
    "language": _language,
    "boards": _boards,
    "start": _start,
}
"""The words that the table knows; all others are for the lobby."""
