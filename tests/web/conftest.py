"""A table made by hand: what the page shows and what it passes on, without any rules."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from support.browser import chromium, late
from support.tables.process import fork, launcher, wait_until_gone
from support.templates import compile_once

from companion.table.ports import JSON, Caller, Picture, Reply, Snapshot
from companion_web.app import Server, serve
from companion_web.pages import create_app

TOKENS = {1: "token-of-ana", 2: "token-of-bo"}
PIN = "271828"
JOIN_KEY = "come-in"

Heard = list[tuple[object, ...]]


def make_picture(number: int, fill: int) -> Picture:
    """A picture in stripes."""
    return Picture(number, bytes([fill]) * 1024)


NO_KEY = {"label": "", "hint": "", "mark": None, "enabled": False, "sign": None}
VIEW: JSON = {
    "language": "en",
    "who": {
        "name": "Ana",
        "color": "red",
        "colors": ["red"],
        "place": 1,
        "lap": 1,
        "laps": 2,
        "gear": 3,
    },
    "title": "What gear?",
    "lines": [],
    "keys": [{**NO_KEY, "button": n, "label": str(n), "enabled": True} for n in range(1, 7)],
    "undo": True,
    "menu": True,
    "map": None,
    "wear": [],
    "refused": False,
    "code": False,
    "kind": "tell",
    "choices": [],
    "form": None,
    "row": [],
    "write": "",
}
"""A seat's page as a phone shows it, but for the number of its picture."""


class FakeTable:
    """A table that accepts everything, remembers what it heard, and publishes when told."""

    def __init__(self) -> None:
        self.heard: Heard = []
        self.reply = Reply(200, {"ok": True, "version": 1, "events": [], "asks": []})
        self._listeners: list[Callable[[Snapshot], None]] = []
        self._lock = Lock()
        self._snapshot = self._make(1, b"")

    def snapshot(self) -> Snapshot:
        return self._snapshot

    def press(
        self, caller: Caller, seat: int, button: int, hold: bool, picture: int | None
    ) -> Reply:
        self.heard.append((caller, seat, button, hold, picture))
        return self.reply

    def submit(self, caller: Caller, line: JSON) -> Reply:
        self.heard.append((caller, line))
        return self.reply

    def watch(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def publish(self, padding: int = 0, *, ticked: bool = False) -> Snapshot:
        """A new version, its body made longer by `padding` bytes."""
        with self._lock:
            made = self._make(self._snapshot.version + 1, b"x" * padding)
            self._snapshot = replace(made, ticked=ticked)
            for listener in list(self._listeners):
                listener(self._snapshot)
        return self._snapshot

    @property
    def listeners(self) -> int:
        return len(self._listeners)

    def _make(self, version: int, padding: bytes) -> Snapshot:
        body = {
            "version": version,
            "race": None,
            "state": None,
            "asks": [],
            "log": [],
            "padding": padding.decode(),
        }
        return Snapshot(
            version,
            lambda: json.dumps(body).encode(),
            private={seat: make_picture(version, 0x0F) for seat in TOKENS},
            public={seat: make_picture(version, 0xF0) for seat in TOKENS},
            tell_seat=lambda seat, own: {**VIEW, "picture": version},
        )


class FakeAccess:
    """Two tokens and a PIN; seat 1 is the host."""

    def who(self, bearer: str) -> Caller | None:
        if bearer == PIN:
            return Caller(referee=True, by="referee")
        return self.holder(bearer)

    def holder(self, token: str) -> Caller | None:
        for seat, known in TOKENS.items():
            if token == known:
                return Caller(seat=seat, host=seat == 1)
        return Caller() if token == JOIN_KEY else None

    def link(self, seat: int) -> str:
        return (
            f"http://table/seat/{seat}#{TOKENS[seat]}" if seat else f"http://table/join#{JOIN_KEY}"
        )


@pytest.fixture(scope="session", autouse=True)
def compiled() -> None:
    """No template is compiled twice."""
    compile_once()


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def access() -> FakeAccess:
    return FakeAccess()


class FakeMachine:
    """A computer that is not well, and may be switched off but not restarted."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.network: dict[str, str] | None = None

    def examine(self) -> dict[str, object]:
        found = {"seat": 2, "what": "screen", "ok": False, "says": "is dark", "mend": "plug it in"}
        return {"ok": False, "findings": [found]}

    def hotspot(self) -> dict[str, str] | None:
        return self.network

    def switch(self, power: str) -> str:
        self.heard.append(power)
        return "" if power == "off" else "it may not"

    def set_up(self, settings: Mapping[str, object]) -> str:
        self.heard.append(json.dumps(settings))
        return ""


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table, FakeAccess(), machine=FakeMachine()).test_client()


@pytest.fixture
def server(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    with serve(table, FakeAccess(), "127.0.0.1", 0) as running:
        yield running


@pytest.fixture
def keys() -> dict[str, dict[str, str]]:
    """The headers of everybody who may come to the door."""
    bearers = {"host": TOKENS[1], "guest": TOKENS[2], "referee": PIN, "stranger": "guessed"}
    told = {who: {"Authorization": f"Bearer {key}"} for who, key in bearers.items()}
    return told | {"nobody": {}}


@pytest.fixture(scope="session")
def starter() -> Iterator[subprocess.Popen[str]]:
    """A process that has read the program and forks a companion for each test that asks."""
    with launcher() as process:
        yield process


@pytest.fixture
def run(
    tmp_path: Path, starter: subprocess.Popen[str]
) -> Iterator[Callable[..., chromium.Running]]:
    """Start a companion; all that were started are ended as by Ctrl-C."""
    started = []

    def start(header: dict[str, Any] | None = None, more: Sequence[str] = ()) -> chromium.Running:
        told = fork(starter, chromium.words_of(tmp_path, header, more))
        started.append(chromium.Running.told(*told))
        return started[-1]

    yield start
    for running in started:
        with suppress(ProcessLookupError):  # the test has ended it
            os.kill(running.pid, signal.SIGTERM)
        wait_until_gone(running.pid)


expect.set_options(timeout=10_000)  # a busy machine is no fault of a page


@pytest.fixture(scope="session")
def browsers() -> Iterator[Callable[[], Browser]]:
    """What gives the one Chromium of a worker: a new one where the last has ended by itself."""
    with sync_playwright() as playwright:
        opened: list[Browser] = []

        def give() -> Browser:
            if not opened or not opened[-1].is_connected():
                path, args = chromium.CHROMIUM, chromium.FLAGS
                opened.append(playwright.chromium.launch(executable_path=path, args=args))
                late.hold_up(opened[-1])
            return opened[-1]

        yield give
        for one in opened:
            one.close()


@pytest.fixture
def browser(browsers: Callable[[], Browser]) -> Browser:
    """Chromium; each page has cookies and a store of its own."""
    return browsers()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Pages of their own browsers, once they show something; what one of them complains of fails
    the test.

    Nothing on them slides or tumbles, but where a test asks for it (`reduced_motion`). Where a test
    sets the clock, a page's time goes on when it is told: `page.clock.run_for(ms)`.
    """
    complaints: list[str] = []
    contexts: list[BrowserContext] = []

    def open_one(address: str, *, is_clock_set: bool = False, **traits: Any) -> Page:
        context = browser.new_context(**chromium.CALM | traits)
        contexts.append(context)
        page = context.new_page()
        if is_clock_set:
            page.clock.install()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda m: complaints.append(m.text) if chromium.is_complaint(m) else None,
        )
        chromium.go_to(page, address)
        if is_clock_set:
            chromium.stop_clock(page)
        return page

    yield open_one
    for context in contexts:
        context.close()
    assert complaints == []
