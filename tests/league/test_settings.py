"""`[league]` of companion.toml: what it may say, and what is told of anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.race import _configured
from companion.league.errors import LeagueError
from companion.league.push import LeagueSettings, read_settings
from companion.seats.plan import SeatPlan, read_plan
from companion.system.config import Config


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "companion.toml"


def test_a_file_that_is_not_there_or_says_nothing_of_the_league(file: Path) -> None:
    assert read_settings(file) == LeagueSettings()
    file.write_text("[seats]\n1 = 'phone'\n")
    assert read_settings(file) == LeagueSettings()


def test_seats_and_league_stand_in_one_file(file: Path) -> None:
    file.write_text('[league]\nclub = "https://club.example/x"\nkey = "k"\ndatabase = "sqlite://"')
    told = LeagueSettings(database="sqlite://", club="https://club.example/x", key="k")
    assert read_settings(file) == told
    assert read_plan(file) == SeatPlan()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[league", "is not TOML"),
        ("league = 7", "may say database, club, key, "),
        ("[league]\nclubb = 'x'", "may say database, club, key, "),
        ("[league]\nkey = 7", "key is a text"),
        ("[league]\nclub = 'http://x'", "club and key together"),
        ("[league]\nclub = 'club.local'\nkey = 'k'", "an address such as"),
        ("[league]\nclub = 'http://x:99999'\nkey = 'k'", "an address such as"),
    ],
)
def test_what_means_nothing_is_told_with_the_file(file: Path, text: str, message: str) -> None:
    file.write_text(text)
    with pytest.raises(LeagueError, match=message) as told:
        read_settings(file)
    assert str(file) in str(told.value)


def test_a_table_opens_without_a_club_that_means_nothing_and_says_so(file: Path) -> None:
    file.write_text("[league]\nclub = 'club.local'\nkey = 'k'\n")
    settings, _ = _configured(Config(file.parent), None, None)
    assert "the club is an address such as" in settings.unfollowed
    assert read_settings(settings.file).club is None
