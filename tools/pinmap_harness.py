"""A harness: plugs, the cables between them, and why they could not be plugged together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

# fmt: off
COLOURS = {
    "brown": "BN", "red": "RD", "orange": "OG", "yellow": "YE", "green": "GN",
    "blue": "BU", "black": "BK", "violet": "VT", "grey": "GY", "white": "WH",
}
# fmt: on
ON_A_PIN, ON_A_PAD = 1, 3
"""A plugged pin takes one wire, a soldered pad three at most."""

End = tuple[str, str]
"""A plug's name, and one of its pins."""


@dataclass(frozen=True, slots=True)
class Plug:
    """What cables end on. `kind` is its name in the list of parts; `pins` by what they are called.

    Args:
        labels: what stands beside each pin in the drawing.
        draws_ma: what it takes from the rail at the pin `power`.
        soldered: its pins are pads on a board.
    """

    name: str
    kind: str
    about: str
    labels: Mapping[str, str]
    draws_ma: float = 0.0
    power: str = ""
    soldered: bool = False


@dataclass(frozen=True, slots=True)
class Cable:
    """Wires by their colours, each from an end to an end."""

    name: str
    colours: Sequence[str]
    wires: Sequence[tuple[End, End]]


@dataclass(frozen=True, slots=True)
class Harness:
    """One drawing. `rails_ma`: what may be taken from a pin that gives power and its twins.

    `inner` are the pins of a plug that are one piece of copper, by the plug: rows of a strip.
    """

    plugs: Sequence[Plug]
    cables: Sequence[Cable]
    rails_ma: Mapping[str, float]
    inner: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)

    def kinds(self) -> Counter[str]:
        """How many of each part are in it, wires among them."""
        plugs = Counter(plug.kind for plug in self.plugs)
        return plugs + Counter({"wire": sum(len(cable.wires) for cable in self.cables)})


def faults(harness: Harness) -> Iterator[str]:
    """What nobody can plug, and what would be asked too much of a rail; a sentence each."""
    plugs = {plug.name: plug for plug in harness.plugs}
    ends = [end for cable in harness.cables for wire in cable.wires for end in wire]
    for (name, pin), count in sorted(Counter(ends).items()):
        if pin not in plugs[name].labels:
            yield f"{name} has no pin {pin}"
        elif count > (ON_A_PAD if plugs[name].soldered else ON_A_PIN):
            yield f"{count} wires on pin {pin} of {name}"
    for cable in harness.cables:
        if len(cable.wires) != len(cable.colours):
            yield f"cable {cable.name} has {len(cable.colours)} colours, {len(cable.wires)} wires"
    yield from _rail_faults(harness)


def loads(harness: Harness) -> dict[str, float]:
    """The milliamperes that are taken from each rail."""
    taken = dict.fromkeys(harness.rails_ma, 0.0)
    for plug in harness.plugs:
        if plug.draws_ma:
            rail = _rail_of(harness, (plug.name, plug.power))
            taken[rail] = taken.get(rail, 0.0) + plug.draws_ma
    return taken


def _rail_faults(harness: Harness) -> Iterator[str]:
    for rail, taken_ma in loads(harness).items():
        if rail not in harness.rails_ma:
            yield f"{taken_ma:g} mA hang on {rail or 'nothing'}"
        elif taken_ma > harness.rails_ma[rail]:
            yield f"{taken_ma:g} mA of {rail}, which gives {harness.rails_ma[rail]:g}"


def _rail_of(harness: Harness, end: End) -> str:
    """The label of the pin that gives power to this one; empty: none does."""
    labels = {(plug.name, pin): text for plug in harness.plugs for pin, text in plug.labels.items()}
    reached, waiting = {end}, [end]
    while waiting:
        one = waiting.pop()
        source = f"{one[0]} {labels.get(one, one[1])}"
        if source in harness.rails_ma:
            return source
        for other in _next_to(harness, one):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return ""


def _next_to(harness: Harness, end: End) -> Iterator[End]:
    for cable in harness.cables:
        for one, other in cable.wires:
            if end in (one, other):
                yield other if end == one else one
    for row in harness.inner.get(end[0], ()):
        if end[1] in row:
            yield from ((end[0], pin) for pin in row)


def wireviz(harness: Harness, head: str) -> str:
    """The YAML that WireViz draws it from."""
    lines = [f"# {head}", "connectors:"]
    for plug in harness.plugs:
        lines += [f"  {plug.name}:", f'    type: "{plug.about}"']
        if list(plug.labels) != list(plug.labels.values()):
            lines += [f"    pins: [{_list(plug.labels)}]"]
        lines += [f"    pinlabels: [{_list(plug.labels.values())}]"]
    lines += ["cables:"]
    for cable in harness.cables:
        colours = ", ".join(COLOURS[colour] for colour in cable.colours)
        lines += [f"  {cable.name}:", f"    wirecount: {len(cable.wires)}"]
        lines += [f"    colors: [{colours}]"]
    lines += ["connections:"]
    for cable in harness.cables:
        for number, ((source, pin), (target, other)) in enumerate(cable.wires, 1):
            lines += ["  -", f"    - {source}: [{_word(pin)}]"]
            lines += [f"    - {cable.name}: [{number}]", f"    - {target}: [{_word(other)}]"]
    return "\n".join([*lines, ""])


def _list(words: Iterable[str]) -> str:
    return ", ".join(map(_word, words))


def _word(word: str) -> str:
    """WireViz takes a pin of digits for a number, and must be given one."""
    return word if word.isdecimal() else f'"{word}"'
