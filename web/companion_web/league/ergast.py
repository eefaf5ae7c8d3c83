"""The league for programs that read Ergast or Jolpica: the same addresses, below /ergast/f1/."""

from __future__ import annotations

from http import HTTPStatus

from flask import Blueprint, Response, request

from companion.league.exchange.ergast_api import answer
from companion.league.exchange.ergast_page import MOST_ROWS, ROWS_A_PAGE
from companion_web.league.access import LeagueAccess
from companion_web.problems import Problem, reply_json


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/ergast/f1/…`, to be read by anybody."""
    ergast = Blueprint("ergast", __name__, url_prefix="/ergast/f1")

    @ergast.get("/<path:address>")
    def answer_reader(address: str) -> Response:
        access.catch_up()
        limit, offset = _number("limit", ROWS_A_PAGE), _number("offset", 0)
        document = answer(access.queries, access.book, address, limit=limit, offset=offset)
        if document is None:
            message = "there is no such season, round or table; docs/league.md lists what there is"
            raise Problem(HTTPStatus.NOT_FOUND, "no-such-table", message)
        response = reply_json({"MRData": {"xmlns": "", "url": request.base_url, **document}})
        response.headers["Access-Control-Allow-Origin"] = "*"  # it is for pages elsewhere, too
        response.headers["Cache-Control"] = "no-cache"
        response.add_etag()
        response.make_conditional(request)
        return response

    return ergast


def _number(name: str, default: int) -> int:
    """A number of the query.

    Raises:
        Problem: 400 where it is none.
    """
    text = request.args.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        message = f"{name} is a whole number from 0 on (at most {MOST_ROWS} rows are told at once)"
        raise Problem(HTTPStatus.BAD_REQUEST, "bad-number", message)
    return int(text)
