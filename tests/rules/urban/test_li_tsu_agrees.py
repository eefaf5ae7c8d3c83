"""FD-DRV-1 against a slow enumeration: every way walked, and cut where it passes her."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
from support.formula.street import (
    DEREK,
    DIANE,
    DIMITRI,
    JENNY,
    LI_TSU,
    STANLEY,
    STREETS,
    TEMANA,
    header,
)

from companion.race.engine import Engine
from companion.rules.board.track import Track

DICE = {1: (1, 2), 2: (2, 4), 3: (4, 8), 4: (7, 12), 5: (11, 20)}
OTHERS = (JENNY, STANLEY, DEREK, DIANE, TEMANA)
LAPS = 2


def load_slow_ways() -> ModuleType:
    """The enumeration that the plain moves are held against; tests are no package."""
    path = Path(__file__).parent.parent / "slow_ways.py"
    spec = importlib.util.spec_from_file_location("slow_ways_urban", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


slow = load_slow_ways()


@dataclass(frozen=True)
class Case:
    """Dimitri about to move past Li-Tsu, others around them."""

    track: str
    start: int
    her: int
    others: tuple[int, ...]
    gear: int
    roll: int
    lap: int
    stops: int
    tires: int
    brakes: int
    rain: bool

    @property
    def board(self) -> Track:
        """The board that it is on."""
        return STREETS.load(self.track)


def draw(dice: Random, *, rain: bool) -> Case:
    """A case in which she is near, and mostly in a straight."""
    name = dice.choice(["street", "street", "monaco"])
    track = STREETS.load(name)
    start = dice.choice(list(track.track_spaces()))
    ahead = {start}
    for _ in range(dice.choice([3, 6, 10])):
        ahead |= {end for space in ahead for end in (*track.nexts[space], *track.beside[space])}
    ahead.discard(start)
    straight = [space for space in sorted(ahead) if track.straight[space] >= 0]
    her = dice.choice(straight or sorted(ahead))
    near = sorted(ahead - {her})
    gear, corner = dice.choice(list(DICE)), track.corner[start]
    return Case(
        track=name,
        start=start,
        her=her,
        others=tuple(dice.sample(near, min(len(near), dice.choice([0, 1, 3, 5])))),
        gear=gear,
        roll=dice.randint(*DICE[gear]),
        lap=dice.randint(1, LAPS),
        stops=dice.randint(0, track.corners[corner].stops) if corner >= 0 else 0,
        tires=dice.choice([0, 2, 5]),
        brakes=dice.randint(0, 4),
        rain=rain,
    )


def offered(case: Case) -> list[dict[str, Any]]:
    """The move options of the engine; the zone's dark spaces are debris."""
    ids, drivers = case.board.ids, (DIMITRI, LI_TSU, *OTHERS[: len(case.others)])
    wear = {"tires": case.tires, "brakes": case.brakes}
    mover = {"space": ids[case.start], "gear": case.gear, "lap": case.lap, "nitro": True}
    cars: dict[str, Any] = {"1": mover | {"stops": case.stops, "wear": wear}}
    for seat, space in enumerate((case.her, *case.others), 2):
        cars[str(seat)] = {"space": ids[space], "gear": 2, "lap": case.lap}
    order = list(range(1, len(cars) + 1))
    position = {"cars": cars, "order": order, "turn": 1, "weather": "rain" if case.rain else "fine"}
    told = header(*drivers, track=case.track, laps=LAPS, position=position)
    engine = Engine(STREETS)
    assert engine.handle({"new": told})["ok"]
    assert engine.handle({"seat": 1, "gear": case.gear})["ok"]
    (ask,) = engine.handle({"seat": 1, "roll": case.roll})["asks"]
    options: list[dict[str, Any]] = ask["options"]
    return options


def situation(case: Case) -> Any:
    """The case as the slow enumeration takes it."""
    return slow.Situation(
        track=case.board,
        start=case.start,
        roll=case.roll,
        stops=case.stops,
        brakes=case.brakes,
        tires=case.tires,
        occupied=frozenset((case.her, *case.others)),
        debris=case.board.dark,
        last_lap=case.lap == LAPS,
        slide=3 if case.rain else 0,
    )


def passes(case: Case, slow_case: Any, way: tuple[int, ...]) -> bool:
    """From level with her or behind to ahead, in one step inside her straight."""
    track = case.board
    lifted = slow.lifted_at(slow_case, way)

    def along(space: int) -> int:
        return track.level[space] + track.lap_levels * track.past_line[space]

    for at, (here, there) in enumerate(pairwise(way), 1):
        inside = track.straight[here] == track.straight[there] == track.straight[case.her] >= 0
        on_track = lifted is None or at < lifted
        if inside and on_track and along(here) <= along(case.her) < along(there):
            return True
    return False


def worked_out(case: Case) -> list[Any]:
    """The ends by the text: a way that passes her is one space shorter."""
    told = situation(case)
    known = slow.ways(told, case.roll + told.slide)
    grown = {way[:-1] for way in known}
    ends = []
    for brakes in range(min(case.brakes, case.roll) + 1):
        length = case.roll - brakes
        furthest: list[tuple[int, Any, int]] = []
        whole = []
        for way in known:
            moved, wanted = len(way) - 1, slow.slid(told, way, length)
            if moved > wanted:
                continue
            does = passes(case, told, way)
            if moved == wanted:
                whole.append(way[:-1] if does else way)
            elif does and moved == wanted - 1 and way not in grown:
                whole.append(way)
            furthest.append((moved, way, wanted - moved - does))
        if whole:
            ends += [slow.judge(told, way, brakes, 0) for way in whole]
            continue
        reach = max(moved for moved, _, _ in furthest)
        ends += [slow.judge(told, way, brakes, n) for moved, way, n in furthest if moved == reach]
    found: list[Any] = slow.thin(ends)
    return found


def key(to: str, brakes: int, blocked: int, spin: bool, out: bool, cost: Any) -> tuple[Any, ...]:
    """What must agree of an end."""
    return to, brakes, blocked, spin, out, tuple(sorted(cost.items()))


def assert_agree(case: Case) -> bool:
    """Hold the two against each other; whether she was passed at all."""
    fast = {
        key(o["to"], o["brakes"], o["blocked"], o["spin"], o["out"], o["cost"])
        for o in offered(case)
    }
    found = worked_out(case)
    assert fast == {key(e.to, e.brakes, e.blocked, e.spin, e.out, e.cost) for e in found}, case
    told = situation(case)
    return any(passes(case, told, way) for way in slow.ways(told, case.roll))


def agreed(seeds: range, *, rain: bool) -> int:
    """How many of these cases pass her."""
    return sum(assert_agree(draw(Random(seed), rain=rain)) for seed in seeds)


def test_passing_her_in_the_dry_agrees_with_the_slow_enumeration() -> None:
    """FD-DRV-1"""
    assert agreed(range(20), rain=False) > 2


def test_passing_her_in_rain_agrees_with_the_slow_enumeration() -> None:
    """FD-DRV-1, FD-TIRE-6"""
    assert agreed(range(1000, 1005), rain=True) > 0


@pytest.mark.slow
@pytest.mark.long
def test_many_moves_past_her_agree_with_the_slow_enumeration() -> None:
    """FD-DRV-1"""
    assert agreed(range(100, 170), rain=False) > 15
    assert agreed(range(2000, 2020), rain=True) > 4


def test_the_comparison_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """An enumeration that never cuts a way disagrees."""
    monkeypatch.setitem(globals(), "passes", lambda *_: False)
    with pytest.raises(AssertionError):
        agreed(range(24), rain=False)
