"""Setting up from the seats alone."""

from __future__ import annotations

from typing import Any

import pytest
from support.each import in_one

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.rules.lines import Illegal, Malformed, Refusal
from companion.table.lobby import act, as_usual, header_of, host_of, known_names
from companion.views import options
from companion.views.model import Lobby


def after(*words: tuple[str, int | None, Any], lobby: Lobby | None = None) -> Lobby:
    lobby = lobby or Lobby()
    for word, seat, value in words:
        lobby = act(lobby, word, seat, value)
    return lobby


def test_who_joins_first_is_the_host_and_drives_the_first_car() -> None:
    lobby = after(("join", 3, None), ("join", 1, "Ana"), ("join", 2, None))
    assert host_of(lobby) == 3
    assert [seat["seat"] for seat in header_of(lobby)["seats"]] == [3, 1, 2]
    assert [seat["name"] for seat in header_of(lobby)["seats"]] == ["guest 1", "Ana", "guest 2"]


def test_a_bot_takes_a_seat_under_the_name_of_its_level_and_its_dice_are_thrown() -> None:
    lobby = after(("join", 1, "Ana"), ("bot", 2, "champion"), ("bot", 3, "champion"))
    assert lobby.joined == {1: "Ana", 2: "Champion", 3: "Champion 2"}
    header = header_of(after(("name", 3, "Otto"), lobby=lobby))
    assert [seat.get("bot") for seat in header["seats"]] == [None, "champion", "champion"]
    assert header["dice"] == {"seats": [2, 3]}
    gone = after(("leave", 2, None), ("join", 3, "Cleo"), lobby=lobby)
    assert gone.bots == {}
    assert "dice" not in header_of(gone)
    again = after(("join", 1, "Ana"), ("same", 1, None), lobby=Lobby(last=header))
    assert again.bots == {2: "champion", 3: "champion"}
    with pytest.raises(Malformed, match="champion"):
        after(("bot", 2, "genius"))


FIRST = as_usual(Lobby(games=("formula-d", "formule-de")))
"""What a new table is offered."""


def test_a_new_table_is_offered_the_basic_game() -> None:
    """FD-BASIC-1: one pool, one lap."""
    header = header_of(after(("join", 1, "Ana"), lobby=FIRST))
    assert (header["rules"], header["laps"]) == (["basic"], 1)
    engine = Engine(TrackLibrary())
    assert engine.handle({"new": header})["ok"]
    state = engine.state()
    assert state is not None
    assert state["cars"]["1"]["wear"] == {"points": 18}


def test_one_switch_leads_to_the_complete_rules() -> None:
    """FD-BASIC-1: and a header that names no rules is of those."""
    off = ("option", None, {"name": "basic", "on": False})
    header = header_of(after(("join", 1, "Ana"), off, lobby=FIRST))
    assert ("rules" in header, header["laps"]) == (False, 2)


def test_an_option_of_the_complete_rules_leads_there_too() -> None:
    """FD-BASIC-1: the two are not played together, so one goes off with the other."""
    weather = ("option", None, {"name": "weather", "on": True})
    lobby = after(("join", 1, "Ana"), weather, lobby=FIRST)
    assert lobby.rules == ("weather",)
    back = after(("option", None, {"name": "basic", "on": True}), lobby=lobby)
    assert back.rules == ("basic",)


def test_a_setting_about_what_the_basic_game_has_not_is_not_offered_in_it() -> None:
    """FD-BASIC-3"""
    off = ("option", None, {"name": "basic", "on": False})
    now = {switch.name for switch in options.switches(FIRST)}
    then = {switch.name for switch in options.switches(after(off, lobby=FIRST))}
    assert now < then
    assert {"slipstream_chain", "spin_grace", "debris_laid"} <= then - now
    assert {"corner_ways", "second_roll", "grid_die"} <= now


def test_another_game_and_back_is_what_a_new_table_is_offered() -> None:
    there = after(("game", None, "formule-de"), lobby=FIRST)
    assert there.rules == ()
    assert after(("game", None, "formula-d"), lobby=there).rules == ("basic",)


def test_where_bots_race_alone_the_tables_dice_are_thrown_too() -> None:
    lobby = after(("bot", 1, "learner"), ("bot", 2, "learner"))
    header = header_of(lobby)
    assert header["dice"] == {"seats": [0]}
    with_ana = after(("join", 3, "Ana"), ("same", 3, None), lobby=Lobby(last=header))
    assert header_of(with_ana)["dice"] == {"seats": [1, 2]}, "who is there throws her own"


def test_when_the_host_leaves_the_next_one_is_host() -> None:
    assert host_of(after(("join", 3, None), ("join", 1, None), ("leave", 3, None))) == 1
    assert host_of(after(("join", 3, None), ("leave", 3, None))) is None


def test_a_card_sets_up_the_race_in_one_word() -> None:
    first = after(("join", 1, "Ana"), ("laps", None, 5), ("card", None, "first"))
    assert options.card_of(first) == "first"
    assert options.laps_of(first) == 1, "a first race is one lap"
    full = after(("switch", None, {"name": "grid", "value": "seats"}), ("card", None, "full"),
                 lobby=first)  # fmt: skip
    assert options.card_of(full) == "full"
    assert (full.rules, dict(full.switches), options.laps_of(full)) == ((), {}, 2)
    with pytest.raises(Illegal):
        after(("card", None, "club"), lobby=full)
    with pytest.raises(Malformed):
        after(("card", None, "any"), lobby=full)
    kept = after(("option", None, {"name": "tires", "on": True}), lobby=full)
    club = after(("card", None, "club"), lobby=Lobby(last=header_of(kept)))
    assert (options.card_of(club), club.rules) == ("club", ("tires",))


def test_joining_twice_changes_nothing() -> None:
    once = after(("join", 3, "Ana"))
    assert act(once, "join", 3, None) == once


def test_a_guest_can_take_a_name_and_its_number_is_free_again() -> None:
    lobby = after(("join", 1, None), ("name", 1, "  Bob   the  Brake "), ("join", 2, None))
    assert lobby.joined == {1: "Bob the Brake", 2: "guest 1"}


def test_track_and_laps_reach_the_header() -> None:
    lobby = Lobby(tracks=("monaco", "home.toml"))
    lobby = after(("join", 1, "Ana"), ("track", None, "home.toml"), ("laps", 1, 3), lobby=lobby)
    assert header_of(lobby)["track"] == "home.toml"
    assert header_of(lobby)["laps"] == 3


def test_same_as_last_time_brings_back_people_track_and_laps() -> None:
    last = {
        "track": "monaco",
        "laps": 3,
        "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bob"}],
    }
    lobby = after(("join", 4, "Ana"), ("same", 4, None), lobby=Lobby(last=last))
    assert lobby.joined == {4: "Ana", 2: "Bob"}
    assert lobby.laps == 3


def test_same_as_last_time_knows_a_bot_by_its_rating() -> None:
    seats = [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Rudi", "bot": "1200"}]
    lobby = after(("join", 1, "Ana"), ("same", 1, None), lobby=Lobby(last={"seats": seats}))
    assert lobby.bots == {2: "contender"}


@in_one(
    ("word", "seat", "value", "key"),
    [
        ("join", 11, None, "bad-value"),
        ("join", None, None, "bad-value"),
        ("join", 2, "Ana", "name-taken"),
        ("join", 2, "", "bad-value"),
        ("join", 2, 7, "bad-value"),
        ("name", 2, "Bob", "not-joined"),
        ("track", 1, "nowhere", "bad-value"),
        ("laps", 1, 11, "bad-value"),
        ("laps", 1, True, "bad-value"),
        ("same", 1, None, "no-last-race"),
        ("dance", 1, None, "unknown-word"),
    ],
)
def test_a_word_that_makes_no_sense_is_refused(
    word: str, seat: int | None, value: Any, key: str
) -> None:
    lobby = after(("join", 1, "Ana"))
    with pytest.raises(Refusal) as refused:
        act(lobby, word, seat, value)
    assert refused.value.key == key
    assert isinstance(refused.value, Illegal | Malformed)


def test_a_race_needs_somebody() -> None:
    with pytest.raises(Illegal, match="nobody has joined"):
        header_of(Lobby())


def test_names_of_earlier_races_are_offered_without_their_guests() -> None:
    headers = [
        {"seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "guest 1"}]},
        {"seats": [{"seat": 1, "name": "Bob"}, {"seat": 2, "name": "Ana"}]},
    ]
    assert known_names(headers) == ("Ana", "Bob")
