"""A board that is kept while the table is open is offered from then on."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.tables.sitting import REFEREE, CachedLibrary, ListJournal, Sitting, phone, race_header

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.table.state import Surroundings, TableState


def make_engine_on(tracks: TrackLibrary, version: int) -> Engine:
    engine = Engine(tracks)
    engine.version = version
    return engine


@pytest.fixture
def library(tmp_path: Path) -> CachedLibrary:
    return CachedLibrary([tmp_path])


@pytest.fixture
def sitting(library: CachedLibrary) -> Sitting:
    """A table whose library has a folder of its own."""
    opened = Sitting()
    journal = ListJournal()
    opened.journal = journal
    opened.state = TableState(
        Surroundings(
            journal=journal,
            engines=make_engine_on,
            tracks=library,
            new_id=lambda: "race-0",
            new_seed=lambda: "5e" * 32,
            date=lambda: "2026-01-01T00:00:00+00:00",
        )
    )
    return opened


def keep(library: CachedLibrary) -> str:
    return library.save("manege", library.text("manege").replace("Le Manège", "Notre manège"))


def test_the_lobby_offers_a_board_as_soon_as_it_was_kept(
    sitting: Sitting, library: CachedLibrary
) -> None:
    sitting.accepts(phone(1), {"table": "join", "seat": 1, "value": "Ana"})
    name = keep(library)
    assert name not in sitting.state.lobby.tracks
    sitting.accepts(phone(1), {"table": "boards"})
    assert sitting.state.lobby.titles[name] == "Notre manège"
    assert sitting.state.lobby.joined == {1: "Ana"}
    sitting.accepts(phone(1), {"table": "track", "value": name})
    assert sitting.state.lobby.track == name


def test_only_the_host_and_the_referee_say_so(sitting: Sitting) -> None:
    sitting.accepts(phone(1), {"table": "join", "seat": 1, "value": "Ana"})
    sitting.accepts(phone(2), {"table": "join", "seat": 2, "value": "Bob"})
    assert sitting.refuses(phone(2), {"table": "boards"}) == "not-host"


def test_a_race_that_runs_goes_on_on_the_board_that_it_began_on(
    sitting: Sitting, library: CachedLibrary
) -> None:
    name = keep(library)
    sitting.accepts(REFEREE, {"new": race_header(2, track=name)})
    before = sitting.race.engine.track
    library.save(name, library.text("port-lanterne"))
    sitting.accepts(REFEREE, {"table": "boards"})
    assert sitting.race.engine.track is before
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
