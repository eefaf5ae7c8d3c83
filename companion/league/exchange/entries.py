"""The acts that make a stage's entry list, its teams' changes and its calendar again; the ways to
other stages, and who comes, stay behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.league.acts import Act, SetTeam
from companion.league.entry_acts import Enter, Plan, StandFor
from companion.league.plain import Season
from companion.league.said import UNSAID


def entry_list_acts(season: Season, names: Mapping[str, str]) -> Iterator[Act]:
    """The acts, in an order in which each finds what it speaks of."""
    key = season.key
    for entrant in season.entrants:
        yield Enter(
            season=key,
            driver=names.get(entrant.driver, entrant.name),
            role=UNSAID if entrant.role == "regular" else entrant.role,
            **{
                field: UNSAID if getattr(entrant, field) is None else getattr(entrant, field)
                for field in ("number", "color", "until", "table", "grid")
            },
            crew=tuple(names.get(one, one) for one in entrant.crew) or UNSAID,
        )
    for move in season.moves:
        driver = names.get(move.driver, move.driver)
        yield SetTeam(season=key, driver=driver, team=move.team, since=move.since)
    for one in season.stand_ins:
        people = (names.get(name, name) for name in (one.driver, one.absent))
        driver, absent = people
        yield StandFor(season=key, round=one.round, driver=driver, absent=absent)
    for planned in season.calendar:
        yield Plan(
            season=key,
            round=planned.round,
            **{
                field: getattr(planned, field) or UNSAID
                for field in ("title", "date", "board", "pack", "laps", "weather", "cancelled")
            },
        )
