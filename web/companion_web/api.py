"""What seats, pages and the referee read and post, as JSON below `/api`.

A post is judged here for its form alone (keys, types, sizes); whatever arrives, the table sees a
small, clean object. What it means, the table decides. The bodies of the referee's posts are those
of the engine protocol, at one address a word.

Joining by the one code for all stands here too, and the computer itself, which the referee may have
examined and switched off.
"""

from __future__ import annotations

import json
import math
import secrets
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import Final, NoReturn, Protocol, TypeGuard

from flask import Blueprint, Request, Response, current_app, request

from companion.drawing.bitmap import png
from companion.rules.games import KINDS, kinds_of
from companion.system.frozen import dataclass
from companion.table.ports import AccessPort, Caller, Picture, Reply, TablePort
from companion.views.words import LANGUAGES, words
from companion.views.words.refusals import refusal_text
from companion_web.assets import format_qr
from companion_web.guard import TABLE, Bucket, Guard, Problem, Window, malformed, too_many

OPENAPI: Final = Path(__file__).parent / "openapi.json"
BUTTONS: Final = range(1, 7)
SCALES: Final = range(1, 9)
# What a word to the table may come with.
WORD_KEYS: Final = frozenset({"table", "value", "seat", "space", "gear", "yes"})


def describe() -> Response:
    """What there is at which address, of a table and of its league."""
    return Response(OPENAPI.read_bytes(), mimetype="application/json")


def blueprint(table: TablePort, access: AccessPort, guard: Guard) -> Blueprint:
    """The routes under `/api/` that need no referee."""
    api = Blueprint("api", __name__, url_prefix="/api")

    api.add_url_rule("/openapi.json", view_func=describe)

    @api.get("/table")
    def tell_table() -> Response:
        return Response(table.snapshot().body, mimetype="application/json")

    @api.get("/stream", defaults={"seat": 0})
    @api.get("/seat/<int:seat>/stream")
    def stream(seat: int) -> Response:
        raise Problem(
            HTTPStatus.NOT_IMPLEMENTED, "no-stream", "streams are served by the table's own server"
        )

    @api.get("/seat/<int:seat>/screen.png")
    def show_screen(seat: int) -> Response:
        return _reply_picture(_picture_for_caller(table, guard, seat))

    @api.get("/seat/<int:seat>/view")
    def tell_view(seat: int) -> Response:
        _require_seat(table, seat)
        return reply_json(table.snapshot().tell_seat(seat, _is_own(guard, seat)))

    @api.get("/seat/<int:seat>/odds")
    def odds(seat: int) -> Response:
        _require_seat(table, seat)
        told = table.snapshot().tell_odds(seat)
        if told is None:
            raise Problem(HTTPStatus.CONFLICT, "no-advice", "this race is without advice")
        return reply_json(told)

    @api.get("/seat/<int:seat>/link")
    def tell_link(seat: int) -> Response:
        guard.holder_of_seat(request, seat)
        _require_seat(table, seat)
        link = access.link(seat)
        return reply_json({"seat": seat, "link": link, "qr": format_qr(link)})

    _add_posts(api, table, guard)
    return api


def _add_posts(api: Blueprint, table: TablePort, guard: Guard) -> None:
    """What a seat posts, and words to the table."""

    @api.post("/seat/<int:seat>/press")
    def press(seat: int) -> Response:
        caller = guard.caller_for_seat(request, seat)
        _require_seat(table, seat)
        button, hold, picture = parse_press(read_object(request))
        return reply_table(table.press(caller, seat, button, hold, picture))

    @api.post("/seat/<int:seat>/answer")
    def answer(seat: int) -> Response:
        caller = guard.caller_for_seat(request, seat)
        if seat != TABLE:
            _require_seat(table, seat)
        return reply_table(table.submit(caller, parse_answers(seat, read_json(request))))

    @api.post("/seat/<int:seat>/explain")
    def explain(seat: int) -> Response:
        caller = guard.caller_for_seat(request, seat)
        _require_seat(table, seat)
        line = parse_answer(seat, read_object(request))
        return reply_explained(table.submit(caller, {"explain": line}))

    @api.post("/seat/<int:seat>/elsewhere")
    def elsewhere(seat: int) -> Response:
        caller = guard.caller_for_seat(request, seat)
        _require_seat(table, seat)
        return reply_table(table.submit(caller, parse_elsewhere(seat, read_object(request))))

    @api.post("/table")
    def set_up() -> Response:
        # Which word is for whom the table judges: who is host changes while people sit down.
        caller = guard.caller(request)
        return reply_table(table.submit(caller, parse_word(read_object(request))))


def reply_table(reply: Reply) -> Response:
    """The table's own word as an answer."""
    return reply_json(reply.body, reply.status)


def reply_explained(reply: Reply) -> Response:
    """What the referee explains; for our own pages with the sentence of the refusal as `say`."""
    why, language = reply.body.get("why"), request.headers.get("X-Language")
    if not isinstance(why, Mapping) or language not in LANGUAGES:
        return reply_table(reply)
    return reply_json({**reply.body, "say": refusal_text(why, words(language))}, reply.status)


def parse_press(body: Mapping[str, object]) -> tuple[int, bool, int | None]:
    """Button, hold and picture number of a press.

    >>> parse_press({"button": 3, "hold": True})
    (3, True, None)

    Raises:
        Problem: 400 for any other form.
    """
    button, hold, picture = body.get("button"), body.get("hold", False), body.get("picture")
    if not _is_number(button) or button not in BUTTONS:
        raise malformed("bad-button", f"button must be 1 to 6, not {button!r}", button=button)
    if not isinstance(hold, bool):
        raise malformed("bad-press", f"hold must be true or false, not {hold!r}")
    if picture is not None and not _is_number(picture):
        raise malformed("bad-press", f"picture must be a number, not {picture!r}")
    return button, hold, picture


def parse_answer(seat: int, body: Mapping[str, object]) -> dict[str, object]:
    """The line of the engine protocol for the answer in a body.

    >>> parse_answer(2, {"gear": 3, "version": 7})
    {'seat': 2, 'gear': 3, 'version': 7}

    Raises:
        Problem: 400 unless it is exactly one ask's kind and perhaps a version.
    """
    kinds = [key for key in body if key not in ("version", "seat")]
    # A seat's answer is of one of the kinds of asks that games have, and nothing else: the
    # referee's lines have the same form and must not come in by this door. The table is asked for
    # the end of a race; from a seat the same word would be the referee's.
    how = KINDS.get(kinds[0]) if len(kinds) == 1 else None
    if how is None or (how.of_table and seat != TABLE):
        raise malformed("bad-answer", "an answer has one kind of ask, and perhaps a version")
    if body.get("seat", seat) != seat:
        raise malformed("bad-answer", f"the body is for another seat than {seat}")
    return {"seat": seat, **{key: value for key, value in body.items() if key != "seat"}}


def parse_answers(seat: int, body: object) -> dict[str, object]:
    """The line for an answer, or the word to the table for a list of them: all, or none.

    >>> parse_answers(2, [{"roll": 8}, {"move": {"to": "T1.l3", "brakes": 0}}])["table"]
    'touch'

    Raises:
        Problem: 400 for any other form.
    """
    if not isinstance(body, list):
        return parse_answer(seat, _object(body))
    return {"table": "touch", "seat": seat, "value": [parse_answer(seat, _object(o)) for o in body]}


def parse_elsewhere(seat: int, body: Mapping[str, object]) -> dict[str, object]:
    """The word to the table that a car stands elsewhere, or that this seat agrees (or not).

    >>> parse_elsewhere(2, {"to": "S2.m3"})
    {'table': 'propose', 'seat': 2, 'space': 'S2.m3'}
    >>> parse_elsewhere(3, {"agree": True})
    {'table': 'agree', 'seat': 3, 'yes': True}

    Raises:
        Problem: 400 for any other form.
    """
    match body:
        case {"to": str(space)} if len(body) == 1:
            return {"table": "propose", "seat": seat, "space": space}
        case {"agree": bool(yes)} if len(body) == 1:
            return {"table": "agree", "seat": seat, "yes": yes}
    raise malformed("bad-elsewhere", 'the body must be {"to": space} or {"agree": true}')


def parse_word(body: Mapping[str, object]) -> dict[str, object]:
    """A word to the table (`{"table": "laps", "value": 3}`) or a new race (`{"new": HEADER}`).

    Raises:
        Problem: 400 for any other form.
    """
    is_word = isinstance(body.get("table"), str) and set(body) <= WORD_KEYS
    if is_word or set(body) == {"new"}:
        return dict(body)
    raise malformed("bad-word", 'the body must be {"table": word, "value": …} or {"new": header}')


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _require_seat(table: TablePort, seat: int) -> None:
    if seat not in table.snapshot().public:
        raise Problem(HTTPStatus.NOT_FOUND, "no-seat", f"there is no seat {seat}", seat=seat)


def _picture_for_caller(table: TablePort, guard: Guard, seat: int) -> Picture:
    """The seat's own face for its own token, its public face for everybody else."""
    _require_seat(table, seat)
    snapshot = table.snapshot()
    return (snapshot.private if _is_own(guard, seat) else snapshot.public)[seat]


def _is_own(guard: Guard, seat: int) -> bool:
    """Whether whoever asks sits there."""
    caller = guard.known(request)
    return caller is not None and caller.seat == seat


def _reply_picture(picture: Picture) -> Response:
    scale = request.args.get("scale", 1, type=int)
    if scale not in SCALES:
        raise malformed("bad-scale", f"scale must be 1 to 8, not {scale!r}")
    response = Response(_drawn(picture.bitmap, scale), mimetype="image/png")
    response.set_etag(str(picture.number))
    response.headers["X-Picture"] = str(picture.number)
    # A cache may keep it but must ask each time, and never shows one seat's face to another.
    response.headers["Cache-Control"] = "private, no-cache"
    response.vary.add("Authorization")
    response.make_conditional(request)
    return response


@lru_cache(maxsize=64)
def _drawn(bitmap: bytes, scale: int) -> bytes:
    """The same picture goes to every page that is open."""
    return png(bitmap, scale)


# -- what the referee posts -----------------------------------------------------------------------


WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "undo": ("preview",),
    "amend": ("value", "preview", "version", "reason"),
    "replay": ("seat",),
    "answers": (),
    "correct": ("reason",),
    "note": (),
    "retire": ("seat", "reason"),
    "return": ("seat", "reason"),
    "join": (),
    "end": ("reason",),
    "flag": ("seat",),
    "bell": (),
    "pause": (),
    "resume": (),
}
"""What a body may have beside the word itself."""
WITH_VALUE: Final = {"undo", "amend", "answers", "correct", "note", "flag", "join"}
"""The body must hold the word itself (`{"undo": 2}`); all others the address says."""
TO_TABLE: Final = {"pause", "resume"}
"""Not the engine's: words to the table around it."""


def referee_blueprint(table: TablePort, guard: Guard) -> Blueprint:
    """The routes under `/api/referee/`."""
    referee = Blueprint("referee", __name__, url_prefix="/api/referee")

    @referee.post(f"/<any({', '.join(WORDS)}):word>")
    def submit(word: str) -> Response:
        caller = guard.referee(request)
        return reply_table(table.submit(caller, parse_referee(word, read_object(request))))

    return referee


def parse_referee(word: str, body: Mapping[str, object]) -> dict[str, object]:
    """The line for the table that a referee's post means.

    >>> parse_referee("retire", {"seat": 2, "reason": "had to leave"})
    {'seat': 2, 'reason': 'had to leave', 'retire': True}

    Raises:
        Problem: 400 for a body that says something else than its address.
    """
    strange, has_value = sorted(set(body) - {word, *WORDS[word]}), word in WITH_VALUE
    wrong = ""
    if strange:
        wrong = f"{word} does not take {strange[0]!r}"
    elif has_value and word not in body:
        wrong = f"the body must have {word!r}"
    elif "seat" in WORDS[word] and "seat" not in body:
        wrong = f"{word} needs a seat"
    elif not has_value and body.get(word, True) is not True:
        wrong = f"{word} can only be true"
    if wrong:
        raise malformed("bad-referee", wrong, word=word)
    if has_value:
        return dict(body)
    return {"table": word} if word in TO_TABLE else {**body, word: True}


# -- the JSON of a post ---------------------------------------------------------------------------


BODY_LIMIT: Final = 64 * 1024


def read_object(request: Request) -> dict[str, object]:
    """The object in the body of a post; an empty body is an empty object.

    Raises:
        Problem: 413 above 64 KiB, 400 for all that is not an object of finite numbers
            and of text that UTF-8 can hold.
    """
    return _object(read_json(request))


def read_json(request: Request) -> object:
    """The JSON in the body of a post; an empty body is an empty object.

    Raises:
        Problem: 413 above 64 KiB, 400 for what has no finite numbers or no text of UTF-8.
    """
    raw = _read_bytes(request)
    return parse_json(raw) if raw.strip() else {}


def parse_json(raw: bytes) -> object:
    """The JSON in these bytes.

    >>> parse_json(b'{"gear": 3}')
    {'gear': 3}
    """
    try:
        value = json.loads(
            raw.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite
        )
        # What cannot be written again (a lone surrogate) must not reach the journal.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as unreadable:
        raise malformed("bad-json", "the body must be one JSON object") from unreadable
    return value


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise malformed("bad-json", "the body must be one JSON object")
    return value


def _read_bytes(request: Request) -> bytes:
    length = request.content_length  # None for a chunked body
    if length is not None and length > BODY_LIMIT:
        raise _too_large()
    try:
        raw = request.stream.read(BODY_LIMIT + 1)
    except (OSError, ValueError) as broken:
        raise malformed("bad-body", "the body ended before it was complete") from broken
    if len(raw) > BODY_LIMIT:
        raise _too_large()
    if length is not None and len(raw) < length:
        raise malformed("bad-body", "the body ended before it was complete")
    return raw


def _too_large() -> Problem:
    return Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "body-too-large",
        f"a body may have {BODY_LIMIT} bytes at most",
        limit=BODY_LIMIT,
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is beyond any number in use here")
    return number


# -- joining by one code --------------------------------------------------------------------------


JOIN_KEYS: Final = frozenset({"name", "color"})
# Each is a file of the journal: nobody without a key fills the disk.
DEMOS_AT_ONCE: Final = 12
DEMOS_A_SECOND: Final = 0.1


def joining_blueprint(
    table: TablePort, access: AccessPort, guard: Guard, machine: MachinePort | None
) -> Blueprint:
    """What `/join` asks."""
    joining = Blueprint("joining", __name__)
    demos = Bucket(DEMOS_AT_ONCE, DEMOS_A_SECOND)

    @joining.get("/api/join")
    def tell_join() -> Response:
        """The code, for whoever shows it to the room: it is a key to a free seat."""
        guard.referee(request)
        link = access.link(TABLE)
        told: dict[str, object] = {"link": link, "qr": format_qr(link), "wifi": None}
        told["letters"] = guard.letters.now
        if machine and (network := machine.hotspot()):
            name, password = network["name"], network["password"]
            qr = format_qr(network["code"])
            told["wifi"] = {"name": name, "password": password, "qr": qr}
        return reply_json(told)

    @joining.post("/api/join")
    def join() -> Response:
        caller = guard.caller(request)
        body = read_object(request)
        if not set(body) <= JOIN_KEYS:
            raise malformed("bad-join", "the body may have a name and a color")
        reply = table.submit(caller, {"table": "sit", "value": body})
        told = dict(reply.body)
        if reply.status == HTTPStatus.OK:
            told["link"] = access.link(int(told["seat"]))
        return reply_json(told, reply.status)

    @joining.post("/api/demo/<any(watch, play, end):what>")
    def demonstrate(what: str) -> Response:
        # No key: whoever stands before an empty table may look at a race, or drive against bots.
        if not demos.take():
            raise too_many()
        reply = table.submit(Caller(), {"table": "demo", "value": what})
        told = dict(reply.body)
        if reply.status == HTTPStatus.OK and "seat" in told:
            told["link"] = access.link(int(told["seat"]))
        return reply_json(told, reply.status)

    return joining


# -- a phone that has lost its seat ---------------------------------------------------------------


RETURNS: Final = 6
RETURN_S: Final = 120.0
"""How long a question stands, and in which time one address may ask so many."""
NUMBERS: Final = frozenset(range(10, 100))


@dataclass
class Asked:
    """A phone that would come back to a seat; what was said to it, None: nothing yet."""

    seat: int
    address: str
    number: int
    until: float
    says: bool | None = None

    def is_open(self, seat: object, number: object) -> bool:
        """Whether this is what is asked, and nobody has said anything yet."""
        is_it = (self.seat, self.number, self.says) == (seat, number, None)
        return is_it and self.until > time.monotonic()


class Returning:
    """Phones without their seat's key, who come back by somebody's word.

    That is the host's, the PIN's or another phone's of that very seat. Where hands are kept face
    down it is not the host's, who plays too and must not read the others' secrets. Both sides see
    the same number, so that nobody lets another phone in than the one that is shown. Each address
    has questions of its own, or a stranger could keep the one from asking whose seat it is.
    """

    def __init__(
        self, table: TablePort, access: AccessPort, announce: Callable[[bytes], None]
    ) -> None:
        self._table, self._access, self._announce = table, access, announce
        self._asked: dict[str, Asked] = {}
        self._asks = Window(RETURNS, RETURN_S)
        self._lock = Lock()

    def ask(self, caller: Caller, address: str, seat: object) -> dict[str, object]:
        """Ask for a seat: a ticket, and the number that stands on the phones that may say yes.

        Raises:
            Problem: 403 for whoever has a seat, 404 where nobody sits, 409 where this address asks
                for it already or was told no just now, 429.
        """
        if caller.seat is not None:
            raise Problem(HTTPStatus.FORBIDDEN, "no-key", "this asks who has no seat's key")
        if type(seat) is not int or seat not in self._people():
            raise Problem(HTTPStatus.NOT_FOUND, "no-seat", "nobody has that seat")
        now = time.monotonic()
        with self._lock:
            self._asked = {key: one for key, one in self._asked.items() if one.until > now}
            mine = (one for one in self._asked.values() if one.address == address)
            if any(one.seat == seat and not one.says for one in mine):
                why = "another phone asks for that seat"
                raise Problem(HTTPStatus.CONFLICT, "asks-already", why)
            taken = {one.number for one in self._asked.values()}
            of_seat = {one.number for one in self._asked.values() if one.seat == seat}
            # People compare the number and hardly the seat, so no two questions have the same one
            # while there are others; what strangers ask for one seat closes no other seat.
            free = NUMBERS - taken or NUMBERS - of_seat
            if not (free and self._asks.admits(address)):
                raise too_many()
            ticket, number = secrets.token_urlsafe(), secrets.choice([*free])
            self._asked[ticket] = asked = Asked(seat, address, number, now + RETURN_S)
        self._tell(asked)
        return {"ok": True, "ticket": ticket, "number": number, "host": not self._has_secrets()}

    def look(self, ticket: object) -> dict[str, object]:
        """The link of the seat, once somebody has said yes; None before.

        Raises:
            Problem: 409: somebody said no, or nobody anything.
        """
        asked = self._asked.get(str(ticket))
        if asked is None or asked.says is False or asked.until < time.monotonic():
            raise Problem(HTTPStatus.CONFLICT, "not-let-in", "nobody lets that phone in")
        return {"ok": True, "link": self._access.link(asked.seat) if asked.says else None}

    def let(self, caller: Caller, seat: object, number: object, yes: object) -> None:
        """What somebody says to it; the first word holds.

        Raises:
            Problem: 403 for whoever may not, 409 where nobody asks for that.
        """
        is_hosts = caller.host and not self._has_secrets()
        if not (caller.referee or is_hosts or (caller.seat and caller.seat == seat)):
            raise Problem(HTTPStatus.FORBIDDEN, "not-host", "that is the host's word, or the PIN's")
        with self._lock:
            asked = next((one for one in self._asked.values() if one.is_open(seat, number)), None)
            if asked is None:
                why = "nobody asks for that any more"
                raise Problem(HTTPStatus.CONFLICT, "not-let-in", why)
            asked.says = yes is True
        self._tell(asked, self._name(caller.seat) if caller.seat else "PIN")

    def _people(self) -> set[int]:
        """The seats that somebody sits at."""
        told = json.loads(self._table.snapshot().body)
        lobby = told.get("lobby") or {"joined": (told["race"] or {}).get("seats", ()), "bots": {}}
        found = (one for one in lobby["joined"] if one.get("name") and not one.get("bot"))
        return {one["seat"] for one in found if str(one["seat"]) not in lobby["bots"]}

    def _has_secrets(self) -> bool:
        told = json.loads(self._table.snapshot().body)
        game = (told["race"] or told.get("lobby") or {}).get("game")
        return any(kind.revealed_by for kind in kinds_of(game).values())

    def _name(self, seat: int) -> object:
        return self._table.snapshot().tell_seat(seat, False)["who"]["name"]

    def _tell(self, asked: Asked, by: object = None) -> None:
        told = {"seat": asked.seat, "name": self._name(asked.seat), "number": asked.number}
        host = None if self._has_secrets() else self._table.snapshot().host
        told |= {"by": by, "yes": asked.says, "host": host, "left": RETURN_S}
        self._announce(b"event: back\ndata: %b\n\n" % json.dumps(told).encode())


def returning_blueprint(returning: Returning, guard: Guard) -> Blueprint:
    """`/api/join/back` of the phone that asks, `/api/join/let` of those that answer."""
    back = Blueprint("returning", __name__, url_prefix="/api/join")

    @back.post("/back")
    def ask() -> Response:
        caller, body = guard.caller(request), read_object(request)
        ticket = body.get("ticket")
        if ticket:
            return reply_json(returning.look(ticket))
        address = str(request.remote_addr)
        return reply_json(returning.ask(caller, address, body.get("seat")))

    @back.post("/let")
    def let() -> Response:
        caller, body = guard.caller(request), read_object(request)
        returning.let(caller, body.get("seat"), body.get("number"), body.get("yes"))
        return reply_json({"ok": True})

    return back


# -- the computer ---------------------------------------------------------------------------------


POWER: Final = ("off", "restart", "update")


class MachinePort(Protocol):
    """The computer that the table runs on."""

    def examine(self) -> Mapping[str, object]:
        """What `companion doctor --json` prints."""

    def hotspot(self) -> Mapping[str, str] | None:
        """Name, password and code of the network that it has opened itself; None: it has not."""

    def switch(self, power: str) -> str:
        """Switch it "off", have it "restart", or look for an "update"; why it does not, else ""."""

    def set_up(self, settings: Mapping[str, object]) -> str:
        """Keep what its companion.toml is to say, and have it followed; why not, else ""."""


def machine_blueprint(machine: MachinePort, guard: Guard) -> Blueprint:
    """The routes at `/api/machine`."""
    of_machine = Blueprint("machine", __name__)

    @of_machine.get("/api/machine")
    def examine() -> Response:
        guard.referee(request)
        return reply_json(machine.examine())

    @of_machine.post("/api/machine")
    def switch() -> Response:
        guard.referee(request)
        asked = read_object(request)
        power, settings = asked.get("power"), asked.get("settings")
        if isinstance(settings, dict):
            why = machine.set_up(settings)
        elif isinstance(power, str) and power in POWER:
            why = machine.switch(power)
        else:
            raise malformed("bad-power", f"power is one of {', '.join(POWER)}, settings are tables")
        if why:
            raise Problem(HTTPStatus.CONFLICT, "no-power", why)
        return reply_json({"ok": True})

    return of_machine


# -- answers ---------------------------------------------------------------------------------------


def reply_json(body: Mapping[str, object], status: int = HTTPStatus.OK) -> Response:
    """A JSON answer with a status.

    Our own pages say in `X-Language` which language they speak: a refusal then comes with
    its sentence in it as `say`. Other programs get the engine protocol and nothing more.
    """
    language, error = request.headers.get("X-Language"), body.get("error")
    if language in LANGUAGES and isinstance(error, Mapping):
        body = {**body, "say": refusal_text(error, words(language))}
    return Response(current_app.json.dumps(body) + "\n", status, mimetype="application/json")


def reply_problem(problem: Problem) -> Response:
    """The answer to a request that was refused."""
    response = reply_json(problem.as_json(), problem.status)
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="table"'
    if problem.status == HTTPStatus.TOO_MANY_REQUESTS:
        response.headers["Retry-After"] = "1"
    return response
