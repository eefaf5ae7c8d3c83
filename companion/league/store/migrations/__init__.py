"""Alembic's migrations of the league's tables; `opening.py` runs them."""
