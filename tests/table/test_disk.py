"""A disk that fails or has lost something: every screen and page hears of it."""

from __future__ import annotations

import errno
import json
from collections.abc import Sequence
from threading import Event
from typing import Any

import pytest
from support.tables.sitting import REFEREE, ListJournal, Room, phone, race_header

from companion.table.ports import JSON, Snapshot
from companion.table.session import DiskNews
from companion.views.dialog import show
from companion.views.model import Trouble
from companion.views.page import table_view

MISSING = Trouble("answers-missing", "19 answers are missing", {"n": 19, "time": "21:04"})


def told(room: Room) -> Any:
    """`/api/table`, but for what the state has."""
    return json.loads(room.session.snapshot().body)


def titles(room: Room) -> list[str]:
    """What stands on the screens of all seats."""
    scene = room.session._scene
    return [show(scene, info.seat).title for info in scene.seats]


def closing(room: Room) -> Room:
    room.session.start()
    return room


def test_while_the_disk_is_full_every_screen_and_page_says_so() -> None:
    room = closing(Room(tell=table_view))
    room.session.submit(REFEREE, {"new": race_header(2)})
    heard: list[Snapshot] = []
    room.session.watch(heard.append)
    room.journal.full = True
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 503
    assert json.loads(heard[-1].body)["disk"]["key"] == "storage"
    assert titles(room) == ["Not now", "Not now"]
    room.journal.full = False
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 200
    assert told(room)["disk"] is None
    assert "Not now" not in titles(room)
    room.session.close()


def test_what_is_missing_stands_on_every_screen_until_a_button_says_that_it_was_seen() -> None:
    news, journal = DiskNews(), ListJournal()
    news.report(MISSING)
    room = closing(Room(journal, tell=table_view, disk=news))
    room.session.submit(REFEREE, {"new": race_header(2)})
    assert told(room)["disk"]["en"] == "19 answers after 21:04 are missing."
    assert set(titles(room)) == {"Look at your race"}
    room.session.close()

    room = closing(Room(journal, tell=table_view))  # started again before anybody looked
    assert set(titles(room)) == {"Look at your race"}
    assert room.session.press(phone(2), 2, 5, False, None).status == 200
    assert told(room)["disk"] is None
    assert "Look at your race" not in titles(room)
    room.session.close()
    assert [line["table"] for line in journal.lines("table") if "table" in line] == ["lost", "seen"]


def test_news_of_the_disk_in_the_middle_of_a_race_are_kept_and_shown() -> None:
    said: list[str] = []
    news = DiskNews(said.append)
    room = closing(Room(tell=table_view, disk=news))
    room.session.submit(REFEREE, {"new": race_header(2)})
    news.report(Trouble("taken-away", "the journal was taken away"))
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 200
    assert told(room)["disk"]["key"] == "taken-away"
    assert "Look at your race" not in titles(room)  # nothing is missing, the race goes on
    assert said == ["the journal was taken away"]
    room.session.close()


def test_seen_without_anything_to_see_writes_nothing(room: Room) -> None:
    commits = room.journal.commits
    assert room.session.submit(phone(1), {"table": "seen"}).status == 200
    assert room.journal.commits == commits


class FullRecords(Room):
    """A table whose records cannot be written until `is_full` is over; `kept` when one is."""

    def __init__(self) -> None:
        self.is_full = True
        self.kept = Event()
        super().__init__(tell=table_view)

    def keep(self, race: str, lines: Sequence[JSON]) -> None:
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().keep(race, lines)
        self.kept.set()


def test_a_record_that_could_not_be_written_is_tried_again_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("companion.table.session.RETRY_S", 0.01)
    room = FullRecords()
    room.session.start()
    room.session.submit(REFEREE, {"new": race_header(2)})
    room.session.submit(REFEREE, {"seat": 1, "gear": 1})
    reply = room.session.submit(REFEREE, {"end": True})
    assert reply.status == 503
    assert "disk is full" in reply.body["error"]["message"]
    shown = told(room)
    assert shown["state"]["phase"] == "race"  # the end is not served before its record
    assert shown["disk"]["key"] == "disk-full"
    finished = Event()
    room.session.watch(lambda one: finished.set() if _phase(one) == "finished" else None)
    room.is_full = False
    assert room.kept.wait(5)
    assert finished.wait(5)
    assert told(room)["disk"] is None
    room.session.close()


def _phase(snapshot: Snapshot) -> str:
    return str(json.loads(snapshot.body)["state"]["phase"])


def test_the_table_goes_on_when_somebody_who_follows_it_fails(
    caplog: pytest.LogCaptureFixture,
) -> None:
    room = closing(Room(tell=table_view))

    def fail(shown: Snapshot) -> None:
        raise TypeError("of a library")

    heard: list[Snapshot] = []
    room.session.watch(fail)
    room.session.watch(heard.append)
    assert room.session.submit(REFEREE, {"new": race_header(2)}).status == 200
    assert room.session.submit(phone(1), {"seat": 1, "gear": 1}).status == 200
    assert len(heard) == 2
    assert "somebody who follows the table failed" in caplog.text
    room.session.close()
