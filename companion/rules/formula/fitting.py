"""Which tires are fitted: before the race, and in the box (FD-TIRE-1, FD-TIRE-7)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asks import TiresAsk
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.state import Phase, State
from companion.rules.formula.step import AllSaid, Point
from companion.rules.formula.tables import TIRE_KINDS
from companion.rules.game import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class TiresFitted(Event):
    """A kind of tires was chosen; they are in their first lap."""

    tires: str

    def applied(self, state: State) -> State:
        return state.change(self.seat, tires=self.tires, tires_lap=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tires(AllSaid):
    """Who still chooses tires: all before the race, one car in its box."""

    kind: ClassVar[str] = "tires"
    at: ClassVar[Point] = Point.TIRES
    rule: ClassVar[str] = "FD-TIRE-1"
    needs: ClassVar[frozenset[str]] = frozenset({"tires"})
    before_race: ClassVar[bool] = True

    def asks(self, state: State) -> Sequence[Ask]:
        return [TiresAsk(seat) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        """FD-TIRE-1; in the box FD-TIRE-7."""
        if not isinstance(value, str):
            known = ", ".join(TIRE_KINDS)
            raise Malformed("tires-form", f"tires is one of {known}, not {value!r:.60}")
        if value not in TIRE_KINDS:
            raise Illegal(
                "no-such-tires",
                f"tires is one of {', '.join(TIRE_KINDS)}, not {value!r:.40}",
                rule="FD-TIRE-1",
                args={"tires": value[:40]},
            )
        self.strike(flow, ask.seat)
        rule = "FD-TIRE-7" if flow.state.phase is Phase.RACE else "FD-TIRE-1"
        flow.tell(TiresFitted(seat=ask.seat, rule=rule, tires=value))
