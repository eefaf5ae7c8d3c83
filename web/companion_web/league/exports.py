"""Files to take along: the forms of `companion.league.exchange`."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from typing import Final

from flask import Blueprint, Response, abort, request

from companion.league.errors import BadAct
from companion.league.exchange.bgstats import link_of
from companion.league.exchange.registry import FORMS, Form
from companion.league.exchange.sheet import Sheet
from companion.league.plain import Race
from companion.league.printing import can_print
from companion.league.report.paper import ACROSS, style
from companion_web.league.access import LeagueAccess
from companion_web.qr import format_qr
from companion_web.words import choose_language

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
        return _write(access, FORMS[form], f"{key}-{form}", key)

    @exports.get("/<any(season, race):of>/<key>/picture.<any(en, fr, de):language>.png")
    def show_picture(of: str, key: str, language: str) -> Response:
        """The picture as others show it beside a link to the page."""
        _find(access, of, key, "picture")
        drawn = FORMS["picture"].writer(language)(access.queries, key)
        return _looked_at(drawn, mimetype="image/png")

    @exports.get("/race/<key>/bgstats.svg")
    def draw_code(key: str) -> Response:
        access.catch_up()
        race = access.race(key) or abort(404)
        try:
            code = format_qr(link_to_bgstats(access, race), error="l")
        except ValueError:  # names in letters that take much room
            abort(404)
        return _looked_at(code, mimetype="image/svg+xml")

    return exports


def _find(access: LeagueAccess, of: str, key: str, form: str) -> None:
    """See that there is such a season or race, and that it can be had in a form; 404 if not."""
    access.catch_up()
    if form not in (*forms_of(access, of), *(SHEETS if of == "season" else ())):
        abort(404)
    if (access.season(key) if of == "season" else access.race(key)) is None:
        abort(404)


def _looked_at(content: bytes | str, mimetype: str) -> Response:
    """A picture that is sent once more only where it has changed."""
    response = Response(content, mimetype=mimetype)
    response.headers["Cache-Control"] = "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response


def link_to_bgstats(access: LeagueAccess, race: Race) -> str:
    """The link by which BG Stats takes a race in."""
    season = access.season(race.season) if race.season else None
    names = access.names({entry.driver for entry in race.entries})
    return link_of(Sheet(season, (race,), names, is_whole=False), race)


def forms_of(access: LeagueAccess, of: str) -> list[str]:
    """The names of the forms that a `season` or a `race` can be taken along in, here and now."""
    of_this = ((name, form) for name, form in FORMS.items() if form.of in (of, "either"))
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
    response = Response(content, mimetype=KINDS[form.suffix])
    file = f"{name}{form.suffix}"
    response.headers.set("Content-Disposition", "attachment", filename=file)
    return response


@cache
def _policy() -> str:
    """A page to print has its style in it, and nothing else but text and charts."""
    sums = (b64encode(sha256(one.encode()).digest()).decode() for one in (style(), ACROSS))
    styles = " ".join(f"'sha256-{one}'" for one in sums)
    return f"default-src 'none'; style-src {styles}; base-uri 'none'"
