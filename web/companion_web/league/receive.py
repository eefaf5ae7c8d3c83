"""What a club's tables send: finished records come in, and how each table stands."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final

from flask import Blueprint, Request, Response, request

from companion.league.errors import LeagueError
from companion.league.ports import Inbox, LiveTables, Receipt
from companion_web.bodies import read_object
from companion_web.league.card import odd_in
from companion_web.problems import Problem, reply_json

LARGEST_RECORD: Final = 4 * 1024 * 1024
RECORDS: Final = "/api/league/records"
TABLES: Final = (RECORDS, "/api/league/live")
"""What tables send to, each with a key of its own."""


def blueprint(inbox: Inbox, live: LiveTables) -> Blueprint:
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


def _table(caller: Request, inbox: Inbox) -> str:
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
