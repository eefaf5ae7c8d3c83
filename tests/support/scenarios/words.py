"""The words of scenario files: what a car is like, what is answered, what is on offer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

JSON = dict[str, Any]
WEAR = ("tires", "brakes", "gearbox", "fuel", "body", "engine", "handling")
COUNTED = "gear|lap|stops|place|pool|points|race|spent|total|price"
STATUS = "grid|racing|stalled|spun|pit|finished|out"
DRIVERS = ("Li-Tsu Sin", "Jack Owens", "Stanley Washington", "Dimitri Tzarof", "Julien Marcellin")
DRIVERS += ("Jenny Slivers", "Montoya Cadena", "Derek Manson", "Diane Montfort", "Temana Matahi")

_FACTS: tuple[tuple[str, Callable[[re.Match[str]], JSON]], ...] = (
    (r"on (\S+)", lambda m: {"space": m[1]}),
    (r"nowhere", lambda m: {"space": None}),
    (r"(\d+) points? left", lambda m: {"wear": {"points": int(m[1])}}),
    (rf"({'|'.join(WEAR)}) (\d+)", lambda m: {"wear": {m[1]: int(m[2])}}),
    (r"built of ((?:[a-z]+ \d+ ?)+)", lambda m: {"full": _points(m[1].split())}),
    (rf"({COUNTED}) (-?\d+)", lambda m: {m[1]: int(m[2])}),
    (r"pit stops (\d+)", lambda m: {"pit_stops": int(m[1])}),
    (r"(hard|soft|rain) tires", lambda m: {"tires": m[1]}),
    (r"tires of lap (\d+)", lambda m: {"tires_lap": int(m[1])}),
    (rf"({STATUS})", lambda m: {"status": m[1]}),
    (r"out by ([\w-]+)", lambda m: {"status": "out", "out": {"why": m[1]}}),
    (r"stands in the way", lambda m: {"out": {"stands": True}}),
    (r"extra move used", lambda m: {"extra": True}),
    (r"extra move free", lambda m: {"extra": None}),
    (r"second roll used", lambda m: {"second_roll": True}),
    (r"limited", lambda m: {"limited": True}),
    (r"grace over", lambda m: {"grace": False}),
    (r"(nitro|radio|trail) used", lambda m: {m[1]: True}),
    (r"(nitro|radio|trail) free", lambda m: {m[1]: None}),
    (r"drifted in (\S+) in lap (\d+)", lambda m: {"drift": {m[1]: int(m[2])}}),
    (
        r"(\d+) km/h as number (\d+) of lap (\d+)",
        lambda m: {"police": {m[3]: {"speed": int(m[1]), "passed": int(m[2])}}},
    ),
    (
        r"trial of (\d+) rolls and (\d+) spaces so far",
        lambda m: {"trial": {"rolls": int(m[1]), "beyond": int(m[2])}},
    ),
    (r"team (\w+)", lambda m: {"team": m[1]}),
    (r"box (\d+)", lambda m: {"box": int(m[1])}),
    (rf"({'|'.join(DRIVERS)})", lambda m: {"driver": m[1]}),
    (r"power (\w+)", lambda m: {"power": m[1]}),
    (r"bets ((?:[a-z]+ ?)+)", lambda m: {"bets": m[1].split()}),
    (r"bets face down (\d+)", lambda m: {"bets": [None] * int(m[1])}),
    (r"won by bets (\d+)", lambda m: {"bets_won": int(m[1])}),
    (r"no total yet", lambda m: {"total": None}),
)


def parse_facts(text: str) -> JSON:
    """What is stated of a car, as a part of STATE.

    >>> parse_facts("on S1.l3, gear 4, tires 2, body 1, soft tires")
    {'space': 'S1.l3', 'gear': 4, 'wear': {'tires': 2, 'body': 1}, 'tires': 'soft'}
    """
    facts: JSON = {}
    for phrase in filter(None, text.split(", ")):
        for pattern, made in _FACTS:
            if found := re.fullmatch(pattern, phrase):
                _merge(facts, made(found))
                break
        else:
            raise ValueError(f"nothing is known of a car that is {phrase!r}")
    return facts


def _points(words: list[str]) -> dict[str, int]:
    """`tires 8 brakes 4`, as a mapping."""
    return dict(zip(words[::2], map(int, words[1::2]), strict=True))


def _merge(facts: JSON, more: JSON) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and key in facts:
            facts[key] = facts[key] | value
        else:
            facts[key] = value


def parse_answer(kind: str, words: list[str], seats: Mapping[str, int]) -> Any:
    """What a seat answers to an ask of this kind.

    >>> parse_answer("move", ["S1.l3", "brakes", "2"], {})
    {'to': 'S1.l3', 'brakes': 2}
    >>> parse_answer("bid", ["6", "on", "4", "cars"], {})
    {'amount': 6, 'cars': 4, 'wild': False}
    """
    if kind == "lot" and "to" in words:
        return _entered(words, seats)
    if kind in ("report", "order"):
        return _report(words, seats) if kind == "report" else [seats[name] for name in words]
    return _in_a_race(kind, words, seats)


def _entered(words: list[str], seats: Mapping[str, int]) -> JSON:
    """A lot with who has it: `green cunning to Ben for 6`, `green cunning to nobody`."""
    at = words.index("to")
    lot = {**_paperwork("lot", words[:at]), "seat": seats.get(words[at + 1])}
    return {**lot, "price": int(words[-1])} if "for" in words else lot


def _in_a_race(kind: str, words: list[str], seats: Mapping[str, int]) -> Any:
    """An answer on a board, or of Downforce."""
    match kind:
        case "gear" | "roll" | "box":
            return int(words[0])
        case "black":
            low, _, high = words[0].partition("-")
            return [int(low), int(high)] if high else int(low)
        case "move" | "slipstream":
            braked = int(words[2]) if words[1:] else 0
            return None if words == ["none"] else {"to": words[0], "brakes": braked}
        case "length":
            return {"spaces": int(words[0]), "by": words[2:]}
        case "build" | "repair" | "recover":
            return _points(words)
        case "trail" | "reroll" | "second_roll":
            return {"yes": True, "no": False}[words[0]]
        case "radio" | "award":
            return None if words == ["none"] else seats[words[0]]
        case "time":
            minutes, seconds = words[0].split(":")
            return 60 * int(minutes) + int(seconds)
        case _:
            return _paperwork(kind, words)


def _report(words: list[str], seats: Mapping[str, int]) -> JSON:
    """A move without a board; `clean` says nothing.

    >>> _report("brakes 2 touched Ben touched Carl corner".split(), {"Ben": 2, "Carl": 3})
    {'brakes': 2, 'touched': [2, 3], 'corner': True}
    """
    fields: JSON = {}
    rest = iter(words)
    for word in rest:
        if word in ("corner", "line", "pit"):
            fields[word] = True
        elif word == "touched":
            fields.setdefault(word, []).append(seats[next(rest)])
        elif word != "clean":
            fields[word] = int(next(rest))
    return fields


def _paperwork(kind: str, words: list[str]) -> Any:
    """An answer of Downforce, or one word."""
    match kind:
        case "pole":
            return words
        case "lot":
            return {"car": words[0], "power": words[1] if words[1:] else None}
        case "bid":
            cars = int(words[2]) if "on" in words else 1
            return {"amount": int(words[0]), "cars": cars, "wild": "wild" in words}
        case "played":
            lines = int(words[0]) if words[0].isdigit() else 0
            home = words[words.index("home") + 1 :] if "home" in words else []
            return {"lines": lines, "finished": home, "out_of_cards": words == ["last"]}
        case "end":
            return words or True
        case _:
            return words[0]


def format_option(kind: str, option: Any, ask: Mapping[str, Any], names: Mapping[int, str]) -> str:
    """One option of an ask, as a scenario says it: `S2.r3 (tires 3)`, `5-20`, `2 (gearbox 1)`."""
    if option is None or isinstance(option, bool):
        return {None: "none", True: "yes", False: "no"}[option]
    if kind in ("radio", "award"):
        return names[option]
    if kind == "length":
        return " ".join([str(option["spaces"]), *(["by", *option["by"]] if option["by"] else [])])
    if kind in ("move", "slipstream"):
        return _end(option)
    if kind == "gear":
        out = option in ask.get("out", ())
        price = "out" if out else _price(ask["costs"].get(str(option), {}))
        return f"{option} ({price})" if price else str(option)
    if isinstance(option, list):
        return f"{option[0]}-{option[1]}"
    return str(option)


def _end(option: Mapping[str, Any]) -> str:
    braked = f" brakes {option['brakes']}" if option["brakes"] else ""
    prices = [_price(option["cost"]), "spin" if option["spin"] else ""]
    price = "out" if option["out"] else ", ".join(filter(None, prices))
    return f"{option['to']}{braked}" + (f" ({price})" if price else "")


def _price(cost: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {cost[name]}" for name in (*WEAR, "points") if cost.get(name))
