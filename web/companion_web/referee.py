"""The referee's posts: one address a word, the body as in the engine protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from flask import Blueprint, Response, request

from companion.table.ports import TablePort
from companion_web.api import reply_table
from companion_web.bodies import read_object
from companion_web.guard import Guard
from companion_web.problems import malformed

WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "undo": ("preview",),
    "amend": ("value", "preview", "version", "reason"),
    "replay": ("seat",),
    "answers": (),
    "correct": ("reason",),
    "note": (),
    "retire": ("seat", "reason"),
    "return": ("seat", "reason"),
    "join": (),
    "end": ("reason",),
    "flag": ("seat",),
    "bell": (),
    "pause": (),
    "resume": (),
}
"""What a body may have beside the word itself."""
WITH_VALUE: Final = {"undo", "amend", "answers", "correct", "note", "flag", "join"}
"""The body must hold the word itself (`{"undo": 2}`); all others the address says."""
TO_TABLE: Final = {"pause", "resume"}
"""Not the engine's: words to the table around it."""


def blueprint(table: TablePort, guard: Guard) -> Blueprint:
    """The routes under `/api/referee/`."""
    referee = Blueprint("referee", __name__, url_prefix="/api/referee")

    @referee.post(f"/<any({', '.join(WORDS)}):word>")
    def submit(word: str) -> Response:
        caller = guard.referee(request)
        return reply_table(table.submit(caller, parse_referee(word, read_object(request))))

    return referee


def parse_referee(word: str, body: Mapping[str, object]) -> dict[str, object]:
    """The line for the table that a referee's post means.

    >>> parse_referee("retire", {"seat": 2, "reason": "had to leave"})
    {'seat': 2, 'reason': 'had to leave', 'retire': True}

    Raises:
        Problem: 400 for a body that says something else than its address.
    """
    strange, has_value = sorted(set(body) - {word, *WORDS[word]}), word in WITH_VALUE
    wrong = ""
    if strange:
        wrong = f"{word} does not take {strange[0]!r}"
    elif has_value and word not in body:
        wrong = f"the body must have {word!r}"
    elif "seat" in WORDS[word] and "seat" not in body:
        wrong = f"{word} needs a seat"
    elif not has_value and body.get(word, True) is not True:
        wrong = f"{word} can only be true"
    if wrong:
        raise malformed("bad-referee", wrong, word=word)
    if has_value:
        return dict(body)
    return {"table": word} if word in TO_TABLE else {**body, word: True}
