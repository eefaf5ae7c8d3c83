"""DF-BID-2 to DF-BID-5 where the table enters who won a lot (`house.auction` "entered")."""

from __future__ import annotations

from typing import Any

from support.downforce.table import CARS, POWERS, Table, header, named
from support.each import in_one

ENTERED = {"auction": "entered"}


def auction(players: int = 4, *rules: str, **more: Any) -> Table:
    table = Table(header(players, *rules, house=ENTERED, **more))
    table.pole()
    return table


def enter(table: Table, car: str, seat: int | None, price: int | None = None) -> list[Any]:
    lot: dict[str, Any] = {"car": car, "power": POWERS[CARS.index(car)], "seat": seat}
    return table.plays(0, lot=lot if price is None else {**lot, "price": price})


def refused(table: Table, **lot: Any) -> tuple[str, str, str | None]:
    error = table.refused({"seat": 0, "lot": {"car": "red", "power": "sly", **lot}})
    return error["code"], error["key"], error["rule"]


def test_a_lot_is_sold_in_one_answer_and_the_next_one_is_asked() -> None:
    """DF-BID-3."""
    table = auction()
    events = enter(table, "green", 2, 5)
    (sold,) = named(events, "CarSold")
    assert (sold["seat"], sold["price"], sold["rule"]) == (2, 5, "DF-BID-2")
    assert named(events, "BidsRevealed") == []
    assert [(ask["seat"], ask["kind"]) for ask in table.asks] == [(0, "lot")]
    assert table.state["cars"]["green"] == {"owner": 2, "price": 5, "place": None}
    assert table.player(2)["power"] == POWERS[2]


def test_the_ask_says_who_may_win_and_for_how_much() -> None:
    """DF-BID-1: an 8 only once somebody has a car."""
    table = auction()
    ask = table.ask("lot")
    assert (ask["seats"], ask["prices"]) == ([1, 2, 3, 4, None], [1, 2, 3, 4, 5, 6])
    enter(table, "green", 2, 5)
    assert table.ask("lot")["prices"] == [1, 2, 3, 4, 5, 6, 8]
    assert refused(table, seat=1, price=8)[1:] == ("no-such-bid", "DF-BID-1")
    table.plays(0, lot={"car": "red", "power": "sly", "seat": 2, "price": 8})


@in_one(
    ("lot", "why"),
    [
        ({}, ("malformed", "award-form", None)),
        ({"seat": 2}, ("malformed", "not-a-number", None)),
        ({"seat": 2, "price": 0}, ("illegal", "must-bid", "DF-BID-5")),
        ({"seat": 2, "price": 7}, ("illegal", "no-such-bid", "DF-BID-1")),
        ({"seat": 9, "price": 3}, ("illegal", "not-to-award", "DF-BID-4")),
        ({"seat": None, "price": 3}, ("malformed", "price-without-owner", "DF-BID-5")),
        ({"seat": True, "price": 3}, ("malformed", "award-form", None)),
    ],
)
def test_what_cannot_have_happened_is_refused(lot: dict[str, Any], why: Any) -> None:
    """DF-BID-2 to DF-BID-5."""
    assert refused(auction(), **lot) == why


def test_with_as_many_lots_left_as_players_without_a_car_only_these_win() -> None:
    """DF-BID-4."""
    table = auction()
    for car in ("black", "blue", "green"):
        enter(table, car, 1, 2)
    assert table.ask("lot")["seats"] == [2, 3, 4, None]
    assert refused(table, seat=1, price=3)[1:] == ("not-to-award", "DF-BID-4")


def test_the_last_player_without_a_car_takes_the_last_lot() -> None:
    """DF-BID-4: for the lowest number, which is not 0."""
    table = auction(2)
    for car in CARS[:5]:
        enter(table, car, 1, 2)
    assert table.ask("lot")["seats"] == [2]
    error = table.refused(
        {"seat": 0, "lot": {"car": "red", "power": POWERS[5], "seat": 2, "price": 0}}
    )
    assert (error["key"], error["rule"]) == ("must-bid", "DF-BID-4")
    (sold,) = named(enter(table, "red", 2, 1), "CarSold")
    assert sold["rule"] == "DF-BID-4"


def test_a_lot_set_aside_is_asked_again_with_its_car_alone() -> None:
    """DF-BID-5."""
    table = auction(3)
    (aside,) = named(enter(table, "black", None), "LotSetAside")
    assert aside["rule"] == "DF-BID-5"
    for car in ("blue", "green", "yellow"):
        enter(table, car, 1, 2)
    for car in ("orange", "red"):
        enter(table, car, None)
    ask = table.ask("lot")
    assert (ask["again"], ask["seats"]) == (True, [2, 3, None])
    assert ask["options"] == [{"car": "black", "power": POWERS[0]}]
    assert refused(table, seat=2, price=2)[1:] == ("not-set-aside", "DF-BID-5")
    (unsold,) = named(table.plays(0, lot={"car": "black", "seat": None}), "CarUnsold")
    assert unsold["car"] == "black"
    table.plays(0, lot={"car": "orange", "seat": 3, "price": 1})
    assert table.ask("lot")["seats"] == [2], "the last one's is the one left"
    table.plays(0, lot={"car": "red", "seat": 2, "price": 1})
    assert table.state["phase"] in ("powers", "race")


def test_no_more_is_set_aside_twice_than_there_is_to_spare() -> None:
    """DF-BID-5, ruling: then even zeros are compared, and 0 is a price."""
    table = auction(3)
    for car in CARS[:4]:
        enter(table, car, 1, 2)
    enter(table, "orange", None)
    enter(table, "red", None)
    ask = table.ask("lot")
    assert (ask["seats"], ask["prices"]) == ([2, 3], [0, 1, 2, 3, 4, 5, 6])
    table.plays(0, lot={"car": "orange", "seat": 3, "price": 0})
    assert table.state["cars"]["orange"]["owner"] == 3


def test_dealt_cars_are_entered_with_who_has_them() -> None:
    """DF-VAR-1: without a price, and without `award`."""
    table = auction(4, "dealt")
    ask = table.ask("lot")
    assert (ask["seats"], "prices" in ask) == ([1, 2, 3, 4, None], False)
    (dealt,) = named(table.plays(0, lot={"car": "red", "power": None, "seat": 3}), "CarDealt")
    assert (dealt["seat"], dealt["rule"]) == (3, "DF-VAR-1")
    assert table.asked("award") == []
    error = table.refused({"seat": 0, "lot": {"car": "blue", "power": None, "seat": 3}})
    assert (error["key"], error["rule"]) == ("not-to-award", "DF-VAR-1")


def test_an_entered_auction_is_a_position_at_every_step() -> None:
    """DF-SETUP-1."""
    table = auction(2)
    for car in CARS[:5]:
        enter(table, car, None if car == "black" else 1, None if car == "black" else 3)
        told = {**header(2, house=ENTERED), "position": table.state}
        assert Table(told).asks == table.asks


def test_powers_of_an_expansion_are_turned_up_by_their_names() -> None:
    """DF-POWER-1: beside those of the box, and a position names them too."""
    own = [{"name": "daring", "reminder": "May pass on the curb."}]
    table = auction(powers=own)
    table.plays(0, lot={"car": "red", "power": "daring", "seat": 1, "price": 3})
    assert table.player(1)["power"] == "daring"
    error = table.refused(
        {"seat": 0, "lot": {"car": "blue", "power": "brave", "seat": 1, "price": 3}}
    )
    assert error["key"] == "no-such-power"
    assert "daring" in error["args"]["known"]
    again = Table({**header(house=ENTERED, powers=own), "position": table.state})
    assert again.player(1)["power"] == "daring"


def test_a_power_of_an_expansion_is_kept_like_one_of_the_box() -> None:
    """DF-BID-6."""
    table = auction(powers=[{"name": "daring"}])
    for car, power in zip(CARS, ["daring", *POWERS[:5]], strict=True):
        seat = {"black": 1, "blue": 1, "green": 2, "yellow": 3, "orange": 4}.get(car, 2)
        table.plays(0, lot={"car": car, "power": power, "seat": seat, "price": 2})
    table.plays(1, keep="daring")
    assert table.player(1)["power"] == "daring"


@in_one("powers", [{}, [{"reminder": "x"}], [{"name": "a"}, {"name": "a"}], [{"name": ""}], ["a"]])
def test_powers_of_another_form_are_refused(powers: Any) -> None:
    assert Table().refused({"new": header(powers=powers)})["code"] == "malformed"


def test_a_circuit_is_a_name() -> None:
    Table(header(circuit="Marina Bay"))
    assert Table().refused({"new": header(circuit=3)})["key"] == "name-form"
