"""The two Formula games as `Game`: one body of rules, an edition each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from companion.rules.board.card import NO_BOARD
from companion.rules.board.track import Track
from companion.rules.codec import Context
from companion.rules.commands import Correct, Referee
from companion.rules.errors import Refusal
from companion.rules.formula.asks import KINDS
from companion.rules.formula.car import Status
from companion.rules.formula.decide import asks, decide
from companion.rules.formula.edition import Edition
from companion.rules.formula.edition_d import FORMULA_D
from companion.rules.formula.edition_de import FORMULE_DE
from companion.rules.formula.elsewhere import elsewhere
from companion.rules.formula.header import read_header
from companion.rules.formula.pace import timing
from companion.rules.formula.referee import referee
from companion.rules.formula.setup import begin
from companion.rules.formula.state import Event, Phase, State
from companion.rules.formula.tell import tell_state
from companion.rules.game import Answer, Ask, Decision, Outline

if TYPE_CHECKING:
    from companion.rules.explain import Explanation


class _Ids:
    """While it is open a refusal names its rule by the id that it has in this edition."""

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        if isinstance(error, Refusal):
            error.rule = self._edition.rule(error.rule)


class Formula:
    """The rules of an edition; see `companion.rules.game.Game`."""

    needs_track = True
    plays_boardless = True
    kinds = KINDS

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = edition.name
        self._ids = _Ids(edition)
        self._context = Context(categories=edition.categories)

    def begin(self, header: Mapping[str, object], track: Track | None) -> Decision[State, Event]:
        """The events that open the race, the first of which sets its state.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        with self._ids:
            return begin(read_header(header, track or NO_BOARD, self.edition))

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Decision[State, Event]:
        """What follows from an answer."""
        with self._ids:
            return decide(state, answer, asks)

    def explain(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Explanation:
        """Why an answer is, or is not, legal now."""
        from companion.rules.formula.explain import explain  # only where somebody asks why

        found = explain(state, answer, asks)
        rules = tuple(str(self.edition.rule(rule)) for rule in found.rules)
        return replace(found, rules=rules)

    def referee(self, state: State, command: Referee) -> Decision[State, Event]:
        """What follows from a referee's command."""
        with self._ids:
            return referee(state, command)

    def tell(self, state: State) -> dict[str, object]:
        """STATE of the engine protocol."""
        return tell_state(state)

    def public(self, events: Iterable[Event]) -> list[dict[str, object]]:
        """The events as the engine protocol tells them."""
        return [event.as_json(self._context) for event in events if event.public]

    def visible(self, state: State) -> State:
        """All of it: at a race everything is open."""
        return state

    def own(self, state: State, seat: int) -> None:
        """Nothing."""

    def seats(self, state: State) -> frozenset[int]:
        """The seats of the race."""
        return frozenset(state.cars)

    def outline(self, state: State) -> Outline:
        """A watch runs in time trials; whoever is home or out has no part any more."""
        home = (Status.FINISHED, Status.OUT)
        racing = [car.seat for car in state.cars.values() if car.status not in home]
        return Outline(
            phase=state.phase,
            is_over=state.phase is Phase.FINISHED,
            round=state.round,
            on_trial=state.phase is Phase.TRIALS,
            mover=state.turn,
            bystanders=frozenset(car.seat for car in state.cars.values() if car.status in home),
            alone=racing[0] if len(racing) == 1 < len(state.cars) else None,
            timing=timing(state.setup),
        )

    def elsewhere(
        self, state: State, asks: Sequence[Ask], seat: int, space: str
    ) -> Answer | Correct:
        """What says that the car of a seat stands at this space."""
        return elsewhere(state, asks, seat, space)


FormulaD: Final = partial(Formula, FORMULA_D)
FormuleDe: Final = partial(Formula, FORMULE_DE)
