"""The two pages for people: the table, and a phone as a seat."""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, abort, json, render_template, request

from companion.rules.games import rule_titles
from companion.table.ports import TablePort
from companion.views.words import LANGUAGES, words
from companion_web.boards import Boards
from companion_web.words import choose_language, names_of


def blueprint(table: TablePort, boards: Boards) -> Blueprint:
    """The routes that answer with HTML, and the drawing that they show."""
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

    @pages.get("/circuit/<name>.svg")
    def show_circuit(name: str) -> Response:
        return _kept(name, boards.drawing(name), "image/svg+xml")

    @pages.get(f"/rules.<any({', '.join(LANGUAGES)}):language>.json")
    def name_rules(language: str) -> Response:
        say = words(language)
        told = {rule: say(title) for rule, title in rule_titles().items()}
        return _kept("rules", json.dumps(told), "application/json")

    @pages.get(f"/circuit/<name>.<any({', '.join(LANGUAGES)}):language>.json")
    def name_places(name: str, language: str) -> Response:
        places = boards.places(name, language)
        return _kept(name, json.dumps(places) if places else None, "application/json")

    return pages


def reply_page(template: str, **values: object) -> Response:
    """A page for people, in the language that they want; `_` says a text in it."""
    language = choose_language(request)
    values |= {"language": language, "languages": LANGUAGES, "_": words(language)}
    values["names_of"] = partial(names_of, language)
    response = Response(render_template(template, **values))
    response.headers["Content-Language"] = language
    response.vary.update(("Accept-Language", "Cookie"))
    if "lang" in request.args:
        response.set_cookie("lang", language, max_age=365 * 86400, samesite="Lax")
    return response


def _kept(name: str, body: str | None, mimetype: str) -> Response:
    """What belongs to a board that ships changes only with the program: a browser may keep it."""
    if body is None:
        abort(404)
    response = Response(body, mimetype=mimetype)
    is_a_file = name.endswith(".toml")
    response.headers["Cache-Control"] = "no-cache" if is_a_file else "max-age=600"
    return response
