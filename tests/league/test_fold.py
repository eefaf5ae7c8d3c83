"""What stands is a fold over what was done: whatever that was, by whomever, and undone or not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.leagues.club import until
from support.leagues.random_acts import SEASONS, some_act
from support.leagues.records import by_hand, do, ended, image, keep

from companion.league.acts import Done, Undo, every_kind, parse_act
from companion.league.change import Change
from companion.league.errors import BadAct, BrokenFile, KeyReused
from companion.league.folding import Folding
from companion.league.league import League
from companion.league.plain import Once
from companion.league.stand import Stand
from companion.league.standings import standings, team_standings
from companion.system.host import program_of

OpenLeague = Callable[..., League]
SEEDS = 6
MANY = 200
"""Histories of a long run; two thousand are as good, and take ten minutes."""


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Journals hold merges of people who raced each other, from before they were refused."""
    monkeypatch.setattr(Change, "_refuse_one_in_two_cars", lambda _self, _act: None)


def told(stand: Stand) -> dict[str, Any]:
    return {name: value for name, value in vars(stand).items() if name != "memo"}


def never_done(league: League) -> Stand:
    """The league in which what was undone has never been done."""
    stand = Stand()
    for line in league.history():
        if line["undone"] is None and line["act"] != Undo.kind:
            own = {key: one for key, one in line.items() if key not in ("n", "at", "by", "undone")}
            act = parse_act({**own, **own.pop("said", {})})
            after = stand.copied()
            try:
                act.do(after, Done(line["n"], act, line["at"], line["by"]))
            except BadAct:
                continue
            after.memo.clear()
            stand = after
    return stand


def read_all(league: League) -> None:
    """See that whatever stands can be read."""
    for view in (league.queries, league.public):
        people, _ = view.people(most=999)
        for one in people:
            view.career(one.driver.key)
        view.boards(), view.drivers(), view.latest(), view.years()
        for season in view.seasons():
            races = view.races(season=season.key)
            standings(season, races), team_standings(season, races)


def history(leagues: Sequence[League], random: Random, steps: int) -> int:
    """Do what comes by chance to leagues that share a database; each act is sent twice."""
    races: list[str] = []
    done: list[int] = []
    salt = random.random()
    for key in SEASONS:
        leagues[0].do(parse_act({"act": "season", "season": key}), by="t")
    n = do(leagues[0], {"act": "competition", "competition": "comp"}, by="t")
    for step in range(steps):
        if done and random.random() < 0.08:
            number = done.pop(random.randrange(len(done)))
            random.choice(leagues).undo(number, "a slip", by="t", once=Once(f"undo {step} {salt}"))
            for league in leagues:
                league.catch_up()
                assert told(league.stand) == told(never_done(league))
        data = some_act(random, races, n)
        try:
            act = parse_act(data)
        except BadAct:
            continue
        try:
            n = random.choice(leagues).do(act, by="t", once=Once(f"key {step} {salt}"))
        except BadAct:
            continue
        assert random.choice(leagues).do(act, by="t", once=Once(f"key {step} {salt}")) == n, (
            "done twice"
        )
        done.append(n)
        races += [data["race"]] if data["act"] == "race" else []
    return len(done)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_whatever_two_who_are_open_do_it_stands_as_a_fold_from_nothing(
    open_league: OpenLeague, url: str | None, tmp_path: Path, seed: int
) -> None:
    check_history([open_league(url), open_league(url)], Random(seed), 120)
    again = open_league(url)
    assert again.rebuild().is_same


def check_history(leagues: Sequence[League], random: Random, steps: int) -> None:
    assert history(leagues, random, steps) > steps / 10
    first, *others = leagues
    for league in leagues:
        league.catch_up()
    for other in others:
        assert told(other.stand) == told(first.stand)
    for league in leagues:
        read_all(league)
        assert league.rebuild().is_same


@pytest.mark.long
def test_whatever_is_done_in_many_leagues_they_stand_as_folds_from_nothing(
    open_league: OpenLeague, tmp_path: Path
) -> None:
    for seed in range(SEEDS, SEEDS + MANY):
        data = tmp_path / f"{seed}"
        with League(data, now=lambda: "2026-01-01T00:00:00") as league:
            check_history([league], Random(seed), 60)


@pytest.fixture
def kept_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands is kept after every act, as it is in a large league after a thousand."""
    monkeypatch.setattr("companion.league.folding.MANY", 1)


@pytest.mark.usefixtures("kept_often")
def test_what_stood_is_gone_on_with_and_is_what_a_fold_from_nothing_gives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        data, random, steps = tmp_path / f"{seed}", Random(seed), 40
        with League(data, now=lambda: "2026-01-01T00:00:00") as league:
            history([league], random, steps)
            races = [race.id for race in league.queries.races()]
        for step in range(3):
            with monkeypatch.context() as folding:
                folding.setattr(Folding, "_carry_out", None)
                league = League(data, now=lambda: "2026-01-01T00:00:00")
            with league:
                assert league.stand.told.keys() == {*races}
                assert told(league.stand) == told(never_done(league)), (seed, step)
                n = do(league, {"act": "season", "season": f"late{step}"}, by="t")
            with League(data, now=str) as other:
                other.undo(n, by="t")
                assert other.rebuild().is_same


@pytest.mark.usefixtures("kept_often")
def test_what_stood_is_not_believed_of_other_acts_another_program_or_when_spoilt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with League(tmp_path, now=str) as league:
        for race in "abc":
            do(league, by_hand(race, ("Ana", "Bea")), by="t")
        file = league.folder.data / "league" / "stood"
    sound = file.read_bytes()
    lies = sound.replace(b"Ana", b"Eve")
    assert lies != sound
    ours = "companion.league.folding.program_of"
    for content in (lies, sound[:-1], sound[:40], b"", sealed(EVIL), sealed(b"no pickle")):
        file.write_bytes(content)
        assert "ana" in stands_in(tmp_path)
    with monkeypatch.context() as other:
        other.setattr(ours, lambda *_: "another program")
        file.write_bytes(sound)
        with League(tmp_path, now=str):
            assert file.read_bytes() != sound
    file.write_bytes(sound)
    (tmp_path / "league" / "last").unlink()
    with sqlite3.connect(tmp_path / "league" / "league.db") as database:
        database.execute("DELETE FROM acts WHERE n > 1")
    database.close()
    with League(tmp_path, now=str) as league:
        assert league.stand.told.keys() == {"a"}


EVIL = b"cos\nsystem\n(S'exit 1'\ntR."


def sealed(content: bytes) -> bytes:
    """A file that has the seal of this program, whatever stands in it."""
    program = program_of("league", "rules", "race").encode()
    return sha256(program + sha256(content).digest()).digest() + content


def stands_in(folder: Path) -> dict[str, Any]:
    with League(folder, now=str) as league:
        return dict(league.stand.names)


def test_what_is_kept_of_races_follows_undos_and_merges(open_league: OpenLeague) -> None:
    """Ratings, tallies and boards of a league that went on equal those of one opened anew."""
    random, league = Random(7), open_league()
    for _ in range(12):
        history([league], random, 15)
        league.queries.people()  # so that there is something to go on with
        other = open_league()
        assert told_of(league) == told_of(other)


def told_of(league: League) -> Any:
    people, count = league.queries.people(most=99)
    careers = [league.queries.career(one.driver.key) for one in people]
    rounded = [(one.driver, round(one.rating, 6), dict(one.tally)) for one in people]
    curves = [[round(rating, 6) for rating in one.curve] for one in careers if one]
    rest = [(one.outings and one.outings[0].race, one.rivals, one.championships, one.seasons)
            for one in careers if one]  # fmt: skip
    return count, rounded, curves, rest, league.queries.boards()


def test_drivers_who_share_a_car_and_a_title_lock_nothing(open_league: OpenLeague) -> None:
    """Two drive one car by turns, are level with another at the end, and both have won."""
    league = open_league()
    do(
        league,
        {"act": "season", "season": "s", "points": "10,8", "planned": 2, "open": True},
        by="t",
    )
    for number, crew in enumerate((["Ana", "Ben"], ["Ben", "Ana"]), 1):
        cars = [{"name": "Rapid", "crew": crew}, {"name": "Dot"}]
        cars = cars if number == 1 else cars[::-1]
        race = by_hand(f"r{number}", (), date=f"2026-02-0{number}", entries=cars)
        do(league, race, {"act": "round", "race": f"r{number}", "season": "s"}, by="t")
    do(league, {"act": "season", "season": "s", "open": False}, by="t")
    do(league, {"act": "note", "race": "r1", "text": "and on it goes"}, by="t")
    assert league.rebuild().idle == {}
    again = open_league()
    for driver in ("ana", "ben", "dot"):
        career = again.queries.career(driver)
        assert career is not None
        assert [one.key for one in career.championships] == ["s"]


def test_an_undo_can_be_undone_and_what_spoke_of_the_undone_is_idle(
    open_league: OpenLeague, url: str | None
) -> None:
    league = open_league(url)
    n = do(league, by_hand("r", ("Ana", "Bea")), by="t")
    note = do(league, {"act": "note", "race": "r", "text": "late"}, by="t")
    before = image(league)
    undo = league.undo(n, "not ours", by="t")
    assert league.queries.races() == []
    assert league.rebuild().idle == {note: "there is no race 'r' in the league"}
    with pytest.raises(BadAct, match="no act 1 that could be undone"):
        league.undo(n, by="t")
    league.undo(undo, by="t")
    assert image(league) == before
    assert [line["undone"] for line in league.history()] == [None, None, 4, None]


def test_every_kind_but_forgetting_can_be_undone(open_league: OpenLeague) -> None:
    league = open_league()
    do(league, by_hand("r", ("Ana", "Bea")), by="t")
    league.forget("Bea", by="t")
    (forgotten,) = (line["n"] for line in league.history() if line["act"] == "forget")
    with pytest.raises(BadAct, match="could be undone"):
        league.undo(forgotten, by="t")
    assert len(every_kind()) == 36


def test_a_key_does_one_thing_once_and_no_other(open_league: OpenLeague, url: str | None) -> None:
    one, two = open_league(url), open_league(url)
    act = parse_act({"act": "season", "season": "s"})
    n = one.do(act, by="t", once=Once("k", "a digest"))
    assert two.do(act, by="t", once=Once("k", "a digest")) == n
    with pytest.raises(KeyReused):
        two.do(act, by="t", once=Once("k", "another"))
    assert len(one.history()) == 1


def test_a_record_that_comes_while_another_is_open_is_one_of_both(
    open_league: OpenLeague, url: str | None, tmp_path: Path
) -> None:
    one, two = open_league(url), open_league(url)
    do(one, {"act": "season", "season": "s", "open": True}, by="t")
    keep(tmp_path, ended("a"), ended("b"))
    one.catch_up()
    two.catch_up()
    assert image(one) == image(two)
    assert [race.round for race in two.queries.races(season="s")] == [1, 2]


@pytest.mark.parametrize(("was", "is_now"), [("Ana", "Eve"), ("{", "["), ('"act"', '"atc"')])
def test_an_act_that_was_tampered_with_is_told_with_what_is_whole(
    tmp_path: Path, was: str, is_now: str
) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        for race in "abc":
            do(league, by_hand(race, ("Ana", "Bea")), by="t")
        file = league.folder.database
    with sqlite3.connect(file) as database:
        change = "UPDATE acts SET body = replace(body, ?, ?) WHERE n = 3"
        database.execute(change, (was, is_now))
    database.close()
    with pytest.raises(BrokenFile, match=r"act 3 .*up to 2, of 2026-03-01.* whole.*restore"):
        League(tmp_path, now=str)


def test_acts_that_are_missing_at_the_end_are_told(tmp_path: Path) -> None:
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00") as league:
        for race in "abc":
            do(league, by_hand(race, ("Ana", "Bea")), by="t")
        file = league.folder.database
    with sqlite3.connect(file) as database:
        database.execute("DELETE FROM acts WHERE n > 1")
    database.close()
    with pytest.raises(BrokenFile, match=r"acts 2 to 3 are missing; the acts up to 1.* whole"):
        League(tmp_path, now=str)
    (tmp_path / "league" / "last").unlink()
    with League(tmp_path, now=str) as league:
        assert [race.id for race in league.queries.races()] == ["a"]


def test_ratings_far_back_are_counted_beside_whoever_asks(
    open_league: OpenLeague, monkeypatch: pytest.MonkeyPatch
) -> None:
    league = open_league()
    for n in range(1, 6):
        names = ("Ana", "Bea") if n % 2 else ("Bea", "Cai", "Ana")
        do(league, by_hand(f"r{n}", names, date=f"2026-02-0{n}"), by="t")
    before = told_of(league)
    monkeypatch.setattr("companion.league.numbers.AT_ONCE", 0)
    do(league, {"act": "strike", "race": "r1", "reason": "x"}, by="t")
    league.queries.people()
    do(league, {"act": "strike", "race": "r2", "reason": "x"}, by="t")
    league.queries.people()
    until(lambda: not league.queries.is_counting())
    after = told_of(league)
    assert after != before
    monkeypatch.setattr("companion.league.numbers.AT_ONCE", 2000)
    assert told_of(open_league()) == after


def own(kind: type) -> dict[str, object]:
    """What a kind has of its own; its methods are compiled when they are first used."""
    return {name: callable(one) or one for name, one in vars(kind).items()}


@pytest.mark.usefixtures("kept_often")
def test_a_file_of_what_stood_cannot_change_a_kind_of_record(tmp_path: Path) -> None:
    with League(tmp_path, now=str) as league:
        do(league, by_hand("a", ("Ana", "Bea")), by="t")
    for module, kind in (("plain", "Once"), ("forms", "ChangedCar"), ("plain", "Race")):
        # (None, {"key": 1}) is what pickle's BUILD would set on the kind itself.
        evil = f"ccompanion.league.{module}\n{kind}\n(N(dS'key'\nI1\nstb.".encode()
        found = getattr(import_module(f"companion.league.{module}"), kind)
        before = own(found)
        (tmp_path / "league" / "stood").write_bytes(sealed(evil))
        assert "ana" in stands_in(tmp_path)
        assert own(found) == before
