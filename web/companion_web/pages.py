"""The pages for people: the table, the television, a phone as a seat, and the editor of corners.

Texts stand in English where they are read: `_("…")` in a template, `say("…")` in a script. What is
left are names that the table tells by their keys; a page that shows any says which
(`{% set groups = ["wear"] %}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache, partial
from http import HTTPStatus
from typing import Final, Protocol

from flask import Blueprint, Request, Response, abort, json, render_template, request

from companion.rules.board import edit
from companion.rules.board.build import compile_track, load_track
from companion.rules.board.check import check_track
from companion.rules.board.plan import Fault, Plan
from companion.rules.board.track import Track
from companion.rules.games import rule_titles
from companion.rules.lines import Refusal
from companion.table.ports import Caller, TablePort
from companion.views.downforce.words import CARS, POWERS
from companion.views.formula.parts import WHY_OUT
from companion.views.formula.turn import DICE
from companion.views.screen import questions
from companion.views.words import COLOR_WORDS, LANGUAGES, WEAR, Words, phrase, place_name, words
from companion.views.words.refusals import fault_text
from companion_web.api import read_object, reply_json, reply_problem
from companion_web.guard import Guard, Problem, malformed


def blueprint(table: TablePort) -> Blueprint:
    """The routes that answer with HTML."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def show_table() -> Response:
        return reply_page("table.html")

    @pages.get("/tv")
    def show_television() -> Response:
        return reply_page("tv.html")

    @pages.get("/overlay")
    def show_overlay() -> Response:
        return reply_page("overlay.html")

    @pages.get("/seat/<int:seat>")
    def show_seat(seat: int) -> Response:
        if seat not in table.snapshot().public:
            abort(404)
        return reply_page("seat.html", seat=seat)

    @pages.get(f"/rules.<any({', '.join(LANGUAGES)}):language>.json")
    def name_rules(language: str) -> Response:
        say = words(language)
        told = {rule: say(title) for rule, title in rule_titles().items()}
        return _kept("rules", json.dumps(told), "application/json")

    return pages


def drawn_blueprint(boards: Boards) -> Blueprint:
    """The drawing of a board, and what its spaces are called."""
    drawn = Blueprint("drawn", __name__)

    @drawn.get("/circuit/<name>.svg")
    def show_circuit(name: str) -> Response:
        return _kept(name, boards.drawing(name), "image/svg+xml")

    @drawn.get(f"/circuit/<name>.<any({', '.join(LANGUAGES)}):language>.json")
    def name_places(name: str, language: str) -> Response:
        places = boards.places(name, language)
        return _kept(name, json.dumps(places) if places else None, "application/json")

    return drawn


SAME: Final = ("table.html", "tv.html", "overlay.html", "seat.html", "join.html")
"""Pages that are the same for all who speak a language: what is shown there comes to them later."""


def reply_page(template: str, **values: object) -> Response:
    """A page for people, in the language that they want; `_` says a text in it."""
    language = choose_language(request)
    render = _rendered_once if template in SAME else _rendered
    response = Response(render(template, language, **values))
    response.headers["Content-Language"] = language
    response.vary.update(("Accept-Language", "Cookie"))
    if "lang" in request.args:
        response.set_cookie("lang", language, max_age=365 * 86400, samesite="Lax")
    return response


def _rendered(template: str, language: str, **values: object) -> str:
    names = partial(names_of, language)
    told = {"language": language, "languages": LANGUAGES, "_": words(language), "names_of": names}
    return render_template(template, **told, **values)


_rendered_once = lru_cache(maxsize=64)(_rendered)


def _kept(name: str, body: str | None, mimetype: str) -> Response:
    """What belongs to a board that ships changes only with the program: a browser may keep it."""
    if body is None:
        abort(404)
    response = Response(body, mimetype=mimetype)
    response.add_etag()
    response.make_conditional(request)
    # The host may edit a file of his own while the table is open.
    is_a_file = name.endswith(".toml")
    response.headers["Cache-Control"] = "no-cache" if is_a_file else "max-age=600"
    return response


# -- the language of a page -----------------------------------------------------------------------


def choose_language(request: Request) -> str:
    """The language of a page: the one asked for, else the one chosen before, else the browser's."""
    for chosen in (request.args.get("lang"), request.cookies.get("lang")):
        if chosen in LANGUAGES:
            return chosen
    primary = (tag.partition("-")[0].lower() for tag in request.accept_languages.values())
    return next((tag for tag in primary if tag in LANGUAGES), "en")


@cache
def groups() -> Mapping[str, Mapping[str, str]]:
    """The names by group and key, in English; asks are those of all games, which a start need not
    wait for."""
    return {
        "wear": {category: its.name for category, its in WEAR.items()},
        "color": COLOR_WORDS,
        "die": {str(gear): color for gear, color in DICE.items()},
        "ask": questions(),
        "car": CARS,
        "power": POWERS,
        "out": WHY_OUT,
        "live": {  # why the seats are not tested
            "live-racing": phrase("A race is running: pause it first, or wait until it is over."),
            "live-no-seats": phrase("No seat has buttons of its own: all are phones."),
            "live-not-on": phrase("The seats are not under test."),
            "live-no-lamp": phrase("This seat has neither lamp nor buzzer."),
        },
    }


def names_of(language: str, wanted: Iterable[str]) -> Mapping[str, Mapping[str, str]]:
    """The names in these groups, in a language."""
    return {group: _names(language, group) for group in wanted}


@cache
def _names(language: str, group: str) -> Mapping[str, str]:
    say = words(language)
    return {key: say(text) for key, text in groups()[group].items()}


# -- what a page needs to know of a board ---------------------------------------------------------


class Library(Protocol):
    """Boards by the names that a header has for them."""

    def is_shipped(self, name: str) -> bool:
        """Whether this board came with the program and is never written over."""

    def title(self, name: str) -> str:
        """What people call it."""

    def text(self, name: str) -> str:
        """The track file. Raises `Refusal` where there is no such board."""

    def save(self, name: str, text: str) -> str:
        """Keep a track file; returns the name that it has now. Raises `Refusal`."""


class NoTracks:
    """A library without a board."""

    def is_shipped(self, name: str) -> bool:
        """None is."""
        return False

    def title(self, name: str) -> str:
        """The name itself."""
        return name

    def text(self, name: str) -> str:
        """There is no board of any name."""
        raise Refusal("no-track", f"there is no track {name!r}", args={"track": name})

    def save(self, name: str, text: str) -> str:
        """There is no place for one either."""
        return self.text(name)


class Boards:
    """Boards by the name that a header has for them. What is drawn once is kept.

    A board may be drawn anew while the table is open, so what is kept belongs to the board
    itself and not to its name.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        self._drawn = lru_cache(maxsize=4)(_draw)
        self._named = lru_cache(maxsize=8)(_name_places)

    def drawing(self, name: str) -> str | None:
        """The circuit as SVG; None where there is no such board."""
        track = self._track(name)
        return None if track is None else self._drawn(track)

    def drawing_of(self, track: Track) -> str:
        """The circuit of a board that no library has."""
        return self._drawn(track)

    def places(self, name: str, language: str) -> dict[str, str] | None:
        """Every space's name for people by its id; None where there is no such board."""
        track = self._track(name)
        return None if track is None else self._named(track, language)

    def _track(self, name: str) -> Track | None:
        """The board; None where there is none, or only the card of one."""
        try:
            track = load_track(self._library.text(name))
        except Refusal:
            return None
        return None if track.is_blank else track


def _draw(track: Track) -> str:
    # Imported when first wanted: the first page need not wait for it.
    from companion.drawing.circuit import draw_circuit

    return draw_circuit(track)


def _name_places(track: Track, language: str) -> dict[str, str]:
    say = words(language)
    return {space: place_name(track, number, say) for number, space in enumerate(track.ids)}


# -- the editor of corners ------------------------------------------------------------------------


OWN_TITLE: Final = "{title} (own)"
"""What a board is called that began as one that ships; it is data of the file, no sentence."""


def tracks_blueprint(table: TablePort, library: Library, boards: Boards, guard: Guard) -> Blueprint:
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
        plan = edit.plan_of(text)
        sketch = edit.Sketch(text, check_track(text), compile_track(text)[0])
        corners = [_corner(plan, c.label, sketch) for c in edit.corners_of(plan)]
        told = {"name": name, "title": plan.name, "shipped": library.is_shipped(name)}
        told |= {"lanes": list(plan.lanes), "sections": [s.label for s in plan.sections]}
        told |= {"corners": corners, "faults": _faults(sketch.faults, _words())}
        return reply_json(told)

    @tracks.post("/api/track/<name>/check")
    def check(name: str) -> Response:
        _require_host(guard, request)
        sketch, draft = _sketch(library, name)
        told = {
            "corner": _corner(edit.plan_of(sketch.text), draft.section, sketch),
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


def _sketch(
    library: Library, name: str, title: str | None = None
) -> tuple[edit.Sketch, edit.Draft]:
    """The board of this name with the corner of the request's body in it."""
    text = _text(library, name)
    draft = edit.read_draft(read_object(request))
    return edit.put_in(text, draft, name=title), draft


def _corner(plan: Plan, section: str, sketch: edit.Sketch) -> Mapping[str, object]:
    """One corner as the editor draws it; its ways are None where no board can be made."""
    corner = next(c for c in edit.corners_of(plan) if c.label == section)
    draft = edit.take_out(plan, section)
    printed = None if corner.shortest is None else [corner.shortest, corner.longest]
    ways = edit.ways_of(sketch.track, section)
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


def _drawing(boards: Boards, sketch: edit.Sketch) -> str | None:
    return None if sketch.track is None else boards.drawing_of(sketch.track)


def _faults(faults: list[Fault], say: Words) -> list[str]:
    return [fault_text(fault, say) for fault in faults]
