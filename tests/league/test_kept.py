"""What is gone on with is what counting from the beginning comes to, whatever is done."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.each import few_now
from support.leagues.records import by_hand, do, ended, keep, raced
from support.leagues.slow_counts import boards_of, career_of, ratings, rivals_of

from companion.league.errors import BadAct
from companion.league.exchange.outside import LeagueSeen
from companion.league.games import measure
from companion.league.league import League
from companion.league.ratings import START
from race_companion_ergast import Picked, group, pick

PEOPLE = ("Ana", "Bea", "Cai", "Dot", "Eve", "Fay")


def told(league: League) -> dict[str, Any]:
    """All that was kept, to compare two leagues by; numbers to what a page shows of them."""
    people, count = league.queries.people(most=99)
    careers = {one.driver.key: league.queries.career(one.driver.key) for one in people}
    return {
        "count": count,
        "ratings": {one.driver.key: round(one.rating, 6) for one in people},
        "tallies": {one.driver.key: dict(one.tally) for one in people},
        "rivals": {key: sorted(map(str, one.rivals)) for key, one in careers.items() if one},
        "curves": {
            key: [round(rating, 6) for rating in one.curve] for key, one in careers.items() if one
        },
        "boards": league.queries.boards(),
        "cars": pick(LeagueSeen(league.queries, "ergast"), Picked()),
        "groups": {
            of: group(LeagueSeen(league.queries, "ergast"), Picked(), of)
            for of in ("driver", "team", "board", "status", "season", "race")
        },
    }


def check(league: League) -> None:
    """See that all of it is what the races come to."""
    races = league.queries.races()
    kept, slow = told(league), ratings(races)
    drivers = {e.driver for race in races if race.counts for e in race.entries}
    assert kept["count"] == len(kept["ratings"]) == len(drivers)
    for driver in drivers:
        career = career_of(driver, races)
        tally = kept["tallies"][driver]
        for name in ("races", "cars", "wins", "podiums", "poles", "home", "out", "gained"):
            assert tally.get(name, 0) == getattr(career, name), (driver, name)
        assert tally.get("places", 0) == sum(career.places)
        assert tally.get("luck", 0) == pytest.approx(career.luck, abs=0.01)
        assert {k[3:]: n for k, n in tally.items() if k.startswith("wp.")} == {
            kind: points for kind, points in career.wp.items() if points
        }
        expected = slow[driver].points if driver in slow else START
        assert kept["ratings"][driver] == pytest.approx(expected)
        met = [(one.driver, one.races, one.ahead, one.behind) for one in rivals_of(driver, races)]
        found = league.queries.career(driver)
        assert found is not None
        rivals = [(one.driver, one.races, one.ahead, one.behind) for one in found.rivals]
        assert rivals == met
        form = [(race.id, entry.place) for race, entry in career.form]
        assert [(one.race, one.place) for one in found.outings[:5]] == form
    boards = boards_of(races)
    assert [(one.title, one.races) for one in kept["boards"]] == [
        (one.title, one.races) for one in boards
    ]
    for one, slow_one in zip(kept["boards"], boards, strict=True):
        lap = slow_one.best_lap
        assert (one.lap and (one.lap.number, one.lap.race)) == (lap and (lap[0], lap[1].id))
        best = {laps: (held[0], held[1].id) for laps, held in slow_one.best_race.items()}
        assert {laps: (held.number, held.race) for laps, held in one.race.items()} == best
        most = max(slow_one.winners.values(), default=0)
        assert (one.wins.number if one.wins else 0) == most


def some_act(random: Random, race: str) -> dict[str, Any]:
    who, other = random.sample(PEOPLE, 2)
    return random.choice(
        [
            {"act": "penalty", "race": race, "driver": who, "places": 2, "reason": "x"},
            {"act": "penalty", "race": race, "driver": who, "disqualified": True, "reason": "x"},
            {"act": "strike", "race": race, "reason": "x"},
            {"act": "restore", "race": race},
            {"act": "merge", "name": who, "into": other},
            {"act": "part", "name": who},
            {"act": "lift", "penalty": random.randint(1, 40), "reason": "x"},
            {"act": "amend", "race": race, "reason": "x"}
            | {"entries": [{"seat": 2}, {"seat": 1}, {"seat": 3, "name": who}]},
        ]
    )


def enter(random: Random, number: int) -> dict[str, Any]:
    cars = [{"name": name, "grid": n} for n, name in enumerate(random.sample(PEOPLE, 4), 1)]
    cars[3]["status"] = "out"
    day = f"2026-{random.randint(1, 12):02}-{random.randint(1, 28):02}"
    track = random.choice(("Monza", "Le Manège", None))
    about = {"race": f"h{number}", "date": day, "game": "formula-d", "track": track}
    return {"act": "race", **about, "entries": cars}


@pytest.mark.slow
@pytest.mark.parametrize("seed", few_now(range(4), 1))
def test_whatever_is_done_what_is_kept_is_what_the_races_come_to(tmp_path: Path, seed: int) -> None:
    random = Random(seed)
    with League(tmp_path, now=str, measure=measure) as league:
        keep(tmp_path, raced("real", PEOPLE[:3], seed=seed), raced("two", PEOPLE[1:4], seed=9))
        league.catch_up()
        for number in range(12):
            do(league, enter(random, number), by="t")
            for _ in range(2):
                act = some_act(random, random.choice(("real", "two", f"h{number}")))
                try:
                    do(league, act, by="t")
                except BadAct:
                    continue
        check(league)
        before = told(league)
        league.rebuild()
        assert told(league) == before


def test_a_record_is_kept_though_its_file_goes(tmp_path: Path) -> None:
    with League(tmp_path, now=str, measure=measure) as league:
        do(league, {"act": "season", "season": "s", "open": True}, by="t")
        for race in ("a", "b", "c"):
            keep(tmp_path, ended(race, started=f"2026-01-0{'abc'.index(race) + 1}T20:00:00"))
        league.catch_up()
        do(league, {"act": "strike", "race": "b", "reason": "x"}, by="t")
        before, told_before = league.queries.races(), told(league)
        path = tmp_path / "records" / "b.jsonl"
        content = path.read_bytes()
        path.unlink()
        for _ in range(2):
            league.catch_up()
            assert league.rebuild().idle == {}
            assert league.queries.races() == before
            assert told(league) == told_before
            path.write_bytes(content)


def test_a_page_does_not_wait_for_whoever_changes_the_league(tmp_path: Path) -> None:
    keep(tmp_path, ended("a"))
    with League(tmp_path, now=str) as one, League(tmp_path, now=str) as other:
        one.catch_up()
        other.catch_up()
        keep(tmp_path, ended("b"))
        with one.held():
            assert other.catch_up(wait=False) == []
            assert [race.id for race in other.queries.races()] == ["a"]
        other.catch_up(wait=False)
        assert [race.id for race in other.queries.races()] == ["a", "b"]


def test_records_are_played_ahead_over_processes_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    races = [f"r{n:02}" for n in range(18)]
    keep(tmp_path, *(ended(race) for race in races))
    with League(tmp_path, now=str, measure=measure) as league:
        league.catch_up()
        assert [race.id for race in league.queries.races()] == races
        with monkeypatch.context() as newer:  # a program that counts something else
            newer.setattr("companion.league.league.PROGRAM", "newer")
            assert league.rebuild(jobs=2).is_same
            league._folding.measure = None  # type: ignore[assignment]  # whoever plays now fails
            assert league.rebuild(jobs=2).is_same
        assert [race.id for race in league.queries.races()] == races


def test_the_cars_that_other_programs_ask_for_follow_every_act(
    open_league: Any, url: str | None, tmp_path: Path
) -> None:
    league = open_league(url)
    keep(tmp_path, ended("r", ("Ana", "Bea")))
    league.catch_up()
    one, other = ({"act": "season", "season": key, "title": key} for key in ("one", "other"))
    placed = {"act": "round", "race": "r"}
    do(league, one, other, {**placed, "season": "one"}, by="t")
    do(league, {"act": "team", "season": "one", "driver": "Ana", "team": "Écurie"}, by="t")

    def told(of: str, *values: tuple[str, str]) -> list[tuple[str, int]]:
        return group(LeagueSeen(league.queries, "ergast"), Picked(values), of)

    assert told("season", ("team_id", "ecurie")) == [("one", 1)]
    assert told("driver") == [("ana", 1), ("bea", 1)]
    do(league, {"act": "merge", "name": "Ana", "into": "Annie"}, by="t")
    assert told("driver", ("team_id", "ecurie")) == [("annie", 1)]
    do(league, {**placed, "season": "other"}, by="t")
    assert (told("season"), told("team")) == ([("other", 2)], [])
    do(league, {"act": "strike", "race": "r", "reason": "a joke"}, by="t")
    assert told("driver") == []


TRIALS = (
    {"name": "Ann", "trial": 20, "time": 119.5},
    {"name": "Bob", "trial": 18, "time": 61},
    {"name": "Cai"},
)


def test_a_session_of_trials_is_won_by_the_best_trial_in_whatever_order_it_is_entered(
    league: League,
) -> None:
    stage = {"act": "season", "season": "day", "stage": "trials"}
    put = {"act": "round", "race": "t", "season": "day", "round": 1}
    by_order = [("ann", 1, 1), ("bob", 2, 0), ("cai", 3, 0)]
    by_trial = [("ann", 2, 0), ("bob", 1, 1), ("cai", 3, 0)]
    do(league, stage, by_hand("t", (), date="2026-02-02", entries=list(TRIALS)), by="t")
    assert kept_of(league) == by_order
    do(league, put, by="t")
    assert kept_of(league) == by_trial
    do(league, {**stage, "stage": "season"}, by="t")
    assert kept_of(league) == by_order
    do(league, stage, by="t")
    assert kept_of(league) == by_trial
    assert ratings(league.queries.races())["bob"].points == max(curve_of(league, "bob"))
    league.rebuild()
    assert kept_of(league) == by_trial
    do(league, {**put, "season": None}, by="t")
    assert kept_of(league) == by_order


def kept_of(league: League) -> list[tuple[str, int, float]]:
    """The place of each in the only race, and how many it has won."""
    careers = [(key, league.public.career(key)) for key in ("ann", "bob", "cai")]
    return [
        (key, one.outings[0].place, one.totals.tally.get("wins", 0))
        for key, one in careers
        if one is not None
    ]


def curve_of(league: League, driver: str) -> tuple[float, ...]:
    career = league.public.career(driver)
    assert career is not None
    return career.curve
