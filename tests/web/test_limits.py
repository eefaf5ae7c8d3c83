"""How often one address may ask."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from companion_web.limits import MOST_ADDRESSES, Bucket, Window

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
    bucket.take("a")
    assert not bucket.is_empty("a")
    bucket.take("a")
    assert bucket.is_empty("a")
    clock.now += 0.2
    assert not bucket.is_empty("a")


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


def test_guessing_keys_ends_even_with_the_right_one(
    table: Any, client: FlaskClient, keys: Keys
) -> None:
    guard = client.application.extensions["companion_guard"]
    clock = Clock()
    guard.wrong_keys._clock = clock
    for _ in range(1000):
        guard.wrong_keys.take("127.0.0.1")
    late = client.post("/api/referee/end", json={}, headers=keys["referee"])
    assert late.status_code == 429
    assert table.heard == []
    clock.now += 0.2
    assert client.post("/api/referee/end", json={}, headers=keys["referee"]).status_code == 200
