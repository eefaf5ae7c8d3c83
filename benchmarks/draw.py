"""How long a screen takes to draw and to compare: all that six seats draw in a whole race.

    PYTHONPATH=tests python benchmarks/draw.py

Measured on two shared cores: a screen is drawn in 0.04 ms; what has changed is found in 0.1 ms
(here between the screens of different seats, which is more than a press changes); the page's PNG
takes 1 to 1.5 ms. What a press then sends is told by benchmarks/bus.py.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise

from bus import Race
from timing import seconds

from companion.drawing.bitmap import changed_spans, png
from companion.drawing.seat import draw_seat
from companion.views.model import SeatView

SEATS = 6
PICTURES = 30


def median_ms(works: list[Callable[[], object]]) -> float:
    """The median of how long each of these takes, in milliseconds."""
    return statistics.median(seconds(work) for work in works) * 1000


def main() -> None:
    """Play, and print the table."""
    views: list[SeatView] = []

    def draw(view: SeatView) -> bytes:
        views.append(view)
        return draw_seat(view)

    Race(SEATS, draw).play()
    bitmaps = [draw_seat(view) for view in views]
    draws = median_ms([lambda view=view: draw_seat(view) for view in views])
    pairs = list(pairwise(bitmaps))
    compares = median_ms([lambda pair=pair: changed_spans(*pair) for pair in pairs])
    pngs = median_ms([lambda one=one: png(one) for one in bitmaps[:PICTURES]])
    print(f"screens drawn            {len(views)}")
    print(f"draw a screen            {draws:.3f} ms")
    print(f"find its changed spans   {compares:.3f} ms")
    print(f"PNG of a screen          {pngs:.3f} ms")


if __name__ == "__main__":
    main()
