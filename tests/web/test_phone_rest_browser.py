"""A phone that is not asked: what is around its car, large; and how the race ended."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, Running, give, table_of

pytestmark = NEEDS_CHROMIUM

NAMES = ("Marguerite", "Jean-Baptiste", "Chloé", "Oma Wilhelmine")
FOUR: dict[str, Any] = {
    "game": "formula-d",
    "track": "monaco",
    "rules": ["tires"],
    "seats": [{"seat": n, "name": name, "tires": "hard"} for n, name in enumerate(NAMES, 1)],
    "position": {
        "cars": {
            str(n): {"space": f"S1.m{14 - 3 * n}", "gear": 3, "lap": 1, "wear": {"tires": 4}}
            for n in range(1, 5)
        }
    },
}
LONG = {"width": 390, "height": 844}
SHORT = {"width": 320, "height": 640}
FILLED = """() => {
    const top = document.querySelector(".seat-bar").getBoundingClientRect().bottom;
    const foot = document.querySelector(".foot").getBoundingClientRect().top;
    const all = [...document.querySelectorAll("#told, #around, #wear")];
    const lowest = Math.max(...all.map((one) => one.getBoundingClientRect().bottom));
    return [(lowest - top) / (foot - top), lowest <= foot];
}"""
UNNAMED = """() => [...document.querySelectorAll("button")]
    .filter((one) => one.checkVisibility() && one.ariaHidden !== "true")
    .filter((one) => !one.textContent.trim() && !one.ariaLabel).length"""


@pytest.mark.parametrize(("language", "size"), [("en-GB", LONG), ("de-DE", LONG), ("fr-FR", SHORT)])
def test_a_phone_off_turn_is_filled_with_what_matters(
    run: Callable[..., Running], open_page: Callable[..., Page], language: str, size: dict[str, int]
) -> None:
    running = run(FOUR)
    phone = open_page(running.links[3], viewport=size, locale=language)
    expect(phone.locator(".is-waiting #around .card")).to_have_count(2)
    expect(phone.locator("#around .near li")).to_have_count(2)
    expect(phone.locator("#wear li")).to_have_count(6)
    expect(phone.locator("#around .stop")).to_have_count(1)
    for word in ("Sainte-Dévote", "Jean-Baptiste", "Oma Wilhelmine"):
        expect(phone.locator("#around")).to_contain_text(word)
    expect(phone.locator("#question")).to_contain_text("Marguerite")
    share, is_whole = phone.evaluate(FILLED)
    assert share >= 0.7
    assert is_whole, "nothing below the edge"
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(phone) == []


@pytest.mark.parametrize("size", [(667, 375), (740, 360), (844, 390)])
def test_a_phone_on_its_side_has_the_early_gear_in_sight(
    run: Callable[..., Running], open_page: Callable[..., Page], size: tuple[int, int]
) -> None:
    phone = open_page(run(FOUR).links[2], viewport={"width": size[0], "height": size[1]})
    gear = phone.get_by_role("button", name="Gear 3")
    expect(gear).to_be_visible()
    lowest, foot = (place.bounding_box() for place in (gear, phone.locator(".foot")))
    assert lowest is not None
    assert foot is not None
    assert lowest["y"] + lowest["height"] <= foot["y"]


def test_no_key_without_a_meaning_is_read_out_or_reached_by_tab(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    phone = open_page(run(FOUR).links[1], viewport=LONG)
    says = "Gear 1, 1–2 · −1 gearbox · holds 100 %"
    expect(give(phone, {"gear": 1})).to_have_accessible_name(says)
    assert phone.evaluate(UNNAMED) == 0
    seen = phone.locator("button:visible:not([aria-hidden])")
    expect(phone.get_by_role("button")).to_have_count(seen.count())
    assert violations(phone) == []


def test_a_phone_shows_winner_podium_and_reasons_and_races_again(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(FOUR)
    phone = open_page(running.links[3])
    head = {"Authorization": f"Bearer {running.pin}"}
    for word, body in (("retire", {"seat": 2}), ("end", {})):
        reply = phone.request.post(f"{running.url}/api/referee/{word}", headers=head, data=body)
        assert reply.ok
    expect(phone.locator("#question")).to_have_text("Marguerite wins!")
    expect(phone.locator("#finish .podium .step")).to_have_count(3)
    rows = phone.locator(":not(.after) > .homes > .home")
    expect(rows).to_have_count(4)
    expect(rows.last).to_contain_text("Jean-Baptiste")
    expect(rows.last).to_contain_text("retired")
    expect(phone.locator("#finish .is-mine")).to_contain_text("Chloé")
    for size in (LONG, SHORT):
        phone.set_viewport_size(size)  # type: ignore[arg-type]
        assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(phone) == []
    first = table_of(phone)["id"]
    phone.get_by_role("button", name="Rematch").click()
    expect(phone.locator("#finish")).to_be_hidden()
    assert table_of(phone)["id"] != first
    assert table_of(phone)["state"]["phase"] != "finished"


def at_the_end(
    run: Callable[..., Running], open_page: Callable[..., Page], place: str
) -> tuple[Running, Page]:
    """A race that the referee has ended, on the phone of a seat or on the page of the table."""
    running = run(FOUR)
    phone = open_page(running.links[1] if place == "seat" else f"{running.url}/#pin={running.pin}")
    head = {"Authorization": f"Bearer {running.pin}"}
    assert phone.request.post(f"{running.url}/api/referee/end", headers=head, data={}).ok
    return running, phone


@pytest.mark.parametrize("place", ["seat", "page"])
def test_of_two_who_press_rematch_together_neither_is_told_of_a_fault(
    run: Callable[..., Running], open_page: Callable[..., Page], place: str
) -> None:
    running, phone = at_the_end(run, open_page, place)
    head = {"Authorization": f"Bearer {running.pin}"}

    def after_another(route: Route) -> None:
        url = f"{running.url}/api/table"
        assert phone.request.post(url, headers=head, data={"table": "rematch"}).ok
        route.continue_()

    phone.route("**/api/table", after_another)
    with phone.expect_response("**/api/table") as refused:
        phone.get_by_role("button", name="Rematch").click()
    assert refused.value.status == 409
    expect(phone.locator("#finish, #result")).to_be_hidden()
    phone.unroute("**/api/table")
    # One reply later: the page has read the refusal.
    phone.evaluate("fetch('/api/table').then((reply) => reply.text())")
    assert phone.locator("#notice, #toast").is_hidden()  # asked once: it would go by itself


def test_why_an_answer_stays_is_said_once_on_the_phone_that_takes_it_back(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(FOUR)
    phone = open_page(running.links[1])
    expect(phone.locator("#question")).to_contain_text("gear")

    def answers(seat: int, **line: Any) -> Any:
        key = {"Authorization": f"Bearer {running.links[seat].partition('#')[2]}"}
        url = f"{running.url}/api/seat/{seat}/answer"
        reply = phone.request.post(url, headers=key, data=line)
        assert reply.ok
        return reply.json()["asks"]

    def after_another(route: Route) -> None:
        answers(2, gear=3)
        route.continue_()

    answers(1, gear=3)
    (asked,) = answers(1, roll=4)
    answers(1, move={"to": asked["options"][0]["to"], "brakes": 0})
    expect(phone.locator("#undo")).to_be_enabled()
    expect(phone.locator("#question")).to_contain_text("Jean-Baptiste")
    phone.route("**/press", after_another)
    phone.locator("#undo").click()
    expect(phone.locator("body.is-refused")).to_have_count(1)
    why = phone.get_by_text("Others have gone on. Only the referee can undo it.")
    assert why.count() == 1  # asked once: a notice would go by itself


@pytest.mark.parametrize("place", ["seat", "page"])
def test_after_a_race_track_or_people_are_changed_by_one_touch_and_no_name_is_typed_again(
    run: Callable[..., Running], open_page: Callable[..., Page], place: str
) -> None:
    _, phone = at_the_end(run, open_page, place)
    phone.get_by_role("button", name=re.compile("Change (track or people|the race)")).click()
    for name in NAMES:
        expect(phone.get_by_text(name).locator("visible=true").first).to_be_visible()
    phone.get_by_role("button", name="Start the race").click()
    expect(phone.get_by_role("button", name="Start the race")).to_be_hidden()
    race = table_of(phone)["race"]
    assert [seat["name"] for seat in race["seats"]] == [*NAMES]
    assert race["rules"] == ["tires"]


def test_a_press_that_the_table_had_no_room_for_is_told_on_the_phone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    phone = open_page(run(FOUR).links[1])
    busy = {"ok": False, "error": {"code": "storage", "key": "busy", "message": "later"}}
    phone.route("**/press", lambda route: route.fulfill(status=503, json=busy))
    phone.locator("#menu").click()
    expect(phone.locator("#notice")).to_have_text("later")
