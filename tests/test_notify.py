"""What systemd hears: that the table is open, and signs of life of the thread that owns it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest
from support.tables.sitting import REFEREE, Room, race_header

from companion.system.host import Notifier


class Manager:
    """The socket of a service's manager."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(20)

    def hears(self) -> str:
        return self.socket.recv(4096).decode()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    made = Manager(tmp_path)
    yield made
    made.socket.close()


def test_a_sign_of_life_is_given_three_times_as_often_as_it_is_wanted(manager: Manager) -> None:
    times = iter((0.0, 1.0, 4.0, 5.0, 9.0, 20.0))
    environment = {"NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "30000000"}
    notifier = Notifier(environment, lambda: next(times))
    assert notifier.every_s == 10
    for _ in range(6):
        notifier.alive()
    notifier.stopping()
    assert [manager.hears() for _ in range(4)] == ["WATCHDOG=1"] * 3 + ["STOPPING=1"]


def test_without_a_manager_nothing_is_said_and_nothing_fails() -> None:
    notifier = Notifier({"WATCHDOG_USEC": "1000"}, lambda: 0.0)
    notifier.ready("open")
    notifier.alive()
    assert notifier.every_s is None
    Notifier({"NOTIFY_SOCKET": "/nowhere/at/all"}, lambda: 0.0).ready("open")


def test_the_thread_that_owns_the_table_gives_signs_of_life_while_nobody_asks_it_anything() -> None:
    signs, enough = [], Event()

    def alive() -> None:
        signs.append(1)
        if len(signs) > 3:
            enough.set()

    room = Room(alive=alive)
    room.session.start()
    assert enough.wait(5)
    assert room.session.submit(REFEREE, {"new": race_header(2)}).status == 200
    room.session.close()


@pytest.mark.slow
def test_a_service_is_up_when_its_page_answers_and_says_when_it_stops(
    manager: Manager, tmp_path: Path
) -> None:
    words = ("--data", str(tmp_path / "data"), "--port", "0", "--host", "127.0.0.1", "--json")
    environment = {**os.environ, "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "300000"}
    command = [sys.executable, "-m", "companion", "race", *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
    assert process.stdout is not None
    told = json.loads(process.stdout.readline())
    heard = {manager.hears() for _ in range(6)}
    assert heard == {"WATCHDOG=1", f"READY=1\nSTATUS=open at {told['url']}"}
    process.terminate()
    while "STOPPING=1" not in heard:
        heard.add(manager.hears())
    assert process.wait(10) == 0
    process.stdout.close()
