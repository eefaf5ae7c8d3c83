"""People with keys, protests, who sent a race; and what pages read, kept at writing.

What the tables of before hold is made again from the files: they are emptied, so that columns
which are never null can be added.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, Boolean, Column, Double, ForeignKey, Integer, String, text

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

EMPTIED = (
    "entries",
    "amendments",
    "penalties",
    "notes",
    "season_teams",
    "races",
    "seasons",
    "names",
    "drivers",
    "files",
    "tables",
    "known",
)
MADE = ("protests", "people", "read", "results", "totals", "rivals", "boards")


def upgrade() -> None:
    """To this version."""
    for table in EMPTIED:
        op.execute(text(f"DELETE FROM {table}"))
    with op.batch_alter_table("drivers") as drivers:
        drivers.add_column(_flag("is_hidden"))
        drivers.create_index("ix_drivers_is_hidden", ["is_hidden"])
    with op.batch_alter_table("seasons") as seasons:
        seasons.add_column(_flag("is_private"))
    with op.batch_alter_table("races") as races:
        races.add_column(_text("sender", null=True))
        races.add_column(_flag("provisional"))
        races.create_index("ix_races_date", ["date", "id"])
        races.create_index("ix_races_year", ["season_key", "struck", "provisional", "date"])
    with op.batch_alter_table("files") as files:
        files.create_index("ix_files_sha256", ["sha256"])
    _make_people()
    _make_results()
    _make_sums()


def downgrade() -> None:
    """Back to the version before."""
    for table in MADE:
        op.drop_table(table)
    with op.batch_alter_table("files") as files:
        files.drop_index("ix_files_sha256")
    with op.batch_alter_table("races") as races:
        races.drop_index("ix_races_year")
        races.drop_index("ix_races_date")
        races.drop_column("provisional")
        races.drop_column("sender")
    with op.batch_alter_table("seasons") as seasons:
        seasons.drop_column("is_private")
    with op.batch_alter_table("drivers") as drivers:
        drivers.drop_index("ix_drivers_is_hidden")
        drivers.drop_column("is_hidden")


def _text(name: str, *, null: bool = False, key: bool = False) -> Column[str]:
    return Column(name, String, nullable=null, primary_key=key)


def _number(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null)


def _flag(name: str, *, null: bool = False) -> Column[bool]:
    return Column(name, Boolean, nullable=null)


def _json(name: str) -> Column[object]:
    return Column(name, JSON, nullable=False)


def _make_people() -> None:
    op.create_table(
        "protests",
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("race_id", String, ForeignKey("races.id"), nullable=False, index=True),
        Column("name_key", String, ForeignKey("names.key"), nullable=False),
        _text("reason"),
        _text("at"),
        _flag("upheld", null=True),
        _text("decision", null=True),
        _text("decided_by", null=True),
    )
    op.create_table(
        "people",
        Column("name_key", String, ForeignKey("names.key"), primary_key=True),
        _text("role"),
        Column("key_sha256", String, nullable=False, index=True),
    )
    op.create_table("read", _text("sha256", key=True), _text("program"), _json("finished"))


def _make_results() -> None:
    op.create_table(
        "results",
        _text("race_id", key=True),
        _text("driver_key", key=True),
        _text("at"),
        _number("place"),
        _text("status"),
        _flag("won"),
        _text("board", null=True),
        _number("laps", null=True),
        _number("best_lap", null=True),
        _number("rolls", null=True),
        Column("rating", Double, nullable=True),
        _json("tally"),
    )
    for name, columns in (
        ("driver_at", ["driver_key", "at"]),
        ("at", ["at"]),
        ("board_lap", ["board", "best_lap", "at"]),
        ("board_rolls", ["board", "laps", "rolls", "at"]),
        ("board_won", ["board", "won", "driver_key"]),
    ):
        op.create_index(f"ix_results_{name}", "results", columns)


def _make_sums() -> None:
    op.create_table(
        "totals",
        _text("driver_key", key=True),
        Column("rating", Double, nullable=False, index=True),
        _text("last"),
        _json("tally"),
    )
    op.create_table(
        "rivals",
        _text("driver_key", key=True),
        _text("other_key", key=True),
        _number("races"),
        _number("ahead"),
        _number("behind"),
    )
    op.create_index("ix_rivals_driver_races", "rivals", ["driver_key", "races"])
    op.create_table(
        "boards",
        _text("key", key=True),
        _text("game"),
        _text("title"),
        _number("races"),
        _json("records"),
    )
