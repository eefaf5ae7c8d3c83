"""An evening of Downforce on a running table, and every way by which it could tell a secret.

`Evening` is a session with the real page's view and legible pictures. What is sent to it goes
through the same door as a phone's post; `ways_out` collects what everybody else can get at.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.table.ports import JSON, Caller, Reply
from companion.views.dialog import choices
from companion.views.model import SeatView
from companion.views.page import table_view
from companion.views.screen import HOME
from companion_web.streams import TABLE, Frames
from support.screens.hands import presses_to, sends
from support.screens.widths import pages
from support.tables.sitting import REFEREE, ListJournal, Room, phone

LOOKED_AT = 2
"""Seats of which every page is opened: the host's and one that is like all others."""
PREVIEWED = 7
"""Answers back that the referee looks at."""
NAMES = ("Ana", "Bob", "Cid", "Dora", "Eve", "Fay")

SECRET = {"auction": "secret", "cards": "counted"}
"""What everybody has to say by themselves; a table left to itself plays otherwise."""


def header(players: int = 4, *rules: str, **more: Any) -> dict[str, Any]:
    """Downforce for so many people with names; bids are secret and cards counted."""
    seats = [{"seat": seat, "name": NAMES[seat - 1]} for seat in range(1, players + 1)]
    return {
        "game": "downforce",
        "track": None,
        "rules": list(rules),
        "seats": seats,
        "house": SECRET,
        **more,
    }


class Legible:
    """Stand-in for the drawing: a bitmap of which `text` knows the view."""

    def __init__(self) -> None:
        self.text: dict[bytes, str] = {}

    def __call__(self, view: SeatView) -> bytes:
        data = repr(replace(view, face=None))
        bitmap = hashlib.sha256(data.encode()).digest() * 32
        self.text[bitmap] = data
        return bitmap


class Evening:
    """A running table with a game of Downforce; `presses` counts by the kind of ask."""

    def __init__(self, data: JSON | None = None, journal: ListJournal | None = None) -> None:
        self.drawn = Legible()
        self.room = Room(journal, self.drawn, table_view)
        self.room.session.start()
        self.replies: list[JSON] = []
        if data is not None:
            assert self.says(REFEREE, {"new": data}).status == 200

    def close(self) -> None:
        self.room.session.close()

    def restarted(self) -> Evening:
        """The same table after its plug was pulled."""
        self.close()
        again = Evening(journal=self.room.journal)
        again.replies = self.replies
        return again

    # -- what is sent ----------------------------------------------------------------------

    def says(self, caller: Caller, line: JSON) -> Reply:
        """What a phone or the page posts; the reply goes over the air too."""
        reply = self.room.session.submit(caller, line)
        self.replies.append(reply.body)
        return reply

    def answers(self, seat: int, **answer: Any) -> Reply:
        """A seat's answer, or the table's from seat 1, which must be accepted."""
        reply = self.says(phone(seat or 1), {"seat": seat, **answer})
        assert reply.status == 200, reply.body
        return reply

    def presses(self, seat: int, at: int = 0, **answer: Any) -> int:
        """Give an answer on the keys of a seat's screen (of seat `at` for the table's).

        Returns:
            How many presses it took.
        """
        screen = seat or at or 1
        scene = self.room.session._scene
        dialog = self.room.session._screens.dialog(screen)
        buttons = presses_to(scene, screen, sends({"seat": seat, **answer}), dialog)
        assert buttons is not None, (seat, answer, self.asks)
        for button in buttons:
            number = self.room.session.snapshot().private[screen].number
            reply = self.room.session.press(phone(screen), screen, button, False, number)
            assert reply.status == 200, reply.body
        return len(buttons)

    # -- what is known ---------------------------------------------------------------------

    @property
    def asks(self) -> list[dict[str, Any]]:
        return self.room.state.asks

    @property
    def state(self) -> JSON:
        assert self.room.state.race is not None
        return self.room.state.race.state

    def screen(self, seat: int) -> str:
        """A seat's own screen, as its view reads."""
        return self.drawn.text[self.room.session.snapshot().private[seat].bitmap]

    def looked_at(self, seat: int) -> str:
        """A waiting seat's own screen after a key, which shows its secrets for a moment."""
        session = self.room.session
        dialog = session._screens.dialog(seat) or HOME
        keys = choices(session._scene, seat, dialog)
        mine = [at for at, key in enumerate(keys, 1) if key and key.then.page == "mine"]
        if session._screens.only_tells(session._scene, seat):
            mine = [3]
        if mine:
            number = session.snapshot().private[seat].number
            assert session.press(phone(seat), seat, mine[0], False, number).status == 200
        return self.screen(seat)

    def ways_out(self, but: int) -> Mapping[str, Any]:
        """Everything that others than seat `but` can get at, now or by asking for it."""
        session, table = self.room.session, self.room.state
        shot, scene = session.snapshot(), session._scene
        others = [info.seat for info in scene.seats if info.seat != but][:LOOKED_AT]
        count = min(len(table.race.given) if table.race else 0, PREVIEWED)
        asked = [{"answers": 100}, *({"undo": n, "preview": True} for n in range(1, count + 1))]
        asked += [{"amend": n, "preview": True} for n in range(1, count + 1)]
        return {
            "page": shot.body,
            "stream": Frames(shot).whole(TABLE),
            "faces": {seat: self.drawn.text[shot.public[seat].bitmap] for seat in shot.public},
            "numbers": [shot.public[seat].number for seat in shot.public],
            "pictures": [Frames(shot).whole(seat) for seat in shot.public],
            "screens": {seat: [repr(view) for _, view in pages(scene, seat)] for seat in others},
            "home": {seat: repr(session._screens.dialog(seat) or HOME) for seat in others},
            "referee": [session.submit(REFEREE, line).body for line in asked],
            "replies": list(self.replies),
            "records": dict(self.room.records),
        }
