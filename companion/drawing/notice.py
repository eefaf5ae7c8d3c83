"""What a pod shows that no seat is for: in every language, since nobody sits there who has one."""

from __future__ import annotations

from companion.drawing.bitmap import HEIGHT, WIDTH, Canvas
from companion.drawing.letters import font
from companion.views.words import LANGUAGES, Words, phrase, words

_STRAY = phrase("Pod {n}: no seat here")
_TWICE = phrase("Pod {n} is here twice")
_SIT = phrase("Press: sit at {n}")
_FULL = phrase("All seats have a pod")
_ROWS = 15


def spare_pod(number: int, *, is_twin: bool, free: int | None) -> bytes:
    """The picture of a pod without a seat.

    Args:
        is_twin: another pod of its number has the seat.
        free: the seat that a press of any button gives it; None: there is none.
    """
    canvas, letters = Canvas(), font("6x12")
    for block, code in enumerate(LANGUAGES):
        top = block * (HEIGHT // 2) + 2
        for row, line in enumerate(_lines(words(code), number, is_twin, free)):
            letters.draw(canvas, 1, top + row * _ROWS, line)
    canvas.hline(0, HEIGHT // 2 - 1, WIDTH, step=2)
    return canvas.to_bytes()


def _lines(say: Words, number: int, is_twin: bool, free: int | None) -> tuple[str, str]:
    first = say(_TWICE if is_twin else _STRAY, n=number)
    return first, say(_FULL) if free is None else say(_SIT, n=free)
