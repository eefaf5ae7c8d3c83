"""A real browser on a real companion: pages as people open them, thumbs on phones."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import pytest
from playwright.sync_api import Locator, Page, expect

CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The engine without the windows around it, where it is installed: the same pages for a quarter of
the processor's time."""
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PHONE = {"width": 360, "height": 740}
CALM = {"locale": "en-GB", "reduced_motion": "reduce"}
"""A browser as it is opened where a test says nothing else: what it measures does not slide."""

NEEDS_CHROMIUM = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium-headless-shell is not installed"),
]
"""The marks of a test that opens a browser."""


@dataclass
class Running:
    """A companion that is open, as its one line of JSON tells it."""

    url: str
    pin: str
    links: dict[int, str]
    pid: int

    @classmethod
    def told(cls, pid: int, line: str) -> Self:
        """A process that has told its line."""
        data = json.loads(line)
        return cls(
            data["url"], data["pin"], {one["seat"]: one["link"] for one in data["seats"]}, pid
        )


def words_of(folder: Path, header: Mapping[str, Any] | None, more: Sequence[str] = ()) -> list[str]:
    """A companion with its data in this folder, with a race or with an empty table.

    `more` are other options of `companion race`.
    """
    words = ["race", "--data", str(folder / "data"), "--port", "0", "--host", "127.0.0.1", "--json"]
    words += ["--pace", "0.02", *more]
    if header is not None:
        (folder / "header.json").write_text(json.dumps(header))
        words += ["--new", str(folder / "header.json")]
    return words


def start(
    folder: Path, header: Mapping[str, Any] | None = None
) -> tuple[subprocess.Popen[str], Running]:
    """A companion with its data in this folder, with a race or with an empty table."""
    command = [sys.executable, "-m", "companion", *words_of(folder, header)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, Running.told(process.pid, process.stdout.readline())


def is_complaint(message: Any) -> bool:
    """A refused press and a lost connection stand in the console too; they are meant."""
    meant = "Failed to load resource" in message.text or "net::ERR" in message.text
    return message.type in ("error", "warning") and not meant


SOON_S = 3.0
"""After now: a clock cannot be stopped at a moment that has gone by meanwhile."""
SHOWS_NOTHING = "#link[data-state='waiting'], body[data-seat]:not([data-picture])"
"""A page that has not heard of the table yet, or a seat's that has no picture: what stands on it is
as it was sent, keys and all, and nothing of it works."""


def go_to(page: Page, address: str) -> None:
    """Open an address, and wait until it shows what the table tells."""
    page.goto(address)
    expect(page.locator(SHOWS_NOTHING)).to_have_count(0)


def stop_clock(page: Page) -> None:
    """Let a page's clock, which the test has set, stand still a moment from now."""
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + SOON_S)


FAR = {"X-Forwarded-For": "192.168.1.7"}
"""What a page's requests carry where it is not to be taken for one at the machine itself."""


def set_up(page: Page) -> None:
    """The lobby on the host's page, for the whole game; where nobody has joined yet, by its
    door."""
    expect(page.locator("#lobby-body > *").first).to_be_visible()
    door = page.get_by_role("button", name="First race")
    if door.is_visible():
        door.click()
        expect(page.get_by_role("radio", name="First race")).to_be_checked()
        page.get_by_role("radio", name="Full race").check()
        expect(page.get_by_role("radio", name="Full race")).to_be_checked()


def add(page: Page, what: str = "Add a player") -> None:
    """Somebody without a phone, or a bot, takes the next seat."""
    set_up(page)
    count = page.locator(".player").count()
    page.get_by_role("button", name="Add a person or a bot").click()
    page.get_by_role("button", name=what, exact=True).click()
    expect(page.locator(".player")).to_have_count(count + 1)


@contextmanager
def sheet(page: Page, name: str, *groups: str) -> Iterator[None]:
    """What is seldom set, with these groups of it open, until it is done."""
    set_up(page)
    page.locator("#lobby-body").get_by_role("button", name=re.compile(f"^{name}")).click()
    for group in groups:
        page.locator(".sheet summary").get_by_text(group).click()
    yield
    page.locator(".sheet[open]").get_by_role("button", name="Done").click()


def table_of(page: Page) -> Any:
    """What the table tells at the moment."""
    return page.evaluate("fetch('/api/table').then((reply) => reply.json())")


def press(seat: Page, button: int, *, hold_ms: int = 0) -> None:
    """One of the six keys of the view, as on a keyboard, whatever the page shows."""
    looks_at(seat)
    seat.keyboard.down(str(button))
    if hold_ms:
        seat.wait_for_timeout(hold_ms)
    seat.keyboard.up(str(button))


def touch(seat: Page, element: Locator, *, hold_ms: int = 0) -> None:
    """A thumb on an element."""
    element.scroll_into_view_if_needed()
    place = element.bounding_box()
    assert place is not None
    seat.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    seat.mouse.down()
    if hold_ms:
        seat.wait_for_timeout(hold_ms)
    seat.mouse.up()


def press_through(seat: Page, *buttons: int) -> None:
    """Press one key after the other, each on the picture that the one before has made."""
    for button in buttons:
        looks_at(seat)
        shown = number_of(seat)
        press(seat, button)
        expect(seat.locator("body")).not_to_have_attribute("data-picture", shown)


def give(seat: Page, answer: object) -> Locator:
    """What answers so on a phone: an element with the answer in it, as the engine takes it."""
    told = json.dumps(answer, separators=(",", ":"), ensure_ascii=False)
    return seat.locator(f"[data-answer='{told}']")


def number_of(seat: Page) -> str:
    """The number of the picture whose words a phone shows, once it shows one."""
    body = seat.locator("body")
    expect(body).to_have_attribute("data-picture", re.compile("[0-9]+"))
    return body.get_attribute("data-picture") or ""


IS_SHOWN = """async () => {
  const { seat } = document.body.dataset;
  if (!seat) {
    const told = await fetch("/api/table", { cache: "no-store" });
    return String((await told.json()).version) === document.body.dataset.version;
  }
  const headers = { Authorization: `Bearer ${localStorage.getItem(`token-${seat}`)}` };
  const told = await fetch(`/api/seat/${seat}/view`, { headers, cache: "no-store" });
  return String((await told.json()).picture) === document.body.dataset.picture;
}"""
"""Whether a phone's screen is the picture that the table has for its seat; of the table's own page,
whether it shows the latest version."""
PATIENCE = 400
"""Looks, 25 ms apart, before something is given up."""


def until(page: Page, what: Callable[[], Any], why: str) -> Any:
    """Look again and again until there is something; what there is. `why` says what is missing."""
    for _ in range(PATIENCE):
        if found := what():
            return found
        page.wait_for_timeout(25)
    raise AssertionError(f"{why}: {page.url} is asked {table_of(page)['asks']}")


def looks_at(page: Page) -> None:
    """Wait, as eyes do, until a phone or the table's page shows what there is now: a press that
    names an older picture is dropped, and an older key may mean something else."""
    until(page, lambda: page.evaluate(IS_SHOWN), "what is shown is old")


def is_answered(page: Page, version: int) -> None:
    """Wait until the table has taken something after this version, and a page shows it."""
    until(page, lambda: table_of(page)["version"] > version, f"version {version} is the latest")
    looks_at(page)
