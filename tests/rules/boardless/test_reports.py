"""What a report of a move brings with it: the same as a way on a board."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one
from support.formula.boardless import SHIPPED, driving, header, scene

import companion.rules.formula.game  # noqa: F401  # with it every kind of step is there
from companion.race.engine import Engine
from companion.rules.formula.car import On
from companion.rules.formula.corners import Halt
from companion.rules.formula.header import NOT_BOARDLESS
from companion.rules.formula.state import Step

CLEAN = {"seat": 1, "report": {}}


def say(**report: Any) -> dict[str, Any]:
    return {"seat": 1, "report": report}


def events(race: Any, name: str) -> list[dict[str, Any]]:
    return [event for event in race.events if event["event"] == name]


def car(race: Any, seat: int = 1) -> dict[str, Any]:
    told: dict[str, Any] = race.state["cars"][str(seat)]
    return told


def test_the_ask_says_what_may_be_reported_and_within_which_bounds() -> None:
    """FD-BRAKE-1, FD-CORNER-2, FD-SLIP-2: as far as the roll, and 3 for each car in 4th."""
    ask = driving().ask("report")
    assert ask["spaces"] == 9
    assert ask["options"] == {
        "brakes": [0, 3],
        "overshoot": [0, 15],
        "missing": [0, 3],
        "blocked": [0, 15],
        "touched": [2, 3],
        "debris": [0, 15],
        "corner": [False, True],
        "line": [False, True],
        "pit": [False, True],
        "next": [False],
    }


def test_with_one_slipstream_a_move_the_bounds_are_nearer() -> None:
    """FD-SLIP-4, house switch `slipstream_chain`: 3 spaces for one car, and none for the other."""
    ask = driving(header={"house": {"slipstream_chain": "one"}}).ask("report")
    assert (ask["options"]["overshoot"], ask["options"]["blocked"]) == ([0, 12], [0, 12])


def test_a_clean_move_costs_nothing_and_ends_the_turn() -> None:
    """FD-MOVE-1."""
    race = driving().say(CLEAN)
    assert [event["event"] for event in race.events[-3:]] == ["Reported", "TurnEnded", "TurnBegan"]
    assert race.state["turn"] == 2
    assert car(race)["wear"]["brakes"] == 3


def test_brakes_are_spent() -> None:
    """FD-BRAKE-1."""
    assert car(driving().say(say(brakes=2)))["wear"]["brakes"] == 1


def test_an_overshoot_costs_tires_and_names_no_stop() -> None:
    """FD-CORNER-2: 0 missing is read as 1."""
    race = driving().say(say(overshoot=2, corner=True))
    assert car(race)["wear"]["tires"] == 4
    assert car(race)["stops"] == 0
    assert not events(race, "StopMade")


def test_an_overshoot_of_the_last_tires_is_a_spin() -> None:
    """FD-CORNER-6."""
    race = driving(car1={"wear": {"tires": 2}}).say(say(overshoot=2, missing=1))
    assert car(race)["status"] == "spun"


def test_two_stops_missing_are_the_end() -> None:
    """FD-CORNER-3, with spaces beyond the limit or without."""
    for report in ({"missing": 2}, {"missing": 3, "overshoot": 1}):
        out = car(driving().say(say(**report)))["out"]
        assert (out["why"], out["rule"]) == ("corner", "FD-CORNER-3")


def test_six_spaces_of_overshoot_spin_in_the_old_edition() -> None:
    """DE-CORNER-1."""
    race = driving("formule-de").say(say(overshoot=6, missing=1))
    assert car(race)["status"] == "spun"


def test_a_soft_tire_pays_double() -> None:
    """FD-TIRE-3, FD-TIRE-6: in the lap before the line."""
    soft = {"tires": "soft", "tires_lap": 2}
    race = driving(car1=soft, header={"rules": ["tires"], "laps": 3})
    race.say(say(overshoot=2, missing=1, line=True))
    assert car(race)["wear"]["tires"] == 2
    assert car(race)["tires_lap"] == 3


def test_blocked_spaces_cost_brakes_then_tires_then_the_race() -> None:
    """FD-BLOCK-1, FD-BLOCK-2."""
    race = driving().say(say(blocked=4))
    assert (car(race)["wear"]["brakes"], car(race)["wear"]["tires"]) == (0, 5)
    assert car(driving().say(say(blocked=7)))["out"]["rule"] == "FD-BLOCK-1"
    spent = driving(car1={"wear": {"brakes": 1}}).say(say(brakes=1, blocked=1))
    assert car(spent)["out"]["rule"] == "FD-BLOCK-2"


def test_debris_is_rolled_for_as_often_as_reported() -> None:
    """FD-DEBRIS-2, FD-DEBRIS-3."""
    race = driving().say(say(debris=2, corner=True))
    assert race.ask("black")["for"] == "debris"
    race.say({"seat": 1, "black": 4}).say({"seat": 1, "black": 4})
    assert car(race)["out"]["rule"] == "FD-DEBRIS-3"
    assert not events(race, "StopMade"), "the turn ends where its debris was"


def test_touched_cars_roll_and_then_the_mover_for_each() -> None:
    """FD-BUMP-1."""
    race = driving().say(say(touched=[3, 2]))
    asked = [(ask["seat"], ask["with"]) for ask in race.asks]
    assert asked == [(3, 1), (2, 1), (1, 3)]
    race.say({"seat": 3, "black": 1}).say({"seat": 2, "black": 9})
    race.say({"seat": 1, "black": 9}).say({"seat": 1, "black": 9})
    assert car(race, 3)["wear"]["body"] == 2
    laid = events(race, "DebrisLaid")
    assert [(event["seat"], event["space"]) for event in laid] == [(3, None)]
    assert race.state["debris"] == []


def test_of_a_group_those_are_known_who_touch_the_mover() -> None:
    """DE-BUMP-1, DE-BUMP-2: the mover rolls when all others have."""
    race = driving("formule-de").say(say(touched=[2, 3]))
    assert sorted(ask["seat"] for ask in race.asks) == [2, 3]
    race.say({"seat": 2, "black": 9}).say({"seat": 3, "black": 9})
    assert [(ask["seat"], ask["with"]) for ask in race.asks] == [(1, 2)]


def test_the_first_touched_is_in_front_of_a_late_block() -> None:
    """DE-BLOCK-2: it loses 1 body and does not roll."""
    race = driving("formule-de", car1={"wear": {"brakes": 0}}).say(say(blocked=2, touched=[3, 2]))
    assert car(race)["wear"] | {"fuel": 0} == {
        "tires": 0, "brakes": 0, "fuel": 0, "body": 2, "engine": 3, "handling": 0,
    }  # fmt: skip
    assert car(race, 3)["wear"]["body"] == 2
    assert [ask["seat"] for ask in race.asks] == [2]


def test_a_wreck_damages_the_car_in_front_and_is_lifted_in_its_place() -> None:
    """DE-BLOCK-1."""
    race = driving("formule-de").say(say(blocked=7, touched=[2]))
    assert car(race)["out"]["stands"] is True
    assert car(race, 2)["wear"]["body"] == 2
    for seat in (2, 3):
        race.gear(4).roll(7).say({"seat": seat, "report": {}})
    race.say({"seat": 0, "order": [3, 2]})
    assert race.state["order"] == [1, 3, 2]
    assert car(race)["out"].get("stands") is None


def test_the_line_begins_a_lap_and_the_last_one_finishes() -> None:
    """FD-END-2: in the order of crossing; a collision beyond the line is none."""
    race = driving(car1={"lap": 2}).say(say(line=True, touched=[2]))
    assert (car(race)["status"], car(race)["place"]) == ("finished", 1)
    race.gear(4).roll(8).say({"seat": 2, "report": {"line": True}})
    assert car(race, 2)["lap"] == 2
    assert car(race, 2)["status"] == "racing"


def test_an_engine_test_follows_the_face() -> None:
    """FD-ENGINE-1."""
    race = scene({1: {"gear": 4, "lap": 1}, 2: {"gear": 5, "lap": 1}}).gear(5).roll(20).say(CLEAN)
    assert [(ask["seat"], ask["for"]) for ask in race.asks] == [(1, "engine"), (2, "engine")]


def test_a_great_start_reports_four_spaces() -> None:
    """FD-START-4."""
    race = scene({1: {}, 2: {}}, new_round=True)
    race.say({"seat": 1, "black": 20})
    assert race.ask("report")["spaces"] == 4


def test_in_rain_the_ask_tells_the_slide() -> None:
    """FD-TIRE-2, FD-TIRE-6."""
    race = driving(header={"rules": ["weather", "tires"]}, weather="rain")
    assert race.ask("report")["slide"] == 3


def test_a_soft_bonus_is_asked_before_the_report() -> None:
    """FD-TIRE-3."""
    soft = {"tires": "soft", "tires_lap": 1}
    race = driving(car1=soft, header={"rules": ["tires"]})
    assert (
        race.say({"seat": 1, "length": {"spaces": 10, "by": ["soft"]}}).ask("report")["spaces"]
        == 10
    )


# -- the pit ---------------------------------------------------------------------------------


def test_a_car_at_its_box_has_new_tires_and_a_lap_once() -> None:
    """FD-PIT-2, FD-PIT-5: said together with the line it is one lap."""
    for line in (False, True):
        race = driving(car1={"wear": {"tires": 1}}).say(say(pit=True, line=line))
        assert (car(race)["lap"], car(race)["wear"]["tires"]) == (2, 6)
        assert race.ask("black")["for"] == "pit"


def test_a_fast_stop_goes_on_at_once_and_offers_no_line() -> None:
    """FD-PIT-2, FD-PIT-5."""
    race = driving(car1={"wear": {"tires": 1}}).say(say(pit=True)).say({"seat": 1, "black": [7, 8]})
    ask = race.ask("report")
    assert (ask["spaces"], ask["options"]["line"], ask["options"]["pit"]) == (4, [False], [False])
    race.say(CLEAN)
    assert (car(race)["status"], car(race)["gear"]) == ("racing", 4)


def test_a_fast_exit_counts_slipstreams_where_the_house_has_them() -> None:
    """FD-SLIP-6, house switch `fast_exit_slipstream`: 3 spaces more for each car in 4th."""
    for played, most in (("no", 4), ("yes", 10)):
        head = {"house": {"fast_exit_slipstream": played}}
        race = driving(car1={"wear": {"tires": 1}}, header=head).say(say(pit=True))
        race.say({"seat": 1, "black": [7, 8]})
        assert race.ask("report")["options"]["overshoot"] == [0, most]


def test_a_slow_stop_leaves_in_its_next_turn_in_4th_or_lower() -> None:
    """FD-PIT-2."""
    race = driving(car1={"wear": {"tires": 1}}).say(say(pit=True)).say({"seat": 1, "black": 15})
    for seat in (2, 3):
        race.gear(4).roll(7).say({"seat": seat, "report": {}})
    race.say({"seat": 0, "order": [1, 2, 3]})
    assert race.ask("gear")["options"] == [1, 2, 3, 4]


def test_nobody_stops_in_lap_0_or_in_the_last_lap_or_on_good_tires() -> None:
    """FD-PIT-1, DE-PIT-1."""
    for race in (driving(car1={"lap": 0}), driving(car1={"lap": 2}), driving("formule-de")):
        assert race.ask("report")["options"]["pit"] == [False]


def test_who_comes_in_too_fast_stands_a_turn() -> None:
    """DE-PIT-1."""
    fast = {1: {"gear": 5, "lap": 1, "wear": {"tires": 2}}, 2: {"gear": 4, "lap": 1}}
    race = scene(fast, "formule-de", header={"laps": 3}).gear(5).roll(11).say(say(pit=True))
    assert car(race)["pit_mark"] == "waits"
    race.gear(4).roll(7).say({"seat": 2, "report": {}}).say({"seat": 0, "order": [1, 2]})
    assert car(race)["wear"]["tires"] == 6
    assert race.ask("black")["for"] == "pit"


# -- what is refused -------------------------------------------------------------------------


@in_one(
    ("report", "key", "rule"),
    [
        ({"brakes": 4}, "report-bounds", "FD-BRAKE-1"),
        ({"overshoot": 16}, "report-bounds", "FD-CORNER-2"),
        ({"missing": 4}, "report-bounds", "FD-CORNER-3"),
        ({"touched": [1]}, "report-bounds", "FD-BUMP-1"),
        ({"touched": [2, 2]}, "report-bounds", "FD-BUMP-1"),
        ({"missing": 1}, "report-contradiction", "FD-CORNER-2"),
        ({"pit": True, "brakes": 1}, "report-contradiction", "FD-PIT-3"),
        ({"pit": True, "corner": True}, "report-contradiction", "FD-PIT-3"),
        ({"brakes": 3, "blocked": 13}, "report-contradiction", "FD-BRAKE-1"),
        ({"brakes": "1"}, "report-value", "FD-BRAKE-1"),
        ({"line": 1}, "report-value", "FD-END-2"),
        ({"touched": 2}, "report-value", "FD-BUMP-1"),
        ({"speed": 3}, "report-form", None),
        ([], "report-form", None),
    ],
)
def test_a_report_that_cannot_be_changes_nothing(report: Any, key: str, rule: str | None) -> None:
    error = driving().refused({"seat": 1, "report": report})
    assert (error["key"], error["rule"]) == (key, rule)


def test_a_car_that_finishes_is_not_blocked() -> None:
    """FD-END-2."""
    error = driving(car1={"lap": 2}).refused(say(line=True, blocked=1))
    assert error["key"] == "report-contradiction"


@pytest.mark.parametrize(("rule", "id_"), [("trials", "FD-TRIAL-3"), ("urban", "FD-URBAN-1")])
def test_rules_that_need_a_board_are_refused(rule: str, id_: str) -> None:
    for track in (None, "sebring"):
        reply = Engine(SHIPPED).handle({"new": header(rules=[rule], track=track)})
        assert (reply["error"]["key"], reply["error"]["rule"]) == ("not-boardless", id_)


def grounds_of_rules() -> dict[str, set[On]]:
    """On which grounds the steps of each optional rule are pending that has any."""
    grounds: dict[str, set[On]] = {}
    for kind in Step.kinds.values():
        for rule in kind.needs:
            grounds.setdefault(rule, set()).add(kind.on)
    return grounds


def for_boards_alone() -> set[str]:
    """Optional rules that have steps, each of which is for boards alone."""
    return {rule for rule, on in grounds_of_rules().items() if on == {On.BOARD}}


def test_an_optional_rule_that_has_steps_for_boards_alone_is_not_offered_without_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Or a lobby lets friends choose what never comes: `NOT_BOARDLESS` is kept by hand."""
    assert {"weather", "trials", "tires", "technical"} <= grounds_of_rules().keys()
    assert for_boards_alone() <= NOT_BOARDLESS.keys()
    monkeypatch.setattr(Halt, "needs", ("left out",))
    assert for_boards_alone() - NOT_BOARDLESS.keys() == {"left out"}
