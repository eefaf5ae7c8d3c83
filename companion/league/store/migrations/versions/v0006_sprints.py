"""Which cars drove in a sprint, kept for programs that ask for those over all seasons."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version; the rows are made with the next index."""
    with op.batch_alter_table("cars") as cars:
        cars.add_column(Column("sprint", String, nullable=False, server_default=""))
        cars.create_index("ix_cars_sprint", ["sprint"])
        cars.alter_column("sprint", server_default=None)


def downgrade() -> None:
    """Back to the version before."""
    with op.batch_alter_table("cars") as cars:
        cars.drop_index("ix_cars_sprint")
        cars.drop_column("sprint")
