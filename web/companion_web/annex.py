"""Another app behind the same address, made when it is first asked for.

The league's pages need a database library that a table should not carry in its memory before
anybody wants to see them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING

from flask import Response

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Make = Callable[[], "WSGIApplication"]


class Annex:
    """The app of a house with an annex.

    Args:
        house: answers all that the annex does not.
        make: makes the annex; what it raises is told to whoever asked, and tried again next time.
        paths: what the annex answers: these addresses, and all that lies under them.
        troubles: what `make` may raise.
    """

    def __init__(
        self,
        house: WSGIApplication,
        make: Make,
        paths: tuple[str, ...],
        troubles: tuple[type[Exception], ...] = (),
    ) -> None:
        self._house = house
        self._make = make
        self._paths = paths
        self._troubles = troubles
        self._lock = Lock()
        self._annex: WSGIApplication | None = None

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        path = str(environ.get("PATH_INFO", ""))
        if not any(path == one or path.startswith(f"{one}/") for one in self._paths):
            return self._house(environ, start)
        try:
            annex = self._open()
        except self._troubles as trouble:
            annex = Response(f"{trouble}\n", HTTPStatus.SERVICE_UNAVAILABLE, mimetype="text/plain")
        return annex(environ, start)

    def _open(self) -> WSGIApplication:
        with self._lock:
            if self._annex is None:
                self._annex = self._make()
            return self._annex
