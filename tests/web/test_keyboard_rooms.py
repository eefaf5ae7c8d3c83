"""Coming in, the television and Downforce through the accessibility tree and the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running, table_of
from support.browser.tree import Tree

pytestmark = [*NEEDS_CHROMIUM, pytest.mark.long]

TABS = 40
BIDS = 4
NAME = """() => {
    const one = document.activeElement;
    return one === document.body ? "" : (one.ariaLabel || one.textContent || one.name).trim();
}"""
DOWNFORCE: dict[str, Any] = {
    "game": "downforce",
    "track": None,
    "seats": [{"seat": seat, "name": name} for seat, name in enumerate(("Ana", "Bo"), 1)],
    "house": {"auction": "secret"},
}
CODE = """(pin) => fetch("/api/join", {headers: {Authorization: `Bearer ${pin}`}})
    .then((reply) => reply.json()).then((told) => told.link)"""


def tab_to(page: Page, name: str) -> None:
    """Tab until the focus is on what has this name."""
    for _ in range(TABS):
        page.keyboard.press("Tab")
        if page.evaluate(NAME).startswith(name):
            return
    raise AssertionError(f"Tab never comes to {name}")


def unnamed(tree: Tree) -> list[Any]:
    """What can be acted on and says not what it is."""
    return [one for one in tree.controls() if not one.name]


def answer(phone: Tree, table: Page, version: int) -> None:
    """The first key of each page that a phone shows, until the table has taken an answer."""
    for _ in range(TABS):
        title, controls = phone.look()
        assert title
        assert not unnamed(phone)
        keys = [one for one in controls if one.role == "button" and one.name[0] not in "‹↶☰"]
        if keys:
            phone.act(keys[0])
        phone.page.wait_for_timeout(100)
        if table_of(table)["version"] > version:
            return
    raise AssertionError(f"{title} cannot be answered: {keys}")


def test_somebody_comes_in_by_the_code_through_the_tree_and_sits_down(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    phone = Tree(open_page(table.evaluate(CODE, running.pin), viewport=PHONE))
    phone.write("textbox", "Your name", "Zoé")
    assert not unnamed(phone)
    assert violations(phone.page) == []
    phone.act(phone.find("radio", "pink"))
    phone.press("Take a seat")
    phone.until(lambda: phone.look()[0] == "Monaco, 1 lap" and phone.says("Zoé"))
    assert not unnamed(phone)
    (seat,) = table_of(table)["lobby"]["joined"]
    assert (seat["name"], table_of(table)["seats"][0]["color"]) == ("Zoé", "pink")


def test_the_television_is_worked_by_keyboard(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    tv = open_page(f"{run(DOWNFORCE).url}/tv", viewport={"width": 1920, "height": 1080})
    expect(tv.locator("#link")).to_have_attribute("data-state", "open")
    assert not unnamed(Tree(tv))
    sounds = tv.get_by_role("button", name="Sounds")
    expect(sounds).to_have_attribute("aria-pressed", "false")
    tab_to(tv, "Sounds")
    tv.keyboard.press("Space")
    expect(sounds).to_have_attribute("aria-pressed", "true")
    tab_to(tv, "The table")
    tv.keyboard.press("Enter")
    expect(tv).to_have_url(re.compile(r"[0-9]/$"))
    expect(tv.locator("#cars, #six")).not_to_have_count(0)


def test_an_auction_is_answered_through_the_tree_of_two_phones(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(DOWNFORCE)
    table = open_page(f"{running.url}/#pin={running.pin}")
    phones = {n: Tree(open_page(running.links[n], viewport=PHONE)) for n in (1, 2)}
    head, answered = {"Authorization": f"Bearer {running.pin}"}, []
    while len(answered) < BIDS:
        told = table_of(table)
        ask = told["asks"][0]
        if not ask["seat"]:  # what lies on the table is told by the host
            address = f"{running.url}/api/seat/0/answer"
            options = ask["options"]
            line = {ask["kind"]: options if ask["kind"] == "pole" else options[0]}
            assert table.request.post(address, headers=head, data=line).ok, ask
            continue
        answered.append((ask["kind"], ask["seat"]))
        answer(phones[ask["seat"]], table, told["version"])
    assert set(answered) == {("bid", 1), ("bid", 2)}
    for phone in phones.values():
        assert violations(phone.page) == []
