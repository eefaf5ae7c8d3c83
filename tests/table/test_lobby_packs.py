"""A rules pack is chosen in the lobby, changed there, told at the table, and chosen again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.tables.sitting import CachedLibrary

from companion.race.boards import PackLibrary
from companion.race.engine import Engine
from companion.rules.games import NAMES
from companion.rules.lines import Malformed
from companion.table.lobby import act, header_of
from companion.views.lobby import lobby_page, lobby_view, options_page
from companion.views.model import Lobby, Scene, SeatInfo
from companion.views.options import laps_of
from companion.views.page import table_view
from companion.views.screen import Dialog, Talk
from companion.views.words import words

CLUB = """\
name = "Our club"
game = "formula-d"
about = "One slipstream."
laps = 3
rules = ["tires"]
[house]
slipstream_chain = "one"
"""
PACK = {"name": "Our club", "toml": CLUB}


@pytest.fixture
def two() -> Lobby:
    """Two have joined at a table that knows one pack."""
    lobby = Lobby(games=NAMES, packs={"Our club": CLUB})
    return act(act(lobby, "join", 1, "Ana"), "join", 2, "Bob")


def begin(lobby: Lobby) -> Any:
    engine = Engine(CachedLibrary())
    reply = engine.handle({"new": header_of(lobby)})
    assert reply["ok"], reply
    return engine.moment.setup


def test_a_pack_sets_laps_rules_and_switches(two: Lobby) -> None:
    lobby = act(two, "pack", None, "Our club")
    assert (laps_of(lobby), lobby.rules, dict(lobby.switches)) == (
        3,
        ("tires",),
        {"slipstream_chain": "one"},
    )
    header = header_of(lobby)
    assert (header["pack"], "house" in header) == (PACK, False)
    assert begin(lobby).house.slipstream_chain == "one"


def test_what_is_changed_beside_the_pack_wins_over_it(two: Lobby) -> None:
    """Back to what is usual, too: the header says so."""
    lobby = act(two, "pack", None, "Our club")
    lobby = act(lobby, "switch", None, {"name": "slipstream_chain", "value": "any"})
    lobby = act(lobby, "option", None, {"name": "tires", "on": False})
    assert header_of(lobby)["house"] == {"slipstream_chain": "any"}
    setup = begin(lobby)
    assert (setup.house.slipstream_chain, setup.rules, setup.laps) == ("any", frozenset(), 3)


def test_without_the_pack_all_stays_as_it_was_set(two: Lobby) -> None:
    lobby = act(act(two, "pack", None, "Our club"), "pack", None, None)
    header = header_of(lobby)
    assert ("pack" in header, header["house"]) == (False, {"slipstream_chain": "one"})


def test_another_game_leaves_the_pack_behind(two: Lobby) -> None:
    lobby = act(act(two, "pack", None, "Our club"), "game", None, "formule-de")
    assert "pack" not in header_of(lobby)


def test_a_pack_that_is_not_there_is_refused(two: Lobby) -> None:
    with pytest.raises(Malformed, match="one of Our club"):
        act(two, "pack", None, "Their club")


def test_the_same_again_has_the_pack_of_the_last_race_even_where_it_is_gone(two: Lobby) -> None:
    last = header_of(act(two, "pack", None, "Our club"))
    again = act(replace(two, last=last, packs={}), "same", 1, None)
    assert header_of(again) == last


def test_the_page_offers_the_packs_and_tells_which_is_played(two: Lobby) -> None:
    lobby = act(two, "pack", None, "Our club")
    view = lobby_view(Scene(0, (), lobby=lobby))
    assert view is not None
    assert view["packs"] == [{"name": "Our club", "about": "One slipstream."}]
    assert view["pack"] == "Our club"


def test_a_seat_turns_to_the_pack_and_its_lobby_page_names_it(two: Lobby) -> None:
    seats = (SeatInfo(1, "Ana", host=True), SeatInfo(2, "Bob"))
    lobby = act(two, "pack", None, "Our club")

    def talk(lobby: Lobby, number: int = 0) -> Talk:
        return Talk(Scene(0, seats, lobby=lobby), 1, Dialog(number=number), words("en"))

    pages = [options_page(talk(two, number)) for number in range(99)]
    (page,) = {page.title: page for page in pages if page.title == "Rules pack"}.values()
    assert "None" in " ".join(page.lines)
    assert "Our club" in lobby_page(talk(lobby)).lines


def test_the_table_tells_the_name_of_the_pack_and_not_its_text(two: Lobby) -> None:
    engine = Engine(CachedLibrary())
    header = header_of(act(two, "pack", None, "Our club"))
    engine.handle({"new": header})
    scene = Scene(
        1,
        (SeatInfo(1, "Ana"), SeatInfo(2, "Bob")),
        header=header,
        track=engine.track,
        state=engine.visible,
        log=tuple({**event, "version": 1} for event in engine._game.public(engine.events)),
    )
    told = table_view(scene)
    assert told["race"]["pack"] == {"name": "Our club"}  # type: ignore[index]
    assert "This table plays Our club." in " ".join(told["log"])  # type: ignore[arg-type]


def test_the_host_s_own_packs_are_found_and_faulty_ones_left_out(tmp_path: Any) -> None:
    (tmp_path / "ours.toml").write_text(CLUB, "utf-8")
    (tmp_path / "broken.toml").write_text("name = ", "utf-8")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    found = PackLibrary((tmp_path, tmp_path / "nowhere")).packs()
    assert "Our club" in found
    assert found.keys() - {"Our club"} == PackLibrary().packs().keys()


def test_where_the_race_before_began_is_told_to_nobody() -> None:
    """A position may name secrets: bets (DF-BET-2), the cards of a hand (DF-CARD-1)."""
    last = {"game": "downforce", "seats": [], "position": {"players": {"1": {"bets": ["red"]}}}}
    view = lobby_view(Scene(0, (), lobby=Lobby(last=last)))
    assert view is not None
    assert view["last"] == {"game": "downforce", "seats": []}
