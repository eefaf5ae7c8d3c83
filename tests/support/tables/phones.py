"""A real `companion race` and phones at its seats, over HTTP.

A phone knows what a player sees: the table's state and the keys of its own screen. It presses
buttons; nothing is answered in any other way.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
from companion.views.model import Scene, SeatInfo
from companion.views.screen import HOME
from support.screens.hands import Wanted, presses_to


@dataclass
class Served:
    """A table that runs in another process."""

    process: subprocess.Popen[str]
    url: str
    pin: str
    tokens: Mapping[int, str]

    @classmethod
    def start(cls, data: Path, header: Mapping[str, Any] | None = None) -> Self:
        """Start a table in `data`, with a new race or with the one that it holds."""
        words = ["race", "--data", str(data), "--port", "0", "--host", "127.0.0.1", "--json"]
        if header is not None:
            data.mkdir(parents=True, exist_ok=True)
            file = data / "header.json"
            file.write_text(json.dumps(header), "utf-8")
            words += ["--new", str(file)]
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", *words], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        view = json.loads(process.stdout.readline())
        tokens = {seat["seat"]: seat["token"] for seat in view["seats"]}
        return cls(process, view["url"], view["pin"], tokens)

    def stop(self) -> None:
        """Ask it to end, as Ctrl-C does."""
        self.process.terminate()
        self.process.wait(timeout=20)
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def served(data: Path, header: Mapping[str, Any] | None = None) -> Iterator[Served]:
    """A table for as long as the block runs."""
    table = Served.start(data, header)
    try:
        yield table
    finally:
        table.stop()


@dataclass
class Phones:
    """All phones of a table; `presses` counts the buttons pressed."""

    table: Served
    presses: int = 0
    _line: HTTPConnection = field(init=False)
    _tracks: TrackLibrary = field(default_factory=TrackLibrary)

    def __post_init__(self) -> None:
        parts = urlsplit(self.table.url)
        self._line = HTTPConnection(parts.hostname or "", parts.port, timeout=20)

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """One request: the status, and the JSON that came back."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        data = None if body is None else json.dumps(body)
        self._line.request(method, path, data, headers)
        with self._line.getresponse() as response:
            return response.status, json.loads(response.read())

    def look(self) -> dict[str, Any]:
        """The table as everybody sees it."""
        status, view = self.ask("GET", "/api/table")
        assert status == 200
        return dict(view)

    def scene(self, view: Mapping[str, Any]) -> Scene:
        """What a player sees, as the views take it."""
        seats = sorted(self.table.tokens)
        infos = tuple(SeatInfo(seat, f"Seat {seat}", host=seat == seats[0]) for seat in seats)
        engine = Engine(self._tracks)
        reply = engine.handle({"new": {**view["race"], "position": view["state"]}})
        assert reply["ok"], reply
        return Scene(
            view["version"], infos, view["race"], engine.track, engine.visible, engine.open_asks
        )

    def give(self, view: Mapping[str, Any], seat: int, wanted: Wanted) -> bool:
        """Press what gives this on a seat's phone; False where its screen has no such key."""
        buttons = presses_to(self.scene(view), seat, wanted, HOME)
        if buttons is None:
            return False
        for button in buttons:
            body = {"button": button, "hold": False, "picture": None}
            path, token = f"/api/seat/{seat}/press", self.table.tokens[seat]
            status, reply = self.ask("POST", path, body, token)
            assert status == 200, reply
            self.presses += 1
        return True
