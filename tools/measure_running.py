"""What the program does while it runs, in figures: the part of `tools/measure.py` that starts it.

A table is opened in the measured checkout, and what one turn passes through is counted.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

Figures = dict[str, Any]
POSITION = {
    "cars": {
        "1": {"space": "S1.m2", "gear": 2, "lap": 1},
        "2": {"space": "S1.m6", "gear": 2, "lap": 1},
        "3": {"space": "S1.r1", "gear": 1, "lap": 1},
        "4": {"space": "S1.l1", "gear": 1, "lap": 1},
    },
    "order": [2, 1, 3, 4],
    "turn": 2,
}
HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 2,
    "seats": [{"seat": seat, "name": f"Driver {seat}"} for seat in range(1, 5)],
    "position": POSITION,
}
TURN: tuple[Mapping[str, Any], ...] = ({"gear": 3}, {"roll": 6})
SEATS = (2, 1)
"""Who has a turn: the first warms the process up, of the second it is counted."""
# Runs inside the measured checkout: plays a race, counts what the answers call.
_ANSWERS = """
import collections, json, random, sys
from companion.race.boards import TrackLibrary
from companion.race.engine import Engine
calls = collections.Counter()
def hook(frame, event, arg):
    code = frame.f_code
    if event == "call" and "/rules/formula/" in code.co_filename:
        calls[code.co_qualname] += 1
header, dice = json.loads(sys.argv[1]), random.Random(5)
engine = Engine(TrackLibrary())
assert engine.handle({"new": header})["ok"]
answers = 0
while answers < 60 and engine.asks():
    ask = engine.asks()[0]
    kind, options = ask["kind"], ask.get("options")
    value = None  # to the slipstream, no
    if kind == "move":
        best = min(options, key=lambda end: (end["out"], sum(end["cost"].values())))
        value = {"to": best["to"], "brakes": best["brakes"]}
    elif kind != "slipstream":
        value = dice.randint(*options[-1]) if kind == "black" else dice.choice(options)
    sys.setprofile(hook)
    reply = engine.handle({"seat": ask["seat"], kind: value})
    sys.setprofile(None)
    assert reply["ok"], reply
    answers += 1
applied = sum(n for name, n in calls.items() if name.endswith(".applied"))
# The queue that ends a decision is an event that nobody tells.
told = calls["Flow.tell"] + (calls["StepsPended.applied"] if applied > calls["Flow.tell"] else 0)
print(json.dumps({
    "asks made, times an answer": round(calls["asks"] / answers, 2),
    "events applied, times each": round(applied / told, 2),
}))
"""
# Runs the measured program with a count of the files of its own that calls enter, between the
# lines "on" and "off" on its input.
_SERVED = """
import json, sys, threading
entered, on = {}, False
def hook(frame, event, arg):
    if on and event == "call":
        name = frame.f_code.co_filename
        at = max(name.rfind("/companion/"), name.rfind("/companion_web/"))
        if at >= 0 and "/site-packages/" not in name:
            entered[name[at + 1:]] = None
def listen():
    global on
    for line in sys.stdin:
        if line.strip() == "on":
            entered.clear()
            on = True
            print("ready", file=sys.stderr, flush=True)
        else:
            on = False
            print(json.dumps(list(entered)), file=sys.stderr, flush=True)
threading.Thread(target=listen, daemon=True).start()
threading.setprofile(hook)
sys.setprofile(hook)
from companion.cli import main
sys.exit(main(sys.argv[1:]))
"""
_AFTER_S = 0.3
TIMED = {
    "make check": ["make", "check"],
    "make test": ["make", "test"],
    "one file of rules": [sys.executable, "-m", "pytest", "-q", "tests/rules/test_pit.py"],
}


def run_figures(root: Path) -> Figures:
    """What has to run: a race on the engine, and one turn at a table over HTTP."""
    with tempfile.TemporaryDirectory() as folder:
        entered = dict(entered_at(root, Path(folder)))
    return answers_at(root) | {"files entered by one answer over HTTP": entered}


def timed(root: Path) -> Iterator[tuple[str, list[float]]]:
    """Seconds that a suite takes by the clock, and on the processor with all that it starts.

    Raises:
        subprocess.CalledProcessError: it failed, and its time says nothing.
    """
    for name, words in TIMED.items():
        begun, before = time.monotonic(), _processor_s()
        subprocess.run(words, cwd=root, check=True, stdout=subprocess.DEVNULL)
        seconds = (time.monotonic() - begun, _processor_s() - before)
        yield f"seconds of {name}, all/processor", [round(one, 1) for one in seconds]


def _processor_s() -> float:
    """The seconds of all processes that this one has waited for."""
    used = os.times()
    return used.children_user + used.children_system


def _environment(root: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'web'}"}


def answers_at(root: Path) -> dict[str, float]:
    """How often an answer makes all asks, and how often each of its events is applied."""
    words = [sys.executable, "-c", _ANSWERS, json.dumps(HEADER)]
    done = subprocess.run(
        words, env=_environment(root), cwd=root, check=True, capture_output=True, text=True
    )
    counted: dict[str, float] = json.loads(done.stdout)
    return counted


def entered_at(root: Path, data: Path) -> Iterator[tuple[str, list[str]]]:
    """The files of the program that a gear, a roll and a move pass through.

    One seat has its turn before, so that what is made once a process is not counted.
    """
    with _table(root, data) as table:
        reply: Any = None
        for seat, given in ((seat, given) for seat in SEATS for given in (*TURN, None)):
            answer = _nearest(reply) if given is None else given
            reply, entered = table.counted(seat, answer)
            if seat == SEATS[-1]:
                yield next(iter(answer)), entered


def _nearest(reply: Any) -> Mapping[str, Any]:
    """The move that a reply asks for: to an end that keeps the car in the race."""
    (ask,) = (ask for ask in reply["asks"] if ask["kind"] == "move")
    best = min(ask["options"], key=lambda end: (end["out"], end["to"]))
    return {"move": {"to": best["to"], "brakes": best["brakes"]}}


@dataclass(frozen=True)
class _Table:
    """A table that counts: how it is told when, how it tells what, and its page."""

    orders: IO[str]
    counts: IO[str]
    page: HTTPConnection
    tokens: Mapping[int, str]

    def counted(self, seat: int, answer: Mapping[str, Any]) -> tuple[Any, list[str]]:
        """The reply to an answer, and the files that it entered."""
        print("on", file=self.orders, flush=True)
        assert self.counts.readline().strip() == "ready"
        reply = self._post(seat, answer)
        time.sleep(_AFTER_S)  # what the answer still brings about after its reply counts too
        print("off", file=self.orders, flush=True)
        return reply, json.loads(self.counts.readline())

    def _post(self, seat: int, answer: Mapping[str, Any]) -> Any:
        token = f"Bearer {self.tokens[seat]}"
        headers = {"Content-Type": "application/json", "Authorization": token}
        self.page.request("POST", f"/api/seat/{seat}/answer", json.dumps(answer), headers)
        with self.page.getresponse() as response:
            reply = json.loads(response.read())
            assert response.status == 200, reply
        return reply


@contextmanager
def _table(root: Path, data: Path) -> Iterator[_Table]:
    """The measured program with a race that has begun; stopped afterwards."""
    header = data / "header.json"
    header.write_text(json.dumps(HEADER), "utf-8")
    words = ["race", "--data", str(data), "--port", "0", "--host", "127.0.0.1", "--json"]
    with _process(root, data, [*words, "--new", str(header)]) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        opened = json.loads(process.stdout.readline())
        address = urlsplit(opened["url"])
        page = HTTPConnection(address.hostname or "", address.port, timeout=60)
        tokens = {seat["seat"]: seat["token"] for seat in opened["seats"]}
        try:
            yield _Table(process.stdin, process.stderr, page, tokens)
        finally:
            page.close()
            process.terminate()


def _process(root: Path, folder: Path, words: Sequence[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _SERVED, *words],
        env=_environment(root),
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
