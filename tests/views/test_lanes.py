"""Boards of two and of four lanes: played on the keys, drawn, named."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any
from xml.etree import ElementTree

import pytest
from support.formula.dat import oval
from support.screens.hands import presses_to, sends

from companion.drawing.circuit import draw_circuit
from companion.race.engine import Engine
from companion.rules.board.track import Track
from companion.views.words import place_key, place_name, words

from .conftest import Rehearsal, Table


@dataclass
class OneBoard:
    """A library of one board."""

    track: Track

    def load(self, name: str) -> Track:
        return self.track


@pytest.mark.slow
@pytest.mark.parametrize("lanes", ["lr", "lmnr"])
def test_a_race_on_it_is_played_on_the_keys(lanes: str) -> None:
    """Whatever end the driver wants has a key: `play` fails where none leads to the answer."""
    table = Table(engine=Engine(OneBoard(oval(lanes))))
    seats: list[dict[str, Any]] = [{"seat": n, "name": f"car {n}"} for n in range(1, 6)]
    race = Rehearsal(table.new(laps=3, track="oval.toml", seats=seats), random.Random(4)).play()
    state = race.table.engine.state()
    assert state is not None
    assert state["phase"] == "finished"
    assert {"gear", "roll", "move"} <= set(race.kinds)


@pytest.mark.parametrize("gear", [2, 3, 4])
@pytest.mark.parametrize("start", ["S2.{}2", "S1.{}11"])
@pytest.mark.parametrize("lanes", ["lr", "lmnr"])
def test_every_end_of_a_move_is_on_some_key(lanes: str, start: str, gear: int) -> None:
    for lane in lanes:
        table = Table(engine=Engine(OneBoard(oval(lanes))))
        car = {"space": start.format(lane), "gear": gear, "lap": 1}
        other = {"space": f"S1.{lane}1", "gear": 1, "lap": 1}
        position = {"cars": {"1": car, "2": other}, "order": [1, 2], "turn": 1}
        table.new(track="oval.toml", seats=[{"seat": 1}, {"seat": 2}], position=position)
        for line in ({"gear": gear}, {"roll": 2 * gear}):
            assert table.engine.handle({"seat": 1, **line})["ok"]
        [ask] = table.engine.asks()
        for end in ask["options"]:
            answer = {key: end[key] for key in ("to", "brakes")}
            assert presses_to(table.scene(), 1, sends({"seat": 1, "move": answer})), answer


@pytest.mark.parametrize("lanes", ["lr", "lmnr"])
def test_it_is_drawn_with_every_space(lanes: str) -> None:
    track = oval(lanes)
    drawn = ElementTree.fromstring(draw_circuit(track))
    spaces = {one.get("data-space") for one in drawn.iter()} - {None}
    assert set(track.ids) <= spaces


def test_two_lanes_are_left_and_right_and_four_are_numbered_from_the_left() -> None:
    english = words("en")
    two, four = oval("lr"), oval("lmnr")
    assert place_name(two, two.index["S2.r1"], english) == "right, 12 before Bend"
    names = [place_name(four, four.index[f"S2.{lane}1"], english) for lane in four.lanes]
    assert names == [f"lane {n}, 12 before Bend" for n in (1, 2, 3, 4)]
    assert len({place_key(four, four.index[f"S2.{lane}1"], english) for lane in "lmnr"}) == 1
