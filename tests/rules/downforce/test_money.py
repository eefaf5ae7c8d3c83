"""DF-PAY-1 to DF-PAY-4: the money and who has won."""

from __future__ import annotations

from typing import Any

import pytest
from support.downforce.table import CARS, POWERS, Table, header, racing
from support.each import in_one


def finished(
    order: list[str], owners: dict[str, tuple[int, int]], bets: dict[int, list[str]], *rules: str
) -> dict[str, Any]:
    """STATE after a race that ended in this order, with these owners, prices and bets."""
    cars: dict[str, Any] = {c: {"owner": s, "price": p} for c, (s, p) in owners.items()}
    players = max(4, *(seat for seat, _ in owners.values()))
    table = Table(header(players, *rules, position={"cars": cars}))
    table.card(lines=3)
    for number in range(3):
        table.bets({
            seat: bets.get(seat, ["orange"] * 3)[number] for seat in range(1, players + 1)
        })  # fmt: skip
    table.card(finished=order)
    if table.state["phase"] != "finished":
        table.plays(0, end=True)
    return table.state


ORDER = ["blue", "yellow", "red", "black", "green", "orange"]


def test_the_worked_example_is_11_and_13_less_9_are_15() -> None:
    """DF-PAY-4: yellow second, green fifth; bets yellow, yellow, blue; paid 5 and 4."""
    owners = {"yellow": (1, 5), "green": (1, 4), "blue": (2, 1), "red": (3, 1), "black": (4, 1)}
    one = finished(ORDER, owners, {1: ["yellow", "yellow", "blue"]})["players"]["1"]
    assert (one["race"], one["bets_won"], one["spent"], one["total"]) == (11, 13, 9, 15)


@in_one(("place", "money"), [(1, 12), (2, 9), (3, 6), (4, 4), (5, 2), (6, 0)])
def test_places_pay_12_9_6_4_2_0(place: int, money: int) -> None:
    """DF-PAY-1."""
    state = finished(ORDER, {ORDER[place - 1]: (1, 0)}, {})
    assert state["players"]["1"]["race"] == money


def test_a_car_that_did_not_finish_earns_nothing() -> None:
    """DF-PAY-1."""
    state = finished(ORDER[:2], {"red": (1, 3)}, {1: ["red"] * 3})
    one = state["players"]["1"]
    assert (one["race"], one["bets_won"], one["total"]) == (0, 0, -3)


@pytest.mark.parametrize(
    ("line", "paid"), [(0, (9, 6, 3, 0)), (1, (6, 4, 2, 0)), (2, (3, 2, 1, 0))]
)
def test_bets_pay_by_their_line_and_the_place_of_the_car(line: int, paid: tuple[int, ...]) -> None:
    """DF-PAY-2: 9 6 3, then 6 4 2, then 3 2 1; a fourth place nothing."""
    for place, money in enumerate(paid):
        bets = ["orange"] * 3
        bets[line] = ORDER[place]
        state = finished(ORDER, {"green": (1, 0)}, {1: bets})
        assert state["players"]["1"]["bets_won"] == money


def test_the_bets_of_who_has_no_car_home_are_paid() -> None:
    """DF-PAY-3."""
    state = finished(ORDER[:3], {"orange": (1, 6)}, {1: ["blue"] * 3})
    assert state["players"]["1"]["total"] == 9 + 6 + 3 - 6


def classified(state: dict[str, Any]) -> list[tuple[int, int, int]]:
    return [(row["place"], row["seat"], row["points"]) for row in state["classification"]]


def test_the_highest_total_wins_and_a_total_may_be_negative() -> None:
    """DF-PAY-3."""
    owners = {"blue": (1, 2), "yellow": (2, 1), "red": (3, 4), "orange": (4, 6)}
    assert classified(finished(ORDER, owners, {})) == [
        (1, 1, 10),
        (2, 2, 8),
        (3, 3, 2),
        (4, 4, -6),
    ]


def test_of_equal_totals_the_better_placed_car_wins() -> None:
    """DF-PAY-3: 12 − 6 and 6 − 0."""
    owners = {"blue": (3, 6), "red": (2, 0), "yellow": (1, 8), "black": (4, 8)}
    assert classified(finished(ORDER, owners, {})) == [(1, 3, 6), (2, 2, 6), (3, 1, 1), (4, 4, -4)]


def test_equals_neither_of_whom_has_a_placed_car_share() -> None:
    """DF-PAY-3."""
    owners = {"blue": (1, 0), "red": (2, 2), "green": (3, 2), "orange": (4, 3)}
    assert classified(finished(ORDER[:1], owners, {})) == [(1, 1, 12), (2, 2, -2), (2, 3, -2),
                                                           (4, 4, -3)]  # fmt: skip


def test_a_placed_car_goes_before_none() -> None:
    """DF-PAY-3: total 0 with a sixth place, and 0 without any."""
    owners = {"orange": (2, 0), "blue": (3, 0), "red": (4, 0)}
    rows = classified(finished(ORDER, owners, {1: ["green"] * 3}))
    assert [row for row in rows if row[2] == 0] == [(3, 2, 0), (4, 1, 0)]


def test_the_result_names_everybody_once_with_money_as_points() -> None:
    """DF-PAY-3: what a race record ends with."""
    table = racing("no-bets")
    table.card(finished=CARS)
    rows = table.state["classification"]
    assert sorted(row["seat"] for row in rows) == [1, 2, 3, 4]
    for row in rows:
        assert row["points"] == table.player(row["seat"])["total"]
        assert row["status"] == "finished"


def test_a_power_changes_cards_on_the_table_and_no_money() -> None:
    """DF-POWER-1: the companion only reminds of it."""
    for power in POWERS:
        players = {"1": {"power": power}}
        cars = {"red": {"owner": 1, "price": 2}, "blue": {"owner": 2, "price": 2}}
        table = Table(header(2, "no-bets", position={"cars": cars, "players": players}))
        assert table.player(1)["power"] == power
        table.card(finished=["red"])
        table.card(finished=["blue"])
        assert (table.player(1)["total"], table.player(2)["total"]) == (10, 7)
