"""A race to be seen again: step laid over step is the state that the engine had."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient
from support.downforce.table import CARS, header, racing

from companion.league.games import replay_events
from companion.race.record import make_header, result_of
from companion.rules.games import fetch
from companion.views.words import words
from companion_web.league.reviews import ABOUT, SHOWN, steps_of


def test_the_steps_laid_over_one_another_are_the_states(driven: list[dict[str, Any]]) -> None:
    race = replay_events(driven)
    state: dict[str, Any] = {}
    cars: dict[str, Any] = {}
    for step, move in zip(steps_of(race, words("en"))["steps"], race.moves, strict=True):
        cars |= step["cars"]
        state |= {key: step[key] for key in ABOUT if key in step}
        now = fetch(race.game).tell(move.state)
        assert state == {key: now[key] for key in ABOUT if key in now}
        for seat, car in now["cars"].items():
            assert cars[seat] == {key: car[key] for key in SHOWN if key in car}


def test_a_step_tells_only_what_has_changed(driven: list[dict[str, Any]]) -> None:
    steps = steps_of(replay_events(driven), words("en"))["steps"]
    assert all(len(step["cars"]) < 3 for step in steps[5:20])
    assert sum(len(step["told"]) for step in steps) > len(steps) / 2


def test_the_sentences_are_in_the_language_and_name_the_rule(reader: FlaskClient) -> None:
    steps = reader.get("/api/league/races/driven/replay.fr").json["steps"]
    told = [sentence for step in steps for sentence in step["told"]]
    assert any("passe la" in one["text"] or "avance" in one["text"] for one in told)
    assert any(one["rule"] == "FD-MOVE-1" for one in told)


def test_the_board_is_the_one_that_the_record_carries(reader: FlaskClient) -> None:
    drawn = reader.get("/league/races/driven/circuit.svg")
    assert drawn.status_code == 200
    assert 'data-space="' in drawn.get_data(as_text=True)


def test_a_game_without_a_board_is_told_in_sentences() -> None:
    table = racing()
    table.passed().card(finished=CARS)
    first = make_header(header(), race="r", name="x", started="2026-01-01", track_text=None)
    race = replay_events([first, *table.engine.lines, {"result": result_of(table.state)}])
    told = [one["text"] for step in steps_of(race, words("fr"))["steps"] for one in step["told"]]
    assert len(told) > 10
    assert not any(text.isidentifier() for text in told)  # the bare name of an event
