"""A car with a crew is set up in the lobby, and its record has it as the league counts it."""

from __future__ import annotations

from typing import Any

import pytest
from support.tables.sitting import CachedLibrary

from companion.race.engine import Engine
from companion.rules.games import NAMES
from companion.rules.lines import Illegal, Malformed
from companion.table.lobby import act, header_of, known_names
from companion.views.lobby import lobby_view
from companion.views.model import Lobby, Scene


def after(lobby: Lobby, *words: tuple[str, int | None, Any]) -> Lobby:
    for word, seat, value in words:
        lobby = act(lobby, word, seat, value)
    return lobby


@pytest.fixture
def two() -> Lobby:
    return after(Lobby(games=NAMES), ("join", 1, "Rapid"), ("join", 2, "Bob"))


def test_the_header_has_the_crew_of_a_seat_and_the_engine_takes_it(two: Lobby) -> None:
    header = header_of(act(two, "crew", 1, ["Eve", "Fay"]))
    assert [seat.get("crew") for seat in header["seats"]] == [["Eve", "Fay"], None]
    assert Engine(CachedLibrary()).handle({"new": header})["ok"]


def test_a_crew_is_taken_back_with_nothing_and_leaves_with_its_seat(two: Lobby) -> None:
    manned = act(two, "crew", 1, ["Eve", "Fay"])
    for word, value in (("crew", None), ("crew", []), ("leave", None)):
        left = after(manned, (word, 1, value), ("join", 1, "Rapid"))
        assert "crew" not in str(header_of(left))


def test_nobody_drives_two_cars(two: Lobby) -> None:
    manned = act(two, "crew", 1, ["Eve", "Rapid"])
    for word, seat, value in (
        ("crew", 1, ["Bob", "Eve"]),
        ("crew", 1, ["Eve", "Eve"]),
        ("crew", 2, ["Eve"]),
        ("name", 2, "Eve"),
        ("join", 3, "Eve"),
    ):
        with pytest.raises(Illegal, match="sits here already"):
            act(manned, word, seat, value)
    assert act(manned, "name", 1, "Eve").joined[1] == "Eve", "of the own crew anybody may sit"


@pytest.mark.parametrize("value", ["Eve", [3], [""], ["x" * 41], list("abcdefghi"), {"a": 1}])
def test_what_is_no_list_of_names_is_refused(two: Lobby, value: object) -> None:
    with pytest.raises(Malformed, match="crew"):
        act(two, "crew", 1, value)


def test_a_seat_that_nobody_has_or_a_bot_has_no_crew_nor_has_a_game_of_players(two: Lobby) -> None:
    with pytest.raises(Illegal):
        act(two, "crew", 3, ["Eve"])
    with pytest.raises((Illegal, Malformed), match="crew"):
        act(act(two, "bot", 3, "learner"), "crew", 3, ["Eve"])
    manned = act(two, "crew", 1, ["Eve", "Fay"])
    assert "crew" not in str(header_of(act(manned, "bot", 1, "learner")))
    downforce = act(manned, "game", None, "downforce")
    assert "crew" not in str(header_of(downforce))
    with pytest.raises((Illegal, Malformed), match="crew"):
        act(downforce, "crew", 1, ["Eve"])
    again = act(downforce, "game", None, "formula-d")
    assert header_of(again)["seats"][0]["crew"] == ["Eve", "Fay"]


def test_the_crews_of_the_last_race_come_again_and_their_names_are_known(two: Lobby) -> None:
    last = header_of(act(two, "crew", 1, ["Eve", "Fay"]))
    again = act(Lobby(games=NAMES, last=last), "same", None, None)
    assert header_of(again) == last
    assert known_names([last]) == ("Rapid", "Eve", "Fay", "Bob")


def test_the_page_is_told_the_crews_and_that_a_game_has_none(two: Lobby) -> None:
    manned = act(two, "crew", 1, ["Eve", "Fay"])
    told = lobby_view(Scene(version=0, seats={}, lobby=manned))
    assert told is not None
    assert told["crews"] == {"1": ["Eve", "Fay"]}
    of_players = lobby_view(
        Scene(version=0, seats={}, lobby=act(manned, "game", None, "downforce"))
    )
    assert of_players is not None
    assert of_players["crews"] is None
