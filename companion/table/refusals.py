"""What the table refuses on its own account, before or beside the rules of the game.

A refusal has its sentence here; key and arguments are translated where all are (`views.words`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from errno import EDQUOT, ENOSPC
from http import HTTPStatus

from companion.rules.errors import Illegal, Malformed, NoRace, Refusal, Stale
from companion.table.ports import Line, Reply, StorageError, Trouble

STATUS_OF_CODE: Mapping[str, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "illegal": HTTPStatus.CONFLICT,
    "stale": HTTPStatus.CONFLICT,
    "no-race": HTTPStatus.CONFLICT,
}
LONGEST = 80
"""Letters of a text from outside that are told again."""


class Forbidden(Illegal):
    """Understood and perhaps legal, but not for this caller to say."""


class NotKept(Illegal):
    """Legal, but the disk did not take it; nothing has changed, and the table goes on."""


_SENTENCES: Mapping[str, tuple[type[Refusal], str]] = {
    "other-seat": (Forbidden, "this is for seat {seat}, the host or the referee to say"),
    "no-seat-yet": (Forbidden, "take a seat first: this key opens one and nothing else"),
    "not-referee": (Forbidden, "this needs the referee's PIN"),
    "not-host": (Forbidden, "this is for the host or the referee to say"),
    "needs-another-seat": (Forbidden, "another seat than {seat} must agree"),
    "no-race": (NoRace, "there is no race on the table; start or open one"),
    "race-runs": (Illegal, "a race is on the table; end it or put it away first"),
    "not-switched": (Illegal, "the computer cannot be switched from here"),
    "paused": (Illegal, "the race is paused; resume it first"),
    "not-running": (Illegal, "the car of seat {seat} does not run"),
    "no-such-gear": (Illegal, "there is no gear {gear!r:.20}"),
    "gear-puts-out": (Illegal, "gear {gear} would put the car out now; choose again"),
    "nothing-to-take-back": (Illegal, "seat {seat} has no answer to take back"),
    "acted-on": (
        Illegal,
        "somebody has acted on the last answer of seat {seat}; only the referee can undo it",
    ),
    "rolled-since": (Illegal, "another seat has rolled since seat {seat} did; undo or amend it"),
    "turned-up": (Illegal, "it has been turned up; only the referee can undo it"),
    "face-down": (Forbidden, "what seat {seat} holds lies face down: only its own link may ask"),
    "thrown-die": (Illegal, "the companion threw that die; what it shows stands"),
    "not-an-answer": (Illegal, "that line is the referee's, not an answer; undo it instead"),
    "no-such-answer": (Malformed, "amend must be 1 to {given} answers back, not {back}"),
    "stale": (Stale, "the race has gone on: it is at version {since}, not {version}"),
    "stale-picture": (Stale, "this key has changed since; look again"),
    "no-proposal": (Illegal, "nothing waits for an agreement"),
    "no-such-race": (Malformed, "no race {race!r:.80} waits"),
    "broken-race": (Illegal, "{trouble}"),
    "unknown-key": (Malformed, "a line has no {name!r}"),
    "unknown-word": (Malformed, "the table does not know the word {word!r:.40}"),
    "not-at-the-table": (Malformed, "the table plays {names}, not {game!r:.40}"),
    "not-joined": (Illegal, "seat {seat} has not joined"),
    "no-last-race": (Illegal, "there was no race before this one"),
    "name-taken": (Illegal, "{name!r} sits here already"),
    "no-free-seat": (Illegal, "all ten seats are taken"),
    "not-open": (Illegal, "no rule that is on asks for a {key}"),
    "bots-need": (Illegal, "with a bot that is {value!r}; take the bot out first"),
    "nobody-joined": (Illegal, "nobody has joined; press any button of a seat to join"),
    "so-many-play": (Illegal, "this is played by {low} to {high}, not by {players}"),
    "lacks-team": (Illegal, "{name} has not chosen a team yet"),
    "lacks-driver": (Illegal, "{name} has not chosen a driver yet"),
}


def refused(key: str, /, **args: object) -> Refusal:
    """The refusal of this key, to be raised; long texts among its arguments are cut."""
    kind, sentence = _SENTENCES[key]
    return kind(key, sentence.format(**args), args={name: _cut(one) for name, one in args.items()})


def disk_fails(trouble: Trouble) -> Refusal:
    """What every seat reads while the disk does not serve."""
    return Illegal(trouble.key, str(trouble))


def not_kept(name: str, error: OSError) -> NotKept:
    """A file of this name could not be written."""
    is_full = error.errno in (ENOSPC, EDQUOT)
    why = "the disk is full" if is_full else f"the disk does not serve ({error.strerror or error})"
    message = f"{why}: {name!r:.60} was not kept; make room on it and try again"
    return NotKept("disk-full" if is_full else "storage", message)


def bad_value(word: str, value: object, accepted: str) -> Refusal:
    """A word that the table knows, with a value that it does not take."""
    message = f"{word} must be {accepted}, not {value!r:.80}"
    return Malformed("bad-value", message, args={"word": word, "value": f"{value!s:.80}"})


def _cut(value: object) -> object:
    return value if isinstance(value, int) else f"{value!s:.{LONGEST}}"


def status_of(error: Refusal) -> HTTPStatus:
    """The status that HTTP knows a refusal by."""
    if isinstance(error, NotKept):
        return HTTPStatus.SERVICE_UNAVAILABLE
    return HTTPStatus.FORBIDDEN if isinstance(error, Forbidden) else STATUS_OF_CODE[error.code]


def reply(error: Refusal, asks: Sequence[Line]) -> Reply:
    """A refusal as a reply of the engine protocol."""
    return Reply(status_of(error), {"ok": False, "error": error.as_json(), "asks": asks})


def out_of_order(trouble: StorageError) -> Reply:
    """The disk failed: nothing has been accepted, and the sentence says what to do."""
    return _failed(HTTPStatus.SERVICE_UNAVAILABLE, trouble.key, str(trouble))


def our_fault() -> Reply:
    """The program failed; its log says where."""
    sentence = "the companion has a fault of its own there; nothing was accepted"
    return _failed(HTTPStatus.INTERNAL_SERVER_ERROR, "fault", sentence)


def _failed(status: HTTPStatus, key: str, trouble: str) -> Reply:
    args = {"trouble": trouble}
    error = {"code": "illegal", "rule": None, "key": key, "args": args, "message": trouble}
    return Reply(status, {"ok": False, "error": error, "asks": []})
