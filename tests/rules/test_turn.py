"""FD-TURN-1: the order of things within one turn."""

from __future__ import annotations

from typing import Any

from support.formula.scenes import Scene, at


def test_gear_then_die_then_way() -> None:
    """FD-TURN-1: points 3, 4 and 6; one thing is asked after the other."""
    scene = Scene({1: at("S6.r5"), 2: at("S9.l1")})
    assert scene.kinds == {"gear"}
    assert scene.gear(4).kinds == {"roll"}
    assert scene.roll(7).kinds == {"move"}
    assert scene.move("S6.r12").ask("gear")["seat"] == 2


def test_only_the_seat_on_turn_is_asked_for_its_gear() -> None:
    """FD-TURN-1: the others are refused, and nothing changes."""
    error = Scene({1: at("S6.r5"), 2: at("S9.l1")}).refused({"seat": 2, "gear": 4})
    assert error["code"] == "illegal"


def test_a_spun_car_is_turned_round_and_has_only_first() -> None:
    """FD-TURN-1, point 1; FD-CORNER-6, FD-REV-2: never an over-rev."""
    scene = Scene({1: at("S6.r5", gear=5, status="spun", wear={"gearbox": 0}), 2: at("S9.l1")})
    ask = scene.ask("gear")
    assert (ask["options"], ask["costs"], ask["out"]) == ([1], {}, [])
    scene.drive(1, 2, "S6.r7")
    assert scene.car(1)["status"] == "racing"


def test_a_stalled_car_starts_in_first_without_another_start_roll() -> None:
    """FD-TURN-1, point 1; FD-START-2."""
    cars = {1: at("S1.l16", gear=0, lap=0, status="stalled"), 2: at("S9.l1")}
    scene = Scene(cars)
    assert scene.open == [(1, "gear", None)]
    assert scene.ask("gear")["options"] == [1]


def test_the_start_roll_comes_before_the_gear() -> None:
    """FD-TURN-1, points 2 and 3; FD-START-1."""
    scene = Scene({1: at("S1.l16", gear=0, lap=0, status="grid"), 2: at("S9.l1")})
    assert scene.open == [(1, "black", "start")]
    assert scene.black(1, 10).ask("gear")["options"] == [1]


def test_the_loss_of_an_over_rev_comes_before_the_roll() -> None:
    """FD-TURN-1, point 3: charged as the lever is set."""
    scene = Scene({1: at("S6.r5", gear=5), 2: at("S9.l1")}).gear(2)
    assert scene.kinds == {"roll"}
    assert (scene.wear(1, "gearbox"), scene.wear(1, "brakes")) == (2, 2)


def test_debris_is_rolled_before_the_slipstream_is_offered() -> None:
    """FD-TURN-1, points 6 and 7; and that of the slipstream right after it."""
    cars = {1: at("S6.r5"), 2: at("S6.r13")}
    scene = Scene(cars, debris=["S6.r7", "S6.m14"]).drive(4, 7, "S6.r12")
    assert scene.open == [(1, "black", "debris")]
    assert scene.black(1, 20).kinds == {"slipstream"}
    assert scene.slip("S6.m14").open == [(1, "black", "debris")]


def test_debris_is_rolled_before_the_overshoot_is_charged() -> None:
    """FD-TURN-1: points 6 and 8."""
    scene = Scene({1: at("T1.l6", gear=2), 2: at("S9.l1")}, debris=["T1.l7"])
    scene.drive(2, 3, "S2.l2")
    assert scene.wear(1, "tires") == 6
    scene.black(1, 20)
    assert scene.wear(1, "tires") == 4
    assert scene.story("DebrisRolled", "Overshot") == ["DebrisRolled", "Overshot"]


def test_the_line_is_crossed_before_the_slipstream_is_offered() -> None:
    """FD-TURN-1, point 6: line effects as the line is crossed."""
    cars = {1: at("S1.r12", lap=1), 2: at("S1.r20", lap=1)}
    scene = Scene(cars).drive(4, 7, "S1.r19")
    assert scene.kinds == {"slipstream"}
    assert scene.car(1)["lap"] == 2


def test_the_block_is_paid_after_the_debris() -> None:
    """FD-TURN-1, points 6 and 8."""
    cars = {1: at("S6.r3", gear=2), 2: at("S6.r5"), 3: at("S6.m4"), 4: at("S6.m3")}
    scene = Scene(cars, debris=["S6.r4"]).drive(2, 3, "S6.r4")
    assert scene.open == [(1, "black", "debris")]
    assert scene.wear(1, "brakes") == 3
    scene.black(1, 20)
    assert scene.wear(1, "brakes") == 1


def test_the_overshoot_is_charged_before_collisions_are_rolled() -> None:
    """FD-TURN-1, points 8 and 11; FD-CORNER-6: a spun car still makes its rolls."""
    cars = {1: at("T1.l7", gear=2, wear={"tires": 2}), 2: at("S2.l3")}
    scene = Scene(cars).drive(2, 2, "S2.l2").settle()
    names = ("Overshot", "Spun", "CollisionRolled")
    assert scene.story(*names) == ["Overshot", "Spun", "CollisionRolled", "CollisionRolled"]


def test_the_stop_is_marked_before_collisions_are_rolled() -> None:
    """FD-TURN-1, points 10 and 11: whoever goes out in its corner has stopped there."""
    cars = {1: at("S1.m20", gear=2), 2: at("T1.l3")}
    scene = Scene(cars).drive(2, 4, "T1.l2")
    assert scene.rollers("collision") == [2, 1]
    assert scene.car(1)["stops"] == 1


def test_collisions_come_before_engine_tests() -> None:
    """FD-TURN-1, points 11 and 12."""
    cars = {1: at("S6.r3", gear=4), 2: at("S6.m23"), 3: at("S9.l1", gear=5)}
    scene = Scene(cars).drive(5, 20, "S6.r23")
    assert set(scene.rollers("collision")) == {1, 2}
    assert not scene.rollers("engine")
    scene.black(2, 20).black(1, 20)
    assert set(scene.rollers("engine")) == {1, 3}


def test_the_pit_comes_before_engine_tests() -> None:
    """FD-TURN-1, points 10 and 12: the pit's die and the fast exit first."""
    cars = {1: at("T10.r2", gear=5, stops=1), 2: at("S9.l1", gear=5)}
    scene = Scene(cars).drive(5, 20, "B1")
    assert scene.open == [(1, "black", "pit")]
    assert scene.black(1, 8).kinds == {"move"}
    assert scene.move("P7").rollers("engine") == [2]


def test_markers_are_laid_last() -> None:
    """FD-TURN-1, point 16: not before the engines are tested."""
    cars = {1: at("S6.r3", gear=4), 2: at("S6.m23"), 3: at("S9.l1", gear=5)}
    scene = Scene(cars).drive(5, 20, "S6.r23").black(2, 1).black(1, 20)
    assert scene.state["debris"] == []
    scene.black(1, 20).black(3, 20)
    assert scene.state["debris"] == ["S6.m23"]


def test_the_next_turn_begins_when_all_rolls_are_made() -> None:
    """FD-TURN-1: the next seat is not asked before."""
    cars = {1: at("S6.r3", gear=4), 2: at("S6.m23"), 3: at("S9.l1", gear=5)}
    scene = Scene(cars).drive(5, 20, "S6.r23")
    while scene.kinds == {"black"}:
        assert scene.state["turn"] == 1
        scene.black(scene.asks[0]["seat"], 20)
    assert scene.state["turn"] == 2


def test_after_the_last_turn_a_new_round_begins_by_position() -> None:
    """FD-TURN-1, FD-ORDER-1: the order is fixed when the round begins."""
    scene = Scene({1: at("S6.r5"), 2: at("S9.l1", gear=1)})
    scene.drive(4, 7, "S6.r12").drive(1, 1, "S9.l2")
    assert (scene.state["round"], scene.state["order"], scene.state["turn"]) == (6, [2, 1], 2)


def test_in_rain_nobody_slides_without_the_rule_of_tires() -> None:
    """FD-WEATHER-4, ruling: through Sainte-Dévote on hard tires, exactly the roll."""
    cars = {1: at("S1.l19", gear=2), 2: at("S9.l1")}
    assert set(Scene(cars, weather="rain").gear(2).roll(4).ends()) == set(
        Scene(cars).gear(2).roll(4).ends()
    )


def test_a_position_in_rain_is_raining() -> None:
    """FD-WEATHER-4: `raining` follows the weather."""
    cars = {1: at("S6.r5"), 2: at("S9.l1")}
    assert Scene(cars, weather="rain").state["raining"] is True
    assert Scene(cars).state["raining"] is False


def test_what_is_pending_in_a_turn_stands_in_the_order_of_its_points() -> None:
    """FD-TURN-1: whatever arises, whoever has answered of those who roll together."""
    cars = {1: at("S6.r5", gear=5), 2: at("S6.r13"), 3: at("S6.m13"), 4: at("S6.m14", gear=6)}
    scene = Scene(cars, debris=["S6.r7"])
    scene.gear(5)
    seen = set()
    for _ in range(20):
        pending = scene.engine.moment.pending
        points = [step.point for step in pending]
        assert points == sorted(points)
        seen.update(points)
        if scene.engine.moment.turn != 1:
            break
        scene.say(_any_answer(scene.engine.asks()[-1]))
    assert len(seen) > 5


def _any_answer(ask: dict[str, Any]) -> dict[str, Any]:
    """The last thing on offer."""
    value = ask["options"][-1]
    if ask["kind"] == "move":
        value = {"to": value["to"], "brakes": value["brakes"]}
    return {"seat": ask["seat"], ask["kind"]: value}
