"""The page of the table: a Flask app that knows the table by its ports only."""

from companion_web.app import create_app

__all__ = ["create_app"]
