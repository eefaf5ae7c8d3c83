"""How often one address may ask."""

from __future__ import annotations

import socket
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from support.each import in_one
from werkzeug.test import EnvironBuilder, TestResponse

from companion_web.guard import (
    ADMITTED,
    HOSTS_MOST_KNOWN,
    JUDGED,
    MARK,
    MOST_ADDRESSES,
    Bucket,
    Guard,
    Hosts,
    KeeperPin,
    Problem,
    Window,
    _search_domains,
)

PIN = "271828"
NAME = socket.gethostname().partition(".")[0]

Keys = dict[str, dict[str, str]]


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_window_admits_so_many_in_any_second() -> None:
    clock = Clock()
    window = Window(3, clock=clock)
    assert [window.admits("a") for _ in range(4)] == [True, True, True, False]
    clock.now += 0.9
    assert not window.admits("a")
    clock.now += 0.1
    assert window.admits("a")


def test_addresses_are_counted_apart() -> None:
    window = Window(1, clock=Clock())
    assert window.admits("a")
    assert window.admits("b")
    assert not window.admits("a")


def test_the_addresses_remembered_are_bounded() -> None:
    window = Window(1, clock=Clock())
    for number in range(MOST_ADDRESSES + 1):
        assert window.admits(str(number))
    assert window.admits("0")
    assert not window.admits(str(MOST_ADDRESSES))


def test_a_bucket_refills_slowly() -> None:
    clock = Clock()
    bucket = Bucket(2, rate=5, clock=clock)
    assert [bucket.take() for _ in range(3)] == [True, True, False]
    clock.now += 0.2
    assert [bucket.take() for _ in range(2)] == [True, False]
    bucket.put_back()
    assert bucket.take()


def test_more_than_500_posts_a_second_are_too_many(client: FlaskClient, keys: Keys) -> None:
    statuses = []
    while 429 not in statuses and len(statuses) < 5000:
        response = client.post("/api/seat/1/press", json={"button": 1}, headers=keys["host"])
        statuses.append(response.status_code)
        if len(statuses) == 1:
            _stop_the_clock(client)
    assert statuses.count(200) in (500, 501)
    assert response.get_json()["error"]["key"] == "too-many"
    assert response.headers["Retry-After"] == "1"


def _stop_the_clock(client: FlaskClient) -> None:
    """The test may run on a machine that is too slow for 500 posts a second."""
    guard = client.application.extensions["companion_guard"]
    guard.posts._clock = lambda: 1000.0


# -- the referee's PIN -------------------------------------------------------------------------

END = "/api/referee/end"
GUESSES = 200
"""Twice as many as are compared before the brake is on."""


def guess(client: FlaskClient, key: str, address: str = "10.0.0.66") -> TestResponse:
    headers = {"Authorization": f"Bearer {key}"}
    return client.post(END, json={}, headers=headers, environ_overrides={"REMOTE_ADDR": address})


@pytest.fixture
def stopped(client: FlaskClient) -> Clock:
    """The time of the brake moves only when it is told to."""
    clock, pins = Clock(), client.application.extensions["companion_guard"].pins
    for counter in (pins._all, pins._complaint):
        counter._clock = clock
    pins._all._since = clock.now
    client.application.extensions["companion_guard"].posts._most = 10**9
    return clock


@pytest.mark.faults("the door: PINs are guessed")
@pytest.mark.slow
def test_a_hundred_wrong_pins_are_compared_and_then_ten_a_second_over_all_addresses(
    client: FlaskClient, table: Any, stopped: Clock, capfd: pytest.CaptureFixture[str]
) -> None:
    told = [guess(client, f"{n:06}", f"10.0.{n % 200}.1").status_code for n in range(1000)]
    assert (told.count(401), told.count(429)) == (100, 900)
    late = guess(client, PIN)
    assert (late.status_code, late.headers["Retry-After"]) == (429, "1")
    assert table.heard == []
    stopped.now += 1
    assert [guess(client, "1").status_code for _ in range(12)] == [401] * 10 + [429] * 2
    log = capfd.readouterr().err
    assert log.startswith("companion: somebody at 10.0.")
    assert log.count("\n") == 1


@pytest.mark.faults("the door: PINs are guessed")
@pytest.mark.usefixtures("stopped")
def test_a_seat_is_not_locked_out_by_what_others_guess(client: FlaskClient, keys: Keys) -> None:
    for number in range(GUESSES):
        guess(client, f"{number:06}", "127.0.0.1")
    for who in ("host", "guest"):
        seat = {"host": 1, "guest": 2}[who]
        answer = client.post(f"/api/seat/{seat}/press", json={"button": 1}, headers=keys[who])
        assert answer.status_code == 200


@pytest.mark.faults("the door: PINs are guessed")
@pytest.mark.usefixtures("stopped")
def test_whoever_has_once_given_the_pin_is_not_braked(client: FlaskClient) -> None:
    strangers = client.application.test_client()
    assert guess(client, PIN, "10.0.0.1").status_code == 200
    for number in range(GUESSES):
        guess(strangers, f"{number:06}", f"10.0.1.{number % 200}")
    assert guess(strangers, PIN, "10.0.1.1").status_code == 429
    assert guess(strangers, PIN, "10.0.0.1").status_code == 200, "its address is known"
    assert guess(client, PIN, "10.0.1.1").status_code == 200, "its browser has a mark"


@pytest.mark.usefixtures("stopped")
def test_from_where_the_pin_was_given_there_is_no_guessing_for_ever_either(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion_web.guard.WRONG_AT_ONCE_WHERE_KNOWN", 100)
    strangers = client.application.test_client()
    assert guess(strangers, PIN).status_code == 200
    strangers.delete_cookie(MARK)
    (bucket,) = client.application.extensions["companion_guard"].pins._known.values()
    bucket._clock = lambda: bucket._since  # it gets no fuller while a slow machine guesses
    told = [guess(strangers, f"{n:06}").status_code for n in range(200)]
    assert told.count(429) == 100


@pytest.mark.usefixtures("stopped")
def test_a_token_out_of_use_is_no_guess_of_a_pin(client: FlaskClient) -> None:
    told = {guess(client, "A" * 22).status_code for _ in range(200)}
    assert told == {401}
    assert guess(client, PIN).status_code == 200


# -- the name that the page goes by ------------------------------------------------------------


@pytest.mark.faults("the door: a foreign name leads here")
@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "0.0.0.0", "203.0.113.9", "x"])
def test_a_foreign_host_is_refused_to_readers_and_to_posts(
    client: FlaskClient, table: Any, keys: Keys, host: str
) -> None:
    for answer in (
        client.get("/api/table", headers={"Host": host}),
        client.get("/", headers={"Host": host}),
        client.post(END, json={}, headers={**keys["referee"], "Host": host}),
    ):
        assert answer.status_code == 403
        assert answer.get_json()["error"]["key"] == "foreign-host"
    assert table.heard == []


@pytest.mark.faults("the door: a foreign name leads here")
def test_a_person_who_comes_by_a_wrong_name_is_told_the_right_one(client: FlaskClient) -> None:
    headers = {"Host": "pi<b>.example", "Accept": "text/html", "Accept-Language": "de"}
    page = client.get("/seat/1", headers=headers)
    assert (page.status_code, page.headers["Content-Language"]) == (403, "de")
    assert '<a href="http://table">http://table</a>' in page.text
    assert "pi&lt;b&gt;.example" in page.text
    assert "come-in" not in page.text


OURS = (
    "localhost",
    "127.0.0.1",
    "127.0.0.9:8000",
    "[::1]:8000",
    NAME,
    f"{NAME}.local",
    NAME.upper(),
    f"{NAME}-2.local",
    f"{NAME}.lan",
    f"{NAME}.home.arpa",
    f"{NAME}.fritz.example",
)


@pytest.mark.parametrize("host", OURS)
def test_the_machine_goes_by_its_own_names(
    client: FlaskClient, host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion_web.guard._search_domains", lambda: {"fritz.example"})
    assert client.get("/api/table", headers={"Host": host}).status_code == 200


@in_one(
    "name", [f"{NAME}.example", f"{NAME}.a.lan", f"x.{NAME}.lan", "x.lan", f"{NAME}x.local", "lan"]
)
def test_a_name_below_another_domain_is_not_ours(name: str) -> None:
    assert not Hosts().admits(name)


def test_the_domains_of_the_network_are_those_that_it_says(tmp_path: Path) -> None:
    file = tmp_path / "resolv.conf"
    file.write_text("nameserver 10.0.0.1\nsearch Fritz.example. b.example\ndomain c.example\n\n")
    assert _search_domains(file) == {"fritz.example", "b.example", "c.example"}
    assert _search_domains(tmp_path / "none") == set()


def test_the_configuration_adds_names() -> None:
    assert Hosts(["Table.Example."]).admits("table.example:8443")
    assert not Hosts(["table.example"]).admits("evil.table.example")


def test_the_addresses_that_were_asked_for_are_bounded() -> None:
    hosts = Hosts()
    for number in range(HOSTS_MOST_KNOWN * 3):
        hosts.admits(f"203.0.113.{number}")
    assert len(hosts._addresses) <= HOSTS_MOST_KNOWN


def test_a_refusal_that_is_kept_holds_nothing_of_its_request(keys: Keys) -> None:
    """Each once kept its answer, a hundred kilobytes, until somebody looked for garbage."""
    guard = Guard(KeeperPin(PIN))
    for headers in (keys["stranger"], {"Host": "evil.example"}):
        environ = EnvironBuilder("/", headers=headers).get_environ()
        for judge in (guard.admit, guard.judge):
            with suppress(Problem):
                judge(environ)
        kept = environ[JUDGED][1], environ[ADMITTED]
        assert all(one.__traceback__ is None for one in kept if one is not None)
