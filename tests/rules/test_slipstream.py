"""FD-SLIP: three more spaces out of the wake of a fast car."""

from __future__ import annotations

import pytest
from support.formula.scenes import Scene, at


def behind(*, gear: int = 4, leads: int = 4) -> Scene:
    """Seat 1 has moved to S6.r12, directly behind seat 2, in the gears given."""
    face = {4: 7, 5: 11}[gear]
    cars = {1: at(f"S6.r{12 - face}", gear=gear), 2: at("S6.r13", gear=leads)}
    return Scene(cars).drive(gear, face, "S6.r12")


def test_directly_behind_a_car_in_fourth_a_car_in_fourth_is_offered_three_spaces() -> None:
    """FD-SLIP-1: both in 4th or higher, the follower's gear equal."""
    assert behind().ask("slipstream")["seat"] == 1


def test_the_followers_gear_may_be_higher() -> None:
    """FD-SLIP-1: 5th behind 4th."""
    assert behind(gear=5).kinds == {"slipstream"}


@pytest.mark.parametrize("leads", [5, 6])
def test_nobody_slipstreams_behind_a_higher_gear(leads: int) -> None:
    """FD-SLIP-1: the follower's gear must be equal or higher."""
    assert "slipstream" not in behind(leads=leads).kinds


def test_nobody_slipstreams_behind_a_car_in_third() -> None:
    """FD-SLIP-1: from 4th up for both cars."""
    assert "slipstream" not in behind(leads=3).kinds


def test_nobody_slipstreams_in_third() -> None:
    """FD-SLIP-1: from 4th up for both cars."""
    cars = {1: at("S6.r5", gear=3), 2: at("S6.r13", gear=3)}
    assert "slipstream" not in Scene(cars).drive(3, 7, "S6.r12").kinds


@pytest.mark.parametrize("leader", ["S6.m12", "S6.r14", "S6.r11"])
def test_only_directly_behind_counts(leader: str) -> None:
    """FD-SLIP-1: not beside, not one space off, not ahead."""
    cars = {1: at("S6.r5"), 2: at(leader)}
    scene = Scene(cars).gear(4)
    scene.roll(9 if leader == "S6.r11" else 7)
    scene.move("S6.r13" if leader == "S6.r11" else "S6.r12")
    assert "slipstream" not in scene.kinds


def test_after_braking_there_is_no_slipstream() -> None:
    """FD-SLIP-1: the full move, no brakes spent."""
    cars = {1: at("S6.r5"), 2: at("S6.r13")}
    assert "slipstream" not in Scene(cars).drive(4, 8, "S6.r12", brakes=1).kinds


def test_after_a_block_there_is_no_slipstream() -> None:
    """FD-SLIP-1: the full move, not blocked."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m12"), 4: at("S6.l11")}
    scene = Scene(cars).drive(4, 9, "S6.r12").settle()
    assert scene.told("Blocked")
    assert not scene.told("SlipstreamDeclined")


def test_the_three_ways_around_the_passed_car() -> None:
    """FD-SLIP-2: back in front of it; one lane out and straight on; two lanes out."""
    assert set(behind().ends("slipstream")) == {"S6.r14", "S6.m14", "S6.l13"}


def test_from_the_middle_lane_both_sides_are_open() -> None:
    """FD-SLIP-2: the legal ways of length three, in any order."""
    cars = {1: at("S6.m5"), 2: at("S6.m13")}
    scene = Scene(cars).drive(4, 7, "S6.m12")
    assert set(scene.ends("slipstream")) == {"S6.m14", "S6.l14", "S6.r15"}


def test_the_lane_changes_of_a_slipstream_are_counted_afresh() -> None:
    """FD-SLIP-2, ruling: two changes in the move, two more in the slipstream."""
    cars = {1: at("S6.r5"), 2: at("S6.l11")}
    scene = Scene(cars).drive(4, 7, "S6.l10")
    assert "S6.r13" in scene.ends("slipstream")


def test_a_slipstream_costs_nothing_and_stops_nowhere_in_between() -> None:
    """FD-SLIP-1, FD-SLIP-3: all three spaces, no wear."""
    scene = behind().slip("S6.m14")
    assert scene.car(1)["space"] == "S6.m14"
    assert scene.car(1)["wear"] == scene.car(2)["wear"]


def test_brakes_shorten_a_slipstream() -> None:
    """FD-SLIP-3: one brakes point a space."""
    scene = behind()
    assert set(scene.ends("slipstream", brakes=1)) == {"S6.m13", "S6.l12"}
    assert set(scene.ends("slipstream", brakes=2)) == {"S6.m12"}
    assert scene.slip("S6.m13", brakes=1).wear(1, "brakes") == 2


def test_brakes_that_are_not_there_shorten_nothing() -> None:
    """FD-SLIP-3: a car without brakes moves all three."""
    cars = {1: at("S6.r5", wear={"brakes": 0}), 2: at("S6.r13")}
    options = Scene(cars).drive(4, 7, "S6.r12").ask("slipstream")["options"]
    assert {option["brakes"] for option in options if option} == {0}


def test_a_slipstream_moves_at_least_one_space() -> None:
    """FD-SLIP-3: three brakes points take no more than two of the three spaces."""
    ends = behind().ends("slipstream", brakes=3)
    assert not ends


def test_a_slipstream_that_is_not_free_is_offered_only_shortened() -> None:
    """FD-SLIP-3, ruling: with m13 and l12 taken only one space is free."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m13"), 4: at("S6.l12")}
    scene = Scene(cars).drive(4, 7, "S6.r12")
    assert not scene.ends("slipstream")
    assert set(scene.ends("slipstream", brakes=2)) == {"S6.m12"}


def test_a_slipstream_never_pays_for_being_blocked() -> None:
    """FD-SLIP-3, ruling: FD-BLOCK-1 never applies to it."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m13"), 4: at("S6.l12")}
    options = Scene(cars).drive(4, 7, "S6.r12").ask("slipstream")["options"]
    assert all(option["blocked"] == 0 for option in options if option)


def test_with_no_space_free_and_no_brakes_nothing_is_asked() -> None:
    """FD-SLIP-3, ruling: hemmed in, the car goes on to its collision rolls."""
    cars = {1: at("S6.r5", wear={"brakes": 0}), 2: at("S6.r13"), 3: at("S6.m12")}
    assert Scene(cars).drive(4, 7, "S6.r12").kinds == {"black"}


def test_a_slipstream_may_be_followed_by_another() -> None:
    """FD-SLIP-4: it ends directly behind a third car."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m15")}
    scene = Scene(cars).drive(4, 7, "S6.r12").slip("S6.m14")
    assert set(scene.ends("slipstream")) == {"S6.m16", "S6.l16", "S6.r17"}
    assert scene.slip("S6.l16").kinds == {"gear"}


def test_with_the_house_switch_no_slipstream_follows_another() -> None:
    """FD-SLIP-4, house switch `slipstream_chain`."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m15")}
    scene = Scene(cars, header={"house": {"slipstream_chain": "one"}}).drive(4, 7, "S6.r12")
    assert set(scene.ends("slipstream")) == {"S6.r14", "S6.m14", "S6.l13"}
    assert scene.slip("S6.m14").kinds == {"black"}
    assert set(scene.rollers("collision")) == {1, 3}


def test_a_second_slipstream_asks_for_the_gears_again() -> None:
    """FD-SLIP-4, FD-SLIP-1: the third car is in a higher gear."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m15", gear=5)}
    assert Scene(cars).drive(4, 7, "S6.r12").slip("S6.m14").kinds == {"black"}


def test_after_a_braked_slipstream_there_is_no_other() -> None:
    """FD-SLIP-4: nothing braked."""
    cars = {1: at("S6.r5"), 2: at("S6.r13"), 3: at("S6.m14")}
    scene = Scene(cars).drive(4, 7, "S6.r12").slip("S6.m13", brakes=1)
    assert "slipstream" not in scene.kinds


def into_the_corner(**wear: int) -> Scene:
    """Seat 1 on S1.l21 behind a car on T1.l1: the way around leads through T1.m1."""
    cars = {1: at("S1.l14", wear=wear), 2: at("T1.l1")}
    return Scene(cars).drive(4, 7, "S1.l21")


def test_entering_a_corner_costs_one_brakes_point_with_no_space_less() -> None:
    """FD-SLIP-5: three spaces, one of them into the corner."""
    ends = into_the_corner().ends("slipstream")
    assert set(ends) == {"T1.m2", "T1.r1"}
    assert ends["T1.m2"]["cost"] == {"brakes": 1}
    scene = into_the_corner().slip("T1.m2")
    assert scene.wear(1, "brakes") == 2
    assert scene.told("Slipstreamed")[0]["cost"] == {"brakes": 1}


def test_entering_a_corner_is_paid_on_top_of_braking() -> None:
    """FD-SLIP-5, ruling: two spaces into the corner cost two points."""
    ends = into_the_corner().ends("slipstream", brakes=1)
    assert ends["T1.m1"]["cost"] == {"brakes": 2}
    assert into_the_corner().slip("T1.m1", brakes=1).wear(1, "brakes") == 1


def test_a_slipstream_braked_before_the_corner_costs_what_is_braked() -> None:
    """FD-SLIP-5: it does not touch the corner."""
    ends = into_the_corner().ends("slipstream", brakes=2)
    assert ends["S1.m22"]["cost"] == {"brakes": 2}


def test_without_brakes_no_slipstream_enters_a_corner() -> None:
    """FD-SLIP-5, ruling: with no brakes point it is not on offer."""
    assert into_the_corner(brakes=0).kinds == {"black"}


def test_one_brakes_point_pays_the_corner_or_a_space_not_both() -> None:
    """FD-SLIP-5, ruling: on top of braking."""
    scene = into_the_corner(brakes=1)
    assert "T1.m2" in scene.ends("slipstream")
    assert not scene.ends("slipstream", brakes=1).keys() & {"T1.m1"}


def test_a_slipstream_that_begins_in_the_corner_enters_nothing() -> None:
    """FD-SLIP-5, FD-SLIP-6: in Loews from l7, by the arrows, at no cost."""
    ends = in_loews().ends("slipstream")
    assert set(ends) == {"T5.m11", "T5.r12"}
    assert all(end["cost"] == {} for end in ends.values())


def in_loews() -> Scene:
    """Seat 1 enters Loews and ends on l7 behind a car on l8."""
    return Scene({1: at("S5.l3"), 2: at("T5.l8")}).drive(4, 7, "T5.l7")


def test_a_slipstream_may_be_declined() -> None:
    """FD-SLIP-6: it is never compulsory."""
    scene = in_loews()
    assert None in scene.ask("slipstream")["options"]
    scene.slip(None).settle()
    assert (scene.car(1)["space"], scene.car(1)["stops"]) == ("T5.l7", 1)


def test_the_stop_is_marked_only_where_the_whole_move_ends() -> None:
    """FD-SLIP-6: two ends inside Loews in one turn are one stop."""
    scene = in_loews().slip("T5.m11").settle()
    assert scene.car(1)["stops"] == 1
    assert len(scene.told("StopMade")) == 1


def test_a_slipstream_out_of_a_corner_is_judged_by_the_stops_made_before() -> None:
    """FD-SLIP-6: the end before it was no stop, so leaving is an overshoot."""
    cars = {1: at("S1.l20"), 2: at("T1.l7")}
    scene = Scene(cars).drive(4, 7, "T1.l6")
    ends = scene.ends("slipstream")
    assert ends["S2.m2"]["tires"] == 2
    scene.slip("S2.m2").settle()
    assert scene.wear(1, "tires") == 4
    assert scene.car(1)["stops"] == 0


def test_a_slipstream_out_of_a_corner_with_its_stops_costs_nothing() -> None:
    """FD-SLIP-6: the stop of an earlier turn holds."""
    cars = {1: at("T1.l1", gear=4, stops=1), 2: at("S2.l2")}
    scene = Scene(cars).gear(4).roll(7)
    assert scene.move("S2.l1").ends("slipstream")["S2.m4"]["tires"] == 0


def test_after_an_overshoot_there_is_no_slipstream() -> None:
    """FD-SLIP-6, ruling: five spaces beyond the corner, directly behind a car."""
    cars = {1: at("T1.l5"), 2: at("S2.l6")}
    scene = Scene(cars).drive(4, 7, "S2.l5")
    assert scene.told("Overshot")
    assert "slipstream" not in scene.kinds


def test_a_slipstream_does_not_lead_into_the_pit_lane() -> None:
    """FD-SLIP-6, ruling: from S1.r2, where the lane begins."""
    cars = {1: at("T10.l1", stops=1), 2: at("S1.r3")}
    scene = Scene(cars).drive(4, 7, "S1.r2")
    ends = {option["to"] for option in scene.ask("slipstream")["options"] if option}
    assert ends
    assert not [end for end in ends if end[0] in "PB"]


def test_nobody_slipstreams_behind_a_spun_car() -> None:
    """FD-SLIP-6, FD-CORNER-6: its lever is still in 4th."""
    cars = {1: at("S6.r5"), 2: at("S6.r13", status="spun")}
    assert Scene(cars).drive(4, 7, "S6.r12").kinds == {"black"}


def test_nobody_slipstreams_in_the_pit_lane() -> None:
    """FD-SLIP-6, FD-PIT-3: waiting behind another car of the lane."""
    cars = {1: at("P8", lap=2, pit_stops=1), 2: at("P16", lap=2, pit_stops=1)}
    scene = Scene(cars).drive(4, 7, "P15")
    assert not scene.kinds & {"slipstream", "black"}


def test_debris_on_the_way_of_a_slipstream_is_rolled_for() -> None:
    """FD-TURN-1, FD-DEBRIS-2: slipstreams with their debris."""
    cars = {1: at("S6.r5"), 2: at("S6.r13")}
    scene = Scene(cars, debris=["S6.m12"]).drive(4, 7, "S6.r12").slip("S6.m14")
    assert scene.rollers("debris") == [1]


def test_collisions_are_rolled_only_where_the_whole_move_ends() -> None:
    """FD-TURN-1, FD-BUMP-3: the passed car is behind by then."""
    assert behind().slip("S6.r14").kinds == {"gear"}
    assert behind().slip(None).rollers("collision") == [2, 1]


def test_a_slipstream_may_carry_a_car_over_the_last_line() -> None:
    """FD-SLIP-6, FD-END-2: from l16 around l17 in the last lap."""
    cars = {1: at("S1.l9", lap=2), 2: at("S1.l17", lap=2)}
    scene = Scene(cars).drive(4, 7, "S1.l16")
    scene.slip(next(iter(scene.ends("slipstream"))))
    assert scene.car(1)["status"] == "finished"
