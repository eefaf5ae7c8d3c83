"""What makes pictures of a running table: a real race of six, from the grid to a moment worth it.

It is played by the tests' careful driver with dice from a seed; pictures have few colours, so that
they stay small.
"""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import Browser
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
COLOURS = 255
SETTLE_MS = 2000
GAP = 16
NAMES = ("Ana", "Béla", "Chloé", "Dario", "Émile", "Freya")
HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 2,
    "seats": [{"seat": seat, "name": name} for seat, name in enumerate(NAMES, 1)],
}
SEED = 5


@contextmanager
def table() -> Iterator[dict[str, Any]]:
    """An open table, as its one line of JSON tells it."""
    with tempfile.TemporaryDirectory() as name:
        header = Path(name) / "header.json"
        header.write_text(json.dumps(HEADER))
        command = [sys.executable, "-m", "companion", "race", "--data", f"{name}/data", "--json"]
        command += ["--port", "0", "--host", "127.0.0.1", "--new", str(header)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            try:
                yield json.loads(process.stdout.readline())
            finally:
                process.send_signal(signal.SIGTERM)


def look(told: dict[str, Any]) -> dict[str, Any]:
    """The table as everybody sees it."""
    with urllib.request.urlopen(f"{told['url']}/api/table") as page:
        return dict(json.load(page))


def play(told: dict[str, Any], to_round: int, kind: str) -> dict[str, Any]:
    """Play from the grid until this round asks for this; the table as it stands then."""
    dice, trial = Random(SEED), Engine(TrackLibrary(()))
    seen = look(told)
    while seen["state"]["round"] < to_round or seen["asks"][0]["kind"] != kind:
        ask = seen["asks"][0]
        trial.handle({"new": {**HEADER, "position": seen["state"]}})
        body = json.dumps({ask["kind"]: careful.answer(ask, trial.moment, dice)}).encode()
        key = {"Authorization": f"Bearer {told['pin']}"}
        address = f"{told['url']}/api/seat/{ask['seat']}/answer"
        urllib.request.urlopen(urllib.request.Request(address, body, key)).close()
        seen = look(told)
    return seen


def take(browser: Browser, address: str, **traits: Any) -> Image.Image:
    """One picture of a page."""
    page = browser.new_context(locale="en-GB", **traits).new_page()
    page.goto(address)
    page.wait_for_timeout(SETTLE_MS)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def keep(picture: Image.Image, name: str) -> None:
    """Write a picture with few colours."""
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)


def beside(table: Image.Image, phones: list[Image.Image]) -> Image.Image:
    """The table's page with phones at its right, all of one height."""
    height = table.height
    row = [table] + [p.resize((p.width * height // p.height, height)) for p in phones]
    whole = Image.new("RGB", (sum(p.width for p in row) + GAP * (len(row) - 1), height), "white")
    left = 0
    for picture in row:
        whole.paste(picture, (left, 0))
        left += picture.width + GAP
    return whole.resize((whole.width * 2 // 3, whole.height * 2 // 3), Image.Resampling.LANCZOS)
