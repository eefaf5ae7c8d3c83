"""Files to take along: the forms of `companion.league.exchange`, and those of plugins, which may
answer at addresses of their own (docs/plugins.md).

What a club's tables send: finished records come in, and how each table stands.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from http import HTTPStatus
from logging import getLogger
from typing import Final
from urllib.parse import quote

from flask import Blueprint, Request, Response, abort, request

from companion.league.charts import can_print
from companion.league.errors import BadAct, LeagueError, Receipt, ascii_of
from companion.league.exchange.outside import OutsideForm, forms, outside
from companion.league.exchange.registry import FORMS, Form
from companion.league.league import League
from companion.league.plain import Race
from companion.league.receiving import LiveFiles
from companion.league.report.paper import ACROSS, style
from companion_web.api import read_object, reply_json
from companion_web.assets import format_qr
from companion_web.guard import Problem
from companion_web.league.doors import LeagueAccess
from companion_web.league.drawings import drawn
from companion_web.league.live import odd_in
from companion_web.pages import choose_language

_log = getLogger(__name__)

# -- exports --------------------------------------------------------------------------------------


KINDS: Final[Mapping[str, str]] = {
    ".json": "application/json",
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".ics": "text/calendar",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".html": "text/html",
}
SHEETS: Final = tuple(name for name, form in FORMS.items() if form.is_sheet)
"""What is printed for the tables of a round."""


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/export/season/KEY/FORM` and `/league/export/race/ID/FORM`."""
    exports = Blueprint("league_exports", __name__, url_prefix="/league/export")

    @exports.get("/<any(season, race):of>/<key>/<form>")
    def export(of: str, key: str, form: str) -> Response:
        _find(access, of, key, form)
        return _write(access, forms()[form], f"{key}-{form}", key)

    @exports.get("/<any(season, race):of>/<key>/picture.<any(en, fr, de):language>.png")
    @drawn(access)
    def show_picture(of: str, key: str, language: str) -> Response:
        """The picture as others show it beside a link to the page."""
        _find(access, of, key, "picture")
        picture = FORMS["picture"].writer(language)(access.queries, key)
        return Response(picture, mimetype="image/png")

    @drawn(access)
    def draw_code(key: str, form: str) -> Response:
        try:
            code = format_qr(_link(access, forms()[form], key), error="l")
        except (BadAct, ValueError):  # there is no race; names in letters that take much room
            abort(404)
        return Response(code, mimetype="image/svg+xml")

    for name, form in outside().items():
        if form.is_link:
            at = f"/race/<key>/{name}.svg"
            exports.add_url_rule(at, "draw_code", draw_code, defaults={"form": name})

    return exports


def _find(access: LeagueAccess, of: str, key: str, form: str) -> None:
    """See that there is such a season or race, and that it can be had in a form; 404 if not."""
    if form not in (*forms_of(access, of), *(SHEETS if of == "season" else ())):
        abort(404)
    if (access.queries.season(key) if of == "season" else access.queries.race(key)) is None:
        abort(404)


def links_of(access: LeagueAccess, race: Race) -> list[dict[str, str]]:
    """The links by which apps take a race in: each with its form, and what people call the app.
    One that fails is told on the log and left out: the page is there without it."""
    links = []
    for name, form in outside().items():
        if form.is_link:
            try:
                link = _link(access, form, race.id)
                links.append({"form": name, "title": form.title, "link": link})
            except (LeagueError, UnicodeDecodeError) as trouble:
                _log.warning("the link %s of %s: %s", name, race.id, trouble)
    return links


def _link(access: LeagueAccess, form: Form, race: str) -> str:
    return form.writer()(access.queries, race).decode().strip()


def forms_of(access: LeagueAccess, of: str) -> list[str]:
    """The names of the forms that a `season` or a `race` can be taken along in, here and now."""
    of_this = ((name, form) for name, form in forms().items() if form.of in (of, "either"))
    files = ((name, form) for name, form in of_this if not (form.is_link or form.is_sheet))
    return [name for name, form in files if access.draws or form.extra is None]


def _write(access: LeagueAccess, form: Form, name: str, key: str) -> Response:
    is_page = form.is_sheet or (form.is_paper and (form.is_long or not can_print()))
    try:
        content = form.writer(choose_language(request), as_page=is_page)(access.queries, key)
    except BadAct as refused:
        abort(404, str(refused))
    if is_page:  # looked at and printed where it is
        response = Response(content, mimetype=KINDS[".html"])
        response.headers["Content-Security-Policy"] = _policy()
        return response
    response = Response(content, mimetype=KINDS.get(form.suffix, "application/octet-stream"))
    file = f"{name}{form.suffix}"
    response.headers["Content-Disposition"] = f"attachment; {_named(file)}"
    return response


def _named(file: str) -> str:
    """What a download is called; beside a name in other letters stands a plain one (RFC 6266).

    >>> _named("s-csv.csv"), _named("łódź-csv.csv")
    ('filename=s-csv.csv', "filename=lodz-csv.csv; filename*=UTF-8''%C5%82%C3%B3d%C5%BA-csv.csv")
    """
    stem, dot, suffix = file.rpartition(".")
    plain = f"filename={ascii_of(stem)}{dot}{suffix}"
    return plain if file.isascii() else f"{plain}; filename*=UTF-8''{quote(file)}"


@cache
def _policy() -> str:
    """A page to print has its style in it, and nothing else but text and charts."""
    sums = (b64encode(sha256(one.encode()).digest()).decode() for one in (style(), ACROSS))
    styles = " ".join(f"'sha256-{one}'" for one in sums)
    return f"default-src 'none'; style-src {styles}; base-uri 'none'"


# -- addresses of plugins -------------------------------------------------------------------------


def answers_blueprint(access: LeagueAccess) -> Blueprint:
    """What plugins answer, each below its address, to be read by anybody."""
    answers = Blueprint("league_answers", __name__)

    def answer_reader(path: str, form: str) -> Response:
        document = _answer(access, outside()[form], path)
        if document is None:
            message = "there is no such season, round or table; docs/league.md lists what there is"
            raise Problem(HTTPStatus.NOT_FOUND, "no-such-table", message)
        response = reply_json(document)
        response.headers["Access-Control-Allow-Origin"] = "*"  # it is for pages elsewhere, too
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    for name, form in outside().items():
        if form.address is not None:
            at = f"/{form.address}/<path:path>"
            answers.add_url_rule(at, "answer", answer_reader, defaults={"form": name})
    return answers


def _answer(access: LeagueAccess, form: OutsideForm, path: str) -> dict[str, object] | None:
    try:
        return form.answer(access.queries, path, request.args.to_dict(), request.base_url)
    except BadAct as refused:
        raise Problem(HTTPStatus.BAD_REQUEST, "bad-number", str(refused)) from refused


# -- receive --------------------------------------------------------------------------------------


LARGEST_RECORD: Final = 4 * 1024 * 1024
RECORDS: Final = "/api/league/records"
TABLES: Final = (RECORDS, "/api/league/live")
"""What tables send to, each with a key of its own."""


def receive_blueprint(inbox: League, live: LiveFiles) -> Blueprint:
    """`POST /api/league/records` and `PUT /api/league/live`, both with a table's key."""
    tables = Blueprint("league_tables", __name__, url_prefix="/api/league")

    @tables.post("/records")
    def take_record() -> Response:
        table = _table(request, inbox)
        try:
            receipt = inbox.receive(_read_record(request), table=table)
        except LeagueError as trouble:
            raise _later(trouble) from trouble
        return _reply(receipt)

    @tables.put("/live")
    def show_table() -> Response:
        table = _table(request, inbox)
        report = read_object(request)
        odd = odd_in(report)
        if odd:
            raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad-report", odd[0])
        try:
            live.show(table, report)
        except LeagueError as trouble:
            raise _later(trouble) from trouble
        return reply_json({"status": "shown"})

    return tables


def _table(caller: Request, inbox: League) -> str:
    """The table that speaks. Its key has 192 bits: nobody guesses it, and nothing is braked.

    Raises:
        Problem: 401 without a key that was given to one.
    """
    given = caller.authorization
    key = given.token if given and given.type == "bearer" else None
    table = inbox.table_of(key) if key else None
    if table is None:
        message = "this needs the key that the club gave to the table"
        raise Problem(HTTPStatus.UNAUTHORIZED, "no-key", message)
    return table


def _read_record(caller: Request) -> bytes:
    """The record in a body.

    Raises:
        Problem: 413 for more than any record has, 400 where the body ends too early.
    """
    length = caller.content_length
    if length is None or length > LARGEST_RECORD:
        raise Problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            "body-too-large",
            f"a record has {LARGEST_RECORD} bytes at most, and says how many",
            limit=LARGEST_RECORD,
        )
    content = caller.stream.read(length)
    if len(content) < length:
        message = "the body ended before it was complete"
        raise Problem(HTTPStatus.BAD_REQUEST, "bad-body", message)
    return content


def _reply(receipt: Receipt) -> Response:
    data = {"status": receipt.status, "race": receipt.race, "message": receipt.message}
    is_refused = receipt.status == "refused"
    return reply_json(data, HTTPStatus.UNPROCESSABLE_ENTITY if is_refused else HTTPStatus.OK)


def _later(trouble: LeagueError) -> Problem:
    """Nothing is acknowledged; the table keeps the record and comes again."""
    return Problem(HTTPStatus.SERVICE_UNAVAILABLE, "later", f"try again later: {trouble.public}")
