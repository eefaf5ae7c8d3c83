"""The two grounds of a race; see `ground`."""

from __future__ import annotations

from typing import Final

from companion.rules.formula.boardless.by_report import ByReport
from companion.rules.formula.ground import Ground
from companion.rules.formula.on_board import OnBoard

ON_BOARD: Final[Ground] = OnBoard()
BY_REPORT: Final[Ground] = ByReport()
