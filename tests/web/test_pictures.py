"""Races of four and ten cars on every kind of screen at once: nothing runs over its edge.

With PICTURES=DIR each screen is photographed at each scene, in both languages and themes, to be
looked at (`make pictures`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, Running, table_of

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
LOOKS = [
    (cars, language, theme)
    for cars in (4, 10)
    for language in ("en-GB", "fr-FR")
    for theme in ("light", "dark")
    if KEPT or (cars, language, theme) in ((10, "fr-FR", "dark"), (4, "en-GB", "light"))
]
KEYS_SEEN = """() => Math.max(...[...document.querySelectorAll("#gate button")]
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
    """A race seen on four screens at once; the first seat's phones follow that seat."""

    def __init__(self, running: Running, pages: dict[str, Page], name: str) -> None:
        self.running, self.pages, self.name = running, pages, name
        self.faults: list[str] = []

    def post(self, path: str, body: dict[str, Any]) -> Any:
        page = self.pages["laptop"]
        head = {"Authorization": f"Bearer {self.running.pin}"}
        reply = page.request.post(f"{self.running.url}{path}", headers=head, data=body)
        assert reply.ok, reply.text()
        return reply.json()

    def answer(self) -> dict[str, Any]:
        """The first ask, answered with what costs least; the ask."""
        ask: dict[str, Any] = table_of(self.pages["laptop"])["asks"][0]
        options = [one for one in ask["options"] if one is not None]
        value: Any = options[min(1, len(options) - 1)]
        if ask["kind"] in ("move", "slipstream"):
            best = min(options, key=lambda o: (o["out"], o["spin"], sum(o["cost"].values())))
            value = {"to": best["to"], "brakes": best["brakes"]}
        elif ask["kind"] == "black":
            value = options[-1]
        self.post(f"/api/seat/{ask['seat']}/answer", {ask["kind"]: value})
        return ask

    def until(self, kind: str, seat: int) -> None:
        """Play on until this seat is asked this first."""
        for _ in range(200):
            ask = table_of(self.pages["laptop"])["asks"][0]
            if (ask["kind"], ask["seat"]) == (kind, seat):
                return
            self.answer()
        pytest.fail(f"seat {seat} is never asked for {kind}")

    def look(self, scene: str) -> None:
        """All screens, once they are still."""
        version = table_of(self.pages["laptop"])["version"]
        self.pages["laptop"].wait_for_timeout(350)
        for screen, page in self.pages.items():
            expect(page.locator("#link")).to_have_attribute("data-state", "open")
            self.faults += [f"{self.name} {scene} {screen} v{version}: {one}"
                            for one in page.evaluate(OVER)]  # fmt: skip
            if KEPT:
                file = Path(KEPT) / f"{self.name}-{scene}-{screen}.png"
                page.screenshot(path=file)


@pytest.mark.long
@pytest.mark.parametrize(("cars", "language", "theme"), LOOKS)
def test_nothing_runs_over_its_edge_on_any_screen(
    run: Callable[..., Running],
    open_page: Callable[..., Page],
    cars: int,
    language: str,
    theme: str,
) -> None:
    running = run(header(cars))
    address = {
        "phone-320": running.links[1],
        "phone-390": running.links[2],
        "laptop": f"{running.url}/#pin={running.pin}",
        "television": f"{running.url}/tv#pin={running.pin}",
    }
    pages = {
        name: open_page(address[name], locale=language, color_scheme=theme,
                        reduced_motion="reduce", **traits)
        for name, traits in SCREENS.items()
    }  # fmt: skip
    evening = Evening(running, pages, f"{cars}-{language[:2]}-{theme}")
    evening.until("gear", 1)
    evening.look("gear")
    evening.until("roll", 1)
    evening.look("roll")
    evening.until("move", 1)
    evening.look("move")
    assert pages["phone-320"].evaluate(KEYS_SEEN), "all keys without scrolling"
    evening.until("move", 2)
    evening.look("waiting")
    for _ in range(60):
        evening.answer()
    evening.look("later")
    evening.post("/api/referee/end", {})
    evening.look("finish")
    assert evening.faults == []
