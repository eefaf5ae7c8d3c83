"""The picture of a glass under test: whose it is, its four edges, its dots, which key to press."""

from __future__ import annotations

from collections.abc import Collection

from companion.drawing.bitmap import HEIGHT, WIDTH, Canvas, stamp_of
from companion.drawing.letters import font

_NUMBER_AT, _BOARD_AT, _GATE_AT = (6, 6), (46, 6), (88, 6)
_BOARD, _CELL, _PITCH = 36, 9, 12
_LINE_AT = (6, 48)


def trial_picture(seat: int, pressed: Collection[int], wanted: int | None) -> bytes:
    """A frame at the very edge, the seat's number, a checkerboard of single dots, the gate.

    Args:
        pressed: the buttons whose keys are lit.
        wanted: the button to press now; None: this seat has nothing to do.
    """
    canvas = Canvas()
    canvas.frame(0, 0, WIDTH, HEIGHT)
    digits = font("8x16").figure(str(seat), 3 if seat < 10 else 2)
    canvas.stamp(stamp_of(digits), *_NUMBER_AT)
    for row in range(_BOARD):
        canvas.hline(_BOARD_AT[0] + row % 2, _BOARD_AT[1] + row, _BOARD - row % 2, step=2)
    for button in range(1, 7):
        x = _GATE_AT[0] + (button - 1) // 2 * _PITCH
        y = _GATE_AT[1] + (button - 1) % 2 * (_PITCH + 4)
        canvas.frame(x, y, _CELL, _CELL)
        if button in pressed:
            canvas.rect(x, y, _CELL, _CELL)
    if wanted is not None:
        font("6x12").draw(canvas, *_LINE_AT, f"press {wanted} / touche {wanted}")
    return canvas.to_bytes()
