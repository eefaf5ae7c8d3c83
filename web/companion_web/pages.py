"""The two pages for people: the table, and a phone as a seat."""

from __future__ import annotations

from collections.abc import Callable

from flask import Blueprint, Response, abort, render_template, request

from companion.table.ports import TablePort
from companion_web.words import choose_language, page_words


def blueprint(table: TablePort, circuits: Callable[[str], str | None]) -> Blueprint:
    """The routes that answer with HTML, and the drawing that they show."""
    pages = Blueprint("pages", __name__)

    @pages.get("/")
    def show_table() -> Response:
        return _page("table.html")

    @pages.get("/seat/<int:seat>")
    def show_seat(seat: int) -> Response:
        if seat not in table.snapshot().public:
            abort(404)
        return _page("seat.html", seat=seat)

    @pages.get("/circuit/<name>.svg")
    def show_circuit(name: str) -> Response:
        drawn = circuits(name)
        if drawn is None:
            abort(404)
        return Response(drawn, mimetype="image/svg+xml")

    return pages


def _page(template: str, **values: object) -> Response:
    language = choose_language(request)
    words = page_words(language)
    response = Response(render_template(template, language=language, words=words, **values))
    response.headers["Content-Language"] = language
    response.vary.update(("Accept-Language", "Cookie"))
    if "lang" in request.args:
        response.set_cookie("lang", language, max_age=365 * 86400, samesite="Lax")
    return response
