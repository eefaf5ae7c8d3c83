"""Alembic's migrations of the league's tables; `storage.py` runs them."""
