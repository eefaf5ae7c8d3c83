"""One thread owns the table; nobody is told anything before it is on disk."""

from __future__ import annotations

from threading import Thread

import pytest
from support.tables.sitting import REFEREE, ListJournal, Room, make_engine, phone, race_header

from companion.race.boards import TrackLibrary
from companion.race.record import play
from companion.rules.games import fetch
from companion.rules.lines import Answer
from companion.table.ports import JSON, Caller, Reply, Snapshot
from companion.table.screens import Press
from companion.table.session import Request
from companion.views.dialog import show
from companion.views.model import SeatView, Trouble
from companion.views.page import seat_view, table_view
from companion.views.screen import HOME


def begin(room: Room, seats: int = 2) -> None:
    assert room.session.submit(REFEREE, {"new": race_header(seats)}).status == 200


def press(room: Room, seat: int, button: int, hold: bool = False) -> Reply:
    number = room.session.snapshot().private[seat].number
    return room.session.press(phone(seat), seat, button, hold, number)


def gear_key(room: Room, seat: int) -> int:
    return room.key(seat, lambda intent: isinstance(intent, Answer) and intent.kind == "gear")


def test_an_answer_is_on_disk_before_anybody_sees_it(room: Room) -> None:
    begin(room)
    seen: list[tuple[int, int]] = []
    room.session.watch(lambda shot: seen.append((shot.version, room.journal.commits)))
    commits = room.journal.commits
    room.session.submit(phone(1), {"seat": 1, "gear": 1})
    assert seen == [(2, commits + 1)]


def test_a_press_is_an_answer_and_its_reply_is_the_engines(room: Room) -> None:
    begin(room)
    reply = press(room, 1, gear_key(room, 1))
    assert reply.status == 200
    assert reply.body["version"] == 2
    assert room.journal.logs["race-0"][-1] == {
        "at": room.journal.logs["race-0"][-1]["at"],
        "by": "phone",
        "seat": 1,
        "gear": 1,
    }


def test_a_press_that_only_turns_a_page_writes_nothing(room: Room) -> None:
    begin(room)
    commits, before = room.journal.commits, room.session.snapshot()
    reply = press(room, 1, 6, hold=True)
    after = room.session.snapshot()
    assert (reply.status, room.journal.commits) == (200, commits)
    assert after.private[1].number > before.private[1].number
    assert after.private[2] == before.private[2]


def test_a_key_that_has_changed_its_meaning_is_dropped_with_a_word(room: Room) -> None:
    begin(room)
    old = room.session.snapshot().private[1].number
    key = gear_key(room, 1)
    press(room, 1, key)
    reply = room.session.press(phone(1), 1, key, False, old)
    assert reply.status == 409
    assert reply.body["error"]["code"] == "stale"
    assert room.session.snapshot().version == 2
    assert room.session._scene.refused[1]["key"] == "stale-picture"


def test_two_presses_of_one_picture_that_come_at_once_are_one(room: Room) -> None:
    """As a table reads them that was frozen: both are there before a new picture is."""
    begin(room)
    old, key = room.session.snapshot().private[1].number, gear_key(room, 1)
    arrived = [Request(phone(1), Press(1, key, False, old)) for _ in range(2)]
    waiting = list(arrived)

    def arrive(_: Snapshot) -> None:  # in the table's own thread: it reads them as one batch
        while waiting:
            room.session._inbox.put(waiting.pop(0))

    room.session.watch(arrive)
    room.session.mark(2, "pod", Trouble("silent", "/dev/ttyUSB0 is silent"))
    assert [one.reply.result(5).status for one in arrived] == [200, 409]
    assert room.session.snapshot().version == 2


def test_a_key_that_means_the_same_on_a_newer_picture_is_taken(room: Room) -> None:
    begin(room)
    old = room.session.snapshot().private[1].number
    room.session.submit(phone(2), {"table": "language", "seat": 1, "value": "fr"})
    room.session.submit(phone(1), {"table": "language", "seat": 1, "value": "fr"})
    assert room.session.snapshot().private[1].number > old
    assert room.session.press(phone(1), 1, gear_key(room, 1), False, old).status == 200


def test_a_picture_that_nobody_was_shown_is_refused(room: Room) -> None:
    begin(room)
    assert room.session.press(phone(1), 1, 1, False, 7).status == 409


def test_a_refused_press_says_why_on_its_own_screen_until_the_next_press(room: Room) -> None:
    begin(room)
    reply = press(room, 2, 1, hold=True)
    assert reply.body["error"]["key"] == "nothing-to-take-back"
    assert set(room.session._scene.refused) == {2}
    press(room, 2, 6, hold=True)
    assert room.session._scene.refused == {}


def test_the_lamps_are_published_with_the_pictures(room: Room) -> None:
    def lamps() -> dict[int, str]:
        return {seat: one.lamp for seat, one in room.session.snapshot().private.items()}

    room.session.submit(REFEREE, {"new": race_header(2)})
    assert lamps() == {1: "on", 2: "off"}
    number = room.session.snapshot().private[1].number
    assert room.session.press(phone(1), 1, 2, False, number - 1000).status == 409
    assert lamps() == {1: "blinks", 2: "off"}
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 200
    assert lamps() == {1: "on", 2: "off"}


def test_pictures_that_stay_the_same_are_not_drawn_again(room: Room) -> None:
    begin(room, seats=6)
    before, drawn = room.session.snapshot(), room.draw.drawn
    press(room, 4, 6, hold=True)
    after = room.session.snapshot()
    assert room.draw.drawn == drawn + 1
    assert [seat for seat in range(1, 7) if after.private[seat] != before.private[seat]] == [4]


def test_the_public_face_of_a_seat_has_no_secret(room: Room) -> None:
    begin(room)
    press(room, 2, 6, hold=True)
    press(room, 2, 5)
    press(room, 2, 1)
    shot = room.session.snapshot()
    assert b"secret2" in shot.private[2].bitmap
    assert b"secret" not in shot.public[2].bitmap
    assert b"secret" not in shot.body
    assert len(shot.public) == 2
    assert 2 in shot.public
    assert 9 not in shot.public


def test_the_record_is_complete_before_the_result_is_seen(room: Room) -> None:
    begin(room)
    seen: list[tuple[str, bool]] = []

    def watch(shot: Snapshot) -> None:
        phase = room.session._scene.state.phase if room.session._scene.state else ""
        seen.append((phase, "race-0" in room.records))

    room.session.watch(watch)
    room.session.submit(phone(1), {"seat": 1, "gear": 1})
    room.session.submit(REFEREE, {"end": True})
    assert seen == [("race", False), ("finished", True)]
    lines = room.records["race-0"]
    assert "result" in lines[-1]
    engine = make_engine(TrackLibrary(), 0)
    play(engine, lines)
    assert engine.visible == room.session._scene.state


def test_a_race_that_ends_before_anybody_has_moved_is_none(room: Room) -> None:
    """It has no record, so no league counts it; nobody has points, and the screens say so."""
    begin(room)
    room.session.submit(REFEREE, {"end": True})
    assert "race-0" not in room.records
    scene = room.session._scene
    assert scene.state is not None
    told = fetch("formula-d").tell(scene.state)
    assert {row["points"] for row in told["classification"]} == {0}
    view = table_view(scene)
    assert view["driven"] is False
    assert show(scene, 1).title == "Result 1/1"
    assert seat_view(scene, 1, HOME, lambda road: {}, own=True)["title"] == "No race was driven"
    room.session.submit(REFEREE, {"undo": 1})
    room.session.submit(phone(1), {"seat": 1, "gear": 1})
    room.session.submit(REFEREE, {"end": True})
    assert "race-0" in room.records


def test_a_result_that_is_undone_is_recorded_anew(room: Room) -> None:
    begin(room)
    room.session.submit(phone(1), {"seat": 1, "gear": 1})
    room.session.submit(REFEREE, {"end": True})
    room.session.submit(REFEREE, {"undo": 1})
    assert room.session._scene.state is not None
    assert room.session._scene.state.phase == "race"
    room.session.submit(REFEREE, {"note": "went on after all"})
    room.session.submit(REFEREE, {"end": True})
    lines = room.records["race-0"]
    assert [next(iter(line)) if "result" in line else "" for line in lines].count("result") == 1
    assert "result" in lines[-1]
    assert any(line.get("note") == "went on after all" for line in lines)


@pytest.mark.faults("the table: a full disk, a fault of ours")
def test_when_the_record_cannot_be_written_nobody_sees_the_result(room: Room) -> None:
    begin(room)
    room.session.submit(phone(1), {"seat": 1, "gear": 1})

    def full(race: str, lines: object) -> None:
        raise OSError(28, "No space left on device")

    room.session._writer.write_record = full
    reply = room.session.submit(REFEREE, {"end": True})
    assert reply.status == 503
    assert room.session.snapshot().version == 2
    room.session._writer.write_record = room.keep
    room.session.submit(REFEREE, {"note": "made room"})
    assert room.session.snapshot().version == 3
    assert "race-0" in room.records


@pytest.mark.faults("the table: a full disk, a fault of ours")
def test_when_the_disk_is_full_nothing_has_happened(room: Room) -> None:
    begin(room)
    room.journal.full = True
    reply = room.session.submit(phone(1), {"seat": 1, "gear": 1})
    assert reply.status == 503
    assert "make room" in reply.body["error"]["message"]
    assert room.session.snapshot().version == 1
    room.journal.full = False
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).body["version"] == 2


@pytest.mark.faults("the table: a full disk, a fault of ours")
def test_a_fault_of_ours_is_told_and_the_table_goes_on(room: Room) -> None:
    begin(room)
    race = room.state.race
    assert race is not None

    def fail(*_: object) -> JSON:
        raise ZeroDivisionError

    race.engine.carry_out = fail  # type: ignore[method-assign]
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 500
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 200


def test_many_at_once_are_all_answered_and_nothing_is_lost(room: Room) -> None:
    header = race_header(6)
    del header["grid"]
    room.session.submit(REFEREE, {"new": header})
    replies: list[Reply] = []

    def roll(seat: int) -> None:
        replies.append(room.session.submit(phone(seat), {"seat": seat, "black": seat + 3}))

    threads = [Thread(target=roll, args=(seat,)) for seat in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [reply.status for reply in replies] == [200] * 6
    assert len(room.journal.logs["race-0"]) == 7


def test_picture_numbers_go_up_over_a_restart(room: Room) -> None:
    begin(room)
    again = Room(room.journal)
    old, new = room.session.snapshot(), again.session.snapshot()
    assert new.private[1].number > old.private[1].number
    assert new.private[1].bitmap == old.private[1].bitmap
    assert new.body == old.body


def test_the_clock_of_a_race_goes_on_after_a_restart(room: Room) -> None:
    begin(room)
    room.session.submit(phone(1), {"seat": 1, "gear": 1})
    last = room.journal.logs["race-0"][-1]["at"]
    again = Room(room.journal)
    again.now = -5000.0
    again.session._clocks._clocked = None
    again.session._clocks.go_on()
    again.session.start()
    again.session.submit(phone(1), {"seat": 1, "roll": 1})
    again.session.close()
    assert last < room.journal.logs["race-0"][-1]["at"] < last + 10


def test_a_closed_table_says_so_and_closes_twice() -> None:
    room = Room(ListJournal())
    room.session.start()
    room.session.close()
    room.session.close()
    assert room.session.submit(REFEREE, {"table": "pause"}).status == 503


def test_whoever_stops_watching_is_not_called_any_more(room: Room) -> None:
    seen: list[int] = []
    stop = room.session.watch(lambda shot: seen.append(shot.version))
    begin(room)
    stop()
    room.session.submit(phone(1), {"seat": 1, "gear": 1})
    assert seen == [1]


def test_a_seat_joins_and_the_first_one_starts_the_race(room: Room) -> None:
    for seat in (3, 5):
        assert room.session.press(Caller(seat=seat, by="seat"), seat, 1, False, None).status == 200
    assert room.session.snapshot().host == 3
    assert room.session.submit(phone(3), {"table": "start", "seat": 3}).status == 200
    assert list(room.session.snapshot().private) == [3, 5]


def test_a_dead_seat_and_its_code_are_on_its_neighbours_screens_until_it_lives_again() -> None:
    views: dict[bytes, SeatView] = {}

    def draw(view: SeatView) -> bytes:
        drawn = repr(view).encode()[:1024].ljust(1024)
        views[drawn] = view
        return drawn

    room = Room(draw=draw)
    room.session.start()
    try:
        room.session.submit(REFEREE, {"new": race_header(4)})

        def shown(seat: int) -> SeatView:
            room.session.submit(REFEREE, {"note": "one more line, as `mark` does not wait"})
            return views[room.session.snapshot().private[seat].bitmap]

        room.session.mark(3, "pod", Trouble("silent", "/dev/ttyUSB0 is silent"))
        beside, public = shown(4), room.session.snapshot().public[4]
        assert (beside.title, beside.qr) == ("Seat 3: no pod", "http://table/seat/3#secret3")
        assert b"secret" not in public.bitmap, "the code is for the people at the table"
        assert shown(3).title != "Seat 3: no pod"
        assert shown(1).qr == "", "who is on turn plays on"
        (ailing,) = [one.ailing for one in room.session._scene.seats if one.ailing]
        assert (ailing.part, ailing.since) == ("pod", 1)
        room.session.mark(3, "", None)
        assert shown(4).qr == ""
    finally:
        room.session.close()
