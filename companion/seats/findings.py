"""What an examination of the seats finds, and the command that mends it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    `seat` is None for what concerns the machine; `mend` is a command, or what a hand must do,
    empty where all is well.
    """

    what: str
    says: str
    ok: bool = True
    mend: str = ""
    seat: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The finding as `companion doctor --json` prints it."""
        told = {"seat": self.seat, "what": self.what, "ok": self.ok, "says": self.says}
        return told | {"mend": self.mend}


Examine = Callable[[Sequence[int], Mapping[str, Any]], list[Finding]]
"""Examines the seats of one kind of driver, with what the configuration says of that kind."""
