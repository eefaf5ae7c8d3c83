"""DF-BID-1, DF-BET-2: nothing tells a bid or a bet before its time.

Two tables are played that differ in nothing but the secrets of seat 2. Whatever any other
seat, the page, the referee or the log can get at must be the same on both, at every version
until the reveal; so no sentinel need be looked for, as any trace of it is a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, zip_longest
from typing import Any

import pytest
from support.downforce.evening import Evening, header
from support.tables.sitting import REFEREE, phone

pytestmark = pytest.mark.slow

CARS = ["black", "blue", "green", "yellow", "orange", "red"]
OWNER = 2
JSON = Mapping[str, Any]
Seen = list[tuple[str, Mapping[str, Any], str]]
Play = Callable[[Any], Iterator[tuple[str, Evening]]]


def bid(amount: int, cars: int = 3, wild: bool = False) -> dict[str, Any]:
    return {"amount": amount, "cars": cars, "wild": wild}


def bidding(secret: JSON) -> Iterator[tuple[str, Evening]]:
    """A lot, with all that people do around bids; the last step is the reveal."""
    table = Evening(header())
    table.answers(0, pole=CARS)
    table.answers(0, lot={"car": "black", "power": "cunning"})
    for seat in (1, 2, 3, 4):
        table.answers(seat, bid=bid(3 if seat == OWNER else 0))
    table.answers(0, lot={"car": "green", "power": "sly"})
    table.answers(OWNER, bid=secret)
    yield "bid", table
    table.answers(1, bid=bid(3))
    yield "another bid", table
    assert table.says(phone(OWNER), {"table": "take-back", "seat": OWNER}).status == 200
    yield "taken back", table
    wrong = {**secret, "cars": 9}
    assert table.says(phone(OWNER), {"seat": OWNER, "bid": wrong}).status == 409
    assert table.says(phone(OWNER), {"seat": OWNER, "bid": {**secret, "more": 1}}).status == 400
    assert table.says(phone(OWNER), {"seat": OWNER, "bet": dict(secret)}).status == 409
    yield "refused", table
    table.presses(OWNER, bid=secret)  # two presses or three, which nobody can count
    yield "pressed", table
    assert table.says(REFEREE, {"table": "pause"}).status == 200
    yield "paused", table
    assert table.says(REFEREE, {"table": "resume"}).status == 200
    table = table.restarted()
    yield "started again", table
    assert table.says(REFEREE, {"amend": 2, "value": bid(2)}).status == 200
    yield "amended before it", table
    assert table.says(REFEREE, {"undo": 2}).status == 200
    yield "undone", table
    table.answers(OWNER, bid=secret)
    table.answers(1, bid=bid(2))
    table.answers(3, bid=bid(0))
    assert table.says(REFEREE, {"note": "Bob looked at Ana's card"}).status == 200
    yield "nearly all", table
    table.answers(4, bid=bid(6))
    yield "revealed", table


def betting(secrets: Sequence[str]) -> Iterator[tuple[str, Evening]]:
    """A race with three lines, until it is over; the last step is the reveal."""
    table = Evening(header(4, "no-powers", "beginners"))
    table.answers(0, pole=CARS)
    for number, car in enumerate(CARS):
        table.answers(0, lot={"car": car, "power": None})
        table.answers(0, award=number + 1 if number < 4 else None)
    for line in (1, 2, 3):
        table.answers(table.state["turn"], played={"lines": 1})
        secret = secrets[line - 1]
        table.answers(OWNER, bet=secret)
        yield f"line {line}", table
        table.answers(1, bet="red")
        if line == 2:
            assert table.says(phone(OWNER), {"table": "take-back", "seat": OWNER}).status == 200
            yield "taken back", table
            table.answers(OWNER, bet=secret)
            table = table.restarted()
            yield "started again", table
        table.answers(3, bet="blue")
        table.answers(4, bet="green")
        yield f"all at line {line}", table
    assert table.says(phone(4), {"seat": 4, "retire": True, "reason": "tired"}).status == 200
    part = {"cars": {"red": {"owner": 1, "price": 3}}}
    assert table.says(REFEREE, {"correct": part, "reason": "a gift"}).status == 200
    yield "left and corrected", table
    table.answers(table.state["turn"], played={"finished": ["red"]})
    yield "revealed", table


def telling(secrets: Sequence[str]) -> Iterator[tuple[str, Evening]]:
    """The same where the table tells what happens; a car comes home between the last bets."""
    told = header(4, "no-powers")
    del told["house"]
    table = Evening(told)
    table.answers(0, pole=CARS)
    for number, car in enumerate(CARS):
        lot = {"car": car, "power": None, "seat": 1 + number % 4, "price": 2}
        table.answers(0, lot=lot)
    for line in (1, 2, 3):
        table.answers(0, played={"lines": 1})
        table.answers(OWNER, bet=secrets[line - 1])
        yield f"line {line}", table
        if line == 3:
            table.answers(0, played={"finished": [CARS[line]]})
        table.answers(1, bet="red")
        table.answers(3, bet="blue")
        table = table.restarted()
        table.answers(4, bet="green")
        yield f"all at line {line}", table
    table.answers(0, end=True)
    yield "revealed", table


def holding(secret: int) -> Iterator[tuple[str, Evening]]:
    """A hand that somebody enters for a seat, with all that people do around it; then the end."""
    data = header(3, "no-powers")
    data["seats"][OWNER - 1]["hand"] = "entered"
    last = [["red", 3]]
    hand = {"cards": [[["black", secret], ["wild", 1]]] * 13 + [last]}
    table = Evening(data)
    table.answers(0, pole=CARS)
    lacking = {"seat": OWNER, "hand": {"cards": hand["cards"][1:]}}
    assert table.says(REFEREE, lacking).status == 400
    twice = {"cards": [[["black", secret], ["black", 1]]] * 14}
    assert table.says(REFEREE, {"seat": OWNER, "hand": twice}).status == 400
    yield "refused", table
    assert table.says(phone(1), {"seat": OWNER, "hand": hand}).status == 200
    yield "entered", table
    table = table.restarted()
    yield "started again", table
    assert table.says(REFEREE, {"undo": 1}).status == 200
    yield "undone", table
    assert table.says(REFEREE, {"seat": OWNER, "hand": hand}).status == 200
    assert table.says(REFEREE, {"amend": 2, "value": list(reversed(CARS))}).status == 200
    yield "amended before it", table
    for car, owner in zip(CARS, (1, 1, 3, 3, 1), strict=False):
        table.answers(0, lot={"car": car, "power": None})
        for seat in [ask["seat"] for ask in table.asks if ask["kind"] == "bid"]:
            table.answers(seat, bid=bid(6 if seat == owner else 0, 1))
    table.answers(0, lot={"car": "red", "power": None})
    table.answers(OWNER, bid=bid(3, 1))
    yield "the auction", table
    table.answers(OWNER, card=last)
    yield "a card of it", table
    table.answers(0, end=True)
    yield "revealed", table


def seen(play: Play, secret: Any, caplog: pytest.LogCaptureFixture | None = None) -> Seen:
    """What everybody else could see at each step, the server's log too."""
    told = []
    last = None
    for step, table in play(secret):
        last = table
        told.append(
            (
                step,
                {**table.ways_out(OWNER), "log": caplog.text if caplog else ""},
                table.looked_at(OWNER),
            )
        )
    assert last is not None
    last.close()
    return told


def differences(one: Seen, other: Seen) -> list[str]:
    """The steps at which two tables differ, and in what."""
    found = []
    for (step, ways, _), (same, others, _) in zip_longest(one, other):
        assert step == same
        found += [f"{step}: {way}" for way in ways if ways[way] != others[way]]
    return found


def changed(one: Seen, other: Seen) -> set[str]:
    """The steps at which the tables differ for others; on the owner's screen they must before."""
    owners = [[own for *_, own in told[:2]] for told in (one, other)]
    assert owners[0] != owners[1], "nothing is compared: the secret is not even on its own screen"
    return {found.partition(":")[0] for found in differences(one, other)}


@pytest.fixture(scope="module")
def plain_bid() -> Seen:
    return seen(bidding, bid(1, 6))


@pytest.mark.slow
def test_df_bet_2_a_bet_is_told_to_nobody_where_no_cards_are_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    plain = seen(telling, ("black", "black", "black"))
    assert changed(plain, seen(telling, ("blue", "green", "yellow"), caplog)) == {"revealed"}


@pytest.fixture(scope="module")
def plain_bets() -> Seen:
    return seen(betting, ("black", "black", "black"))


@pytest.mark.parametrize("secret", [bid(0, 1), bid(8, 1), bid(5, 5, wild=True)], ids=str)
def test_df_bid_1_a_bid_is_told_to_nobody_before_all_are_in(
    secret: JSON, plain_bid: Seen, caplog: pytest.LogCaptureFixture
) -> None:
    assert changed(plain_bid, seen(bidding, secret, caplog)) == {"revealed"}


@pytest.mark.slow
@pytest.mark.parametrize("secret", [("blue", "green", "yellow"), ("orange", "red", "blue")])
def test_df_bet_2_a_bet_is_told_to_nobody_before_the_race_is_over(
    secret: tuple[str, ...], plain_bets: Seen, caplog: pytest.LogCaptureFixture
) -> None:
    assert changed(plain_bets, seen(betting, secret, caplog)) == {"revealed"}


@pytest.mark.slow
def test_df_card_1_a_hand_is_told_to_nobody_before_the_race_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """DF-CARD-1: not even to whoever entered it, once that is done."""
    found = differences(seen(holding, 6), seen(holding, 5, caplog))
    assert {one.partition(":")[0] for one in found} == {"revealed"}


def test_df_card_1_nobody_asks_what_a_hand_that_is_not_theirs_may_bid_or_play() -> None:
    """DF-CARD-1: what is legal for it would tell its cards one by one."""
    for step, table in holding(6):
        asked = [ask["kind"] for ask in table.asks]
        if step == "entered":
            break
    table.answers(0, lot={"car": "black", "power": None})
    for kind, value in (("bid", bid(6, 2, True)), ("card", [["red", 3]])):
        question = {"explain": {"seat": OWNER, kind: value}}
        assert table.says(phone(1), question).body["error"]["code"] == "illegal"
        assert table.says(phone(OWNER), question).status == 200
        assert table.says(REFEREE, question).status == 200
    table.close()
    assert asked == ["lot"]


def test_the_log_of_a_fault_of_ours_quotes_no_answer(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DF-BET-2: what went wrong with a bid is looked for where it went wrong, not in the bid."""
    table = Evening(header())
    table.answers(0, pole=CARS)
    table.answers(0, lot={"car": "green", "power": "sly"})

    def fail(line: JSON) -> JSON:
        raise ValueError(f"cannot take {line}")

    assert table.room.state.race is not None
    monkeypatch.setattr(table.room.state.race.engine, "carry_out", fail)
    reply = table.says(phone(OWNER), {"seat": OWNER, "bid": bid(4321)})
    assert (reply.status, reply.body["error"]["key"]) == (500, "fault")
    assert "ValueError" in caplog.text
    assert "4321" not in caplog.text + str(reply.body)
    table.close()


def test_a_public_face_never_has_the_number_of_another_picture_of_its_seat() -> None:
    """A phone that is told the number of the picture which it shows keeps that picture."""
    table = Evening(header())
    moments: list[tuple[int, int]] = []
    table.room.session.watch(
        lambda shot: moments.append((shot.private[OWNER].number, shot.public[OWNER].number))
    )
    table.answers(0, pole=CARS)
    for car, power in (("green", "sly"), ("red", "cunning"), ("blue", "determined")):
        table.answers(0, lot={"car": car, "power": power})
        for seat in (1, 2, 3, 4):
            table.presses(seat, bid=bid(1, 4) if seat == OWNER else bid(0, 1))
    table.close()
    numbers = {own for own, _ in moments}
    issued = [now for before, now in pairwise(moments) if before[1] != now[1]]
    assert len(issued) > 6
    assert [told for own, told in issued if told != own and told in numbers] == []
    assert len({told for _, told in issued}) == len(issued), "and no number comes twice"
