"""Drivers and boards over many races: careers, head to head, ratings, records."""

from __future__ import annotations

from typing import Any

import pytest
from support.leagues.slow_counts import (
    FORM_RACES,
    Rival,
    boards_of,
    career_of,
    ratings,
    rivals_of,
)

from companion.league.plain import Entry, Penalty, Race
from companion.league.ratings import START, K


def race(name: str, *order: str, **more: Any) -> Race:
    """A race with these drivers in this order; a name with ! went out."""
    entries = tuple(
        Entry(
            seat=place,
            driver=one.rstrip("!"),
            name=one.rstrip("!").title(),
            place=place,
            status="out" if one.endswith("!") else "finished",
            **more.get("of", {}).get(one.rstrip("!"), {}),
        )
        for place, one in enumerate(order, 1)
    )
    told = {key: value for key, value in more.items() if key != "of"}
    about = {"date": "2026-01-01", "game": "formula-d", "name": name, **told}
    return Race(id=name, entries=entries, **about)


def test_two_equals_exchange_half_of_what_a_race_can_move() -> None:
    found = ratings([race("a", "ana", "bea")])
    assert (found["ana"].points, found["bea"].points) == (START + K / 2, START - K / 2)


def test_a_race_of_many_moves_a_rating_no_more_than_a_duel() -> None:
    found = ratings([race("a", "ana", "bea", "cai", "dot")])
    assert found["ana"].points == START + K / 2
    assert found["bea"].points == pytest.approx(START + K / 6)


def test_ratings_are_handed_on_and_never_made() -> None:
    races = [race("a", "ana", "bea", "cai"), race("b", "bea", "dot!", "ana"), race("c", "cai")]
    found = ratings(races)
    assert sum(one.points for one in found.values()) == pytest.approx(4 * START)
    assert [name for name, _ in found["ana"].history] == ["a", "b"]
    assert "c" not in dict(found["cai"].history)


def test_a_win_against_a_better_one_is_worth_more() -> None:
    ahead = [race(str(n), "ana", "bea") for n in range(10)]
    before = ratings(ahead)["bea"].points
    assert ratings([*ahead, race("x", "bea", "ana")])["bea"].points - before > K / 2


def test_a_struck_race_and_shared_places_move_nothing() -> None:
    assert ratings([race("a", "ana", "bea", struck="a joke")]) == {}
    shared = race("a", "ana", "bea", of={"bea": {}})
    level = Race(
        id="l",
        name="l",
        date="",
        game="downforce",
        entries=tuple(
            Entry(seat=e.seat, driver=e.driver, name="", place=1) for e in shared.entries
        ),
    )
    assert ratings([level])["ana"].points == START


def test_head_to_head_counts_who_was_ahead_penalties_included() -> None:
    penalty = Penalty(id=1, driver="ana", reason="late", places=1)
    races = [
        race("a", "ana", "bea", "cai"),
        race("b", "bea", "ana"),
        race("c", "ana", "bea", penalties=(penalty,)),
        race("d", "ana", "bea", struck="x"),
    ]
    assert rivals_of("ana", races) == [Rival("bea", 3, 1, 2), Rival("cai", 1, 1, 0)]


def test_a_career_adds_up_what_the_races_say() -> None:
    numbers = {"wp": {"tires": 2}, "luck": 1.5, "stops": [2], "passes": 3, "rolls": 20}
    measured = {"grid": 3, "numbers": numbers}
    races = [
        race("a", "ana", "bea", of={"ana": measured}),
        race("b", "bea", "ana!", of={"ana": {"out": "engine", "grid": 1}}),
        race("c", "ana", struck="x"),
    ]
    career = career_of("ana", races)
    assert (career.races, career.wins, career.podiums, career.poles) == (2, 1, 1, 1)
    assert (career.home, career.out, career.gained, career.mean_place) == (1, 1, 2, 1.5)
    assert (career.measured, career.luck, career.counted["passes"]) == (1, 1.5, 3)
    assert (dict(career.wp), career.stops, dict(career.out_by)) == (
        {"tires": 2},
        [2],
        {"engine": 1},
    )


def test_form_is_the_latest_races_newest_first() -> None:
    career = career_of("ana", [race(str(n), "ana") for n in range(FORM_RACES + 2)])
    assert [one.id for one, _ in career.form] == ["6", "5", "4", "3", "2"]


def test_somebody_who_never_drove_has_an_empty_career() -> None:
    assert career_of("eve", [race("a", "ana")]).mean_place is None


def test_a_board_keeps_the_first_who_held_its_record() -> None:
    def on(name: str, lap: int, rolls: int, **more: Any) -> Race:
        of = {"ana": {"best_lap": lap, "numbers": {"rolls": rolls}}}
        return race(name, "ana", "bea!", of=of, board="Monaco", laps=2, **more)

    races = [on("a", 14, 30), on("b", 12, 29), on("c", 12, 31), race("d", "bea")]
    (board,) = boards_of(races)
    assert (board.title, board.races, dict(board.winners)) == ("Monaco", 3, {"ana": 3})
    assert board.best_lap is not None
    assert (board.best_lap[0], board.best_lap[1].id) == (12, "b")
    assert {laps: (best[0], best[1].id) for laps, best in board.best_race.items()} == {2: (29, "b")}
