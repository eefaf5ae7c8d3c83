"""At which table somebody of an entry list sits, as drawn."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, String

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version."""
    with op.batch_alter_table("entrants") as entrants:
        entrants.add_column(Column("table", String, nullable=True))


def downgrade() -> None:
    """Back to the version before."""
    with op.batch_alter_table("entrants") as entrants:
        entrants.drop_column("table")
