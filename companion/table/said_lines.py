"""Lines about a race that are more than the engine's: a new one, notes, undo, amendments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.table import refusals, stopwatch
from companion.table.amend import amend, last_answers, look
from companion.table.said import Said
from companion.table.secrecy import open_line

NOTE_LENGTH = 500


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
