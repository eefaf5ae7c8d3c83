"""Where several hosts reach it, PostgreSQL keeps the truth too; and a second rating."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Double

from companion.league.store.models import TRUTH

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

RATED = ("totals", "results")
SKILL = ("mu", "sigma")


def upgrade() -> None:
    """To this version."""
    for name in RATED:
        with op.batch_alter_table(name) as table:
            for part in SKILL:
                table.add_column(Column(part, Double, nullable=True))
    if op.get_bind().dialect.name == "postgresql":
        TRUTH.create_all(op.get_bind())


def downgrade() -> None:
    """Back to the version before."""
    if op.get_bind().dialect.name == "postgresql":
        TRUTH.drop_all(op.get_bind())
    for name in RATED:
        with op.batch_alter_table(name) as table:
            for part in SKILL:
                table.drop_column(part)
