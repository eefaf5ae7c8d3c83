"""The referee explains: why a space is no end of a move or a slipstream, and where it breaks.

The cases stand on Monaco; a space of it that is no end always has a rule, and what is an end
is told by the slow enumeration.
"""

from __future__ import annotations

import importlib.util
import random
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support.each import few_now

from companion.race.boards import TrackLibrary
from companion.rules.board.broken_ways import Explanation
from companion.rules.board.track import Track
from companion.rules.formula.book import FORMULE_DE, Setup, usual_house
from companion.rules.formula.car import Car, Option, Status, Street
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.moves import (
    ends_of_move,
    explain_move,
    explain_slipstream,
    slipstream_options,
)
from companion.rules.formula.state import Phase, State

LIBRARY = TrackLibrary(())
MONACO: Track = LIBRARY.load("monaco")


def load_slow_ways() -> Any:
    """The module beside this one; tests are no package."""
    path = Path(__file__).with_name("slow_ways.py")
    spec = importlib.util.spec_from_file_location("slow_ways_explained", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # a frozen dataclass looks its module up
    spec.loader.exec_module(module)
    return module


slow = load_slow_ways()


def standing(
    space: str,
    *others: str,
    track: Track = MONACO,
    gear: int = 4,
    lap: int = 1,
    brakes: int = 3,
    tires: int = 6,
    setup: dict[str, Any] | None = None,
    state: dict[str, Any] | None = None,
    **car: Any,
) -> State:
    """Seat 1 on a space, the others on theirs, all in one gear."""
    cars = {}
    for seat, name in enumerate((space, *others), 1):
        status = Status.PIT if name[0] in "PB" else Status.RACING
        cars[seat] = Car(seat, f"Car {seat}", seat, gear, lap, track.index[name], status=status)
    cars[1] = replace(cars[1], wear=(tires, brakes, 3, 3, 3, 2), **car)
    return State(Setup(track, **(setup or {})), OnBoard(), Phase.RACE, cars=cars, **(state or {}))


def move(state: State, spaces: int, to: str, brakes: int = 0, **how: bool) -> Explanation[Option]:
    """Seat 1 says that its move of so many spaces ended there."""
    return explain_move(state, 1, spaces, state.setup.track.index[to], brakes, **how)


def told(explanation: Explanation[Option], track: Track = MONACO) -> list[tuple[str, str]]:
    """The rules of an illegal end, each with the space where it breaks."""
    assert not explanation.legal
    assert len(explanation.rules) == len(explanation.at)
    return [(rule, track.ids[at]) for rule, at in zip(*explanation[1:3], strict=True)]


# the number


def test_an_end_too_far_breaks_the_number() -> None:
    """FD-MOVE-1"""
    assert told(move(standing("S2.m5"), 3, "S2.m9")) == [("FD-MOVE-1", "S2.m9")]


def test_an_end_too_near_breaks_the_number() -> None:
    """FD-MOVE-1"""
    assert told(move(standing("S2.m5"), 3, "S2.m6")) == [("FD-MOVE-1", "S2.m6")]


@pytest.mark.parametrize("to", ["S2.m4", "S2.l5", "S10.m3"])
def test_a_space_that_no_way_leads_to_breaks_the_move(to: str) -> None:
    """FD-MOVE-1: behind the car, beside it, beyond all numbers."""
    assert told(move(standing("S2.m5"), 4, to))[0] == ("FD-MOVE-1", to)


def test_an_end_on_a_car_is_none() -> None:
    """FD-MOVE-1"""
    assert told(move(standing("S2.m5", "S2.m8"), 3, "S2.m8")) == [("FD-MOVE-1", "S2.m8")]


def test_an_end_through_a_car_names_the_car() -> None:
    """FD-MOVE-1: from r1 there is one way."""
    assert told(move(standing("T1.r1", "T1.r2"), 2, "T1.r3")) == [("FD-MOVE-1", "T1.r2")]


# the lanes


@pytest.mark.parametrize(("start", "to"), [("T1.l4", "T1.m4"), ("T1.m3", "T1.l4")])
def test_a_change_of_lane_without_an_arrow_or_against_one(start: str, to: str) -> None:
    """FD-MOVE-3"""
    assert told(move(standing(start), 1, to)) == [("FD-MOVE-3", to)]


def test_the_place_of_a_wrong_change_is_where_it_is_made() -> None:
    """FD-MOVE-3: two spaces on in the wrong lane the change is still the fault."""
    (fault,) = told(move(standing("T5.m6", stops=2), 9, "S6.l2"))
    assert fault[0] == "FD-MOVE-3"
    assert fault[1].startswith("T5.l")


def test_a_zigzag_is_an_end_too_near_and_a_zigzag() -> None:
    """FD-MOVE-2: out of the lane and back in 4 spaces ends at m8, which is 3 away."""
    rules = dict(told(move(standing("S2.m5"), 4, "S2.m8")))
    assert list(rules) == ["FD-MOVE-1", "FD-MOVE-2"]
    assert rules["FD-MOVE-2"] in {"S2.m6", "S2.m7", "S2.m8"}


def test_around_a_car_it_is_no_zigzag() -> None:
    """FD-MOVE-2: except to pass a car."""
    assert move(standing("S2.m5", "S2.m7"), 4, "S2.m8").legal


def test_with_shortest_ways_a_longer_one_through_a_corner_is_named() -> None:
    """FD-MOVE-4, switch corner_ways: m5 of Loews is nearer than 4 spaces."""
    assert move(standing("T5.m1"), 4, "T5.m5").legal
    shortest = standing(
        "T5.m1", setup={"house": usual_house("formula-d").but(corner_ways="shortest")}
    )
    assert told(move(shortest, 4, "T5.m5")) == [("FD-MOVE-4", "T5.m5")]


def test_another_lane_while_overshooting() -> None:
    """FD-CORNER-4: by the lane beside, which it may not take beyond the limit."""
    found = told(move(standing("T5.m6", stops=2), 9, "S6.m4"))
    assert found == [("FD-CORNER-4", "S6.m1")]


# brakes and blocks


def test_more_brakes_than_it_has() -> None:
    """FD-BRAKE-1"""
    state = standing("S2.m5", brakes=1)
    assert told(move(state, 4, "S2.m7", 2)) == [("FD-BRAKE-1", "S2.m5")]
    assert move(standing("S2.m5"), 4, "S2.m7", 2).legal


def test_more_brakes_than_it_has_and_a_wrong_end_are_two_faults() -> None:
    """FD-BRAKE-1, FD-MOVE-1"""
    found = told(move(standing("S2.m5", brakes=1), 4, "S2.m9", 2))
    assert [rule for rule, _ in found] == ["FD-BRAKE-1", "FD-MOVE-1"]


def test_more_brakes_than_spaces() -> None:
    """FD-BRAKE-1: a car does not roll back."""
    assert told(move(standing("S2.m5"), 1, "S2.m5", 2)) == [("FD-BRAKE-1", "S2.m5")]


def test_blocked_it_is_not_while_another_way_is_free() -> None:
    """FD-BLOCK-2: behind m8 it would stand blocked, but may go around."""
    state = standing("S2.m5", "S2.m8")
    assert told(move(state, 6, "S2.m7")) == [("FD-BLOCK-2", "S2.m7")]


def test_a_blocked_car_goes_as_far_as_it_can() -> None:
    """FD-BLOCK-1"""
    state = standing("T1.r1", "S2.r1", stops=1)
    assert move(state, 6, "T1.r3").legal
    assert told(move(state, 6, "T1.r2")) == [("FD-BLOCK-1", "T1.r2")]


# the pit


@pytest.mark.parametrize(
    ("to", "spaces", "car"),
    [("B1", 9, {"lap": 2}), ("B1", 9, {"lap": 0}), ("B2", 9, {}), ("B1", 4, {})],
)
def test_the_pit_in_the_last_lap_anothers_box_too_short_a_roll(
    to: str, spaces: int, car: dict[str, Any]
) -> None:
    """FD-PIT-1: and not in lap 0."""
    assert move(standing("T10.m4", stops=1), 9, "B1").legal
    assert told(move(standing("T10.m4", stops=1, **car), spaces, to)) == [("FD-PIT-1", to)]


def test_an_overshoot_leads_into_no_pit_lane() -> None:
    """FD-CORNER-4"""
    assert told(move(standing("T10.m4"), 9, "B1")) == [("FD-CORNER-4", "B1")]


def test_in_the_lane_nobody_is_passed_and_nobody_stops_before_the_box() -> None:
    """FD-PIT-3, FD-PIT-6"""
    waiting = standing("T10.m4", "P2", stops=1)
    assert told(move(waiting, 9, "B1")) == [("FD-PIT-3", "P2")]
    assert told(move(standing("T10.m4", stops=1), 9, "P2")) == [("FD-PIT-6", "P2")]


def test_nobody_brakes_into_a_box() -> None:
    """FD-PIT-3"""
    assert told(move(standing("T10.m4", stops=1), 9, "B1", 1)) == [("FD-PIT-3", "B1")]


def test_who_is_in_the_lane_goes_to_its_box() -> None:
    """FD-PIT-6"""
    assert told(move(standing("P2", gear=2), 3, "S1.m12")) == [("FD-PIT-6", "S1.m12")]


# rules of some races


def test_rain_lengthens_the_way_through_a_corner() -> None:
    """FD-TIRE-6: in the dry the end would be one."""
    dry = standing("S2.m16", setup={"rules": frozenset({"weather", "tires"})})
    wet = replace(dry, weather="rain")
    end = next(o for o in ends_of_move(dry, 1, 5) if not o.brakes and MONACO.corner[o.to] >= 0)
    assert told(move(wet, 5, MONACO.ids[end.to])) == [("FD-TIRE-6", MONACO.ids[end.to])]


def test_a_great_start_keeps_its_lane_where_that_is_free() -> None:
    """FD-START-4"""
    state = standing("S1.l2", gear=1, lap=0)
    assert told(move(state, 4, "S1.m6", great=True))[0][0] in {"FD-START-4", "FD-MOVE-1"}
    free = {MONACO.ids[o.to] for o in ends_of_move(state, 1, 4) if not o.brakes}
    for to in free - {MONACO.ids[o.to] for o in ends_of_move(state, 1, 4, great=True)}:
        assert told(move(state, 4, to, great=True)) == [("FD-START-4", to)]


def test_li_tsu_takes_a_space() -> None:
    """FD-DRV-1: who passes her and moves all of them."""
    street = LIBRARY.load("port-lanterne")
    urban = {"track": street, "setup": {"rules": frozenset({"urban", "weather"})}}
    state = standing("S1.m7", "S1.m8", street=Street(driver="Jack Owens"), **urban)
    cars = {**state.cars, 2: replace(state.cars[2], street=Street(driver="Li-Tsu Sin"))}
    state = replace(state, cars=cars)
    found = told(move(state, 3, "S1.l9"), street)
    assert found == [("FD-DRV-1", "S1.m8")]


def test_a_drift_touches_a_corner() -> None:
    """FD-DRV-2: all ends of the drift do."""
    state = standing("S1.l20", setup={"rules": frozenset({"urban", "weather"})})
    state = replace(state, cars={1: replace(state.cars[1], street=Street(driver="Jack Owens"))})
    plain = {o.to for o in ends_of_move(state, 1, 2) if not o.brakes}
    drifts = {o.to for o in ends_of_move(state, 1, 2, drifts=True) if not o.brakes}
    assert plain - drifts
    for to in plain - drifts:
        assert told(move(state, 2, MONACO.ids[to], drifts=True)) == [("FD-DRV-2", MONACO.ids[to])]


# legal, with what follows


def test_a_legal_end_breaks_nothing() -> None:
    """FD-MOVE-1"""
    assert move(standing("S2.m5"), 3, "S2.m8") == Explanation(True)


def test_two_stops_missing_put_the_car_out_and_are_legal() -> None:
    """FD-CORNER-3: at the first space beyond the limit."""
    found = move(standing("T5.m6", stops=0), 9, "S6.m3")
    assert found == Explanation(True, ("FD-CORNER-3",), (MONACO.index["S6.m1"],))


@pytest.mark.parametrize(
    ("tires", "rules"), [(13, ()), (12, ("FD-CORNER-6",)), (6, ("FD-CORNER-7",))]
)
def test_an_overshoot_spins_or_puts_out_and_is_legal(tires: int, rules: tuple[str, ...]) -> None:
    """FD-CORNER-6, FD-CORNER-7"""
    state = standing("T1.m5", tires=tires)
    (end,) = [o for o in ends_of_move(state, 1, 12) if o.to == MONACO.index["S2.r12"]]
    found = explain_move(state, 1, 12, end.to, end.brakes)
    assert (found.legal, found.rules) == (True, rules)


def test_a_block_of_seven_puts_out_and_is_legal() -> None:
    """FD-BLOCK-1, and FD-BLOCK-2 where the brakes are not there."""
    state = standing("T1.r1", "T1.r2")
    assert move(state, 8, "T1.r1").rules == ("FD-BLOCK-1",)
    assert move(standing("T1.r1", "T1.r2", brakes=0), 2, "T1.r1").rules == ("FD-BLOCK-2",)


def test_formule_de_names_its_own_rules() -> None:
    """DE-BRAKE-1"""
    state = standing("S2.m5", brakes=1, setup={"edition": FORMULE_DE})
    assert move(state, 4, "S2.m7", 2).rules == ("DE-BRAKE-1",)


# instead


def test_the_nearest_ends_are_named_the_nearest_first() -> None:
    """FD-MOVE-1"""
    found = move(standing("S2.m5"), 3, "S2.m9")
    assert [MONACO.ids[o.to] for o in found.instead][:1] == ["S2.m8"]
    assert len(found.instead) == 3


# slipstream


def slip(state: State, to: str, brakes: int = 0) -> Explanation[Option]:
    """Seat 1 says that its slipstream ended there."""
    return explain_slipstream(state, 1, MONACO.index[to], brakes)


def test_a_slipstream_to_another_space_than_its_ends() -> None:
    """FD-SLIP-2"""
    state = standing("S6.r12", "S6.r13")
    assert slip(state, "S6.m14").legal
    assert told(slip(state, "S6.m15"))[0] == ("FD-SLIP-2", "S6.m15")


def test_a_slipstream_into_a_corner_is_paid() -> None:
    """FD-SLIP-5"""
    state = standing("S2.m16", "S2.m17", brakes=0)
    paid = standing("S2.m16", "S2.m17", brakes=1)
    into = {o.to for o in slipstream_options(paid, 1) if MONACO.corner[o.to] >= 0}
    assert into
    for to in into:
        (rule,) = slip(state, MONACO.ids[to]).rules
        assert rule == "FD-SLIP-5"


@pytest.mark.parametrize(("others", "gear"), [(("S6.r14",), 4), (("S6.m13",), 4), (("S6.r13",), 3)])
def test_a_slipstream_from_a_wrong_place_or_gear(others: tuple[str, ...], gear: int) -> None:
    """FD-SLIP-1"""
    state = standing("S6.r12", *others, gear=gear)
    assert told(slip(state, "S6.m14")) == [("FD-SLIP-1", "S6.r12")]


def test_a_slipstream_behind_a_spun_car() -> None:
    """FD-SLIP-6"""
    state = standing("S6.r12", "S6.r13")
    spun = {**state.cars, 2: replace(state.cars[2], status=Status.SPUN)}
    assert told(slip(replace(state, cars=spun), "S6.m14")) == [("FD-SLIP-6", "S6.r13")]


def test_a_slipstream_of_no_space_and_one_with_brakes_that_are_not_there() -> None:
    """FD-SLIP-3, FD-BRAKE-1"""
    assert told(slip(standing("S6.r12", "S6.r13"), "S6.r12", 3)) == [("FD-SLIP-3", "S6.r12")]
    state = standing("S6.r12", "S6.r13", brakes=0)
    assert told(slip(state, "S6.m13", 1)) == [("FD-BRAKE-1", "S6.r12")]


# every space


def somewhere(rng: random.Random) -> tuple[State, int]:
    """A car among others and debris, in the dry or in rain, and what it may move."""
    start = rng.choice([space for space in MONACO.track_spaces() if not MONACO.past_line[space]])
    near = [
        space
        for space in MONACO.track_spaces()
        if 0 < (MONACO.level[space] - MONACO.level[start]) % MONACO.lap_levels < 24
    ]
    others = rng.sample(near, rng.choice([0, 1, 3, 5]))
    debris = frozenset(rng.sample(near, rng.choice([0, 1, 2]))) - set(others)
    corner = MONACO.corner[start]
    state = standing(
        MONACO.ids[start],
        *(MONACO.ids[space] for space in others),
        brakes=rng.randint(0, 3),
        tires=rng.choice([0, 1, 3, 6]),
        stops=rng.randint(0, 2) if corner >= 0 else 0,
        setup={"rules": frozenset({"weather", "tires"}), "laps": 3},
        state={"debris": debris, "weather": rng.choice(["fine", "fine", "rain"])},
    )
    return state, rng.randint(1, 9)


def legal_ends(state: State, spaces: int) -> set[tuple[str, int]]:
    """The ends of seat 1 by the slow enumeration."""
    car = state.cars[1]
    case = slow.Situation(
        track=MONACO,
        start=car.space,
        roll=spaces,
        stops=car.stops,
        brakes=car.wear[1],
        tires=car.wear[0],
        occupied=frozenset(other.space for other in state.cars.values() if other is not car),
        debris=state.debris,
        box=0,
        slide=3 if state.raining else 0,
    )
    return {(end.to, end.brakes) for end in slow.move_ends(case)}


@pytest.mark.slow
@pytest.mark.parametrize("seed", few_now(range(25), 6))
def test_an_end_is_legal_exactly_where_the_slow_enumeration_has_one(seed: int) -> None:
    """FD-MOVE-1: every other space breaks a rule, and what is offered instead is legal."""
    state, spaces = somewhere(random.Random(seed))
    legal, rng = legal_ends(state, spaces), random.Random(seed)
    track = rng.sample(range(len(MONACO.ids)), 60)
    near = [MONACO.index[to] for to, _ in legal]
    near += [next_ for space in near for next_ in (*MONACO.nexts[space], *MONACO.beside[space])]
    harmless = {(o.to, o.brakes) for o in ends_of_move(state, 1, spaces) if not (o.out or o.spin)}
    for space in {*track, *near}:
        for brakes in range(4):
            found = explain_move(state, 1, spaces, space, brakes)
            assert found.legal == ((MONACO.ids[space], brakes) in legal), (space, brakes)
            assert found.legal or (found.rules and len(found.at) == len(found.rules))
            assert all((MONACO.ids[o.to], o.brakes) in legal for o in found.instead)
            if (space, brakes) in harmless:
                assert found == Explanation(True)
