"""Files to take along: the forms of `companion.league.exchange`, and the record itself."""

from __future__ import annotations

import json

from flask import Blueprint, Response, abort

from companion.league.errors import LeagueError
from companion.league.exchange.registry import FORMS
from companion_web.league.door import Door

KINDS = {
    ".json": "application/json",
    ".csv": "text/csv",
    ".zip": "application/zip",
    ".pdf": "application/pdf",
}


def blueprint(door: Door) -> Blueprint:
    """`/league/export/FORM/KEY`, and `/league/races/ID/record.jsonl`."""
    exports = Blueprint("league_exports", __name__, url_prefix="/league")

    @exports.get("/export/<form>/<key>")
    def export(form: str, key: str) -> Response:
        door.catch_up()
        if form not in FORMS:
            abort(404)
        shape = FORMS[form]
        if (door.season(key) if shape.of == "season" else door.race(key)) is None:
            abort(404)
        try:
            content = shape.writer()(door.queries, key)
        except LeagueError as refused:
            abort(404, str(refused))
        return _file(content, f"{key}-{form}{shape.suffix}", KINDS[shape.suffix])

    @exports.get("/races/<race>/record.jsonl")
    def take_record(race: str) -> Response:
        lines = door.queries.record(race) or abort(404)
        content = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        return _file(content.encode(), f"{race}.jsonl", "application/jsonl")

    return exports


def _file(content: bytes, name: str, kind: str) -> Response:
    response = Response(content, mimetype=kind)
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
