"""Lines for the corpus: a race driven by a seeded random, from the asks and STATE alone.

Nothing here looks into the rules: what a car may do is read from the asks, and how far a corner
is from the track file.
"""

from __future__ import annotations

import copy
import json
import tomllib
from functools import cache
from itertools import accumulate
from random import Random
from types import SimpleNamespace
from typing import Any

from support.downforce import walk as downforce_walk
from support.formula import boardless
from support.formula.careful import spread
from support.formula.mangle import JUNK, mangled
from support.formula.walks import near, spoken

from corpus.look import Boards, Transcript

JSON = dict[str, Any]
FACES = {1: (1, 2), 2: (2, 4), 3: (4, 8), 4: (7, 12), 5: (11, 20), 6: (21, 30)}
VITAL = ("body", "engine", "handling")
LONGEST_LINE = 1500


class Course:
    """The lengths of a board's straights and corners, from its track file."""

    def __init__(self, name: str) -> None:
        table = tomllib.loads(Boards().text(name))
        self.lanes = table["lanes"]
        self.sections: list[tuple[str, list[int], int]] = []
        count = {"straight": 0, "corner": 0}
        for section in table["section"]:
            kind = section["kind"]
            count[kind] += 1
            spaces = section["spaces"]
            each = spaces if isinstance(spaces, list) else [spaces] * len(self.lanes)
            name = f"{'S' if kind == 'straight' else 'T'}{count[kind]}"
            self.sections.append((name, each, section.get("stops", 0)))
        self._at = {name: number for number, (name, _, _) in enumerate(self.sections)}

    def room(self, space: str, stops: int) -> int:
        """The spaces to the end of the next corner that still wants a stop."""
        name, _, rest = space.partition(".")
        if name not in self._at or not rest:
            return 12
        at, lane, here = self._at[name], self.lanes.index(rest[0]), int(rest[1:])
        left = self.sections[at][1][lane] - here
        if self.sections[at][2] > stops:
            return left
        for step in range(1, 5):
            _, spaces, wanted = self.sections[(at + step) % len(self.sections)]
            left += spaces[lane]
            if wanted:
                break
        return left

    def part(self, low: float, high: float) -> list[str]:
        """The spaces of a part of the lap."""
        ends = list(accumulate(max(spaces) for _, spaces, _ in self.sections))
        found = []
        for (name, spaces, _), end in zip(self.sections, ends, strict=True):
            begin = end - max(spaces)
            for lane, count in zip(self.lanes, spaces, strict=True):
                found += [
                    f"{name}.{lane}{k}"
                    for k in range(1, count + 1)
                    if low < (begin + k) / ends[-1] < high
                ]
        return found


@cache
def course(name: str) -> Course | None:
    """The course of a board; None of a card, which has no spaces."""
    read = "[[section]]" in Boards().text(name) and name in Boards().names()
    return Course(name) if read else None


class Driver:
    """Answers asks sensibly, and now and then with anything on offer."""

    def __init__(self, header: JSON, dice: Random, boldness: float) -> None:
        track = header.get("track")
        self.course = course(track) if isinstance(track, str) else None
        self.game, self.dice, self.boldness = header["game"], dice, boldness

    def answer(self, ask: JSON, state: JSON) -> Any:
        """The value of an answer to an ask."""
        if self.game == "downforce":
            return downforce_walk.Walk.value(SimpleNamespace(dice=self.dice), ask)  # type: ignore[arg-type]
        kind, dice = ask["kind"], self.dice
        options: Any = ask.get("options")
        if kind in ("report", "order"):
            return boardless.answer(ask, dice)
        if kind == "time":
            return dice.choice((dice.randint(60, 300), dice.randint(600, 3000) / 10))
        if kind in ("build", "repair", "recover"):
            return self.points(options)
        if kind in ("move", "slipstream"):
            return self.end(ask, state)
        if kind == "gear" and dice.random() >= self.boldness:
            return self.gear(ask, state)
        if kind == "black" and dice.random() < 0.8:
            return dice.randint(1, 20)
        return dice.choice(options)

    def points(self, bounds: JSON) -> JSON:
        """Points of a construction; 1 or more of a repair."""
        wear = spread(bounds, self.dice)
        if "categories" in bounds and bounds["points"] > 1 and self.dice.random() < 0.3:
            wear = {self.dice.choice(bounds["categories"]): 2}
        return wear

    def gear(self, ask: JSON, state: JSON) -> int:
        """A gear that most likely stops before the next corner has to be left."""
        car = state["cars"][str(ask["seat"])]
        gears = [gear for gear in ask["options"] if gear not in ask["out"]] or ask["options"]
        space = car["space"]
        room = self.course.room(space, car["stops"]) if self.course and space else 12
        far = room + self.dice.choice((0, 0, 0, 2, 4))

        def worth(gear: int) -> tuple[float, int]:
            low, high = FACES[gear]
            within = max(0, min(high, far) - low + 1) / (high - low + 1)
            return within - 0.2 * sum(ask["costs"].get(str(gear), {}).values()), gear

        return int(max(gears, key=worth))

    def end(self, ask: JSON, state: JSON) -> Any:
        """An end that costs little; a slipstream of no spaces never."""
        dice, here = self.dice, state["cars"][str(ask["seat"])]["space"]
        stays = here if ask["kind"] == "slipstream" else None
        options = [o for o in ask["options"] if o is None or o["to"] != stays]
        if dice.random() < self.boldness:
            return spoken(dice.choice(options))
        if ask.get("near") and dice.random() < 0.3:
            one = dice.choice(ask["near"])
            return {"to": one["to"], "brakes": one["brakes"]}

        def price(option: Any) -> tuple[float, ...]:
            if option is None:
                return (0, 0, 0.5, dice.random())
            if option["to"][0] in "PB":
                return (0, 0, -1, 0)
            lost = sum(option["cost"].values()) + 0.3 * len(option["debris"])
            return (option["out"], option["spin"], lost, dice.random())

        return spoken(min(options, key=price))


class Lines:
    """The lines of one race as they come to be: answers, mistakes, the referee, restarts."""

    def __init__(self, header: JSON, seed: int, length: int, boldness: float = 0.15) -> None:
        self.dice = Random(seed)
        self.header, self.length = header, length
        self.driver = Driver(header, self.dice, boldness)
        self.talk = Transcript()
        self.lines: list[Any] = []
        self.moved_on = False
        self.forward_at = self.dice.randint(length // 5, length // 2)
        self.is_formula = header["game"] != "downforce"
        self.accepted({"new": header})

    def accepted(self, line: Any) -> bool:
        """Say a line and keep it; whether it was accepted."""
        line = json.loads(json.dumps(line))
        outcome = self.talk.hear(line)
        self.lines.append(line)
        return isinstance(outcome, str)

    def drive(self) -> list[Any]:
        """All lines up to the end of the race, or to as many as there shall be."""
        while len(self.lines) < self.length and self.talk.asks:
            self.step()
        if self.talk.asks and self.dice.random() < 0.6:
            self.accepted({"end": True})
        if not self.talk.asks:
            self.after_the_end()
        return self.lines

    def step(self) -> None:
        """One line, or a few that belong together."""
        if self.is_formula and not self.moved_on and self.is_under_way():
            self.moved_on = True
            self.put_forward()
            return
        chance = self.dice.random()
        works = ((0.14, self.blunder), (0.18, self.undo), (0.21, self.refer), (0.22, self.again))
        for limit, work in works:
            if chance < limit:
                work()
                return
        if chance < 0.225:
            self.accepted({"state": True})
            return
        self.answer()

    def is_under_way(self) -> bool:
        """Whether it is time to put the cars forward: a turn begins."""
        kinds = {ask["kind"] for ask in self.talk.asks}
        return kinds == {"gear"} and len(self.lines) > self.forward_at

    def answer(self) -> None:
        """Answer an open ask, sometimes with the version that it was read from."""
        ask = self.dice.choice(self.talk.asks)
        line = {"seat": ask["seat"], ask["kind"]: self.driver.answer(ask, self.talk.state)}
        if self.dice.random() < 0.15:
            line["version"] = self.talk.engine.version
        taken = self.accepted(line)
        assert taken or ask["kind"] in ("repair", "recover"), (line, self.talk.reply)
        if taken and self.is_stuck():
            self.accepted({"undo": 1})

    def is_stuck(self) -> bool:
        """Whether a slipstream is on offer that leads nowhere but to the car's own space."""
        for ask in self.talk.asks:
            if ask["kind"] == "slipstream":
                here = self.talk.state["cars"][str(ask["seat"])]["space"]
                return all(option is None or option["to"] == here for option in ask["options"])
        return False

    def undo(self) -> None:
        """Take back up to four lines, if there are so many."""
        most = min(4, len(self.talk.engine.lines))
        if most:
            self.accepted({"undo": self.dice.randint(1, most)})

    def after_the_end(self) -> None:
        """What nobody may say any more; then one line is taken back."""
        self.accepted({"seat": 1, "gear": 1})
        self.accepted({"end": True})
        self.accepted({"seat": 1, "retire": True})
        self.accepted({"seat": 1, "return": True})
        if self.talk.engine.lines and self.dice.random() < 0.5:
            self.accepted({"undo": 1})

    def again(self) -> None:
        """A new engine goes on from STATE; not where it forgets an overshoot (see README)."""
        if not self.talk.overshot() and self.dice.random() < 0.6:
            self.accepted({"again": []})

    # -- the referee -----------------------------------------------------------------------

    def refer(self) -> None:
        """Retire, return, correct."""
        state, dice = self.talk.state, self.dice
        if not self.is_formula:
            seat = dice.choice(list(state["players"]))
            word = "return" if state["players"][seat].get("left") else "retire"
            self.accepted({"seat": int(seat), word: True})
            return
        seat, car = dice.choice(list(state["cars"].items()))
        out = [s for s, c in state["cars"].items() if c["status"] == "out"]
        if out and dice.random() < 0.5:
            back = dice.choice(out)
            if all(state["cars"][back]["wear"].get(name, 1) for name in VITAL):
                self.accepted({"seat": int(back), "return": True, **self.reason()})
            return
        if dice.random() < 0.25 and len(state["cars"]) > len(out) + 2:
            self.accepted({"seat": int(seat), "retire": True, **self.reason()})
        elif not self.talk.overshot():
            self.correct(seat, car, state)

    def reason(self) -> JSON:
        """A reason, mostly."""
        return {"reason": "seen by all"} if self.dice.random() < 0.7 else {}

    def correct(self, seat: str, car: JSON, state: JSON) -> None:
        """Correct something that leaves the car fit to race."""
        dice = self.dice
        wear = {name: dice.randint(1, max(1, points)) for name, points in car["wear"].items()}
        wear = {name: points for name, points in wear.items() if car["wear"][name]}
        parts: list[JSON] = [{"cars": {seat: {"wear": wear}}}]
        if car["space"] and self.driver.course and state["phase"] == "race":
            free = sorted(self.free(0.1, 0.9))
            parts.append({"cars": {seat: {"space": dice.choice(free), "stops": 0}}})
            laid = [space for space in dice.sample(free, 3) if space[0] in "ST"]
            parts.append({"debris": sorted({*state["debris"], *laid})})
        if "weather" in self.header.get("rules", ()) and state["phase"] == "race":
            parts.append({"weather": dice.choice(("fine", "rain"))})
        self.accepted({"correct": dice.choice(parts), **self.reason()})

    def free(self, low: float, high: float) -> set[str]:
        """Spaces of a part of the lap on which nobody stands."""
        assert self.driver.course is not None
        cars = self.talk.state["cars"].values()
        stands = {car["space"] for car in cars}
        stands |= {(car.get("out") or {}).get("space") for car in cars}
        return set(self.driver.course.part(low, high)) - stands

    def put_forward(self) -> None:
        """All cars come near the end of a lap, close together, some of them worn."""
        state, dice = self.talk.state, self.dice
        laps = state.get("laps", 1)
        cars = {
            seat: car
            for seat, car in state["cars"].items()
            if car["status"] in ("racing", "spun", "stalled")
        }
        if self.driver.course is None:
            late = {seat: {"lap": laps} for seat in cars}
            self.accepted({"correct": {"cars": late}, "reason": "time is short"})
            return
        low = dice.uniform(0.6, 0.9)
        free = sorted(self.free(low, low + 0.09))
        trial = state["phase"] == "trials"
        lap = dice.choice((laps, laps, max(1, laps - 1)))
        placed: JSON = {}
        for seat, space in zip(cars, dice.sample(free, len(cars)), strict=True):
            placed[seat] = {"space": space, "lap": 1 if trial else lap, "stops": 0}
            if dice.random() < 0.5 and not trial:
                wear = {n: dice.randint(1, p) for n, p in cars[seat]["wear"].items() if p}
                placed[seat]["wear"] = wear
        if placed:
            self.accepted({"correct": {"cars": placed}, "reason": "time is short"})

    # -- mistakes --------------------------------------------------------------------------

    def blunder(self) -> None:
        """A line that is most likely wrong; where it is not, it is taken back."""
        works = (self.near_by, self.wrong, self.broken, self.bad_correction, self.bad_position)
        line = self.dice.choices(works, (5, 4, 3, 3, 2))[0]()
        if line is None:
            return
        try:
            text = json.dumps(line, allow_nan=False)
        except ValueError:
            return
        if len(text) > LONGEST_LINE:
            return
        begins = isinstance(line, dict) and ("new" in line or "again" in line)
        if begins and not self.is_refused_elsewhere(line):
            return
        stands = isinstance(line, dict) and ("state" in line or "undo" in line)
        if self.accepted(line) and not stands:
            self.accepted({"undo": 1})

    def is_refused_elsewhere(self, line: JSON) -> bool:
        """Whether another engine refuses this beginning."""
        other = Transcript()
        return not isinstance(other.hear(copy.deepcopy(self.talk.spoken(line))), str)

    def ask(self) -> JSON:
        asks = self.talk.asks
        return self.dice.choice(asks)

    def near_by(self) -> Any:
        """A value that is nearly on offer."""
        ask = self.ask()
        if not self.is_formula:
            value = mangled(self.driver.answer(ask, self.talk.state), self.dice)
        else:
            value = self.dice.choice(sorted(near(ask), key=json.dumps))
        return {"seat": ask["seat"], ask["kind"]: value}

    def wrong(self) -> Any:
        """Something that nobody asked for, or in another form."""
        dice, ask = self.dice, self.ask()
        right = {"seat": ask["seat"], ask["kind"]: self.driver.answer(ask, self.talk.state)}
        seat = dice.randint(0, 11)
        junk: Any = dice.choice((None, True, -1, 7, 3.5, "3", [], {}))
        lines: tuple[Any, ...] = (
            {**right, "version": dice.choice((-1, 0, 1, "1", None, ask["since"] - 1))},
            {**right, "version": ask["since"] - 1},
            {**right, "seat": dice.choice((seat, junk))},
            {**right, dice.choice(("gear", "pit", "undo", "extra", "state", "end")): 1},
            {ask["kind"]: right[ask["kind"]]},
            {"seat": seat, dice.choice(("gear", "black", "roll", "bid", "tires", "pit")): 3},
            {"seat": ask["seat"], "move": {"to": "S1.l1", "brakes": 0}},
            {"seat": ask["seat"], "slipstream": None},
            {"undo": dice.choice((0, 999, "x", None, 1.5))},
            {"undo": 1, "seat": 1},
            {"seat": seat, dice.choice(("retire", "return")): True},
            {dice.choice(("retire", "return")): True},
            {"seat": 1, "retire": dice.choice((False, 1, "yes"))},
            {"seat": 1, "retire": True, "reason": dice.choice((1, "x" * 600, None))},
            {"end": dice.choice((False, 1))},
            {"state": 1},
            {"quit": 1},
            {},
            {"hello": 1},
            dice.choice(([], 1, None, "gear")),
        )
        return dice.choice(lines)

    def broken(self) -> Any:
        """An answer with some of its values replaced."""
        ask = self.ask()
        right = {"seat": ask["seat"], ask["kind"]: self.driver.answer(ask, self.talk.state)}
        return mangled(right, self.dice)

    def bad_correction(self) -> Any:
        """A correction of one place of STATE by something else."""
        way, value = self.place()
        part: Any = value
        for key in reversed(way):
            if isinstance(key, int):
                return {"correct": self.dice.choice(JUNK)}
            part = {key: part}
        return {"correct": part, **self.reason()}

    def bad_position(self) -> Any:
        """A header or a STATE with a place that is something else."""
        if self.dice.random() < 0.4:
            return {"new": mangled(self.header, self.dice)}
        edits = []
        for _ in range(self.dice.randint(1, 2)):
            way, value = self.place()
            edits.append([way] if self.dice.random() < 0.2 else [way, value])
        try:
            self.talk.spoken({"again": edits})
        except (KeyError, IndexError, TypeError):
            return None
        return {"again": edits}

    def place(self) -> tuple[list[Any], Any]:
        """A place in STATE, and something to put there: junk, or what stands elsewhere."""
        dice = self.dice
        way: list[Any] = []
        value: Any = self.talk.state
        while isinstance(value, dict | list) and value and (not way or dice.random() < 0.85):
            keys = sorted(value) if isinstance(value, dict) else range(len(value))
            way.append(dice.choice(list(keys)))
            value = value[way[-1]]
        chance = dice.random()
        if type(value) is int and chance < 0.6:
            return way, value + dice.choice((-3, -1, 1, 2, 5, 30))
        if isinstance(value, list) and value and chance < 0.5:
            return way, dice.choice((value[1:], [*value, value[0]], value[::-1]))
        words = ("grid", "racing", "spun", "stalled", "pit", "finished", "out", "soft", "race")
        return way, dice.choice((*JUNK, *words, "setup", "trials", *map(str, range(3))))
