"""FD-PIT at the two ends of the lane: in mid-turn, taken out there, and brought back."""

from __future__ import annotations

from support.formula.scenes import LIBRARY, Scene, at

from companion.race.engine import Engine


def test_a_car_retired_in_the_lane_returns_with_its_stop_made() -> None:
    """FD-PIT-1: the STATE in between is a valid position, and the car goes on to the exit."""
    scene = Scene({1: at("P10", gear=4, lap=2, pit_stops=1), 2: at("S6.m1")}, order=[2, 1])
    scene.say({"seat": 1, "retire": True, "reason": "home"})
    header = {"game": "formula-d", "track": "monaco", "seats": [{"seat": 1}, {"seat": 2}]}
    reply = scene.engine.handle({"new": {**header, "position": scene.state}})
    assert reply["ok"], reply
    scene.say({"seat": 1, "return": True})
    assert (scene.car(1)["status"], scene.car(1)["served"]) == ("pit", True)


def test_a_served_car_that_returns_before_its_box_need_not_stop_again() -> None:
    """FD-PIT-1: P5 and P4 are taken, so it is put back on P3; that is a valid position too."""
    boxes = [{"seat": 1}, {"seat": 2, "box": 9}, {"seat": 3, "box": 10}]
    cars = {1: at("P5", lap=2, pit_stops=1), 2: at("P1"), 3: at("P2")}
    scene = Scene(cars, order=[2, 1, 3], header={"seats": boxes})
    scene.say({"seat": 1, "retire": True, "reason": "home"})
    scene.say({"correct": {"cars": {"2": {"space": "P5"}, "3": {"space": "P4"}}}})
    scene.say({"seat": 1, "return": True})
    assert (scene.car(1)["space"], scene.car(1)["served"]) == ("P3", True)
    header = {"game": "formula-d", "track": "monaco", "seats": boxes}
    reply = scene.engine.handle({"new": {**header, "position": scene.state}})
    assert reply["ok"], reply


def reads_back(scene: Scene) -> bool:
    """Whether the STATE of a scene is a position that gives the same state and asks."""
    header = {k: v for k, v in (scene.engine.header or {}).items() if k != "position"}
    fresh = Engine(LIBRARY)
    reply = fresh.handle({"new": {**header, "position": scene.state}})
    assert reply["ok"], reply
    kinds = [(ask["seat"], ask["kind"], ask["options"]) for ask in fresh.asks()]
    asked = [(ask["seat"], ask["kind"], ask["options"]) for ask in scene.asks]
    return fresh.state() == scene.state and kinds == asked


def test_debris_on_the_way_into_the_box_is_rolled_for_before_the_stop() -> None:
    """FD-TURN-1, points 6 and 10; the state in between is a valid position."""
    cars = {1: at("T10.r1", stops=1), 2: at("S6.m1")}
    scene = Scene(cars, debris=["T10.r2"]).drive(4, 10, "B1")
    assert scene.open == [(1, "black", "debris")]
    assert (scene.car(1)["lap"], scene.car(1)["status"]) == (1, "pit")
    assert reads_back(scene)
    assert scene.black(1, 20).open == [(1, "black", "pit")]
    assert scene.car(1)["lap"] == 2


def test_a_car_put_out_on_its_way_into_the_box_has_made_no_stop() -> None:
    """FD-DEBRIS-3, FD-PIT-5: it stands in its box, but the turn is over; brought back it stops."""
    cars = {1: at("T10.r1", stops=1, wear={"handling": 1}), 2: at("S6.m1")}
    scene = Scene(cars, debris=["T10.r2"]).drive(4, 10, "B1").black(1, 1)
    assert (scene.car(1)["status"], scene.car(1)["lap"], scene.car(1)["pit_stops"]) == ("out", 1, 0)
    assert reads_back(scene)
    scene.say({"seat": 1, "return": True}).drive(1, 1, "S6.m2").drive(1, 1, "B1")
    assert scene.open == [(1, "black", "pit")]


def test_debris_on_the_way_out_of_the_lane_is_rolled_for_on_the_track() -> None:
    """FD-DEBRIS-2, FD-PIT-6: the state in between is a valid position."""
    cars = {1: at("P17", gear=2, lap=2, pit_stops=1), 2: at("S6.m1", lap=2)}
    scene = Scene(cars, debris=["S1.r20"]).drive(2, 3, "S1.r20")
    assert scene.car(1)["status"] == "racing"
    assert reads_back(scene)


def test_a_car_back_on_the_track_may_slipstream() -> None:
    """FD-SLIP-1, FD-PIT-3: out of the lane in 4th, directly behind a car in 4th."""
    cars = {1: at("P17", gear=4, lap=2, pit_stops=1), 2: at("T1.m2", lap=2)}
    assert Scene(cars).drive(4, 7, "T1.m1").kinds == {"slipstream"}


def test_a_car_that_spins_as_it_leaves_the_lane_stays_spun() -> None:
    """FD-PIT-6, FD-CORNER-6: out of the lane, through Sainte-Dévote, the last tires gone."""
    cars = {1: at("P18", gear=4, lap=2, pit_stops=1, wear={"tires": 1}), 2: at("S6.m1", lap=2)}
    scene = Scene(cars).gear(4).roll(9)
    to = next(end for end, option in scene.ends().items() if option["spin"])
    scene.move(to).settle()
    assert scene.car(1)["status"] == "spun"
