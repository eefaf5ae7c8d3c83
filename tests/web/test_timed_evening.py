"""An evening by the clock, driven through phones over HTTP; nobody sleeps, the clock is set."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.tables.process import Client
from support.tables.sitting import race_header

from companion.app.table import RunningTable
from companion.race.record import read_record, replay
from companion.system.config import Config

NEAR_THE_LINE = {
    "cars": {
        str(seat): {"space": space, "gear": 4, "lap": 2}
        for seat, space in ((1, "S1.l20"), (2, "S1.m18"))
    },
    "order": [1, 2],
    "turn": 1,
    "round": 20,
}
HARMLESS = 20


class Evening:
    """A table that is open, two phones at it, and a clock that goes on when it is told."""

    def __init__(self, folder: Path) -> None:
        self.now, self.folder = 0.0, folder
        self.table = RunningTable(Config(folder, "127.0.0.1", 0), now=lambda: self.now)
        self.client = Client(self.table.url)

    def begins(self, **house: str) -> None:
        header = race_header(2, laps=4, house=house, position=NEAR_THE_LINE)
        del header["grid"], header["start"], header["weather"]
        reply = self.table.start(header=header)
        assert reply is not None
        assert reply.status == 200, reply

    def close(self) -> None:
        self.client.close()
        self.table.close()

    def passes(self, seconds: float) -> None:
        """Time passes; the table wakes by it as it does by anything else."""
        self.now += seconds
        self.says(1, {"table": "language", "seat": 1, "value": "en"})

    def _post(self, path: str, seat: int, body: Any) -> Any:
        token = self.table.access.token(seat)
        status, reply = self.client.post(path, token, body)
        assert status == 200, reply
        return reply

    def says(self, seat: int, word: dict[str, Any]) -> None:
        """A word of a phone to the table."""
        self._post("/api/table", seat, word)

    def answers(self, seat: int, **answer: Any) -> None:
        """A phone answers for its seat."""
        self._post(f"/api/seat/{seat}/answer", seat, answer)

    def view(self, seat: int) -> Any:
        """What a phone shows."""
        return self.client.get(f"/api/seat/{seat}/view")

    @property
    def told(self) -> Any:
        """What everybody is told."""
        return self.client.get("/api/table")

    def turn(self, seat: int) -> None:
        """A phone plays a whole turn, by the first answer that there is; the others roll well."""
        while self.told["state"]["turn"] == seat:
            ask = self.told["asks"][0]
            options = ask["options"]
            value = HARMLESS if ask["kind"] == "black" else options[0]
            if ask["kind"] == "gear":
                value = options[-1]
            if isinstance(value, dict):
                value = {"to": value["to"], "brakes": value["brakes"]}
            self.answers(ask["seat"], **{ask["kind"]: value})

    def events(self) -> list[str]:
        """What of time is in the record, or will be."""
        race: Any = self.table.state.race
        words = ("flag", "bell", "pause", "resume")
        return [
            word
            for line in race.lines
            for word in words
            if word in line or line.get("table") == word
        ]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    made = Evening(tmp_path)
    yield made
    made.close()


def test_a_flag_falls_and_every_phone_is_told(evening: Evening) -> None:
    evening.begins(turn_clock="20", turn_late="flag")
    clock = evening.view(2)["clock"]
    assert (clock["mine"], clock["name"], clock["ends"] - clock["now"]) == (False, "Ana", 20)
    before = evening.view(2)["picture"]
    evening.passes(21)
    assert evening.told["log"][-1] == "Ana takes too long: flag 1."
    assert evening.view(1)["clock"]["flagged"]
    assert evening.view(2)["picture"] > before, "its phone looks again"


def test_a_bank_runs_down_and_a_turn_is_lost(evening: Evening) -> None:
    evening.begins(turn_clock="60", turn_late="bank")
    evening.passes(60 + 500)
    assert evening.told["clock"]["bank"] == 100
    evening.passes(101)
    assert evening.told["log"][-1] == "Flag 1 for Ana, who loses a turn."


def test_a_pause_stops_the_clock(evening: Evening) -> None:
    evening.begins(turn_clock="20", turn_late="flag")
    evening.passes(15)
    evening.says(2, {"table": "pause", "seat": 2})
    evening.passes(3600)
    assert (evening.told["clock"]["left"], evening.told["clock"]["runs"]) == (5, False)
    evening.says(1, {"table": "resume", "seat": 1})
    clock = evening.told["clock"]
    assert round(clock["ends"] - clock["now"], 1) == 5
    assert "flag" not in evening.events()


def test_an_evening_by_the_clock_from_a_flag_to_the_last_lap(evening: Evening) -> None:
    """Clock, flag, pause, bell, and the end of the race on the line of the lap it rang in."""
    evening.begins(turn_clock="20", turn_late="flag", race_time="120")
    evening.passes(25)
    evening.turn(1)
    evening.says(1, {"table": "pause", "seat": 1})
    evening.passes(600)
    evening.says(1, {"table": "resume", "seat": 1})
    assert evening.told["state"]["laps"] == 4
    evening.passes(7200 - 25 + 1)
    assert (evening.told["state"]["laps"], evening.told["clock"]["rung"]) == (2, True)
    for _ in range(40):
        if evening.told["state"]["phase"] == "finished":
            break
        evening.passes(10)
        evening.turn(evening.told["state"]["turn"])
    assert evening.told["state"]["phase"] == "finished"
    assert evening.events() == ["flag", "pause", "resume", "flag", "bell"]
    (file,) = (evening.folder / "records").glob("*.jsonl")
    assert replay(read_record(file)).state() == evening.told["state"]


def test_the_plug_is_pulled_and_phones_find_the_race_paused(tmp_path: Path) -> None:
    first = Evening(tmp_path)
    first.begins(turn_clock="20", turn_late="flag")
    first.passes(15)
    first.close()
    second = Evening(tmp_path)
    second.table.start()
    try:
        assert second.told["paused"]
        second.passes(600)
        assert "flag" not in second.events()
        second.says(2, {"table": "resume", "seat": 2})
        second.passes(21)
        assert second.events() == ["pause", "resume", "flag"]
    finally:
        second.close()
