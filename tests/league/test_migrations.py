"""The migrations make the tables that the program uses, on a new database and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, MetaData, inspect, text

from companion.league.errors import NoStore
from companion.league.store.models import Base
from companion.league.store.storage import HEAD, MIGRATIONS, migrate, open_database, sqlite_url


@pytest.fixture(autouse=True)
def databases() -> None:
    """Each is really migrated."""


@pytest.fixture
def database(tmp_path: Path) -> Engine:
    return open_database(sqlite_url(tmp_path / "league.db"))


def differences(engine: Engine, tables: MetaData) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, tables))


def test_the_migrations_make_the_tables_of_the_models(database: Engine) -> None:
    assert differences(database, Base.metadata) == []


def test_the_comparison_sees_a_column_that_no_migration_makes(database: Engine) -> None:
    with database.begin() as connection:
        connection.execute(text("ALTER TABLE notes ADD COLUMN mood VARCHAR"))
    assert differences(database, Base.metadata) != []


def test_the_newest_migration_is_the_one_that_the_program_asks_for() -> None:
    scripts = ScriptDirectory(MIGRATIONS_PATH)
    assert scripts.get_heads() == [HEAD]


MIGRATIONS_PATH = str(Path(__file__).parents[2] / "companion" / "league" / "store" / "migrations")


def test_the_path_of_the_migrations_is_the_package_that_is_asked_for() -> None:
    assert MIGRATIONS.replace(":", ".").replace(".", "/") in MIGRATIONS_PATH


def test_all_tables_can_be_taken_away_again(database: Engine) -> None:
    with database.begin() as connection:
        migrate(connection, "base")
    assert inspect(database).get_table_names() == ["alembic_version"]


def test_a_database_of_a_newer_program_is_left_alone(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path / "league.db")
    engine = open_database(url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
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
