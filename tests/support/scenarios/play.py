"""Plays a scenario on an engine, and tells in a diff where the table stands otherwise."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.race.engine import Engine
from support.formula.street import STREETS
from support.scenarios.diff import apart, asked_for, is_said, parse_car, sorted_price, unequal
from support.scenarios.file import FOLDER, Line, Scenario, read_scenario
from support.scenarios.words import format_option, parse_answer, parse_facts

JSON = dict[str, Any]
COMMA = re.compile(r", (?![^(]*\))")
HARMLESS = 20


class Wrong(AssertionError):
    """What a scenario says and what the engine does differ; its text is the diff."""


class Play:
    """One scenario on the table."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario, self.seats = scenario, scenario.seats | {"table": 0}
        self.names = {seat: name for name, seat in self.seats.items()}
        self.engine = Engine(STREETS)
        self.news: list[JSON] = []
        """The events of the latest line of the file."""
        self.told: list[JSON] = []
        """All events."""
        self.wrong: list[str] = []

    def run(self) -> None:
        """Play it to its end.

        Raises:
            Wrong: with every difference, by line of the file.
        """
        reply = self.engine.handle({"new": self.scenario.header})
        if self.scenario.refused is not None:
            self._is_refused(reply, self.scenario.refused, "the race")
        elif not reply["ok"]:
            raise Wrong(f"{self.scenario.name}: the race is refused: {reply['error']['message']}")
        for line in self.scenario.lines:
            try:
                self._play(line)
            except (ValueError, KeyError, IndexError) as error:
                known = "tests/scenarios/README.md says what a line may be"
                raise Wrong(
                    f"{self._at(line)}\n  cannot be understood: {error!r}; {known}"
                ) from error
        if self.wrong:
            raise Wrong("\n".join([f"{self.scenario.name}", *self.wrong]))

    def _at(self, line: Line) -> str:
        return f"{self.scenario.name}.txt, line {line.number}: {line.text}"

    def _play(self, line: Line) -> None:
        if not line.text.startswith("="):
            self.news = []
            stated, _, rule = line.text.partition(" -- refused")
            self._say(stated, None if stated == line.text else rule.strip(), line)
            return
        differs = list(self._differs(line.text[1:].strip()))
        if differs:
            self.wrong += [f"line {line.number}: {line.text}", *(f"    {one}" for one in differs)]

    # -- what is sent --------------------------------------------------------------------

    def _say(self, stated: str, refused: str | None, line: Line) -> None:
        if found := re.fullmatch(r"all others roll (\d+)", stated):
            self._settle(int(found[1]))
            return
        if found := re.fullmatch(r"(\w+) with (\w+) goes to (\w+)(?: for (\d+))?", stated):
            self._sell(found[1], found[2], found[3], int(found[4] or 0))
            return
        lines = list(self._lines(stated))
        for number, one in enumerate(lines, 1):
            reply = self.engine.handle(one)
            if refused is not None and number == len(lines):
                self._is_refused(reply, refused, f"line {line.number}: {line.text}")
            elif not reply["ok"]:
                known = "\n".join([*self.wrong, f"{self._at(line)}", f"  {one}", "  is refused: "])
                raise Wrong(known + f"{reply['error']['message']}; open: {self._open()}")
            else:
                self._hear(reply["events"])

    def _hear(self, events: list[JSON]) -> None:
        self.news += events
        self.told += events

    def _settle(self, roll: int) -> None:
        """Every black die that is asked for, until none is."""
        while ask := next((a for a in self.engine.asks() if a["kind"] == "black"), None):
            self._must({"seat": ask["seat"], "black": roll})

    def _must(self, line: JSON) -> None:
        """A line that must be accepted."""
        reply = self.engine.handle(line)
        if not reply["ok"]:
            raise ValueError(f"{line} is refused: {reply['error']['message']}")
        self._hear(reply["events"])

    def _sell(self, car: str, power: str, buyer: str, price: int) -> None:
        """A whole lot of Downforce: all others bid 0; `with nothing` is one without a power."""
        lot = {"car": car, "power": None if power == "nothing" else power}
        self._must({"seat": 0, "lot": lot})
        for seat in [ask["seat"] for ask in self.engine.asks() if ask["kind"] == "bid"]:
            amount = price if self.names[seat] == buyer else 0
            self._must({"seat": seat, "bid": {"amount": amount, "cars": 4, "wild": False}})

    def _is_refused(self, reply: JSON, rule: str, where: str) -> None:
        if reply["ok"]:
            raise Wrong(f"{self.scenario.name}: {where}\n    is accepted")
        if rule and reply["error"]["rule"] != rule:
            known = f"refused by {reply['error']['rule']}: {reply['error']['message']}"
            self.wrong += [where, f"    said: refused by {rule}", f"    is:   {known}"]

    def _lines(self, stated: str) -> Iterator[JSON]:
        """The lines of the engine protocol that a line of the file stands for."""
        if found := re.fullmatch(r"undo (\d+)", stated):
            yield {"undo": int(found[1])}
        elif found := re.fullmatch(r"the referee (retires|returns) (\w+)", stated):
            word = found[1].removesuffix("s")
            yield {"seat": self.seats[found[2]], word: True}
        elif found := re.fullmatch(r"the referee sets (\w+): (.*)", stated):
            cars = {str(self.seats[found[1]]): parse_facts(found[2])}
            yield {"correct": {"cars": cars}, "reason": "scenario"}
        elif found := re.fullmatch(r"the referee flags (\w+) (\w+)", stated):
            yield {"seat": self.seats.get(found[1], 0), "flag": found[2]}
        elif stated == "the referee rings the bell":
            yield {"bell": True}
        elif stated == "the referee ends the race":
            yield {"end": True}
        else:
            name, _, answers = stated.partition(" ")
            for answer in answers.split(", "):
                kind, *words = answer.split()
                value = parse_answer(kind, words, self.seats)
                yield {"seat": self.seats[name], kind: value}

    # -- what must hold ------------------------------------------------------------------

    def _differs(self, text: str) -> Iterator[str]:
        """The differences to one `=` line, in words."""
        head, _, rest = text.partition(":")
        stated = COMMA.split(rest.strip())
        if head == "asked":
            yield from unequal("asked", sorted(stated), sorted(self._open()))
        elif head == "race":
            for fact in stated:
                yield from self._race(fact)
        elif head == "told":
            yield from (one for fact in stated for one in self._hears(fact))
        elif head == "not told":
            yield from (f"told: {fact}" for fact in stated if self._found(fact, self.news))
        elif found := re.fullmatch(r"in all (\d+)", head):
            yield from unequal(rest.strip(), int(found[1]), self._found(rest.strip(), self.told))
        elif found := re.fullmatch(r"(\w+) may (only |not |)(\w+)", head):
            yield from self._offers(found[1], found[2].strip(), found[3], stated)
        else:
            yield from apart(parse_facts(rest.strip()), self._one(head))

    def _one(self, name: str) -> Mapping[str, Any]:
        """The car of a seat with the points that it has made, or the player."""
        state = self._state()
        if "players" in state:
            players: JSON = state["players"]
            return players[str(self.seats[name])] if name in self.seats else state["cars"][name]
        rows = [row for row in state["classification"] if row["seat"] == self.seats[name]]
        points = rows[0]["points"] if rows else None
        return {**state["cars"][str(self.seats[name])], "points": points}

    def _state(self) -> JSON:
        state = self.engine.state()
        assert state is not None
        return state

    def _open(self) -> list[str]:
        """The open asks: `Ana gear`, `Ben black for collision`."""
        asks = self.engine.asks()
        offered = [f"{self.names[ask['seat']]} {ask['kind']}{asked_for(ask)}" for ask in asks]
        return offered or ["nobody"]

    def _offers(self, name: str, how: str, kind: str, stated: list[str]) -> Iterator[str]:
        asks = [a for a in self.engine.asks() if (a["seat"], a["kind"]) == (self.seats[name], kind)]
        if not asks:
            yield f"{name} is not asked for {kind}; open: {', '.join(self._open())}"
            return
        stated, offers = [sorted_price(one) for one in stated], self._options(asks[0])
        if how == "only":
            yield from unequal("options", stated, offers)
        elif how == "not":
            ends = {offer.partition(" (")[0] for offer in offers}
            yield from (f"is on offer: {one}" for one in stated if one in ends)
        else:
            for one in stated:
                if one not in offers:
                    yield f"not on offer: {one}; there are {', '.join(offers)}"

    def _options(self, ask: JSON) -> list[str]:
        options = ask["options"]
        if isinstance(options, dict):
            names = options.get("categories") or options["limits"]
            return [f"{options['points']} of {' '.join(names)}"]
        offered = (format_option(ask["kind"], option, ask, self.names) for option in options)
        return [sorted_price(one) for one in offered]

    def _race(self, fact: str) -> Iterator[str]:
        """A fact of the whole race."""
        state = self._state()
        word, *rest = fact.split()
        match word:
            case "weather":
                yield from unequal("weather", rest[0], state["weather"])
            case "raining" | "dry":
                yield from unequal("raining", word == "raining", state["raining"])
            case "debris" | "no":
                stated = sorted(rest) if word == "debris" else []
                yield from unequal("debris", stated, sorted(state["debris"]))
            case "order":
                yield from unequal("order", rest, self._named(state["order"]))
            case "turn":
                yield from unequal("turn", rest[0], self.names.get(state["turn"]))
            case "result":
                placed = [row["seat"] for row in state["classification"]]
                yield from unequal("result", rest, self._named(placed))
            case "team":
                team = next(team for team in state["teams"] if team["team"] == rest[0])
                wanted = dict(zip(rest[1::2], map(int, rest[2::2]), strict=True))
                yield from apart(wanted, team)
            case "car":
                yield from apart(parse_car(rest[1:], self.seats), state["cars"][rest[0]])
            case _:
                yield from unequal("phase", word, state["phase"])

    def _named(self, seats: list[int]) -> list[str]:
        return [self.names[seat] for seat in seats]

    def _hears(self, fact: str) -> Iterator[str]:
        if not self._found(fact, self.news):
            name = fact.split()[0]
            same = [event for event in self.news if event["event"] == name]
            yield f"not told: {fact}; told: {same or [event['event'] for event in self.news]}"

    def _found(self, fact: str, events: list[JSON]) -> int:
        """How many events are `Overshot Ana spaces 2`: name, seat, then keys and values."""
        words = fact.split()
        wanted: JSON = {"event": words[0]}
        rest = words[1:]
        if len(rest) % 2:
            wanted["seat"], rest = self.seats[rest[0]], rest[1:]
        pairs = zip(rest[::2], rest[1::2], strict=True)
        wanted |= {key: self.seats.get(value, value) for key, value in pairs}
        return sum(all(is_said(event.get(k), v) for k, v in wanted.items()) for event in events)


# -- a scenario as a drawing ----------------------------------------------------------------------


BOOK = Path(__file__).parents[3] / "companion" / "rules" / "book.toml"
DRAWN = BOOK.with_name("drawn.json")
MAY_NOT = re.compile(r"= \w+ may not \w+: (.+)")


def drawings() -> str:
    """What each drawing of the book of the table shows, by its rule, as it ships."""
    wanted = tomllib.loads(BOOK.read_text("utf-8"))["about"]["drawn"]
    shown = {
        rule: drawing(FOLDER / f"{name}.txt", last) | ({"about": about[0]} if about else {})
        for rule, (name, last, *about) in wanted.items()
    }
    rows = (f"{json.dumps(rule)}: {json.dumps(one)}" for rule, one in shown.items())
    return "{\n" + ",\n".join(rows) + "\n}\n"


def drawing(path: Path, last: int) -> dict[str, Any]:
    """The table after a line of a scenario: its cars, debris, whoever rolls the black die, the
    ends of the move that is asked (braked ones where the scenario speaks of any), and those that
    are said not to be any; `order` of a new round.

    Raises:
        Wrong: the table does not stand as the scenario says.
    """
    scenario = read_scenario(path)
    play = Play(replace(scenario, lines=[line for line in scenario.lines if line.number <= last]))
    play.run()
    state, asks = play.engine.state(), play.engine.asks()
    assert state is not None
    cars = [[int(seat), car["space"], car["gear"]] for seat, car in state["cars"].items()]
    told: dict[str, Any] = {"track": scenario.header["track"], "cars": cars}
    told |= {"debris": state["debris"]} if state["debris"] else {}
    if rolls := [ask["seat"] for ask in asks if ask["kind"] == "black"]:
        return told | {"rolls": rolls}
    ask = next((ask for ask in asks if ask["kind"] in ("move", "slipstream")), None)
    if ask is None:
        return told | {"order": state["order"]}
    said = _said(scenario.lines, last)
    is_braked = any(re.search(r"\w brakes \d", text) for text in said)
    ends: dict[str, list[Any]] = {}
    for end in filter(None, ask["options"]):
        if end["brakes"] and not is_braked:
            continue
        now = "out" if end["out"] else "spin" if end["spin"] else sum(end["cost"].values())
        ends.setdefault(end["to"], [end["to"], now])
    told |= {"mover": ask["seat"], "ends": list(ends.values())}
    no_ends = (MAY_NOT.fullmatch(text) for text in said)
    return told | {"not": [end for found in no_ends if found for end in found[1].split(", ")]}


def _said(lines: list[Line], last: int) -> list[str]:
    """What a scenario says of the table since what was last answered."""
    since = max(one.number for one in lines if one.number <= last and one.text[0] != "=")
    return [one.text for one in lines if since < one.number <= last]
