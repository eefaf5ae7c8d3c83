"""Whether somebody has closed a season: it is over then, short of its plan or not."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, false

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version; what is in the rows is made with the next index."""
    with op.batch_alter_table("seasons") as seasons:
        seasons.add_column(Column("is_closed", Boolean, nullable=False, server_default=false()))


def downgrade() -> None:
    """Back to the version before."""
    with op.batch_alter_table("seasons") as seasons:
        seasons.drop_column("is_closed")
