"""Records go to the club: each once, whatever the network does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.leagues.club import Network, outbox
from support.leagues.records import amended, ended, keep, raced

from companion.league.errors import LeagueFolder, Receipt
from companion.league.league import League
from companion.league.push import ClubAway, NotTaken, deliver


def test_each_record_gets_there_once_whatever_is_lost(club: League, tmp_path: Path) -> None:
    keep(tmp_path, ended("a"), ended("b"), ended("c"))
    network = Network(club, "deaf", "lost", "", "deaf", "lost")
    rounds = 0
    while deliver(outbox(tmp_path), network).trouble is not None:
        rounds += 1
    assert rounds == 4
    assert [race.id for race in club.queries.races()] == ["a", "b", "c"]
    assert deliver(outbox(tmp_path), network).receipts == []
    assert len(club.queries.record("a") or ()) > 2


def test_what_was_sent_is_known_after_a_restart_even_if_the_plug_cut_a_line(
    club: League, tmp_path: Path
) -> None:
    keep(tmp_path, ended("a"))
    assert len(deliver(outbox(tmp_path), Network(club)).receipts) == 1
    sent = LeagueFolder(tmp_path).sent
    sent.write_bytes(sent.read_bytes() + b'{"club": "http://cl')
    keep(tmp_path, ended("b"))
    assert [p.file for p, _ in deliver(outbox(tmp_path), Network(club)).receipts] == ["b.jsonl"]
    assert deliver(outbox(tmp_path), Network(club)).receipts == []


def test_an_amended_race_is_sent_again_and_an_old_copy_changes_nothing(
    club: League, tmp_path: Path
) -> None:
    old = ended("a")
    keep(tmp_path, old)
    box = outbox(tmp_path)
    deliver(box, Network(club))
    first = (tmp_path / "records" / "a.jsonl").read_bytes()
    keep(tmp_path, amended(old, out=1))
    assert [r.status for _, r in deliver(box, Network(club)).receipts] == ["taken"]
    assert club.receive(first, table="one").status == "known"
    (race,) = club.queries.races()
    assert [entry.name for entry in race.entries] == ["Bea", "Cai", "Ana"]
    assert len(race.earlier) == 1


def test_another_race_under_a_known_id_is_refused(club: League, tmp_path: Path) -> None:
    keep(tmp_path, ended("a"))
    deliver(outbox(tmp_path), Network(club))
    keep(tmp_path / "other", ended("a", names=("Eve", "Fay")))
    ((_, receipt),) = deliver(outbox(tmp_path / "other"), Network(club)).receipts
    assert receipt.status == "refused"
    assert "another race has the id a" in receipt.message
    (race,) = club.queries.races()
    assert race.entries[0].name == "Ana"


def cut_short(lines: list[Any]) -> list[Any]:
    return lines[:-1]


def forged(lines: list[Any]) -> list[Any]:
    return [*lines[:-1], {"result": lines[-1]["result"][::-1]}]


def with_a_foreign_gear(lines: list[Any]) -> list[Any]:
    return [lines[0], {**lines[1], "gear": 6}, *lines[2:]]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (cut_short, "line 3: the record ends here, before the result"),
        (forged, "line 4: today's rules come to another result"),
        (with_a_foreign_gear, "line 2: FD-"),
    ],
)
def test_a_damaged_record_is_refused_with_its_line_and_kept_aside(
    open_league: Any, tmp_path: Path, damage: Any, message: str
) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, damage(ended("a")))
    box, network = outbox(tmp_path), Network(club)
    ((_, receipt),) = deliver(box, network).receipts
    assert receipt.status == "refused"
    assert receipt.message.startswith(message)
    assert club.queries.races() == []
    (kept,) = (club.folder.acts / "aside").glob("*.jsonl")
    assert kept.read_bytes() == (tmp_path / "records" / "a.jsonl").read_bytes()
    assert message in kept.with_suffix(".txt").read_text()
    assert deliver(box, network).receipts == []  # it is not offered for ever


def test_a_club_that_cannot_write_acknowledges_nothing(open_league: Any, tmp_path: Path) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, raced("a"))
    connection = club._database._open["write"]
    connection.execute("PRAGMA max_page_count = 1")  # no more than it has
    done = deliver(outbox(tmp_path), Network(club))
    assert "disk is full" in str(done.trouble)
    assert club.queries.races() == []
    connection.execute("PRAGMA max_page_count = 1000000")
    assert [r.status for _, r in deliver(outbox(tmp_path), Network(club)).receipts] == ["taken"]


class Fussy(Network):
    """A club that fails at one record, and at no other."""

    def __init__(self, club: League, fails_at: str, trouble: type[Exception]) -> None:
        super().__init__(club)
        self._fails_at, self._trouble = fails_at, trouble

    def send(self, content: bytes) -> Receipt:
        if f'"id": "{self._fails_at}"'.encode() in content:
            raise self._trouble("the club answers 500")
        return super().send(content)


def test_a_record_that_the_club_fails_at_keeps_nothing_behind_it_back(
    open_league: Any, tmp_path: Path
) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, ended("a"), ended("b"))
    done = deliver(outbox(tmp_path), Fussy(club, "a", NotTaken))
    assert ([p.file for p, _ in done.receipts], str(done.trouble)) == (
        ["b.jsonl"],
        "a.jsonl: the club answers 500",
    )
    assert [p.file for p, _ in deliver(outbox(tmp_path), Network(club)).receipts] == ["a.jsonl"]


def test_a_club_that_is_away_is_not_asked_again_for_each_record(
    open_league: Any, tmp_path: Path
) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, ended("a"), ended("b"))
    assert deliver(outbox(tmp_path), Fussy(club, "a", ClubAway)).receipts == []


def test_what_the_club_refuses_is_told_at_the_table(open_league: Any, tmp_path: Path) -> None:
    club = open_league(None, tmp_path / "club")
    keep(tmp_path, cut_short(ended("a")), ended("b"))
    deliver(outbox(tmp_path), Network(club))
    ((file, why),) = outbox(tmp_path).refused()
    assert (file, "ends here" in why) == ("a.jsonl", True)
    (tmp_path / "records" / "a.jsonl").unlink()
    assert outbox(tmp_path).refused() == []
