"""Competitions: stages, entry lists, calendars, and what leads from one stage to the next."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.leagues.by_acts import PencilAndPaper
from support.leagues.records import by_hand, do, ended, image, keep

from companion.league.errors import BadAct
from companion.league.federation.competitions import overall, qualified, tables_of
from companion.league.league import League
from companion.league.plain import Season
from companion.league.standings import (
    Standing,
    coming,
    planned,
    standings,
    team_standings,
)

JSON = dict[str, Any]
PEOPLE = ("Ana", "Bea", "Cai", "Dot", "Eve", "Fay")


def season_of(league: League, key: str) -> Season:
    (season,) = league.queries.seasons(key)
    return season


def table(league: League, key: str) -> list[Standing]:
    return standings(season_of(league, key), league.queries.races(season=key))


def points(lines: list[Standing]) -> dict[str, float]:
    return {line.name: line.points for line in lines}


def round_of(season: str, number: int, order: str, **more: Any) -> list[JSON]:
    """A race by hand as a round; (x) went out, -x- did not start."""
    cars = []
    for word in order.split():
        status = "out" if word[0] == "(" else "not-started" if word[0] == "-" else "finished"
        cars.append({"name": word.strip("()-"), "status": status})
    race = f"{season}-{number}{more.pop('table', '')}"
    date = f"2026-03-{number:02}"
    return [
        {"act": "race", "race": race, "date": date, "game": "formula-d", "entries": cars},
        {"act": "round", "race": race, "season": season, "round": number, **more},
    ]


# -- a random season, and the same by pencil and paper ---------------------------------------


def random_season(key: str, dice: Random) -> list[JSON]:
    """The acts of a season with everything in it that bears on standings."""
    roles = {"Eve": "reserve", "Fay": "joker"}
    acts: list[JSON] = [
        {"act": "season", "season": key, "points": "12.5,9,7,5.25,3", "drops": dice.randrange(4)}
    ]
    for number, name in enumerate(PEOPLE, 1):
        team = {"team": dice.choice(["Rouge", "Bleu"])} if name not in roles else {}
        role = {"role": roles[name]} if name in roles else {}
        acts.append(
            {"act": "enter", "season": key, "driver": name, "number": number, **role, **team}
        )
    for number in range(1, dice.randint(2, 7)):
        cars = dice.sample(PEOPLE, dice.randint(2, 6))
        order = " ".join(dice.choice(["{}", "{}", "{}", "({})", "-{}-"]).format(n) for n in cars)
        order = " ".join(sorted(order.split(), key=lambda word: "({-".find(word[0]) % 4))
        weight = dice.choice([{}, {}, {"factor": 0.5}, {"factor": 2}])
        acts += round_of(key, number, order, **weight)
        if dice.random() < 0.4:
            acts += round_of(key, number, " ".join(cars), table="b", points="4,3,1.5")
        for reserve in sorted({"Eve", "Fay"} & {*cars}):
            absent = dice.choice(["Ana", "Bea", "Cai", "Dot"])
            if absent not in cars and dice.random() < 0.7:
                said = {"season": key, "round": number, "driver": reserve, "absent": absent}
                acts.append({"act": "stand-in", **said})
        said = {"driver": dice.choice(cars), "reason": "x", "race": f"{key}-{number}"}
        what = dice.choice(
            [{}, {"places": 2}, {"disqualified": True}, {"points": 1.5}, {"bonus": 2}]
        )
        acts.append({"act": "penalty", **said, **what})
    if dice.random() < 0.5:
        moved = {"season": key, "driver": "Ana", "team": "Vert", "since": 3}
        acts.append({"act": "team", **moved})
    acts.append({"act": "penalty", "season": key, "team": "Rouge", "points": 3, "reason": "late"})
    return acts


@pytest.mark.parametrize("count", few_now([4, 12], 1))
def test_random_seasons_are_what_pencil_and_paper_say_and_again_from_nothing(
    league: League, count: int
) -> None:
    told = {f"s{seed}": random_season(f"s{seed}", Random(seed)) for seed in range(count)}
    do(league, *(act for acts in told.values() for act in acts), by="t")
    for key, acts in told.items():
        paper = PencilAndPaper(acts, key)
        lines = table(league, key)
        assert [(one.name, Fraction(str(one.points))) for one in lines] == paper.drivers()
        teams = team_standings(season_of(league, key), league.queries.races(season=key))
        assert {one.name: Fraction(str(one.points)) for one in teams} == paper.in_teams()
    before = image(league)
    league.rebuild()
    assert image(league) == before


# -- entry lists and teams -------------------------------------------------------------------


def test_who_is_entered_stands_there_before_any_race(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s"}, by="t")
    entry = {"act": "enter", "season": "s", "driver": "Zoe", "number": 7, "color": "red"}
    do(league, {**entry, "team": "Vert"}, by="t")
    (zoe,) = table(league, "s")
    assert (zoe.name, zoe.points, zoe.team, zoe.place) == ("Zoe", 0, "Vert", 1)
    assert [one.name for one in league.queries.drivers()] == ["Zoe"]
    with pytest.raises(BadAct, match="Zoe has the number 7 already"):
        do(league, {**entry, "driver": "Yan"}, by="t")
    do(league, {"act": "scratch", "season": "s", "driver": "Zoe"}, by="t")
    assert table(league, "s") == []


def test_a_team_change_from_a_round_on_leaves_the_rounds_before_where_they_were(
    open_league: Any,
) -> None:
    league = open_league()
    change = {"act": "team", "season": "s", "driver": "Fay"}
    do(
        league,
        {"act": "season", "season": "s", "points": "10,8"},
        {**change, "team": "Vert"},
        *round_of("s", 1, "Fay Ana"),
        *round_of("s", 2, "Fay Ana"),
        {**change, "team": "Bleu", "since": 2},
        by="t",
    )
    races = league.queries.races(season="s")
    assert points(team_standings(season_of(league, "s"), races)) == {"Vert": 10, "Bleu": 10}
    do(league, {**change, "team": "Rouge"}, by="t")  # of the whole season
    assert points(team_standings(season_of(league, "s"), races)) == {"Rouge": 20}


def test_a_reserve_scores_for_himself_and_the_team_a_joker_for_the_absent_driver(
    open_league: Any,
) -> None:
    league = open_league()
    stand_in = {"act": "stand-in", "season": "s", "absent": "Ana"}
    do(
        league,
        {"act": "season", "season": "s", "points": "10,8"},
        {"act": "enter", "season": "s", "driver": "Ana", "team": "Vert"},
        {"act": "enter", "season": "s", "driver": "Rae", "role": "reserve"},
        {"act": "enter", "season": "s", "driver": "Jo", "role": "joker"},
        *round_of("s", 1, "Rae Bea"),
        *round_of("s", 2, "Bea Jo"),
        {**stand_in, "driver": "Rae", "round": 1},
        {**stand_in, "driver": "Jo", "round": 2},
        by="t",
    )
    assert points(table(league, "s")) == {"Bea": 18, "Rae": 10, "Ana": 8}
    races = league.queries.races(season="s")
    assert points(team_standings(season_of(league, "s"), races)) == {"Vert": 18}


# -- scoring ---------------------------------------------------------------------------------


def test_a_sprint_has_its_own_points_and_is_dropped_with_its_round(open_league: Any) -> None:
    league = open_league()
    do(
        league,
        {"act": "season", "season": "s", "points": "10,8", "drops": 1},
        *round_of("s", 1, "Ana Bea"),
        *round_of("s", 1, "Bea Ana", table="sprint", points="3,1.5"),
        *round_of("s", 2, "Bea Ana"),
        by="t",
    )
    # Ana: 10 + 1.5 in the first round, 8 dropped. Bea: 8 + 3 kept, 10 dropped.
    assert points(table(league, "s")) == {"Ana": 11.5, "Bea": 11}


def test_a_race_stopped_early_counts_half_where_the_season_says_so(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s", "points": "10,8", "half_under": 0.75}, by="t")
    keep(league.folder.data, ended("stopped", ("Ana", "Bea"), laps=3))
    league.catch_up()
    do(league, {"act": "round", "race": "stopped", "season": "s", "round": 1}, by="t")
    assert points(table(league, "s")) == {"Ana": 5, "Bea": 4}


@pytest.mark.parametrize(("ties", "first"), [("last", "Bea"), ("poles", "Cai"), ("wins", "Ana")])
def test_equal_points_are_decided_as_the_season_says(
    open_league: Any, ties: str, first: str
) -> None:
    league = open_league()
    one, two = round_of("s", 1, "Ana Bea Cai"), round_of("s", 2, "Bea Cai Ana")
    one[0]["entries"][2]["grid"] = 1
    do(league, {"act": "season", "season": "s", "points": "5,5,5", "ties": ties}, by="t")
    do(league, *one, *two, *round_of("s", 3, "(Ana) (Bea) (Cai)"), by="t")
    if ties == "wins":  # and a bonus for who else would be behind
        do(league, *round_of("s", 4, "Ana Bea Cai"), by="t")
    assert table(league, "s")[0].name == first


def test_a_driver_who_did_not_start_has_driven_no_race(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s"}, *round_of("s", 1, "Ana Bea -Cai-"), by="t")
    assert points(table(league, "s"))["Cai"] == 0
    assert league.queries.career("cai").totals.tally == {}
    rating = {one.driver.name: one.rating for one in league.queries.people()[0]}
    assert set(rating) == {"Ana", "Bea"}


# -- the calendar ----------------------------------------------------------------------------


def test_a_race_that_comes_in_is_no_round_that_was_cancelled(open_league: Any) -> None:
    league = open_league()
    plan = {"act": "plan", "season": "s"}
    do(
        league,
        {"act": "season", "season": "s", "open": True},
        *({**plan, "round": number, "board": "manege"} for number in (1, 2, 3)),
        {**plan, "round": 2, "cancelled": "snow"},
        by="t",
    )
    season = season_of(league, "s")
    assert planned(season) == 2
    keep(league.folder.data, *(ended(f"r{n}", started=f"2026-01-0{n}T20:00:00") for n in (1, 2)))
    league.catch_up()
    races = league.queries.races(season="s")
    assert [race.round for race in races] == [1, 3]
    next_one = coming(season, races[:1])
    assert next_one is not None
    assert next_one.round == 3
    assert coming(season, races) is None


def test_a_round_is_planned_on_a_day_that_there_is(open_league: Any) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s", "title": "Winter, 2026"}, by="t")
    with pytest.raises(BadAct, match="date is a date such as"):
        do(league, {"act": "plan", "season": "s", "round": 4, "date": "2026-13-01"}, by="t")


# -- from stage to stage ---------------------------------------------------------------------


def test_promotion_and_relegation_lead_into_the_divisions_of_the_next_year(
    open_league: Any, url: str | None
) -> None:
    league = open_league(url)
    do(league, *two_divisions(), by="t")
    found = {}
    for key in ("d1", "d2"):
        races = league.queries.races(season=key)
        found |= {one.name: one.into for one in qualified(season_of(league, key), races)}
    assert found == {
        "Ana": "d1-next",
        "Bea": "d1-next",
        "Cai": "d2-next",
        "Dot": "d1-next",
        "Eve": "d2-next",
        "Fay": "d2-next",
    }
    stages = league.queries.stages("cup")
    tables = tables_of(stages, league.queries.races(stages=[one.key for one in stages]))
    lines = overall(league.queries.competitions()[0], tables)
    assert [(one.place, one.name) for one in lines] == list(enumerate(PEOPLE, 1))


def two_divisions() -> list[JSON]:
    """Two divisions of three in one competition; the last goes down, the first goes up."""
    division = {"act": "season", "competition": "cup", "stage": "division", "points": "5,3,1"}
    way = {"act": "path"}
    return [
        {"act": "competition", "competition": "cup", "title": "Cup", "ranking": "stages"},
        {**division, "season": "d1", "tier": 1},
        {**division, "season": "d2", "tier": 2},
        {"act": "season", "season": "d1-next"},
        {"act": "season", "season": "d2-next"},
        {**way, "season": "d1", "into": "d2-next", "first": -1, "last": -1},
        {**way, "season": "d1", "into": "d1-next", "first": 1, "last": -2},
        {**way, "season": "d2", "into": "d1-next", "first": 1, "last": 1},
        {**way, "season": "d2", "into": "d2-next", "first": 2, "last": -1},
        *round_of("d1", 1, "Ana Bea Cai"),
        *round_of("d2", 1, "Dot Eve Fay"),
    ]


def test_of_heats_the_first_of_every_table_go_into_the_final(open_league: Any) -> None:
    league = open_league()
    do(
        league,
        {"act": "season", "season": "heats", "stage": "heats"},
        {"act": "season", "season": "final", "stage": "final"},
        {"act": "path", "season": "heats", "into": "final", "first": 1, "last": 1, "by": "race"},
        *round_of("heats", 1, "Ana Bea", table="a"),
        *round_of("heats", 1, "Cai Dot (Eve)", table="b"),
        by="t",
    )
    found = qualified(season_of(league, "heats"), league.queries.races(season="heats"))
    assert [one.name for one in found] == ["Ana", "Cai"]


def test_a_place_that_is_shared_at_the_border_has_to_be_decided_by_people(
    open_league: Any,
) -> None:
    league = open_league()
    do(
        league,
        {"act": "season", "season": "a"},
        {"act": "season", "season": "b"},
        {"act": "path", "season": "a", "into": "b", "first": 1, "last": 1},
        *round_of("a", 1, "Ana Bea"),
        *round_of("a", 2, "Bea Ana"),
        by="t",
    )
    with pytest.raises(BadAct, match="Ana and Bea share place 1"):
        qualified(season_of(league, "a"), league.queries.races(season="a"))


def test_a_sum_adds_the_stages_that_add(open_league: Any) -> None:
    league = open_league()
    own = {"act": "season", "competition": "c", "points": "5,3"}
    do(
        league,
        {"act": "competition", "competition": "c"},
        {**own, "season": "a"},
        {**own, "season": "b", "points": "2,1", "stage": "sprint", "step": 2},
        {**own, "season": "fun", "adds": False},
        *round_of("a", 1, "Ana Bea"),
        *round_of("b", 1, "Bea Ana"),
        *round_of("fun", 1, "Bea Ana"),
        by="t",
    )
    stages = league.queries.stages("c")
    tables = tables_of(stages, league.queries.races(stages=[one.key for one in stages]))
    lines = overall(league.queries.competitions()[0], tables)
    assert [(one.name, one.points) for one in lines] == [("Ana", 6), ("Bea", 5)]


# -- what is refused -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("act", "message"),
    [
        ({"act": "season", "season": "s", "competition": "none"}, "no competition 'none'"),
        ({"act": "season", "season": "s", "ties": "luck"}, "ties are some of places"),
        ({"act": "path", "season": "s", "into": "s", "first": 1, "last": 1}, "another stage"),
        ({"act": "path", "season": "s", "into": "t", "first": 3, "last": 1}, "counted from 1"),
        (
            {"act": "stand-in", "season": "s", "round": 1, "driver": "Ana", "absent": "Ana"},
            "himself",
        ),
        ({"act": "come", "season": "s", "round": 1, "driver": "Ana", "comes": True}, "no round 1"),
        ({"act": "scratch", "season": "s", "driver": "Ana"}, "not on the entry list"),
        ({"act": "penalty", "season": "s", "reason": "x", "points": 1}, "a driver's or a team's"),
        (
            {"act": "penalty", "season": "s", "team": "Vert", "reason": "x", "grid": 1},
            "of a team takes points",
        ),
    ],
)
def test_what_has_no_sense_in_a_competition_is_refused_in_a_sentence(
    open_league: Any, act: JSON, message: str
) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "s"}, {"act": "season", "season": "t"}, by="t")
    do(league, by_hand("r", ("Ana", "Bea")), by="t")
    with pytest.raises(BadAct, match=message):
        do(league, act, by="t")


def test_who_stands_in_for_somebody_that_is_the_same_person_by_now_has_his_own_team(
    open_league: Any,
) -> None:
    league = open_league()
    stand_in = {"act": "stand-in", "season": "s", "round": 1}
    do(
        league,
        {"act": "season", "season": "s"},
        *round_of("s", 1, "Ana -Bea-", table="a"),
        *round_of("s", 1, "Cai -Dot-", table="b"),
        {"act": "team", "season": "s", "driver": "Bea", "team": "Red"},
        {**stand_in, "driver": "Ana", "absent": "Bea"},
        {**stand_in, "driver": "Cai", "absent": "Dot"},
        {"act": "merge", "name": "Dot", "into": "Ana"},
        {"act": "merge", "name": "Bea", "into": "Cai"},  # each for the other now
        by="t",
    )
    season = season_of(league, "s")
    assert {season.team_of(name, 1, None) for name in ("ana", "cai")} <= {"Red", None}
    do(league, {"act": "merge", "name": "Cai", "into": "Ana"}, by="t")
    assert season_of(league, "s").team_of("ana", 1, None) == "Red"
    assert [line.key for line in table(league, "s")] == ["ana"]
