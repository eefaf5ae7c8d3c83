"""Downforce as a `Game`: who is asked now, what an answer brings about, and what comes next.

The referee's commands stand here, and what people forget, worked out: the next bet, what a car
would earn, what each thing brought.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion.rules import lines
from companion.rules.board.track import Track
from companion.rules.downforce import auction, cards, ending, race
from companion.rules.downforce.asks import KINDS, EndAsk, PlayedAsk
from companion.rules.downforce.bets import Bets, bet_money, classification, sheets
from companion.rules.downforce.header import (
    DERIVED,
    Own,
    own,
    read_header,
    read_state,
    tell_state,
    visible,
)
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, State, Step
from companion.rules.downforce.tables import BET_MONEY, CARS, LINES, RACE_MONEY, race_pay
from companion.rules.game import JSON, Ask, Decision, Explanation, Outline, by_trying, not_asked


class RaceSet(Event):
    """A game was set up, or set half-way by a position: the whole state that it begins with."""

    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self) -> dict[str, object]:
        """Only that a game began; what it began with is STATE."""
        rules = sorted(self.state.setup.rules)
        return {"event": "RaceSet", "seat": TABLE, "rule": self.rule, "rules": rules}


STEPS, EVENTS = Step.kinds, Event.names
"""All kinds of steps, and of public events, by their names."""


class Downforce:
    """The rules of Downforce; see `companion.rules.game.Game`."""

    name = "downforce"
    needs_track = False
    plays_boardless = True
    kinds = KINDS

    def begin(self, header: JSON, track: Track | None) -> Decision[State, Event]:
        """The events that open the game, and the state after them.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        blank, position = read_header(header)
        state = blank if position is None else read_state(blank, position)
        flow = Flow(state)
        flow.emit(RaceSet(seat=TABLE, rule=None, state=state))
        return _resumed(flow)

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask, in the order in which a table would take them."""
        if not state.pending:
            return []
        of_table = (race.table_ask(state), ending.ask(state)) if ending.goes_on(state) else ()
        return [*state.pending[0].asks(state), *(ask for ask in of_table if ask is not None)]

    def decide(
        self, state: State, answer: lines.Answer, asks: Sequence[Ask]
    ) -> Decision[State, Event]:
        """What follows from an answer, down to the next ask.

        Raises:
            Illegal: nobody asked this seat that, or the value is not on offer.
            Malformed: the value is not of the kind's form.
        """
        if (answer.seat, answer.kind) not in {(ask.seat, ask.kind) for ask in asks}:
            _refuse_unasked(state, answer)
            raise not_asked(answer, asks, RULES.get(answer.kind))
        flow = Flow(state)
        if answer.kind == EndAsk.kind:
            ending.answer(flow, answer.value)
        elif answer.kind == PlayedAsk.kind and answer.seat == TABLE:
            race.tell(flow, answer.value)
        else:
            state.pending[0].answer(flow, answer.seat, answer.value)
        return _settled(flow)

    def explain(self, state: State, answer: lines.Answer, asks: Sequence[Ask]) -> Explanation:
        """Why an answer is, or is not, legal now."""
        return by_trying(lambda: self.decide(state, answer, asks))

    def referee(self, state: State, command: lines.Referee) -> Decision[State, Event]:
        """What follows from a referee's command."""
        return referee(state, command)

    def tell(self, state: State) -> dict[str, object]:
        """STATE of the engine protocol, secrets left out."""
        return tell_state(state)

    def public(self, events: Iterable[Event]) -> list[dict[str, object]]:
        """The events as the engine protocol tells them, secrets left out."""
        return [event.as_json() for event in events if event.public]

    def visible(self, state: State) -> State:
        """The state without the bids that are face down and the bets before their reveal."""
        return visible(state)

    def own(self, state: State, seat: int) -> Own | None:
        """What only this seat may see: its bets, and its bid that is face down."""
        return own(state, seat)

    def seats(self, state: State) -> frozenset[int]:
        """The seats that may answer; 0 is the table."""
        return frozenset((TABLE, *state.players))

    def outline(self, state: State) -> Outline:
        """Players who have left have no part to play any more."""
        return Outline(
            phase=state.phase,
            is_over=state.phase is Phase.FINISHED,
            round=0,
            on_trial=False,
            mover=state.turn,
            bystanders=frozenset(seat for seat, one in state.players.items() if one.left),
        )

    def turns_left(self, state: State, begun: State, had: Mapping[int, int]) -> None:
        """Nobody knows."""

    def elsewhere(
        self, state: State, asks: Sequence[Ask], seat: int, space: str
    ) -> lines.Answer | lines.Correct:
        """The companion does not know this board."""
        raise lines.no_such_space(space)


# -- why nobody asks that -------------------------------------------------------------------------

RULES: Mapping[str, str] = {
    "pole": "DF-SETUP-1",
    "lot": "DF-SETUP-1",
    "bid": "DF-BID-1",
    "award": "DF-BID-2",
    "keep": "DF-BID-6",
    "hand": "DF-CARD-1",
    "card": "DF-CARD-3",
    "played": "DF-TURN-1",
    "bet": "DF-BET-1",
    "end": "DF-END-1",
    "standing": "DF-VAR-3",
}
"""By kind of ask: the rule that says when it is asked."""


def _refuse_unasked(state: State, answer: lines.Answer) -> None:
    """Refuse a card out of turn or without a car, and a bet without a line, by their own reasons.

    Raises:
        Illegal: with the rule by which it is not this seat's moment.
    """
    player = state.players.get(answer.seat)
    if state.phase is not Phase.RACE or player is None:
        return
    if answer.kind in ("played", "card") and state.setup.counts:
        cars = state.cars_of(answer.seat)
        if cars and all(state.cars[car].place is not None for car in cars):
            lines.refuse("cars-home", "all its cars are home: it plays no card", rule="DF-TURN-2")
        if state.turn not in (None, answer.seat):
            turn = state.turn
            lines.refuse("other-turn", f"seat {turn} is on turn", rule="DF-TURN-1", turn=turn)
    if answer.kind == "bet" and not state.setup.plays("no-bets"):
        if not state.lines:
            lines.refuse("no-line-yet", "no line has been crossed yet", rule="DF-BET-1")
        # Not yet made it waits for how the cars stand (DF-CARD-4).
        if (made := len(player.bets)) >= state.lines:
            lines.refuse("bet-made", f"its bet on line {made} is made", rule="DF-BET-1", line=made)


# -- the course of a game -------------------------------------------------------------------------

CHAPTERS = {
    Phase.AUCTION: auction.go_on,
    Phase.POWERS: ending.go_on_with_powers,
    Phase.RACE: ending.go_on,
}
"""What goes on in each phase where nothing is pending."""


def _settled(flow: Flow) -> Decision[State, Event]:
    """Go on until the first step of the queue waits for somebody, or the game is over."""
    while flow.state.phase is not Phase.FINISHED:
        if lost := _hands_to_enter(flow):
            flow.first(cards.Hands(seats=lost))
        elif not flow.queue:
            CHAPTERS[flow.state.phase](flow)
        elif not flow.queue[0].settle(flow):
            return flow.done()
    flow.queue.clear()
    return flow.done()


def _hands_to_enter(flow: Flow) -> tuple[int, ...]:
    """The seats whose hand is wanted now: once there is a grid, as long as cards are played.

    A card that is turned up already is played first (DF-CARD-1).
    """
    state, first = flow.state, flow.queue[0] if flow.queue else None
    is_counted = any(isinstance(step, ending.Count) for step in flow.queue)
    is_turned = isinstance(first, race.Play) and first.card is not None
    if not state.grid or is_counted or is_turned or isinstance(first, cards.Hands):
        return ()
    racing = state.phase is Phase.RACE
    return tuple(s for s in cards.unknown(state) if not racing or race.can_play(state, s))


def _resumed(flow: Flow) -> Decision[State, Event]:
    """Go on from a state that was set: with its open steps, or with the seat on turn."""
    state = flow.state
    if state.phase is Phase.RACE and not flow.queue and state.turn is not None:
        flow.first(race.Play(seat=state.turn))
    return _settled(flow)


# -- the referee's commands -----------------------------------------------------------------------


class Corrected(Event):
    """The referee set this state; what was changed is STATE."""

    reason: str
    state: State

    def applied(self, state: State) -> State:
        return self.state

    def as_json(self) -> dict[str, object]:
        """Only that there was a correction."""
        return {"event": "Corrected", "seat": TABLE, "rule": None, "reason": self.reason}


def referee(state: State, command: lines.Referee) -> Decision[State, Event]:
    """What follows from a referee's command.

    Raises:
        Malformed: a correction contradicts itself.
        Illegal: it makes no sense now.
    """
    flow = Flow(state)
    match command:
        case lines.Correct():
            return _correct(state, command)
        case lines.Retire():
            ending.leave(flow, command.seat, command.reason or "")
        case lines.Return():
            ending.come_back(flow, command.seat)
        case lines.Join():
            raise lines.Illegal("no-late-join", "all cars have been sold: nobody comes in late")
        case lines.Flag() | lines.Bell():
            raise lines.Illegal("no-clock", "downforce is played without a clock")
        case lines.End():
            if state.phase is Phase.FINISHED:
                raise lines.Illegal("race-over", "the race is over")
            ending.end_race(flow, ending.Why.STOPPED)
    return _settled(flow)


def _correct(state: State, command: lines.Correct) -> Decision[State, Event]:
    """Merge a part of STATE into the state; all else stays, secrets and open steps too."""
    part = command.part
    whole = tell_state(state)
    data = lines.merged(_without_derived(state, part.get("players")), part)
    # The card that is awaited is of the turn before; `_resumed` asks the new seat for one.
    if "turn" in part and "pending" not in part:
        data["pending"] = [step for step in whole.get("pending", []) if step["step"] != "play"]
    corrected = read_state(replace(state, pending=(), turn=None), data, state)
    flow = Flow(corrected)
    flow.emit(Corrected(seat=TABLE, rule=None, reason=command.reason or "", state=corrected))
    return _resumed(flow)


def _without_derived(state: State, corrected: object) -> dict[str, Any]:
    """STATE without what is worked out: it will follow from what is corrected."""
    data, by_seat = tell_state(state), corrected if isinstance(corrected, dict) else {}
    players = {}
    for seat, part in data["players"].items():
        follows = _followed(state, seat, by_seat.get(seat))
        players[seat] = {key: value for key, value in part.items() if key not in follows}
    data = {key: value for key, value in data.items() if key != "classification"}
    return {**data, "players": players}


def _followed(state: State, seat: str, part: object) -> frozenset[str]:
    """What is worked out of a player: of counted cards who has none, and full hands."""
    if not state.setup.counts:
        return DERIVED
    is_given = isinstance(part, dict) and "out_of_cards" in part
    follows = is_given or state.players[int(seat)].hand is None
    return DERIVED | {"out_of_cards"} | ({"hand"} if follows else frozenset())


# -- what people forget, worked out ---------------------------------------------------------------


def asked_bet(state: State) -> int | None:
    """The line whose bet is being made; None where nobody is asked for one (DF-BET-1)."""
    step = state.pending[0] if state.pending else None
    return step.number if isinstance(step, Bets) else None


def next_bet(state: State) -> int | None:
    """The line that opens the next bet; None where no bet is to come (DF-BET-1)."""
    if state.setup.plays("no-bets") or state.lines >= LINES:
        return None
    return state.lines + 1


def bet_pays(number: int) -> tuple[int, ...]:
    """What a bet pays for the car that comes 1st, 2nd, 3rd (DF-PAY-2)."""
    return BET_MONEY[number - 1]


def next_pays(state: State) -> int | None:
    """What the next car over the line earns (DF-PAY-1); None where none is to come."""
    home = len(state.placed())
    if home == len(CARS) or state.setup.plays("long-distance"):
        return None
    return RACE_MONEY[home]


def car_pays(state: State, car: str) -> int | None:
    """What a car has earned, or would if it were the next one home (DF-PAY-1)."""
    place = state.cars[car].place
    return next_pays(state) if place is None else race_pay(place)


def car_brought(state: State, car: str) -> int:
    """What a car came to: the money of its place less its price (DF-PAY-3)."""
    return race_pay(state.cars[car].place) - (state.cars[car].price or 0)


def bets_brought(state: State, seat: int) -> tuple[int, ...]:
    """What each bet of a seat brought, once the race is over (DF-PAY-2)."""
    bets, places = state.players[seat].bets, {name: car.place for name, car in state.cars.items()}
    # Earlier bets are left empty, so that each is paid by its own line (DF-PAY-2).
    return tuple(bet_money((*(None,) * at, bet), places) for at, bet in enumerate(bets))


def money_disagrees(state: State) -> bool:
    """Whether somebody stands before one who has more: the first car home wins (DF-VAR-1)."""
    if state.phase is not Phase.FINISHED:
        return False
    totals = [sum(one.total for one in sheets(state, seat)) for _, seat in classification(state)]
    return totals != sorted(totals, reverse=True)
