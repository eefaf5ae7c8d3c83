"""All simulated seats of a table, as one sees and touches them: glasses, lamps, buttons, faults.

A fault is what a hand or a bad cable does, by the same name for every kind of seat:
`cable` is pulled, `noise` is on the wires (contacts bounce, bytes are lost and wrong),
`dead` is a line on which nothing arrives from the seat.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from companion.frozen import dataclass

FAULTS = ("cable", "noise", "dead")
BUTTONS = range(1, 7)


@runtime_checkable
class Touchable(Protocol):
    """A driver of simulated seats. All of it from any thread."""

    kind: str

    def glass(self, seat: int) -> bytes:
        """What can be seen on a seat's screen, 1024 bytes in the order of a `Picture`."""

    def lamp(self, seat: int) -> bool | None:
        """Whether its lamp is lit; None: it has none."""

    def finger(self, seat: int, button: int, down: bool) -> None:
        """A finger goes down on a button, or up."""

    def fault(self, seat: int, name: str, on: bool) -> None:
        """Put one of `FAULTS` in, or take it out."""


@dataclass(frozen=True, slots=True)
class Stand:
    """A seat as it stands in the cabinet; `down` are the buttons under a finger."""

    seat: int
    kind: str
    glass: bytes
    lamp: bool | None
    down: tuple[int, ...]
    faults: tuple[str, ...]


class Cabinet:
    """The simulated seats among the drivers of a table."""

    def __init__(self, drivers: Mapping[int, object]) -> None:
        self._drivers = {n: one for n, one in drivers.items() if isinstance(one, Touchable)}
        self._down: dict[int, set[int]] = {seat: set() for seat in self._drivers}
        self._faults: dict[int, set[str]] = {seat: set() for seat in self._drivers}

    def stands(self) -> list[Stand]:
        """Every seat, by its number."""
        return [
            Stand(
                seat,
                driver.kind,
                driver.glass(seat),
                driver.lamp(seat),
                down=tuple(sorted(self._down[seat])),
                faults=tuple(name for name in FAULTS if name in self._faults[seat]),
            )
            for seat, driver in sorted(self._drivers.items())
        ]

    def press(self, seat: int, button: int, down: bool) -> bool:
        """Move a finger; False: there is no such button."""
        if seat not in self._drivers or button not in BUTTONS:
            return False
        if down != (button in self._down[seat]):
            (self._down[seat].add if down else self._down[seat].discard)(button)
            self._drivers[seat].finger(seat, button, down)
        return True

    def spoil(self, seat: int, fault: str, on: bool) -> bool:
        """Put a fault in, or take it out; False: there is no such seat or fault."""
        if seat not in self._drivers or fault not in FAULTS:
            return False
        (self._faults[seat].add if on else self._faults[seat].discard)(fault)
        self._drivers[seat].fault(seat, fault, on)
        return True
