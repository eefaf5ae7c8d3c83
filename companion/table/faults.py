"""What is kept of a fault of ours, for whoever mends it."""

from __future__ import annotations

from logging import Logger
from traceback import format_tb

TOLD = "a request failed; the table stands as it is on disk"


def log_fault(log: Logger, fault: Exception, *, has_secrets: bool) -> None:
    """Log a fault. Its own words may quote an answer: where a game has secrets only the place
    where it happened is kept."""
    if has_secrets:
        log.error("%s\n%s%s", TOLD, "".join(format_tb(fault.__traceback__)), type(fault).__name__)
    else:
        log.error(TOLD, exc_info=fault)
