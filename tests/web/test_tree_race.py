"""A whole race through Chromium's accessibility tree alone, from the lobby to the rematch."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running
from support.browser.tree import Node, Tree

pytestmark = NEEDS_CHROMIUM

MOST_ANSWERS = 200
SURE = re.compile("It stands here|Yes, I")
OTHERS = ("Undo", "Menu", "↶", "☰")


def price(node: Node) -> int:
    """What an end costs, as its name says."""
    if "free" in node.name:
        return 0
    return 100 if "out" in node.name.lower() else sum(map(int, re.findall("−([0-9]+)", node.name)))


def safe_gear(tree: Tree, keys: list[Node]) -> Node:
    """The highest gear that may not run over the next corner, by what the phone says of it:
    "Gear 2, 2–4 · …"."""
    told = re.search(r"([0-9]+) spaces? away · ([0-9]+) to", " ".join(tree.texts()))
    room = int(told[1]) + int(told[2]) if told else 4
    gears = [one for one in keys if one.name.startswith("Gear ")]
    fit = [one for one in gears if int(re.findall("[0-9]+", one.name)[2]) < room]
    return max(fit or gears[:1], key=lambda one: int(one.name[len("Gear ")]))


def look(tree: Tree) -> tuple[str, list[Node]]:
    """What a phone asks and offers beside undo and menu; nothing there is without a name."""
    title, controls = tree.look()
    unnamed = [one for one in controls if not one.name]
    assert not unnamed, f"{title}: {unnamed}"
    keys = [one for one in controls if one.role == "button"]
    return title, [one for one in keys if not one.name.startswith((*OTHERS, "FD-"))]


def ends_of(keys: list[Node]) -> list[Node]:
    """The ends on the road, told from the keys by what their names say."""
    return [one for one in keys if ", " in one.name and not SURE.search(one.name)]


def pays(tree: Tree) -> Node | None:
    """The key that says once more that the car stands there, where that is dear."""
    return next((one for one in look(tree)[1] if SURE.search(one.name)), None)


def answer(tree: Tree, dice: Random) -> bool:
    """Do what the heading asks for, and listen until it asks something else; whether it asked."""
    title, keys = asked = look(tree)
    if not keys or "?" not in title or "next?" in title:
        return False
    if title.startswith("Which gear"):
        tree.act(safe_gear(tree, keys))
    elif "end?" in title:
        tree.act(min(ends_of(keys), key=price))
        here = tree.until(lambda: pays(tree) or look(tree)[0] != title)
        if isinstance(here, Node):
            tree.act(here)
    else:
        tree.act(dice.choice(keys))
    for _ in range(
        60
    ):  # a press on a page that has just changed is dropped: then it is pressed again
        if look(tree) != asked:
            break
        tree.page.wait_for_timeout(20)
    return True


@pytest.mark.long
def test_a_whole_race_through_the_accessibility_tree_alone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = Tree(open_page(f"{running.url}/#pin={running.pin}"))
    phones = [Tree(open_page(running.links[seat], viewport=PHONE)) for seat in (1, 2)]
    for phone, name in zip(phones, ("Ana", "Béla"), strict=True):
        phone.press("Join")
        phone.write("textbox", "Your name", name)
        phone.press("Save")
        phone.until(lambda its=phone, who=name: its.says(who))  # type: ignore[misc]
    table.press("Track and laps")
    table.turn_to("Track", "Le Manège", "ArrowUp")
    table.write("spinbutton", "Laps", "1")
    table.until(lambda: table.find("spinbutton", "Laps").value == "1")
    table.press("Done")
    table.press("Start the race")

    dice = Random(3)

    def goes_on() -> str:
        if sum(answer(phone, dice) for phone in phones):
            return "answered"
        return "home" if table.says("CLASSIFICATION") else ""

    for _ in range(MOST_ANSWERS):
        if table.until(goes_on) == "home":
            break
    told = " ".join(table.texts())
    assert "Ana" in told
    assert "Béla" in told
    table.press("Rematch")
    for phone in phones:
        phone.until(lambda its=phone: "black die" in its.look()[0])  # type: ignore[misc]
