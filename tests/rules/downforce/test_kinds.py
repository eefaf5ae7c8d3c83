"""Steps, events and asks are kinds, each complete; no secret is in what all may see."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import Any

import pytest
from support.downforce.table import Table, bid, header, racing
from support.downforce.walk import Walk
from support.each import in_one

from companion.rules.downforce.asks import KINDS
from companion.rules.downforce.auction import Bids
from companion.rules.downforce.game import EVENTS, STEPS, Downforce
from companion.rules.downforce.header import Own, own, visible
from companion.rules.downforce.state import Bid, Event, Lot, State
from companion.rules.downforce.tables import NO_BET
from companion.rules.lines import Answer

GAME = Downforce()


@in_one("event", EVENTS.values(), ids=EVENTS)
def test_an_event_has_no_field_that_may_be_left_out(event: type[Event]) -> None:
    missing = {(one.default, one.default_factory) for one in fields(event)}
    assert missing == {(MISSING, MISSING)}
    with pytest.raises(TypeError):
        event()  # type: ignore[call-arg]


@in_one("kind", STEPS)
def test_a_step_has_a_rule_and_a_phase_to_wait_in(kind: str) -> None:
    step = STEPS[kind]
    assert (step.kind, step.rule[:3]) == (kind, "DF-")
    assert step.phases


def test_what_reveals_a_secret_answer_is_an_event() -> None:
    """DF-BID-1, DF-BET-2, DF-CARD-1: of the kinds of asks three are secret."""
    secrets = {kind: ask.revealed_by for kind, ask in KINDS.items() if ask.revealed_by}
    assert secrets == {"hand": "HandsRevealed", "bid": "BidsRevealed", "bet": "BetsRevealed"}
    assert set(secrets.values()) <= set(EVENTS)
    assert list(KINDS) == [ask.kind for ask in KINDS.values()]


def test_random_games_meet_every_kind_of_step_and_ask() -> None:
    """What no game meets would be tested by nobody."""
    steps: set[str] = set()
    kinds: set[str] = set()
    for number in (0, 6, 9, 21, 66, 204, 257):
        walk = Walk(number)
        while not walk.over:
            steps |= {step["step"] for step in walk.table.state["pending"]}
            kinds |= {ask["kind"] for ask in walk.table.asks}
            walk.step()
    assert kinds == set(KINDS)
    assert steps == set(STEPS)


def test_a_decision_gives_the_state_that_its_events_lead_to() -> None:
    """Each event is applied once, while it happens; the journal of events comes to the same."""
    walk = Walk(5)
    while not walk.over:
        state: State = walk.table.engine.moment
        ask = walk.table.engine.asks()[0]
        answer = Answer(ask["seat"], ask["kind"], walk.value(ask))
        decision = GAME.decide(state, answer, GAME.asks(state))
        for event in decision.events:
            state = event.applied(state)
        assert state == decision.state
        walk.step()


# -- secrets ------------------------------------------------------------------------------


def bidding(secret: dict[str, Any]) -> State:
    table = Table()
    table.pole()
    table.lot("red", "sly")
    table.plays(2, bid=secret)
    return table.engine.moment  # type: ignore[no-any-return]


def betting(car: str) -> State:
    table = racing()
    table.card(lines=1)
    table.bets({1: car, 3: car})
    return table.engine.moment  # type: ignore[no-any-return]


def test_what_all_may_see_does_not_depend_on_bids_and_bets() -> None:
    """DF-BID-1, DF-BET-2: states that differ in secrets alone are one for everybody."""
    for one, two in ((bidding(bid(3)), bidding(bid(6))), (betting("red"), betting("blue"))):
        assert one != two
        assert visible(one) == visible(two)


def test_who_has_bid_or_bet_is_seen_in_the_state_for_all() -> None:
    """DF-BID-1, DF-BET-1."""
    (step,) = visible(bidding(bid(3))).pending
    assert step == Bids(lot=Lot("red", "sly"), seats=(1, 3, 4), bids={2: None}, again=False)
    players = visible(betting("red")).players
    assert [player.bets for player in players.values()] == [(None,), (), (None,), ()]


def test_that_a_seat_had_left_at_a_line_is_no_secret() -> None:
    """DF-BET-1."""
    state = betting("red")
    state = state.with_player(4, replace(state.players[4], bets=(NO_BET,)))
    assert visible(state).players[4].bets == (NO_BET,)


def test_a_seat_sees_its_own_bid_and_bets_and_nobody_elses() -> None:
    """DF-BET-2."""
    state = bidding(bid(3, 5))
    assert own(state, 2) == Own(bets=(), bid=Bid(3, 5, wild=False))
    assert own(state, 1) == Own(bets=())
    assert own(betting("red"), 3) == Own(bets=("red",))
    assert own(state, 0) is own(state, 9) is None


def test_after_the_race_nothing_is_hidden() -> None:
    """DF-BET-2."""
    table = racing()
    table.card(lines=1)
    table.bets(dict.fromkeys((1, 2, 3, 4), "red"))
    table.plays(0, end=True)
    state = table.engine.moment
    assert visible(state) == state


def test_who_has_left_is_a_bystander() -> None:
    table = Table(header(3))
    assert GAME.outline(table.engine.moment).bystanders == frozenset()
    table.says({"seat": 2, "retire": True})
    assert GAME.outline(table.engine.moment).bystanders == {2}
