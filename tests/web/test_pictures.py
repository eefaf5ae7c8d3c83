"""Races of four and ten cars to their end, on every kind of screen at once: nothing runs over its
edge, and every page looks as it did when somebody looked at it.

With PICTURES=DIR each screen is photographed whole, to be looked at, and the pictures that are kept
in `tests/web/pictures` are made anew (`make pictures`): look at what has changed before a commit.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running, looks_at, table_of
from support.browser.pictures import MOST, apart, keep, kept, letters, small
from support.formula import careful

from companion.race.boards import TrackLibrary
from companion.race.engine import Engine

pytestmark = NEEDS_CHROMIUM

NAMES = ("Marguerite", "Jean-Baptiste", "Chloé", "Dad", "Émile", "Oma Wilhelmine", "Freya", "Zoé",
         "Konstantin", "Ana")  # fmt: skip
SCREENS = {
    "phone-320": {"viewport": {"width": 320, "height": 640}},
    "phone-390": {"viewport": {"width": 390, "height": 844}},
    "laptop": {"viewport": {"width": 1366, "height": 768}},
    "television": {"viewport": {"width": 1920, "height": 1080}},
}
KEPT = os.environ.get("PICTURES")
RENEWED = Path(KEPT) if KEPT else None
PICTURES = Path(__file__).parent / "pictures"
LETTERS = PICTURES / "letters.txt"
"""The font that the kept pictures are set in: with another one no page looks the same."""
LOOKS = [
    (4, "en-GB", "light"),
    (10, "en-GB", "dark"),
    (4, "fr-FR", "dark"),
    (10, "fr-FR", "light"),
    (4, "de-DE", "light"),
    (10, "de-DE", "dark"),
]
"""Each language in both themes and with few cars and many, each theme with both."""
USUAL = [(4, "en-GB", "light"), (10, "fr-FR", "light"), (10, "de-DE", "dark")]
"""Those that `make long` looks at; `make pictures` takes all."""
KEYS_SEEN = """() => Math.max(...[...document.querySelectorAll("#choices button")]
    .map((one) => one.getBoundingClientRect().bottom))
    <= document.querySelector(".foot").getBoundingClientRect().top"""
OVER = """() => {
    const wide = document.documentElement.scrollWidth - innerWidth;
    const cut = [...document.querySelectorAll("button, h1, h2, h3, .key b, .key small")].filter(
        (one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1
            && getComputedStyle(one).overflow !== "visible");
    return [...(wide > 0 ? [`page: ${wide} px`] : []), ...cut.map((one) => one.textContent.trim())];
}"""


def header(cars: int) -> dict[str, Any]:
    seats = [{"seat": n, "name": name, "tires": "hard"} for n, name in enumerate(NAMES, 1)][:cars]
    told = {"game": "formula-d", "track": "monaco", "laps": 1, "rules": ["tires"], "seats": seats}
    return told | {"grid": list(range(1, cars + 1)), "start": "normal"}


class Evening:
    """A race seen on four screens at once; an engine beside it says what a careful driver does."""

    def __init__(self, running: Running, open_page: Callable[..., Page], name: str) -> None:
        self.running, self.name = running, name
        self.addresses = {
            "phone-320": running.links[1],
            "phone-390": running.links[2],
            "laptop": f"{running.url}/#pin={running.pin}",
            "television": f"{running.url}/tv#pin={running.pin}",
        }
        _, language, theme = name.split("-")
        self.pages = {
            screen: open_page(self.addresses[screen], locale=language, color_scheme=theme,
                              reduced_motion="reduce", **traits)
            for screen, traits in SCREENS.items()
        }  # fmt: skip
        self.engine, self.dice = Engine(TrackLibrary()), random.Random(11)
        self.faults: list[str] = []
        self.others: list[str] = []

    def begin(self, told: dict[str, Any]) -> None:
        assert self.engine.handle({"new": told})["ok"]

    def answer(self) -> None:
        """The first ask, as a careful driver answers it, on the engine and at the table."""
        ask = self.engine.asks()[0]
        value = careful.answer(ask, self.engine.moment, self.dice)
        if isinstance(value, dict) and "to" in value:
            value = {"to": value["to"], "brakes": value["brakes"]}
        assert self.engine.handle({"seat": ask["seat"], ask["kind"]: value})["ok"]
        head = {"Authorization": f"Bearer {self.running.pin}"}
        address = f"{self.running.url}/api/seat/{ask['seat']}/answer"
        reply = self.pages["laptop"].request.post(address, headers=head, data={ask["kind"]: value})
        assert reply.ok, reply.text()

    def until(self, kind: str, seat: int) -> None:
        """Play on until this seat is asked this first."""
        for _ in range(400):
            ask = self.engine.asks()[0]
            if (ask["kind"], ask["seat"]) == (kind, seat):
                return
            self.answer()
        pytest.fail(f"seat {seat} is never asked for {kind}")

    def to_the_end(self) -> None:
        """The rest of the race, which nobody watches."""
        for page in self.pages.values():
            page.goto("about:blank")
        while self.engine.asks():
            self.answer()
        for screen, page in self.pages.items():
            page.goto(self.addresses[screen])

    def look(self, scene: str) -> None:
        """All screens, once they are still."""
        # A television has moments and looks around for seconds: opened anew it has missed them.
        self.pages["television"].reload()
        for page in self.pages.values():
            expect(page.locator("#link")).to_have_attribute("data-state", "open")
        table = table_of(self.pages["laptop"])
        if table["state"]["phase"] == "race":  # its drawing is made by another process, meanwhile
            for screen in ("laptop", "television"):
                board = self.pages[screen].locator("#board svg .token")
                expect(board).to_have_count(len(table["state"]["cars"]))
        version = table["version"]
        for screen in ("phone-320", "phone-390", "laptop"):
            looks_at(self.pages[screen])
        self.pages["laptop"].wait_for_timeout(500)
        for screen, page in self.pages.items():
            self.faults += [f"{self.name} {scene} {screen} v{version}: {one}"
                            for one in page.evaluate(OVER)]  # fmt: skip
            self.compare(f"{self.name}-{scene}-{screen}", page.screenshot())

    def compare(self, name: str, shot: bytes) -> None:
        """Against the picture that is kept; or keep this one."""
        image, file = small(shot), PICTURES / f"{name}.webp"
        if RENEWED:
            (RENEWED / f"{name}.png").write_bytes(shot)
            keep(image, file)
        elif LETTERS.read_text() == letters():
            share = apart(image, kept(file))
            if share > MOST:
                self.others.append(f"{name}: {share:.0%} of it looks different")


@pytest.mark.long
@pytest.mark.parametrize(("cars", "language", "theme"), LOOKS if RENEWED else USUAL)
def test_every_screen_of_a_whole_race_looks_as_it_did_and_nothing_runs_over_its_edge(
    run: Callable[..., Running],
    open_page: Callable[..., Page],
    cars: int,
    language: str,
    theme: str,
) -> None:
    if RENEWED:
        LETTERS.write_text(letters())
    evening = Evening(run(header(cars)), open_page, f"{cars}-{language[:2]}-{theme}")
    evening.begin(header(cars))
    evening.until("gear", 1)
    evening.look("gear")
    evening.until("move", 1)
    evening.look("move")
    assert evening.pages["phone-320"].evaluate(KEYS_SEEN), "all keys without scrolling"
    evening.until("gear", 2)
    evening.look("waiting")
    for _ in range(15 * cars):
        evening.answer()
    evening.look("later")
    evening.to_the_end()
    # The season's standings come a moment after the result.
    expect(evening.pages["laptop"].locator(".after")).to_be_visible()
    evening.look("finish")
    assert table_of(evening.pages["laptop"])["state"]["phase"] == "finished"
    assert (evening.faults, evening.others) == ([], [])


def test_a_panel_that_moves_or_loses_its_color_is_another_picture() -> None:
    def picture(left: int, color: str) -> Image.Image:
        image = Image.new("RGB", (455, 256), "#f5f3ee")
        ImageDraw.Draw(image).rectangle((left, 40, left + 120, 200), fill=color)
        return image

    before = picture(40, "#ba230b")
    assert apart(before, picture(40, "#ba230b")) == 0
    assert apart(before, picture(41, "#bb250d")) <= MOST, "a dot is no difference"
    assert apart(before, picture(60, "#ba230b")) > MOST
    assert apart(before, picture(40, "#4068a0")) > MOST
    assert apart(before, before.resize((455, 260))) == 1
