"""What is wrong with a track file: faults, each with the place that a reader must look at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from companion.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: `where` names section and lane ("T3 Casino 2, lane m"), `what` says it.

    `key` and `args` are what a catalogue translates, where there is one (views/words/faults.py).
    """

    where: str
    what: str
    key: str = ""
    args: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


@dataclass(slots=True)
class Faults:
    """Collects faults, so that a check finds all of them and not the first alone."""

    found: list[Fault] = field(default_factory=list)

    def add(self, where: str, what: str, key: str = "", **args: object) -> None:
        """Note a fault, once."""
        fault = Fault(where, what, key, args)
        if fault not in self.found:
            self.found.append(fault)

    def __bool__(self) -> bool:
        return bool(self.found)
