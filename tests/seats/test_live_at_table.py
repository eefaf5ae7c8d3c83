"""The live test at an open table: it borrows the seats and gives them back, none of them lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress

import pytest
from support.pods.listener import is_read, pass_time, soon
from support.tables.sitting import REFEREE, Room, race_header

from companion.app.plugins import OutsideSeats
from companion.app.seats import LOOKED_S, LiveSeats, is_racing, seat_driver
from companion.seats.hub import Cabinet, Opener, SeatHub
from companion.seats.plan import Options, SeatPlan, Troubled, parse_seats
from companion.table.ports import SeatListener
from race_companion_pods.simulator import SimulatedPods
from race_companion_wired.simulated import SimulatedSeats

PRESSED_MS = 25
"""A contact must be steady for longer than it is debounced."""


class Bench:
    """A table with simulated seats, the cabinet to touch them, and their live test."""

    def __init__(self, room: Room, opener: Callable[[str], Opener], seats: str) -> None:
        self.room = room
        self.now_s = 0.0
        with ExitStack() as opened:
            self.hub = opened.enter_context(SeatHub(room.session, room.session.mark))
            self.hub.start(SeatPlan(parse_seats(seats)), opener)
            for driver in self.hub.drivers.values():
                if isinstance(driver, OutsideSeats):
                    with suppress(Troubled):
                        driver.begin()
            self.live = opened.enter_context(
                LiveSeats(
                    self.hub,
                    room.session,
                    lambda: is_racing(room.state),
                    now=lambda: self.now_s,
                )
            )
            self.cabinet = Cabinet(self.hub.drivers)
            self.close = opened.pop_all().close

    def glass(self, seat: int) -> bytes:
        return next(one.glass for one in self.cabinet.stands() if one.seat == seat)

    def shows_the_table(self, *seats: int) -> bool:
        private = self.room.session.snapshot().private
        return all(soon(lambda: self.glass(n) == private[n].bitmap) for n in seats)  # noqa: B023

    def press_what_is_asked(self, *, deaf: int = 0) -> None:
        """A person who looks for the glass that asks, and presses below that glass."""
        while self.live.found() is None:
            asked = self.live.asked
            if asked is None:
                continue
            if asked[0] == deaf:
                self.live.do("skip", 0)
            else:
                self._press(self._glass_that_asks(asked[0]), asked[1])
            assert soon(lambda: self.live.asked != asked)  # noqa: B023

    def _glass_that_asks(self, number: int) -> int:
        found: list[int] = []

        def look() -> bool:
            wanted = next(one.glass for one in self.live.tried() if one.seat == number)
            found[:] = [one.seat for one in self.cabinet.stands() if one.glass == wanted]
            return bool(found)

        assert soon(look), f"no glass shows {number}"
        return found[0]

    def _press(self, seat: int, button: int) -> None:
        driver = getattr(self.hub.drivers[seat], "opened", None)
        if is_pod := isinstance(driver, SimulatedPods):
            assert soon(lambda: is_read(driver, seat))
        for down in (True, False):
            self.cabinet.press(seat, button, down)
            if is_pod:
                pass_time(driver.boards[seat], PRESSED_MS)
            else:
                time.sleep(PRESSED_MS / 1000)

    def wrong(self) -> list[tuple[int | None, str]]:
        return [(one.seat, one.says) for one in self.live.found() or () if not one.ok]


@pytest.fixture
def bench_of(room: Room) -> Iterator[Callable[..., Bench]]:
    with ExitStack() as opened:

        def make(seats: str, opener: Callable[[str], Opener] = seat_driver) -> Bench:
            bench = Bench(room, opener, seats)
            opened.callback(bench.close)
            return bench

        yield make


def exchanged(name: str) -> Opener:
    """Two wired seats: each screen hangs on the cable of the other."""

    def open_seats(seats: tuple[int, ...], listener: SeatListener, told: Options) -> SimulatedSeats:
        with SimulatedSeats(seats, listener) as model:
            first, second = model.places[1], model.places[2]
        return SimulatedSeats(seats, listener, built={1: second, 2: first})

    return open_seats  # type: ignore[return-value]


def test_every_seat_is_asked_and_is_the_tables_again_afterwards(
    bench_of: Callable[..., Bench],
) -> None:
    bench = bench_of("2 wired simulated")
    assert bench.shows_the_table(1, 2)
    assert bench.live.do("start", 0) == ""
    bench.press_what_is_asked()
    assert bench.wrong() == []
    assert [one.lit for one in bench.live.tried()] == [(1, 2, 3, 4, 5, 6)] * 2
    assert bench.live.do("stop", 0) == ""
    assert soon(lambda: not bench.live.is_on)
    assert bench.shows_the_table(1, 2)
    lines = bench.room.journal.commits
    bench._press(2, 1)
    assert soon(lambda: bench.room.journal.commits > lines), "its buttons are the table's too"


def test_exchanged_cables_of_screens_are_found(bench_of: Callable[..., Bench]) -> None:
    bench = bench_of("2 wired simulated", exchanged)
    bench.live.do("start", 0)
    bench.press_what_is_asked()
    assert (1, "who presses below glass 1 presses seat 2: exchanged") in bench.wrong()
    assert (2, "who presses below glass 2 presses seat 1: exchanged") in bench.wrong()


@pytest.mark.slow
def test_wires_and_pods_are_tested_together_and_a_dead_line_is_found(
    bench_of: Callable[..., Bench],
) -> None:
    """Pods with their real firmware; what seat 3 sends is lost."""
    bench = bench_of("1 wired simulated, 2 pods simulated")
    assert bench.shows_the_table(1, 2, 3)
    bench.cabinet.spoil(3, "dead", True)
    assert soon(lambda: 3 in bench.hub.troubles)
    bench.live.do("start", 0)
    bench.press_what_is_asked(deaf=3)
    assert {seat for seat, _ in bench.wrong()} == {3}
    assert (3, "button 6 was not heard") in bench.wrong()
    assert any("the pod is silent" in says for _, says in bench.wrong())
    wired, pod, _ = bench.live.tried()
    assert len(wired.bounces) == 6
    assert pod.bounces == dict.fromkeys(range(1, 7), 0), "simulated contacts are good ones"
    assert (wired.has_lamp, pod.has_lamp) == (False, True)
    assert (wired.errors, pod.errors["starts"]) == ({"i2c": 0}, 1)
    assert pod.errors["line"] <= 1, "a busy machine may read a line of a sound pod too late"
    assert bench.live.do("lamp", 2) == ""
    assert soon(lambda: bench.cabinet.stands()[1].lamp is True)
    board = bench.hub.drivers[2].opened.boards[2]  # type: ignore[attr-defined]
    sound = board.figures()["sound"]
    assert bench.live.do("buzzer", 2) == ""
    assert soon(lambda: board.figures()["sound"] > sound)
    assert bench.live.do("lamp", 1) == "live-no-lamp"
    bench.cabinet.spoil(3, "dead", False)
    bench.live.do("stop", 0)
    assert bench.shows_the_table(1, 2, 3)
    assert soon(lambda: bench.hub.troubles == {})


def test_a_race_that_runs_keeps_its_seats_and_a_paused_one_lends_them_until_it_goes_on(
    room: Room, bench_of: Callable[..., Bench]
) -> None:
    room.session.submit(REFEREE, {"new": race_header(2)})
    bench = bench_of("2 wired simulated")
    assert bench.live.do("start", 0) == "live-racing"
    room.session.submit(REFEREE, {"table": "pause"})
    assert bench.live.do("start", 0) == ""
    assert soon(lambda: bench.live.asked == (1, 1))
    room.session.submit(REFEREE, {"table": "resume"})
    assert soon(lambda: not bench.live.is_on)
    assert bench.shows_the_table(1, 2)
    assert bench.wrong() == [], "what was not asked is not found wrong"
    assert "all six, each at its place" not in [one.says for one in bench.live.found() or ()]


def test_a_table_of_phones_has_nothing_to_test(bench_of: Callable[..., Bench]) -> None:
    bench = bench_of("2 phones")
    assert bench.live.do("start", 0) == "live-no-seats"
    assert bench.live.do("stop", 0) == "live-not-on"


def test_seats_whose_driver_did_not_start_are_not_asked(bench_of: Callable[..., Bench]) -> None:
    bench = bench_of("1 wired")  # without a pin factory
    assert bench.live.do("start", 0) == "live-no-seats"
    bench.close()
    bench = bench_of("1 wired, 1 wired simulated")
    assert bench.live.do("start", 0) == ""
    assert soon(lambda: bench.live.asked == (2, 1))
    assert [one.seat for one in bench.live.tried()] == [2]


def test_seats_that_nobody_looks_at_any_more_are_given_back(
    bench_of: Callable[..., Bench],
) -> None:
    bench = bench_of("1 wired simulated")
    bench.live.do("start", 0)
    assert soon(lambda: bench.live.asked == (1, 1))
    bench.now_s += LOOKED_S + 1
    bench.live.do("skip", 0)
    assert soon(lambda: not bench.live.is_on)
    assert bench.shows_the_table(1)


def test_a_pulled_cable_is_counted_each_time_that_the_screen_does_not_answer(
    bench_of: Callable[..., Bench],
) -> None:
    bench = bench_of("1 wired simulated")
    bench.live.do("start", 0)
    assert soon(lambda: bool(bench.live.tried()))
    bench.cabinet.spoil(1, "cable", True)
    bench.live.do("skip", 0)
    assert soon(lambda: bench.live.tried()[0].errors["i2c"] >= 2)
    assert soon(lambda: len(bench.live.tried()[0].troubles) == 1)
