"""A whole race of six cars over HTTP, as six phones press buttons, from grid to classification."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any

import pytest
from support.each import few_now
from support.formula import careful
from support.screens.hands import sends
from support.tables.phones import Phones, served

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.race.record import read_record, replay

pytestmark = pytest.mark.slow

SEATS = 6


def spoken(told: dict[str, Any], dice: Random) -> tuple[int, tuple[dict[str, Any], ...]]:
    """Who presses next, and the answers that this press gives.

    Rolls that several make because of one move are listed on the mover's screen.
    """
    asks, turn = told["asks"], told["state"]["turn"]
    if turn is not None and any(ask["seat"] != turn for ask in asks):
        rolls = {ask["seat"]: (dice.randint(1, 20), ask["options"]) for ask in asks}
        hurt = [seat for seat, (roll, ((_, top), _)) in rolls.items() if roll <= top]
        lines = tuple({"seat": s, "black": r} for s, (r, _) in rolls.items() if s in hurt[:1])
        spared = tuple({"seat": seat, "black": roll} for seat, (roll, _) in rolls.items())
        return turn, lines or spared
    ask = dice.choice(asks)
    engine = Engine(TrackLibrary())
    header = {key: told["race"][key] for key in ("game", "track", "laps", "seats")}
    assert engine.handle({"new": {**header, "position": told["state"]}})["ok"]
    value = careful.answer(ask, engine.moment, dice)
    return ask["seat"], ({"seat": ask["seat"], ask["kind"]: value},)


def play(phones: Phones, dice: Random) -> list[int]:
    """Play to the end; the presses of each turn."""
    turns: list[int] = []
    told, before, turn = phones.look(), 0, None
    while told["asks"]:
        seat, lines = spoken(told, dice)
        assert phones.give(told, seat, sends(*lines)), (seat, lines, told["asks"])
        told = phones.look()
        now = (told["state"]["round"], told["state"]["turn"])
        if now != turn:
            turns.append(phones.presses - before)
            before, turn = phones.presses, now
    return turns[1:]


@pytest.mark.parametrize("laps", few_now([1, 2], 1))
def test_six_phones_play_a_race_and_its_record_replays_to_the_same_state(
    tmp_path: Path, laps: int
) -> None:
    header = careful.header(SEATS, laps=laps)
    with served(tmp_path, header) as table:
        phones = Phones(table)
        turns = play(phones, Random(7))
        told = phones.look()
        phones.close()
    state = told["state"]
    assert state["phase"] == "finished"
    assert sorted(line["seat"] for line in state["classification"]) == list(range(1, SEATS + 1))
    (record,) = (tmp_path / "records").glob("*.jsonl")
    lines = [json.loads(line) for line in record.read_text("utf-8").splitlines()]
    assert lines[-1]["result"] == state["classification"]
    assert replay(read_record(record)).state() == state
    most = sorted(turns)[int(len(turns) * 0.95)]
    print(f"\n{len(turns)} turns, presses a turn: mean {mean(turns):.2f}, 95 % {most}")
    assert mean(turns) <= 3.6
    assert most <= 6
