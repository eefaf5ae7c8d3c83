"""The Flask app of one table and its pages for people: the table, the television, a phone as a
seat, the editor of corners; and what every answer of it carries.

Texts stand in English where they are read: `_("…")` in a template, `say("…")` in a script. What is
left are names that the table tells by their keys; a page that shows any says which
(`{% set groups = ["wear"] %}`).
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache, partial
from http import HTTPStatus
from typing import Any, Final, Protocol

from flask import (
    Blueprint,
    Flask,
    Request,
    Response,
    abort,
    current_app,
    json,
    render_template,
    request,
)
from werkzeug.exceptions import HTTPException
from werkzeug.routing import Rule

from companion.rules.board import edit
from companion.rules.board.build import compile_track, load_track
from companion.rules.board.check import check_track
from companion.rules.board.plan import Fault, Plan
from companion.rules.board.track import Track
from companion.rules.games import drawings, rule_titles
from companion.rules.lines import Refusal
from companion.table.ports import AccessPort, Caller, TablePort
from companion.views.screen import names, questions
from companion.views.words import COLOR_WORDS, LANGUAGES, WEAR, Words, phrase, place_name, words
from companion.views.words.refusals import fault_text
from companion_web import api
from companion_web.api import read_object, reply_json, reply_problem
from companion_web.assets import serve_assets
from companion_web.guard import AWAY, TABLE, Guard, Problem, malformed


def create_app(
    table: TablePort,
    access: AccessPort,
    library: Library | None = None,
    guard: Guard | None = None,
    machine: api.MachinePort | None = None,
    announce: Callable[[bytes], None] = lambda frame: None,
) -> Flask:
    """The page of a table.

    `library` has the boards by the names that a header has for them; without it, and where it
    lacks one, the page does without a drawing. `announce` tells every page that is open.
    """
    guard = guard or Guard(access)
    library = library or NoTracks()
    boards = Boards(library)
    app = behind(
        guard,
        blueprint(table),
        drawn_blueprint(boards),
        tracks_blueprint(table, library, boards, guard),
        api.blueprint(table, access, guard),
        api.joining_blueprint(table, access, guard, machine),
        api.returning_blueprint(api.Returning(table, access, announce), guard),
        api.referee_blueprint(table, guard),
        *([api.machine_blueprint(machine, guard)] if machine else []),
    )
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    return app


def create_drawings(guard: Guard, library: Library) -> Flask:
    """The drawings of boards alone."""
    return behind(guard, drawn_blueprint(Boards(library)))


class Route(Rule):
    """A route whose way back, from a name to its address, is compiled when it is asked for first.

    werkzeug compiles it at once, twice for each route: for sixty of them that was a fortieth of
    a first page, and the pages ask for two. Where it has no such method this changes nothing.
    """

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        compiled = cache(super()._compile_builder)

        def build(route: Rule, **values: object) -> tuple[str, str]:
            return compiled(append_unknown)(route, **values)

        return build


def behind(guard: Guard, *blueprints: Blueprint) -> Flask:
    """An app of these pages: with our files, behind the door's guard, every answer hardened."""
    app = Flask("companion_web", static_folder=None)
    app.url_rule_class = Route
    serve_assets(app)
    for pages_of_one in blueprints:
        app.register_blueprint(pages_of_one)
    app.before_request(lambda: guard.admit(request.environ))
    app.before_request(_tell_away)
    # Flask goes through these from the last to the first, so compressing ends it.
    app.after_request(compress)
    app.after_request(harden)
    app.after_request(lambda response: guard.leave_mark(request, response))
    app.extensions["companion_guard"] = guard
    app.register_error_handler(Problem, reply_refusal)
    app.register_error_handler(HTTPException, reply_http_error)
    return app


def blueprint(table: TablePort) -> Blueprint:
    """The routes that answer with HTML."""
    pages = Blueprint("pages", __name__)

    for address, name in BARE.items():
        pages.add_url_rule(address, name, partial(reply_page, f"{name}.html"))

    @pages.get("/seat/<int:seat>")
    def show_seat(seat: int) -> Response:
        if seat not in table.snapshot().public:
            abort(404)
        return reply_page("seat.html", seat=seat)

    @pages.get("/book")
    @pages.get("/book/<rule>")
    def show_book(rule: str = "") -> Response:
        say = words(choose_language(request))
        book = table.snapshot().tell_book(say)
        in_force = (one for chapter in book["chapters"] for one in chapter["rules"])
        alone = [one for one in in_force if one["id"] == rule]
        if rule and not alone:
            # Of no rule of this race, as a lesson or an older race may name it.
            alone = [{"id": rule, "says": say(rule_titles().get(rule) or abort(404))}]
        return reply_page("book.html", book=book, alone=alone, drawn=drawings())

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

    @drawn.get("/circuit/rules/<rule>.svg")
    def show_rule(rule: str) -> Response:
        return _kept(rule, boards.drawing_of_rule(rule), "image/svg+xml")

    @drawn.get(f"/circuit/<name>.<any({', '.join(LANGUAGES)}):language>.json")
    def name_places(name: str, language: str) -> Response:
        places = boards.places(name, language)
        return _kept(name, json.dumps(places) if places else None, "application/json")

    return drawn


BARE: Final = {"/": "table", "/tv": "tv", "/overlay": "overlay", "/join": "join"}
"""Pages of which the address says all."""
SAME: Final = {*(f"{name}.html" for name in BARE.values()), "seat.html"}
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
        "ask": questions(),
        **names(),
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

    def drawing_of_rule(self, rule: str) -> str | None:
        """A position that shows a rule, on its board; None where no drawing is of it."""
        shown = drawings().get(rule)
        track = None if shown is None else self._track(shown["track"])
        return None if track is None else _draw(track, shown)

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


def _draw(track: Track, shown: Mapping[str, Any] | None = None) -> str:
    # Imported when first wanted: the first page need not wait for it.
    from companion.drawing.circuit import draw_circuit, draw_stretch

    return draw_circuit(track) if shown is None else draw_stretch(track, shown)


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


# -- what every answer carries --------------------------------------------------------------------


# Everything is ours and nothing is inline: a name or a note that holds markup stays text.
CONTENT_SECURITY_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)


def harden(response: Response) -> Response:
    """The headers that every answer carries."""
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    if response.mimetype in ("text/html", "image/svg+xml"):
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
    if request.path.startswith("/api/") or response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "no-store")
    return response


SMALLEST: Final = 1024
LEVEL: Final = 9
TEXT: Final = ("text/", "application/json", "image/svg+xml", "application/javascript")


def compress(response: Response) -> Response:
    """Text of some size goes out compressed, to whoever takes it so."""
    if not (response.mimetype or "").startswith(TEXT) or response.is_streamed:
        return response
    response.vary.add("Accept-Encoding")
    # `gzip` in a word of its own, and not `gzip;q=0`
    if request.accept_encodings["gzip"] <= 0 or "Content-Encoding" in response.headers:
        return response
    body = response.get_data()
    if response.status_code == 200 and len(body) >= SMALLEST:
        # What is made for one request is compressed quickly, what is kept as well as can be.
        response.set_data(_compressed(body) if _is_kept(response) else gzip.compress(body, 4))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_kept(response: Response) -> bool:
    """Whether it is the same for everybody who asks: files and drawings."""
    return "no-store" not in response.headers.get("Cache-Control", "no-store")


@lru_cache(maxsize=128)
def _compressed(body: bytes) -> bytes:
    # Without a time in it the same file is the same bytes after every start.
    return gzip.compress(body, LEVEL, mtime=0)


def _is_person() -> bool:
    """Whether a browser asks for a page to look at."""
    wants_page = (
        request.accept_mimetypes["text/html"] > request.accept_mimetypes["application/json"]
    )
    return wants_page and not request.path.startswith("/api/")


def reply_refusal(problem: Problem) -> Response:
    """A refusal: JSON, but a person who came by a wrong name is told the right one."""
    if problem.key != "foreign-host" or not _is_person():
        return reply_problem(problem)
    guard: Guard = current_app.extensions["companion_guard"]
    # Without the key that is in the link.
    address = guard.access.link(TABLE).partition("/join")[0]
    page = reply_page("foreign.html", host=problem.arguments["host"], address=address)
    page.status_code = problem.status
    return page


def reply_http_error(error: HTTPException) -> Response:
    """Flask's own refusals (404, 405 …): JSON for a program, a page for a person."""
    if error.code == HTTPStatus.NOT_FOUND and _is_person():
        page = reply_page("lost.html")
        page.status_code = HTTPStatus.NOT_FOUND
        return page
    problem = malformed("bad-request", error.description or error.name)
    problem.status = HTTPStatus(error.code or HTTPStatus.INTERNAL_SERVER_ERROR)
    response = reply_problem(problem)
    for name, value in error.get_headers():
        if name == "Allow":
            response.headers[name] = value
    return response


FOR_PROGRAMS: Final = ("/api/", "/ergast/")
"""Addresses whose troubles are told in JSON."""


def _tell_away() -> Response | None:
    message = request.environ.get(AWAY)
    return None if message is None else reply_away(message)


def reply_away(message: str) -> Response:
    """What cannot be shown now and is tried again when it is asked for: why, in a sentence."""
    if request.path.startswith(FOR_PROGRAMS):
        response = reply_problem(Problem(HTTPStatus.SERVICE_UNAVAILABLE, "later", message))
    else:
        response = reply_page("away.html", message=message)
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
    response.headers["Retry-After"] = "10"
    return response
