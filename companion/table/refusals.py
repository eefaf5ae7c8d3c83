"""What the table refuses on its own account, before or beside the rules of the game.

`key` and `args` are translated where all refusals are (`views.words`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus

from companion.rules.errors import Illegal, Malformed, NoRace, Refusal, Stale
from companion.table.ports import JSON, Reply

STATUS_OF_CODE: Mapping[str, HTTPStatus] = {
    "malformed": HTTPStatus.BAD_REQUEST,
    "illegal": HTTPStatus.CONFLICT,
    "stale": HTTPStatus.CONFLICT,
    "no-race": HTTPStatus.CONFLICT,
}


class Forbidden(Illegal):
    """Understood and perhaps legal, but not for this caller to say."""


def status_of(error: Refusal) -> HTTPStatus:
    """The status that HTTP knows a refusal by."""
    return HTTPStatus.FORBIDDEN if isinstance(error, Forbidden) else STATUS_OF_CODE[error.code]


def reply(error: Refusal, asks: Sequence[JSON]) -> Reply:
    """A refusal as a reply of the engine protocol."""
    return Reply(status_of(error), {"ok": False, "error": error.as_json(), "asks": asks})


def not_yours(seat: int) -> Refusal:
    """This token is another seat's."""
    return Forbidden(
        "other-seat",
        f"this is for seat {seat}, the host or the referee to say",
        args={"seat": seat},
    )


def not_referee() -> Refusal:
    """Only with the PIN."""
    return Forbidden("not-referee", "this needs the referee's PIN")


def not_host() -> Refusal:
    """Only the first seat, or with the PIN."""
    return Forbidden("not-host", "this is for the host or the referee to say")


def paused() -> Refusal:
    """No answers while the race rests."""
    return Illegal("paused", "the race is paused; resume it first")


def no_race() -> Refusal:
    """The table is still being set up."""
    return NoRace("no-race", "there is no race on the table; start or open one")


def race_runs() -> Refusal:
    """Setting up is over."""
    return Illegal("race-runs", "a race is on the table; end it or put it away first")


def no_answer_of_yours(seat: int) -> Refusal:
    """The seat has given none, or all are taken back."""
    return Illegal(
        "nothing-to-take-back", f"seat {seat} has no answer to take back", args={"seat": seat}
    )


def acted_on(seat: int) -> Refusal:
    """The last answer of the seat has had a consequence that somebody answered."""
    return Illegal(
        "acted-on",
        f"somebody has acted on the last answer of seat {seat}; only the referee can undo it",
        args={"seat": seat},
    )


def turned_up() -> Refusal:
    """A secret answer that has come out: its seat knows the others' by now."""
    return Illegal("turned-up", "it has been turned up; only the referee can undo it")


def no_such_answer(back: object, given: int) -> Refusal:
    """An amendment of what was never answered."""
    return Malformed(
        "no-such-answer",
        f"amend must be 1 to {given} answers back, not {back!r:.40}",
        args={"back": f"{back!r:.40}", "given": given},
    )


def gone_on(version: object, now: int) -> Refusal:
    """Said of a version that is not the latest."""
    return Stale(
        "stale",
        f"the race has gone on: it is at version {now}, not {version!r:.40}",
        args={"version": f"{version!s:.40}", "since": now},
    )


def not_an_answer() -> Refusal:
    """An amendment of a referee's line."""
    return Illegal("not-an-answer", "that line is the referee's, not an answer; undo it instead")


def needs_another(seat: int) -> Refusal:
    """Who says where a car stands cannot also be the one who agrees."""
    return Forbidden(
        "needs-another-seat", f"another seat than {seat} must agree", args={"seat": seat}
    )


def no_proposal() -> Refusal:
    """Nothing waits for agreement."""
    return Illegal("no-proposal", "nothing waits for an agreement")


def no_such_race(name: object) -> Refusal:
    """No race waits under that name."""
    return Malformed("no-such-race", f"no race {name!r:.80} waits", args={"race": f"{name!s:.80}"})


def broken_race(trouble: str) -> Refusal:
    """A race waits that this program cannot go on with."""
    return Illegal("broken-race", trouble, args={"trouble": trouble})


def unknown_word(word: object) -> Refusal:
    """A word to the table that it does not know."""
    return Malformed(
        "unknown-word",
        f"the table does not know the word {word!r:.40}",
        args={"word": f"{word!s:.40}"},
    )


def bad_value(word: str, value: object, accepted: str) -> Refusal:
    """A word that the table knows, with a value that it does not take."""
    return Malformed(
        "bad-value",
        f"{word} must be {accepted}, not {value!r:.80}",
        args={"word": word, "value": f"{value!s:.80}"},
    )


def not_at_the_table(game: str, known: Sequence[str]) -> Refusal:
    """A game that has no screens yet, or that is none."""
    names = ", ".join(known)
    return Malformed(
        "not-at-the-table",
        f"the table plays {names}, not {game!r:.40}",
        args={"game": f"{game:.40}", "names": names},
    )


def seat_lacks(name: str, key: str) -> Refusal:
    """Somebody has not chosen what the rules of the race to be ask of every seat."""
    if key == "team":
        return Illegal("lacks-team", f"{name} has not chosen a team yet", args={"name": name})
    return Illegal("lacks-driver", f"{name} has not chosen a driver yet", args={"name": name})


def stale_picture() -> Refusal:
    """The key has changed its meaning since the picture that it was read from."""
    return Stale("stale-picture", "this key has changed since; look again")


def out_of_order(trouble: str) -> Reply:
    """The disk failed: nothing has been accepted, and the sentence says what to do."""
    return _failed(HTTPStatus.SERVICE_UNAVAILABLE, "storage", trouble)


def our_fault() -> Reply:
    """The program failed; its log says where."""
    sentence = "the companion has a fault of its own there; nothing was accepted"
    return _failed(HTTPStatus.INTERNAL_SERVER_ERROR, "fault", sentence)


def _failed(status: HTTPStatus, key: str, trouble: str) -> Reply:
    args = {"trouble": trouble}
    error = {"code": "illegal", "rule": None, "key": key, "args": args, "message": trouble}
    return Reply(status, {"ok": False, "error": error, "asks": []})
