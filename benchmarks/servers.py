"""Which server carries the page: `python benchmarks/servers.py [NAME…]`.

The same small app behind each server, a process of its own for each, all in one run: what it
costs over Flask to import and to hold, and how long a post takes (the slowest of some) while
others say nothing, write a byte at a time, or do not read. The post waits a millisecond for
another thread, as the table's do for their disk. `ours` is the door of `companion_web`; what is
not installed is left out: `pip install waitress cheroot gunicorn uvicorn a2wsgi`.

Streams are not a server's to bring along, except where it gives the socket away (ours) or takes
a thread or a coroutine for each; `benchmarks/stream.py` measures ours.
"""

from __future__ import annotations

import argparse
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support.slow_clients import HABITS, press, slow_clients

PATIENCE_S = 12.0
WAIT_S = 0.001
TRIES = 20


def make_app() -> Any:
    """A post that waits for another thread, and files to read."""
    from flask import Flask, request

    app = Flask("companion_web")
    table = ThreadPoolExecutor(1)

    @app.post("/api/seat/<int:seat>/press")
    def answer(seat: int) -> str:
        request.get_data()
        table.submit(time.sleep, WAIT_S).result()
        return "{}"

    return app


def serve_ours(port: int) -> None:
    from companion_web.door import Door, listen

    with Door(make_app(), listen("127.0.0.1", port)):
        signal.pause()


def serve_gevent(port: int) -> None:
    from gevent.pywsgi import WSGIServer

    WSGIServer(("127.0.0.1", port), make_app(), log=None).serve_forever()


def serve_cheroot(port: int) -> None:
    from cheroot.wsgi import Server

    Server(("127.0.0.1", port), make_app(), numthreads=8, request_queue_size=512).start()


def serve_waitress(port: int) -> None:
    from waitress import serve

    serve(make_app(), listen=f"127.0.0.1:{port}", threads=8)


def serve_waitress_wide(port: int) -> None:
    from waitress import serve

    # With poll it has no limit of its own any more, and a deadline of two minutes.
    settings = {"connection_limit": 2000, "asyncore_use_poll": True, "channel_timeout": 10}
    serve(make_app(), listen=f"127.0.0.1:{port}", threads=8, **settings)


def serve_uvicorn(port: int) -> None:
    import uvicorn
    from a2wsgi import WSGIMiddleware

    app = WSGIMiddleware(make_app(), workers=8)
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="critical")


def serve_gunicorn(port: int) -> None:
    from gunicorn.app.base import BaseApplication

    class One(BaseApplication):
        def load_config(self) -> None:
            told = {"bind": f"127.0.0.1:{port}", "worker_class": "gthread", "threads": 8}
            for name, value in {**told, "loglevel": "critical"}.items():
                self.cfg.set(name, value)

        def load(self) -> Any:
            return make_app()

    One().run()


SERVERS: dict[str, tuple[Any, str]] = {
    "ours": (serve_ours, "gevent.pywsgi"),
    "gevent as it comes": (serve_gevent, "gevent.pywsgi"),
    "cheroot": (serve_cheroot, "cheroot.wsgi"),
    "waitress": (serve_waitress, "waitress"),
    "waitress, poll, 2000": (serve_waitress_wide, "waitress"),
    "uvicorn and a2wsgi": (serve_uvicorn, "uvicorn"),
    "gunicorn gthread": (serve_gunicorn, "gunicorn.app.base"),
}
IMPORT = """
import sys, time, flask
size = lambda: int(open("/proc/self/status").read().split("VmRSS:")[1].split()[0]) / 1024
before, begun = size(), time.perf_counter()
__import__(sys.argv[1])
print(round((time.perf_counter() - begun) * 1e3, 1), round(size() - before, 1))
"""


def cost_of_import(module: str) -> dict[str, float]:
    """Milliseconds and MiB over Flask: the best of some."""
    told = [
        tuple(map(float, subprocess.check_output([sys.executable, "-c", IMPORT, module]).split()))
        for _ in range(5)
    ]
    return {"import_ms": min(ms for ms, _ in told), "import_mib": min(mib for _, mib in told)}


@contextmanager
def running(name: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its port and process id."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, __file__, "--serve", name, "--port", str(port)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 15
        while time.monotonic() < until:
            try:
                press(port)
                break
            except OSError:
                time.sleep(0.05)
        yield port, process.pid
    finally:
        process.kill()
        process.wait()


def worst_ms(port: int, tries: int) -> float | str:
    """The slowest of some posts; a sentence where one has no answer in time."""
    taken = []
    for _ in range(tries):
        begun = time.perf_counter()
        try:
            press(port, timeout_s=PATIENCE_S)
        except OSError:
            return f"no answer in {PATIENCE_S:.0f} s"
        taken.append(time.perf_counter() - begun)
    return round(max(taken) * 1e3, 1)


def measure(name: str) -> dict[str, Any]:
    """All that is measured of one server."""
    told: dict[str, Any] = cost_of_import(SERVERS[name][1])
    with running(name) as (port, pid):
        told["alone_ms"] = worst_ms(port, TRIES)
        status = Path(f"/proc/{pid}/status").read_text()
        told["memory_mib"] = round(int(status.split("VmRSS:")[1].split()[0]) / 1024, 1)
    for habit, (count, *_) in HABITS.items():
        with running(name) as (port, _):
            try:
                with slow_clients(port, habit, every_s=1.0):
                    told[f"{count} × {habit}, ms"] = worst_ms(port, TRIES // 4)
            except OSError:
                told[f"{count} × {habit}, ms"] = "cannot connect"
    return told


def main() -> None:
    """Measure, and print one JSON object a server."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="which servers; all that are installed")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        SERVERS[args.serve][0](args.port)
        return
    for name in args.names or SERVERS:
        if find_spec(SERVERS[name][1].partition(".")[0]) is None:
            print(json.dumps({name: "not installed"}))
            continue
        print(json.dumps({name: measure(name)}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main()
