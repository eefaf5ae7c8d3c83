"""The corner editor: a corner's arrows clicked in, checked at once, kept as a track file.

Everybody may look. Checking and keeping is for the host and the referee: a check compiles a
whole board, and what is kept is what the table will race on.
"""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Request, Response, abort, request

from companion.rules.board.check import check_track
from companion.rules.board.edit import (
    Draft,
    Sketch,
    corners_of,
    plan_of,
    put_in,
    read_draft,
    take_out,
    ways_of,
)
from companion.rules.board.faults import Fault
from companion.rules.board.file import compile_track
from companion.rules.board.plan import Plan
from companion.rules.errors import Refusal
from companion.table.ports import Caller, TablePort
from companion.views.words import LANGUAGES, Words, words
from companion.views.words.faults import fault_text
from companion_web.boards import Boards, Library
from companion_web.bodies import read_object
from companion_web.guard import Guard
from companion_web.pages import reply_page
from companion_web.problems import Problem, malformed, reply_json, reply_problem
from companion_web.words import choose_language

OWN_TITLE: Final = "{title} (own)"
"""What a board is called that began as one that ships; it is data of the file, no sentence."""


def blueprint(table: TablePort, library: Library, boards: Boards, guard: Guard) -> Blueprint:
    """The editor's page, and what it asks."""
    tracks = Blueprint("tracks", __name__)

    @tracks.get("/track/<name>/edit")
    def show_editor(name: str) -> Response:
        if boards.drawing(name) is None:
            abort(404)
        return reply_page("edit.html", track=name, board=library.title(name))

    @tracks.get("/api/track/<name>")
    def tell_track(name: str) -> Response:
        text = _text(library, name)
        plan = plan_of(text)
        sketch = Sketch(text, check_track(text), compile_track(text)[0])
        corners = [_corner(plan, c.label, sketch) for c in corners_of(plan)]
        told = {"name": name, "title": plan.name, "shipped": library.is_shipped(name)}
        told |= {"lanes": list(plan.lanes), "sections": [s.label for s in plan.sections]}
        told |= {"corners": corners, "faults": _faults(sketch.faults, _words())}
        return reply_json(told)

    @tracks.post("/api/track/<name>/check")
    def check(name: str) -> Response:
        _require_host(guard, request)
        sketch, draft = _sketch(library, name)
        told = {
            "corner": _corner(plan_of(sketch.text), draft.section, sketch),
            "faults": _faults(sketch.faults, _words()),
            "drawing": _drawing(boards, sketch) if "draw" in request.args else None,
        }
        return reply_json({"ok": True, **told})

    @tracks.post("/api/track/<name>/save")
    def save(name: str) -> Response:
        caller = _require_host(guard, request)
        own = OWN_TITLE.format(title=library.title(name)) if library.is_shipped(name) else None
        sketch, _ = _sketch(library, name, title=own)
        if sketch.track is None:
            fault = sketch.faults[0]
            raise malformed("track-faulty", f"no board can be made of it: {fault}")
        kept = library.save(name, sketch.text)
        table.submit(caller, {"table": "boards"})  # the lobby offers it from now on
        return reply_json({"ok": True, "name": kept})

    @tracks.errorhandler(Refusal)
    def refuse(refusal: Refusal) -> Response:
        return reply_problem(malformed(refusal.key, refusal.message, **refusal.arguments))

    return tracks


def _require_host(guard: Guard, asked: Request) -> Caller:
    """Whoever may change a board; raises `Problem` for all others."""
    caller = guard.caller(asked)
    if not (caller.host or caller.referee):
        raise Problem(HTTPStatus.FORBIDDEN, "not-host", "this is for the host and the referee")
    return caller


def _words() -> Words:
    """The language that the page says it speaks, else that of the browser."""
    said = request.headers.get("X-Language")
    return words(said if said in LANGUAGES else choose_language(request))


def _text(library: Library, name: str) -> str:
    try:
        return library.text(name)
    except Refusal as refusal:
        raise Problem(HTTPStatus.NOT_FOUND, refusal.key, refusal.message) from refusal


def _sketch(library: Library, name: str, title: str | None = None) -> tuple[Sketch, Draft]:
    """The board of this name with the corner of the request's body in it."""
    text = _text(library, name)
    draft = read_draft(read_object(request))
    return put_in(text, draft, name=title), draft


def _corner(plan: Plan, section: str, sketch: Sketch) -> Mapping[str, object]:
    """One corner as the editor draws it; its ways are None where no board can be made."""
    corner = next(c for c in corners_of(plan) if c.label == section)
    draft = take_out(plan, section)
    printed = None if corner.shortest is None else [corner.shortest, corner.longest]
    ways = ways_of(sketch.track, section)
    return {
        "section": section,
        "name": corner.name,
        "stops": corner.stops,
        "turns": corner.turns,
        "spaces": list(draft.spaces),
        "changes": list(draft.changes or ()),
        "beside": list(draft.beside),
        "printed": printed,
        "ways": None if ways is None else list(ways),
    }


def _drawing(boards: Boards, sketch: Sketch) -> str | None:
    return None if sketch.track is None else boards.drawing_of(sketch.track)


def _faults(faults: list[Fault], say: Words) -> list[str]:
    return [fault_text(fault, say) for fault in faults]
