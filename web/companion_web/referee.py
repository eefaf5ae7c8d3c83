"""The referee's posts: one address a word, the body as in the engine protocol."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, request

from companion.table.ports import JSON, TablePort
from companion_web.api import reply_table
from companion_web.bodies import read_object
from companion_web.guard import Guard
from companion_web.problems import malformed

Line = dict[str, Any]


def blueprint(table: TablePort, guard: Guard) -> Blueprint:
    """The routes under `/api/referee/`."""
    referee = Blueprint("referee", __name__, url_prefix="/api/referee")

    @referee.post(f"/<any({', '.join(WORDS)}):word>")
    def submit(word: str) -> Response:
        caller = guard.referee(request)
        return reply_table(table.submit(caller, parse_referee(word, read_object(request))))

    return referee


def parse_referee(word: str, body: JSON) -> Line:
    """The line for the table that a referee's post means.

    >>> parse_referee("retire", {"seat": 2, "reason": "had to leave"})
    {'seat': 2, 'reason': 'had to leave', 'retire': True}

    Raises:
        Problem: 400 for a body that says something else than its address.
    """
    keys, make = WORDS[word]
    strange = sorted(set(body) - keys)
    if strange:
        raise malformed("bad-referee", f"{word} does not take {strange[0]!r}", word=word)
    return make(body)


def _with_own_key(word: str) -> Callable[[JSON], Line]:
    """The body must hold the word itself (`{"undo": 2}`)."""

    def make(body: JSON) -> Line:
        if word not in body:
            raise malformed("bad-referee", f"the body must have {word!r}", word=word)
        return dict(body)

    return make


def _flag(word: str) -> Callable[[JSON], Line]:
    """The address says it all: the word may be left out of the body."""

    def make(body: JSON) -> Line:
        if body.get(word, True) is not True:
            raise malformed("bad-referee", f"{word} can only be true", word=word)
        return {**body, word: True}

    return make


def _about_seat(word: str) -> Callable[[JSON], Line]:
    flag = _flag(word)

    def make(body: JSON) -> Line:
        if "seat" not in body:
            raise malformed("bad-referee", f"{word} needs a seat", word=word)
        return flag(body)

    return make


def _to_table(word: str) -> Callable[[JSON], Line]:
    """Not the engine's: a word to the table around it."""

    def make(body: JSON) -> Line:
        _flag(word)(body)
        return {"table": word}

    return make


WORDS: Final[Mapping[str, tuple[frozenset[str], Callable[[JSON], Line]]]] = {
    "undo": (frozenset({"undo", "preview"}), _with_own_key("undo")),
    "amend": (
        frozenset({"amend", "value", "preview", "version", "reason"}),
        _with_own_key("amend"),
    ),
    "answers": (frozenset({"answers"}), _with_own_key("answers")),
    "correct": (frozenset({"correct", "reason"}), _with_own_key("correct")),
    "retire": (frozenset({"seat", "retire", "reason"}), _about_seat("retire")),
    "return": (frozenset({"seat", "return", "reason"}), _about_seat("return")),
    "pause": (frozenset({"pause"}), _to_table("pause")),
    "resume": (frozenset({"resume"}), _to_table("resume")),
    "end": (frozenset({"end", "reason"}), _flag("end")),
    "note": (frozenset({"note"}), _with_own_key("note")),
}
