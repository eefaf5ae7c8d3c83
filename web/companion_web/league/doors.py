"""Who speaks to the league, and what they may do: the keeper by the PIN, people by a link of their
own. Guesses at the PIN are braked as at the table's door; a link has 192 bits.

What the league's pages are given.

What the league's forms send: races by hand and by CSV, acts, keys; each as far as whoever sends it
may.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import zlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from importlib import import_module
from threading import Lock
from typing import Any, Final, Literal, Protocol

from flask import Blueprint, Request, Response, request

from companion.league.acts import (
    Act,
    Come,
    EnterRace,
    Penalize,
    PlaceRace,
    Protest,
    SetSeason,
    every_kind,
    kind_of,
    parse_act,
)
from companion.league.byhand import race_acts
from companion.league.errors import BadAct, KeyReused, LeagueError, key_of
from companion.league.exchange.acts import Otherwise, new_in
from companion.league.exchange.outside import read_json
from companion.league.exchange.registry import FORMS
from companion.league.forms import UNSAID, Role
from companion.league.league import League
from companion.league.plain import Line, Once, Refused
from companion.league.view import View
from companion.system.frozen import dataclass
from companion_web.api import read_object, reply_json
from companion_web.guard import LONGEST_PIN, Guard, Problem, bearer_of, malformed

# -- doors ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who sends something. `by` is how the journal names them; `table` is a marshal's."""

    by: str
    role: Role | Literal["host"]
    table: str | None = None

    def check(self, acts: Sequence[Act], league: League) -> None:
        """See that all this may be done.

        Raises:
            Problem: 403 where it may not.
        """
        entered = {act.race for act in acts if isinstance(act, EnterRace)}
        for act in acts:
            is_own = not isinstance(act, Protest | Come) or key_of(act.driver) == key_of(self.by)
            if self.role not in act.may or (self.role == "driver" and not is_own):
                raise _refusal(f"a {self.role} does not do this: {act.kind}")
            if self.role == "marshal":
                self._check_table(act, entered, league)

    def _check_table(self, act: Act, entered: Collection[str], league: League) -> None:
        """A marshal speaks of the races of one table, and leaves bans to the stewards."""
        if isinstance(act, EnterRace):
            table = None if act.table is UNSAID else act.table
        else:
            race = getattr(act, "race", UNSAID)
            if race in entered:
                return
            table = league.table_of_race(race) if isinstance(race, str) else None
        if table is None or key_of(table) != key_of(self.table or ""):
            raise _refusal(f"this is not of table {self.table}, whose marshal you are")
        if isinstance(act, Penalize) and act.bars:
            raise _refusal("a ban and points on the licence are given by the stewards")


def _refusal(message: str) -> Problem:
    return Problem(HTTPStatus.FORBIDDEN, "not-your-role", message)


def speaker(access: LeagueAccess, request: Request) -> Speaker:
    """Who sends a request.

    Raises:
        Problem: 401 without a key that is known, 403 with one of a seat, 429 while an address
            guesses keys.
    """
    key = bearer_of(request.environ)
    if len(key) > LONGEST_PIN:
        member = access.writer.member(key)
        if member is not None:
            return Speaker(member.name, member.role, member.table)
    caller = access.guard.caller(request)
    if caller.host:  # whose table it is need not look for a PIN to add an evening
        return Speaker(f"page (seat {caller.seat})", "host")
    return Speaker(f"page ({access.guard.referee(request).by})", "organiser")


# -- access ---------------------------------------------------------------------------------------


class Reviews(Protocol):
    """What makes and keeps the reviews of races."""

    def known(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race as it was made last; None: there is none."""

    def review(self, race: str, lines: Sequence[Line]) -> Mapping[str, Any] | None:
        """The review of a record; None: it is being made, or (`why_none`) cannot be had."""

    def what_if(
        self, race: str, lines: Sequence[Line], line: int, answers: Sequence[object]
    ) -> Mapping[str, Any] | None:
        """What bots make of the rest after each of some answers; None: it is being driven."""

    def why_none(self, race: str, lines: Sequence[Line]) -> str | None:
        """Why no review of a record can be had, in a sentence; None: there is one, or will be."""


@dataclass(frozen=True, slots=True)
class LeagueAccess:
    """The league as the pages reach it.

    Args:
        guard: who may change it: whoever has the PIN.
        draws: whether pictures to send around can be made here (extra `league`).
        has_table: whether the same address has a table's page.
        has_live_page: whether tables report to this server how they stand.
        not_taken: records that this table's club refuses, and why.
        reviews: the reviews of races; None: there are none to be had.
    """

    queries: View
    writer: League
    guard: Guard
    draws: bool = True
    has_table: bool = False
    has_live_page: bool = False
    not_taken: Callable[[], Sequence[tuple[str, str]]] = tuple
    reviews: Reviews | None = None

    def catch_up(self) -> Sequence[Refused]:
        """Take in what has come since the last page."""
        return self.writer.catch_up(wait=False)

    def review(self, race: str, lines: Sequence[Line]) -> Mapping[str, Any] | None:
        """The review of a race; None: not yet, or never (`why_no_review`)."""
        return None if self.reviews is None else self.reviews.review(race, lines)

    def why_no_review(self, race: str, lines: Sequence[Line]) -> str | None:
        """Why a race has no review, in a sentence; None: it has one, or will."""
        return None if self.reviews is None else self.reviews.why_none(race, lines)

    def known_review(self, race: str) -> Mapping[str, Any] | None:
        """The review of a race, if it was made already."""
        return None if self.reviews is None else self.reviews.known(race)


# -- posts ----------------------------------------------------------------------------------------


MOST_ACTS = 50
LARGEST_FILE = 4 * 1024 * 1024
GZIP = 16
KEY_BYTES: Final = 24
FEDERATION: Final = "companion_web.league.organise"


def posts_blueprint(access: LeagueAccess) -> Blueprint:
    """`POST /api/league/race`, `/csv`, `/acts`, `/keys` and `/forget`, and a federation's."""
    posts = Blueprint("league_posts", __name__, url_prefix="/api/league")
    requests = Requests(access)

    @posts.post("/race")
    def enter_race() -> Response:
        return requests.keep(race_acts, _by_itself)

    @posts.post("/csv")
    def enter_csv() -> Response:
        return _keep_file(requests)

    @posts.post("/acts")
    def do_acts() -> Response:
        return requests.keep(_acts)

    @posts.post("/keys")
    def make_key() -> Response:
        who, body = requests.organiser(), read_object(request)
        key = requests.key(body)
        told = requests.answer(body, lambda once: requests.done([_key_act(body, key)], who, once))
        return reply_json({**told, "key": key})

    @posts.post("/forget")
    def forget() -> Response:
        return requests.organise(
            lambda body, by, once: {
                "name": access.writer.forget(text_in(body, "driver", "a name"), by=by, once=once)
            }
        )

    for name in ("enter", "qualify", "draw"):
        view = partial(of_federation(f"post_{name}"), requests)
        posts.add_url_rule(f"/{name}", name, view, methods=["POST"])
    return posts


def of_federation(name: str) -> Callable[..., Response]:
    """A view of a federation's pages, which are fetched when one of them is asked for."""

    def reply(*given: object, **asked: str) -> Response:
        view: Callable[..., Response] = getattr(import_module(FEDERATION), name)
        return view(*given, **asked)

    return reply


def text_in(body: Line, key: str, what: str) -> str:
    """The text under a key.

    Raises:
        BadAct: it is none.
    """
    text = body.get(key)
    if not isinstance(text, str):
        raise BadAct(f"{key} is {what}, not {text!r:.60}")
    return text


def _by_itself(access: LeagueAccess, acts: Sequence[Act]) -> Sequence[Act]:
    """A race that says nothing of a season is in the one that is open; the first race of a league
    makes that of its year."""
    race, placed, *rest = acts
    is_first = not access.writer.queries.seasons(is_slim=True)
    if not isinstance(placed, PlaceRace) or placed.season is not None or not is_first:
        return acts
    assert isinstance(race, EnterRace)
    year = race.date[:4]
    made = SetSeason(season=year, title=year, is_open=True)
    return [race, made, PlaceRace(race=race.race, season=year), *rest]


def _keep_file(requests: Requests) -> Response:
    """Carry out what a file comes to; or with `look` tell what that would be, and do nothing.

    Raises:
        Problem: as of `Requests.keep`; 409 where races are there with another result, and nobody
            has said that they are to be amended.
    """
    who, body, acts = requests.asked(_acts_in_file)
    if body.get("look") is True:
        found = [_looked_at(one) for one in acts if isinstance(one, EnterRace)]
        return reply_json({"ok": True, "act": None, "races": [], "found": found})
    known, is_amending = requests.access.writer.queries, body.get("amend") is True

    def put_in(once: Once | None) -> Line:
        fresh = new_in(acts, known, is_amending=is_amending)
        return requests.done(fresh, who, once) if fresh else {"ok": True, "act": None, "races": []}

    return reply_json(requests.answer(body, put_in))


def _looked_at(race: EnterRace) -> Line:
    """A race of a file, for whoever looks before it is put in."""
    names = [car.name for car in race.entries]
    return {"date": race.date[:10], "name": race.name or race.track, "names": names}


def _acts_in_file(body: Line) -> Sequence[Act]:
    """The acts of a file, whose form is seen by how it begins."""
    content = _content(body)
    is_json = content.lstrip()[:1] in (b"{", b"[")
    return read_json(content) if is_json else FORMS["csv"].reader()(content)


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
        kind = kind_of(act.get("act"))
        if kind is None or not kind.may:
            may = sorted(word for word, one in every_kind().items() if one.may)
            raise BadAct(f"a page does one of {', '.join(may)}, not {act.get('act')!r:.40}")
    return [parse_act(act) for act in acts]


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

    def asked(
        self, acts_of: Callable[[Line], Sequence[Act]]
    ) -> tuple[Speaker, Line, Sequence[Act]]:
        """Who speaks, the body, and the acts that it comes to, which he may do.

        Raises:
            Problem: 401, 403 for whoever may not; 400 for what has no sense.
        """
        who = speaker(self.access, request)
        with _told():
            body = read_object(request)
            acts = acts_of(body)
        who.check(acts, self.access.writer)
        return who, body, acts

    def keep(
        self,
        acts_of: Callable[[Line], Sequence[Act]],
        more: Callable[[LeagueAccess, Sequence[Act]], Sequence[Act]] = lambda _, acts: acts,
    ) -> Response:
        """Carry out what a body comes to, and what follows from it by itself; the reply has the
        number of the first act.

        Raises:
            Problem: as of `asked` and `answer`.
        """
        who, body, acts = self.asked(acts_of)
        done = more(self.access, acts)
        return reply_json(self.answer(body, lambda once: self.done(done, who, once)))

    def look(self, told: Callable[[Sequence[Act], str], Line]) -> Response:
        """What is told of acts that somebody could do, and has not done.

        Raises:
            Problem: as of `asked`.
        """
        who, _, acts = self.asked(_acts)
        with _told():
            return reply_json({"ok": True, **told(acts, who.by)})

    def done(self, acts: Sequence[Act], who: Speaker, once: Once | None) -> Line:
        """Carry acts out; what is answered."""
        races = [act.race for act in acts if isinstance(act, EnterRace)]
        told = once and once.answered(act=None, races=races)
        n = self.access.writer.do(*acts, by=who.by, once=told)
        return {"ok": True, "act": n, "races": races}

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
        who, body = self.organiser(), read_object(request)
        return reply_json(self.answer(body, lambda once: {"ok": True, **work(body, who.by, once)}))

    def organiser(self) -> Speaker:
        """Who speaks, an organiser.

        Raises:
            Problem: 401, 403 for whoever is none.
        """
        who = speaker(self.access, request)
        if who.role != "organiser":
            raise _refusal(f"a {who.role} does not do this")
        return who

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
