"""Two seats and the table's page side by side in a real browser, on a real table."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import partial
from itertools import chain, repeat
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, Route, expect
from support.browser.chromium import (
    FAR,
    NEEDS_CHROMIUM,
    PHONE,
    Running,
    add,
    go_to,
    looks_at,
    number_of,
    press,
    press_through,
    sheet,
    table_of,
    until,
)

pytestmark = NEEDS_CHROMIUM

HELD_MS = 650
"""A key that is down for 600 is held."""

HEADER = {
    "game": "formula-d",
    "track": "monaco",
    "laps": 1,
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "<b>Béla</b>"}],
    "grid": [1, 2],
    "start": "normal",
}


VIEW = """async () => {
  const headers = { Authorization: `Bearer ${localStorage.getItem("token-1")}` };
  return (await fetch("/api/seat/1/view", { headers })).json();
}"""


def answer_by_buttons(seat: Page, table: Page) -> None:
    """Touch the first answer that can be seen, and say yes where it is asked once more."""
    before = table_of(table)["version"]
    while table_of(table)["version"] == before:
        looks_at(seat)
        answer = seat.locator("#choices button:visible, #road .end").first
        if answer.get_attribute("aria-haspopup"):
            answer.click()
            answer = seat.locator("#sheet .go")
        with seat.expect_response(re.compile("/(answer|press)$")):
            answer.click()


def test_two_phones_race_and_the_table_shows_it(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    table = open_page(running.url)
    phones = {seat: open_page(running.links[seat], viewport=PHONE) for seat in (1, 2)}
    for phone in phones.values():
        expect(phone.locator("#link")).to_have_text("live")
        assert "#" not in phone.url, "the token does not stay in the address"
    expect(table.locator(".token")).to_have_count(2)
    expect(table.locator("#turn")).to_have_text("Ana plays")
    cars = [table.locator(f".token[data-seat='{seat}']") for seat in phones]
    began = [car.get_attribute("style") or "" for car in cars]

    while table_of(table)["state"]["round"] < 2:
        asked = table_of(table)["asks"][0]["seat"]
        answer_by_buttons(phones[asked], table)

    for car, style in zip(cars, began, strict=True):
        expect(car).not_to_have_attribute("style", style)
    for name in ("<b>Béla</b>", "Ana"):  # a name stays text
        expect(table.locator(".driver").get_by_text(name, exact=True)).to_be_visible()
    expect(table.locator(".log li").first).to_be_visible()
    expect(table.locator(".log [data-rule^='FD-']").nth(3)).to_be_attached()


def test_a_held_button_opens_the_menu_on_this_phone_alone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    one, two = (open_page(running.links[seat], viewport=PHONE) for seat in (1, 2))
    press_through(one, 1)
    expect(one.locator("#question")).to_have_text("Where did your car end?")
    looks_at(two)
    before = number_of(two)
    one.keyboard.down("6")
    one.wait_for_timeout(HELD_MS)
    one.keyboard.up("6")
    expect(one.locator("#question")).to_have_text("Menu")
    assert number_of(two) == before


def test_undo_and_menu_are_buttons(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    phone = open_page(run(HEADER).links[1], viewport=PHONE)
    expect(phone.locator("#undo")).to_be_disabled()
    press_through(phone, 1)
    phone.locator("#menu").click()
    expect(phone.locator("#question")).to_have_text("Menu")
    phone.locator("#undo").click()
    expect(phone.locator("#question")).to_have_text("Where did your car end?")
    phone.locator("#undo").click()
    expect(phone.locator("#question")).to_contain_text("gear")


def test_a_phone_is_named_by_the_keyboard_in_its_hand(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    phone = open_page(running.links[2], viewport=PHONE, locale="fr-FR")
    expect(phone.locator("[data-button='1'] b")).to_have_text("Participer")
    press_through(phone, 1)
    phone.get_by_label("Votre nom").fill("Zoé")
    phone.get_by_role("button", name="Enregistrer").click()
    expect(phone.locator("#name")).to_have_text("Zoé")
    expect(table.locator(".player")).to_contain_text("Zoé")
    told = table_of(table)["seats"]
    assert next(seat["language"] for seat in told if seat["seat"] == 2) == "fr"


def test_keys_are_alive_while_a_phones_language_is_on_its_way(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    phone = open_page("about:blank", viewport=PHONE, locale="fr-FR")
    kept: list[Route] = []
    phone.route("**/api/table", lambda route: kept.append(route))  # its language is not heard yet
    phone.goto(running.links[1])
    press_through(phone, 1)
    assert [route.request.post_data_json["table"] for route in kept] == ["language"]
    kept[0].continue_()
    expect(phone.locator("#question")).to_contain_text("votre voiture")


FOLLOWED = "document.cookie = 'lang=fr; path=/'; sessionStorage.setItem('follows', 'fr')"


def test_a_phone_that_has_followed_its_seat_too_late_does_not_turn_its_language_back(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    phone = open_page(run(HEADER).links[1], viewport=PHONE, locale="de-DE")
    phone.evaluate(FOLLOWED)  # another phone has made it German since
    phone.reload()
    expect(phone.locator("html")).to_have_attribute("lang", "de")
    looks_at(phone)
    assert [seat["language"] for seat in table_of(phone)["seats"] if seat["seat"] == 1] == ["de"]


def test_a_phone_without_its_token_only_watches(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    phone = open_page(f"{running.url}/seat/1", viewport=PHONE, locale="fr-FR")
    expect(phone.locator("#notice")).to_contain_text("QR")
    expect(phone.locator("[data-answer]")).to_have_count(0)
    expect(phone.locator(".foot button:disabled")).to_have_count(2)
    expect(phone.locator("html")).to_have_attribute("lang", "fr")


def test_a_lost_connection_is_shown_and_comes_back(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    table = open_page(running.url)
    table.context.set_offline(True)
    table.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(table.locator("#link")).to_have_attribute("data-state", "lost")
    table.context.set_offline(False)
    expect(table.locator("#link")).to_have_attribute("data-state", "open", timeout=15_000)


CONTROLS = 12
"""As many as a host has to look through before the first roll."""


def in_sight(page: Page) -> int:
    """The controls that can be seen."""
    return len(
        [one for one in page.locator("a, button, input, select, summary").all() if one.is_visible()]
    )


MOST_TO_THE_FIRST_ROLL = 12


def test_from_nothing_to_the_first_roll_of_four_phones_takes_few_touches(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """What is typed in the terminal is one line; a code that is scanned is a touch, too."""
    running, touches = run(), 0
    host = open_page(f"{running.url}/#pin={running.pin}", viewport={"width": 1280, "height": 720})
    expect(host.get_by_role("button", name="First race")).to_be_visible()
    assert in_sight(host) <= CONTROLS
    key = {"Authorization": f"Bearer {running.pin}"}
    link = host.request.get(f"{running.url}/api/join", headers=key).json()["link"]
    phones = []
    for name in ("Ana", "Béla", "Cleo", "Dora"):
        phone = open_page(link, viewport={"width": 320, "height": 568})
        expect(phone.get_by_label("Your name")).to_be_focused()
        phone.keyboard.type(name)
        phone.get_by_role("button", name="Take a seat").click()
        touches += 2
        phone.wait_for_url("**/seat/*")
        looks_at(phone)
        phones.append(phone)
    expect(host.locator(".player")).to_have_count(4)
    assert in_sight(host) <= CONTROLS
    expect(phones[3].locator(".near li")).to_have_text(["1Ana", "2Béla", "3Cleo", "4Dora"])
    start = phones[0].get_by_role("button", name="Start the race")
    expect(start).to_be_in_viewport(ratio=1)
    looks_at(phones[0])
    start.click()
    touches += 1
    expect(phones[0].locator("#choices .die").first).to_be_visible()
    assert {ask["kind"] for ask in table_of(host)["asks"]} == {"black"}, "the first roll"
    assert touches <= MOST_TO_THE_FIRST_ROLL, touches
    assert in_sight(host) <= CONTROLS


def test_a_page_that_is_drawn_anew_before_the_letters_have_come_shows_them_too(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    here = open_page("about:blank")
    held: list[Route] = []
    here.route("**/api/join", lambda route: held.append(route))
    here.goto(f"{running.url}/#pin={running.pin}")
    expect(here.locator(".letters")).to_have_count(1)
    looks_at(here)
    key = {"Authorization": f"Bearer {running.pin}"}
    joined = here.request.post(f"{running.url}/api/join", headers=key, data={"name": "Zoé"})
    assert joined.ok, joined.text()
    expect(here.locator(".player")).to_contain_text("Zoé")
    for route in held:
        route.continue_()
    expect(here.locator(".letters b")).to_have_count(4)
    assert here.locator("img.join-code").get_attribute("src")


@pytest.mark.parametrize("first", [0, 1])
def test_at_the_machine_the_letters_stand_there_whichever_script_learns_first_that_it_is(
    first: int, run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    here = open_page("about:blank")
    held: list[Route] = []
    hold = chain([held.append] * 2, repeat(Route.continue_))
    here.route("**/api/join", lambda route: next(hold)(route))
    here.goto(run().url)
    expect(here.locator(".thing-name")).not_to_have_count(0)
    until(here, lambda: len(held) == 2, "the page and the lobby, which comes later, both ask")
    held.pop(first).continue_()
    expect(here.locator(".letters b")).to_have_count(4)
    held.pop().continue_()
    looks_at(here)
    expect(here.locator(".letters b")).to_have_count(4)


def test_an_empty_table_offers_three_things_and_the_way_in(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    here = open_page(running.url)
    expect(here.locator(".letters b")).to_have_count(4)  # at the machine itself without a PIN
    far = open_page("about:blank")
    far.set_extra_http_headers(FAR)
    go_to(far, running.url)
    expect(far.locator("#lobby")).to_contain_text("type the four letters")
    expect(far.locator("img.join-code")).to_have_count(0)
    for page in (here, far):
        assert in_sight(page) <= CONTROLS
        for name in ("First race", "Watch a demo", "Our league"):
            expect(page.locator(".thing-name", has_text=name)).to_be_visible()
    letters = "".join(here.locator(".letters b").all_inner_texts())
    far.get_by_role("link", name="First race").click()
    far.get_by_label("The four letters").fill("IIII")
    far.get_by_role("button", name="Continue").click()
    expect(far.locator("#toast")).to_have_text("Not these four letters. Look at the television.")
    far.get_by_label("The four letters").fill(letters.lower())
    far.get_by_role("button", name="Continue").click()
    far.get_by_label("Your name").fill("Zoé")
    far.get_by_role("button", name="Take a seat").click()
    far.wait_for_url("**/seat/1")
    expect(here.locator(".player")).to_contain_text("Zoé")
    expect(here.get_by_role("button", name="Start")).to_be_enabled()


def test_anybody_watches_a_race_of_bots_and_makes_room_for_people(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    page = open_page("about:blank")
    page.set_extra_http_headers(FAR)
    go_to(page, run().url)
    page.get_by_role("button", name="Watch a demo").click()
    expect(page.locator("#log")).to_contain_text("rolls")
    page.get_by_role("button", name="End the demo").click()
    page.locator(".things").get_by_role("button", name="Race against bots").click()
    page.wait_for_url("**/seat/1")
    assert len(table_of(page)["lobby"]["bots"]) == 3


def test_a_race_is_set_up_wholly_from_the_page(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    phone = open_page(running.links[3], viewport=PHONE)
    add(table)
    press(phone, 1)
    expect(table.locator(".player")).to_have_count(2)
    expect(table.locator("img.join-code")).to_have_attribute("src", re.compile("^data:image/svg"))
    expect(table.locator(".letters b")).to_have_count(4)
    with sheet(table, "Change"):
        name = table.get_by_label("Name, Seat 1")
        name.fill("Zoé")
        name.press("Tab")
        expect(table.get_by_label("Name, Seat 3")).to_be_visible()
        table.get_by_text("A code for each seat").click()
        expect(table.locator(".code img[src^='data:image/svg']").nth(5)).to_be_visible()
    with sheet(table, "Track and laps"):
        table.get_by_label("Laps", exact=True).fill("3")
        table.get_by_label("Laps", exact=True).press("Tab")
    with sheet(table, "House rules", "Start and time trials"):
        table.get_by_label("Grid", exact=True).select_option("seats")
        expect(table.get_by_text("Who joined first has pole. No rolls.")).to_be_visible()
        table.get_by_label("Start", exact=True).select_option("normal")
        expect(table.get_by_text("Every car gets away. No start rolls.")).to_be_visible()
    expect(table.get_by_role("button", name="House rules")).to_contain_text("2 changed")
    expect(table.get_by_role("button", name="Track and laps")).to_contain_text("Monaco, 3 laps")
    assert in_sight(table) <= CONTROLS
    table.get_by_role("button", name="Start the race").click()
    expect(table.locator("#turn")).to_have_text("Zoé plays")
    expect(table.locator("#facts")).to_contain_text("of 3")
    expect(table.locator(".token")).to_have_count(2)
    assert running.pin not in table.url


def test_weather_tires_and_teams_are_set_up_and_answered_on_the_page(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    for _ in (1, 2):
        add(table)
    with sheet(table, "House rules", "Rules of the box"):
        for rule in ("Weather", "Tires", "Teams"):
            table.get_by_role("checkbox", name=rule, exact=True).click()
            expect(table.get_by_role("checkbox", name=rule, exact=True)).to_be_checked()
        expect(table.get_by_text("Two cars make a team")).to_be_visible()
        table.get_by_role("searchbox").fill("overshoot in the rain")
        expect(table.locator(".sheet-rules select:visible")).to_have_count(1)
        table.get_by_role("searchbox").fill("")
    expect(table.locator("#lobby")).to_contain_text("guest 1 has no team yet.")
    table.get_by_role("button", name="Start the race").click()
    expect(table.locator("#toast")).to_have_text("guest 1 has no team yet.")
    with sheet(table, "Change"):
        for seat in (1, 2):
            table.get_by_label(f"Team, Seat {seat}").select_option("red")
            expect(table.get_by_label(f"Team, Seat {seat}")).to_have_value("red")
        table.get_by_label("Tires at the start, Seat 2").select_option("rain")
    expect(table.locator(".off")).not_to_contain_text("no team")
    with sheet(table, "House rules", "Start and time trials"):
        table.get_by_label("Grid", exact=True).select_option("seats")
        table.get_by_label("Start", exact=True).select_option("normal")
    table.get_by_role("button", name="Start the race").click()
    expect(table.locator("#asks")).to_contain_text("the table: black die for the weather")

    table.get_by_role("button", name="Referee").click()
    panel = table.locator("#referee")
    panel.get_by_role("button", name="1–7 Rain").click()
    expect(table.locator("#facts")).to_contain_text("Rain")
    panel.get_by_role("button", name="soft tires").click()
    expect(table.locator("#asks")).to_contain_text("guest 1: which gear?")
    state = table_of(table)["state"]
    assert [state["cars"][seat]["tires"] for seat in ("1", "2")] == ["soft", "rain"]
    assert [team["team"] for team in state["teams"]] == ["red"]


def test_the_watch_of_a_trial_runs_on_the_page_and_on_the_phone_of_the_one_who_drives(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    header = {key: value for key, value in HEADER.items() if key != "grid"}
    running = run({**header, "rules": ["trials"]})
    table = open_page(running.url, is_clock_set=True)
    phone = open_page(running.links[1], viewport=PHONE)
    expect(table.locator("#watch")).to_be_hidden()
    press_through(phone, 1)
    expect(table.locator("#watch")).to_have_text("0:00")
    before = phone.locator("#question").text_content()
    for second in ("0:01", "0:02"):
        table.clock.run_for(1_000)
        expect(table.locator("#watch")).to_have_text(second)
    expect(phone.locator("#question")).not_to_have_text(before or "")  # a second of the table
    late = open_page(running.url)
    expect(late.locator("#watch")).to_have_text(re.compile("0:0[1-9]"))


def test_the_referee_builds_a_car_for_a_seat(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run({**HEADER, "rules": ["build"]})
    table = open_page(f"{running.url}/#pin={running.pin}")
    table.get_by_role("button", name="Referee").click()
    row = table.locator("#referee .answer-row").first
    row.get_by_label("tires").fill("7")
    expect(row.get_by_role("button", name="Answer")).to_be_disabled()
    row.get_by_label("body").fill("2")
    expect(row.get_by_text("points left: 0")).to_be_visible()
    row.get_by_role("button", name="Answer").click()
    expect(table.locator("#referee .answer-row")).to_have_count(1)
    table.locator("#referee .answer-row").get_by_role("button", name="Answer").click()
    expect(table.locator("#turn")).to_have_text("Ana plays")
    cars = table_of(table)["state"]["cars"]
    assert [cars[seat]["wear"]["tires"] for seat in ("1", "2")] == [7, 6]


def test_a_race_is_set_up_wholly_from_two_phones(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table = open_page(running.url)
    host, guest = (open_page(running.links[seat], viewport=PHONE) for seat in (4, 2))
    press(host, 1)
    expect(table.locator(".player")).to_have_count(1)
    press(guest, 1)
    expect(table.locator(".player")).to_have_count(2)
    press_through(host, 1, 1, 1)  # me, name: the guest of this seat
    expect(table.locator("#lobby")).to_contain_text("guest 4")
    press_through(host, 2, 1)  # track: the first of the list
    expect(table.locator("#lobby")).to_contain_text("Budapest (Hungaroring)")
    press_through(host, 3, 1)  # laps: one
    expect(table.locator("#lobby")).to_contain_text("1 lap")
    press(host, 5)
    expect(table.locator("#turn")).to_have_text("Roll the black die")
    expect(table.locator("#race-name")).to_have_text("Budapest (Hungaroring)")
    expect(table.locator("#asks li")).to_have_count(2)
    expect(table.locator("#board svg")).to_be_visible()


def test_the_referee_answers_undoes_corrects_and_ends(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    table = open_page(running.url, extra_http_headers=FAR)
    table.get_by_role("button", name="Referee").click()
    table.get_by_label("PIN").fill(running.pin)
    table.get_by_role("button", name="Unlock").click()
    panel = table.locator("#referee")
    panel.locator(".choices button", has_text="1").first.click()
    expect(table.locator("#asks")).to_contain_text("what does the die show?")
    panel.get_by_role("button", name="Preview").click()
    expect(panel.locator("[role=status]")).to_contain_text("which gear?")
    panel.get_by_role("button", name="Take 1 back").click()
    expect(table.locator("#asks")).to_contain_text("which gear?")
    panel.get_by_label("Value").fill("2")
    panel.get_by_label("Reason").last.fill("misread")
    panel.get_by_role("button", name="Correct a figure").click()
    expect(table.locator(".car-1 .wear").first).to_have_attribute("aria-label", "tires: 2 of 6")
    end, sure = (
        panel.get_by_role("button", name="End the race now"),
        panel.get_by_text("End the race?"),
    )
    end.click()
    expect(panel.get_by_role("button", name="Cancel")).to_be_in_viewport()
    panel.get_by_role("button", name="Pause").click()
    expect(table.locator("#turn")).to_have_text("Paused")
    expect(sure).to_be_visible()  # drawn anew by what has come, the panel asks still
    panel.get_by_role("button", name="Cancel").click()
    expect(sure).to_have_count(0)
    panel.get_by_role("button", name="Resume").click()
    expect(panel.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    end.click()
    expect(sure).to_be_visible()
    end.click()
    expect(table.locator("#result-title")).to_be_visible()
    expect(table.locator(":not(.after) > .homes > .home")).to_have_count(2)


WHOLE = """() => [...document.querySelectorAll("h1")].every((one) =>
  one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1)"""


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "fr-FR"])
def test_a_page_says_what_it_is_in_full_on_a_small_phone(
    run: Callable[..., Running], open_page: Callable[..., Page], language: str
) -> None:
    running = run()
    for width in (320, 360):
        size = {"width": width, "height": 568}
        page = open_page(f"{running.url}/#pin={running.pin}", viewport=size, locale=language)
        for path in ("", "join", "learn"):
            page.goto(f"{running.url}/{path}")
            expect(page.locator("h1").first).to_be_visible()
            assert page.evaluate(WHOLE), (width, path, page.locator("h1").first.text_content())


def test_the_panel_of_the_referee_stays_where_it_was_read(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    table = open_page(f"{running.url}/#pin={running.pin}", viewport=PHONE)
    table.get_by_role("button", name="Referee").click()
    panel = table.locator("#referee")
    panel.get_by_role("button", name="Pause").click()
    expect(panel.get_by_role("button", name="Pause", exact=True)).to_have_count(0)
    end = panel.get_by_role("button", name="End the race now")
    expect(end).to_be_in_viewport()
    end.click()
    expect(panel.get_by_role("button", name="Cancel")).to_be_in_viewport()
    expect(panel.get_by_role("button", name="Cancel")).to_be_focused()


def test_the_last_one_running_is_not_ended_by_one_touch(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    table = open_page(f"{running.url}/#pin={running.pin}", viewport=PHONE)
    head = {"Authorization": f"Bearer {running.pin}"}
    retired = f"{running.url}/api/referee/retire"
    assert table.request.post(retired, headers=head, data={"seat": 2}).ok
    last = table.locator(".last")
    for _ in range(2):
        last.get_by_role("button", name="End the race now").click()
        expect(last).to_contain_text("End the race?")
        last.get_by_role("button", name="Cancel").click()
        expect(last).to_contain_text("is the last one running")
    assert table_of(table)["state"]["phase"] == "race"
    last.get_by_role("button", name="End the race now").click()
    last.get_by_role("button", name="End the race now").click()
    expect(table.locator("#result-title")).to_be_visible()


def test_the_referees_button_works_before_the_table_has_been_heard(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    held: list[Route] = []
    table = open_page("about:blank")
    table.route("**/api/stream?changes", lambda route: held.append(route))
    table.goto(f"{(running := run(HEADER)).url}/#pin={running.pin}")
    table.get_by_role("button", name="Referee").click()
    expect(table.locator("#open-referee")).to_have_attribute("aria-expanded", "true")
    held[0].continue_()
    expect(table.locator("#referee .choices button").first).to_be_visible()


def test_the_referee_amends_an_answer_after_seeing_what_comes_of_it(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    table = open_page(f"{(running := run(HEADER)).url}/#pin={running.pin}")
    table.get_by_role("button", name="Referee").click()
    panel = table.locator("#referee")
    panel.locator(".choices button", has_text="1").first.click()
    expect(table.locator("#asks")).to_contain_text("what does the die show?")
    panel.locator(".choices button", has_text="1").first.click()
    expect(table.locator("#asks")).to_contain_text("where did the car end?")
    panel.locator(".choices button").first.click()
    expect(table.locator("#turn")).to_have_text("<b>Béla</b> plays")
    panel.get_by_text("Amend an answer").click()
    rows = panel.locator(".given li")
    expect(rows).to_have_count(3)
    expect(rows.nth(1)).to_contain_text("Ana: what does the die show? 1 · by the referee")
    rows.nth(1).get_by_role("button").click()
    panel.locator(".amend .choices button", has_text="2").click()
    expect(panel.locator(".amend [role=status]")).to_contain_text("no longer hold: 1")
    expect(table.locator("#turn")).to_have_text("<b>Béla</b> plays")
    panel.get_by_role("button", name="Amend", exact=True).click()
    expect(table.locator("#turn")).to_have_text("Ana plays")
    expect(table.locator("#asks")).to_contain_text("where did the car end?")
    faces = [e for e in table_of(table)["story"] if e["en"].startswith("Ana rolls")]
    assert faces[-1]["en"] == "Ana rolls 2."
    panel.get_by_role("button", name="Roll again").click()
    expect(table.locator("#asks")).to_contain_text("what does the die show?")


def test_a_dead_seat_is_told_to_all_and_its_code_shown_where_the_pin_is(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER)
    for address, codes in ((running.url, 0), (f"{running.url}/#pin={running.pin}", 1)):
        page = open_page("about:blank")
        page.set_extra_http_headers(FAR)
        with urlopen(f"{running.url}/api/table") as reply:
            told = json.loads(reply.read())
        assert [seat["alive"] for seat in told["seats"]] == [True, True]
        told["seats"][1] |= {"alive": False, "trouble": {"en": "pod: no answer"}}
        event = f"event: table\ndata: {json.dumps(told)}\n\n"
        answer = partial(Route.fulfill, body=event, content_type="text/event-stream")
        page.route("**/api/stream?changes", lambda route, _, answer=answer: answer(route))
        page.goto(address)
        expect(page.locator("#dead")).to_contain_text("<b>Béla</b> cannot be reached")
        expect(page.locator("#dead .why")).to_contain_text("pod: no answer")
        expect(page.locator("#dead img[src^='data:image/svg']")).to_have_count(codes)
        expect(page.locator("#dead a")).to_have_count(codes)


def test_a_wrong_pin_opens_nothing(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    table = open_page(run(HEADER).url, extra_http_headers=FAR)
    table.get_by_role("button", name="Referee").click()
    table.get_by_label("PIN").fill("0000")
    table.get_by_role("button", name="Unlock").click()
    expect(table.locator("#toast")).to_have_text("This is not the PIN.")
    expect(table.get_by_label("PIN")).to_be_visible()


def test_the_result_tells_teams_and_why_a_car_is_out(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    seats = [{"seat": n, "name": f"P{n}", "team": ("red", "blue")[n > 2]} for n in range(1, 5)]
    cars = {
        str(n): {"space": f"S1.{lane}5", "gear": 1, "lap": 1} for n, lane in enumerate("lmr", 1)
    } | {"4": {"space": "S1.m7", "gear": 1, "lap": 1}}
    running = run({**HEADER, "seats": seats, "rules": ["teams"], "grid": [1, 2, 3, 4],
                   "position": {"cars": cars}})  # fmt: skip
    table = open_page(f"{running.url}/#pin={running.pin}")
    expect(table.locator(".car.car-2 .chips")).to_contain_text("red")
    for word, body in (("retire", {"seat": 2, "reason": "a train"}), ("end", {})):
        status = table.evaluate(
            """([word, body, pin]) => fetch(`/api/referee/${word}`, {method: "POST",
            headers: {"Content-Type": "application/json", Authorization: `Bearer ${pin}`},
            body: JSON.stringify(body)}).then((reply) => reply.status)""",
            [word, body, running.pin],
        )
        assert status == 200
    expect(table.locator("#turn")).to_have_text("P4 wins!")
    expect(table.locator(".result .home.is-out")).to_contain_text("out · retired")
    expect(table.locator(".result .teams .home")).to_have_count(2)
    teams = table.locator(".result .teams .home").all_inner_texts()
    assert [row.split("\n")[:3] for row in teams] == [
        ["1", "blue", "P3, P4"],
        ["2", "red", "P1, P2"],
    ]


def test_a_board_says_its_signs_and_numbered_corners_in_the_language_of_the_page(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    drivers = [{"seat": 1, "driver": "Jack Owens"}, {"seat": 2, "driver": "Diane Montfort"}]
    town = {**HEADER, "track": "port-lanterne", "rules": ["urban"], "seats": drivers}
    running = run(town)
    table = open_page(running.url, locale="fr-FR")
    signs = ["zone bruyante", "case sombre : débris", "poste de police", "tunnel"]
    expect(table.locator(".sign")).to_have_text(signs)
    expect(table.locator(".car.car-1")).to_contain_text("Jack Owens")
    status = table.evaluate(
        """([header, pin]) => fetch("/api/table", {method: "POST", headers:
        {"Content-Type": "application/json", Authorization: `Bearer ${pin}`},
        body: JSON.stringify({new: header})}).then((reply) => reply.status)""",
        [{**HEADER, "track": "monza"}, running.pin],
    )
    assert status == 200
    expect(table.locator(".corner-name").first).to_contain_text("Virage")
    expect(table.locator(".sign")).to_have_count(0)


def test_the_way_that_was_meant_is_drawn_beside_the_nearest_legal_one(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """FD-WHY-1: a zigzag, with the step that breaks."""
    pending = [{"step": "move", "seat": 1, "spaces": 4, "how": []}, {"step": "end", "seat": 1}]
    cars = {
        "1": {"space": "S2.m5", "gear": 2, "lap": 1, "wear": {"brakes": 0}},
        "2": {"space": "S6.m1", "gear": 2, "lap": 1},
    }
    position = {"cars": cars, "order": [1, 2], "turn": 1, "round": 3, "pending": pending}
    phone = open_page(run({**HEADER, "position": position}).links[1], viewport=PHONE)
    looks_at(phone)
    ids = phone.evaluate(CELLS)
    phone.locator(".cell").nth(ids.index("S2.m8")).click(force=True)
    expect(phone.locator("#sheet [data-rule='FD-MOVE-2']")).to_have_text("why?")
    expect(phone.locator(".way")).to_have_count(2)
    expect(phone.locator(".broken")).to_have_count(1)
    assert phone.evaluate(ENDS_ON_GHOST) < 3, "px from the car that was put there"
    for one in (".ghost", ".broken"):  # neither lies behind the sheet
        expect(phone.locator(one)).to_be_in_viewport()


ENDS_ON_GHOST = """() => {
  const end = [...document.querySelector(".way.meant").points].at(-1);
  const { e, f } = document.querySelector(".ghost").transform.baseVal.consolidate().matrix;
  return Math.hypot(end.x - e, end.y - f);
}"""

CELLS = """async () => {
  const seat = document.body.dataset.seat;
  const headers = { Authorization: `Bearer ${localStorage.getItem(`token-${seat}`)}` };
  const view = await (await fetch(`/api/seat/${seat}/view`, { headers })).json();
  return view.map.cells.map(([id]) => id);
}"""


def test_the_page_draws_the_number_of_the_key_on_each_end_and_the_ghost_of_a_place(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(HEADER, more=("--seats", "2 wired simulated"))
    table, phone = open_page(running.url), open_page(running.links[1], viewport=PHONE)
    press_through(phone, 1, 1)
    expect(table.locator(".keycap").first).to_be_visible()
    keyed = [str(one["button"]) for one in table_of(table)["keyed"]]
    expect(table.locator(".keycap text")).to_have_count(len(keyed))
    assert sorted(table.locator(".keycap text").all_text_contents()) == sorted(keyed)
    keys = [one["label"] for one in phone.evaluate(VIEW)["keys"]]
    press_through(phone, keys.index("more") + 1)
    phone.locator("#choices").get_by_role("button", name="other").click()
    phone.locator("#choices").get_by_role("button", name="left").click()
    expect(table.locator(".keyghost")).to_have_count(1)
    expect(phone.locator(".ghost-place .token")).to_have_count(1)


def test_a_lobby_of_downforce_offers_none_of_the_three_ways_to_race_formula_d(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page(f"{running.url}/#pin={running.pin}", viewport={"width": 360, "height": 740})
    key = {"Authorization": f"Bearer {running.pin}"}

    def say(**word: object) -> None:
        assert page.request.post(f"{running.url}/api/table", headers=key, data=word).ok

    say(table="join", seat=1, value="Ana")
    expect(page.get_by_role("radio", name="First race")).to_be_visible()
    say(table="game", value="downforce")
    expect(page.get_by_role("radio")).to_have_count(0)
    expect(page.locator("#lobby")).to_contain_text("Downforce")
    page.get_by_role("button", name="Track and laps").click()
    page.get_by_label("Game").select_option("formula-d")
    expect(page.get_by_role("radio", name="Full race")).to_be_attached()
