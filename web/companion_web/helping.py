"""`/help`: what host, builder, club and programmer read, without a network.

The pages are made of docs/*.md when the program is built (tools/help_pages.py): a fragment of HTML
for each and each language that it has, and the files that they show.
"""

from __future__ import annotations

import mimetypes
from http import HTTPStatus
from pathlib import Path
from typing import Final

from flask import Blueprint, Flask, Response, abort, json, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.security import safe_join

from companion.views.words import LANGUAGES
from companion_web.app import behind, reply_http_error
from companion_web.guard import Guard
from companion_web.pages import reply_page
from companion_web.words import choose_language

MADE: Final = Path(__file__).parent / "help"
FIRST: Final = "index"
KEPT: Final = "max-age=600"


def create_help(guard: Guard, made: Path = MADE) -> Flask:
    """The app of the pages, which a table makes when somebody asks for one."""
    app = behind(guard, blueprint(made))
    app.register_error_handler(HTTPException, reply_http_error)
    return app


def blueprint(made: Path = MADE) -> Blueprint:
    """The pages that lie in a folder; 404 for all of them where none were made."""
    help_pages = Blueprint("help", __name__)

    @help_pages.get("/help")
    @help_pages.get("/help/<page>")
    def show_help(page: str = FIRST) -> Response:
        titles = _titles(made).get(page)
        if titles is None:
            abort(HTTPStatus.NOT_FOUND)
        wanted = choose_language(request)
        told = wanted if wanted in titles else "en"
        # Of our own sources, and made without markup that stands in them.
        body = Markup((made / f"{page}.{told}.html").read_text("utf-8"))
        others = {tag: name for tag, name in LANGUAGES.items() if tag in titles}
        return reply_page(
            "help.html",
            title=titles[told],
            body=body,
            speaks=told,
            others=others,
            is_first=page == FIRST,
        )

    @help_pages.get("/help/files/<path:name>")
    def show_file(name: str) -> Response:
        found = safe_join(str(made / "files"), name)
        if found is None or not Path(found).is_file():
            abort(HTTPStatus.NOT_FOUND)
        response = Response(Path(found).read_bytes(), mimetype=mimetypes.guess_type(name)[0])
        response.headers["Cache-Control"] = KEPT
        return response

    return help_pages


def _titles(made: Path) -> dict[str, dict[str, str]]:
    """The title of each page in each of its languages."""
    try:
        return dict(json.loads((made / "titles.json").read_text("utf-8")))
    except FileNotFoundError:
        return {}
