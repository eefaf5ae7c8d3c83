"""What a club tells a program elsewhere: over HTTP to a receiver that is well, down, slow, or has
troubles of its own."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import ssl
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from threading import enumerate as enumerate_threads
from typing import Any

import pytest
from support.leagues.club import until
from support.leagues.records import NIGHT, by_hand, do, ended
from support.leagues.servers import give_keys, push_all, serving

from companion.app.league import open_club, open_receivers
from companion.league import hooks
from companion.league.errors import LeagueError
from companion.league.hooks import KINDS, Club, Teller
from companion.league.keeping import digest_of_key
from companion.league.league import League
from companion.league.plain import LiveTable
from companion_web.door import Door, listen
from companion_web.guard import Guard, KeeperPin
from race_companion_webhooks import Webhook, parse_secret

KEY = bytes(range(32))
SECRET = f"whsec_{base64.b64encode(KEY).decode()}"


class Elsewhere:
    """A program that is told. `answers` are statuses, the last one for ever; `waits` holds it."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, Any]] = []
        self.ids: list[str] = []
        self.asked = 0
        self.answers = [204]
        self.waits: Event | None = None
        self._server: ThreadingHTTPServer | None = None
        self.open(0)

    def open(self, port: int) -> None:
        own = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                own.take(self)

            def log_message(self, *_: object) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def take(self, asked: BaseHTTPRequestHandler) -> None:
        body = asked.rfile.read(int(asked.headers["Content-Length"]))
        message, at = asked.headers["webhook-id"], asked.headers["webhook-timestamp"]
        signed = hmac.new(KEY, f"{message}.{at}.".encode() + body, hashlib.sha256).digest()
        assert asked.headers["webhook-signature"] == f"v1,{base64.b64encode(signed).decode()}"
        self.asked += 1
        if self.waits is not None:
            self.waits.wait(20)
        status = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        self.ids.append(message)
        if status < 300:
            told = json.loads(body)
            self.heard.append((told["type"], told["data"]))
        asked.send_response(status)
        asked.send_header("Content-Length", "0")
        asked.end_headers()

    def close(self) -> None:
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.heard]


class Tables:
    """The live tables, as a test sets them."""

    def __init__(self) -> None:
        self.states: dict[str, Any] = {}

    def show(self, table: str, state: Any) -> None:
        self.states[table] = state

    def tables(self) -> list[LiveTable]:
        return [LiveTable(table, 0.0, state) for table, state in self.states.items()]


@pytest.fixture
def elsewhere() -> Iterator[Elsewhere]:
    one = Elsewhere()
    yield one
    one.close()


@pytest.fixture
def league(tmp_path: Path) -> Iterator[League]:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        do(league, {"act": "season", "season": "winter", "title": "Winter", "open": True}, by="t")
        key = digest_of_key("k")
        do(league, {"act": "table", "table": "one", "key_sha256": key}, by="t")
        do(league, by_hand("old", ("Ana", "Bea")), by="t")
        yield league


Start = Callable[..., Teller]


@pytest.fixture
def start(league: League, elsewhere: Elsewhere) -> Iterator[Start]:
    opened: list[Teller] = []

    def tell(tables: Tables | None = None, *, timeout_s: float = 5.0) -> Teller:
        address = f"http://127.0.0.1:{elsewhere.port}/hook?club=1"
        club = Club(league.public, tables or Tables(), league.catch_up)
        teller = Teller(
            club,
            "webhook",
            Webhook(address, SECRET, timeout_s=timeout_s),
            league.folder.acts,
            pause=lambda failures: 0.02,
            look_s=0.02,
            league_every=1,
        )
        opened.append(teller)
        until((league.folder.acts / "told.json").exists)
        return teller

    yield tell
    for one in opened:
        one.close()


def put(league: League, race: str, **more: Any) -> None:
    """A race of the open season, told by hand."""
    place = {"act": "round", "race": race, "season": "winter"}
    do(league, by_hand(race, ("Ana", "Bea", "Cai"), **more), place, by="t")


def sent(race: str, started: str = NIGHT) -> bytes:
    """The record of a race, as a table sends it."""
    return b"".join(json.dumps(line).encode() + b"\n" for line in ended(race, started=started))


def test_what_is_there_when_somebody_is_first_told_is_no_news(
    start: Start, elsewhere: Elsewhere
) -> None:
    start()
    time.sleep(0.2)
    assert elsewhere.heard == []


def test_a_race_and_the_standings_are_told_once_and_again_when_they_change(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    start()
    put(league, "new")
    until(lambda: "standings.changed" in elsewhere.kinds())
    kind, race = elsewhere.heard[0]
    assert (kind, race["race"], race["confirmed"]) == ("race.finished", "new", True)
    assert [one["name"] for one in race["result"]] == ["Ana", "Bea", "Cai"]
    _, table = elsewhere.heard[-1]
    assert [(one["name"], one["points"]) for one in table["lines"]] == [
        ("Ana", 10),
        ("Bea", 8),
        ("Cai", 6),
    ]
    before = len(elsewhere.heard)
    do(league, {"act": "strike", "race": "new", "reason": "a cup of coffee"}, by="t")
    until(lambda: len(elsewhere.heard) == before + 2)
    assert elsewhere.kinds()[before:] == ["race.struck", "standings.changed"]
    do(league, {"act": "restore", "race": "new"}, by="t")
    until(lambda: len(elsewhere.heard) == before + 4)
    assert elsewhere.kinds()[before + 2 :] == ["race.confirmed", "standings.changed"]
    assert set(elsewhere.kinds()) < set(KINDS)
    assert len(set(elsewhere.ids)) == len(elsewhere.ids)


def test_a_race_that_waits_is_finished_and_later_confirmed(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    do(league, {"act": "club", "confirm": "by-hand"}, by="t")
    start()
    receipt = league.receive(sent("night"), table="one")
    assert receipt.status == "taken"
    until(lambda: elsewhere.heard)
    assert elsewhere.heard[0][0] == "race.finished"
    assert not elsewhere.heard[0][1]["confirmed"]
    do(league, {"act": "confirm", "race": "night"}, by="t")
    until(lambda: "standings.changed" in elsewhere.kinds())
    assert elsewhere.kinds() == ["race.finished", "race.confirmed", "standings.changed"]


def test_a_start_and_every_turn_of_a_table_are_told(start: Start, elsewhere: Elsewhere) -> None:
    tables = Tables()
    tables.show("one", {"state": None})
    start(tables)
    cars = {"1": {"name": "Ana", "lap": 1}, "2": {"name": "Bea", "lap": 1}}
    for turn in (1, 2):
        state = {"phase": "race", "turn": turn, "laps": 2, "cars": cars}
        tables.show("one", {"title": "Monaco", "state": state})
        until(lambda turn=turn: len(elsewhere.heard) == turn)  # type: ignore[misc]
    assert elsewhere.heard == [
        ("race.started", told(1, "Ana")),
        ("race.turn", told(2, "Bea")),
    ]


def told(seat: int, name: str) -> dict[str, object]:
    where = {"table": "one", "board": "Monaco", "laps": 2, "lap": 1}
    return {**where, "seat": seat, "name": name}


def test_a_report_that_is_odd_is_passed_over(start: Start, elsewhere: Elsewhere) -> None:
    tables = Tables()
    tables.show("one", {"state": 7})
    start(tables)
    odd_ones = (
        [],
        {"phase": "race", "turn": [], "cars": 3},
        {"phase": 1},
        {"phase": "", "turn": ""},
        {"phase": "race \ud800", "turn": 1},
    )
    for n, odd in enumerate(odd_ones):
        tables.show("one", {"title": n, "state": odd})
        time.sleep(0.1)
    tables.show("one", {"state": {"phase": "race", "turn": 1, "cars": {}}})
    until(lambda: elsewhere.heard and "seat" in elsewhere.heard[-1][1])


def test_a_fault_in_a_look_is_told_and_the_next_look_goes_on(
    start: Start, elsewhere: Elsewhere, caplog: pytest.LogCaptureFixture
) -> None:
    tables = Tables()
    tables.show("one", {"state": None})
    start(tables)
    tables.show("one", 7)  # what no table can send
    until(lambda: "what is new waits" in caplog.text and "Traceback" in caplog.text)
    tables.show("one", {"state": {"phase": "race", "turn": 1, "cars": {}}})
    until(lambda: elsewhere.kinds() == ["race.started"])


def test_who_is_down_is_told_all_races_later_and_of_the_standings_once(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    port = elsewhere.port
    start()
    elsewhere.close()
    for n in range(3):
        put(league, f"race-{n}")
        league.receive(sent(f"night-{n}"), table="one")  # nothing waits for it
    elsewhere.open(port)
    until(lambda: elsewhere.kinds().count("race.finished") == 6)
    until(lambda: elsewhere.kinds()[-1] == "standings.changed")
    races = [data["race"] for kind, data in elsewhere.heard if kind == "race.finished"]
    assert sorted(races) == [f"{kind}-{n}" for kind in ("night", "race") for n in range(3)]
    # Once; twice where it was just about to ask with what was known before the last race.
    assert elsewhere.kinds().count("standings.changed") <= 2


def test_who_answers_500_is_told_the_same_message_again(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    elsewhere.answers = [500, 503, 429, 204]
    start()
    put(league, "new")
    until(lambda: "standings.changed" in elsewhere.kinds())
    assert elsewhere.ids[0] == elsewhere.ids[1] == elsewhere.ids[2] == elsewhere.ids[3]
    assert elsewhere.kinds() == ["race.finished", "standings.changed"]


def test_who_refuses_a_message_is_not_asked_again_and_hears_the_next(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    elsewhere.answers = [400, 204]
    start()
    put(league, "new")
    until(lambda: elsewhere.heard)
    assert elsewhere.kinds() == ["standings.changed"]
    assert len(elsewhere.ids) == 2


def test_who_has_no_good_certificate_is_told_once_it_is_renewed(
    start: Start, elsewhere: Elsewhere, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    send, refused = Webhook.send, list[str]()

    def refuse_once(self: Webhook, message: str, body: bytes, at: int) -> None:
        if not refused:
            refused.append(message)
            raise ssl.SSLCertVerificationError("certificate has expired")
        send(self, message, body, at)

    monkeypatch.setattr(Webhook, "send", refuse_once)
    start()
    put(league, "new")
    until(lambda: len(elsewhere.heard) == 2)
    assert elsewhere.ids[0] == refused[0]


def test_who_is_slow_keeps_no_push_waiting(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    elsewhere.waits = Event()
    start(timeout_s=30)
    put(league, "new")
    began = time.monotonic()
    assert league.receive(sent("night"), table="one").status == "taken"
    assert time.monotonic() - began < 5
    assert elsewhere.heard == []
    elsewhere.waits.set()
    until(lambda: "race.finished" in elsewhere.kinds())


def test_who_does_not_answer_in_time_is_asked_again(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    elsewhere.waits = Event()
    start(timeout_s=0.2)
    put(league, "new")
    until(lambda: elsewhere.asked > 1)
    elsewhere.waits.set()
    until(lambda: "standings.changed" in elsewhere.kinds())
    kinds = elsewhere.kinds()  # those that were not waited for are written down late
    assert kinds.index("race.finished") < kinds.index("standings.changed")


def test_a_new_start_tells_what_came_meanwhile_and_nothing_twice(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    first = start()
    put(league, "new")
    until(lambda: len(elsewhere.heard) == 2)
    first.close()
    put(league, "later")
    start()
    until(lambda: len(elsewhere.heard) == 4)
    time.sleep(0.2)
    assert elsewhere.kinds() == ["race.finished", "standings.changed"] * 2
    assert len(set(elsewhere.ids)) == 4


def test_of_two_processes_one_tells_and_the_other_when_that_one_is_gone(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    first = start()
    start()
    put(league, "new")
    until(lambda: len(elsewhere.heard) == 2)
    time.sleep(0.2)
    assert len(elsewhere.heard) == 2
    first.close()
    put(league, "later")
    until(lambda: len(elsewhere.heard) == 4)


def test_whoever_is_hidden_and_what_is_private_is_not_told(
    start: Start, elsewhere: Elsewhere, league: League
) -> None:
    do(league, {"act": "hide", "driver": "Bea"}, by="t")
    start()
    put(league, "new")
    until(lambda: "standings.changed" in elsewhere.kinds())
    assert "bea" not in json.dumps(elsewhere.heard).lower()
    do(league, {"act": "season", "season": "winter", "private": True}, by="t")
    put(league, "secret")
    time.sleep(0.3)
    assert "secret" not in json.dumps(elsewhere.heard)


def test_a_race_that_comes_to_light_because_a_later_one_is_gone_is_no_news(
    start: Start, elsewhere: Elsewhere, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "MOST_RACES", 2)
    for n in range(4):
        put(league, f"race-{n}", date=f"2026-02-0{n + 1}")
    league.receive(sent("night", "2026-03-01T20:00:00"), table="one")
    start()
    (number,) = (act["n"] for act in league.history() if act["act"] == "record")
    gone = league.undo(number, by="t")
    do(league, {"act": "strike", "race": "race-3", "reason": "x"}, by="t")
    until(lambda: "race.struck" in elsewhere.kinds())
    league.undo(gone, by="t")
    do(league, {"act": "restore", "race": "race-3"}, by="t")
    until(lambda: "race.confirmed" in elsewhere.kinds())
    time.sleep(0.2)
    races = [(kind, data["race"]) for kind, data in elsewhere.heard if "race" in data]
    assert races == [("race.struck", "race-3"), ("race.confirmed", "race-3")]


def test_who_was_away_hears_of_more_races_than_are_looked_at_at_once(
    start: Start, elsewhere: Elsewhere, league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hooks, "MOST_RACES", 2)
    for n in range(4):
        put(league, f"before-{n}", date=f"2026-02-0{n + 1}")
    start().close()
    for n in range(7):
        put(league, f"race-{n}", date=f"2026-02-{n + 10}")
    start()
    until(lambda: elsewhere.kinds() == ["race.finished"] * 7 + ["standings.changed"])
    assert [data["race"] for _, data in elsewhere.heard[:7]] == [f"race-{n}" for n in range(7)]


@pytest.mark.slow
def test_a_server_that_is_closed_ends_its_webhooks_and_the_next_one_tells_the_rest(
    league: League, elsewhere: Elsewhere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(Teller.__init__.__kwdefaults__, "look_s", 0.1)
    pin = KeeperPin("31415926")
    address = f"http://127.0.0.1:{elsewhere.port}/hook"

    def serve() -> Door:
        told = {"webhook": Webhook(address, SECRET, timeout_s=30)}
        app, keeper = open_club(league.folder.data, None, pin, Guard(pin), told)
        return Door(app, listen("127.0.0.1", 0), keeper)

    elsewhere.waits = Event()
    with serve():
        until((league.folder.acts / "told.json").exists)
        put(league, "new")
        until(lambda: elsewhere.asked)
        began = time.monotonic()
    assert time.monotonic() - began < 10  # though the receiver has not answered yet
    elsewhere.waits.set()
    until(lambda: "webhooks" not in {thread.name for thread in enumerate_threads()})
    with serve():
        until(lambda: elsewhere.kinds()[-1:] == ["standings.changed"])
    until(lambda: "webhooks" not in {thread.name for thread in enumerate_threads()})
    assert len(set(elsewhere.ids)) == 2  # what was under way is known by its id


@pytest.mark.long
def test_a_server_of_two_processes_tells_each_race_once(
    tmp_path: Path, elsewhere: Elsewhere
) -> None:
    data = tmp_path / "club"
    give_keys(data, None)
    address = f"http://127.0.0.1:{elsewhere.port}"
    text = f"[league]\nwebhook = {address!r}\nwebhook_secret = {SECRET!r}\n"
    (data / "companion.toml").write_text(text)
    with serving(data, "--workers", "2") as club:
        until((data / "league/told.json").exists)
        assert push_all(tmp_path, club) == [None] * 3
        until(lambda: elsewhere.kinds().count("race.finished") >= 6)
        time.sleep(3)
    assert elsewhere.kinds().count("race.finished") == 6


@pytest.mark.parametrize("secret", ["", "abc", "whsec_", "whsec_!!!!", "whsec_YWJj", SECRET[6:]])
def test_a_secret_that_is_none_is_told_with_what_is_one(secret: str) -> None:
    with pytest.raises(ValueError, match="whsec_ and 24 to 64 bytes in base64"):
        parse_secret(secret)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"webhook": "http://x"}, "address and secret together"),
        ({"webhook": "x", "webhook_secret": SECRET}, "address should be an address such as"),
        ({"webhook": "http://x.de/ü", "webhook_secret": SECRET}, "should be an address such"),
        ({"webhook": f"http://{'a' * 64}.de", "webhook_secret": SECRET}, "an address such as"),
        ({"webhook": "http://bot:geheim@x.de", "webhook_secret": SECRET}, "without a user"),
    ],
)
@pytest.mark.parametrize("heading", ["league", "webhook"])
def test_settings_name_both_or_none(
    tmp_path: Path, settings: dict[str, str], message: str, heading: str
) -> None:
    with pytest.raises(LeagueError, match=message) as refused:
        opened(tmp_path, heading, settings)
    assert "geheim" not in str(refused.value)
    assert "[webhook]" in str(refused.value)


@pytest.mark.parametrize("heading", ["league", "webhook"])
def test_an_address_is_told_that_either_heading_names(tmp_path: Path, heading: str) -> None:
    settings = {"webhook": "http://x.de", "webhook_secret": SECRET}
    assert opened(tmp_path, heading, settings)["webhook"].address == "http://x.de"


def opened(folder: Path, heading: str, settings: dict[str, str]) -> dict[str, Any]:
    """Who is told where companion.toml says this, below `[league]` or below their own heading."""
    if heading == "webhook":
        names = {"webhook": "address", "webhook_secret": "secret"}
        settings = {names[name]: value for name, value in settings.items()}
    lines = "".join(f"{name} = {json.dumps(value)}\n" for name, value in settings.items())
    (folder / "companion.toml").write_text(f"[{heading}]\n{lines}")
    return {**open_receivers(folder)}
