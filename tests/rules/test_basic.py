"""The basic game: one pool of 18 points, one lap (FD-BASIC)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.each import few_now, in_one
from support.formula import boardless, careful
from support.formula.mixtures import draw_house
from support.formula.scenes import Scene, at
from support.formula.table import Table, car, header, named, wall
from support.formula.walks import Walk

from companion.rules.formula.book import FORMULA_D, Pool
from companion.rules.formula.car import Car, Status
from companion.rules.formula.gears import gear_choices

RULES = {"rules": ["basic"], "laps": 2}
CATEGORIES = ("tires", "brakes", "gearbox", "body", "engine", "handling")
OTHERS = ("build", "trials", "weather", "tires", "technical", "teams", "urban")


def basic(cars: dict[int, Any], **more: Any) -> Table:
    """A position of the basic game, in lap 1 of 2; `also` goes into the header."""
    also = RULES | more.pop("also", {})
    return Table(cars, order=sorted(cars), turn=1, also=also, **more)


def rolled(space: str, gear: int, roll: int, *, points: int = 18, **more: Any) -> Table:
    """Seat 1 has rolled; seat 2 stands far off, in Tabac."""
    also = {key: more.pop(key) for key in ("also",) if key in more}
    cars = {1: car(space, gear, wear={"points": points}, **more), 2: car("T7.r1")}
    table = basic(cars, **also)
    table.plays(1, gear=gear, roll=roll)
    return table


def points(table: Table | Scene, seat: int) -> int:
    """The points that a car has left."""
    wear = table.car(seat)["wear"]
    assert set(wear) == {"points"}
    return int(wear["points"])


def outs(table: Table | Scene, seat: int) -> tuple[str, str, str]:
    """That a car is out, why, and by which rule."""
    told = table.car(seat)
    return told["status"], told["out"]["why"], told["out"]["rule"]


# -- the header, and the pool ---------------------------------------------------------------------


def test_the_basic_game_is_of_one_lap_unless_it_says_otherwise() -> None:
    """FD-BASIC-1"""
    assert Table.of(header(2, rules=["basic"])).state["laps"] == 1
    assert Table.of(header(2, rules=["basic"], laps=3)).state["laps"] == 3


@pytest.mark.parametrize("rules", [{}, {"rules": []}])
def test_a_header_that_says_nothing_is_of_the_complete_rules(rules: dict[str, Any]) -> None:
    """FD-BASIC-1"""
    told = Table.of(header(2, **rules))
    assert set(told.car(1)["wear"]) == set(CATEGORIES)
    assert told.state["laps"] == 2


@in_one("other", OTHERS)
def test_the_basic_game_stands_alone(other: str) -> None:
    """FD-BASIC-1"""
    error = Table.of(header(2)).is_refused({"new": header(2, rules=[other, "basic"])})
    assert (error["code"], error["rule"], error["args"]) == (
        "malformed",
        "FD-BASIC-1",
        {"name": other},
    )


@pytest.mark.parametrize("track", ["port-lanterne", None])
def test_any_board_will_do_and_no_board(track: str | None) -> None:
    """FD-BASIC-1"""
    assert points(Table.of(header(2, rules=["basic"], track=track)), 1) == 18


def test_a_car_has_one_pool_of_eighteen_points() -> None:
    """FD-BASIC-2"""
    table = Table.of(header(2, rules=["basic"]))
    assert table.car(1)["wear"] == {"points": 18}
    assert "full" not in table.car(1)


@pytest.mark.parametrize("wear", [{"tires": 6}, {"points": 17}, {"points": 19}, {"points": -1}])
def test_a_seat_has_eighteen_points_and_no_category_of_the_complete_rules(
    wear: dict[str, int],
) -> None:
    """FD-BASIC-2"""
    told = header(2, rules=["basic"]) | {"seats": [{"seat": 1, "wear": wear}]}
    assert Table.of(header(2)).is_refused({"new": told})["code"] == "malformed"


def test_a_position_may_say_how_many_points_are_left_and_of_nothing_else() -> None:
    """FD-BASIC-2"""
    assert points(basic({1: car("S1.l20", wear={"points": 4})}), 1) == 4
    told = header(1, rules=["basic"], position={"cars": {"1": car("S1.l20", wear={"body": 2})}})
    assert Table.of(header(2)).is_refused({"new": told})["code"] == "malformed"


def test_what_an_option_costs_are_points_and_never_tires() -> None:
    """FD-BASIC-2: the `tires` of an option is 0."""
    option = rolled("T1.m2", 3, 5).options(1)["S2.r3", 0]
    assert (option["cost"], option["tires"]) == ({"points": 3}, 0)


def test_what_a_house_switch_takes_is_taken_from_the_pool() -> None:
    """FD-BASIC-3: a space more for an engine point."""
    also = {"house": {"extra_move": "engine"}}
    table = basic({1: car("S6.m3", 4), 2: car("T7.r1")}, also=also)
    table.plays(1, gear=4, roll=8)
    (pushed,) = named(table.plays(1, length={"spaces": 9, "by": ["engine"]}), "EnginePushed")
    assert pushed["cost"] == {"points": 1}
    assert points(table, 1) == 17


def test_a_house_switch_about_spins_does_nothing() -> None:
    """FD-BASIC-3: neither a block nor an overshoot spins."""
    also = {"house": {"block_last_tires": "spin", "spin_grace": "next-turn"}}
    table = rolled("T1.m2", 3, 5, points=3, also=also)
    assert not any(option["spin"] for option in table.options(1).values())


# -- the start, gears -----------------------------------------------------------------------------


@in_one(
    ("face", "outcome"),
    [(1, "stalled"), (2, "normal"), (16, "normal"), (17, "great"), (20, "great")],
)
def test_the_start_is_great_from_seventeen_on(face: int, outcome: str) -> None:
    """FD-BASIC-4"""
    table = Table.of(header(2, rules=["basic"], grid=[1, 2]))
    assert table.ask(1, "black")["options"] == [[1, 1], [2, 16], [17, 20]]
    (start,) = named(table.plays(1, black=face), "StartRolled")
    assert start["outcome"] == outcome


@pytest.mark.parametrize(("gear", "cost"), [(3, 0), (2, 1), (1, 2)])
def test_an_over_rev_costs_a_point_for_each_gear_skipped(gear: int, cost: int) -> None:
    """FD-BASIC-5"""
    table = basic({1: car("S6.m3", 4), 2: car("T7.r1")})
    ask = table.ask(1, "gear")
    assert ask["costs"].get(str(gear), {}) == ({"points": cost} if cost else {})
    assert ask["out"] == []
    events = table.plays(1, gear=gear)
    assert points(table, 1) == 18 - cost
    told = named(events, "OverRevved")
    assert [(one["rule"], one["cost"]) for one in told] == (
        [("FD-BASIC-5", {"points": cost})] if cost else []
    )


@pytest.mark.parametrize(("left", "lowest"), [(4, 2), (3, 3), (2, 4), (1, 5)])
def test_a_gear_whose_price_is_the_whole_pool_is_not_on_offer(left: int, lowest: int) -> None:
    """FD-BASIC-5: one point must be left, and no gear puts a car out."""
    table = basic({1: car("S6.m3", 6, wear={"points": left}), 2: car("T7.r1")})
    ask = table.ask(1, "gear")
    assert (ask["options"], ask["out"]) == (list(range(lowest, 7)), [])
    if lowest > 2:
        error = table.is_refused({"seat": 1, "gear": lowest - 1})
        assert (error["rule"], error["key"]) == ("FD-BASIC-5", "over-rev-unaffordable")


def test_down_by_five_stays_impossible() -> None:
    """FD-BASIC-5"""
    table = basic({1: car("S6.m3", 6), 2: car("T7.r1")})
    assert table.is_refused({"seat": 1, "gear": 1})["rule"] == "FD-GEAR-3"


# -- corners, brakes, blocks ----------------------------------------------------------------------


def test_an_overshoot_costs_a_point_for_each_space_beyond_the_limit() -> None:
    """FD-BASIC-6"""
    table = rolled("T1.m2", 3, 5)
    (overshot,) = named(table.plays(1, move="S2.r3"), "Overshot")
    assert (overshot["rule"], overshot["cost"]) == ("FD-BASIC-6", {"points": 3})
    assert points(table, 1) == 15


def test_two_stops_missing_put_a_car_out() -> None:
    """FD-BASIC-6"""
    table = rolled("T8.m10", 1, 1, stops=0)
    assert table.options(1)["S9.m1", 0]["out"]
    table.plays(1, move="S9.m1")
    assert outs(table, 1) == ("out", "corner", "FD-BASIC-6")


def test_an_overshoot_that_takes_the_last_point_puts_the_car_out() -> None:
    """FD-BASIC-7: nobody spins, and there is no grace."""
    table = rolled("T1.m2", 3, 5, points=3)
    option = table.options(1)["S2.r3", 0]
    assert (option["out"], option["spin"], option["cost"]) == (True, False, {"points": 3})
    assert not table.options(1)["S2.m2", 0]["out"]
    explained = table.engine.handle({"explain": {"seat": 1, "move": {"to": "S2.r3", "brakes": 0}}})[
        "explain"
    ]
    assert (explained["legal"], explained["rules"]) == (True, ["FD-BASIC-7"])
    table.plays(1, move="S2.r3")
    assert outs(table, 1) == ("out", "overshoot", "FD-BASIC-7")


def test_a_position_in_which_a_car_has_spun_is_refused() -> None:
    """FD-BASIC-7"""
    spun = car("S6.m3", 3, status="spun")
    told = header(1, rules=["basic"], position={"cars": {"1": spun}})
    error = Table.of(header(2)).is_refused({"new": told})
    assert (error["key"], error["rule"]) == ("nobody-spins", "FD-BASIC-7")


@pytest.mark.parametrize(("left", "most"), [(18, 4), (3, 2), (2, 1), (1, 0)])
def test_a_point_is_spent_for_each_space_braked_and_one_is_left(left: int, most: int) -> None:
    """FD-BASIC-8"""
    table = rolled("S6.m3", 2, 4, points=left)
    options = table.options(1)
    assert {brakes for _, brakes in options} == set(range(most + 1))
    assert all(o["cost"].get("points", 0) == brakes for (_, brakes), o in options.items())
    to = "S6.m3" if most == 4 else "S6.m4"
    error = table.is_refused({"seat": 1, "move": {"to": to, "brakes": most + 1}})
    assert error["rule"] == "FD-BASIC-8"
    assert "brakes" not in error["message"]
    end = next(to for to, brakes in options if brakes == most)
    table.plays(1, move=(end, most))
    assert points(table, 1) == left - most


def held(left: int, roll: int = 8) -> Table:
    """Seat 1 is held up behind a wall after two spaces."""
    cars = {1: car("S6.m6", 3, wear={"points": left}), **wall("S6", 8, 2, 3, 4)}
    table = basic(cars)
    table.plays(1, gear=3, roll=roll)
    return table


def test_each_space_not_moved_costs_a_blocked_car_a_point() -> None:
    """FD-BASIC-9: brakes spent by choice come off the move first, which costs the same."""
    table = held(18)
    blocked = {to: o for (to, brakes), o in table.options(1).items() if not brakes}
    assert all(o["cost"] == {"points": o["blocked"]} for o in blocked.values())
    end = next(iter(blocked))
    (told,) = named(table.plays(1, move=end), "Blocked")
    assert (told["rule"], told["cost"]) == ("FD-BASIC-9", {"points": told["spaces"]})


def test_a_block_has_no_limit_of_seven_spaces() -> None:
    """FD-BASIC-9"""
    cars = {1: car("S6.m6", 4), **wall("S6", 8, 2, 3, 4)}
    table = basic(cars)
    table.plays(1, gear=4, roll=12)
    ends = {to: o for (to, brakes), o in table.options(1).items() if not brakes}
    assert min(option["blocked"] for option in ends.values()) > 7
    assert not any(option["out"] for option in ends.values())
    end, option = next(iter(ends.items()))
    table.plays(1, move=end)
    assert (table.car(1)["status"], points(table, 1)) == ("racing", 18 - option["blocked"])


def test_a_block_that_takes_the_last_point_puts_the_car_out() -> None:
    """FD-BASIC-9"""
    table = held(6)
    ends = {to: o for (to, brakes), o in table.options(1).items() if not brakes}
    end, option = next(iter(ends.items()))
    assert (option["blocked"], option["out"]) == (6, True)
    explained = table.engine.handle({"explain": {"seat": 1, "move": {"to": end, "brakes": 0}}})
    assert explained["explain"]["rules"] == ["FD-BASIC-9"]
    table.plays(1, move=end)
    assert outs(table, 1) == ("out", "blocked", "FD-BASIC-9")
    assert table.car(1)["wear"] == {"points": 0}


# -- between cars, engine tests, debris -----------------------------------------------------------


def met(left: int = 18) -> Scene:
    """Seat 1 has come to stand beside seat 2."""
    cars = {1: at("S6.m3", 2, wear={"points": left}), 2: at("S6.l7", 2, wear={"points": left})}
    scene = Scene(cars, header=RULES)
    return scene.drive(2, 4, "S6.m7")


def test_a_collision_costs_a_point_on_one_to_four() -> None:
    """FD-BASIC-10: the car that it comes to stand by rolls, and the mover."""
    scene = met()
    assert scene.rollers("collision") == [2, 1]
    assert all(ask["options"] == [[1, 4], [5, 20]] for ask in scene.asks)
    scene.black(2, 4).black(1, 5)
    assert (points(scene, 1), points(scene, 2)) == (18, 17)
    rolls = scene.told("CollisionRolled")
    assert [(roll["rule"], roll["cost"]) for roll in rolls] == [
        ("FD-BASIC-10", {"points": 1}),
        ("FD-BASIC-10", {}),
    ]


def test_high_faces_in_fifth_and_sixth_cost_a_point_on_one_to_four() -> None:
    """FD-BASIC-11: every car in 5th or 6th rolls."""
    cars = {1: at("S6.m3", 5), 2: at("S8.l2", 6), 3: at("T7.r1", 4)}
    scene = Scene(cars, header=RULES).gear(5).roll(20)
    scene.move(next(iter(scene.ends())))
    assert scene.rollers("engine") == [1, 2]
    scene.black(1, 20).black(2, 4)
    assert (scene.told("EngineTested")[1]["rule"], points(scene, 2)) == ("FD-BASIC-11", 17)


def test_who_loses_the_last_point_by_a_roll_is_out_at_once() -> None:
    """FD-BASIC-12: by a collision; the mover rolls no more, and no marker is left."""
    scene = met(left=1).black(2, 1)
    assert outs(scene, 2) == ("out", "collision", "FD-BASIC-12")
    scene.black(1, 1)
    assert outs(scene, 1) == ("out", "collision", "FD-BASIC-12")
    assert scene.state["debris"] == []


def test_the_last_point_lost_on_a_high_face_is_told_as_engine() -> None:
    """FD-BASIC-12"""
    cars = {1: at("S6.m3", 5, wear={"points": 1}), 2: at("T7.r1", 4)}
    house = {"blown_engine": "inertia-4", "wrecks": "blocked-body"}
    scene = Scene(cars, header=RULES | {"house": house}).gear(5).roll(20)
    safe = next(to for to, end in scene.ends().items() if not end["out"])
    scene.move(safe).black(1, 1)
    assert outs(scene, 1) == ("out", "engine", "FD-BASIC-12")


def test_there_is_no_debris() -> None:
    """FD-BASIC-13: none is laid, and none may lie there."""
    scene = met().black(2, 1).black(1, 1)
    assert scene.state["debris"] == []
    told = header(1, rules=["basic"], position={"cars": {"1": car("S6.m3")}, "debris": ["S6.m9"]})
    assert Table.of(header(2)).is_refused({"new": told})["rule"] == "FD-BASIC-13"


def test_there_is_no_slipstream() -> None:
    """FD-BASIC-13"""
    cars = {1: at("S6.m3", 4), 2: at("S6.m12", 4)}
    scene = Scene(cars, header=RULES).drive(4, 8, "S6.m11")
    assert "slipstream" not in scene.kinds


# -- more laps, the rest --------------------------------------------------------------------------


def test_in_one_lap_nobody_may_stop() -> None:
    """FD-BASIC-14"""
    cars = {1: car("S1.r1", 2, lap=1), 2: car("T7.r1")}
    for laps, stops in ((1, False), (2, True)):
        table = basic(cars, also={"laps": laps})
        table.plays(1, gear=2, roll=4)
        assert any(to.startswith(("P", "B")) for to in table.ends(1)) == stops


def test_a_stop_gives_all_points_back_and_rolls_no_die() -> None:
    """FD-BASIC-14: it stays until its next turn, and leaves in 4th or lower."""
    cars = {1: at("P1", 3, lap=1, wear={"points": 5}), 2: at("T7.r1", 2)}
    scene = Scene(cars, header=RULES)
    while scene.car(1)["space"] != "B1":
        scene.gear(4).roll(12).move(next(iter(scene.ends())))
    assert points(scene, 1) == 18
    assert "black" not in scene.kinds
    (stop,) = scene.told("PitStopBegan")
    assert stop["rule"] == "FD-BASIC-14"
    scene.gear(2).roll(2).move(next(iter(scene.ends()))).settle()
    assert scene.ask("gear", seat=1)["options"] == [1, 2, 3, 4]


def test_grid_order_and_finish_are_those_of_the_complete_rules() -> None:
    """FD-BASIC-15"""
    table = Table.of(header(2, rules=["basic"]))
    assert [ask["for"] for ask in table.asks] == ["grid", "grid"]
    table.plays(1, black=3)
    table.plays(2, black=12)
    assert table.state["order"] == [2, 1]
    scene = Scene({1: at("S1.l12", 4, lap=2), 2: at("T7.r1", 2, lap=2)}, header=RULES)
    scene.gear(4).roll(12).move(next(iter(scene.ends())))
    assert scene.car(1)["status"] == "finished"


def test_a_report_without_a_board_is_of_points_and_asks_for_no_debris() -> None:
    """FD-BASIC-16"""
    scene = boardless.driving(header=RULES, car1={"wear": {"points": 5}})
    bounds = scene.ask("report")["options"]
    assert (bounds["debris"], bounds["brakes"]) == ([0, 0], [0, 4])
    scene.say({"seat": 1, "report": {"brakes": 2, "overshoot": 2, "missing": 1}})
    assert points(scene, 1) == 1
    assert scene.told("Overshot")[0]["cost"] == {"points": 2}


# -- whole races, whatever is said ----------------------------------------------------------------


def walked(walk: Walk, steps: int) -> None:
    """Answers, mistakes, corrections and undo; STATE and the lines give the same race again."""
    for step in range(steps):
        chance = walk.dice.random()
        if walk.over:
            break
        if chance < 0.05 and walk.engine.lines:
            walk.undo(1)
        elif chance < 0.1:
            walk.blunder()
        elif chance < 0.14:
            walk.refer()
        else:
            walk.answer()
        if step % 25 == 0:
            walk.restarted()
            walk.exact()
    walk.replayed()
    walk.folded()


def drawn(seed: int) -> dict[str, Any]:
    """What a header says of a race: one lap by the book, two with any house switches."""
    house = draw_house(FORMULA_D, Random(seed)) if seed % 2 == 0 else {}
    return {"rules": ["basic"], "laps": 1 + (seed % 2 == 0), "house": house}


SEEDS = few_now(range(1, 25), 2, quick=[2])


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_race_of_the_basic_game_keeps_every_invariant(seed: int) -> None:
    """FD-BASIC-2, FD-BASIC-12: STATE can be read back at every moment, on a board."""
    walked(Walk(seed, careful.header(4, **drawn(seed)), boldness=0.3), 200)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_boardless_race_of_the_basic_game_keeps_every_invariant(seed: int) -> None:
    """FD-BASIC-16: so it is without a board."""
    told = boardless.header(seats=4, **drawn(seed))
    walked(boardless.BoardlessWalk(seed, told), 200)


@pytest.mark.parametrize("track", ["monaco", None])
def test_races_of_the_basic_game_come_to_their_end(track: str | None) -> None:
    """FD-BASIC-12, FD-END-1: whoever drives; nobody wears what the game has not."""
    told = careful.header(4, rules=["basic"]) | {"track": track}
    if track is None:
        end = boardless.race(told, 3).state()
    else:
        walk = Walk(3, told)
        careful.race(walk.engine, told, Random(3))
        end = walk.engine.state()
    assert end is not None
    assert end["phase"] == "finished"
    assert all(set(one["wear"]) == {"points"} for one in end["cars"].values())


def test_a_pool_pays_for_gears_in_one_sum_beside_a_car_with_the_same_numbers() -> None:
    """FD-BASIC-3: what is on offer to one of them says nothing of the other."""
    points = (3,) * 6
    for wear, cost in (
        (points, (0, 1, 1, 0, 0, 0)),
        (Pool(points), (2,)),
        (points, (0, 1, 1, 0, 0, 0)),
    ):
        one = Car(seat=1, name="", box=1, gear=5, status=Status.RACING, wear=wear, full=wear)
        offered = {choice.gear: tuple(choice.cost) for choice in gear_choices(one, in_box=False)}
        assert offered[2] == cost
