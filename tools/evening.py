"""From `make play` to the first roll as newcomers go: `PYTHONPATH=tests python tools/evening.py`.

An empty table, a laptop and two phones in a real browser. Every touch of docs/evening.md's first
steps is made by its name on the screen, counted and timed, in English and in French; written are
`docs/pictures/evening-LANGUAGE-STEP.png`. What is printed are the seconds that the machine takes;
people take as long as they read, so a touch is reckoned at TOUCH_S and a code at SCAN_S more.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from pictures import keep, shot, table
from playwright.sync_api import Browser, Page, sync_playwright
from support.browser.chromium import CHROMIUM, FLAGS, Running, give

TOUCH_S = 4
SCAN_S = 10
SETTLE_MS = 700
WORDS = {
    "en-GB": ("Take a seat", "Start the race"),
    "fr-FR": ("Prendre place", "Lancer la course"),
}


@dataclass
class Trial:
    """One way from nothing to the first roll, in one language."""

    browser: Browser
    running: Running
    language: str
    touches: int = 0
    scans: int = 0
    shown: list[str] = field(default_factory=list)

    def open(self, address: str, width: int, height: int) -> Page:
        page = self.browser.new_context(
            locale=self.language, viewport={"width": width, "height": height}
        ).new_page()
        page.goto(address)
        return page

    def touch(self, page: Page, what: str | dict[str, object]) -> None:
        """Touch what begins with this name, or what gives this answer, once it is there."""
        named = isinstance(what, str)
        key = page.get_by_role("button", name=what).first if named else give(page, what)
        key.click()
        self.touches += 1
        page.wait_for_timeout(SETTLE_MS)

    def picture(self, page: Page, step: str) -> None:
        page.wait_for_timeout(SETTLE_MS)
        keep(shot(page), f"evening-{self.language[:2]}-{step}.png")

    def go(self) -> None:
        """All steps, from the page to the die."""
        sit, begin = WORDS[self.language]
        table = self.open(f"{self.running.url}/#pin={self.running.pin}", 1200, 1000)
        key = {"Authorization": f"Bearer {self.running.pin}"}
        link = table.request.get(f"{self.running.url}/api/join", headers=key).json()["link"]
        phones = []
        for name in ("Ana", "Béla"):
            phone = self.open(link, 360, 700)
            self.scans += 1
            phone.get_by_role("textbox").fill(name)
            self.touches += 2  # into the field, and a short name
            if name == "Ana":
                self.picture(phone, "join")
            self.touch(phone, sit)
            phones.append(phone)
        self.picture(table, "lobby")
        self.touch(table, begin)
        for phone, shown in zip(phones, (18, 6), strict=True):
            self.touch(phone, {"black": shown})
        self.touch(phones[0], {"black": [2, 16]})
        self.touch(phones[0], {"gear": 1})
        self.picture(phones[0], "roll")


def main() -> None:
    """Both languages, each at a table of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for language in WORDS:
            began = time.monotonic()
            with table(None) as running:
                opened = time.monotonic() - began
                trial = Trial(browser, running, language)
                trial.go()
                taken = time.monotonic() - began
            people = opened + trial.touches * TOUCH_S + trial.scans * SCAN_S
            print(
                f"{language}: table open after {opened:.1f} s, first roll asked after {taken:.1f} s"
            )
            print(f"  {trial.touches} touches, {trial.scans} codes: {people:.0f} s for people")
        browser.close()


if __name__ == "__main__":
    main()
