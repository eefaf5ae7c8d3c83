"""What the referee says of an answer is true of the position, and has the rule of what follows.

Races of all mixtures are driven. On the way ends that are on offer are played aside: the first rule
that explain names is that of the event. Wrong answers are refused: explain names the same rule
first, and the sentence is held against STATE by a predicate of its own.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any, ClassVar

import pytest
from support.each import few_now
from support.formula.drive import Drive
from support.formula.mixtures import draw

from companion.race.engine import Engine
from companion.rules.board.track import Track

JSON = dict[str, Any]
TOLD = {
    "Eliminated": 3,
    "TrialEnded": 3,
    "Spun": 2,
    "Overshot": 1,
    "Blocked": 1,
    "TrialOvershot": 1,
}
"""What comes of an end, the worst first."""
FEW, MANY, ENDS, WRONG = 2, 120, 4, 2


def aside(engine: Engine) -> Engine:
    """The same race, on which something is tried."""
    tried = copy.copy(engine)
    tried._states, tried.accepted = list(tried._states), list(tried.accepted)
    return tried


def follows(engine: Engine, line: JSON) -> str | None:
    """The rule of the worst that comes of an end where no debris hurts; None: nothing does."""
    tried, seat = aside(engine), line["seat"]
    reply = tried.handle(line)
    assert reply["ok"], reply
    events = list(reply["events"])
    while tried.asks() and tried.asks()[0].get("for") == "debris":
        ask = tried.asks()[0]
        events += tried.handle({"seat": ask["seat"], "black": 20})["events"]
        while tried.asks() and tried.asks()[0]["kind"] == "second_roll":
            events += tried.handle({"seat": ask["seat"], "second_roll": False})["events"]
    own = [event for event in events if event["seat"] == seat and event["event"] in TOLD]
    worst = max(own, key=lambda event: TOLD[event["event"]], default=None)
    return worst and worst["rule"]


# -- is it true? ----------------------------------------------------------------------------------


class Said:
    """A refusal and what is known of the moment that it was given in."""

    def __init__(self, drive: Talking, line: JSON, error: JSON, found: JSON) -> None:
        self.state: Any = drive.engine.state()
        self.track: Track = drive.state.setup.track
        self.pending: JSON = self.state["pending"][0]
        self.line, self.error, self.args, self.found = line, error, error["args"], found
        self.value: Any = next(value for key, value in line.items() if key != "seat")
        self.car: JSON = self.state["cars"][str(line["seat"])]
        self.turn: list[JSON] = drive.told
        self.drive = drive

    @property
    def spaces(self) -> int:
        """What is to be moved, brakes taken off."""
        return int(self.pending.get("spaces", 3)) - int(self.value["brakes"])

    @property
    def slide(self) -> int:
        """What a slide may add to it."""
        return 3 * self.state["raining"]

    @property
    def brakes_left(self) -> int:
        return int(self.car["wear"]["brakes"])

    @property
    def by(self) -> str:
        return str(self.value["by"][0])

    @property
    def extra(self) -> str:
        return dict(self.drive.mixture.house).get("extra_move", "none")

    @property
    def least(self) -> int:
        """The fewest steps along arrows to the end, around nobody."""
        track, edge = self.track, {self.track.index[self.car["space"]]}
        seen, steps, to = set(edge), 0, self.track.index[self.value["to"]]
        while edge and to not in edge:
            edge = {there for here in edge for there in track.nexts[here]} - seen
            seen, steps = seen | edge, steps + 1
        return steps if edge else 10_000

    @property
    def ahead(self) -> JSON | None:
        """The car right ahead."""
        there = self.track.ahead[self.track.index[self.car["space"]]]
        name = self.track.ids[there] if there >= 0 else ""
        return next((car for car in self.state["cars"].values() if car["space"] == name), None)

    def way(self) -> list[int]:
        """The way that was meant."""
        return [self.track.index[name] for name in self.found["ways"][0]]

    def breaks(self, broken: Callable[[int, int], bool]) -> bool:
        """Whether the way that was meant has such a step; unknown ways are believed."""
        way = self.way() if "ways" in self.found else []
        return not way or any(broken(*step) for step in pairwise(way))

    def moved(self) -> JSON:
        """The move of this turn."""
        return next(event for event in reversed(self.turn) if event["event"] == "Moved")

    def blocked(self) -> set[bool]:
        """Whether ends with so many brakes are blocked, on the list that is open."""
        asks = self.drive.engine.asks()
        options = next(ask["options"] for ask in asks if ask["seat"] == self.line["seat"])
        return {option["blocked"] > 0 for option in options if option}


def is_in_the_way(said: Said) -> bool:
    car = said.state["cars"][str(said.args["seat"])]
    stood = (car["out"] or {}).get("space")
    return said.found["at"][0] in (car["space"], stood)


def retakes(said: Said) -> bool:
    """A lane taken again in one straight, or more than two changes."""
    if "ways" not in said.found:
        return True
    way, track = said.way(), said.track
    rows: dict[int, list[int]] = {}
    for space in way:
        row = rows.setdefault(track.straight[space], [])
        if track.straight[space] >= 0 and (not row or row[-1] != track.lane[space]):
            row.append(track.lane[space])
    return any(len(set(row)) < len(row) or len(row) > 3 for row in rows.values())


def not_full(said: Said) -> bool:
    """Braked, blocked, overshot, a great start, a fast exit, or declined."""
    kinds = {event["event"] for event in said.turn}
    moved = said.moved()
    ended = kinds & {"Blocked", "Overshot", "SlipstreamDeclined", "Corrected"}
    return bool(moved["brakes"] or ended or moved["how"] in ("great", "fast"))


def too_far(said: Said) -> bool:
    """So many spaces on there may be a way, and with no more than these there is none."""
    return said.least <= said.spaces + said.slide + said.args["spaces"]


def another_drives(said: Said) -> bool:
    """Somebody else than Jack drives this car."""
    drivers = said.drive.mixture.drivers
    return "Jack Owens" not in drivers or drivers.index("Jack Owens") + 1 != said.line["seat"]


def gear_of_leader(said: Said) -> int:
    return int(said.ahead["gear"]) if said.ahead else 0


def is_rolled(said: Said) -> bool:
    return said.pending["step"] not in ("gear", "roll")


TRUE: dict[str, Callable[[Said], bool]] = {
    "move-too-far": too_far,
    "move-too-near": lambda said: said.least <= said.spaces + said.slide,
    "move-car-in-the-way": is_in_the_way,
    "FD-MOVE-2": retakes,
    "FD-MOVE-3": lambda said: said.breaks(lambda a, b: b not in said.track.nexts[a]),
    "FD-CORNER-4": lambda said: said.breaks(lambda a, b: b != said.track.ahead[a]),
    "brakes-lacking": lambda said: said.brakes_left == said.args["left"] < said.value["brakes"],
    "brakes-too-many": lambda said: said.spaces < 0 <= said.brakes_left - said.value["brakes"],
    "FD-TRIAL-1": lambda said: said.state["phase"] == "trials" and said.value["brakes"] > 0,
    "FD-BLOCK-1": lambda said: True in said.blocked(),
    "FD-BLOCK-2": lambda said: False in said.blocked(),
    "FD-TIRE-6": lambda said: said.state["raining"],
    "FD-URBAN-1": lambda said: "urban" in said.drive.mixture.rules,
    "FD-PIT-6": lambda said: said.value["to"][0] in "PB" or said.car["status"] == "pit",
    "pit-brakes": lambda said: said.value["brakes"] > 0,
    "pit-other-box": lambda said: said.value["to"] != f"B{said.args['box']}",
    "pit-first-lap": lambda said: said.car["lap"] == 0,
    "pit-last-lap": lambda said: said.car["lap"] >= said.state["laps"],
    "pit-served": lambda said: said.car["status"] == "pit" and said.car["served"],
    "pit-unworn": lambda said: said.car["status"] != "pit",
    "pit-too-fast": lambda said: said.car["gear"] > 4,
    "slip-gear": lambda said: said.car["gear"] < 4,
    "slip-nobody": lambda said: said.ahead is None,
    "slip-slow": lambda said: 0 < gear_of_leader(said) < 4,
    "slip-faster": lambda said: gear_of_leader(said) > said.car["gear"],
    "slip-early": lambda said: said.pending["step"] in ("gear", "roll", "move", "length"),
    "slip-spun": lambda said: said.car["status"] == "spun",
    "slip-pit": lambda said: said.value["to"][0] in "PB",
    "slip-in-pit": lambda said: said.car["status"] == "pit",
    "slip-house": lambda said: ("slipstream_chain", "none") in said.drive.mixture.house,
    "slip-not-full": not_full,
    "nitro-city": lambda said: "urban" not in said.drive.mixture.rules,
    "nitro-used": lambda said: said.car.get("nitro", False),
    "extra-house": lambda said: not said.extra.startswith("top" if said.by == "top" else "engine"),
    "extra-used": lambda said: said.car.get("extra", False),
    "extra-engine": lambda said: said.car["wear"]["engine"] == 1,
    "length-early": lambda said: not is_rolled(said),
    "length-over": is_rolled,
    "drift-driver": another_drives,
    "drift-tires": lambda said: said.car["wear"]["tires"] == 0,
    "soft-tires": lambda said: said.car["tires"] != "soft",
    "soft-rain": lambda said: said.state["raining"],
    "soft-old": lambda said: said.car["tires_lap"] > 1,
}
"""By reason: whether its sentence is true."""


class Talking(Drive):
    """A race in which ends are explained and wrong answers are tried."""

    ends: ClassVar[int] = 0
    refused: ClassVar[Counter[str]] = Counter()

    def __post_init__(self) -> None:
        super().__post_init__()
        self.told: list[JSON] = []

    def say(self, line: JSON) -> None:
        before = self.state.turn
        super().say(line)
        events = self.engine._game.public(self.engine.events)
        kept = self.told if before == self.state.turn else []
        self.told = [*kept, *events]
        if "undo" in line or "correct" in line:
            self.told = [{"event": "Corrected", "seat": 0}]

    def answer(self) -> None:
        for ask in self.engine.asks():
            if ask["kind"] in ("move", "slipstream") and ask["options"]:
                self.explains(ask)
        self.errs()
        super().answer()

    def explains(self, ask: JSON) -> None:
        """The first rule of explain is that of the event."""
        dear = [
            o for o in ask["options"] if o and (o["out"] or o["spin"] or any(o["cost"].values()))
        ]
        for option in self.dice.sample(dear, min(ENDS, len(dear))):
            value = {"to": option["to"], "brakes": option["brakes"]}
            line = {"seat": ask["seat"], ask["kind"]: value}
            found = self.engine.handle({"explain": line})["explain"]
            first = found["rules"][0] if found["rules"] else None
            assert found["legal"], (str(self.mixture), line)
            assert first == follows(self.engine, line), (str(self.mixture), line, found)
            Talking.ends += 1

    def errs(self) -> None:
        """A wrong answer or two: its refusal and explain agree, and what is said is true."""
        for _ in range(WRONG):
            line = self.wrong()
            reply = aside(self.engine).handle(line)
            if reply["ok"]:
                continue
            error, found = reply["error"], self.engine.handle({"explain": line})["explain"]
            first = found["rules"][0] if found["rules"] else None
            assert error["rule"] == first, (str(self.mixture), line, error, found)
            key = error["key"] if error["key"] != "no-such-move" else str(error["rule"])
            Talking.refused[key] += 1
            if key in TRUE and str(line["seat"]) in self.engine.state()["cars"]:
                said = Said(self, line, error, found)
                assert TRUE[key](said), (str(self.mixture), line, error, found, self.told)

    def wrong(self) -> JSON:
        """An end that looks right, or what is not on offer."""
        dice, track = self.dice, self.state.setup.track
        asks = self.engine.asks()
        moves = [ask for ask in asks if ask["kind"] in ("move", "slipstream")]
        seat = asks[0]["seat"] or 1
        if not moves or dice.random() < 0.3:
            end = {"to": dice.choice(track.ids), "brakes": 0}
            by = dice.choice(("nitro", "soft", "drift", "top", "engine"))
            wrong = [{"slipstream": end}, {"length": {"spaces": 9, "by": [by]}}, {"move": end}]
            wrong += [{"reroll": True}, {"second_roll": True}, {"radio": 2}, {"pit": "tires"}]
            return {"seat": dice.choice((*[seat] * 9, 0, 9)), **dice.choice(wrong)}
        ask = dice.choice(moves)
        here = self.state.cars[ask["seat"]].space
        assert here is not None
        near = [
            s
            for s in range(len(track.ids))
            if 0 < (track.level[s] - track.level[here]) % track.lap_levels < 50
        ]
        brakes = dice.choice((0, 0, 0, 1, 2, 4))
        return {
            "seat": ask["seat"],
            ask["kind"]: {"to": track.ids[dice.choice(near)], "brakes": brakes},
        }


@pytest.mark.parametrize("game", few_now(["formula-d", "formule-de"], 2, quick=["formula-d"]))
@pytest.mark.parametrize("seed", few_now(range(MANY), FEW, quick=range(1)))
def test_what_is_said_of_an_answer_is_true_and_has_the_rule_of_what_follows(
    seed: int, game: str
) -> None:
    """FD-WHY-1 to FD-WHY-3, FD-CORNER-2 to FD-CORNER-7, FD-BLOCK-1, FD-SLIP-1, FD-PIT-1."""
    Talking(draw(game, Random(seed)), seed).finish()
