"""At each answer of races of all kinds STATE is a position that goes on alike.

Whoever holds a STATE can set the race up again with it, put right another car in it, and keep it as
text. What nobody may see in a STATE (bids and bets of Downforce) is no part of a position.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from support.downforce.table import NoShelf
from support.downforce.walk import Walk as Game
from support.each import few_now
from support.formula import careful
from support.formula.boardless import answer as reported
from support.formula.boardless import header as boardless
from support.formula.drive import Drive
from support.formula.mixtures import draw
from support.formula.street import STREETS
from support.formula.walks import without_since

from companion.race.boards import PackLibrary
from companion.race.engine import Engine

JSON = dict[str, Any]
STARTS = ("grid", "start", "weather", "position")
"""What a position stands in for."""
FEW, MANY = 1, 60
RAISED = 0.05


def holds(engine: Engine, header: JSON, library: Any, other: JSON | None) -> None:
    """STATE as text is a position of the same race, in which something else is put right.

    `other` is a part of STATE as it is: what a referee says who finds everything in its place.
    """
    state = engine.state()
    again = Engine(library)
    plain = {key: value for key, value in header.items() if key not in STARTS}
    told = json.loads(json.dumps({"new": {**plain, "position": state}}))
    reply = again.handle(told)
    assert reply["ok"], f"{reply['error']['message']}: {state}"
    shown = (state, without_since(engine.asks()))
    assert (again.state(), without_since(again.asks())) == shown
    if other:
        reply = again.handle({"correct": other, "reason": "as it stands"})
        assert reply["ok"], f"{reply['error']['message']}: {state}"
        assert (again.state(), without_since(again.asks())) == shown


def another_car(state: JSON, dice: Random) -> JSON | None:
    """What a referee may say of a car that is not on turn."""
    others = [seat for seat in state["cars"] if int(seat) != state["turn"]]
    if state["phase"] != "race" or not others:
        return None
    seat = dice.choice(others)
    return {"cars": {seat: {"wear": state["cars"][seat]["wear"]}}}


class Looked(Drive):
    """A race in which every STATE is looked at."""

    def say(self, line: JSON) -> None:
        super().say(line)
        header, state = self.mixture.header, self.engine.state()
        assert state is not None
        holds(self.engine, header, STREETS, another_car(state, Random(len(self.record))))


@pytest.mark.parametrize("game", few_now(["formula-d", "formule-de"], 2, quick=["formula-d"]))
@pytest.mark.parametrize("seed", few_now(range(200, 200 + MANY), FEW))
def test_every_state_of_a_mixed_race_is_a_position(seed: int, game: str) -> None:
    """FD-END-2: a car that a line has lifted among them; any rules, switches and boards."""
    Looked(draw(game, Random(seed)), seed).finish()


def answered(
    header: JSON, seed: int, answer: Callable[[JSON, Any, Random], Any], answers: int
) -> None:
    """Drive a race for so many answers, and look at each STATE of it; FD-LAPS-1: now and then the
    referee adds a lap, where no car is home."""
    engine, dice = Engine(STREETS), Random(seed)
    reply = engine.handle({"new": header})
    assert reply["ok"], reply
    for _ in range(answers):
        state = engine.state()
        assert state is not None
        holds(engine, header, STREETS, another_car(state, dice))
        if not engine.asks():
            return
        if dice.random() < RAISED:
            engine.handle({"correct": {"laps": state["laps"] + 1}, "reason": "one more"})
        ask = dice.choice(engine.asks())
        line = {"seat": ask["seat"], ask["kind"]: answer(ask, engine.moment, dice)}
        assert engine.handle(line)["ok"], line


@pytest.mark.parametrize("seed", few_now(range(MANY), FEW))
def test_every_state_of_a_race_by_a_pack_is_a_position(seed: int) -> None:
    """The packs that ship, each in its turn; cars start just before their last line."""
    shipped = sorted(PackLibrary().packs().items())
    name, (pack, toml) = shipped[seed % len(shipped)]
    seats = [{"seat": seat, "team": f"team {seat % 2}"} for seat in range(1, 5)]
    header = {"game": pack.game, "track": "monaco", "laps": 2, "seats": seats}
    header |= {"pack": {"name": name, "toml": toml}}
    if "urban" in (pack.rules or ()) or seed % 2:
        answered(header, seed, careful.answer, 70)
        return
    spaces = Random(seed).sample([f"S1.{lane}{n}" for lane in "lmr" for n in range(6, 15)], 4)
    cars = {str(s): {"space": space, "gear": 4, "lap": 2} for s, space in enumerate(spaces, 1)}
    debris = [space for lane in "lmr" if (space := f"S1.{lane}16") not in spaces]
    answered({**header, "position": {"cars": cars, "debris": debris}}, seed, careful.answer, 70)


@pytest.mark.parametrize("seed", few_now(range(MANY), FEW))
def test_every_state_of_a_race_without_a_board_is_a_position(seed: int) -> None:
    rules = Random(seed).sample(["weather", "tires", "technical"], seed % 4)
    header = boardless(("formula-d", "formule-de")[seed % 2], 4, laps=1 + seed % 3, rules=rules)
    answered(header, seed, lambda ask, _, dice: reported(ask, dice), 60)


@pytest.mark.parametrize("number", few_now(range(0, 256, 4), FEW))
def test_every_state_of_downforce_without_a_secret_is_a_position(number: int) -> None:
    """DF-BET-2, DF-BID-1: what is null in a STATE for being secret cannot be set up again."""
    game = Game(number)
    while not game.over:
        game.step()
        state = game.table.state
        if "null" in json.dumps([state["players"], state.get("pending")]):
            continue
        cars = {"cars": {"red": {"price": state["cars"]["red"]["price"]}}}
        holds(game.table.engine, game.header, NoShelf(), cars)
