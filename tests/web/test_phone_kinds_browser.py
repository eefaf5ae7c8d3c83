"""Each kind of choice as a phone lays it out: forms, halves, keys of a keyboard, no storage."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from support.browser.axe import violations
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    give,
    is_answered,
    looks_at,
    table_of,
    until,
)

pytestmark = NEEDS_CHROMIUM

SHORT = {"width": 320, "height": 568}
TWO_LINES = 40
SEATS = [{"seat": 1, "name": "Marguerite"}, {"seat": 2, "name": "Oma Wilhelmine"}]
RACE: dict[str, Any] = {"game": "formula-d", "track": "monaco", "laps": 1, "seats": SEATS}
SEEN_ON_ROAD = """() => {
  const road = document.querySelector("#road").getBoundingClientRect();
  return [...document.querySelectorAll("#road .end")].filter((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return top >= road.top - 1 && bottom <= road.bottom + 1;
  }).map((one) => one.dataset.answer ?? one.querySelector("[data-answer]")?.dataset.answer);
}"""
BELOW = """() => [...document.querySelectorAll('.choices button')]
  .filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom
    > document.querySelector('.foot').getBoundingClientRect().top + 1).length"""


def is_sound(phone: Page) -> None:
    """Nothing to be answered below the lower edge, nothing too wide, no violation."""
    looks_at(phone)
    assert phone.evaluate(BELOW) == 0
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert violations(phone) == []


def test_a_car_is_built_on_sliders_with_their_sum(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"rules": ["build"], "grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT)
    sliders = phone.get_by_role("slider")
    expect(sliders).to_have_count(6)
    is_sound(phone)
    done = phone.get_by_role("button", name="Done")
    expect(done).to_be_enabled()
    tires, brakes = (phone.get_by_role("slider", name=name) for name in ("tires", "brakes"))
    tires.press("ArrowRight")
    expect(phone.locator(".sum")).to_have_text("1 too many")
    expect(done).to_be_disabled()
    brakes.press("ArrowLeft")
    expect(phone.locator(".sum")).to_have_text("all 20 points")
    before = table_of(phone)["version"]
    done.click()
    is_answered(phone, before)
    assert table_of(phone)["state"]["cars"]["1"]["wear"]["tires"] == 7


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_tires_are_chosen_by_what_each_kind_does_and_no_word_of_them_is_broken(
    run: Callable[..., Running], open_page: Callable[..., Page], language: str
) -> None:
    running = run(RACE | {"rules": ["tires"], "grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT, locale=language)
    for kind in ("hard", "soft", "rain"):
        expect(give(phone, {"tires": kind})).to_have_text(re.compile(r"\d.*\.$"))
    words = "[...document.querySelectorAll('.list b')].map((one) => one.offsetHeight)"
    assert max(phone.evaluate(words)) < TWO_LINES
    is_sound(phone)


def test_without_a_board_one_touch_tells_the_die_and_how_the_move_ended(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"track": None, "grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT)
    before = table_of(phone)["version"]
    give(phone, {"gear": 1}).click()
    is_answered(phone, before)
    expect(phone.locator("#question")).to_have_text("How did it go?")
    is_sound(phone)
    phone.get_by_role("button", name="Spaces braked").click()
    before = table_of(phone)["version"]
    phone.get_by_role("button", name="2, Stopped in a corner").click()
    is_answered(phone, before)
    state = table_of(phone)["state"]
    assert (state["turn"], state["cars"]["1"]["wear"]["brakes"]) == (2, 2)
    phone.get_by_role("button", name="Undo").click()
    # What was said of the way stays, whatever the die shows: only that was wrong.
    give(phone, [{"roll": 2}, {"report": {"corner": True, "brakes": 1}}]).wait_for()


@pytest.mark.parametrize("size", [PHONE, SHORT])
def test_a_count_of_a_report_stays_under_the_thumb_that_counts_on(
    run: Callable[..., Running], open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    """FD-CORNER-3: two stops missed put the car out, however many spaces it overshot by."""
    running = run(RACE | {"track": None, "grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=size)
    before = table_of(phone)["version"]
    give(phone, {"gear": 1}).click()
    is_answered(phone, before)
    for label in ("Spaces too far", "Spaces braked"):
        key = phone.locator(".report button", has_text=label)
        was = key.bounding_box()
        assert was
        for n in (1, 2):
            phone.mouse.click(was["x"] + was["width"] * 0.5, was["y"] + was["height"] * 0.7)
            expect(key).to_have_text(f"{label} {n}")
    straight = phone.get_by_role("button", name="2, On a straight")
    expect(straight).to_contain_text("+2")
    phone.get_by_role("button", name="More").click()
    phone.get_by_role("button", name="Two stops missed").click()
    expect(straight).to_contain_text("OUT")
    is_sound(phone)


def test_without_a_board_the_corner_that_a_move_may_have_ended_in_follows_what_was_braked(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """FD-BRAKE-1, FD-MOVE-5: both stops of Sebring's T2 made, a space into its 6 to 12."""
    cars = {"1": {"gear": 3, "lap": 1, "corner": "T2", "stops": 2, "depth": [1, 1]}}
    cars["2"] = {"gear": 2, "lap": 1}
    position = {"cars": cars, "order": [1, 2], "turn": 1, "round": 2}
    running = run(RACE | {"track": "sebring", "position": position})
    phone = open_page(running.links[1], viewport=SHORT)
    give(phone, {"gear": 4}).click()
    still, there = (phone.get_by_role("button", name=name) for name in ("Still in", "In the next"))
    expect(there).to_have_count(6)  # 7 to 12 of the die
    is_sound(phone)
    brakes = phone.get_by_role("button", name="Spaces braked")
    for _ in range(2):
        brakes.click()
    expect(there).to_have_count(5)
    expect(still).to_have_count(5)
    brakes.click()
    expect(there).to_have_count(4)
    is_sound(phone)
    less = phone.get_by_role("button", name="−", exact=True)
    less.click()
    expect(there).to_have_count(5)
    brakes.click()
    before = table_of(phone)["version"]
    there.first.click()
    is_answered(phone, before)
    state = table_of(phone)["state"]["cars"]["1"]
    assert (state["corner"], state["stops"], state["wear"]["brakes"]) == ("T3", 1, 0)


def test_a_report_after_a_die_that_was_thrown_is_sent_by_how_the_move_ended(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"track": None, "grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT)
    head = {"Authorization": f"Bearer {running.pin}"}
    for answer in ({"gear": 1}, {"roll": 2}):
        address = f"{running.url}/api/seat/1/answer"
        assert phone.request.post(address, headers=head, data=answer).ok
    expect(phone.locator("#question")).to_have_text("2 spaces: how did it end?")
    is_sound(phone)
    brakes = phone.get_by_role("button", name="Spaces braked")
    for _ in range(2):
        brakes.click()
    expect(brakes).to_have_text("Spaces braked 2")
    before = table_of(phone)["version"]
    give(phone, {"report": {"corner": True, "brakes": 2}}).click()
    is_answered(phone, before)
    assert table_of(phone)["state"]["cars"]["1"]["wear"]["brakes"] == 1


def test_digits_of_a_keyboard_press_the_six_keys_whatever_the_page_shows(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT)
    for kind in ("gear", "roll"):
        assert table_of(phone)["asks"][0]["kind"] == kind
        before = table_of(phone)["version"]
        phone.keyboard.press("1")
        is_answered(phone, before)
    assert table_of(phone)["asks"][0]["kind"] == "move"


PAD = """() => {
  const buttons = Array.from({ length: 6 }, () => ({ pressed: false }));
  navigator.getGamepads = () => [{ buttons }];
  window.dispatchEvent(new Event("gamepadconnected"));
  window.holds = (n, pressed) => { buttons[n].pressed = pressed; };
}"""


def test_the_first_button_of_a_game_controller_is_the_first_key(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT)
    expect(give(phone, {"gear": 1})).to_be_visible()
    phone.evaluate(PAD)
    before = table_of(phone)["version"]
    phone.evaluate("holds(0, true)")
    phone.wait_for_timeout(150)
    phone.evaluate("holds(0, false)")
    is_answered(phone, before)
    assert table_of(phone)["asks"][0]["kind"] == "roll"


def test_one_touch_is_die_and_end_and_one_undo_takes_both_back(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=SHORT)
    give(phone, {"gear": 1}).click()
    end = phone.locator(".end[data-answer]").first
    expect(end).to_be_visible()
    is_sound(phone)
    end.focus()
    before = table_of(phone)["version"]
    end.press("Enter")
    is_answered(phone, before)
    assert [ask["seat"] for ask in table_of(phone)["asks"]] == [2]
    phone.locator(".sheet .is-now").click()  # as long as it is asked there, no chip repeats it
    expect(phone.locator("#chip")).to_contain_text("your die")
    phone.locator("#undo").click()
    expect(phone.locator(".end").first).to_be_visible()
    assert table_of(phone)["asks"][0]["kind"] == "roll"


def test_a_dear_end_is_asked_once_more_in_its_words_by_keyboard_too(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    cars = {
        "1": {"space": "S1.m11", "gear": 5, "lap": 1, "wear": {"tires": 3}},
        "2": {"space": "S1.m8", "gear": 1},
    }
    running = run(RACE | {"laps": 2, "position": {"cars": cars}})
    phone = open_page(running.links[1], viewport=SHORT)
    give(phone, {"gear": 5}).click()
    out = phone.locator(".end-out").last
    out.focus()
    out.press("Enter")
    sheet = phone.locator(".sheet")
    expect(sheet).to_contain_text("This puts your car out")
    expect(sheet.get_by_role("button", name="Yes, I am out")).to_be_focused()
    assert violations(phone) == []
    phone.get_by_role("button", name="Not here").press("Enter")
    expect(sheet).to_be_hidden()
    expect(out).to_be_focused()
    out.press("Enter")
    sheet.get_by_role("button", name="Yes, I am out").press("Enter")
    expect(phone.locator("#question")).to_have_text("You are out.")
    assert table_of(phone)["state"]["cars"]["1"]["status"] == "out"


def test_whoever_is_out_by_the_die_is_asked_once_and_not_again_for_the_space(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    cars = {
        "1": {"space": "S1.m20", "gear": 5, "lap": 1, "wear": {"tires": 1, "brakes": 1}},
        "2": {"space": "S1.m8", "gear": 1},
    }
    running = run(RACE | {"laps": 2, "position": {"cars": cars}})
    phone = open_page(running.links[1], viewport=PHONE)
    give(phone, {"gear": 5}).click()
    phone.locator("#chip").click()  # the die first
    phone.locator("#choices [data-mark=out]").last.click()
    phone.locator(".sheet").get_by_role("button", name="Yes, I am out").click()
    expect(phone.locator(".end-out").first).to_be_visible()
    looks_at(phone)
    phone.locator("#ends button").first.click()
    expect(phone.locator("#question")).to_have_text("You are out.")


def test_once_the_die_is_told_the_cheapest_end_is_in_sight_on_the_road(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    cars = {
        "1": {"space": "S1.m20", "gear": 5, "lap": 1},
        "2": {"space": "S1.m8", "gear": 1},
    }
    running = run(RACE | {"rules": ["basic"], "position": {"cars": cars}})
    phone = open_page(running.links[1], viewport=SHORT)
    give(phone, {"gear": 5}).click()
    phone.locator("#chip").click()  # the die first
    give(phone, {"roll": 20}).click()
    list_of_ends = phone.locator("#ends button")
    expect(list_of_ends).not_to_have_count(0)
    cheapest = list_of_ends.first.get_attribute("data-answer")
    seen = phone.evaluate(SEEN_ON_ROAD)
    assert cheapest in seen
    assert len(seen) < list_of_ends.count(), "not all of them find room"


def test_a_space_that_is_touched_twice_at_once_is_no_fault_of_anybody(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"grid": [1, 2], "start": "normal"})
    phone = open_page(running.links[1], viewport=PHONE)
    give(phone, {"gear": 1}).click()
    end = phone.locator(".end").first
    end.wait_for()
    replies: list[int] = []
    phone.on("response", lambda one: "answer" in one.url and replies.append(one.status))
    end.evaluate("(one) => [1, 2].forEach(() => one.dispatchEvent(new Event('click')))")
    until(phone, lambda: len(replies) == 2, "it was not sent twice")
    looks_at(phone)
    assert sorted(replies) == [200, 409]
    phone.wait_for_timeout(300)  # it would be told by now
    assert phone.locator("#notice").is_hidden()


def test_no_gear_moves_under_a_finger_when_the_stream_comes_after_it(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(RACE | {"grid": [1, 2], "start": "normal"})
    phone = open_page("about:blank", viewport=SHORT)
    late: list[Route] = []
    phone.route("**/stream?*", lambda route: late.append(route))
    phone.goto(running.links[1])
    gear = give(phone, {"gear": 1})
    expect(gear).to_contain_text("%")
    shown = gear.bounding_box()
    until(phone, lambda: late, "the stream was not asked for")
    for route in late:
        route.continue_()
    expect(phone.locator("#link")).to_have_attribute("data-state", "open")
    assert gear.bounding_box() == shown


@pytest.mark.parametrize("store", ["localStorage", "sessionStorage"])
def test_a_browser_that_forbids_storage_plays_and_keeps_its_seat_over_a_reload(
    run: Callable[..., Running], open_page: Callable[..., Page], store: str
) -> None:
    running = run(RACE | {"grid": [1, 2], "start": "normal"})
    phone = open_page("about:blank", viewport=SHORT)
    phone.add_init_script(
        f"Object.defineProperty(window, '{store}', {{ get() {{ throw new DOMException('no'); }} }})"
    )
    phone.goto(running.links[1])
    give(phone, {"gear": 1}).click()
    expect(phone.locator(".end").first).to_be_visible()
    phone.reload()
    expect(phone.locator(".end").first).to_be_visible()


def test_the_lane_beside_the_road_says_that_it_is_the_pit(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    cars = {
        "1": {"space": "T10.r1", "gear": 3, "lap": 1, "stops": 1},
        "2": {"space": "S2.m3", "gear": 3, "lap": 1},
    }
    running = run(RACE | {"laps": 2, "position": {"cars": cars}})
    phone = open_page(running.links[1], viewport=SHORT)
    give(phone, {"gear": 3}).click()
    expect(phone.locator("#road .pit")).to_have_text("pit")
    narrow = phone.locator("#road .end-costly", has_text="−1").first
    sign, face = (narrow.locator(one).bounding_box() for one in (".sign", ".face"))
    assert sign is not None
    assert face is not None
    assert sign["y"] + sign["height"] / 2 < face["y"], "a price and a die are not read as one"
