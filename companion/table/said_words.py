"""Words to the table itself (`{"table": WORD}`): a pause, a wish, a proposal, what lies on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.table import lobby as lobbies
from companion.table import propose, refusals, undo
from companion.table.desk import Desk
from companion.table.lobby_race import header_of
from companion.table.presets import preset_line
from companion.table.said import Said
from companion.views.words import LANGUAGES


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


def set_up(said: Said) -> dict[str, Any]:
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
