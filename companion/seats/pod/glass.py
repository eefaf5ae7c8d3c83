"""What a pod's screen shows, as far as the table knows, and what to send next.

Frames are acted on in order and none is lost for good, so the screen is counted as showing a
span as soon as the span is on its way. A screen that has just started shows nobody knows
what: its parts are unknown until they have been sent once.
"""

from __future__ import annotations

from companion.drawing.bitmap import PAGES, SIZE, WIDTH, Span, changed_spans
from companion.seats.pod.wire import SPAN_BYTES

_PARTS = [
    Span(page, start, start + SPAN_BYTES)
    for page in reversed(range(PAGES))
    for start in reversed(range(0, WIDTH, SPAN_BYTES))
]


class Glass:
    """The memory of one screen. It begins unknown."""

    def __init__(self) -> None:
        self._bitmap = bytearray(SIZE)
        self._unknown = list(_PARTS)

    def forget(self) -> None:
        """The screen has started anew."""
        self._unknown = list(_PARTS)

    def next_span(self, wanted: bytes) -> tuple[int, int, bytes] | None:
        """Page, first column and dots of the next piece to send, counted as shown from now on.

        None: the screen shows `wanted`.
        """
        span = self._unknown.pop() if self._unknown else self._first_change(wanted)
        if span is None:
            return None
        first = span.page * WIDTH + span.start
        dots = wanted[first : first + _first_part(span.stop - span.start)]
        self._bitmap[first : first + len(dots)] = dots
        return span.page, span.start, dots

    def _first_change(self, wanted: bytes) -> Span | None:
        return next(iter(changed_spans(bytes(self._bitmap), wanted)), None)


def _first_part(length: int) -> int:
    """How much of a long span to send first: equal parts keep line and bus both busy.

    >>> _first_part(64), _first_part(70)
    (64, 35)
    """
    parts = -(-length // SPAN_BYTES)
    return -(-length // parts)
