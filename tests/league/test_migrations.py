"""Databases new, older and newer than the program: what it makes of them, and that none is lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from companion.league.store import storage
from companion.league.store.models import Base
from companion.league.store.storage import HEAD, MIGRATIONS, open_database, sqlite_url
from sqlalchemy import Engine, MetaData, inspect, text
from support.leagues.records import do

from companion.league.errors import NoStore
from companion.league.league import League

SCRIPTS = Path(__file__).parents[2] / "companion" / "league" / "store" / "migrations"


@pytest.fixture
def database(tmp_path: Path) -> Engine:
    return open_database(sqlite_url(tmp_path / "league.db"))


def differences(engine: Engine, tables: MetaData) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, tables))


def mark(engine: Engine, revision: str) -> None:
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{revision}'"))


def test_a_new_database_has_the_tables_of_the_models(database: Engine) -> None:
    assert differences(database, Base.metadata) == []


def test_the_comparison_sees_a_column_that_the_models_lack(database: Engine) -> None:
    with database.begin() as connection:
        connection.execute(text("ALTER TABLE notes ADD COLUMN mood VARCHAR"))
    assert differences(database, Base.metadata) != []


def test_the_newest_revision_is_the_one_that_the_program_asks_for() -> None:
    assert ScriptDirectory(str(SCRIPTS)).get_heads() == [HEAD]


def test_the_path_of_the_revisions_is_the_package_that_is_asked_for() -> None:
    assert MIGRATIONS.replace(":", ".").replace(".", "/") in str(SCRIPTS)


@pytest.mark.parametrize("revision", ["0001", "0010"])
def test_a_league_of_an_older_revision_opens_whole(
    revision: str, open_league: Callable[..., League]
) -> None:
    league = open_league()
    do(league, {"act": "season", "season": "2026"}, by="Ana")
    engine = league._engine
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE championships"))
        connection.execute(text("ALTER TABLE seasons DROP COLUMN is_closed"))
    mark(engine, revision)
    league.close()
    again = open_league()
    again.catch_up()
    assert differences(again._engine, Base.metadata) == []
    assert [season.title for season in again.queries.seasons()] == ["2026"]


@pytest.mark.slow
def test_the_truth_of_an_older_revision_is_kept(
    open_league: Callable[..., League], postgres: Any
) -> None:
    url = postgres.database()
    league = open_league(url)
    do(league, {"act": "season", "season": "2026"}, by="Ana")
    with league._engine.begin() as connection:
        connection.execute(text("DROP TABLE championships"))
    mark(league._engine, "0008")
    league.close()
    again = open_league(url)
    again.catch_up()
    assert [season.title for season in again.queries.seasons()] == ["2026"]


@pytest.mark.slow
def test_a_truth_that_was_kept_otherwise_is_left_alone(postgres: Any) -> None:
    url = postgres.database()
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE kept_files DROP COLUMN size"))
    mark(engine, "0008")
    with pytest.raises(NoStore, match=r"as version 0008 did.*companion backup"):
        open_database(url)
    assert inspect(engine).has_table("championships")
    engine.dispose()


LATER = """
from alembic import op
from sqlalchemy import Column, String

revision, down_revision = "0012", "0011"


def upgrade():
    op.add_column("notes", Column("mood", String))
"""


def test_a_later_revision_changes_tables_and_keeps_their_rows(
    database: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database.begin() as connection:
        connection.execute(text("INSERT INTO known VALUES ('folder', 'here')"))
    scripts = copytree(SCRIPTS, tmp_path / "scripts")
    (scripts / "versions" / "v0012_later.py").write_text(LATER)
    monkeypatch.setattr(storage, "MIGRATIONS", str(scripts))
    monkeypatch.setattr(storage, "HEAD", "0012")
    later = open_database(sqlite_url(tmp_path / "league.db"))
    with later.connect() as connection:
        assert connection.execute(text("SELECT value FROM known")).scalar() == "here"
        assert connection.execute(text("SELECT mood FROM notes")).all() == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).all() == [
            ("0012",)
        ]


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "league.db")
    engine = open_database(url)
    mark(engine, "9999")
    with pytest.raises(NoStore, match="9999, newer than this program"):
        open_database(url)


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("mysql://host/league", "sqlite or postgresql"),
        ("league", "is no URL"),
        ("sqlite:////nowhere/at/all/league.db", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened_is_told_in_a_sentence(url: str, message: str) -> None:
    with pytest.raises(NoStore, match=message):
        open_database(url)
