"""All chapters of the rulebook, so that every kind of step and event is known."""

from __future__ import annotations

from companion.rules.formula import (
    collisions,
    construction,
    corners,
    debris,
    engine_tests,
    fitting,
    gears,
    grid,
    lengths,
    moving,
    pit,
    referee,
    rounds,
    slipstream,
    start,
    trials,
    weather,
)
from companion.rules.formula.boardless import by_report
from companion.rules.formula.urban import checkpoint, noise, police, radio, reroll, trail

CHAPTERS = (
    *(grid, trials, construction, fitting, start, gears, lengths, moving, slipstream, debris),
    *(corners, checkpoint, police, pit, collisions, engine_tests, weather, reroll, noise, radio),
    *(trail, rounds, by_report, referee),
)
