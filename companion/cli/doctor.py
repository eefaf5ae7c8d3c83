"""`companion doctor`: what is wrong with the seats, and the command that mends it."""

from __future__ import annotations

from pathlib import Path

from companion.cli.seating import CONFIG, SEATS, plan_of
from companion.cli.tools import AS_JSON, DATA, answer, command, sentences
from companion.seats.findings import Finding
from companion.seats.plan import PlanError

ALL_WELL, TO_MEND = 0, 1


@command("doctor", DATA, SEATS, CONFIG, AS_JSON)
@sentences(PlanError)
def examine(data: Path, seats: str | None, config: Path | None, as_json: bool) -> int:
    """Look at every seat that has a driver: libraries, groups, overlays, buttons, screens.

    Run it while no table is open. The status is 1 if there is something to mend.
    """
    from companion.bootstrap import examine_seats

    found = examine_seats(plan_of(data, seats, config))
    is_well = all(one.ok for one in found)
    findings = [one.as_json() for one in found]
    answer(as_json, {"ok": is_well, "findings": findings}, *map(_line, found))
    return ALL_WELL if is_well else TO_MEND


def _line(found: Finding) -> str:
    where = "" if found.seat is None else f"seat {found.seat}, "
    line = f"{'ok   ' if found.ok else 'WRONG'} {where}{found.what}: {found.says}"
    return line if found.ok else f"{line}\n      {found.mend}"
