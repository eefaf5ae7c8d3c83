"""Whose a race is: the table's that sent it; and whether it counts before somebody has said so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.leagues.records import amended, do, ended, image, keep

from companion.league.errors import BadAct
from companion.league.league import League
from companion.league.standings import standings


def content(lines: list[Any], folder: Path) -> bytes:
    keep(folder, lines)
    return (folder / "records" / f"{lines[0]['id']}.jsonl").read_bytes()


@pytest.fixture
def race() -> list[Any]:
    return ended("a")


def names(league: League) -> list[str]:
    (race,) = league.queries.races(race="a")
    return [f"{entry.name} {entry.status}" for entry in race.entries]


def test_another_table_cannot_go_on_with_a_race(
    club: League, race: list[Any], tmp_path: Path
) -> None:
    assert club.receive(content(race, tmp_path / "1"), table="one").status == "taken"
    before = names(club)
    longer = content(amended(race, out=1), tmp_path / "2")
    receipt = club.receive(longer, table="two")
    assert (receipt.status, "belongs to the table" in receipt.message) == ("refused", True)
    assert names(club) == before
    club.rebuild()
    assert club.receive(longer, table="two").status == "refused"
    assert club.receive(longer, table="one").status == "taken"
    assert names(club) != before


def test_what_everybody_can_read_another_table_may_send_and_it_changes_nothing(
    club: League, race: list[Any], tmp_path: Path
) -> None:
    sent = content(race, tmp_path / "1")
    club.receive(sent, table="one")
    assert club.receive(sent, table="two").status == "known"
    (found,) = club.queries.races()
    assert found.sender == "one"


def test_a_race_of_the_house_is_no_table_s_and_the_keeper_may_go_on_with_any(
    club: League, race: list[Any], tmp_path: Path
) -> None:
    assert club.receive(content(race, tmp_path / "1"), table=None).status == "taken"
    longer = content(amended(race, out=1), tmp_path / "2")
    assert club.receive(longer, table="one").status == "refused"
    assert club.receive(longer, table=None).status == "taken"


def test_a_race_belongs_to_its_table_though_the_plug_was_pulled_while_it_came(
    club: League, race: list[Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def plug(*_: object) -> None:
        raise RuntimeError("the plug")

    sent = content(race, tmp_path / "1")
    with monkeypatch.context() as pulled:
        pulled.setattr("companion.league.change.put_record", plug)
        with pytest.raises(RuntimeError, match="the plug"):
            club.receive(sent, table="one")
    assert club.receive(sent, table="one").status in ("known", "taken")
    (found,) = club.queries.races()
    assert found.sender == "one"
    assert club.receive(content(amended(race, out=1), tmp_path / "2"), table="two").race is None


def test_a_result_counts_at_once_unless_the_club_says_otherwise(
    club: League, race: list[Any], tmp_path: Path
) -> None:
    do(club, {"act": "season", "season": "s", "open": True}, by="t")
    club.receive(content(race, tmp_path / "1"), table="one")
    do(club, {"act": "club", "confirm": "by-hand"}, by="t")
    club.receive(content(ended("b"), tmp_path / "1"), table="one")
    assert [(race.id, race.provisional) for race in club.queries.races()] == [
        ("a", False),
        ("b", True),
    ]
    assert [line.points for line in lines_of(club)] == [10, 8, 6]
    do(club, {"act": "confirm", "race": "b"}, by="t")
    assert [line.points for line in lines_of(club)] == [20, 16, 12]
    with pytest.raises(BadAct, match="confirmed already"):
        do(club, {"act": "confirm", "race": "b"}, by="t")
    before = image(club)
    club.rebuild()
    assert image(club) == before


def test_what_its_table_amends_waits_anew(club: League, race: list[Any], tmp_path: Path) -> None:
    do(club, {"act": "club", "confirm": "by-hand"}, by="t")
    club.receive(content(race, tmp_path / "1"), table="one")
    do(club, {"act": "confirm", "race": "a"}, by="t")
    club.receive(content(amended(race, out=1), tmp_path / "1"), table="one")
    (found,) = club.queries.races()
    assert found.provisional


def lines_of(league: League) -> list[Any]:
    (season,) = league.queries.seasons()
    return standings(season, league.queries.races(season="s"))


def test_a_protest_is_decided_with_a_reason(club: League, race: list[Any], tmp_path: Path) -> None:
    club.receive(content(race, tmp_path / "1"), table="one")
    protest = {"act": "protest", "race": "a", "reason": "the die"}
    number = do(club, {**protest, "driver": "Bea"}, by="Bea")
    appointed = {"act": "person", "person": "Eve", "role": "driver", "key_sha256": "0" * 64}
    do(club, appointed, by="t")
    with pytest.raises(BadAct, match="not in that race"):
        do(club, {**protest, "driver": "Eve"}, by="Eve")
    decision = {"act": "decide", "protest": number, "upheld": False, "reason": "it stood"}
    do(club, decision, by="Cai")
    (found,) = club.queries.races()
    (protest,) = found.protests
    assert (protest.driver, protest.reason, protest.upheld) == ("bea", "the die", False)
    assert (protest.decision, protest.decided_by) == ("it stood", "Cai")


@pytest.mark.parametrize(
    "odd", [b"", b"[]", b"{}\n", b'{"record": 1}\n', b'{"record": 1, "seats": 5}\n{}\n']
)
def test_whatever_a_record_is_made_of_it_is_refused_and_never_an_error(
    club: League, odd: bytes
) -> None:
    assert club.receive(odd, table="one").status == "refused"


@pytest.mark.parametrize(
    "change",
    [
        {"seats": [{"seat": 1, "name": 7}]},
        {"seats": [[1]]},
        {"seats": {"1": "Ana"}},
        {"grid": "first"},
        {"laps": {}},
        {"house": 5},
        {"rules": [[]]},
        {"track": ["manege"]},
        {"game": ["formula-d"]},
        {"started": {}},
        {"started": "yesterday"},
        {"position": 7},
    ],
    ids=str,
)
def test_a_header_that_makes_no_sense_is_refused_and_never_an_error(
    club: League, race: list[Any], change: dict[str, Any], tmp_path: Path
) -> None:
    race[0] = {**race[0], **change}
    path = tmp_path / "odd.jsonl"
    keep(tmp_path, [{**race[0], "id": "odd"}, *race[1:]])
    odd = path.parent / "records" / "odd.jsonl"
    assert club.receive(odd.read_bytes(), table="one").status == "refused"
