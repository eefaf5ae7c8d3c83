"""A season without a pause: one table, ten seats, a hundred phones, race after race.

The table is a process of its own and driven over HTTP as fast as it takes answers. Between two
races some phones go and others come, and somebody looks at the pages that people look at. What the
process holds is noted after each race: that it does not grow is the point.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from http import HTTPStatus
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import NamedTuple, Self
from urllib.parse import urlsplit

from companion.race.engine import Engine
from support.formula.careful import answer
from support.formula.table import OneRead
from support.pods.listener import soon
from support.tables.process import Client, Companion
from support.tables.sitting import race_header

PAGES = ("/", "/seat/1", "/tv", "/circuit/monaco.svg", "/book?lang=de", "/join", "/league/drivers")
LEAVE = 10
"""Phones that go between two races; as many come."""
UNHEARD_S = 0.2
LOOKS, LOOK_S = 6, 0.5


class Held(NamedTuple):
    """What the table's process holds: memory in KiB, threads, open files."""

    memory_kib: int
    threads: int
    files: int


class Crowd:
    """Phones that listen to the table, read by a thread of their own; a context manager."""

    def __init__(self, url: str, count: int) -> None:
        self._place = urlsplit(url)
        self._ready = selectors.DefaultSelector()
        self._phones = [self._come() for _ in range(count)]
        self._over = Event()
        self._thread = Thread(target=self._listen, daemon=True)
        self.ended = 0
        """Streams that the table has ended."""

    def _come(self) -> socket.socket:
        phone = socket.create_connection((self._place.hostname or "", self._place.port or 0))
        head = f"GET /api/stream?changes HTTP/1.1\r\nHost: {self._place.netloc}\r\n\r\n"
        phone.sendall(head.encode())
        self._ready.register(phone, selectors.EVENT_READ)
        return phone

    def _listen(self) -> None:
        while not self._over.is_set():
            for key, _ in self._ready.select(UNHEARD_S):
                phone = key.fileobj
                assert isinstance(phone, socket.socket)
                if phone.fileno() >= 0 and not phone.recv(65536):
                    self.ended += 1
                    self._ready.unregister(phone)

    def change(self, count: int) -> None:
        """So many go, those who have been there longest, and as many come."""
        self._pause()
        for phone in self._phones[:count]:
            self._ready.unregister(phone)
            phone.close()
        self._phones = self._phones[count:] + [self._come() for _ in range(count)]
        self.__enter__()

    def _pause(self) -> None:
        self._over.set()
        self._thread.join()

    def __enter__(self) -> Self:
        self._over = Event()
        self._thread = Thread(target=self._listen, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._pause()
        for phone in self._phones:
            phone.close()
        self._ready.close()


def season(data: Path, races: int, *, seats: int = 10, phones: int = 100) -> Iterator[Held]:
    """Drive so many races at one table; what it holds after each.

    Raises:
        AssertionError: the table has refused an answer, or ended a phone's stream.
    """
    with ExitStack() as opened:
        table = opened.enter_context(Companion(data))
        crowd = opened.enter_context(Crowd(table.url, phones))
        client = table.client()
        for number in range(races):
            drive(client, table.pin, seats, seed=number)
            for page in PAGES:
                # What a second process makes may be told to come again while that one starts.
                assert soon(partial(_is_there, client, page)), page
            crowd.change(LEAVE)
            assert crowd.ended == 0
            yield at_rest(table.process.pid)


def _is_there(client: Client, page: str) -> bool:
    return client.fetch(page) == HTTPStatus.OK


def drive(client: Client, pin: str, seats: int, *, seed: int) -> None:
    """A race from the grid to its result, every answer of it posted."""
    header = race_header(seats, laps=1)
    dice, mirror = Random(seed), Engine(OneRead())
    assert mirror.handle({"new": header})["ok"]
    status, reply = client.post("/api/table", pin, {"new": header})
    assert status == 200, reply
    while asks := mirror.asks():
        ask = dice.choice(asks)
        value = answer(ask, mirror.moment, dice)
        if isinstance(value, dict):
            value = {key: value[key] for key in ("to", "brakes")}
        status, reply = client.post(f"/api/seat/{ask['seat']}/answer", pin, {ask["kind"]: value})
        assert status == 200, reply
        assert mirror.handle({"seat": ask["seat"], ask["kind"]: value})["ok"]


def at_rest(pid: int) -> Held:
    """What a process holds when it has done what it was about: the least of some looks."""
    looks = []
    for _ in range(LOOKS):
        time.sleep(LOOK_S)
        looks.append(held_by(pid))
    return Held(*map(min, zip(*looks, strict=True)))


def held_by(pid: int) -> Held:
    """What a process holds now."""
    home = Path(f"/proc/{pid}")
    memory = (home / "status").read_text().split("VmRSS:")[1].split()[0]
    return Held(
        int(memory), len(list((home / "task").iterdir())), len(list((home / "fd").iterdir()))
    )


WARM = 3
"""Races after which everything that a table imports and keeps is there, the league's pages too."""
MOST_MIB = 1.5
"""Memory a race."""
SLACK = Held(0, 1, 6)
"""What a review of the race before holds while it is being made, in another process."""


def growth(held: list[Held]) -> list[str]:
    """What has grown since the warm-up, in sentences; none where all stayed flat."""
    first, last, races = held[WARM - 1], held[-1], len(held) - WARM
    found = [
        f"{name} were {before}, and are {after}"
        for name, before, after, slack in zip(
            ("threads", "files"), first[1:], last[1:], SLACK[1:], strict=True
        )
        if after > before + slack
    ]
    grown_mib = (last.memory_kib - first.memory_kib) / 1024
    if grown_mib > MOST_MIB * races:
        found.append(f"memory has grown by {grown_mib:.1f} MiB in {races} races")
    return found
