"""Renew the pictures of the README: `python tools/pictures.py`.

Opens a table in the middle of a race, has a real browser look at it, and writes
`docs/pictures/table.png` and `seat.png`, with few colours so that they stay small.
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
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
COLOURS = 255
SETTLE_MS = 2000
NAMES = ("Ana", "Béla", "Chloé", "Dario", "Émile", "Freya")


def _car(space: str, gear: int, **wear: int) -> dict[str, Any]:
    return {"space": space, "gear": gear, "lap": 2, "wear": wear}


HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 2,
    "seats": [{"seat": seat, "name": name} for seat, name in enumerate(NAMES, 1)],
    "position": {
        "cars": {
            "1": _car("S6.m21", 4, tires=3, brakes=1, engine=2),
            "2": _car("S6.r12", 5, tires=4, gearbox=2),
            "3": _car("T5.m9", 4, tires=5, brakes=2, body=2),
            "4": _car("T5.l4", 2, tires=2, brakes=0, handling=1) | {"stops": 2},
            "5": _car("S4.m4", 4, tires=6, engine=1),
            "6": _car("T2.r6", 2, tires=1, gearbox=1, body=1) | {"stops": 1},
        },
        "debris": ["S6.m8", "T5.m11", "S3.l1"],
    },
}
HEADER["position"]["cars"]["3"]["stops"] = 3  # type: ignore[index]


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
            yield json.loads(process.stdout.readline())
            process.send_signal(signal.SIGTERM)


def play(told: dict[str, Any], answers: list[Any]) -> None:
    """Give these answers, one after the other, to whatever is asked first."""
    with urllib.request.urlopen(f"{told['url']}/api/table") as page:
        asks = json.load(page)["asks"]
    for answer in answers:
        ask = asks[0]
        value = answer if answer in ask["options"] else _safest(ask)
        body = json.dumps({ask["kind"]: value}).encode()
        key = {"Authorization": f"Bearer {told['pin']}"}
        address = f"{told['url']}/api/seat/{ask['seat']}/answer"
        with urllib.request.urlopen(urllib.request.Request(address, body, key)) as page:
            asks = json.load(page)["asks"]


def _safest(ask: dict[str, Any]) -> Any:
    options = [option for option in ask["options"] if option is not None]
    if ask["kind"] not in ("move", "slipstream"):
        return options[-1]
    best = min(options, key=lambda one: (one["out"], one["spin"], sum(one["cost"].values())))
    return {"to": best["to"], "brakes": best["brakes"]}


def take(browser: Browser, address: str, name: str, **traits: Any) -> None:
    """One picture of a page."""
    page = browser.new_context(locale="en-GB", **traits).new_page()
    page.goto(address)
    page.wait_for_timeout(SETTLE_MS)
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = shot.quantize(COLOURS, dither=Image.Dither.NONE)
    few.save(PICTURES / name, optimize=True)


def main() -> None:
    """Take both pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with table() as told, sync_playwright() as playwright:
        play(told, [4, 10, None, 4, 11, None, 4, 9])
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        take(browser, told["url"], "table.png", viewport={"width": 1600, "height": 900})
        with urllib.request.urlopen(f"{told['url']}/api/table") as page:
            asked = json.load(page)["asks"][0]["seat"]
        link = next(seat["link"] for seat in told["seats"] if seat["seat"] == asked)
        phone = {"width": 360, "height": 700}
        take(browser, link, "seat.png", viewport=phone, device_scale_factor=1.5)
        browser.close()


if __name__ == "__main__":
    main()
