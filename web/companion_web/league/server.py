"""A club's server: gunicorn with several processes where it is installed, else cheroot."""

from __future__ import annotations

import os
import signal
import socket
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Final

from cheroot import wsgi
from flask import Flask

THREADS: Final = 16
BACKLOG: Final = 512
IDLE_S: Final = 10
SLOWEST_S: Final = 60

STOP: Final = (signal.SIGINT, signal.SIGTERM)

MakeApp = Callable[[], Flask]
"""Makes the app, in the process that serves it: a database's connections are not inherited."""


def has_gunicorn() -> bool:
    """Whether several processes can serve."""
    return find_spec("gunicorn") is not None


def serve_club(make_app: MakeApp, host: str, port: int, *, workers: int | None = None) -> None:
    """Serve until a signal says stop.

    Args:
        workers: processes; None is one a core and one more. Without gunicorn there is one.

    Raises:
        OSError: the address is taken or not ours.
    """
    _probe(host, port)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP)  # whoever started us may have held them back
    if has_gunicorn():
        _serve_with_gunicorn(make_app, host, port, workers or (os.cpu_count() or 1) + 1)
    else:
        _serve_with_cheroot(make_app, host, port)


def _probe(host: str, port: int) -> None:
    """See that the address is free: gunicorn would try for seconds and say so in its own way."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind((host, port))


def _serve_with_gunicorn(make_app: MakeApp, host: str, port: int, workers: int) -> None:
    # Imported here: a club without the extra does without it.
    from gunicorn.app.base import BaseApplication

    class Club(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
        """Gunicorn with our settings and no file of its own."""

        def load_config(self) -> None:
            """The settings."""
            settings: dict[str, object] = {
                "bind": f"[{host}]:{port}" if ":" in host else f"{host}:{port}",
                "workers": workers,
                "threads": THREADS,
                "worker_class": "gthread",
                "backlog": BACKLOG,
                "timeout": SLOWEST_S,
                "keepalive": IDLE_S,
                "proc_name": "companion",
                "control_socket_disable": True,
            }
            for name, value in settings.items():
                if name in self.cfg.settings:
                    self.cfg.set(name, value)

        def load(self) -> Flask:
            """The app, made in each process."""
            return make_app()

    Club().run()


def _serve_with_cheroot(make_app: MakeApp, host: str, port: int) -> None:
    server = wsgi.Server(
        (host, port),
        make_app(),
        numthreads=THREADS,
        request_queue_size=BACKLOG,
        timeout=IDLE_S,
        shutdown_timeout=1,
    )
    server.software = "companion"
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.start()
    finally:
        server.stop()
