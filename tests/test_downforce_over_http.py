"""Downforce in a real process: what it leaves on disk and says while bids and bets are secret."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from support.downforce.evening import header
from support.tables.phones import Phones as Keys
from support.tables.phones import served

from companion.race.record import read_record, replay

CARS = ["black", "blue", "green", "yellow", "orange", "red"]


class Phones:
    """Four phones that answer by the page's addresses."""

    def __init__(self, url: str, tokens: dict[int, str]) -> None:
        self.url, self.tokens = url, tokens

    def answer(self, seat: int, body: dict[str, Any]) -> int:
        """The status of an answer; seat 1 speaks for the table."""
        request = Request(
            f"{self.url}/api/seat/{seat}/answer",
            json.dumps(body).encode(),
            {
                "Content-Type": "application/json",
                "Authorization": f"Bearer {self.tokens[seat or 1]}",
            },
        )
        try:
            with urlopen(request) as reply:
                return int(reply.status)
        except HTTPError as error:
            return error.code


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


@pytest.mark.slow
def test_df_bet_2_until_the_race_is_over_only_the_private_journal_has_the_secrets(
    tmp_path: Path,
) -> None:
    told = tmp_path / "header.json"
    told.write_text(json.dumps(header(4, "beginners", "no-powers")))
    data, log = tmp_path / "data", tmp_path / "log"
    command = [sys.executable, "-m", "companion", "race", "--data", str(data), "--port", "0"]
    command += ["--host", "127.0.0.1", "--json", "--new", str(told)]
    with (
        log.open("w") as stderr,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True) as process,
        ExitStack() as undone,
    ):
        undone.callback(process.kill)
        assert process.stdout is not None
        opened = json.loads(process.stdout.readline())
        phones = Phones(opened["url"], {one["seat"]: one["token"] for one in opened["seats"]})
        play_to_the_last_card(phones)
        assert {Path(name).parts[0] for name in files(data)} == {"journal", "copy"}
        assert all((data / name).stat().st_mode & 0o77 == 0 for name in files(data))
        assert phones.answer(2, {"played": {"finished": ["blue"]}}) == 200
        (record,) = (data / "records").glob("*.jsonl")
        process.terminate()
        process.wait(10)
    assert log.read_text() == ""
    state = replay(read_record(record)).state()
    assert state is not None
    assert state["players"]["2"]["bets"] == ["orange"] * 3


def play_to_the_last_card(phones: Phones) -> None:
    """The cars dealt, the lines crossed, bets by everybody, some of them refused at first."""
    assert phones.answer(0, {"pole": CARS}) == 200
    for number, car in enumerate(CARS):
        assert phones.answer(0, {"lot": {"car": car, "power": None}}) == 200
        assert phones.answer(0, {"award": number + 1 if number < 4 else None}) == 200
    assert phones.answer(1, {"played": {"lines": 3}}) == 200
    assert phones.answer(2, {"bet": "mauve"}) == 400
    for _ in range(3):
        for seat, car in {1: "red", 2: "orange", 3: "blue", 4: "green"}.items():
            assert phones.answer(seat, {"bet": car}) == 200


@pytest.mark.slow
def test_own_powers_and_a_circuit_are_entered_in_the_lobby_and_known_for_the_next_race(
    tmp_path: Path,
) -> None:
    own = [{"name": "daring", "reminder": "Once a race, a card counts twice."}]
    with served(tmp_path) as table:
        page = Keys(table)

        def says(word: str, value: object, seat: int | None = None) -> tuple[int, Any]:
            line = {"table": word, "value": value} | ({} if seat is None else {"seat": seat})
            return page.ask("POST", "/api/table", line, table.pin)

        for seat, name in ((1, "Ana"), (2, "Bob")):
            assert says("join", name, seat)[0] == 200
        assert says("game", "downforce")[0] == 200
        status, refused = says("powers", [*own, *own])
        assert (status, refused["error"]["key"]) == (400, "power-twice")
        assert page.look()["lobby"]["powers"] == []
        assert says("powers", own)[0] == 200
        assert says("switch", {"name": "circuit", "value": "Old Harbour"})[0] == 200
        assert page.look()["lobby"]["powers"] == own
        assert says("start", None)[0] == 200
        told = page.look()
        assert (told["race"]["powers"], told["race"]["circuit"]) == (own, "Old Harbour")
        assert page.ask("POST", "/api/seat/0/answer", {"pole": CARS}, table.tokens[1])[0] == 200
        (ask,) = page.look()["asks"]
        assert "daring" in {lot["power"] for lot in ask["options"]}
        assert says("close", None)[0] == 200
        assert says("game", "downforce")[0] == 200
        switches = {one["name"]: one for one in page.look()["lobby"]["switches"]}
        page.close()
    assert switches["circuit"]["known"] == ["Marina Bay", "River Station", "Old Harbour"]
    assert switches["circuit"]["value"] == ""
