"""From the state of the table to the scene that all views are a function of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from companion.rules.errors import Refusal
from companion.table import lobby as lobbies
from companion.table.entries import Proposal
from companion.table.ports import JSON
from companion.table.race import Race
from companion.table.state import TableState
from companion.views.model import Ailing, Scene, SeatInfo

Links = Callable[[int], str]
Dead = Mapping[int, Ailing]
"""Seats that cannot be reached, and why."""
_ALL_WELL: Dead = MappingProxyType({})


def make_scene(
    table: TableState,
    refused: Mapping[int, Refusal],
    link: Links,
    dead: Dead = _ALL_WELL,
    watch: JSON | None = None,
) -> Scene:
    """The scene of the table, with the links of the seats, which are secret."""
    race = table.race
    if race is None:
        names = {seat: table.lobby.joined.get(seat, str(seat)) for seat in lobbies.SEATS}
        seats = _seats(table, names, link, dead)
        return Scene(table.version, seats, lobby=table.lobby, refused=_as_json(refused))
    blank = race.track is not None and race.track.is_blank
    return Scene(
        version=race.engine.version,
        seats=_seats(table, _names(race), link, dead),
        header=race.header,
        track=None if blank else race.track,
        card=race.track if blank else None,
        state=race.engine.visible,
        asks=race.engine.open_asks,
        old={key: values[0] for key, values in race.old.items()},
        log=tuple(race.log),
        refused=_as_json({**race.words, **refused}),
        proposal=_of_proposal(race.proposal) if race.proposal else None,
        preset=dict(race.preset),
        own={seat: race.engine.own(seat) for seat in race.seats},
        paused=race.paused,
        watch=watch,
        race=race.id,
    )


def _as_json(refused: Mapping[int, Refusal]) -> dict[int, JSON]:
    return {seat: refusal.as_json() for seat, refusal in refused.items()}


def _of_proposal(proposal: Proposal) -> JSON:
    return {key: value for key, value in proposal.line.items() if key != "table"}


def without_secrets(scene: Scene) -> Scene:
    """The scene as the page may tell it: no links, nothing that is one seat's own."""
    seats = tuple(replace(info, link="") for info in scene.seats)
    return replace(scene, seats=seats, own={}, old={})


def _names(race: Race) -> dict[int, str]:
    entries = race.lines[0]["seats"]
    return {entry["seat"]: str(entry.get("name") or entry["seat"]) for entry in entries}


def _seats(
    table: TableState, names: Mapping[int, str], link: Links, dead: Dead
) -> tuple[SeatInfo, ...]:
    return tuple(
        SeatInfo(
            seat,
            name,
            table.languages.get(seat, "en"),
            alive=seat not in dead,
            host=seat == table.host,
            link=link(seat),
            ailing=dead.get(seat),
        )
        for seat, name in names.items()
    )
