"""Drivers and the table: pictures out, presses in, and what fails marks its seat alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest
from support.tables.sitting import REFEREE, Room, race_header

from companion.seats.hub import Opener, SeatHub
from companion.seats.plan import SeatPlan, SeatTrouble
from companion.table.ports import Picture, Reply, SeatListener
from companion.views.model import Trouble
from companion.views.words import words
from companion.views.words.refusals import trouble_text

PLAN = SeatPlan({1: "good", 2: "good", 3: "bad"}, {"good": {"speed": 9}})


class Wall:
    """A driver that keeps what it was shown."""

    def __init__(self, seats: Sequence[int], listener: SeatListener, told: Mapping[str, Any]):
        self.seats, self.listener, self.told = tuple(seats), listener, told
        self.shown: dict[int, list[Picture]] = {seat: [] for seat in seats}
        self.closed = 0

    def show(self, seat: int, picture: Picture) -> None:
        self.shown[seat].append(picture)

    def close(self) -> None:
        self.closed += 1


class Drivers:
    """A registry with one driver that works and one that does not."""

    def __init__(self, trouble: Exception) -> None:
        self.walls: list[Wall] = []
        self.trouble = trouble

    def __call__(self, name: str) -> Opener:
        return self.good if name == "good" else self.bad

    def good(self, *asked: Any) -> Wall:
        self.walls.append(Wall(*asked))
        return self.walls[-1]

    def bad(self, *asked: Any) -> Wall:
        raise self.trouble


@pytest.fixture(params=[SeatTrouble("no bus"), RuntimeError("a fault of ours")])
def drivers(request: pytest.FixtureRequest) -> Drivers:
    return Drivers(request.param)


@pytest.fixture
def hub(room: Room, drivers: Drivers) -> Iterator[SeatHub]:
    room.session.submit(REFEREE, {"new": race_header(3)})
    with SeatHub(room.session, room.session.mark) as made:
        made.start(PLAN, drivers)
        yield made


def alive(room: Room) -> dict[int, bool]:
    room.session.submit(REFEREE, {"note": "what was said before this is carried out"})
    return {info.seat: info.alive for info in room.session._scene.seats}


def ailing(room: Room) -> dict[int, str]:
    """What the page says of the seats that cannot be reached."""
    seats = room.session._scene.seats
    return {one.seat: trouble_text(one.ailing, words("en")) for one in seats if one.ailing}


def test_a_driver_that_does_not_start_marks_its_seats_and_no_other(
    room: Room, hub: SeatHub
) -> None:
    assert alive(room) == {1: True, 2: True, 3: False}
    assert list(hub.troubles) == [3]
    assert ailing(room)[3] == "seat: did not start, since round 1"


def test_a_driver_gets_its_seats_and_what_is_configured_for_it(
    hub: SeatHub, drivers: Drivers
) -> None:
    (wall,) = drivers.walls
    assert wall.seats == (1, 2)
    assert wall.told == {"speed": 9}
    assert wall.listener is hub


def test_a_seat_is_shown_each_of_its_pictures_once(
    room: Room, hub: SeatHub, drivers: Drivers
) -> None:
    (wall,) = drivers.walls
    before = {seat: len(shown) for seat, shown in wall.shown.items()}
    assert min(before.values()) == 1
    assert room.session.submit(REFEREE, {"seat": 1, "gear": 1}).status == 200
    latest = room.session.snapshot().private
    assert wall.shown[1][-1] == latest[1]
    for shown in wall.shown.values():
        numbers = [picture.number for picture in shown]
        assert numbers == sorted(set(numbers))


def test_a_press_comes_from_its_own_seat_and_names_its_picture(
    room: Room, hub: SeatHub, drivers: Drivers
) -> None:
    button = room.key(1, lambda intent: "gear" in str(intent))
    number = drivers.walls[0].shown[1][-1].number
    assert hub.press(1, button, False, number).status == 200
    assert room.state.race is not None
    assert room.state.race.lines[-1]["by"] == "seat"
    assert hub.press(1, button, False, number - 1000).status == 409


def test_a_seat_is_alive_again_when_all_its_parts_are(room: Room, hub: SeatHub) -> None:
    hub.health(2, "screen", Trouble("silent", "it does not answer"))
    hub.health(2, "buttons", Trouble("button-unread", "busy", {"n": 3}))
    assert alive(room)[2] is False
    assert ailing(room)[2] == "buttons: button 3 cannot be read, since round 1"
    assert hub.troubles[2] == {"screen": "it does not answer", "buttons": "busy"}
    hub.health(2, "screen", None)
    assert alive(room)[2] is False
    hub.health(2, "buttons", None)
    assert alive(room)[2] is True


def test_closing_twice_closes_the_drivers_once(hub: SeatHub, drivers: Drivers) -> None:
    hub.close()
    hub.close()
    assert drivers.walls[0].closed == 1


class Guest:
    """Somebody who borrows the seats."""

    def __init__(self) -> None:
        self.heard: list[tuple[Any, ...]] = []

    def press(self, seat: int, button: int, hold: bool, picture: int | None) -> Reply:
        self.heard.append((seat, button, picture))
        return Reply(200, {})

    def health(self, seat: int, part: str, trouble: Trouble | None) -> None:
        self.heard.append((seat, part, trouble and trouble.key))

    def edge(self, seat: int, button: int, at_ms: int, down: bool) -> None:
        self.heard.append((seat, button, down))


def test_borrowed_seats_are_shown_nothing_of_the_table_and_then_what_it_has_by_now(
    room: Room, hub: SeatHub, drivers: Drivers
) -> None:
    (wall,) = drivers.walls
    assert hub.lend(Guest())[1] is wall
    before = len(wall.shown[1])
    room.session.submit(REFEREE, {"seat": 1, "retire": True})
    room.session.submit(REFEREE, {"note": "the picture is made"})
    assert len(wall.shown[1]) == before
    hub.take_back()
    hub.take_back()
    for seat in (1, 2):
        assert wall.shown[seat][-1] == room.session.snapshot().private[seat]
    assert wall.closed == 0, "no driver was let go of"


def test_a_seat_that_the_table_shows_nothing_is_dark_when_it_comes_back(
    room: Room, drivers: Drivers
) -> None:
    room.session.submit(REFEREE, {"new": race_header(2)})
    with SeatHub(room.session, room.session.mark) as hub:
        hub.start(SeatPlan({10: "good"}), drivers)
        assert 10 not in room.session.snapshot().private
        hub.lend(Guest())
        hub.take_back()
        assert drivers.walls[0].shown[10] == [Picture(0, bytes(1024))]


def test_what_is_pressed_while_the_seats_are_lent_goes_to_who_has_them(
    room: Room, hub: SeatHub
) -> None:
    guest = Guest()
    lines, number = room.journal.commits, room.session.snapshot().private[1].number
    hub.edge(1, 4, 7, True)
    hub.lend(guest)
    hub.press(1, 3, False, -5)
    hub.press(1, 4, False, 0)
    hub.edge(1, 4, 8, True)
    assert hub.press(1, 1, False, number).status == 409, "begun on a picture of the table"
    assert guest.heard == [(3, "driver", guest.heard[0][2]), (1, 3, -5), (1, 4, 0), (1, 4, True)]
    hub.take_back()
    assert hub.press(1, 1, False, -5).status == 409, "begun on a picture of the guest"
    assert room.journal.commits == lines


def test_what_fails_while_the_seats_are_lent_is_told_to_both(room: Room, hub: SeatHub) -> None:
    guest = Guest()
    hub.lend(guest)
    hub.health(2, "screen", Trouble("silent", "it does not answer"))
    assert guest.heard[-1] == (2, "screen", "silent")
    assert alive(room)[2] is False
