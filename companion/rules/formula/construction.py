"""Cars that are constructed before the race (FD-BUILD-1, DE-CAR-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from companion.rules.codec import Points
from companion.rules.errors import Illegal, Malformed
from companion.rules.formula.asks import BuildAsk
from companion.rules.formula.edition import Edition
from companion.rules.formula.event import Event
from companion.rules.formula.flow import Flow
from companion.rules.formula.refuse import whole_number
from companion.rules.formula.state import State
from companion.rules.formula.step import AllSaid, Point
from companion.rules.formula.tables import BUILD_POINTS
from companion.rules.formula.wear import Wear
from companion.rules.game import Ask


@dataclass(frozen=True, slots=True, kw_only=True)
class CarBuilt(Event):
    """A car was constructed: all its wear points."""

    wear: Annotated[Wear, Points()]

    def applied(self, state: State) -> State:
        return state.change(self.seat, wear=self.wear, full=self.wear)


@dataclass(frozen=True, slots=True, kw_only=True)
class Build(AllSaid):
    """Who still constructs a car; all at once."""

    kind: ClassVar[str] = "build"
    at: ClassVar[Point] = Point.BEFORE_THE_RACE
    rule: ClassVar[str] = "FD-BUILD-1"
    needs: ClassVar[frozenset[str]] = frozenset({"build", "advanced"})
    before_race: ClassVar[bool] = True

    def asks(self, state: State) -> Sequence[Ask]:
        edition = state.setup.edition
        limits = dict(zip(edition.categories, edition.build_limits, strict=True))
        return [BuildAsk(seat, BUILD_POINTS, limits) for seat in self.seats]

    def answer(self, flow: Flow, ask: Ask, value: Any) -> None:
        wear = _construction(flow.state.setup.edition, value)
        self.strike(flow, ask.seat)
        flow.tell(CarBuilt(seat=ask.seat, rule=self.rule, wear=wear))


def _construction(edition: Edition, value: Any) -> Wear:
    """The wear points of an answer.

    Raises:
        Malformed: not a whole number for each category.
        Illegal: beyond the bounds of a category, or another sum than the points given.
    """
    categories = edition.categories
    if not isinstance(value, Mapping) or set(value) != set(categories):
        raise Malformed(
            "build-form",
            f"build names all of {', '.join(categories)}, not {value!r:.60}",
            rule="FD-BUILD-1",
        )
    wear = tuple(whole_number(name, value[name]) for name in categories)
    for name, points, (low, high) in zip(categories, wear, edition.build_limits, strict=True):
        if not low <= points <= high:
            raise Illegal(
                "build-limits",
                f"{name} is {low} to {high} points, not {points}",
                rule="FD-BUILD-1",
                args={"category": name, "points": points, "low": low, "high": high},
            )
    if sum(wear) != BUILD_POINTS:
        raise Illegal(
            "build-points",
            f"a car is built of {BUILD_POINTS} points, not of {sum(wear)}",
            rule="FD-BUILD-1",
            args={"points": BUILD_POINTS, "given": sum(wear)},
        )
    return wear
