"""Powers and a circuit that are not in the box, typed on the page of the lobby."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect
from support.browser.chromium import (
    NEEDS_CHROMIUM,
    Running,
    add,
    sheet,
    table_of,
)

pytestmark = NEEDS_CHROMIUM

LATE = """{
  const fetched = fetch;
  window.fetch = async (...asked) => {
    const reply = await fetched(...asked);
    await new Promise((done) => setTimeout(done, 500));
    return reply;
  };
}"""
"""On a page: what is posted is answered after its news have come."""


def with_box_open(run: Callable[..., Running], open_page: Callable[..., Page]) -> Page:
    """A lobby of Downforce, with somebody in it and the rules of the box open."""
    running = run()
    table = open_page(f"{running.url}/#pin={running.pin}")
    add(table)
    with sheet(table, "Track and laps"):
        table.locator("select", has_text="Downforce").select_option("downforce")
        expect(table.locator(".settings").get_by_text("Track")).to_have_count(0)
    table.get_by_role("button", name="House rules").click()
    table.get_by_text("Rules of the box").click()
    return table


def test_the_lobby_and_the_television_count_the_players_that_the_game_takes(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table, tv = open_page(f"{running.url}/#pin={running.pin}"), open_page(f"{running.url}/tv")
    add(table)
    head, free = table.locator(".players-head small"), tv.locator(".people .free")
    expect(head).to_have_text(" 1 of 10")
    with sheet(table, "Track and laps"):
        table.locator("select", has_text="Downforce").select_option("downforce")
    expect(head).to_have_text(" 1 of 6")
    expect(free).to_have_text("5 cars free")
    for _ in range(4):
        add(table)
    expect(free).to_have_text("1 cars free")
    widths = tv.locator(".people li").evaluate_all("(all) => all.map((one) => one.offsetWidth)")
    assert max(widths) - min(widths) <= 1, "a place as the others"
    add(table)
    expect(head).to_have_text(" 6 of 6")
    expect(tv.locator(".people li")).to_have_count(6)
    expect(free).to_have_count(0)
    expect(table.get_by_role("button", name="Add a person or a bot")).to_have_count(0)


def test_own_powers_are_typed_a_line_each_and_what_is_refused_stays_to_be_mended(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    table = with_box_open(run, open_page)
    rules, powers = (
        table.get_by_role("button", name="House rules"),
        table.get_by_label("Own powers"),
    )
    powers.fill("daring – a card twice\ndaring")
    powers.blur()
    expect(table.get_by_text("Two powers have one name.")).to_be_visible()
    table.get_by_role("button", name="Done").click()
    add(table)
    rules.click()
    expect(powers).to_have_value("daring – a card twice\ndaring")
    powers.fill("daring – a card - once - twice\n\n  Thrifty: pays 1 less \nplain-speaking")
    table.get_by_text("How it is played").click()
    circuit = table.get_by_role("combobox", name="Circuit", exact=True)
    assert circuit.get_attribute("list") == "known-circuit"
    circuit.fill("Old Harbour")
    circuit.blur()
    expect(table.get_by_text("The league counts by circuit.")).to_be_visible()
    expect(powers).to_have_value(
        "daring – a card - once - twice\nThrifty – pays 1 less\nplain-speaking"
    )
    assert table_of(table)["lobby"]["powers"] == [
        {"name": "daring", "reminder": "a card - once - twice"},
        {"name": "Thrifty", "reminder": "pays 1 less"},
        {"name": "plain-speaking", "reminder": ""},
    ]
    table.get_by_role("button", name="Done").click()
    table.get_by_role("button", name="Start").click()
    expect(table.get_by_text("The cars go to the grid")).to_be_visible()
    race = table_of(table)["race"]
    assert (race["circuit"], len(race["powers"])) == ("Old Harbour", 3)


def test_own_powers_are_shown_as_the_table_reads_them_when_the_news_comes_before_the_reply(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    table = with_box_open(run, open_page)
    powers = table.get_by_label("Own powers")
    table.evaluate(LATE)
    powers.fill("  Thrifty: pays 1 less ")
    powers.blur()
    expect(powers).to_have_value("Thrifty – pays 1 less")


def test_a_tap_that_has_begun_is_not_lost_when_somebody_else_changes_the_lobby(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table, other = (open_page(f"{running.url}/#pin={running.pin}") for _ in range(2))
    add(table)
    table.get_by_role("button", name="House rules").click()
    settings = table.locator("summary", has_text="Driving")
    settings.hover()
    table.mouse.down()
    add(other)
    table.wait_for_timeout(400)  # the news is there by then, as it is on the other page
    table.mouse.up()
    expect(settings.locator("xpath=..")).to_have_attribute("open", "")
    expect(table.locator(".player")).to_have_count(2)


def test_a_field_keeps_what_is_selected_and_typed_when_somebody_else_changes_the_lobby(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table, other = (open_page(f"{running.url}/#pin={running.pin}") for _ in range(2))
    for _ in (1, 2):
        add(table)
    table.get_by_role("button", name="Track and laps").click()
    laps = table.get_by_label("Laps", exact=True)
    laps.select_text()
    add(other)
    expect(table.locator(".player")).to_have_count(3)
    table.keyboard.type("1")
    add(other)
    table.wait_for_timeout(400)  # the news is there by then, as it is on the other page
    expect(laps).to_have_value("1")
    table.keyboard.type("0")
    table.keyboard.press("Tab")
    expect(other.locator(".set")).to_contain_text("10 laps")
    expect(table.locator(".player")).to_have_count(4)
    table.get_by_role("button", name="Done").click()
    table.get_by_role("button", name="Change").click()
    name = table.get_by_label("Name, Seat 1")
    before = name.input_value()
    name.focus()
    table.keyboard.press("Home")
    table.keyboard.press("ArrowRight")
    add(other)
    expect(table.locator(".driver-row")).to_have_count(5)
    table.keyboard.type("-")
    expect(name).to_have_value(f"{before[:1]}-{before[1:]}")


CLICKS_LATE = """void setTimeout(() => {
  const end = performance.now() + 800;
  while (performance.now() < end);
  document.querySelector(".group summary").click();
}, 50)"""
"""A click on a page that was busy: what somebody else has changed meanwhile waits behind it."""


def test_a_fold_that_is_opened_just_as_somebody_else_changes_the_lobby_stays_open(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    table, other = (open_page(f"{running.url}/#pin={running.pin}") for _ in range(2))
    add(other)
    table.get_by_role("button", name="House rules").click()
    table.evaluate(CLICKS_LATE)
    add(other)
    expect(table.locator(".player")).to_have_count(2)
    expect(table.locator("details.group").first).to_have_attribute("open", "")
    expect(table.get_by_role("checkbox", name="Time trials")).to_be_visible()
