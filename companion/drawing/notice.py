"""What a pod shows that no seat is for: in every language, since nobody sits there who has one."""

from __future__ import annotations

from companion.drawing.bitmap import HEIGHT, WIDTH, Canvas
from companion.drawing.letters import font
from companion.views.words import LANGUAGES, Words, phrase, words

_STRAY = phrase("Pod {n}: no seat here")
_TWICE = phrase("Pod {n} is here twice")
_SIT = phrase("Press: sit at {n}")
_NEW = phrase("Pod without a number")
_FULL = phrase("No seat free")
_BLOCK = HEIGHT // len(LANGUAGES)
_ROW = 9


def spare_pod(number: int, *, is_twin: bool, free: int | None) -> bytes:
    """The picture of a pod without a seat.

    Args:
        number: its own; 0: it has none yet.
        is_twin: another pod of its number has the seat.
        free: the seat that a press of any button gives it; None: there is none.
    """
    canvas, letters = Canvas(), font("5x8")
    for top, code in zip(range(0, HEIGHT, _BLOCK), LANGUAGES, strict=False):
        if top:
            canvas.hline(0, top, WIDTH, step=2)
        for row, line in enumerate(spare_lines(words(code), number, is_twin=is_twin, free=free)):
            letters.draw(canvas, 1, top + 2 + row * _ROW, line)
    return canvas.to_bytes()


def spare_lines(say: Words, number: int, *, is_twin: bool, free: int | None) -> tuple[str, str]:
    """Whose pod it is, and what a press does; in one language."""
    first = say(_TWICE if is_twin else _STRAY, n=number) if number else say(_NEW)
    return first, say(_FULL) if free is None else say(_SIT, n=free)
