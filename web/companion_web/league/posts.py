"""What the league's forms send: races by hand and by CSV, and acts; all with the PIN."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus

from flask import Blueprint, Response, request

from companion.league.acts import Act, CloseTable, EnterRace, OpenTable, parse_act
from companion.league.byhand import csv_acts, race_acts
from companion.league.errors import BadAct, LeagueError
from companion.league.plain import Line
from companion_web.bodies import read_object
from companion_web.league.access import LeagueAccess
from companion_web.problems import Problem, malformed, reply_json

ACTS = tuple(kind for kind in Act.kinds if kind not in (OpenTable.kind, CloseTable.kind))
"""Acts that a page may send; keys of tables are given on the command line."""
MOST_ACTS = 50


def blueprint(access: LeagueAccess) -> Blueprint:
    """`POST /api/league/race`, `/csv` and `/acts`."""
    posts = Blueprint("league_posts", __name__, url_prefix="/api/league")

    @posts.post("/race")
    def enter_race() -> Response:
        return _keep(access, race_acts)

    @posts.post("/csv")
    def enter_csv() -> Response:
        return _keep(access, lambda body: csv_acts(_text(body)))

    @posts.post("/acts")
    def do_acts() -> Response:
        return _keep(access, _acts)

    return posts


def _keep(access: LeagueAccess, acts_of: Callable[[Line], Sequence[Act]]) -> Response:
    """Carry out what a body comes to; the reply has the number of the first act.

    Raises:
        Problem: 401, 403 without the PIN; 400 for what has no sense; 503 for a full disk.
    """
    caller = access.guard.referee(request)
    try:
        acts = acts_of(read_object(request))
        first = access.writer.do(*acts, by=f"page ({caller.by})")
    except BadAct as refused:
        raise malformed("bad-act", str(refused)) from refused
    except LeagueError as trouble:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "later", trouble.public) from trouble
    races = [act.race for act in acts if isinstance(act, EnterRace)]
    return reply_json({"ok": True, "act": first, "races": races})


def _acts(body: Line) -> Sequence[Act]:
    acts = body.get("acts")
    is_list = isinstance(acts, list) and all(isinstance(act, Mapping) for act in acts)
    if not isinstance(acts, list) or not is_list or not 1 <= len(acts) <= MOST_ACTS:
        raise BadAct(f"acts is a list of 1 to {MOST_ACTS} objects, not {acts!r:.60}")
    for act in acts:
        if act.get("act") not in ACTS:
            raise BadAct(f"a page does one of {', '.join(ACTS)}, not {act.get('act')!r:.40}")
    return [parse_act(act) for act in acts]


def _text(body: Line) -> str:
    text = body.get("text")
    if not isinstance(text, str):
        raise BadAct(f"text is the content of a CSV file, not {text!r:.60}")
    return text
