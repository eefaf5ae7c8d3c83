"""The Flask app of a club's server: its door for tables, and the league's pages."""

from __future__ import annotations

from flask import Flask
from werkzeug.exceptions import HTTPException

from companion.league.ports import Inbox, LiveTables
from companion_web.app import harden, reply_http_error
from companion_web.league import receive
from companion_web.problems import Problem, reply_problem


def create_league_app(inbox: Inbox, live: LiveTables) -> Flask:
    """The app of a club that has no table of its own."""
    app = Flask("companion_web")
    app.json.sort_keys = False  # type: ignore[attr-defined]  # Flask's own provider has it
    app.register_blueprint(receive.blueprint(inbox, live))
    app.after_request(harden)
    app.register_error_handler(Problem, reply_problem)
    app.register_error_handler(HTTPException, reply_http_error)
    return app
