"""FD-DEBRIS: markers on the board, and what handling they cost."""

from __future__ import annotations

from support.formula.scenes import Scene, at


def over(*debris: str, handling: int = 2, weather: str = "fine") -> Scene:
    """Seat 1 drives from S6.r3 to S6.r8 in 3rd, over the markers given; seat 2 is far away."""
    cars = {1: at("S6.r3", gear=3, wear={"handling": handling}), 2: at("S9.l1")}
    return Scene(cars, debris=list(debris), weather=weather).drive(3, 5, "S6.r8")


def test_a_lost_body_point_leaves_debris_where_the_move_ends() -> None:
    """FD-DEBRIS-1: the mover's."""
    cars = {1: at("S6.r5", gear=2), 2: at("S6.r8")}
    scene = Scene(cars).drive(2, 2, "S6.r7").settle(s1=1)
    assert scene.state["debris"] == ["S6.r7"]


def test_a_car_that_is_not_moving_leaves_debris_where_it_stands() -> None:
    """FD-DEBRIS-1: body lost by the car that was met."""
    cars = {1: at("S6.r5", gear=2), 2: at("S6.r8")}
    scene = Scene(cars).drive(2, 2, "S6.r7").settle(s2=1)
    assert scene.state["debris"] == ["S6.r8"]
    assert scene.car(2)["space"] == "S6.r8"


def test_a_lost_engine_point_leaves_debris() -> None:
    """FD-DEBRIS-1: one marker for the roller, one for the other."""
    cars = {1: at("S6.r3", gear=4), 2: at("S9.l1", gear=5)}
    scene = Scene(cars).drive(5, 20, "S6.r23").settle(s1=1, s2=1)
    assert sorted(scene.state["debris"]) == ["S6.r23", "S9.l1"]


def test_an_engine_point_lost_by_over_revving_leaves_debris_where_the_move_ends() -> None:
    """FD-DEBRIS-1, FD-REV-1: 5th to 1st costs an engine point like any other."""
    scene = Scene({1: at("S6.r3", gear=5), 2: at("S9.l1")}).drive(1, 1, "S6.r4")
    assert scene.wear(1, "engine") == 2
    assert scene.state["debris"] == ["S6.r4"]


def test_a_handling_or_tire_point_leaves_none() -> None:
    """FD-DEBRIS-1: body and engine only."""
    scene = over("S6.r5").black(1, 1)
    assert scene.wear(1, "handling") == 1
    assert scene.state["debris"] == ["S6.r5"]
    scene = Scene({1: at("T1.l7", gear=2), 2: at("S9.l1")}).drive(2, 2, "S2.l2")
    assert scene.wear(1, "tires") == 4
    assert scene.state["debris"] == []


def test_a_car_out_by_a_corner_leaves_debris_where_its_move_ends() -> None:
    """FD-DEBRIS-1: every eliminated car, whatever the cause."""
    scene = Scene({1: at("T5.l12", gear=2), 2: at("S9.l1")}).drive(2, 2, "S6.l2")
    assert scene.car(1)["status"] == "out"
    assert scene.state["debris"] == ["S6.l2"]


def test_a_car_out_by_its_over_rev_leaves_debris_where_it_stands() -> None:
    """FD-DEBRIS-1, FD-REV-2: out at once, without roll or move."""
    scene = Scene({1: at("S6.r3", gear=5, wear={"engine": 1}), 2: at("S9.l1")})
    assert scene.ask("gear")["out"] == [1]
    scene.gear(1)
    assert scene.car(1)["status"] == "out"
    assert scene.state["debris"] == ["S6.r3"]


def test_a_car_out_by_being_blocked_leaves_debris_at_the_end_of_its_way() -> None:
    """FD-DEBRIS-1, FD-BLOCK-2: not enough brakes for the spaces not moved."""
    cars = {1: at("S6.r3", gear=2, wear={"brakes": 0}), 2: at("S6.r5"), 3: at("S6.m4")}
    scene = Scene(cars | {4: at("S6.m3")}).gear(2).roll(3).move("S6.r4").settle()
    assert scene.car(1)["status"] == "out"
    assert "S6.r4" in scene.state["debris"]


def test_a_car_out_is_lifted_and_its_space_is_free() -> None:
    """FD-DEBRIS-1: the car itself is lifted at the end of the turn; the marker stays."""
    scene = Scene({1: at("T5.l12", gear=2), 2: at("S5.l1", gear=6)}).drive(2, 2, "S6.l2")
    assert scene.car(1)["space"] is None
    assert scene.car(1)["out"]["why"] == "corner"


def test_a_retired_car_leaves_no_debris() -> None:
    """FD-DEBRIS-1 is for the rules' eliminations; a retirement is none."""
    scene = Scene({1: at("S6.r3"), 2: at("S9.l1"), 3: at("S9.m1")})
    scene.say({"seat": 2, "retire": True, "reason": "home"})
    assert scene.state["debris"] == []


def test_passing_over_debris_rolls_once_for_each_space() -> None:
    """FD-DEBRIS-2: in the order met; stopping on one counts as well."""
    scene = over("S6.r8", "S6.r5")
    first = scene.ask("black")
    assert (first["for"], first["at"]) == ("debris", "S6.r5")
    scene.black(1, 20)
    assert scene.ask("black")["at"] == "S6.r8"
    scene.black(1, 20)
    assert "black" not in scene.kinds


def test_one_to_four_cost_a_handling_point() -> None:
    """FD-DEBRIS-2: 5 and more cost nothing."""
    scene = over("S6.r5")
    assert scene.ask("black")["options"] == [[1, 4], [5, 20]]
    assert scene.black(1, 4).wear(1, "handling") == 1
    assert over("S6.r5").black(1, 5).wear(1, "handling") == 2


def test_the_space_that_a_move_begins_on_is_not_rolled_for() -> None:
    """FD-DEBRIS-2, FD-MOVE-5: neither leaving a marker nor staying on it."""
    assert not over("S6.r3").rollers("debris")
    scene = Scene({1: at("S6.r3", gear=2), 2: at("S9.l1")}, debris=["S6.r3"])
    scene.drive(2, 2, "S6.r3", brakes=2)
    assert not scene.rollers("debris")


def test_debris_that_is_not_on_the_way_is_not_rolled_for() -> None:
    """FD-DEBRIS-2: only the spaces passed over or stopped on."""
    assert not over("S6.m5", "S6.r9").rollers("debris")


def test_debris_stays_where_it_is() -> None:
    """FD-DEBRIS-2: a marker passed over is not used up."""
    assert over("S6.r5").black(1, 20).state["debris"] == ["S6.r5"]


def test_the_last_handling_point_puts_a_car_out_where_its_move_ends() -> None:
    """FD-DEBRIS-3, ruling: the whole move is made, the marker lies at its end."""
    scene = over("S6.r5", handling=1).black(1, 4)
    assert scene.car(1)["out"]["rule"] == "FD-DEBRIS-3"
    assert sorted(scene.state["debris"]) == ["S6.r5", "S6.r8"]


def test_an_out_by_debris_ends_the_rolls_for_further_debris() -> None:
    """FD-DEBRIS-3, FD-TURN-1: an out by debris ends the turn."""
    scene = over("S6.r5", "S6.r6", handling=1).black(1, 1)
    assert scene.open == [(2, "gear", None)]


def test_after_an_out_by_debris_there_is_no_slipstream_and_no_collision() -> None:
    """FD-DEBRIS-3, ruling: directly behind another car in 4th, with one beside."""
    cars = {1: at("S6.r1", gear=4, wear={"handling": 1}), 2: at("S6.r9"), 3: at("S6.m8")}
    scene = Scene(cars, debris=["S6.r5"]).drive(4, 7, "S6.r8").black(1, 1)
    assert not scene.kinds & {"slipstream", "black"}


def test_after_an_out_by_debris_no_overshoot_is_charged() -> None:
    """FD-DEBRIS-3, ruling: the tires are as they were."""
    cars = {1: at("T1.l6", gear=2, wear={"handling": 1}), 2: at("S9.l1")}
    scene = Scene(cars, debris=["T1.l7"]).drive(2, 3, "S2.l2").black(1, 1)
    assert scene.wear(1, "tires") == 6
    assert not scene.told("Overshot")


def test_a_car_out_by_debris_before_the_line_has_not_finished() -> None:
    """FD-DEBRIS-3, ruling: the line lay on its way all the same."""
    cars = {1: at("S1.l12", gear=4, lap=2, wear={"handling": 1}), 2: at("S9.l1", lap=2)}
    scene = Scene(cars, debris=["S1.l14"]).gear(4).roll(7)
    to = next(o["to"] for o in scene.ask("move")["options"] if o["debris"] and not o["brakes"])
    scene.move(to).black(1, 1)
    assert scene.car(1)["status"] == "out"
    assert scene.car(1)["place"] in (None, 2)


def test_a_way_over_debris_and_a_way_around_it_are_both_on_offer() -> None:
    """FD-DEBRIS-4: with r7 avoided, r5 to r8 takes four spaces; else r8 is three away."""
    clean = Scene({1: at("S6.r5", gear=3)}).gear(3).roll(4).ends()
    assert "S6.r8" not in clean
    ends = Scene({1: at("S6.r5", gear=3)}, debris=["S6.r7"]).gear(3).roll(4).ends()
    assert ends["S6.r9"]["debris"] == ["S6.r7"]
    assert ends["S6.r8"]["debris"] == []


def test_a_way_around_that_costs_no_more_is_the_one_that_counts() -> None:
    """FD-DEBRIS-4: of several ways to one end the fewest debris spaces."""
    ends = Scene({1: at("S6.r5", gear=3)}, debris=["S6.r7"]).gear(3).roll(4).ends()
    assert ends["S6.m8"]["debris"] == []


def test_one_marker_of_several_may_be_avoided_alone() -> None:
    """FD-DEBRIS-4, ruling: any set of debris spaces may be treated as occupied."""
    debris = ["S6.r7", "S6.r11"]
    ends = Scene({1: at("S6.r5", gear=4)}, debris=debris).gear(4).roll(7).ends()
    assert ends["S6.r12"]["debris"] == debris
    assert len(ends["S6.r11"]["debris"]) == 1  # around r7, onto r11


def test_debris_is_crossed_where_there_is_no_way_around() -> None:
    """FD-DEBRIS-4, FD-CORNER-4: overshooting, the lane is kept and the marker rolled for."""
    cars = {1: at("T1.l7", gear=2), 2: at("S9.l1")}
    scene = Scene(cars, debris=["S2.l1"]).gear(2).roll(2)
    assert scene.ends()["S2.l2"]["debris"] == ["S2.l1"]


def test_a_space_holds_one_marker() -> None:
    """FD-DEBRIS-4, ruling: a second loss on the same space adds none."""
    cars = {1: at("S6.r5", gear=2), 2: at("S6.r8")}
    scene = Scene(cars, debris=["S6.r8"]).drive(2, 2, "S6.r7").settle(s2=1)
    assert scene.state["debris"] == ["S6.r8"]


def test_more_than_twenty_markers_may_lie() -> None:
    """FD-DEBRIS-4, ruling: the markers of the box are no limit."""
    debris = [f"S2.{lane}{number}" for lane in "lm" for number in range(1, 12)]
    cars = {1: at("S6.r5", gear=2), 2: at("S6.r8")}
    scene = Scene(cars, debris=debris).drive(2, 2, "S6.r7").settle(s2=1)
    assert len(scene.state["debris"]) == 23


def test_in_rain_five_hurts_too() -> None:
    """FD-WEATHER-4: handling on 1–5."""
    scene = over("S6.r5", weather="rain")
    assert scene.ask("black")["options"] == [[1, 5], [6, 20]]
    assert scene.black(1, 5).wear(1, "handling") == 1
