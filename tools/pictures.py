"""What makes pictures of a running table: a real race of six, from the grid to a moment worth it.

It is played by the tests' careful driver with dice from a seed; pictures have few colours, so that
they stay small.
"""

from __future__ import annotations

import io
import json
import signal
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

from PIL import Image
from playwright.sync_api import Page
from support.browser.chromium import Running, start
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
COLOURS = 255
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
def table(header: Mapping[str, Any] | None = HEADER) -> Iterator[Running]:
    """An open table, with this race or with none."""
    with tempfile.TemporaryDirectory() as folder:
        process, running = start(Path(folder), header)
        try:
            yield running
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate()


def look(race: Running) -> dict[str, Any]:
    """The table as everybody sees it."""
    with urllib.request.urlopen(f"{race.url}/api/table") as page:
        return dict(json.load(page))


def play(race: Running, to_round: int, kind: str) -> dict[str, Any]:
    """Play from the grid until this round asks for this; the table as it stands then."""
    dice, trial = Random(SEED), Engine(TrackLibrary(()))
    seen = look(race)
    while seen["state"]["round"] < to_round or seen["asks"][0]["kind"] != kind:
        ask = seen["asks"][0]
        trial.handle({"new": {**HEADER, "position": seen["state"]}})
        body = json.dumps({ask["kind"]: careful.answer(ask, trial.moment, dice)}).encode()
        key = {"Authorization": f"Bearer {race.pin}"}
        address = f"{race.url}/api/seat/{ask['seat']}/answer"
        urllib.request.urlopen(urllib.request.Request(address, body, key)).close()
        seen = look(race)
    return seen


def shot(page: Page) -> Image.Image:
    """What a page shows now."""
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
