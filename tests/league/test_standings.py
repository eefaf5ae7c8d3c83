"""Points, drops, countback, penalties and teams, against tables worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from random import Random
from typing import Any

import pytest

from companion.league.errors import BadAct
from companion.league.federation.stages import box_order
from companion.league.plain import (
    F1,
    RESULT,
    Entry,
    Penalty,
    PointsTable,
    Race,
    Season,
    format_points,
    parse_points,
)
from companion.league.results import classify
from companion.league.standings import Standing, progress, standings, team_standings, to_win

# Ten rounds: who came home in which order; (x) went out, the first of them last.
ROUNDS = (
    "Ana Bea Cai Dot",
    "Bea Ana Dot Cai",
    "Ana Cai Bea (Dot)",
    "Dot Bea Ana Cai",
    "Bea Dot (Cai) (Ana)",
    "Cai Ana Bea Dot",
    "Ana Dot Bea",
    "Bea Cai Ana Dot",
    "Dot Ana Cai Bea",
    "Cai Bea Dot Ana",
)
GRID = ("Ana", "Bea", "Cai", "Dot")
# By hand, 10 8 6 5:
#        1   2   3   4   5   6   7   8   9  10  total  wins
# Ana   10   8  10   6   0   8  10   6   8   5    71     3
# Bea    8  10   6   8  10   6   6  10   5   8    77     3
# Cai    6   5   8   5   0  10   -   8   6  10    58     2
# Dot    5   6   0  10   8   5   8   5  10   6    63     2
TOTALS = {"Bea": 77, "Ana": 71, "Dot": 63, "Cai": 58}
# The two worst dropped: Ana 0 5, Bea 5 6, Cai the missed one and 0, Dot 0 5.
DROPPED = {"Bea": 66, "Ana": 66, "Dot": 58, "Cai": 58}


def race(number: int, order: str, **more: Any) -> Race:
    entries = []
    for place, word in enumerate(order.split(), 1):
        name = word.strip("()")
        entries.append(
            Entry(
                seat=GRID.index(name) + 1,
                driver=name.lower(),
                name=name,
                place=place,
                status="out" if word.startswith("(") else "finished",
                grid=GRID.index(name) + 1,
                team="Rouge" if name in ("Ana", "Dot") else "Bleu",
            )
        )
    told = {"id": f"r{number}", "name": f"Round {number}", "date": f"2026-01-{number:02}"}
    return Race(**told, game="formula-d", entries=tuple(entries), season="s", round=number, **more)


SEASON = Season(key="s", title="Season")
RACES = [race(number, order) for number, order in enumerate(ROUNDS, 1)]


def points(lines: list[Standing]) -> dict[str, int]:
    return {line.name: line.points for line in lines}


def places(lines: list[Standing]) -> dict[str, int]:
    return {line.name: line.place for line in lines}


def test_a_season_of_ten_races_comes_to_the_table_worked_out_by_hand() -> None:
    lines = standings(SEASON, RACES)
    assert points(lines) == TOTALS
    assert places(lines) == {"Bea": 1, "Ana": 2, "Dot": 3, "Cai": 4}
    assert [line.wins for line in lines] == [3, 3, 2, 2]


def test_the_worst_rounds_are_dropped_those_missed_first() -> None:
    lines = standings(replace(SEASON, drops=2), RACES)
    assert points(lines) == DROPPED
    cai = next(line for line in lines if line.name == "Cai")
    assert [score.round for score in cai.scores if score.dropped] == [5]


def test_one_round_counts_whatever_is_dropped() -> None:
    lines = standings(replace(SEASON, drops=9), RACES[:2])
    assert points(lines) == {"Ana": 10, "Bea": 10, "Cai": 6, "Dot": 6}


def test_equal_points_are_decided_by_more_wins_then_more_second_places() -> None:
    # Dropped: Ana and Bea have 66 each and three wins each; Bea was second three times, Ana
    # three times; Ana third twice, Bea three times.
    # Dot and Cai have 58, two wins, two second and two third places each; Dot was fourth more.
    lines = standings(replace(SEASON, drops=2), RACES)
    assert places(lines) == {"Bea": 1, "Ana": 2, "Dot": 3, "Cai": 4}


def test_who_cannot_be_told_apart_shares_the_place() -> None:
    lines = standings(SEASON, [race(1, "Ana Bea Cai"), race(2, "Bea Ana Cai")])
    assert [(line.name, line.place) for line in lines] == [("Ana", 1), ("Bea", 1), ("Cai", 3)]


def test_an_eliminated_car_scores_nothing_fd_team_1() -> None:
    (last,) = [line for line in standings(SEASON, [race(1, "Ana (Bea)")]) if line.name == "Bea"]
    assert (last.points, last.wins) == (0, 0)


def test_points_tables_of_f1_and_extras() -> None:
    table = PointsTable(F1.places, {"pole": 3, "gained": 2, "fastest": 1})
    quick = race(1, "Dot Ana Bea")
    entries = tuple(replace(e, best_lap=n) for e, n in zip(quick.entries, (5, 4, 4), strict=True))
    lines = standings(replace(SEASON, points=table), [replace(quick, entries=entries)])
    # Dot 25 + 2 gained; Ana 18 + 3 pole + 1; Bea 15 + 1.
    assert points(lines) == {"Dot": 27, "Ana": 22, "Bea": 16}


def test_nobody_gains_where_nobody_moved_up() -> None:
    table = PointsTable((1,), {"gained": 5})
    assert points(standings(replace(SEASON, points=table), [race(1, "Ana Bea")]))["Ana"] == 1


def test_a_double_round_counts_twice() -> None:
    assert points(standings(SEASON, [race(1, "Ana Bea", factor=2)])) == {"Ana": 20, "Bea": 16}


def test_a_penalty_of_places_moves_a_car_down_but_not_behind_one_that_is_out() -> None:
    jumped = Penalty(id=1, driver="ana", reason="jumped", places=2)
    told = classify(race(1, "Ana Bea Cai (Dot)", penalties=(jumped,)))
    assert [(e.name, e.place) for e in told] == [("Bea", 1), ("Cai", 2), ("Ana", 3), ("Dot", 4)]
    hard = replace(jumped, places=9)
    told = classify(race(1, "Ana Bea (Cai)", penalties=(hard,)))
    assert [e.name for e in told] == ["Bea", "Ana", "Cai"]


def test_a_disqualified_car_comes_last_scores_nothing_and_cannot_drop_the_round() -> None:
    thrown = Penalty(id=1, driver="ana", reason="loaded dice", disqualified=True)
    rounds = [race(1, "Ana Bea", penalties=(thrown,)), race(2, "Ana Bea")]
    lines = standings(replace(SEASON, drops=1), rounds)
    assert points(lines) == {"Bea": 10, "Ana": 0}
    assert classify(rounds[0])[-1].status == "disqualified"


def test_points_taken_come_off_the_total_until_the_penalty_is_lifted() -> None:
    late = Penalty(id=1, driver="ana", reason="late", points=12)
    season = replace(SEASON, penalties=(late,))
    assert points(standings(season, [race(1, "Ana Bea")])) == {"Bea": 8, "Ana": -2}
    season = replace(SEASON, penalties=(replace(late, lifted="the bus"),))
    assert points(standings(season, [race(1, "Ana Bea")])) == {"Ana": 10, "Bea": 8}


def test_a_struck_race_and_one_of_another_season_do_not_count() -> None:
    rounds = [race(1, "Ana Bea", struck="wrong board"), replace(race(2, "Bea Ana"), season="t")]
    assert standings(SEASON, rounds) == []


def test_teams_score_with_all_their_cars_or_with_their_best() -> None:
    assert points(team_standings(SEASON, RACES)) == {"Rouge": 134, "Bleu": 135}
    best = team_standings(replace(SEASON, team_cars=1), RACES[:2])
    assert points(best) == {"Rouge": 18, "Bleu": 18}


def test_a_team_of_the_season_goes_before_that_of_the_race() -> None:
    season = replace(SEASON, teams={"ana": "Vert"})
    assert points(team_standings(season, [race(1, "Ana Bea Cai Dot")])) == {
        "Bleu": 14,
        "Vert": 10,
        "Rouge": 5,
    }


def test_a_driver_of_two_cars_scores_with_the_better_one() -> None:
    two = race(1, "Ana Bea Cai")
    entries = tuple(replace(e, driver="ana") if e.name == "Cai" else e for e in two.entries)
    assert points(standings(SEASON, [replace(two, entries=entries)])) == {"Ana": 10, "Bea": 8}


def test_two_tables_may_run_one_round() -> None:
    tables = [race(1, "Ana Bea"), replace(race(1, "Dot Cai"), id="other")]
    lines = standings(replace(SEASON, drops=1), tables)
    assert points(lines) == {"Ana": 10, "Dot": 10, "Bea": 8, "Cai": 8}


def test_progress_tells_the_standings_after_each_round() -> None:
    told = progress(SEASON, RACES)
    assert [after[0].name for _, after in told[:2]] == ["Ana", "Ana"]
    assert points(told[-1][1]) == TOTALS


def test_a_downforce_world_championship_adds_the_totals_df_var_4() -> None:
    def night(number: int, money: dict[str, int]) -> Race:
        rounds = race(number, " ".join(sorted(money, key=lambda name: -money[name])))
        entries = tuple(replace(e, points=money[e.name]) for e in rounds.entries)
        return replace(rounds, game="downforce", entries=entries)

    season = replace(SEASON, points=RESULT)
    rounds = [night(1, {"Ana": 15, "Bea": 9, "Cai": -2}), night(2, {"Bea": 11, "Cai": 8, "Ana": 1})]
    assert points(standings(season, rounds)) == {"Bea": 20, "Ana": 16, "Cai": 6}


def test_a_season_by_results_adds_what_a_car_that_is_out_scored_by_distance_fd_team_1() -> None:
    """House switch `classified`: SBMRL, RBB, GG."""
    driven = race(1, "Ana (Bea) (Cai)")
    worth = {"Ana": 25, "Bea": 18, "Cai": 0}
    entries = tuple(replace(entry, points=worth[entry.name]) for entry in driven.entries)
    season = replace(SEASON, points=RESULT)
    assert points(standings(season, [replace(driven, entries=entries)])) == worth


def test_boxes_are_chosen_in_the_order_of_the_standings_de_pit_3() -> None:
    lines = team_standings(SEASON, RACES)
    assert box_order(lines, ["Rouge", "Vert", "Bleu"]) == [["Bleu"], ["Rouge"], ["Vert"]]
    assert box_order([], ["Rouge", "Bleu"]) == [["Rouge", "Bleu"]]
    shared = team_standings(SEASON, [race(1, "Ana Bea"), race(2, "Bea Ana")])
    assert box_order(shared, ["Rouge", "Bleu"]) == [["Rouge", "Bleu"]]


@pytest.mark.parametrize(
    "text", ["formula-d", "f1", "result", "12,9,7", "f1 + pole 1, fastest 1", "3 + gained 2"]
)
def test_a_points_table_is_written_as_it_is_read(text: str) -> None:
    assert format_points(parse_points(text)) == text


@pytest.mark.parametrize("text", ["", "f2", "1,x", "f1 + luck 1", "9999", "f1 + pole"])
def test_a_text_that_is_no_points_table_is_told_what_is(text: str) -> None:
    with pytest.raises(BadAct, match="accepted is a name"):
        parse_points(text)


# -- what each needs to win --------------------------------------------------------------------


WORTH = (5, 3, 1)
PLACES = [
    dict(zip(seats, (1, 2, 3), strict=False)) for n in range(4) for seats in permutations("abc", n)
]
"""How a round of three may end; who is not in it has gone out."""


def all_ends(points: dict[str, int], left: int) -> list[tuple[tuple[dict[str, int], ...], Any]]:
    """Every way in which the rounds left may go, and the points after it."""
    worth = dict(enumerate(WORTH, 1))
    return [
        (
            rounds,
            {k: n + sum(worth.get(one.get(k, 0), 0) for one in rounds) for k, n in points.items()},
        )
        for rounds in product(PLACES, repeat=left)
    ]


def is_ahead(key: str, after: dict[str, int]) -> bool:
    return all(after[key] > points for other, points in after.items() if other != key)


@pytest.mark.parametrize("seed", range(12))
def test_what_somebody_needs_to_win_is_enough_and_no_place_more_is_in_any_end_of_a_season(
    seed: int,
) -> None:
    random = Random(seed)
    points, left = {key: random.randrange(12) for key in "abc"}, random.choice((1, 2))
    lines = [Standing(place=0, key=k, name=k, points=n) for k, n in points.items()]
    season = Season(key="s", title="", points=PointsTable(WORTH))
    chances = {one.line.key: one for one in to_win(season, [], lines, left)}
    ends = all_ends(points, left)
    for key in points:
        own = chances.get(key)
        if own is None:
            assert not any(is_ahead(key, after) for _, after in ends)
            continue
        assert own.most == max(after[key] for _, after in ends)
        if own.place is not None:
            last = own.place or 9
            kept = [end for end in ends if all(one.get(key, 9) <= last for one in end[0])]
            assert all(is_ahead(key, after) for _, after in kept)
            more = [end for end in ends if all(one.get(key, 9) <= last + 1 for one in end[0])]
            assert last >= 3 or not all(is_ahead(key, after) for _, after in more)
            continue
        won = [end for end in ends if all(one.get(key) == 1 for one in end[0])]
        fewer = dict(own.rivals)
        for _, after in won:
            held = all(after[name] - points[name] < most for name, most in fewer.items())
            assert is_ahead(key, after) == held


def test_nobody_is_told_what_is_needed_where_it_cannot_be_proved() -> None:
    lines = [Standing(place=1, key="a", name="a", points=3)]
    season = Season(key="s", title="")
    assert to_win(season, [], lines, 1)
    for may in (
        {"drops": 1},
        {"best": 3},
        {"half_under": 0.5},
        {"crews": "each"},
        {"points": RESULT},
    ):
        assert to_win(replace(season, **may), [], lines, 1) == []
