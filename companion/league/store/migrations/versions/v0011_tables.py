"""Where revisions begin: the tables as `models.py` has them.

A new database is made of the models themselves, and marked with the newest revision
(`storage.HEAD`). A revision after this one changes tables that are there, and is never run on new
ones; so no column is said twice.
"""

from __future__ import annotations

revision = "0011"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing leads here: an older index is thrown away and made again."""


def downgrade() -> None:
    """Nothing is before it."""
