"""Titles: who has won what, when it is over; kept at writing and read with a driver's page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.leagues.records import by_hand, do

from companion.league.errors import BadAct
from companion.league.federation.competitions import champions_overall
from companion.league.league import League
from companion.league.plain import Race, Season
from companion.league.standings import WON_ALONE, Holder, champions

PEOPLE = ("Ana", "Bea", "Cai", "Dot")
Titles = list[tuple[str, str, str | None]]


def titles(league: League, driver: str = "ana") -> Titles:
    career = league.public.career(driver)
    assert career is not None
    return [(one.kind, one.title, one.team) for one in career.championships]


def season(key: str, **more: Any) -> dict[str, Any]:
    return {"act": "season", "season": key, "title": key.title(), **more}


def driven(key: str, number: int, *order: str, **cars: str) -> list[dict[str, Any]]:
    race = f"{key}-{number}"
    entries = [{"name": name} | ({"team": cars[name]} if name in cars else {}) for name in order]
    return [
        by_hand(race, (), date=f"2026-01-{number:02}", entries=entries),
        {"act": "round", "race": race, "season": key, "round": number},
    ]


def test_a_season_is_won_when_its_planned_rounds_are_driven(league: League) -> None:
    do(league, season("winter", planned=2, open=True), *driven("winter", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []
    do(league, *driven("winter", 2, "Ana", "Bea"), by="t")
    assert titles(league) == [("season", "Winter", None)]
    assert titles(league, "bea") == []
    do(league, season("winter", planned=3), by="t")
    assert titles(league) == []


def test_a_season_without_a_plan_is_won_when_it_is_closed(league: League) -> None:
    do(league, season("winter", open=True), *driven("winter", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []
    do(league, season("winter", open=False), by="t")
    assert titles(league) == [("season", "Winter", None)]


def test_a_round_that_is_cancelled_is_not_waited_for(league: League) -> None:
    plan = [{"act": "plan", "season": "winter", "round": n} for n in (1, 2)]
    do(league, season("winter"), *plan, *driven("winter", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []
    do(league, {**plan[1], "cancelled": "snow"}, by="t")
    assert titles(league) == [("season", "Winter", None)]
    do(league, {"act": "unplan", "season": "winter", "round": 2}, by="t")
    assert titles(league) == [("season", "Winter", None)]


def test_a_planned_round_that_is_cancelled_is_not_waited_for_either(league: League) -> None:
    plan = [{"act": "plan", "season": "winter", "round": n} for n in (1, 2, 3)]
    do(league, season("winter", planned=2), *plan[:2], *driven("winter", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []
    do(league, {**plan[1], "cancelled": "snow"}, by="t")
    assert titles(league) == [("season", "Winter", None)]
    do(league, plan[2], by="t")
    assert titles(league) == [], "another round is in its place"
    do(league, *driven("winter", 3, "Ana", "Bea"), by="t")
    assert titles(league) == [("season", "Winter", None)]


def test_a_season_that_is_closed_before_its_last_round_is_over(league: League) -> None:
    do(league, season("winter", planned=3, open=True), by="t")
    do(league, *driven("winter", 1, "Ana", "Bea"), *driven("winter", 2, "Ana", "Bea"), by="t")
    do(league, season("other", open=True), by="t")
    assert titles(league) == [], "other races go elsewhere, but nobody has closed it"
    do(league, season("winter", open=True), by="t")
    do(league, season("winter", open=False), by="t")
    assert titles(league) == [("season", "Winter", None)]
    league.rebuild()
    assert titles(league) == [("season", "Winter", None)]
    do(league, season("winter", open=True), by="t")
    assert titles(league) == []


def test_what_changes_the_standings_changes_who_has_won(league: League) -> None:
    do(league, season("winter", planned=1), *driven("winter", 1, "Ana", "Bea"), by="t")
    penalty = {"act": "penalty", "season": "winter", "driver": "Ana", "points": 5, "reason": "x"}
    number = do(league, penalty, by="t")
    assert titles(league) == []
    assert titles(league, "bea") == [("season", "Winter", None)]
    do(league, {"act": "lift", "penalty": number, "reason": "x"}, by="t")
    assert titles(league) == [("season", "Winter", None)]
    do(league, {"act": "strike", "race": "winter-1", "reason": "x"}, by="t")
    assert titles(league) == []
    do(league, {"act": "restore", "race": "winter-1"}, by="t")
    do(league, {"act": "merge", "name": "Ana", "into": "Annie"}, by="t")
    assert titles(league, "annie") == [("season", "Winter", None)]
    do(league, {"act": "round", "race": "winter-1", "season": None}, by="t")
    assert titles(league, "annie") == []


def test_a_team_s_title_is_held_by_everybody_who_scored_for_it(league: League) -> None:
    teams = {"Ana": "Red", "Bea": "Blue", "Cai": "Blue"}
    first = driven("winter", 1, "Ana", "Bea", "Cai", **teams)
    second = driven("winter", 2, "Ana", "Bea", "Dot", **{**teams, "Dot": "Blue"})
    do(league, season("winter", planned=2), *first, *second, by="t")
    assert titles(league) == [("season", "Winter", None)]
    for driver in ("bea", "cai", "dot"):
        assert titles(league, driver) == [("season", "Winter", "Blue")]
    do(league, {"act": "team", "season": "winter", "driver": "Bea", "team": "Red"}, by="t")
    assert titles(league) == [("season", "Winter", None), ("season", "Winter", "Red")]
    assert titles(league, "dot") == []


def test_a_title_of_a_car_is_its_crew_s(league: League) -> None:
    entries = [{"name": "Rapid", "crew": ["Ana", "Bea"]}, {"name": "Cai"}]
    race = by_hand("r", (), entries=entries)
    place = {"act": "round", "race": "r", "season": "winter", "round": 1}
    do(league, season("winter", planned=1), race, place, by="t")
    for driver in ("ana", "bea"):
        assert titles(league, driver) == [("season", "Winter", None)]


def test_divisions_are_won_for_themselves_and_heats_only_on_the_way_to_a_competition(
    league: League,
) -> None:
    cup = {"act": "competition", "competition": "cup", "title": "Cup", "ranking": "stages"}
    of = {"competition": "cup"}
    do(
        league,
        cup,
        season("upper", stage="division", tier=1, planned=1, **of),
        season("lower", stage="division", tier=2, planned=1, **of),
        *driven("upper", 1, "Ana", "Bea"),
        by="t",
    )
    assert titles(league) == [("division", "Upper", None)]
    do(league, *driven("lower", 1, "Cai", "Dot"), by="t")
    assert titles(league) == [("competition", "Cup", None), ("division", "Upper", None)]
    assert titles(league, "cai") == [("division", "Lower", None)]
    do(league, season("final", stage="final", step=2, **of), by="t")
    assert titles(league) == [("division", "Upper", None)], "the final is still to come"
    do(league, *driven("final", 1, "Dot", "Ana"), by="t")
    assert titles(league, "dot") == [("competition", "Cup", None)]
    do(league, season("final", competition=None), by="t")
    assert titles(league) == [("competition", "Cup", None), ("division", "Upper", None)]


def test_a_division_without_a_plan_is_never_known_to_be_over(league: League) -> None:
    cup = {"act": "competition", "competition": "cup", "title": "Cup"}
    upper = season("upper", stage="division", competition="cup")
    do(league, cup, upper, *driven("upper", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []


def test_nobody_wins_without_points_and_a_first_place_may_be_shared(league: League) -> None:
    do(league, season("nil", points="0", planned=1), *driven("nil", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []
    rounds = (*driven("even", 1, "Ana", "Bea"), *driven("even", 2, "Bea", "Ana"))
    do(league, season("even", planned=2), *rounds, by="t")
    assert titles(league) == titles(league, "bea") == [("season", "Even", None)]


def test_titles_of_private_seasons_are_not_seen(league: League) -> None:
    cup = {"act": "competition", "competition": "cup", "title": "Cup"}
    one = season("winter", planned=1, private=True, competition="cup")
    do(league, cup, one, *driven("winter", 1, "Ana", "Bea"), by="t")
    assert titles(league) == []
    career = league.queries.career("ana")
    assert career is not None
    assert [one.title for one in career.championships] == ["Cup", "Winter"]


def some_act(random: Random, number: int) -> dict[str, Any]:
    who, other = random.sample(PEOPLE, 2)
    key, race = random.choice(("a", "b")), f"{random.choice('ab')}-{random.randint(1, 3)}"
    reason = {"reason": "x"}
    ranking = random.choice(("sum", "stages"))
    return random.choice(
        [
            season(key, planned=random.randint(1, 4)),
            season(key, open=random.random() < 0.5, planned=None),
            season(key, competition=random.choice(("cup", None))),
            season(key, drops=random.randint(0, 2), stage=random.choice(("season", "sprint"))),
            {"act": "round", "race": race, "season": key, "round": random.randint(1, 3)},
            {"act": "round", "race": race, "season": None},
            {"act": "strike", "race": race, **reason},
            {"act": "penalty", "season": key, "driver": who, "points": 8, **reason},
            {"act": "penalty", "race": race, "driver": who, "disqualified": True, **reason},
            {"act": "penalty", "season": key, "driver": who, "ban": 1, **reason},
            {"act": "lift", "penalty": number - random.randint(1, 9), **reason},
            {"act": "merge", "name": who, "into": other},
            {"act": "part", "name": who},
            {"act": "team", "season": key, "driver": who, "team": random.choice(("R", "B", None))},
            {"act": "enter", "season": key, "driver": who, "role": "joker"},
            {"act": "scratch", "season": key, "driver": who},
            {"act": "stand-in", "season": key, "round": 1, "driver": who, "absent": other},
            {"act": "plan", "season": key, "round": random.randint(1, 4)},
            {"act": "plan", "season": key, "round": random.randint(1, 4), "cancelled": "snow"},
            {"act": "competition", "competition": "cup", "ranking": ranking},
        ]
    )


def kept(league: League) -> dict[str, Titles]:
    return {one.key: titles(league, one.key) for one in league.queries.drivers()}


@pytest.mark.parametrize("seed", few_now(range(3), 1))
def test_whatever_is_done_the_titles_are_those_that_a_rebuild_comes_to(
    tmp_path: Path, seed: int
) -> None:
    random = Random(seed)
    with League(tmp_path, now=str) as league:
        do(league, {"act": "competition", "competition": "cup"}, season("a"), season("b"), by="t")
        for key in "ab":
            for number in (1, 2, 3):
                order = random.sample(PEOPLE, 4)
                do(league, *driven(key, number, *order, Ana="R", Bea="R", Cai="B"), by="t")
        seen = 0
        for number in range(30):
            try:
                do(league, some_act(random, number + 20), by="t")
            except BadAct:
                continue
            before = kept(league)
            seen += any(before.values())
            if number % 6 == 5:
                league.rebuild()
                assert kept(league) == before, number
        assert seen, "some of it was over"


def test_a_title_is_decided_once_as_long_as_its_season_stands(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    decided: list[str] = []

    def noted(season: Season, races: Sequence[Race]) -> list[Holder]:
        decided.append(season.key)
        return champions(season, races)

    monkeypatch.setattr("companion.league.numbers.champions", noted)
    for n in range(1, 9):
        do(league, season(f"s{n}", planned=1), *driven(f"s{n}", 1, "Ana", "Bea"), by="t")
        assert len(titles(league)) == n
    assert sorted(decided) == [f"s{n}" for n in range(1, 9)]
    do(league, season("s3", drops=1), by="t")
    titles(league)
    assert decided[8:] == ["s3"]


def test_what_is_pure_says_who_has_won(league: League) -> None:
    do(league, season("winter", planned=1), *driven("winter", 1, "Ana", "Bea", Ana="Red"), by="t")
    (found,), races = league.queries.seasons("winter"), league.queries.races()
    assert champions(found, races) == [Holder("ana"), Holder("ana", "Red")]
    assert champions(found, []) == []
    assert found.kind in WON_ALONE
    do(league, {"act": "competition", "competition": "cup"}, by="t")
    (cup,) = league.queries.competitions()
    assert champions_overall(cup, [found], races) == champions(found, races)
