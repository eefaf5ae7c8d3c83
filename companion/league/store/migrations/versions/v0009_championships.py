"""The titles of drivers, kept for their pages."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, String

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version; the rows are made with the next index."""
    op.create_table(
        "championships",
        *(Column(name, String, primary_key=True) for name in ("driver_key", "key")),
        Column("is_overall", Boolean, primary_key=True),
        Column("team", String, primary_key=True),
    )
    op.create_index("ix_championships_key", "championships", ["key"])


def downgrade() -> None:
    """Back to the version before."""
    op.drop_table("championships")
