"""Renew the pictures of the league's pages: `PYTHONPATH=tests python tools/league_pictures.py`.

A season of six is driven on four boards by the tests' careful driver, with dice from seeds; a
real browser looks at the season and at a race half-way. Written are `docs/pictures/season.png`
and `league-race.png`.
"""

from __future__ import annotations

import io
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pictures import FLAGS, PICTURES, SETTLE_MS, take
from PIL import Image
from playwright.sync_api import Browser, ViewportSize, sync_playwright
from support.browser.chromium import CHROMIUM, start
from support.leagues.records import keep, raced

NAMES = ("Ana", "Béla", "Chloé", "Dario", "Émile", "Freya")
TEAMS = ("Rouge", "Rouge", "Bleu", "Bleu", "Vert", "Vert")
BOARDS = ("monaco", "zeltweg", "silverstone", "spa", "budapest", "monza", "melbourne", "suzuka")
SHOWN = len(BOARDS) - 2
"""Which of the races is looked at."""
VIEW: ViewportSize = {"width": 1180, "height": 1400}


def drive(folder: Path) -> None:
    """The records of the season, each grid begun by another."""
    people = list(zip(NAMES, TEAMS, strict=True))
    for n, board in enumerate(BOARDS):
        row = people[n % 6 :] + people[: n % 6]
        seats = [{"seat": s, "name": who, "team": team} for s, (who, team) in enumerate(row, 1)]
        day = f"2026-01-{n * 3 + 3:02}T20:00:00"
        names = [who for who, _ in row]
        keep(
            folder,
            raced(f"race-{n}", names, seed=n + 2, started=day, track=board, seats=seats),
        )


@contextmanager
def league() -> Iterator[str]:
    """The address of a table whose league has the season."""
    with tempfile.TemporaryDirectory() as name:
        data = Path(name) / "data"
        season = ("Winter 2026", "--points", "formula-d + pole 1", "--data", str(data))
        subprocess.run([sys.executable, "-m", "companion", "league", "new", *season], check=True)
        drive(data)
        process, running = start(Path(name))
        try:
            yield f"{running.url}/league"
        finally:
            process.terminate()
            process.communicate()


def half_way(browser: Browser, address: str) -> Image.Image:
    """A race's page with the cars where they were in the middle of it."""
    page = browser.new_context(locale="en-GB", viewport=VIEW).new_page()
    page.goto(address)
    page.wait_for_timeout(SETTLE_MS)
    slider = page.locator("#step")
    slider.fill(str(int(slider.get_attribute("max") or 0) // 2))
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    page.wait_for_timeout(SETTLE_MS)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def main() -> None:
    """Take both pictures."""
    with league() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        take(browser, address, viewport=VIEW)  # the charts are drawn once before they are looked at
        season = take(browser, address, viewport=VIEW)
        race = half_way(browser, f"{address}/races/race-{SHOWN}")
        browser.close()
    season.save(PICTURES / "season.png", optimize=True)
    race.save(PICTURES / "league-race.png", optimize=True)


if __name__ == "__main__":
    main()
