"""Lines gone wrong, for tests that a refused line changes nothing and never ends anything."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

JUNK: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    21,
    10**40,
    -(10**40),
    0.5,
    2.0,
    float("inf"),
    -0.0,
    "",
    "1",
    "S2.m5",
    "P4",
    "B1",
    "\x00",
    "\ud800",
    "é" * 3000,
    "race",
    "out",
    [],
    [[]],
    [1],
    [1, 20],
    [1, 1, 1],
    ["S2.m5"],
    {},
    {"": {}},
    {"seat": 1},
    {"to": "S2.m5"},
    {"to": [], "brakes": 0},
    {"to": "S2.m5", "brakes": {}},
    [None],
    [{}],
    [{"step": []}],
)
"""Values of every JSON kind and some beyond, wrong nearly wherever they are put."""


def mangled(line: Any, dice: Random) -> Any:
    """A copy of a line with one to three of its values replaced, taken away or added."""
    broken = {"line": deepcopy(line)}
    for _ in range(dice.randint(1, 3)):
        home, key = dice.choice(_places(broken))
        what = dice.random()
        if what < 0.15 and not (home is broken and key == "line"):
            del home[key]
            continue
        if what < 0.3 and isinstance(home, dict):
            key = dice.choice(("seat", "gear", "pending", "order", "turn", "ludo", "version", ""))
        home[key] = deepcopy(dice.choice(JUNK))
    return broken.get("line")


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) within a value; each may be asked to hold something else."""
    found: list[tuple[Any, Any]] = []
    rest = [value]
    while rest:
        one = rest.pop()
        keys = (
            list(one) if isinstance(one, dict) else range(len(one)) if isinstance(one, list) else []
        )
        for key in keys:
            found.append((one, key))
            rest.append(one[key])
    return found
