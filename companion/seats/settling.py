"""How long a button's contact must be steady, as the configuration has it.

Good buttons bounce for a millisecond or two, nameless ones of 12 mm for 10 to 20. `companion doctor
--live` shows how long each does.
"""

from __future__ import annotations

from companion.seats.plan import Options
from companion.seats.pod.wire import SETTLE_MS
from companion.seats.trouble import SeatTrouble

POSSIBLE_MS = range(2, 51)
"""More would be felt, and quick presses would be lost."""
SETTLE = "settle_ms"


def settle_of(kind: str, options: Options) -> int:
    """`settle_ms` of a kind of driver; left out, that of wire.toml.

    Raises:
        SeatTrouble: it is no such time.
    """
    settle_ms = options.get(SETTLE, SETTLE_MS)
    if not isinstance(settle_ms, int) or settle_ms not in POSSIBLE_MS:
        says = f"{POSSIBLE_MS[0]} to {POSSIBLE_MS[-1]} milliseconds"
        raise SeatTrouble(f"[{kind}] {SETTLE} = {settle_ms!r} should be {says}")
    return settle_ms
