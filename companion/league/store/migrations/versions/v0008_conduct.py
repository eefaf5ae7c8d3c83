"""Bans, crews, times, grids and marshals; what a round's tables are given.

Rows that are there say nothing of all this: the next index makes them again from the files.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Double, ForeignKey, Integer, String

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

ADDED = (
    ("seasons", "licence", Integer),
    ("penalties", "round", Integer),
    ("entries", "time", Double),
    ("entries", "trial_score", Integer),
    ("entries", "trial_time", Double),
    ("entries", "banned_by", Integer),
    ("entrants", "grid", Integer),
    ("rounds", "laps", Integer),
    ("rounds", "weather", String),
    ("people", "table", String),
)
"""Columns that may be null, by their tables."""


def upgrade() -> None:
    """To this version."""
    for table, name, kind in ADDED:
        with op.batch_alter_table(table) as rows:
            rows.add_column(Column(name, kind, nullable=True))
    with op.batch_alter_table("seasons") as seasons:
        seasons.add_column(Column("crews", String, nullable=False, server_default="car"))
    op.create_table(
        "crews",
        Column("race_id", String, ForeignKey("races.id"), primary_key=True),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        Column("name_key", String, ForeignKey("names.key"), primary_key=True, index=True),
        Column("number", Integer, nullable=False),
    )
    op.create_table(
        "entrant_crews",
        Column("season_key", String, ForeignKey("seasons.key"), primary_key=True),
        Column("name_key", String, ForeignKey("names.key"), primary_key=True),
        Column("member_key", String, ForeignKey("names.key"), primary_key=True),
        Column("number", Integer, nullable=False),
    )


def downgrade() -> None:
    """Back to the version before; what cannot be said there is gone."""
    for table in ("entrant_crews", "crews"):
        op.drop_table(table)
    with op.batch_alter_table("seasons") as seasons:
        seasons.drop_column("crews")
    for table, name, _ in reversed(ADDED):
        with op.batch_alter_table(table) as rows:
            rows.drop_column(name)
