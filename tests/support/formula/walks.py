"""A walk through a race: answers, mistakes and the referee, drawn from a seeded random.

The walk remembers what the engine showed after each accepted line, and after each step holds
the engine to it: what is taken back is exactly what was, and a refused line leaves no trace.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from random import Random
from typing import Any

import pytest

from companion.race.engine import Engine
from companion.rules.board.broken_ways import Explanation
from companion.rules.formula import moves
from companion.rules.games import AnyGame, fetch
from companion.rules.lines import Answer, InRace, Refusal, Undo
from companion.system.frozen import dataclass
from support.formula import careful
from support.formula.invariants import RUNNING, VITAL, check_all, full_of
from support.formula.scenes import LIBRARY

STARTS = ("grid", "start", "weather", "position")
"""What a position stands in for."""

Shown = tuple[dict[str, Any], list[dict[str, Any]]]


def without_since(asks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Asks as they are equal over a restart and over taking back."""
    return [{key: value for key, value in ask.items() if key != "since"} for ask in asks]


EXPLAINED = 6
"""Values of each ask that are explained."""


@dataclass
class Walk:
    """One engine, and what it showed after each accepted line that still stands."""

    seed: int
    header: dict[str, Any]
    boldness: float = 0.1
    """The share of answers drawn blindly from the options."""
    library: Any = LIBRARY
    engine: Engine = field(init=False)
    dice: Random = field(init=False)
    shown: list[Shown] = field(init=False)

    def __post_init__(self) -> None:
        self.dice = Random(self.seed)
        self.engine = Engine(self.library)
        self.must({"new": self.header})
        self.shown = [self.look()]

    def look(self) -> Shown:
        """State and asks, as they are equal over time."""
        state = self.engine.state()
        assert state is not None
        return state, without_since(self.engine.asks())

    def must(self, line: dict[str, Any]) -> dict[str, Any]:
        """A line that must be accepted."""
        version = self.engine.version
        reply = self.engine.handle(line)
        assert reply["ok"], f"seed {self.seed}: {line} refused: {reply['error']['message']}"
        assert reply["version"] == self.engine.version == version + 1
        return reply

    def accept(self, line: dict[str, Any]) -> None:
        """A line that is accepted and stands until it is taken back."""
        before, moment = copy.deepcopy(self.shown[-1][0]), self.engine.moment
        self.must(line)
        assert self.game.tell(moment) == before, f"{line} changed a state that had been"
        self.shown.append(self.look())
        self.hold()

    def hold(self) -> None:
        """What must hold in every state."""
        check_all(*self.shown[-1])

    @property
    def game(self) -> AnyGame:
        """The rules that the header names."""
        return fetch(self.header["game"])

    @property
    def over(self) -> bool:
        """Whether nothing is asked any more."""
        return not self.engine.asks()

    # -- one step ------------------------------------------------------------------------

    def answer(self) -> None:
        """Answer one of the open asks."""
        ask = self.dice.choice(self.engine.asks())
        self.accept({"seat": ask["seat"], ask["kind"]: self.value(ask)})

    def value(self, ask: dict[str, Any]) -> Any:
        """An answer: mostly a careful driver's, sometimes any that does not put a car out."""
        if self.dice.random() >= self.boldness:
            return careful.answer(ask, self.engine.moment, self.dice)
        options = [o for o in listed(ask) if not (isinstance(o, dict) and o.get("out"))]
        return spoken(self.dice.choice(options or listed(ask)))

    def undo(self, count: int) -> None:
        """Take lines back: state and asks are exactly what they were."""
        self.must({"undo": count})
        del self.shown[-count:]
        assert self.look() == self.shown[-1], f"seed {self.seed}: undo {count} gave another state"

    def blunder(self) -> None:
        """Say something wrong: unless it happens to be right, nothing changes."""
        line = self.wrong_line()
        before = (self.look(), self.engine.asks(), self.engine.version, len(self.engine.lines))
        reply = self.engine.handle(line)
        if reply["ok"]:
            assert self.engine.version == before[2] + 1
            self.shown.append(self.look())
            self.hold()
            return
        after = (self.look(), self.engine.asks(), self.engine.version, len(self.engine.lines))
        assert before == after, f"seed {self.seed}: refused {line} left a trace"

    def wrong_line(self) -> dict[str, Any]:
        """An answer of which something has been changed."""
        asks = self.engine.asks()
        ask = self.dice.choice(asks) if asks else {"seat": 1, "kind": "gear", "options": [1]}
        line = {"seat": ask["seat"], ask["kind"]: spoken(self.dice.choice(listed(ask)))}
        junk = (None, True, -1, 0, 7, 21, 3.5, "3", [], [1], {}, {"to": "S1.l1"}, "x" * 1000)
        match self.dice.randrange(6):
            case 0:
                line[ask["kind"]] = self.dice.choice(junk)
            case 1:
                line["seat"] = self.dice.choice((*junk, 1, 2, 3))
            case 2:
                line["version"] = self.dice.choice(junk)
            case 3:
                line[self.dice.choice(("gear", "pit", "undo", "extra", "state"))] = 1
            case 4:
                line = {"seat": ask["seat"], self.dice.choice(("black", "move", "roll")): 3}
            case _:
                line = {"correct": {"cars": {"1": {"space": self.dice.choice(junk)}}}}
        return line

    def refer(self) -> None:
        """One of the referee's lines, where it makes sense."""
        state = self.shown[-1][0]
        seat, car = self.dice.choice(list(state["cars"].items()))
        running = [c for c in state["cars"].values() if c["status"] in RUNNING]
        # A car comes back with the WP it had: one without engine would break an invariant.
        vital = [name for name in VITAL if full_of(car).get(name)]
        whole = all(car["wear"][name] for name in vital)
        if whole and self.returns(car) and state["phase"] == "race":
            line = {"seat": int(seat), "return": True}
        elif len(running) > 2 and self.dice.random() < 0.1 and car in running:
            line = {"seat": int(seat), "retire": True, "reason": "walk"}
        else:
            full = full_of(car)
            wear = {name: self.dice.randint(1, most) for name, most in full.items() if most}
            line = {"correct": {"cars": {seat: {"wear": wear}}}, "reason": "walk"}
        self.accept(line)

    def returns(self, car: dict[str, Any]) -> bool:
        """Whether there is a place that this car could come back to."""
        return bool(car["status"] == "out" and car["out"].get("space"))

    def folds_from(self) -> Any:
        """The board that the pure core is given."""
        return self.library.load(self.header["track"])

    # -- what must hold at any moment -----------------------------------------------------

    def restarted(self) -> Engine:
        """A new engine set up by the STATE shown: it shows the same."""
        plain = {k: v for k, v in self.header.items() if k not in STARTS}
        fresh = Engine(self.library)
        state, asks = self.look()
        reply = fresh.handle({"new": {**plain, "position": copy.deepcopy(state)}})
        assert reply["ok"], f"seed {self.seed}: {state} refused: {reply['error']['message']}"
        assert fresh.state() == state
        assert without_since(fresh.asks()) == asks
        return fresh

    def replayed(self) -> Engine:
        """A new engine that is given the accepted lines that stand: its live state is equal."""
        fresh = Engine(self.library)
        for line in ({"new": self.header}, *self.engine.lines):
            assert fresh.handle(line)["ok"]
        assert fresh.moment == self.engine.moment
        assert fresh.state() == self.engine.state()
        assert without_since(fresh.asks()) == without_since(self.engine.asks())
        return fresh

    def folded(self) -> None:
        """The events of the pure core, folded from the start, give the live state."""
        begun = self.game.begin(self.header, self.folds_from())
        state = begun.state
        for event in begun.events:
            state = event.applied(state)
        assert state == begun.state
        for command in self.engine.accepted:
            decision = decided(self.game, state, command)
            for event in decision.events:
                state = event.applied(state)
            assert state == decision.state
        assert state == self.engine.moment

    def exact(self) -> None:
        """Every option is accepted; what lies near and is not listed is refused."""
        for ask in self.engine.asks():
            for option in listed(ask):
                assert accepts(self.engine, ask, spoken(option)), f"{option} of {ask} refused"
            with unexplained():
                for value in near(ask):
                    assert not accepts(self.engine, ask, value), f"{value!r} accepted by {ask}"
            some = [*map(spoken, listed(ask)[:3]), *near(ask)]
            for value in self.dice.sample(some, min(EXPLAINED, len(some))):
                self.explained({"seat": ask["seat"], ask["kind"]: value})

    def explained(self, line: dict[str, Any]) -> None:
        """An explanation changes nothing and says what the answer would meet."""
        before, version = self.engine.moment, self.engine.version
        reply = self.engine.handle({"explain": line})
        assert reply["ok"], f"{line}: {reply}"
        assert (self.engine.moment, self.engine.version) == (before, version)
        found, tried = reply["explain"], copy.copy(self.engine)
        tried._states, tried.accepted = list(tried._states), list(tried.accepted)
        answer = tried.handle(line)
        assert found["legal"] == answer["ok"], f"{line}: {found}"
        if not found["legal"]:
            first = found["rules"][0] if found["rules"] else None
            assert answer["error"]["rule"] == first, f"{line}: {found}, {answer['error']}"


@contextmanager
def unexplained() -> Iterator[None]:
    """Ends are refused without a reason.

    That is looked for a hundred times as long as whether there is such an end; of a few values
    `Walk.explained` asks it.
    """
    with pytest.MonkeyPatch.context() as patched:
        for name in ("explain_move", "explain_slipstream"):
            patched.setattr(moves, name, lambda *args, **how: Explanation(False, ("",)))
        yield


def listed(ask: dict[str, Any]) -> list[Any]:
    """The options of an ask; where points are spread, some of the ways to spread them."""
    if ask["kind"] == "time":
        return [1, 61.5, 300]
    if ask["kind"] in ("build", "repair", "recover"):
        return [careful.spread(ask["options"], Random(seed)) for seed in range(5)]
    if ask["kind"] == "report":
        return reports(ask["options"])
    if ask["kind"] == "order":
        return [ask["options"], ask["options"][::-1]]
    return list(ask["options"])


def reports(bounds: dict[str, Any]) -> list[dict[str, Any]]:
    """Each word of a report for itself, at its lowest and at its highest."""
    words = ("corner", "line", "pit")
    found = [{}, {"touched": bounds["touched"]}, *({w: v} for w in words for v in bounds[w])]
    for name in ("brakes", "blocked", "debris"):
        found += [{name: value} for value in bounds[name]]
    return [*found, {"overshoot": bounds["overshoot"][1], "missing": 1}, {"missing": 3}]


def spoken(option: Any) -> Any:
    """An option as a seat answers it."""
    if isinstance(option, dict) and "to" in option:
        return {"to": option["to"], "brakes": option["brakes"]}
    return option


def decided(game: AnyGame, state: Any, command: InRace) -> Any:
    """What follows from a command, from the pure core."""
    assert not isinstance(command, Undo)
    if isinstance(command, Answer):
        return game.decide(state, command, game.asks(state))
    return game.referee(state, command)


def accepts(engine: Engine, ask: dict[str, Any], value: Any) -> bool:
    """Whether `decide` takes a value; nothing is changed."""
    try:
        game = fetch((engine.header or {})["game"])
        game.decide(engine.moment, Answer(ask["seat"], ask["kind"], value), engine.open)
    except Refusal:
        return False
    return True


def near(ask: dict[str, Any]) -> list[Any]:
    """Values that look right and are not on offer."""
    options = [spoken(option) for option in listed(ask)]
    if ask["kind"] in ("gear", "roll"):
        numbers = [n for n in range(-1, 33) if n not in options]
        return [*numbers, float(options[0]), str(options[0]), True, None, [options[0]]]
    if ask["kind"] == "black":
        ranges = [[a, b] for a in range(22) for b in range(22) if [a, b] not in options]
        return [-1, 0, 21, 1.0, True, None, "1", [], [1], [1, 2, 3], *ranges]
    if ask["kind"] == "time":
        return [None, "1", True, [], {}, 0, -1, 1e9, float("nan")]
    if ask["kind"] in ("trail", "reroll", "second_roll"):
        return [None, 0, 1, "true", [], {}, [True]]
    if ask["kind"] == "radio":
        return [*(n for n in range(-1, 12) if n not in options), "1", True, [], {}, 1.0]
    if ask["kind"] in ("tires", "pit"):
        return [None, 1, True, [], [options[0]], {}, "", "slick", options[0].upper()]
    if ask["kind"] in ("report", "order"):
        return _near_boardless(ask)
    if ask["kind"] == "length":
        near_by = [{**o, "by": [*o["by"], "nitro"]} for o in options]
        near_by += [{**o, "spaces": o["spaces"] + 50} for o in options]
        return [None, 1, *near_by, {"spaces": 1}]
    if ask["kind"] in ("build", "repair", "recover"):
        odd = [{**options[0], name: 99} for name in options[0]]
        odd += [{**options[0], name: 0} for name in options[0]]
        odd += [{**options[0], name: 1.0} for name in options[0]]
        return [None, 1, [], {}, "", {"gearbox": 0}, {**options[0], "tires": 16}, *odd]
    ends = {option["to"] for option in options if option} | {"S1.l1", "P1", "B1", "x", ""}
    ways = [{"to": to, "brakes": brakes} for to in ends for brakes in range(-1, 5)]
    wrong = [way for way in ways if way not in options]
    whole = next(option for option in options if option)
    odd: list[Any] = [{}, whole["to"], {**whole, "more": 1}, {**whole, "brakes": True}, 0, False]
    return [*wrong, *odd, *([] if None in options else [None])]


def _near_boardless(ask: dict[str, Any]) -> list[Any]:
    bounds = ask["options"]
    if ask["kind"] == "order":
        twice, short = [*bounds, bounds[0]], bounds[:-1]
        return [None, bounds[0], short, twice, [*short, 99], {}, "12"]
    over = [{n: bounds[n][1] + 1} for n in ("brakes", "overshoot", "missing", "blocked", "debris")]
    twice = [{"touched": [seat, seat]} for seat in bounds["touched"]]
    odd = [{"brakes": -1}, {"brakes": True}, {"line": 1}, {"pit": None}, {"missing": 1}]
    odd += [{"to": "x"}, {"touched": 1}, {"touched": [99]}]
    return [None, 1, [], "", *over, *twice, *odd]
