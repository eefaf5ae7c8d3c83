"""The moves that the engine offers against a slow enumeration from the rule texts alone."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.each import few_now

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.board import ways
from companion.rules.board.track import Track

DICE = {1: (1, 2), 2: (2, 4), 3: (4, 8), 4: (7, 12), 5: (11, 20), 6: (21, 30)}
LAPS = 3
LIBRARY = TrackLibrary([])
MONACO: Track = LIBRARY.load("monaco")


def load_slow_ways() -> ModuleType:
    """The module beside this one; tests are no package."""
    spec = importlib.util.spec_from_file_location(
        "slow_ways", Path(__file__).with_name("slow_ways.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a frozen dataclass looks its module up
    spec.loader.exec_module(module)
    return module


slow = load_slow_ways()


@dataclass(frozen=True)
class Traffic:
    """Car 1 about to move from `start`, the others and debris around it."""

    start: int
    gear: int
    roll: int
    lap: int
    stops: int
    brakes: int
    tires: int
    others: tuple[int, ...]
    debris: tuple[int, ...]
    tires_kind: str = "hard"
    tires_lap: int = 1
    weather: str = "fine"
    ways: str = "any"


def neighbourhood(start: int, reach: int) -> list[int]:
    """Spaces within some steps ahead or beside, and the pit lane if it begins there."""
    found = {start}
    for _ in range(reach):
        found |= {end for space in found for end in (*MONACO.nexts[space], *MONACO.beside[space])}
    lane = set(MONACO.pit) if any(MONACO.entries[space] for space in found) else set()
    return sorted((found | lane) - {start})


OPEN = [space for space in MONACO.track_spaces() if not MONACO.past_line[space]]
"""From here a race goes on: a move in the last lap but one crosses the line at most."""
BEFORE_PIT = [MONACO.index[name] for name in ("T10.m3", "T10.m4", "T10.r2", "S1.r1", "S1.r2")]


def traffic(
    rng: random.Random, gears: range, starts: list[int] = OPEN, lap: int | None = None
) -> Traffic:
    """Some traffic around a car that stands on one of `starts`; any lap but the last for None."""
    start = rng.choice(starts)
    near = neighbourhood(start, rng.choice([3, 6, 12]))
    others = rng.sample(near, min(len(near), rng.choice([0, 1, 3, 5, 7, 9])))
    on_track = [*(s for s in near if s in MONACO.track_spaces()), start]
    debris = rng.sample(on_track, min(len(on_track), rng.choice([0, 0, 1, 2, 3])))
    gear = rng.choice(gears)
    corner = MONACO.corner[start]
    return Traffic(
        start=start,
        gear=gear,
        roll=rng.randint(*DICE[gear]),
        lap=rng.randint(0, LAPS - 1) if lap is None else lap,
        stops=rng.randint(0, MONACO.corners[corner].stops) if corner >= 0 else 0,
        brakes=rng.randint(0, 3),
        tires=rng.choice([0, 1, 2, 3, 6]),
        others=tuple(others),
        debris=tuple(debris),
    )


def position(case: Traffic, gear: int) -> dict[str, Any]:
    """The traffic in the engine protocol: seat 1 on turn, the others in `gear`."""
    mover: dict[str, Any] = {
        "space": MONACO.ids[case.start],
        "gear": case.gear,
        "lap": case.lap,
        "wear": {"tires": case.tires, "brakes": case.brakes},
        "tires": case.tires_kind,
        "tires_lap": case.tires_lap,
    }
    if MONACO.corner[case.start] >= 0:
        mover["stops"] = case.stops
    if case.start in MONACO.pit:
        mover["status"] = "pit"
    cars = {"1": mover}
    for seat, space in enumerate(case.others, 2):
        cars[str(seat)] = {"space": MONACO.ids[space], "gear": gear, "lap": case.lap}
        if space in MONACO.pit:
            cars[str(seat)]["status"] = "pit"
    order = [int(seat) for seat in cars]
    debris = [MONACO.ids[space] for space in case.debris]
    told: dict[str, Any] = {"phase": "race", "round": 3, "turn": 1, "order": order}
    return told | {"cars": cars, "debris": debris, "weather": case.weather}


def begun(case: Traffic, gear: int = 3) -> Engine:
    """An engine in this position."""
    engine = Engine(LIBRARY)
    seats = [{"seat": seat, "name": f"Car {seat}"} for seat in range(1, len(case.others) + 2)]
    header = {"game": "formula-d", "track": "monaco", "laps": LAPS, "seats": seats}
    if case.tires_kind != "hard" or case.weather != "fine":
        header["rules"] = ["tires", "weather"]
    header["house"] = {"corner_ways": case.ways}
    reply = engine.handle({"new": header | {"position": position(case, gear)}})
    assert reply["ok"], reply
    return engine


def options(reply: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    """The options of seat 1's ask of this kind; none if it is not asked."""
    assert reply["ok"], reply
    asked = [ask for ask in reply["asks"] if (ask["seat"], ask["kind"]) == (1, kind)]
    return [option for ask in asked for option in ask["options"] if option is not None]


def offered(case: Traffic) -> list[dict[str, Any]]:
    """The move options of the engine: the same gear again, so no over-rev."""
    engine = begun(case)
    engine.handle({"seat": 1, "gear": case.gear})
    return options(engine.handle({"seat": 1, "roll": case.roll}), "move")


def situation(case: Traffic) -> Any:
    """The traffic as the slow enumeration takes it."""
    return slow.Situation(
        track=MONACO,
        start=case.start,
        roll=case.roll,
        stops=case.stops,
        brakes=case.brakes,
        tires=case.tires,
        occupied=frozenset(case.others),
        debris=frozenset(case.debris),
        box=0 if 1 <= case.lap < LAPS else None,
        last_lap=case.lap == LAPS,
        slide={"fine": 0, "rain": 1 if case.tires_kind == "rain" else 3}[case.weather],
        dearer=DEARER[case.tires_kind, case.weather][min(case.tires_lap, 3) - 1],
        whole=case.ways == "shortest",
    )


DEARER = {
    ("hard", "fine"): (1, 1, 1),
    ("hard", "rain"): (1, 1, 1),
    ("soft", "fine"): (2, 2, 3),
    ("soft", "rain"): (1, 1, 3),
    ("rain", "fine"): (2, 2, 3),
    ("rain", "rain"): (1, 1, 1),
}
"""FD-TIRE-2 to FD-TIRE-5: tires WP for a space of overshoot, by kind, weather, lap on them."""


def on_tires(case: Traffic, rng: random.Random) -> Traffic:
    """The same traffic on some tires in some weather; hard in the dry is the plain case."""
    kind, weather = rng.choice([key for key in DEARER if key != ("hard", "fine")])
    age = rng.choice([1, 2, 3, 4])
    if (kind, weather) == ("soft", "fine"):
        age = max(2, age)  # with the bonus its length would be asked first
    return replace(case, tires_kind=kind, weather=weather, tires_lap=age)


def worked_out(case: Traffic) -> list[Any]:
    """The move options by the slow enumeration."""
    return list(slow.move_ends(situation(case)))


def of_engine(option: dict[str, Any]) -> tuple[Any, ...]:
    """What must agree of an option; of equal ways another may cross other debris."""
    keys = (option[key] for key in ("to", "brakes", "blocked", "spin", "out"))
    return (*keys, len(option["debris"]), tuple(sorted(option["cost"].items())))


def of_slow(end: Any) -> tuple[Any, ...]:
    """The same of an end worked out."""
    keys = (end.to, end.brakes, end.blocked, end.spin, end.out)
    return (*keys, len(end.debris), tuple(sorted(end.cost.items())))


def assert_agree(case: Traffic) -> set[tuple[Any, ...]]:
    """Hold the two against each other; returns what both found."""
    fast = [of_engine(option) for option in offered(case)]
    assert len(fast) == len(set(fast))
    known = {of_slow(end) for end in worked_out(case)}
    assert set(fast) == known, case
    return known


def kinds(found: set[tuple[Any, ...]]) -> Counter[str]:
    """How many ends of each kind there are."""
    seen: Counter[str] = Counter()
    for to, brakes, blocked, spin, out, debris, _ in found:
        seen["box"] += to[0] == "B"
        seen["lane"] += to[0] == "P"
        seen["braked"] += brakes > 0
        seen["blocked"] += blocked > 0
        seen["spin"] += spin
        seen["out"] += out
        seen["debris"] += debris > 0
    return seen


def test_the_engine_offers_exactly_the_moves_that_the_rules_allow():
    """1st to 4th gear; counts what the sample holds, so that it cannot run dry unseen."""
    seen: Counter[str] = Counter()
    for seed in range(300):
        seen += kinds(assert_agree(traffic(random.Random(seed), range(1, 5))))
    assert min(seen[kind] for kind in ("braked", "blocked", "spin", "out", "debris")) >= 20, seen


@pytest.mark.slow
def test_moves_on_all_tires_agree_in_the_rain_and_in_the_dry():
    """FD-TIRE-2 to FD-TIRE-6: slides, blocked ones and overshoots among them, and their price."""
    seen: Counter[str] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        case = on_tires(traffic(rng, range(1, 5)), rng)
        seen += kinds(assert_agree(case))
    assert min(seen[kind] for kind in ("braked", "blocked", "spin", "out", "debris")) >= 20, seen


@pytest.mark.slow
def test_the_shortest_of_all_legal_ways_agree_too():
    """FD-MOVE-4, switch corner_ways; in rain and beside the pit as well."""
    seen: Counter[str] = Counter()
    for seed in range(240):
        rng = random.Random(seed)
        case = traffic(rng, range(2, 5), BEFORE_PIT if seed % 4 == 0 else OPEN)
        weather = "rain" if seed % 3 == 0 else "fine"
        seen += kinds(assert_agree(replace(case, weather=weather, ways="shortest")))
    assert min(seen[kind] for kind in ("box", "blocked", "spin", "out", "debris")) >= 10, seen


@pytest.mark.slow
def test_a_slide_into_the_pit_agrees_too():
    """FD-TIRE-6, FD-PIT-1: the ways to the door lie beside a corner."""
    seen: Counter[str] = Counter()
    for seed in range(120):
        rng = random.Random(seed)
        case = replace(traffic(rng, range(2, 5), BEFORE_PIT), weather="rain")
        seen += kinds(assert_agree(case))
    assert min(seen["box"], seen["lane"]) > 15, seen


def test_the_ways_into_the_pit_agree_behind_cars_that_wait_too():
    seen: Counter[str] = Counter()
    for seed in range(100):
        seen += kinds(assert_agree(traffic(random.Random(seed), range(2, 5), BEFORE_PIT)))
    assert min(seen["box"], seen["lane"]) > 15, seen


def test_a_car_in_the_lane_goes_to_its_box_or_waits():
    """B1 lies beside P4; the lane holds up to three other cars."""
    for seed in range(60):
        rng = random.Random(seed)
        start, *others = rng.sample(MONACO.pit[:6], rng.randint(1, 4))
        start = min(start, MONACO.index["P4"])
        around = tuple(space for space in others if space != start)
        assert_agree(Traffic(start, 2, rng.randint(2, 4), 1, 0, 3, 3, around, ()))


def test_who_finishes_meets_nothing_beyond_the_line():
    near_line = [s for s in OPEN if MONACO.sections[MONACO.section[s]].label in ("S1", "T10")]
    seen: Counter[str] = Counter()
    for seed in range(150):
        case = traffic(random.Random(seed), range(2, 5), near_line, lap=LAPS)
        found = assert_agree(case)
        seen["finished"] += any(MONACO.past_line[MONACO.index[end[0]]] for end in found)
    assert seen["finished"] > 20


def slipstream(rng: random.Random) -> tuple[Traffic, int] | None:
    """A car that can end directly behind another with nothing spent, and where; None if not."""
    case = traffic(rng, range(4, 5), lap=1)
    ends = sorted(end.to for end in worked_out(case) if not (end.cost or end.out or end.debris))
    if not ends:
        return None
    there = MONACO.index[rng.choice(ends)]
    leader = MONACO.ahead[there]
    if leader in (-1, *case.others):
        return None
    case = replace(case, others=(*case.others[:8], leader))
    still = [end for end in worked_out(case) if end.to == MONACO.ids[there] and not end.cost]
    return (case, there) if still and not still[0].debris else None


@pytest.mark.slow
def test_slipstreams_agree_too():
    """The move before is to end behind a car; what was debris or traffic then still is."""
    compared = 0
    for seed in range(150):
        found = slipstream(random.Random(seed))
        if found is None:
            continue
        case, there = found
        engine = begun(case, gear=4)
        engine.handle({"seat": 1, "gear": case.gear})
        engine.handle({"seat": 1, "roll": case.roll})
        reply = engine.handle({"seat": 1, "move": {"to": MONACO.ids[there], "brakes": 0}})
        in_same = MONACO.corner[there] == MONACO.corner[case.start]
        ends = slow.slip_ends(
            replace(
                situation(case), start=there, roll=3, box=None, stops=case.stops if in_same else 0
            )
        )
        assert set(map(of_engine, options(reply, "slipstream"))) == set(map(of_slow, ends)), case
        compared += bool(ends)
    assert compared > 40, compared


@pytest.mark.slow
@pytest.mark.parametrize("seed", few_now(range(2, 22), 6))
def test_long_moves_agree_too(seed):
    assert_agree(traffic(random.Random(1000 + seed), range(5, 7)))


@pytest.mark.slow
@settings(max_examples=60)
@given(seed=st.integers(0, 2**32), gear=st.integers(1, 4))
def test_moves_agree_wherever_the_search_looks(seed, gear):
    assert_agree(traffic(random.Random(seed), range(gear, gear + 1)))


def test_the_comparison_can_fail():
    """A car taken away from what the slow side knows shows up as a disagreement."""
    start = MONACO.index["S2.m1"]
    case = Traffic(start, 1, 2, 1, 0, 0, 6, (MONACO.index["S2.m3"],), ())
    assert_agree(case)
    with_more = slow.Situation(MONACO, start, 2, brakes=0)
    assert {of_slow(end) for end in slow.move_ends(with_more)} != {
        of_engine(option) for option in offered(case)
    }


def test_an_empty_road_that_is_kept_leads_where_a_search_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """FD-MOVE-1: whoever stands beyond the reach of a move changes nothing of it."""
    dice = random.Random(29)

    def asked() -> tuple[Any, ...]:
        start, far = (dice.randrange(len(MONACO.ids)) for _ in range(2))
        traffic = ways.Traffic({far}, stops=dice.randrange(3), last_lap=dice.random() < 0.3)
        return start, dice.randint(1, 30), traffic, dice.choice([0, 0, 2])

    moves = [asked() for _ in range(400)]

    def ends() -> list[list[ways.Ends]]:
        return [
            ways.reach(MONACO, start, most, traffic, slide).ends(length)
            for start, most, traffic, slide in moves
            for length in (most, max(1, most - 3))
        ]

    monkeypatch.setattr(ways, "_kept", None)
    searched = ends()
    ways.keep_roads()
    assert ends() == ends() == searched
