"""Downforce on the running table: whole games on the keys of its seats, and what goes wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from statistics import mean
from typing import Any

import pytest
from support.downforce.evening import Evening, header
from support.each import in_one
from support.tables.sitting import REFEREE, Sitting, phone

from companion.race.record import replay
from companion.table.race import Given

CARS = ["black", "blue", "green", "yellow", "orange", "red"]
VARIANTS: list[tuple[int, tuple[str, ...]]] = [
    (4, ()),
    (3, ("beginners", "no-powers")),
    (6, ("no-bets",)),
    (2, ("two-players",)),
    (5, ("long-distance",)),
    (4, ("championship", "no-powers")),
]
TOLD = {"auction": "entered", "cards": "events"}


def value(ask: dict[str, Any], dice: Random) -> Any:
    """An answer as a table would give it; a card brings little, now and then a line or a car."""
    options = ask["options"]
    match ask["kind"]:
        case "pole":
            return dice.sample(CARS, 6)
        case "end":
            return dice.sample(CARS, 6) if len(options) == 6 else True
        case "bid":
            return bid(dice.choice(options), dice)
        case "played" if not ask["seat"]:
            lines = int(ask["lines"] != [0])
            return {"lines": lines, "finished": [] if lines else [dice.choice(options)]}
        case "played":
            return card(ask, dice)
        case "lot" if "seats" in ask:
            return entered(ask, dice)
        case _:
            return dice.choice(options)


def card(ask: dict[str, Any], dice: Random) -> dict[str, Any]:
    """Three lines are crossed first; then cars come home; that hands run out is counted."""
    is_late, running = ask["lines"] == [0], ask["options"]
    lines = 0 if is_late else dice.choice((0, 0, 0, 0, 1))
    home = dice.sample(running, 1) if is_late and running and dice.random() < 0.4 else []
    return {"lines": lines, "finished": home}


def entered(ask: dict[str, Any], dice: Random) -> dict[str, Any]:
    """Who has won a lot and for how much, by whoever may."""
    seat = dice.choice([seat for seat in ask["seats"] if seat is not None] or [None])
    lot = {**dice.choice(ask["options"]), "seat": seat}
    dear = [price for price in ask.get("prices", ()) if price not in (0, 8)]
    return {**lot, "price": dice.choice(dear)} if dear else lot


@in_one(("players", "rules"), VARIANTS)
def test_a_game_goes_on_from_what_was_kept_of_it(players: int, rules: tuple[str, ...]) -> None:
    sitting, dice = Sitting(), Random(5)
    sitting.accepts(REFEREE, {"new": header(players, *rules)})
    for number in range(40):
        if number == 25:
            sitting.keeps()
        ask = sitting.state.asks[0]
        caller = phone(ask["seat"]) if ask["seat"] else REFEREE
        sitting.accepts(caller, {"seat": ask["seat"], ask["kind"]: value(ask, dice)})
    again = Sitting(sitting.journal)
    assert again.everything() == sitting.everything()
    assert again.race.engine._states[1] is None, "it was not played again"
    assert again.race.engine.moment == sitting.race.engine.moment


def bid(amount: int, dice: Random) -> dict[str, Any]:
    """A card that bids so much; only a speed-8 card has a single car."""
    if amount in (0, 8):
        return {"amount": amount, "cars": 1, "wild": False}
    return {"amount": amount, "cars": dice.randint(2, 6), "wild": dice.random() < 0.2}


class Night:
    """A whole game by presses alone; `presses` are those of each answer, by its kind."""

    def __init__(self, players: int, rules: tuple[str, ...], seed: int, **more: Any) -> None:
        self.evening = Evening(header(players, *rules, **more))
        self.rules, self.dice = rules, Random(seed)
        self.presses: dict[str, list[int]] = {}

    def play(self) -> Night:
        while asks := self.evening.asks:
            ask = next((one for one in asks if one["kind"] != "end"), asks[0])
            if "no-bets" in self.rules and "lines" in ask:
                ask = {**ask, "lines": [0]}  # nobody is asked for what changes nothing
            told = value(ask, self.dice)
            if ask["kind"] == "bid" and ask["again"] and not told["amount"]:
                told["cars"] = 4  # where even zeros are compared their card is asked for
            took = self.evening.presses(ask["seat"], **{ask["kind"]: told})
            self.presses.setdefault(ask["kind"], []).append(took)
        return self


@pytest.mark.slow
@pytest.mark.parametrize(("players", "rules"), VARIANTS, ids=str)
def test_a_whole_game_of_every_variant_is_played_on_the_keys(
    players: int, rules: tuple[str, ...]
) -> None:
    night = Night(players, rules, seed=players).play()
    evening = night.evening
    evening.close()
    assert evening.state["phase"] == "finished"
    assert ("bid" in night.presses) == ("beginners" not in rules)
    assert ("bet" in night.presses) == ("no-bets" not in rules)
    (record,) = evening.room.records.values()
    assert replay(record).state() == evening.state


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "rules"), [*VARIANTS, (4, ("dealt",)), (3, ("first-wins", "no-bets"))], ids=str
)
def test_a_whole_game_is_told_on_the_keys(players: int, rules: tuple[str, ...]) -> None:
    """Lots are entered, and nobody is on turn: every variant comes to its end likewise."""
    night = Night(players, rules, seed=players, house=TOLD).play()
    night.evening.close()
    assert night.evening.state["phase"] == "finished"
    assert not {"bid", "award"} & set(night.presses)
    (record,) = night.evening.room.records.values()
    assert replay(record).state() == night.evening.state


@pytest.mark.slow
def test_a_bid_takes_two_presses_and_a_card_or_a_bet_little_more_than_one() -> None:
    nights = [Night(4, (), seed).play() for seed in range(3)]
    for night in nights:
        night.evening.close()
    took = {
        kind: [n for night in nights for n in night.presses[kind]] for kind in nights[0].presses
    }
    assert mean(took["bid"]) <= 2.4
    assert Counter(took["bid"]).most_common(1)[0][0] == 2
    assert mean(took["played"]) <= 1.5
    assert set(took["bet"]) == {1}
    assert set(took["lot"]) <= {1, 2}
    assert set(took["pole"]) == {6}


def last_given(evening: Evening) -> Given:
    """The last answer of the game."""
    assert evening.room.state.race is not None
    return evening.room.state.race.given[-1]


@pytest.fixture
def evening() -> Iterator[Evening]:
    made = Evening(header())
    made.answers(0, pole=CARS)
    made.answers(0, lot={"car": "green", "power": "sly"})
    yield made
    made.close()


def test_df_bid_1_a_bid_that_has_been_turned_up_is_not_taken_back_by_its_seat(
    evening: Evening,
) -> None:
    for seat in (1, 2, 3, 4):
        evening.answers(seat, bid={"amount": seat, "cars": 3, "wild": False})
    reply = evening.says(phone(4), {"table": "take-back", "seat": 4})
    assert (reply.status, reply.body["error"]["key"]) == (409, "turned-up")
    assert evening.state["cars"]["green"]["owner"] == 4


def test_a_bid_that_lies_face_down_is_taken_back_and_offered_to_its_seat_alone(
    evening: Evening,
) -> None:
    evening.answers(2, bid={"amount": 6, "cars": 3, "wild": False})
    evening.answers(3, bid={"amount": 1, "cars": 3, "wild": False})
    assert evening.says(phone(2), {"table": "take-back", "seat": 2}).status == 200
    assert [ask["seat"] for ask in evening.asks] == [1, 2, 4], "the bid of seat 3 still lies there"
    assert "mark='old'" in evening.screen(2)
    assert "mark='old'" not in evening.screen(1) + evening.screen(3) + evening.screen(4)


def test_any_seat_answers_for_the_table_but_not_for_another_seat(evening: Evening) -> None:
    nothing = {"amount": 0, "cars": 1, "wild": False}
    refused = evening.says(phone(3), {"seat": 2, "bid": nothing})
    assert (refused.status, refused.body["error"]["key"]) == (403, "other-seat")
    for seat in (1, 2, 3, 4):
        evening.answers(seat, bid=nothing)
    line = {"seat": 0, "lot": {"car": "red", "power": "cunning"}}
    assert evening.says(phone(3), line).status == 200
    assert last_given(evening).by == "phone"


def test_another_seat_than_the_hosts_presses_for_the_table_by_its_menu() -> None:
    evening = Evening(header())
    session = evening.room.session
    assert "Grid" in evening.screen(1)
    for hold, button in ((True, 6), (False, 5), (False, 5), *((False, n) for n in range(1, 7))):
        assert session.press(phone(3), 3, button, hold, None).status == 200
    assert evening.state["grid"] == CARS
    evening.close()


def test_the_host_bids_for_a_seat_on_its_own_screen(evening: Evening) -> None:
    evening.answers(1, bid={"amount": 2, "cars": 3, "wild": False})
    assert "Still to answer" in evening.screen(1)
    session = evening.room.session
    for button in (1, 5, 3):  # Bob, amount 5, three cars
        number = session.snapshot().private[1].number
        assert session.press(phone(1), 1, button, False, number).status == 200
    assert 2 not in {ask["seat"] for ask in evening.asks}
    given = last_given(evening)
    assert (given.by, given.line["bid"]) == ("host", {"amount": 5, "cars": 3, "wild": False})


def test_bids_that_lie_face_down_are_there_after_a_restart_and_told_to_their_owners(
    evening: Evening,
) -> None:
    evening.answers(2, bid={"amount": 6, "cars": 3, "wild": False})
    again = evening.restarted()
    assert "your bid" not in again.screen(2), "it lies open to whoever looks over a shoulder"
    assert "your bid: 6" in again.looked_at(2)
    assert [ask["seat"] for ask in again.asks] == [1, 3, 4]
    again.close()


def test_a_pause_holds_a_game_and_a_resume_lets_it_go_on(evening: Evening) -> None:
    assert evening.says(phone(3), {"table": "pause", "seat": 3}).status == 200
    assert "Paused" in evening.screen(2)
    refused = evening.says(phone(2), {"seat": 2, "bid": {"amount": 0}})
    assert refused.body["error"]["key"] == "paused"
    assert evening.says(phone(3), {"table": "resume", "seat": 3}).status == 200
    evening.answers(2, bid={"amount": 0})


def test_a_wrong_lot_is_amended_and_the_bids_on_it_still_hold(evening: Evening) -> None:
    evening.answers(2, bid={"amount": 6, "cars": 3, "wild": False})
    reply = evening.says(REFEREE, {"amend": 2, "value": {"car": "red", "power": "sly"}})
    assert (reply.status, reply.body["kept"], reply.body["dropped"]) == (200, 1, [])
    assert evening.state["pending"][0]["car"] == "red"


def test_who_leaves_is_asked_nothing_more_may_be_steward_and_comes_back(evening: Evening) -> None:
    assert evening.says(phone(3), {"seat": 3, "retire": True, "reason": "tired"}).status == 200
    assert 3 not in {ask["seat"] for ask in evening.asks}
    bob = {"seat": 2, "bid": {"amount": 4, "cars": 3, "wild": False}}
    assert evening.room.session.press(phone(3), 3, 6, True, None).status == 200
    for button in (5, 2, 2, 4, 3):  # more, steward, Bob, 4 on a card of three
        assert evening.room.session.press(phone(3), 3, button, False, None).status == 200
    assert last_given(evening).line == bob, "who has left may be the steward"
    assert evening.says(REFEREE, {"undo": 1}).status == 200
    assert evening.says(REFEREE, {"seat": 3, "return": True}).status == 200
    assert evening.says(REFEREE, {"undo": 2}).status == 200
    assert 3 in {ask["seat"] for ask in evening.asks}


def test_gears_and_places_are_nothing_in_this_game_and_refused(evening: Evening) -> None:
    for line in (
        {"table": "preset", "seat": 2, "gear": 3},
        {"table": "propose", "seat": 2, "space": "T1.l1"},
    ):
        assert evening.says(phone(2), line).status in (400, 409)


def test_a_game_is_set_up_started_and_set_up_again_from_the_seats() -> None:
    evening = Evening()
    for line in (
        *({"table": "join", "seat": seat} for seat in (1, 2, 3)),
        {"table": "game", "seat": 1, "value": "downforce"},
        {"table": "start", "seat": 1},
    ):
        assert evening.says(phone(int(str(line["seat"]))), line).status == 200
    assert "Grid" in evening.screen(1)
    assert evening.says(REFEREE, {"end": True}).status == 200
    for word in ("same", "start"):
        assert evening.says(phone(1), {"table": word, "seat": 1}).status == 200
    assert [ask["kind"] for ask in evening.asks] == ["pole"]
    evening.close()


def test_a_game_of_people_without_names_is_put_away_and_goes_on() -> None:
    told = header(2)
    told["seats"] = [{"seat": 1}, {"seat": 2}]
    evening = Evening(told)
    assert evening.says(REFEREE, {"table": "close"}).status == 200
    again = evening.restarted()
    assert again.says(phone(1), {"table": "same", "seat": 1}).status == 200
    again.close()
