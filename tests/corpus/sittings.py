"""Evenings at the table: what is said and pressed, and what every screen then shows.

`Table` is the only part that knows how a table is put together; whoever moves that points it
to the new place. All else goes by lines, presses, pictures and the page's JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from http import HTTPStatus
from random import Random
from typing import Any
from unittest.mock import patch

from support.tables.sitting import REFEREE, Room, phone

from companion.drawing.seat import draw_seat
from companion.table import state as table_state
from companion.table.commands import command_of
from companion.table.screens import Screens
from companion.views import options
from companion.views.model import GameOptions, Lobby
from companion.views.page import table_view
from corpus import then
from corpus.form import read_changed, sum_of, sum_of_bytes
from corpus.look import JSON

OFFER = options.offer
FIRST = 100.0
"""The clock at the beginning; a second goes by with everything that is said."""


class _StillRoom(Room):
    """A room whose clock stands still however often it is looked at."""

    def tick(self) -> float:
        return self.now


def _offer(game: str) -> GameOptions:
    """What a game lets a lobby choose, without what has come since."""
    offered, known = OFFER(game), read_changed().choices
    rules = tuple(option for option in offered.options if option.name in known)
    switches = tuple(switch for switch in offered.switches if switch.name in known)
    usual = tuple(name for name in offered.rules if name in known)
    return replace(offered, options=rules, rules=usual, switches=switches)


def _as_usual(lobby: Lobby) -> Lobby:
    return replace(lobby, rules=_offer(lobby.game).rules)


class Table:
    """A running table with real screens, a journal in memory and a clock that is set."""

    def __init__(self) -> None:
        self._as_it_was = ExitStack()
        self._as_it_was.enter_context(patch.object(options, "offer", _offer))
        self._as_it_was.enter_context(patch.object(table_state, "as_usual", _as_usual))
        self._as_it_was.enter_context(patch.object(options, "packs_of", lambda lobby: []))
        self._as_it_was.enter_context(then.uncounted())
        self._as_it_was.enter_context(patch.object(table_state, "as_at_a_table", lambda told: told))
        self._room = _StillRoom(draw=draw_seat, tell=table_view)
        self._room.now = FIRST
        self._room.session.start()

    def close(self) -> None:
        """End its thread."""
        self._room.session.close()
        self._as_it_was.close()

    def say(self, seat: int | None, line: JSON) -> tuple[int, JSON]:
        """What a seat's phone or (None) the referee says; status and body of the reply."""
        self._room.now += 1
        reply = self._room.session.submit(REFEREE if seat is None else phone(seat), line)
        return reply.status, dict(reply.body)

    def press(self, seat: int, lines: Sequence[JSON]) -> int:
        """A press on a seat's screen that comes to these lines; the status.

        What the key of a page means may change from version to version, and is not asked here.
        """
        self._room.now += 1
        commands = [command_of(line) for line in lines]
        with patch.object(Screens, "press", lambda *_: commands):
            return self._room.session.press(phone(seat), seat, 1, True, None).status

    def screens(self) -> dict[int, str]:
        """By seat, the sum of the picture and the lamp of its own screen."""
        shown = self._room.session.snapshot().private
        return {s: f"{sum_of_bytes(p.bitmap)} {p.lamp}" for s, p in shown.items()}

    def faces(self) -> str:
        """The sum of all that everybody may see of the screens."""
        shown = self._room.session.snapshot().public
        return sum_of([[seat, sum_of_bytes(shown[seat].bitmap)] for seat in shown])

    def page(self) -> JSON:
        """The body of `/api/table`."""
        body: JSON = json.loads(self._room.session.snapshot().body)
        for key in SINCE_IN_LOBBY:
            (body["lobby"] or {}).pop(key, None)
        return {key: value for key, value in body.items() if key not in SINCE}

    def record(self) -> list[JSON]:
        """The last record that was written; [] where no race came to its end."""
        lines = [dict(line) for line in next(reversed(self._room.records.values()), [])]
        for seat in lines[0].get("seats", ()) if lines else ():
            for key in SINCE_OF_SEATS:
                seat.pop(key, None)
        return lines


SINCE = ("disk", "waiting_more")
"""What `/api/table` has been given since these evenings were kept."""
SINCE_IN_LOBBY = ("pack", "packs")
"""The same of its `lobby`."""
SINCE_OF_SEATS = ("color",)
"""The same of the seats of a record's header."""


class Evening:
    """A table, and what has been seen at it so far."""

    def __init__(self) -> None:
        self.table = Table()
        self._before: dict[int, str] = {}
        self.reply: JSON = {}

    def hear(self, said: Any) -> list[Any]:
        """Status, reply, page, public faces as sums, and the screens that have changed.

        Args:
            said: [seat or None, line], or {"press": [seat, button, held]}.
        """
        if isinstance(said, dict):
            status, told = self.table.press(said["press"][0], said["lines"]), ""
        else:
            status, self.reply = self.table.say(*said)
            told = sum_of(then.line(self.reply))
        screens = self.table.screens()
        fresh = {str(s): p for s, p in screens.items() if self._before.get(s) != p}
        self._before = screens
        return [status, told, sum_of(self.table.page()), self.table.faces(), fresh]


PARTS = ("status", "reply", "page", "faces", "screens")


def _compared(was: list[Any]) -> tuple[str, ...]:
    """What is compared of one thing said: of a refusal its status, where its words may differ."""
    refused = was[0] >= HTTPStatus.BAD_REQUEST
    free = "message" not in read_changed().refusal_parts
    if refused and free:
        return ("status", "", "", "", "")
    shown = read_changed().sitting_parts
    return tuple(part if part in shown else "" for part in PARTS)


def sitting_differences(row: JSON) -> Iterator[str]:
    """Everything that a sitting shows otherwise than the corpus has it.

    Of a race without a board the fate of what was said (`boardless_parts`).
    """
    evening, listed = Evening(), read_changed().of(row["sitting"])
    blank = "boardless" in row["sitting"]
    try:
        for at, (said, was) in enumerate(zip(row["said"], row["seen"], strict=True)):
            now = evening.hear(said)
            parts = ("status",) if blank else _compared(was)
            for part, one, other in zip(parts, was, now, strict=not blank):
                if part and one != other and (at, part) not in listed:
                    yield f"{row['sitting']} line {at}: {part}: was {one}, is {other}: {said}"
            if now[0] != was[0]:
                return  # all that follows may differ
        if not blank and sum_of(_as_then(evening.table.record())) != row["record"]:
            yield f"{row['sitting']}: another record"
    finally:
        evening.table.close()


def _as_then(record: Iterable[JSON]) -> list[JSON]:
    """A record without the words to the table that it has since."""
    new = read_changed().record_words
    return [line for line in record if line.get("table") not in new]


class Script:
    """One evening as it comes to be: answers, presses, words, the referee."""

    def __init__(self, header: JSON | None, seed: int, length: int) -> None:
        from corpus.drive import Driver  # what only the making needs

        self.dice, self.length = Random(seed), length
        self.evening = Evening()
        self.said: list[Any] = []
        self.seen: list[Any] = []
        self._driver = Driver
        for seat in (1, 2, 3, 4):
            language = "fr" if self.dice.random() < 0.4 else "en"
            self.hear(None, {"table": "language", "value": {"seat": seat, "value": language}})
        if header is None:
            self.set_up()
        else:
            self.hear(None, {"new": header})

    def hear(self, seat: int | None, line: JSON) -> int:
        """Something is said."""
        return self.keep([seat, line])

    def press(self, seat: int, button: int, hold: bool = False) -> int:
        """Something is pressed."""
        return self.keep({"press": [seat, button, hold]})

    def keep(self, said: Any) -> int:
        """It is heard and kept; the status."""
        self.said.append(said)
        self.seen.append(self.evening.hear(said))
        return int(self.seen[-1][0])

    def set_up(self) -> None:
        """A lobby is pressed through; the race is started from the first seat that joined."""
        seats = list(range(1, self.dice.randint(3, 5)))
        for seat in seats:
            name = ("Ana", "Bob", "Cleo", "Dan")[seat - 1]
            self.hear(None, {"table": "join", "value": {"seat": seat, "value": name}})
        for _ in range(self.length // 2):
            if self.race is None:
                seat = seats[0] if self.dice.random() < 0.6 else self.dice.choice(seats)
                self.press(seat, self.dice.randint(1, 6))
        if self.race is None:
            self.hear(None, {"table": "start"})

    @property
    def page(self) -> JSON:
        return self.evening.table.page()

    @property
    def race(self) -> JSON | None:
        race: JSON | None = self.page["race"]
        return race

    def play(self) -> None:
        """All of the evening."""
        while len(self.said) < self.length:
            page = self.page
            if page["race"] is None:
                seats = [seat["seat"] for seat in page["seats"]] or [1]
                self.press(self.dice.choice(seats), self.dice.randint(1, 6))
                continue
            self.step(page)
        if self.race is not None and self.page["state"]["phase"] != "finished":
            self.hear(None, {"end": True})
        for seat in self.page["seats"][:2]:
            self.press(seat["seat"], 6)
            self.press(seat["seat"], 1)

    def step(self, page: JSON) -> None:
        """One thing at the table."""
        dice, seats = self.dice, [seat["seat"] for seat in page["seats"]]
        chance = dice.random()
        if chance < 0.3:
            self.press(dice.choice(seats), dice.randint(1, 6), dice.random() < 0.05)
        elif chance < 0.36:
            self.hear(dice.choice(seats), self.word(seats))
        elif chance < 0.42:
            self.hear(None, self.referee(page))
        elif page["asks"] and not page["paused"]:
            ask = dice.choice(page["asks"])
            driver = self._driver(page["race"], dice, 0.15)
            line = {"seat": ask["seat"], ask["kind"]: driver.answer(ask, page["state"])}
            self.hear(ask["seat"] or seats[0], line)
        else:
            self.hear(None, {"table": "resume"} if page["paused"] else {"undo": 2})

    def word(self, seats: list[int]) -> JSON:
        """A word to the table."""
        dice = self.dice
        seat = dice.choice(seats)
        return dice.choice((
            {"table": "preset", "seat": seat, "gear": dice.randint(1, 6)},
            {"table": "take-back", "seat": seat},
            {"table": "propose", "seat": seat, "space": dice.choice(("S1.l3", "S2.m2", "T1.r1"))},
            {"table": "agree", "seat": seat, "yes": dice.random() < 0.6},
            {"table": "pause"},
            {"note": "a note"},
        ))  # fmt: skip

    def referee(self, page: JSON) -> JSON:
        """A line of the referee."""
        dice = self.dice
        cars = page["state"].get("cars", {})
        wear = next((car.get("wear") for car in cars.values()), None)
        lines: list[JSON] = [
            {"undo": dice.randint(1, 3)},
            {"undo": dice.randint(1, 3), "preview": True},
            {"amend": dice.randint(1, 3), "preview": True},
            {"answers": 20},
            {"seat": page["seats"][0]["seat"], "return": True},
        ]
        if wear:
            seat = dice.choice(sorted(cars))
            lines.append({"correct": {"cars": {seat: {"wear": {"tires": 1}}}}, "reason": "seen"})
        return dice.choice(lines)


def make_sitting(name: str, header: JSON | None, seed: int, length: int) -> tuple[JSON, list[JSON]]:
    """A sitting as the corpus keeps it, and its record."""
    script = Script(json.loads(json.dumps(header)), seed, length)
    try:
        script.play()
        record = script.evening.table.record()
    finally:
        script.evening.table.close()
    row = {"sitting": name, "said": script.said, "seen": script.seen, "record": sum_of(record)}
    return row, record
