"""What an examination of the seats finds, and the command that mends it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.frozen import dataclass
from companion.seats.plan import Options


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at; `ok` is None for one that could not be.

    `seat` is None for what concerns the machine; `mend` is a command, or what a hand must do,
    empty where all is well.
    """

    what: str
    says: str
    ok: bool | None = True
    mend: str = ""
    seat: int | None = None

    def as_json(self) -> dict[str, object]:
        """The finding as `companion doctor --json` prints it."""
        return {key: getattr(self, key) for key in ("seat", "what", "ok", "says", "mend")}


Examine = Callable[[Sequence[int], Options], list[Finding]]
"""Examines the seats of one kind of driver, with what the configuration says of that kind."""
