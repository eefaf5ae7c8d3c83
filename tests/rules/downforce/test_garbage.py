"""Whatever a header, a position or a correction says, the engine answers and never raises."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

import pytest
from support.downforce.table import CARS, NoShelf, Table, bid, header, racing
from support.each import few_now

from companion.race.engine import Engine

pytestmark = pytest.mark.slow

JUNK: tuple[Any, ...] = (
    None, True, -1, 0, 1, 3, 99, 10**30, 2.5, "", "red", "sly", "play", "race", "\ud800", [], [1],
    ["red"], [[]], CARS, {}, {"1": None}, {"red": {}}, [{"step": "bids"}], {"car": "red"},
)  # fmt: skip


def spoil(value: Any, dice: Random) -> Any:
    """The value with one part, however deep, replaced, removed or added."""
    if isinstance(value, dict) and value and dice.random() < 0.85:
        key = dice.choice(list(value))
        match dice.randrange(6):
            case 0:
                return {name: one for name, one in value.items() if name != key}
            case 1:
                return {**value, dice.choice(("x", "1", "red", "turn", "step")): dice.choice(JUNK)}
            case _:
                return {**value, key: spoil(value[key], dice)}
    if isinstance(value, list) and value and dice.random() < 0.85:
        at = dice.randrange(len(value))
        return [*value[:at], spoil(value[at], dice), *value[at + (dice.random() < 0.8) :]]
    return dice.choice(JUNK)


def tables() -> list[Table]:
    """Moments with every kind of open step."""
    bidding = Table(header(4, "championship"))
    bidding.pole()
    bidding.lot("red")
    bidding.plays(1, bid=bid(5))
    keeping = Table()
    keeping.pole()
    for number, car in enumerate(CARS):
        keeping.sell(car, 1 + number % 4)
    betting = racing("championship").passed(1)
    betting.card(lines=2, finished=["red"])
    betting.plays(2, bet="blue")
    leg = racing("championship")
    leg.card(lines=1)
    leg.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    leg.passed().card(finished=CARS)
    over = racing()
    over.says({"end": True})
    return [Table(), bidding, keeping, racing(), betting, leg, over]


@pytest.mark.parametrize("which", few_now(range(7), 2))
def test_a_spoilt_position_or_correction_is_taken_whole_or_refused(which: int) -> None:
    """What is taken can be told, set up again and played on; what is refused leaves no trace."""
    table, dice = tables()[which], Random(which)
    told = dict(table.engine.header or {})
    for _ in range(400):
        state = spoil(copy.deepcopy(table.state), dice)
        fresh = Engine(NoShelf())
        reply = fresh.handle({"new": {**told, "position": state}})
        json.dumps(reply)
        if reply["ok"]:
            again = Engine(NoShelf())
            settled = fresh.state()
            assert again.handle({"new": {**told, "position": settled}})["ok"]
            assert again.state() == settled
        before = (table.state, table.asks)
        part = spoil(dict([dice.choice(list(table.state.items()))]), dice)
        if table.engine.handle({"correct": part})["ok"]:
            table.says({"undo": 1})
        assert (table.state, table.asks) == before


def test_a_spoilt_header_is_taken_or_malformed() -> None:
    dice = Random(1)
    for _ in range(1500):
        told = spoil({**header(3, "no-bets", "championship"), "house": {}, "laps": 1}, dice)
        reply = Engine(NoShelf()).handle({"new": told})
        assert reply["ok"] or reply["error"]["code"] == "malformed"
