"""What is counted in a race: laps, positions, passes, luck, wear, pit stops."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import pytest
from support.downforce.table import CARS, header, racing
from support.leagues.records import LIBRARY, ended, raced

from companion.league.finished import read_finished
from companion.league.games import AnyReplayed, Move, Placing, Replayed, measure, replay_events
from companion.league.games_formula import (
    FormulaRace,
    driven_laps,
    gaps_by_round,
    passes,
    rows_by_round,
    tally_cars,
)
from companion.race.record import make_header, result_of
from companion.rules.formula.book import CATEGORIES, GEAR_DICE, GEAR_FACES, Setup
from companion.rules.formula.car import Car, PitMark, Status
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.state import Event, State
from companion.rules.formula.weather import RerollChosen
from companion.rules.lines import Correct, New

TRACK = LIBRARY.load("manege")
MIDDLE = TRACK.lanes.index("m") if "m" in TRACK.lanes else 0
NEW = New({})
ROAD = sorted(
    (space for space in TRACK.track_spaces() if TRACK.lane[space] == MIDDLE),
    key=lambda space: TRACK.level[space],
)


def event(kind: str, seat: int, **more: Any) -> Event:
    """An event of which only that is said that a test is about; lists are tuples in it."""
    given = {key: tuple(value) if isinstance(value, list) else value for key, value in more.items()}
    record = Event.names[kind]
    unsaid = {one.name: None for one in fields(record)}
    return record(**{**unsaid, "seat": seat, **given})


def moved(seat: int) -> Event:
    return event("Moved", seat, spaces=1, brakes=0)


def where(**cars: Any) -> State:
    """A state: seat → space along the middle lane, or (space, what else the car says)."""
    found = {}
    for name, at in cars.items():
        seat = int(name[1:])
        space, more = at if isinstance(at, tuple) else (at, {})
        racing = {"lap": 1, "space": ROAD[space], "status": Status.RACING}
        found[seat] = Car(seat, name, seat, **{**racing, **more})
    return State(Setup(TRACK), OnBoard(), cars=found)


def race(
    *moves: tuple[Iterable[Event], State], command: Any = NEW, end: Iterable[int] = ()
) -> FormulaRace:
    """A race of our own making: what happened, and how the cars stood then."""
    made = tuple(
        Move(n, float(n), command, tuple(events), state)
        for n, (events, state) in enumerate(moves, 1)
    )
    endings = (tuple(Placing(seat, n, "finished", 0) for n, seat in enumerate(end, 1)),)
    return Replayed("formula-d", {}, made, endings, 0, TRACK)


START = ([event("RoundBegan", 0, round=1, order=[1, 2])], where(s1=10, s2=8))


def test_a_car_that_was_behind_and_is_ahead_after_its_move_has_passed() -> None:
    assert passes(race(START, ([moved(2)], where(s1=10, s2=12)))) == [(2, 1)]


def test_a_car_that_draws_level_has_passed_nobody_yet() -> None:
    level = ([moved(2)], where(s1=10, s2=10))
    assert passes(race(START, level)) == []
    assert passes(race(START, level, ([moved(2)], where(s1=10, s2=11)))) == [(2, 1)]
    assert passes(race(START, level, ([moved(1)], where(s1=12, s2=10)))) == []


def test_a_car_in_the_pit_is_not_passed() -> None:
    pit = (10, {"status": Status.PIT})
    assert passes(race(START, ([moved(2)], where(s1=pit, s2=12)))) == []


def test_what_the_referee_moves_passes_nobody() -> None:
    started = race(START, ([moved(2)], where(s1=10, s2=12)), command=Correct({"cars": {}}))
    assert passes(started) == [(2, 1)]  # a move is a move
    assert passes(race(START, ([], where(s1=10, s2=12)), command=Correct({"cars": {}}))) == []


def test_gaps_are_spaces_behind_the_first() -> None:
    (gaps,) = gaps_by_round(race(START))
    assert gaps == {1: 0, 2: 2}


def gaps_on_monaco(first: dict[str, Any]) -> dict[int, float]:
    """The gaps of a round that begins with one car like this, and another on S1.m3, lap 2."""
    monaco = LIBRARY.load("monaco")
    cars = {
        1: Car(1, "s1", 1, **{**first, "space": monaco.index[first["space"]]}),
        2: Car(2, "s2", 2, lap=2, space=monaco.index["S1.m3"], status=Status.RACING),
    }
    began = event("RoundBegan", 0, round=9, order=[1, 2])
    move = Move(1, 1.0, NEW, (began,), State(Setup(monaco), OnBoard(), cars=cars))
    (gaps,) = gaps_by_round(Replayed("formula-d", {}, (move,), (), 0, monaco))
    return gaps


def test_the_leader_in_the_pit_lane_is_who_the_gaps_are_counted_from_fd_pit_5() -> None:
    first = gaps_on_monaco({"space": "P5", "lap": 2, "status": Status.PIT})
    further = gaps_on_monaco({"space": "P12", "lap": 2, "status": Status.PIT})
    assert first[1] == further[1] == 0
    assert 0 < first[2] < further[2]


def test_the_lap_that_a_pit_stop_adds_is_no_lap_in_the_gaps_fd_pit_5() -> None:
    box = {"space": "B1", "lap": 3, "status": Status.PIT}
    for stopped in ({"pit_mark": PitMark.WAITS}, {"served": True}):
        gaps = gaps_on_monaco({**box, **stopped})
        assert set(gaps) == {1, 2}
        assert gaps[2] < LIBRARY.load("monaco").lap_levels / 4


def test_the_rows_have_those_at_home_first_and_those_out_last_the_last_one_out_before() -> None:
    state = where()
    told = race(
        ([event("RoundBegan", 0, round=1, order=[1, 2, 3, 4])], state),
        ([event("Eliminated", 1), event("Finished", 3, place=1), event("Retired", 2)], state),
        ([event("RoundBegan", 0, round=2, order=[4])], state),
        end=(3, 4, 2, 1),
    )
    assert rows_by_round(told) == [[1, 2, 3, 4], [3, 4, 2, 1], [3, 4, 2, 1]]


def rolled(seat: int, gear: int, face: int) -> Event:
    return event("DieRolled", seat, gear=gear, face=face)


def test_a_lap_is_from_line_to_line_and_trials_are_none_fd_trial_1() -> None:
    told = race(
        (
            [event("LineCrossed", 1, lap=1), rolled(1, 1, 1), event("LineCrossed", 1, lap=2)],
            where(),
        ),
        ([event("RoundBegan", 0, order=[1]), event("LineCrossed", 1, lap=1)], where()),
        ([rolled(1, 1, 2), rolled(1, 2, 2), event("LineCrossed", 1, lap=2)], where()),
        ([rolled(1, 1, 2), event("PitStopBegan", 1, box="B1", lap=3)], where()),
    )
    laps = driven_laps(told.moves)[1]
    assert [(lap["number"], lap["rolls"], lap["at"]) for lap in laps] == [(1, 2, 3.0), (2, 1, 4.0)]


def test_the_weather_rolled_again_takes_no_roll_of_the_gear_die_away_fd_drv_5() -> None:
    again = [rolled(1, 2, 2), event(RerollChosen.__name__, 1, again=True)]
    kept = [rolled(1, 2, 4), event(RerollChosen.__name__, 1, again=False)]
    over = event("LineCrossed", 1, lap=2)
    told = race(
        ([event("RoundBegan", 0, order=[1]), event("LineCrossed", 1, lap=1)], where(s1=1)),
        ([*again, *kept, over], where(s1=1)),
    )
    assert [lap["rolls"] for lap in driven_laps(told.moves)[1]] == [2]
    assert tally_cars(told)[1].counts["rolls"] == 2


def test_a_turn_stood_in_the_box_belongs_to_the_stop_and_ends_the_lap_de_pit_1() -> None:
    pit = where(s1=(1, {"status": Status.PIT}))
    began = [event("RoundBegan", 0, order=[1]), event("LineCrossed", 1, lap=1)]
    told = race(
        (began, where(s1=1)),
        ([rolled(1, 1, 1), event("PitTurnBegan", 1, lap=2), event("TurnEnded", 1)], pit),
        ([event("PitTurnServed", 1), event("PitStopBegan", 1, lap=2), event("TurnEnded", 1)], pit),
    )
    tally = tally_cars(told)[1]
    assert (tally.stops, tally.stop_laps) == ([2], [1])
    assert [lap["number"] for lap in driven_laps(told.moves)[1]] == [1]


def test_positions_of_a_lap_are_in_the_order_of_the_line() -> None:
    lines = [event("LineCrossed", seat, lap=1) for seat in (1, 2)]
    over = [event("LineCrossed", seat, lap=2) for seat in (2, 1)]
    told = race(([event("RoundBegan", 0, order=[1, 2]), *lines], where()), (over, where()))
    laps = driven_laps(told.moves)
    assert {seat: lap["position"] for seat, (lap,) in laps.items()} == {1: 2, 2: 1}


def counted(*events: Event, seat: int = 1) -> Any:
    begun = [event("RoundBegan", 0, order=[1, 2]), event("TurnBegan", 1)]
    return tally_cars(race(([*begun, *events], where(s1=10, s2=8))))[seat]


def test_luck_is_what_the_dice_show_beyond_their_mean() -> None:
    assert counted(rolled(1, 4, 12), rolled(1, 4, 8)).luck == 1
    assert float(counted(rolled(1, 2, 4)).luck) == pytest.approx(2 / 3)


def test_the_faces_lie_in_the_ranges_of_the_dice_fd_die_1() -> None:
    assert {gear: (min(f), max(f)) for gear, f in GEAR_FACES.items()} == GEAR_DICE
    assert [len(faces) for faces in GEAR_FACES.values()] == [4, 6, 8, 12, 20, 30]


def test_a_collision_is_given_by_whoever_is_on_turn_and_taken_by_the_other() -> None:
    rolls = [
        event("CollisionRolled", 2, against=1, hurt=True),
        event("CollisionRolled", 1, against=2, hurt=False),
    ]
    assert counted(*rolls).counts == {"bumped": 1, "hurt": 0, "rolls": 0}
    assert counted(*rolls, seat=2).counts == {"was_bumped": 1, "hurt": 1, "rolls": 0}


def test_damage_without_a_roll_is_a_collision_too() -> None:
    damaged = event("Damaged", 2, against=1, cost={"body": 1})
    assert counted(damaged, seat=2).counts == {"was_bumped": 1, "hurt": 1, "rolls": 0}


def test_wear_points_are_counted_as_they_go_and_not_as_they_come_back() -> None:
    def with_wear(tires: int, body: int) -> State:
        wear = {"tires": tires, "body": body}
        return where(s1=(10, {"wear": tuple(wear.get(name, 0) for name in CATEGORIES)}))

    begun = [event("RoundBegan", 0, order=[1])]
    told = race(
        (begun, with_wear(tires=6, body=3)),
        ([], with_wear(tires=4, body=3)),
        ([], with_wear(tires=6, body=2)),
        ([], with_wear(tires=5, body=2)),
    )
    assert tally_cars(told)[1].wp == {"tires": 3, "body": 1}


def test_a_pit_stop_takes_the_turns_that_end_in_the_pits() -> None:
    pit, out = where(s1=(1, {"status": Status.PIT})), where(s1=1)
    end = event("TurnEnded", 1)
    begun = [event("RoundBegan", 0, order=[1])]
    told = race(
        ([*begun, end], pit),
        ([event("PitStopBegan", 1, box="B1", lap=2), end], pit),
        ([end], pit),
        ([event("PitLeft", 1), end], out),
    )
    tally = tally_cars(told)[1]
    assert (tally.stops, tally.stop_laps) == ([2], [1])


@pytest.fixture(scope="module")
def driven() -> tuple[list[Any], AnyReplayed]:
    lines = raced("a", ("Ana", "Bea", "Cai", "Dot"), seed=3, laps=2)
    return lines, replay_events(lines)


def test_the_numbers_of_a_driven_race_agree_with_one_another(driven: Any) -> None:
    lines, replayed = driven
    numbers = measure(replayed)
    rows = numbers.race["rounds"]
    result = [row["seat"] for row in lines[-1]["result"]]
    assert all(sorted(row) == [1, 2, 3, 4] for row in rows)
    assert (rows[0], rows[-1]) == ([1, 2, 3, 4], result)
    assert len(numbers.race["gaps"]) == len(rows) - 1
    winner, *others = (row["seat"] for row in lines[-1]["result"] if row["status"] == "finished")
    flag = numbers.race["flag"]
    assert flag[f"{winner}"] == 0
    assert all(0 < flag[f"{seat}"] < numbers.race["lap_spaces"] for seat in others)
    assert sum(car["led"] for car in numbers.cars.values()) == len(rows) - 1
    made = sum(car["passes"] for car in numbers.cars.values())
    assert made == sum(car["passed"] for car in numbers.cars.values()) > 0
    for row in lines[-1]["result"]:
        car = numbers.cars[row["seat"]]
        if row["status"] == "finished":
            assert [lap["number"] for lap in car["laps"]] == [1, 2]
            assert sum(lap["rolls"] for lap in car["laps"]) <= car["rolls"]


def test_numbers_come_with_the_race_into_the_league(driven: Any) -> None:
    lines, replayed = driven
    found = read_finished(lines, measure)
    assert found.numbers["rounds"] == measure(replayed).race["rounds"]
    assert all(row.numbers["wp"] is not None for row in found.rows)


def test_a_race_that_hardly_began_has_numbers_too() -> None:
    found = read_finished(ended("a", rolls=0), measure)
    assert found.numbers["answers"] == 1
    assert all(row.numbers["wp"] == {} for row in found.rows)


def test_the_sheet_of_a_downforce_player_is_kept_df_pay_3() -> None:
    table = racing()
    table.passed().card(finished=CARS)
    first = make_header(header(), race="r", name="x", started="2020-01-01", track_text=None)
    lines = [first, *table.engine.lines, {"result": result_of(table.state)}]
    found = read_finished(lines, measure)
    for row in found.rows:
        sheet = row.numbers
        assert sheet["total"] == row.points
        assert sheet["race"] + sheet["bets_won"] - sheet["spent"] == sheet["total"]
