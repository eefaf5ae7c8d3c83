"""The two Formula games as `Game`: one body of rules, an edition each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

from companion.rules.board.card import NO_BOARD
from companion.rules.board.track import Track
from companion.rules.codec import Context
from companion.rules.errors import Refusal
from companion.rules.formula.decide import asks, decide
from companion.rules.formula.edition import Edition
from companion.rules.formula.edition_d import FORMULA_D
from companion.rules.formula.edition_de import FORMULE_DE
from companion.rules.formula.event import Event
from companion.rules.formula.header import read_header
from companion.rules.formula.referee import referee
from companion.rules.formula.setup import begin
from companion.rules.formula.state import State
from companion.rules.formula.tell import tell_state
from companion.rules.game import NO_SECRETS, Answer, Ask, Decision


class Formula:
    """The rules of an edition; see `companion.rules.game.Game`."""

    needs_track = True
    plays_boardless = True
    revealed_by = NO_SECRETS

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.name = edition.name

    @contextmanager
    def _ids(self) -> Iterator[None]:
        """A refusal names the rule by the id that it has in this edition."""
        try:
            yield
        except Refusal as refusal:
            refusal.rule = self.edition.rule(refusal.rule)
            raise

    def begin(self, header: Mapping[str, object], track: Track | None) -> Decision[State, Event]:
        """The events that open the race, the first of which sets its state.

        Raises:
            Malformed: a header that breaks a rule or contradicts itself.
        """
        with self._ids():
            return begin(read_header(header, track or NO_BOARD, self.edition))

    def asks(self, state: State) -> Sequence[Ask]:
        """Every open ask."""
        return asks(state)

    def decide(self, state: State, answer: Answer, asks: Sequence[Ask]) -> Decision[State, Event]:
        """What follows from an answer."""
        with self._ids():
            return decide(state, answer, asks)

    def referee(self, state: State, line: Mapping[str, object]) -> Decision[State, Event]:
        """What follows from a referee's line."""
        with self._ids():
            return referee(state, line)

    def evolve(self, state: State, event: Event) -> State:
        """The state after one event."""
        return event.applied(state)

    def tell(self, state: State) -> dict[str, object]:
        """STATE of the engine protocol."""
        return tell_state(state)

    def public(self, events: Iterable[Event]) -> list[dict[str, object]]:
        """The events as the engine protocol tells them."""
        context = Context(categories=self.edition.categories)
        return [event.as_json(context) for event in events if event.public]

    def secrets(self, state: State, seat: int) -> dict[str, object]:
        """Nothing: at a race everything is open."""
        return {}

    def seats(self, state: State) -> frozenset[int]:
        """The seats of the race."""
        return frozenset(state.cars)


FormulaD: Final = partial(Formula, FORMULA_D)
FormuleDe: Final = partial(Formula, FORMULE_DE)
