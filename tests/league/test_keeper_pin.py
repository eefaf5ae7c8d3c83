"""The PIN of a club's keeper: guessed at several hosts at once, and renewed while they serve."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from flask import Request, Response
from support.each import few_now
from support.leagues.club import until
from werkzeug.test import EnvironBuilder

from companion.app.league import follow_pin, keeper_pin, share_wrong_pins
from companion.cli import main
from companion.league import database as storage
from companion.league.database import GUESSES, Guesses
from companion.league.errors import NoStore
from companion.league.league import League
from companion_web.guard import (
    MARK,
    WRONG_PINS_A_SECOND,
    WRONG_PINS_AT_ONCE,
    Guard,
    KeeperPin,
    PinBrake,
    Problem,
)

PIN = "27182818"
OpenLeague = Callable[..., League]
Try = Callable[[], "bool | None"]


@pytest.fixture
def hosts(open_league: OpenLeague, url: str | None, tmp_path: Path) -> list[League]:
    """Two of a club: of one database, or two processes of one folder."""
    return [open_league(url, tmp_path / name if url else tmp_path) for name in ("one", "two")]


@pytest.fixture
def brakes(hosts: list[League]) -> Iterator[list[PinBrake]]:
    with ExitStack() as opened:
        guards = [Guard(KeeperPin(PIN)) for _ in hosts]
        for league, guard in zip(hosts, guards, strict=True):
            opened.enter_context(share_wrong_pins(league, guard))
        yield [guard.pins for guard in guards]


def wrong(brake: PinBrake) -> bool | None:
    return brake.compare({}, lambda: False)


def right(brake: PinBrake) -> bool | None:
    return brake.compare({}, lambda: True)


@pytest.mark.parametrize("for_s", few_now([1.5, 5.0], 1))
def test_two_hosts_compare_no_more_wrong_pins_than_one_would(
    brakes: list[PinBrake], for_s: float
) -> None:
    alone = PinBrake(clock=lambda: 0.0)
    tries = [wrong(alone) for _ in range(2 * WRONG_PINS_AT_ONCE)]
    assert tries.count(False) == WRONG_PINS_AT_ONCE
    began, compared = time.monotonic(), 0
    while (lasts := time.monotonic() - began) < for_s:
        compared += [wrong(brake) for brake in brakes].count(False)
        time.sleep(0.002)  # a breath for who counts
    allowed = WRONG_PINS_AT_ONCE + WRONG_PINS_A_SECOND * lasts + len(brakes)
    assert allowed / 4 < compared <= allowed


def test_no_pin_is_compared_behind_a_wrong_one_that_cannot_be_counted(
    hosts: list[League], brakes: list[PinBrake], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "AGAIN_S", 0.05)

    def away(*_: object) -> None:
        raise NoStore("the league's database does not answer: gone")

    with monkeypatch.context() as patched:
        for league in hosts:
            patched.setattr(league.storage, "change", away)
        assert [right(brake) for brake in brakes] == [True, True]
        other = partial(PinBrake.compare, environ={"REMOTE_ADDR": "10.0.0.9"})
        assert [other(brake, is_right=lambda: False) for brake in brakes] == [False, False]
        time.sleep(0.3)
        assert [other(brake, is_right=lambda: True) for brake in brakes] == [None, None]
        assert [right(brake) for brake in brakes] == [True, True]  # who is known is not kept out
    for brake in brakes:
        until(lambda brake=brake: other(brake, is_right=lambda: True))  # type: ignore[misc]
    left = (hosts[0].storage.read(GUESSES) or b"").split()[0]
    # Of the two that were counted late, the first may have been forgiven by the second one's time.
    assert WRONG_PINS_AT_ONCE - 2 <= float(left) < WRONG_PINS_AT_ONCE


def test_a_count_that_the_plug_cut_short_begins_anew(
    hosts: list[League], brakes: list[PinBrake]
) -> None:
    hosts[0].storage.write(GUESSES, b"7")
    assert wrong(brakes[0]) is False
    until(lambda: (hosts[0].storage.read(GUESSES) or b"").startswith(b"99"))


def test_a_clock_that_is_put_back_stops_nobody(hosts: list[League], brakes: list[PinBrake]) -> None:
    hosts[0].storage.write(GUESSES, f"50 {time.time() + 10**6}".encode())
    assert wrong(brakes[0]) is False
    until(lambda: right(brakes[0]) is True)


def test_a_pin_that_is_renewed_is_that_of_all_who_serve_at_once(
    hosts: list[League], url: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    data = hosts[0].folder.data
    first = keeper_pin(data, url)
    keepers = [KeeperPin(first) for _ in hosts]
    guards = [Guard(keeper) for keeper in keepers]
    for league, keeper, guard in zip(hosts, keepers, guards, strict=True):
        follow_pin(league, keeper, guard)
        assert right(guard.pins)
    marks = [guard.pins.mark for guard in guards]
    database = ["--database", url] if url else []
    assert main(["league", "pin", "--data", str(data), *database]) == 0
    assert capsys.readouterr().out == f"{first}\n"
    assert main(["league", "pin", "--new", "--json", "--data", str(data), *database]) == 0
    new = json.loads(capsys.readouterr().out)["pin"]
    assert new != first
    assert len(new) == len(first)
    until(lambda: all(keeper.who(new) for keeper in keepers))
    assert not any(keeper.who(first) for keeper in keepers)
    until(lambda: [pin_of(league) for league in hosts] == [new, new])
    until(lambda: not set(marks) & {guard.pins.mark for guard in guards})
    assert not guards[0].pins._known


@pytest.mark.slow
def test_the_pin_of_a_club_in_a_database_is_not_renewed_in_the_folder_of_a_host(
    postgres: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pin = keeper_pin(tmp_path, postgres.database())
    assert main(["league", "pin", "--new", "--data", str(tmp_path)]) == 2
    assert "name it with --database" in capsys.readouterr().err
    assert main(["league", "pin", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"{pin}\n"


def pin_of(league: League) -> str:
    file = league.folder.data / "league" / "pin"
    return file.read_text().strip() if file.exists() else ""


def test_who_had_the_pin_before_is_braked_as_a_stranger() -> None:
    brake = PinBrake()
    before = {"HTTP_COOKIE": f"{MARK}={brake.mark}", "REMOTE_ADDR": "10.0.0.9"}
    tries = range(2 * WRONG_PINS_AT_ONCE)
    assert right(brake)
    assert {brake.compare(before, lambda: False) for _ in tries} == {False}
    brake.renewed("31415926")
    assert None in {brake.compare(before, lambda: False) for _ in tries}


def test_processes_that_were_one_give_the_same_mark_for_the_same_pin() -> None:
    brake, other = PinBrake(), PinBrake()
    other._secret = brake._secret
    for pins in (("1", "2"), ("2",)):
        for pin in pins:
            brake.renewed(pin)
        other.renewed(pins[-1])
        assert brake.mark == other.mark


def test_a_pin_that_is_taken_away_stays_the_one_until_the_next_start(
    hosts: list[League], url: str | None
) -> None:
    data = hosts[0].folder.data
    first = keeper_pin(data, url)
    keeper = KeeperPin(first)
    follow_pin(hosts[0], keeper, Guard(keeper))
    hosts[0].storage.remove("league/pin")
    hosts[0].storage.write("league/pin", b"\n")
    time.sleep(1.5)
    assert keeper.who(first)
    assert not keeper.who("")


def test_a_request_on_its_way_is_judged_anew_when_the_pin_is_renewed() -> None:
    keeper = KeeperPin(PIN)
    guard = Guard(keeper)
    environ = EnvironBuilder(headers={"Authorization": f"Bearer {PIN}"}).get_environ()
    assert guard.judge(environ).referee, "its head is here, its body is not"
    assert mark_of(guard, environ) == guard.pins.mark
    keeper.renew("31415926")
    guard.pins.renewed("31415926")
    assert mark_of(guard, environ) is None, "nor does its reply open anything"
    with pytest.raises(Problem, match="the referee's PIN"):
        guard.judge(environ)
    assert mark_of(guard, environ) is None


def mark_of(guard: Guard, environ: dict[str, Any]) -> str | None:
    response = guard.leave_mark(Request(environ), Response())
    cookie = response.headers.get("Set-Cookie", "")
    return cookie.partition(f"{MARK}=")[2].partition(";")[0] or None


def test_what_refills_while_a_process_waits_for_the_count_refills_once(hosts: list[League]) -> None:
    """One has looked at the count late: the other has counted, and that a second later."""
    clock, told = iter([1000.0, 1001.0]), []
    storage, wait = Waits(hosts[0].storage, clock), Event()
    late, early = (Guesses(one, depth=100, rate=10, told=told.append) for one in (storage, storage))
    with late, early:
        storage.write(GUESSES, b"0 1000.0")
        storage.waits = wait
        late.count()
        until(lambda: storage.waits is None)
        early.count()
        until(lambda: len(told) == 1)
        wait.set()
        until(lambda: len(told) == 2)
    assert (hosts[0].storage.read(GUESSES) or b"").split() == [b"8.0", b"1001.0"]


class Waits:
    """A storage whose next change waits for its turn; its clock is told what it says."""

    def __init__(self, storage: Any, clock: Iterator[float]) -> None:
        self._storage, self.seconds = storage, partial(next, clock)
        self.waits: Event | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    def change(self, name: str, change: Callable[[bytes], bytes]) -> None:
        wait, self.waits = self.waits, None
        if wait is not None:
            wait.wait(10)
        self._storage.change(name, change)


@pytest.mark.slow
def test_a_count_that_somebody_keeps_is_told_and_let_go_of(
    postgres: Any,
    open_league: OpenLeague,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("companion.league.database.STUCK_S", 1)
    url = postgres.database()
    gone, here = (open_league(url, tmp_path / name) for name in ("gone", "here"))
    stuck, end = Event(), Event()

    def hang(content: bytes) -> bytes:
        stuck.set()
        end.wait(20)
        return content

    def host_that_goes() -> None:
        with pytest.raises(NoStore):
            gone.storage.change(GUESSES, hang)

    thread = Thread(target=host_that_goes)
    thread.start()
    assert stuck.wait(5)
    guard = Guard(KeeperPin(PIN))
    with share_wrong_pins(here, guard):
        assert wrong(guard.pins) is False
        until(lambda: right(guard.pins) is True)
    end.set()
    thread.join()
