"""Posts of wrong types against the real program: the rules, the table, its league, every address.

Whatever is said, it is refused or done, and never a fault of ours (5xx). What is posted comes of a
sound body, of which values are replaced, taken away or added (`support.formula.mangle`).
"""

from __future__ import annotations

import json
import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.downforce.table import header as downforce
from support.formula import boardless, formule_de, street
from support.formula.mangle import JUNK, mangled
from support.tables.sitting import race_header
from werkzeug.test import Client

from companion.app.table import RunningTable
from companion.league.acts import Act, every_kind
from companion.rules.games import KINDS
from companion.system.config import Config
from companion.system.host import Closing
from companion_web.api import WORDS
from companion_web.cabinet import DOES

HEADERS: tuple[dict[str, Any], ...] = (
    race_header(2),
    race_header(3, rules=["weather"], advice=False, dice={"seats": [1]}),
    {**race_header(2), "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "bot": "learner"}]},
    formule_de.header(3),
    boardless.header(),
    street.header("julien-fabre", "eddy-knox"),
    dict(downforce(3)),
    {"game": "downforce", "track": None, "seats": [{"seat": 1}, {"seat": 2, "bot": "learner"}]},
)
OF_TABLE = (
    *("join", "leave", "name", "same", "game", "track", "pack", "laps", "option", "switch"),
    *("start", "rematch", "close", "open", "sit", "save-pack", "waiting", "language", "preset"),
    *("propose", "agree", "take-back", "pause", "resume", "seen", "boards", "bot", "team", "grid"),
    *("driver", "tires", "box", "color", "power", "again", "order", "weather", "house", "crew"),
)
LEAGUE = {
    "race": {"order": ["Ana", "Bob"], "out": {"Cleo": "engine"}, "season": "2026", "date": "x"},
    "csv": {"text": "season,date,name\n2026,2026-01-01,Ana\n"},
    "keys": {"person": "Ana", "role": "steward"},
    "forget": {"driver": "Ana"},
    "qualify": {"season": "2026"},
    "draw": {"season": "2026", "tables": 2, "how": "lot", "grid": True},
}
SEASON = {"act": "season", "season": "2026", "title": "2026", "points": [9, 6, 4]}
SCENE = 250
"""Posts between two new races."""


class Posts(Closing):
    """A real table without seats of its own, and posts that fit it nearly."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.dice = Random(seed)
        self.table = RunningTable(Config(folder, "127.0.0.1", 0, idle_s=1e9))
        self.table.start()
        self.client = Client(self.table.server._door._app)
        self.statuses: Counter[int] = Counter()
        self.faults: list[tuple[str, str, str]] = []
        self._acts = {kind: _fields_of(one) for kind, one in every_kind().items()}

    def close(self) -> None:
        self.table.close()

    def run(self, count: int) -> None:
        for number in range(count):
            if number % SCENE == 0:
                self._send("/api/table", {"new": self.dice.choice(HEADERS)}, self.table.access.pin)
            address, body = self._post()
            self._send(address, body, self._key())

    def _key(self) -> str:
        access = self.table.access
        seat = self.dice.choice((0, 0, 0, 0, 1, 2, 3))
        return access.token(seat) if seat else access.pin

    def _send(self, address: str, body: Any, key: str) -> None:
        dice = self.dice
        raw = json.dumps(body).encode("utf-8", "replace")
        peer = f"10.{dice.randrange(256)}.{dice.randrange(256)}.{dice.randrange(256)}"
        say = {"X-Language": dice.choice(("de", "fr", "en"))} if dice.random() < 0.5 else {}
        reply = self.client.post(
            address,
            data=raw,
            headers={"Authorization": f"Bearer {key}", **say},
            content_type="application/json",
            environ_overrides={"REMOTE_ADDR": peer},
        )
        self.statuses[reply.status_code] += 1
        if reply.status_code >= 500:
            self.faults.append((address, raw.decode()[:400], reply.get_data(as_text=True)[:200]))

    def _post(self) -> tuple[str, Any]:
        dice = self.dice
        address, body = dice.choice(self._ways)(self)
        return address, mangled(body, dice) if dice.random() < 0.8 else body

    def _new(self) -> tuple[str, Any]:
        return "/api/table", {"new": self.dice.choice(HEADERS)}

    def _word(self) -> tuple[str, Any]:
        dice = self.dice
        value = dice.choice((*JUNK, "formula-d", "downforce", "monaco", "Ana", {"name": "weather"}))
        return "/api/table", {"table": dice.choice(OF_TABLE), "seat": 1, "value": value}

    def _answer(self) -> tuple[str, Any]:
        dice = self.dice
        asks = self.table.state.asks
        ask = dice.choice(asks) if asks else {"seat": 1, "kind": dice.choice(tuple(KINDS))}
        kind, options = ask["kind"], ask.get("options") or ask.get("from") or JUNK
        value = dice.choice(options) if isinstance(options, list | tuple) else dice.randint(1, 9)
        what = dice.choice(("answer", "answer", "answer", "explain"))
        return f"/api/seat/{ask['seat']}/{what}", {kind: value, "version": self.table.state.version}

    def _referee(self) -> tuple[str, Any]:
        dice = self.dice
        word = dice.choice(tuple(WORDS))
        more = {one: dice.choice((*JUNK, 1, True)) for one in WORDS[word] if dice.random() < 0.5}
        return f"/api/referee/{word}", {word: dice.choice((*JUNK, 1, 2, {"seat": 4})), **more}

    def _league(self) -> tuple[str, Any]:
        address = self.dice.choice(tuple(LEAGUE))
        return f"/api/league/{address}", LEAGUE[address]

    def _act(self) -> tuple[str, Any]:
        kind = self.dice.choice(tuple(self._acts))
        act = {"act": kind, **{name: self.dice.choice(JUNK) for name in self._acts[kind]}}
        return "/api/league/acts", {"acts": [self.dice.choice((SEASON, act, act, act))]}

    def _other(self) -> tuple[str, Any]:
        dice = self.dice
        return dice.choice(
            (
                ("/api/join", {"name": "Zoe", "color": "red"}),
                ("/api/machine", {"power": "now"}),
                ("/api/live", {"do": dice.choice(tuple(DOES)), "seat": 1}),
                (f"/api/seat/{dice.randrange(12)}/press", {"button": 1, "hold": True}),
                ("/api/seat/1/elsewhere", {"to": "S2.m5"}),
                ("/api/seat/1/elsewhere", {"agree": True}),
                ("/api/track/monaco/check", {"corner": 1, "stops": 2}),
                ("/api/track/monaco/save", {"corner": 1, "stops": 2}),
            )
        )

    _ways = (
        _new,
        _word,
        _word,
        _answer,
        _answer,
        _answer,
        _referee,
        _referee,
        _league,
        _act,
        _other,
    )


def _fields_of(kind: type[Act]) -> list[str]:
    return [one.name for one in fields(kind)]


def no_faults(folder: Path, seed: int, count: int, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR)
    with Posts(folder, seed) as posts:
        posts.run(count)
    assert posts.faults == []
    assert caplog.records == []
    assert posts.statuses[200] > count / 100
    assert posts.statuses[400] > count / 10


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.slow
def test_no_post_of_wrong_types_is_a_fault_of_the_real_program(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    no_faults(tmp_path, seed, 300, caplog)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 6))
def test_no_post_out_of_thousands_is_a_fault(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    no_faults(tmp_path, seed, 5000, caplog)


@pytest.mark.parametrize("header", [{}, *({"seats": junk, "game": "formula-d"} for junk in JUNK)])
def test_a_header_without_sound_seats_is_refused_before_anybody_reads_it(
    header: Mapping[str, object], tmp_path: Path
) -> None:
    with RunningTable(Config(tmp_path, "127.0.0.1", 0)) as table:
        reply = table.start(header=header)
    assert reply is not None
    assert reply.status == 400
    assert reply.body["error"]["code"] == "malformed"
