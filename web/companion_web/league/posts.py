"""What the league's forms send: races by hand and by CSV, acts, keys; each as far as whoever sends
it may (`doors.py`)."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from random import SystemRandom
from typing import Final

from flask import Blueprint, Response, request

from companion.league.acts import Act, EnterRace, parse_act
from companion.league.byhand import csv_acts, race_acts
from companion.league.competing import DRAWS
from companion.league.errors import BadAct, LeagueError
from companion.league.plain import Line
from companion_web.bodies import read_object
from companion_web.league.access import LeagueAccess
from companion_web.league.doors import ACTS, Speaker, speaker
from companion_web.problems import Problem, malformed, reply_json

MOST_ACTS = 50
KEY_BYTES: Final = 24


def blueprint(access: LeagueAccess) -> Blueprint:
    """`POST /api/league/race`, `/csv`, `/acts`, `/qualify`, `/draw`, `/keys` and `/forget`."""
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

    @posts.post("/keys")
    def make_key() -> Response:
        key = secrets.token_urlsafe(KEY_BYTES)
        return _keep(access, lambda body: [_key_act(body, key)], key=key)

    @posts.post("/forget")
    def forget() -> Response:
        who = _organiser(access)
        name = read_object(request).get("driver")
        if not isinstance(name, str):
            raise malformed("bad-act", f"driver is a name, not {name!r:.60}")
        with _told():
            return reply_json({"ok": True, "name": access.writer.forget(name, by=who.by)})

    _add_stages(posts, access)
    return posts


def _add_stages(posts: Blueprint, access: LeagueAccess) -> None:
    """What the league works out for a stage: who goes on, and who sits where."""

    @posts.post("/qualify")
    def qualify() -> Response:
        who, body = _organiser(access), read_object(request)
        season = body.get("season")
        if not isinstance(season, str):
            raise malformed("bad-act", f"season is the key of a stage, not {season!r:.60}")
        with _told():
            return reply_json({"ok": True, "entered": access.writer.qualify(season, by=who.by)})

    @posts.post("/draw")
    def draw() -> Response:
        who, body = _organiser(access), read_object(request)
        season, tables, how, late = (body.get(word) for word in ("season", "tables", "how", "late"))
        writer, with_grid = access.writer, body.get("grid", False)
        with _told():
            if not isinstance(with_grid, bool):
                raise BadAct(f"grid is true or false, not {with_grid!r:.60}")
            if not isinstance(season, str):
                raise BadAct(f"season is the key of a stage, not {season!r:.60}")
            if late is True:
                drawn = writer.seat_late(season, by=who.by)
            elif type(tables) is int and how in DRAWS:  # true is an int to isinstance
                dice = SystemRandom()
                drawn = writer.draw(season, tables, how, dice, by=who.by, with_grid=with_grid)
            else:
                raise BadAct(f"a draw has tables and how: {', '.join(DRAWS)}; or late, true")
        return reply_json(
            {"ok": True, "drawn": drawn.names, "banned": [str(one) for one in drawn.banned]}
        )


def _keep(
    access: LeagueAccess, acts_of: Callable[[Line], Sequence[Act]], **more: object
) -> Response:
    """Carry out what a body comes to; the reply has the number of the first act.

    Raises:
        Problem: 401, 403 for whoever may not; 400 for what has no sense; 503 for a full disk.
    """
    who = _organiser(access) if more else speaker(access, request)
    with _told():
        acts = acts_of(read_object(request))
        if not more:
            who.check(acts, access.writer)
        first = access.writer.do(*acts, by=who.by)
    races = [act.race for act in acts if isinstance(act, EnterRace)]
    return reply_json({"ok": True, "act": first, "races": races, **more})


def _organiser(access: LeagueAccess) -> Speaker:
    who = speaker(access, request)
    if who.role != "organiser":
        raise Problem(HTTPStatus.FORBIDDEN, "not-your-role", f"a {who.role} does not do this")
    return who


@contextmanager
def _told() -> Iterator[None]:
    """Let what the league refuses become the answer."""
    try:
        yield
    except BadAct as refused:
        raise malformed("bad-act", str(refused)) from refused
    except LeagueError as trouble:
        raise Problem(HTTPStatus.SERVICE_UNAVAILABLE, "later", trouble.public) from trouble


def _key_act(body: Line, key: str) -> Act:
    """The act that gives a new key to a person in a role, or to a table."""
    digest = hashlib.sha256(key.encode()).hexdigest()
    kind = "person" if "person" in body else "table"
    return parse_act({**body, "act": kind, "key_sha256": digest})


def _acts(body: Line) -> Sequence[Act]:
    acts = body.get("acts")
    is_list = isinstance(acts, list) and all(isinstance(act, Mapping) for act in acts)
    if not isinstance(acts, list) or not is_list or not 1 <= len(acts) <= MOST_ACTS:
        raise BadAct(f"acts is a list of 1 to {MOST_ACTS} objects, not {acts!r:.60}")
    for act in acts:
        if act.get("act") not in ACTS:
            raise BadAct(
                f"a page does one of {', '.join(sorted(ACTS))}, not {act.get('act')!r:.40}"
            )
    return [parse_act(act) for act in acts]


def _text(body: Line) -> str:
    text = body.get("text")
    if not isinstance(text, str):
        raise BadAct(f"text is the content of a CSV file, not {text!r:.60}")
    return text
