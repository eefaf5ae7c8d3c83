"""A race without a board at the table: set up, played, amended, taken up again, recorded."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.formula import boardless
from support.tables.sitting import REFEREE, ListJournal, Sitting, phone

from companion.race.record import replay
from companion.table.screens import make_scene
from companion.views.dialog import show
from companion.views.model import NO_BOARD
from companion.views.page import table_view
from companion.views.words import words
from companion.views.words.refusals import refusal_text


def set_up(track: str | None, game: str = "formula-d", *rules: str) -> Sitting:
    """Three seats join and start a race without a board, from the lobby."""
    sitting = Sitting()
    for seat, name in enumerate(("Ana", "Bob", "Cleo"), 1):
        sitting.accepts(phone(seat), {"table": "join", "seat": seat, "value": name})
    words: list[tuple[str, Any]] = [("game", game), ("track", track), ("laps", 1)]
    words += [("option", {"name": rule, "on": True}) for rule in rules]
    for word, value in words:
        sitting.accepts(REFEREE, {"table": word, "value": value})
    sitting.accepts(REFEREE, {"table": "start"})
    return sitting


def plays(sitting: Sitting, dice: Random, most: int = 10_000) -> None:
    """Answers at random, until so many are given or the race is over."""
    for _ in range(most):
        if not sitting.state.asks:
            return
        ask = sitting.state.asks[0]
        caller = phone(ask["seat"]) if ask["seat"] else REFEREE
        sitting.accepts(caller, {"seat": ask["seat"], ask["kind"]: boardless.smooth(ask, dice)})


def scene_of(sitting: Sitting) -> Any:
    return make_scene(sitting.state, {}, lambda seat: f"seat/{seat}")


@pytest.mark.parametrize("game", ["formula-d", "formule-de"])
@pytest.mark.parametrize("track", [None, "sebring"])
def test_a_race_without_a_board_goes_on_from_what_was_kept_of_it(
    track: str | None, game: str
) -> None:
    sitting, dice = set_up(track, game), Random(4)
    plays(sitting, dice, 25)
    sitting.keeps()
    plays(sitting, dice, 10)
    again = Sitting(sitting.journal)
    assert again.everything() == sitting.everything()
    assert again.race.engine._states[1] is None, "it was not played again"
    assert again.race.engine.moment == Sitting(unkept(sitting)).race.engine.moment


def unkept(sitting: Sitting) -> ListJournal:
    journal = ListJournal()
    journal.logs = sitting.journal.logs
    return journal


@pytest.mark.parametrize("game", ["formula-d", "formule-de"])
@pytest.mark.parametrize("track", [None, "sebring"])
def test_a_race_without_a_board_goes_from_the_lobby_to_its_record(
    game: str, track: str | None
) -> None:
    sitting = set_up(track, game, "weather", "tires")
    assert sitting.race.header["track"] == track
    plays(sitting, Random(3))
    finished = sitting.state.finish()
    assert finished is not None
    lines = finished[1]
    assert (lines[0]["track_file"] is None) == (track is None)
    assert replay(lines).state() == sitting.race.state


def test_the_table_takes_a_race_without_a_board_up_again() -> None:
    for track in (None, "sebring"):
        sitting = set_up(track)
        plays(sitting, Random(5), 60)
        again = Sitting(sitting.journal)
        assert again.everything() == sitting.everything()
        scene = scene_of(again)
        assert (scene.track, scene.card is not None) == (None, track is not None)


def test_answers_are_taken_back_and_the_race_goes_on() -> None:
    sitting = set_up(None)
    plays(sitting, Random(2), 30)
    before = dict(sitting.race.state)
    plays(sitting, Random(9), 3)
    sitting.accepts(REFEREE, {"undo": 3})
    assert sitting.race.state == before


def test_every_screen_and_the_page_can_be_shown_at_every_moment() -> None:
    """Nothing on the way from the state to a screen needs a board."""
    for track in (None, "valencia"):
        sitting, dice = set_up(track, "formule-de", "weather"), Random(4)
        for _ in range(90):
            scene = scene_of(sitting)
            assert table_view(scene)["running"] is not None
            for seat in (1, 2, 3):
                assert show(scene, seat).title or scene.state.phase == "setup"
            plays(sitting, dice, 1)


def test_a_report_of_a_while_ago_is_amended() -> None:
    """What came after it holds as it stands."""
    sitting = set_up(None)
    plays(sitting, Random(6), 40)
    given = sitting.race.given
    back = next(n for n in range(2, 20) if "report" in given[-n].line)
    seat = given[-back].line["seat"]
    told = sitting.says(REFEREE, {"amend": back, "value": {"corner": True}})
    assert told.status == 200, told
    assert {"seat": seat, "report": {"corner": True}} in [one.line for one in sitting.race.given]


def test_nothing_stands_elsewhere_where_there_are_no_places() -> None:
    sitting = set_up(None)
    plays(sitting, Random(1), 20)
    key = sitting.refuses(phone(1), {"table": "propose", "seat": 1, "space": "S1.l1"})
    assert key == "no-such-space"


@pytest.mark.parametrize(
    ("rule", "missing"), [("trials", "how far each came"), ("urban", "tunnel")]
)
def test_a_rule_that_needs_a_board_is_refused_naming_what_is_missing_and_the_lobby_stays(
    rule: str, missing: str
) -> None:
    """FD-TRIAL-3, FD-URBAN-1."""
    sitting = Sitting()
    sitting.accepts(phone(1), {"table": "join", "seat": 1, "value": "Ana"})
    sitting.accepts(REFEREE, {"table": "track", "value": NO_BOARD})
    sitting.accepts(REFEREE, {"table": "option", "value": {"name": rule, "on": True}})
    if rule == "urban":
        sitting.accepts(REFEREE, {"table": "driver", "seat": 1, "value": "Jenny Slivers"})
    error = sitting.says(REFEREE, {"table": "start"}).body["error"]
    assert error["key"] == "not-boardless"
    assert missing in refusal_text(error, words("en"))


def test_no_board_is_restored_by_same_as_last_time() -> None:
    sitting = set_up(None)
    plays(sitting, Random(3))
    sitting.state.finish()
    again = Sitting(ListJournal())
    again.journal.logs = sitting.journal.logs
    lobby = again.state.fresh_lobby()
    assert lobby.last is not None
    assert lobby.last["track"] is None
    assert NO_BOARD in lobby.tracks
    assert set(lobby.cards) <= set(lobby.tracks)
