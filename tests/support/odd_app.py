"""Apps that a second process makes: one says who it is, and dies or hangs where it is asked to."""

from __future__ import annotations

import os
from threading import Event
from typing import Any

from companion_web.guard import Guard, Problem, bearer_of
from companion_web.serving import Away, Part


def create_odd(guard: Guard, word: str) -> Any:
    """Answers with its process, what it was given, who asked, and what."""

    def odd(environ: Any, start: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/odd/die":
            os._exit(3)
        if environ["PATH_INFO"] == "/odd/hang":
            Event().wait()
        try:
            by = guard.judge(environ).by
        except Problem as problem:
            by = problem.key
        start("200 OK", [("Content-Type", "text/plain")])
        body = environ["wsgi.input"].read().decode()
        return [f"{os.getpid()} {word} {by} {body} {bearer_of(environ)}".encode()]

    return odd


def create_none(_: Guard) -> Any:
    """Cannot be made."""
    raise Away("there is none")


PARTS: tuple[Part, ...] = (
    (("/odd",), f"{__name__}:create_odd", ("word",)),
    (("/none",), f"{__name__}:create_none", ()),
)
