"""`/learn`, positions to answer alone with one phone and no box; `/help`, the docs offline;
`/rescue`, what lies on the disk.

All are apps of their own, put before the table's (`app.Annex`), and know no race that runs.
Where no table can be opened the last one stands alone, and answers every address. A choice is
judged by the engine on a position of its own. The pages of `/help` are made of docs/*.md when the
program is built (tools/help_pages.py).
"""

from __future__ import annotations

import mimetypes
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, Protocol

from flask import Blueprint, Flask, Response, abort, json, request
from markupsafe import Markup
from werkzeug.exceptions import HTTPException
from werkzeug.security import safe_join

from companion.lessons import SEAT, Lesson, Verdict, all_lessons, judge, posed
from companion.rules.board.track import Track
from companion.rules.games import rule_titles
from companion.views.formula.views import TIRES
from companion.views.words import LANGUAGES, Words, cost_words, words
from companion.views.words.refusals import answer_text
from companion_web.api import reply_problem
from companion_web.guard import Guard, malformed
from companion_web.pages import behind, choose_language, reply_http_error, reply_page

LANGUAGE: Final = f"<any({', '.join(LANGUAGES)}):language>"
KEPT: Final = "max-age=600"


def create_learning(guard: Guard) -> Flask:
    """The app of the tutorial, which a table makes when somebody wants to learn."""
    return behind(guard, blueprint())


def blueprint() -> Blueprint:
    """The page, its positions, and what comes of a choice."""
    learning = Blueprint("learning", __name__, url_prefix="/learn")

    @learning.get("")
    def show_lessons() -> Response:
        return reply_page("learn.html")

    @learning.get(f"/positions.{LANGUAGE}.json")
    def tell_positions(language: str) -> Response:
        say = words(language)
        told = [_position(lesson, say) for lesson in all_lessons()]
        return _kept({"positions": told})

    @learning.get(f"/positions/<int:place>/<int:choice>.{LANGUAGE}.json")
    def tell_verdict(place: int, choice: int, language: str) -> Response:
        lessons = all_lessons()
        if not 1 <= place <= len(lessons) or not 1 <= choice <= len(lessons[place - 1].choices):
            abort(HTTPStatus.NOT_FOUND)
        verdict = judge(lessons[place - 1], choice - 1)
        says = _says(verdict, lessons[place - 1], words(language))
        return _kept({"right": verdict.right, "says": says, "at": list(verdict.at)})

    return learning


def _kept(told: object) -> Response:
    """What changes only with the program: a browser may keep it."""
    response = Response(json.dumps(told), mimetype="application/json")
    response.headers["Cache-Control"] = KEPT
    return response


def _position(lesson: Lesson, say: Words) -> dict[str, object]:
    """A lesson as the page shows it: its words, the position as `/api/table` has one, the keys."""
    engine, told = posed(lesson), lesson.words[say.language]
    state: dict[str, Any] = dict(engine.state() or {})
    mine: Any = state["cars"].get(str(SEAT))
    if mine is not None:
        state |= {"cars": state["cars"] | {str(SEAT): mine | {"name": say("you")}}}
    ends = [
        {"seat": SEAT, "button": button, "to": choice["to"], "mark": "choice"}
        for button, choice in enumerate(lesson.choices, 1)
        if isinstance(choice, dict) and "to" in choice
    ]
    return {
        **told,
        "id": lesson.id,
        "track": lesson.track,
        "rule": lesson.rule,
        "choices": told.get("choices")
        or [_choice(lesson, one, engine.track, say) for one in lesson.choices],
        "state": state,
        "keyed": ends,
    }


def _choice(lesson: Lesson, value: object, track: Track | None, say: Words) -> str:
    if lesson.kind == "black":
        return str(value)
    if lesson.kind == "tires":
        return say(TIRES[str(value)][0])
    assert track is not None, "what has no board has words of its own"
    text = answer_text(value, track, say)
    return say("{nth} gear", nth=text) if lesson.kind == "gear" else text


def _says(verdict: Verdict, lesson: Lesson, say: Words) -> str:
    """Why a choice is right or not, with the rule that says so."""
    rule = next(iter(verdict.rules), lesson.rule)
    told = {"sentence": say(rule_titles()[rule]), "rule": rule}
    if verdict.right:
        return say("Right. {sentence} ({rule}).", **told)
    if not verdict.legal:
        return say("The rules do not allow it. {sentence} ({rule}).", **told)
    if verdict.is_risky:
        return say("Allowed, but it has to be rolled for. {sentence} ({rule}).", **told)
    if not verdict.is_out and not verdict.loses:
        return say("Not the best. {sentence} ({rule}).", **told)
    if verdict.is_out:
        return say("Allowed, but the car spins or is out. {sentence} ({rule}).", **told)
    return say(
        "Allowed, but it costs {cost} ({rule}).", cost=cost_words(verdict.loses, say), **told
    )


# -- /help ----------------------------------------------------------------------------------------


MADE: Final = Path(__file__).parent / "help"
FIRST: Final = "index"


def create_help(guard: Guard, made: Path = MADE) -> Flask:
    """The app of the pages, which a table makes when somebody asks for one."""
    return behind(guard, helping_blueprint(made))


def helping_blueprint(made: Path = MADE) -> Blueprint:
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


# -- /rescue --------------------------------------------------------------------------------------


class LogPort(Protocol):
    """A log as it lies on the disk."""

    @property
    def files(self) -> Mapping[Path, str]:
        """Its files, each with why it cannot be read."""


class FolderPort(Protocol):
    """A folder of data, and why no table can be opened on it (empty: one is)."""

    why: str

    def logs(self) -> Sequence[LogPort]:
        """All logs of it."""

    def content(self, name: str) -> bytes | None:
        """What a file of a log has; None: there is none of this name, or it cannot be read."""


def create_rescue(guard: Guard, folder: FolderPort) -> Flask:
    """The app of the page."""
    app = behind(guard, rescue_blueprint(guard, folder))
    app.register_error_handler(HTTPException, _shut(folder) if folder.why else reply_http_error)
    return app


def rescue_blueprint(guard: Guard, folder: FolderPort) -> Blueprint:
    """The page, and the files that it names."""
    rescue = Blueprint("rescue", __name__)

    @rescue.get("/rescue")
    def show_rescue() -> Response:
        return _lying(folder)

    @rescue.get("/api/rescue")
    def fetch() -> Response:
        guard.referee(request)
        content = folder.content(request.args.get("file", ""))
        if content is None:
            abort(HTTPStatus.NOT_FOUND)
        return Response(content, mimetype="application/octet-stream")

    return rescue


def _lying(folder: FolderPort) -> Response:
    return reply_page("rescue.html", why=folder.why, logs=folder.logs())


def _shut(folder: FolderPort) -> Callable[[HTTPException], Response]:
    """Answers every address with the page: phones still ask for those of the table."""

    def reply(error: HTTPException) -> Response:
        if request.path.startswith("/api/"):
            problem = malformed("shut", folder.why)
            problem.status = HTTPStatus.SERVICE_UNAVAILABLE
            return reply_problem(problem)
        response = _lying(folder)
        response.status_code = HTTPStatus.SERVICE_UNAVAILABLE
        return response

    return reply
