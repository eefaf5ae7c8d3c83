"""The powers: whoever has won several keeps one (DF-BID-6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from companion.frozen import dataclass
from companion.rules.downforce.asks import KeepAsk
from companion.rules.downforce.race import RaceBegan
from companion.rules.downforce.refuse import illegal
from companion.rules.downforce.state import TABLE, Event, Flow, Phase, SeatsStep, State
from companion.rules.game import Ask
from companion.rules.reading import bad


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerKept(Event):
    """A seat keeps this power of those it won."""

    power: str

    def applied(self, state: State) -> State:
        player = replace(state.players[self.seat], powers=(self.power,))
        return state.with_player(self.seat, player)


@dataclass(frozen=True, kw_only=True)
class Keep(SeatsStep):
    """These seats have powers to choose from; in the race one who came back."""

    kind = "keep"
    rule = "DF-BID-6"
    phases = (Phase.POWERS, Phase.RACE)

    def asks(self, state: State) -> Sequence[Ask]:
        return [KeepAsk(seat, powers=state.players[seat].powers) for seat in self.seats]

    def answer(self, flow: Flow, seat: int, value: object) -> None:
        powers = flow.state.players[seat].powers
        won = ", ".join(powers)
        if not isinstance(value, str) or value not in flow.state.setup.powers:
            bad("no-such-power", f"keep is one of {won}, not {value!r:.40}", known=won)
        if value not in powers:
            illegal("power-not-won", f"seat {seat} has won {won}, not {value}", self.rule,
                seat=seat, power=value)  # fmt: skip
        flow.instead(self.answered(seat))
        flow.emit(PowerKept(seat=seat, rule=self.rule, power=value))

    def check(self, state: State) -> None:
        super().check(state)
        if any(len(state.players[seat].powers) < 2 for seat in self.seats):
            bad("pending-form", "who keeps a power has two or more", rule=self.rule)


def go_on(flow: Flow) -> None:
    """Powers are kept, then the cars are off."""
    keepers = tuple(s for s in flow.state.here() if len(flow.state.players[s].powers) > 1)
    if keepers:
        flow.first(Keep(seats=keepers))
    else:
        flow.emit(RaceBegan(seat=TABLE, rule="DF-TURN-1"))
