"""Pages on which a club changes what it has: competitions, stages, the result of a race.

What the league's forms send: races by hand and by CSV, acts, keys; each as far as whoever sends
it may (`doors.py`).

Who is entered in the season that is open, for the lobby of the table: cars with their crews.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from random import SystemRandom
from threading import Lock
from typing import Final

from flask import Blueprint, Response, abort, request

from companion.league.acts import Act, Enter, EnterRace, PlaceRace, SetSeason, parse_act
from companion.league.byhand import listed, race_acts
from companion.league.errors import BadAct, KeyReused, LeagueError, key_of, parse_name
from companion.league.exchange.acts import Otherwise, new_in
from companion.league.exchange.registry import FORMS
from companion.league.forms import STATUSES
from companion.league.league import League
from companion.league.plain import (
    DRAWS,
    TABLES,
    Competition,
    Line,
    Once,
    Race,
    Season,
    drivers_in,
    format_points,
)
from companion.league.stages import Draws, late_names, table_sheets
from companion.league.standings import Qualified, overall, qualified, tables_of
from companion_web.api import read_object, reply_json
from companion_web.guard import Problem, malformed
from companion_web.league import forms
from companion_web.league.doors import ACTS, LeagueAccess, Speaker, speaker
from companion_web.league.drawings import race_title
from companion_web.league.pages import MOST_NAMED, reply_league

# -- organise -------------------------------------------------------------------------------------


CHOICES = {
    "statuses": STATUSES,
    "tables": TABLES,
}
"""What forms offer."""
SEASONS_NAMED = 60
MOST_SHOWN = 200
"""Acts on their page, the latest ones."""
MOST_TOLD = 160
"""Characters of what an act says there."""
NOT_SHOWN = ("person", "close-person", "table", "close-table", "hide", "reveal")
"""Kinds of acts that are no matter of strangers."""
OF_ACTS = ("n", "at", "by", "act", "undone", "race", "key_sha256", "record")
"""What its line has a place of its own for, or nobody wants to read."""


def blueprint(access: LeagueAccess) -> Blueprint:
    """`/league/competitions`, `/league/acts`, `/league/tables/TABLE`, and
    `/league/seasons/KEY/organise`, `/league/races/ID/amend`."""
    pages = Blueprint("league_organise", __name__, url_prefix="/league")

    @pages.get("/competitions")
    def list_competitions() -> Response:
        access.catch_up()
        return _reply(access, "competitions.html", found=access.queries.competitions())

    @pages.get("/competitions/<key>")
    def show_competition(key: str) -> Response:
        access.catch_up()
        cup = access.queries.competition(key) or abort(404)
        return _reply(access, "competition.html", cup=cup, **_competition(access, cup))

    @pages.get("/seasons/<key>/organise")
    def organise_season(key: str) -> Response:
        access.catch_up()
        season = access.queries.season(key) or abort(404)
        return _reply(access, "organise.html", season=season, **_stage(access, season))

    @pages.get("/races/<race>/amend")
    def amend_race(race: str) -> Response:
        access.catch_up()
        found = access.queries.race(race) or abort(404)
        names = access.queries.names(_people(found))
        season = access.queries.season(found.season)
        drivers = dict.fromkeys(entry.driver for entry in found.entries)
        told = [(names.get(key, key), names.get(key, key)) for key in drivers]
        own = {"race": found, "season": season, "names": names, "driver_options": told}
        return _reply(access, "amend.html", **own)

    @pages.get("/acts")
    def show_acts() -> Response:
        access.catch_up()
        asked = {word: request.args.get(word) or None for word in ("by", "day", "race")}
        acts = access.writer.history(**asked, latest=MOST_SHOWN)
        seen = [told for one in reversed(acts) if (told := _seen(access, one)) is not None]
        return _reply(access, "acts.html", acts=seen, asked=asked)

    @pages.get("/tables/<table>")
    def show_table(table: str) -> Response:
        access.catch_up()
        season = access.queries.current() or abort(404)
        try:
            name = parse_name(table)
        except BadAct:
            abort(404)
        return _reply(access, "table.html", season=season, **_table(access, season, name))

    return pages


def _seen(access: LeagueAccess, act: Line) -> Line | None:
    """An act as strangers may see it; None: it is of a season that they do not see, or about keys
    and who is hidden."""
    seasons, race = (act.get(word) for word in ("season", "via")), act.get("race")
    if act["act"] in NOT_SHOWN or any(
        key and access.queries.season(f"{key}") is None for key in seasons
    ):
        return None
    found = access.queries.race(race) if isinstance(race, str) else None
    if isinstance(race, str) and found is None:
        return None
    text = access.queries.text
    said = (_said(key, value) for key, value in act.items() if key not in OF_ACTS)
    about = ", ".join(filter(None, said))[:MOST_TOLD]
    told = {"by": text(f"{act['by']}"), "about": text(about), "day": f"{act['at']}"[:10]}
    title = {"title": Act.kinds[f"{act['act']}"].called}
    where = {} if found is None else {"of_race": f"{race_title(found)}, {found.date[:10]}"}
    return {**act, **told, **title, **where}


def _said(key: str, value: object) -> str:
    """What an act says under a key, for people: of cars their drivers, of ids nothing."""
    if key == "entries" and isinstance(value, list):
        who = (one.get("player") or one.get("name") or one.get("seat") for one in value)
        return ", ".join(map(str, who))
    if isinstance(value, bool) or value is None or key in ("game", "season", "title"):
        return ""
    return f"{value}"


def _table(access: LeagueAccess, season: Season, table: str) -> dict[str, object]:
    """A table of the round that is driven, for its marshal."""
    try:
        sheets = table_sheets(access.queries, season.key)
    except BadAct:
        sheets = []
    sheet = next((one for one in sheets if key_of(one.table or "") == key_of(table)), None)
    races = access.queries.races(season=season.key, is_slim=True)
    own = [race for race in races if key_of(race.sender or "") == key_of(table)]
    now = [race for race in own if sheet is None or race.round == sheet.round]
    statuses = [one for one in STATUSES if one not in ("running", "not-classified")]
    return {"sheet": sheet, "table": table, "races": now, "home": statuses}


def _reply(access: LeagueAccess, template: str, **values: object) -> Response:
    people, _ = access.queries.people(most=MOST_NAMED)
    named = sorted({one.driver.name for one in people}, key=str.casefold)
    there = access.queries.seasons(most=SEASONS_NAMED, is_slim=True)
    return reply_league(
        access,
        template,
        choices=CHOICES,
        format_points=format_points,
        people=named,
        stages_there=there,
        season_options=[(one.key, one.title) for one in there],
        competitions=access.queries.competitions(),
        **values,
    )


def _people(race: Race) -> set[str]:
    return drivers_in([race]) | {one.driver for one in race.protests}


def _competition(access: LeagueAccess, cup: Competition) -> dict[str, object]:
    stages = access.queries.stages(cup.key)
    races = access.queries.races(stages=[one.key for one in stages], is_slim=True)
    names = access.queries.names(drivers_in(races))
    tables = tables_of(stages, races, names)
    in_teams = tables_of(stages, races, of_teams=True)
    return {
        "stages": stages,
        "lines": overall(cup, tables),
        "team_lines": overall(cup, in_teams),
        "titles": {
            one.key: one.title for one in access.queries.seasons(most=SEASONS_NAMED, is_slim=True)
        },
        "held": {key: _held(races, key) for key in (one.key for one in stages)},
    }


def _held(races: Iterable[Race], season: str) -> int:
    return len({race.round for race in races if race.season == season and race.counts})


def _stage(access: LeagueAccess, season: Season) -> dict[str, object]:
    races = access.queries.held(season)
    names = access.queries.names(drivers_in(races) | season.people)
    going, why = _going(season, races, names)
    late = late_names(access.queries, season)
    return {
        "names": names,
        "rounds": races,
        "going": going,
        "undecided": why,
        "late": late,
        "settings": _settings(season),
        "cup_options": [(one.key, one.title) for one in access.queries.competitions()],
    }


def _settings(season: Season) -> dict[str, object]:
    """What a season's settings are now, by the fields of the act that sets them."""
    own = {name: getattr(season, name, None) for name in forms.SETTINGS.asks}
    told = {"points": format_points(season.points), "ties": ",".join(season.ties)}
    return {**own, **told, "stage": season.kind}


def _going(
    season: Season, races: list[Race], names: dict[str, str]
) -> tuple[list[Qualified], str | None]:
    """Who goes on as it stands, or why nobody can say."""
    try:
        return qualified(season, races, names), None
    except BadAct as undecided:
        return [], str(undecided)


# -- posts ----------------------------------------------------------------------------------------


MOST_ACTS = 50
MOST_ENTERED = 200
LARGEST_FILE = 4 * 1024 * 1024
GZIP = 16
KEY_BYTES: Final = 24


def posts_blueprint(access: LeagueAccess) -> Blueprint:
    """`POST /api/league/race`, `/csv`, `/acts`, `/qualify`, `/draw`, `/keys` and `/forget`."""
    posts = Blueprint("league_posts", __name__, url_prefix="/api/league")
    requests, writer = Requests(access), access.writer

    @posts.post("/race")
    def enter_race() -> Response:
        return _keep(requests, race_acts, _by_itself)

    @posts.post("/enter")
    def enter_drivers() -> Response:
        return _keep(requests, _entries)

    @posts.post("/csv")
    def enter_csv() -> Response:
        return _keep_file(requests)

    @posts.post("/acts")
    def do_acts() -> Response:
        return _keep(requests, _acts)

    @posts.post("/keys")
    def make_key() -> Response:
        who, body = _organiser(access), read_object(request)
        key = requests.key(body)
        told = requests.answer(body, lambda once: _done(access, [_key_act(body, key)], who, once))
        return reply_json({**told, "key": key})

    @posts.post("/forget")
    def forget() -> Response:
        return requests.organise(
            lambda body, by, once: {
                "name": writer.forget(_text(body, "driver", "a name"), by=by, once=once)
            }
        )

    @posts.post("/qualify")
    def qualify() -> Response:
        return requests.organise(
            lambda body, by, once: {
                "entered": writer.qualify(_text(body, "season", STAGE), by=by, once=once)
            }
        )

    @posts.post("/draw")
    def draw() -> Response:
        return requests.organise(lambda *asked: _drawn(writer, *asked).told())

    return posts


STAGE: Final = "the key of a stage"


def _text(body: Line, key: str, what: str) -> str:
    """The text under a key.

    Raises:
        BadAct: it is none.
    """
    text = body.get(key)
    if not isinstance(text, str):
        raise BadAct(f"{key} is {what}, not {text!r:.60}")
    return text


def _entries(body: Line) -> Sequence[Act]:
    """Many people on the entry list of a season at once, as somebody has pasted their names."""
    season, names = body.get("season"), body.get("names")
    found = listed(names) if isinstance(names, str) else []
    if not 1 <= len(found) <= MOST_ENTERED:
        raise BadAct(f"names is a text of 1 to {MOST_ENTERED} lines, a name a line")
    return [parse_act({"act": Enter.kind, "season": season, "driver": name}) for name in found]


def _by_itself(access: LeagueAccess, acts: Sequence[Act]) -> Sequence[Act]:
    """A race that says nothing of a season is in the one that is open; the first race of a league
    makes that of its year."""
    race, placed, *rest = acts
    if not isinstance(placed, PlaceRace) or placed.season is not None or not _is_first(access):
        return acts
    assert isinstance(race, EnterRace)
    year = race.date[:4]
    made = SetSeason(season=year, title=year, is_open=True)
    return [race, made, PlaceRace(race=race.race, season=year), *rest]


def _is_first(access: LeagueAccess) -> bool:
    return not access.writer.queries.seasons(is_slim=True)


def _drawn(writer: League, body: Line, by: str, once: Once | None) -> Draws:
    tables, how, with_grid = (body.get(word) for word in ("tables", "how", "grid"))
    season = _text(body, "season", STAGE)
    if not isinstance(with_grid, bool | None):
        raise BadAct(f"grid is true or false, not {with_grid!r:.60}")
    if body.get("late") is True:
        return writer.seat_late(season, by=by, once=once)
    if type(tables) is not int or how not in DRAWS:  # true is an int to isinstance
        raise BadAct(f"a draw has tables and how: {', '.join(DRAWS)}; or late, true")
    dice, grid = SystemRandom(), with_grid is True
    return writer.draw(season, tables, how, dice, by=by, with_grid=grid, once=once)


def _keep(
    requests: Requests,
    acts_of: Callable[[Line], Sequence[Act]],
    more: Callable[[LeagueAccess, Sequence[Act]], Sequence[Act]] = lambda _, acts: acts,
) -> Response:
    """Carry out what a body comes to, and what follows from it by itself; the reply has the number
    of the first act.

    Raises:
        Problem: 401, 403 for whoever may not; 400 for what has no sense; 503 for a full disk.
    """
    access = requests.access
    who = speaker(access, request)
    with _told():
        body = read_object(request)
        acts = acts_of(body)
    who.check(acts, access.writer)
    done = more(access, acts)
    return reply_json(requests.answer(body, lambda once: _done(access, done, who, once)))


def _keep_file(requests: Requests) -> Response:
    """Carry out what a file comes to; or with `look` tell what that would be, and do nothing.

    Raises:
        Problem: as of `_keep`; 409 where races are there with another result, and nobody has said
            that they are to be amended.
    """
    access, known = requests.access, requests.access.writer.queries
    who = speaker(access, request)
    with _told():
        body = read_object(request)
        content = _content(body)
        acts = FORMS[_form_of(content)].reader()(content)
    who.check(acts, access.writer)
    is_amending = body.get("amend") is True
    if body.get("look") is True:
        found = [_looked_at(one) for one in acts if isinstance(one, EnterRace)]
        return reply_json({"ok": True, "act": None, "races": [], "found": found})

    def put_in(once: Once | None) -> Line:
        fresh = new_in(acts, known, is_amending=is_amending)
        return _done(access, fresh, who, once) if fresh else {"ok": True, "act": None, "races": []}

    return reply_json(requests.answer(body, put_in))


def _looked_at(race: EnterRace) -> Line:
    """A race of a file, for whoever looks before it is put in."""
    names = [car.name for car in race.entries]
    return {"date": race.date[:10], "name": race.name or race.track, "names": names}


def _form_of(content: bytes) -> str:
    """The form of a file, by how it begins."""
    return (
        "csv"
        if content.lstrip()[:1] not in (b"{", b"[")
        else ("acts" if b'"act"' in content[:400] else "ergast")
    )


def _content(body: Line) -> bytes:
    """The bytes of a file that a page sends: as text, or packed.

    Raises:
        BadAct: they are none, or too many.
    """
    text, packed = body.get("text"), body.get("file")
    if isinstance(text, str):
        return text.encode()
    try:
        content = base64.b64decode(packed if isinstance(packed, str) else "", validate=True)
        unpack = zlib.decompressobj(zlib.MAX_WBITS | GZIP)
        found = unpack.decompress(content, LARGEST_FILE) if content[:2] == b"\x1f\x8b" else content
    except (ValueError, zlib.error) as error:
        raise BadAct("file is that of races, in Base64, as it is or packed by gzip") from error
    if not found or len(found) >= LARGEST_FILE:
        raise BadAct(f"a file of races has 1 to {LARGEST_FILE} bytes, in text or file")
    return found


def _done(access: LeagueAccess, acts: Sequence[Act], who: Speaker, once: Once | None) -> Line:
    races = [act.race for act in acts if isinstance(act, EnterRace)]
    told = once and once.answered(act=None, races=races)
    return {"ok": True, "act": access.writer.do(*acts, by=who.by, once=told), "races": races}


# -- once -----------------------------------------------------------------------------------------


KEY: Final = "Idempotency-Key"
LONGEST_KEY: Final = 255


class Requests:
    """The requests that change the league: with one key each does its work once, and is answered
    the same if it comes again (draft-ietf-httpapi-idempotency-key-header)."""

    def __init__(self, access: LeagueAccess) -> None:
        self.access = access
        self._under_way: set[str] = set()
        self._lock = Lock()

    def answer(self, body: Line, work: Callable[[Once | None], Line]) -> Line:
        """What the request is answered: what it was before, or what comes of its work.

        Raises:
            Problem: 400 for a key that is none, 409 while the first one is under way, 422 where the
                key was there with another body; or what the work comes to.
        """
        once = _once(body)
        with _told():
            if once is None:
                return work(None)
            with self._alone(once.key):
                known = self.access.writer.answered(once)
                return work(once) if known is None else known

    def organise(self, work: Callable[[Line, str, Once | None], Line]) -> Response:
        """The answer to an organiser, by whom the work is done.

        Raises:
            Problem: as of `answer`; 401, 403 for whoever is none.
        """
        who, body = _organiser(self.access), read_object(request)
        return reply_json(self.answer(body, lambda once: {"ok": True, **work(body, who.by, once)}))

    def key(self, body: Line) -> str:
        """A new key for somebody; the same one if the request comes again."""
        once, fresh = _once(body), secrets.token_urlsafe(KEY_BYTES)
        return fresh if once is None else self.access.writer.key_for(once)

    @contextmanager
    def _alone(self, key: str) -> Iterator[None]:
        with self._lock:
            if key in self._under_way:
                message = "the first request with this Idempotency-Key is under way"
                raise Problem(HTTPStatus.CONFLICT, "under-way", message)
            self._under_way.add(key)
        try:
            yield
        finally:
            self._under_way.discard(key)


def _once(body: Line) -> Once | None:
    """By what the request is known again; None: by nothing.

    Raises:
        Problem: 400 where its key is none.
    """
    told = request.headers.get(KEY)
    if told is None:
        return None
    key = told[1:-1] if len(told) > 1 and told[0] == told[-1] == '"' else told
    if not (1 <= len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        message = f"an {KEY} has 1 to {LONGEST_KEY} printable characters of ASCII"
        raise malformed("bad-key", message)
    asked = f"{request.path} {json.dumps(body, sort_keys=True)}"
    return Once(key, hashlib.sha256(asked.encode()).hexdigest())


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
    except Otherwise as other:
        message, races = str(other), other.races
        raise Problem(HTTPStatus.CONFLICT, "there-already", message, races=races) from other
    except BadAct as refused:
        raise malformed("bad-act", str(refused)) from refused
    except KeyReused as reused:
        raise Problem(HTTPStatus.UNPROCESSABLE_ENTITY, "key-reused", str(reused)) from reused
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
        if not isinstance(kind := act.get("act"), str) or kind not in ACTS:
            raise BadAct(f"a page does one of {', '.join(sorted(ACTS))}, not {kind!r:.40}")
    return [parse_act(act) for act in acts]


# -- entries --------------------------------------------------------------------------------------


def entries_blueprint(access: LeagueAccess) -> Blueprint:
    """`GET /api/league/entries`."""
    entries = Blueprint("league_entries", __name__)

    @entries.get("/api/league/entries")
    def send_entries() -> Response:
        access.catch_up()
        season = access.queries.current()
        if season is None:
            return reply_json({"season": None, "entries": []})
        names = access.queries.names(season.people)
        told = [
            {
                "name": one.name,
                "number": one.number,
                "color": one.color,
                "team": season.team_of(one.driver, 1, None),
                "crew": [names.get(driver, driver) for driver in one.crew],
            }
            for one in season.entrants
        ]
        return reply_json({"season": season.key, "entries": told})

    return entries
