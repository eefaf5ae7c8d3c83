"""Every car of every round, kept for programs that ask for cars over all seasons."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, String

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

TEXTS = ("at", "season", "driver", "driver_id", "board", "board_id", "status", "status_id")


def upgrade() -> None:
    """To this version; the rows are made with the next index."""
    op.create_table(
        "cars",
        Column("race", String, primary_key=True),
        Column("seat", Integer, primary_key=True, autoincrement=False),
        *(Column(name, String, nullable=False) for name in TEXTS),
        *(Column(name, String, nullable=True) for name in ("team", "team_id")),
        *(Column(name, Integer, nullable=False) for name in ("place", "grid")),
        Column("fastest", Integer, nullable=True),
    )
    op.create_index("ix_cars_at", "cars", ["at", "place"])
    op.create_index("ix_cars_season", "cars", ["season"])
    for of in ("driver", "team", "board", "status"):
        op.create_index(f"ix_cars_{of}", "cars", [f"{of}_id", of, "season"])


def downgrade() -> None:
    """Back to the version before."""
    op.drop_table("cars")
