"""How long a screen takes to draw and to compare, and how many bytes a press sends.

    python benchmarks/draw.py

Measured on two shared cores, medians of 200: a screen is drawn in 0.1 to 0.25 ms, its changed
spans are found in 0.1 ms, the page's PNG is made in 0.9 ms. A screen that changes its question
(gear, roll, move, waiting) sends 400 to 900 bytes, one that only watches some 80 bytes.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from itertools import pairwise
from time import perf_counter

from companion.drawing.bitmap import changed_spans
from companion.drawing.png import png
from companion.drawing.seat import draw_seat
from companion.views.model import Key, Pip, SeatView

WEAR = tuple(Pip(name, left, 3) for name, left in [
    ("Tires", 3), ("Brakes", 2), ("Gearbox", 3), ("Body", 3), ("Engine", 2), ("Handling", 1),
])  # fmt: skip
TURN = {
    "waiting": SeatView(
        "Bruno plays, you next", ("Loews 1/3, soft 2", "lap 1/2"), pips=WEAR, big="2"
    ),
    "gear": SeatView(
        "Gear? now 3rd",
        keys=(Key("1", "G1 B1", "costs"), Key("2"), Key("3", mark="old"), Key("4"), None, None),
    ),
    "roll": SeatView("Roll: 3rd gear", keys=(*(Key(str(face)) for face in range(4, 9)), None)),
    "move": SeatView(
        "Where did it end?",
        ("Loews: 3 more stops",),
        keys=(Key("left", "T1", "costs"), Key("middle"), Key("right", "OUT", "out"), None, None,
              Key("brake", "", "more")),
    ),
}  # fmt: skip
WATCHING = {
    "Bruno plays": SeatView("Bruno plays", ("Loews 1/3, soft 2", "lap 1/2"), pips=WEAR, big="2"),
    "Chloé plays": SeatView("Chloé plays", ("Loews 1/3, soft 2", "lap 1/2"), pips=WEAR, big="3"),
}


def median_ms(work: Callable[[], object], times: int = 200) -> float:
    """The median duration of `work` in milliseconds."""
    durations = []
    for _ in range(times):
        start = perf_counter()
        work()
        durations.append(perf_counter() - start)
    return statistics.median(durations) * 1000


def main() -> None:
    """Print the table."""
    screens = {name: draw_seat(view) for name, view in TURN.items()}
    for name, view in TURN.items():
        print(f"draw {name:8} {median_ms(lambda view=view: draw_seat(view)):6.3f} ms")
    spans = median_ms(lambda: changed_spans(screens["gear"], screens["roll"]))
    print(f"changed spans {spans:6.3f} ms")
    print(f"png           {median_ms(lambda: png(screens['move'])):6.3f} ms")
    for group in (TURN, WATCHING):
        names = [*group, next(iter(group))]
        for one, next_one in pairwise(names):
            found = changed_spans(draw_seat(group[one]), draw_seat(group[next_one]))
            sent = sum(span.stop - span.start for span in found)
            print(f"{one} → {next_one}: {sent} bytes in {len(found)} spans")


if __name__ == "__main__":
    main()
