"""The league in a real browser: charts, a race seen again, forms, the way from the table."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect
from support.browser.axe import violations
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running
from support.browser.tree import Tree
from support.leagues.records import do, keep, raced

from companion.league.league import League

from .conftest import NASTY, PIN, open_league, pages_of, served

pytestmark = NEEDS_CHROMIUM

OpenPage = Callable[..., Page]
HEADER = {
    "game": "formula-d",
    "track": "manege",
    "laps": 1,
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Bea"}],
    "grid": [2, 1],
    "start": "normal",
}


@pytest.fixture
def address(site: str) -> str:
    """The pages of the test's own league over HTTP."""
    return f"{site}/league"


def is_drawn(page: Page, chart: int) -> bool:
    """Whether a chart has come and has a size."""
    image = page.locator(".chart img").nth(chart)
    image.scroll_into_view_if_needed()
    expect(image).to_be_visible()
    return bool(image.evaluate("one => one.decode().then(() => one.naturalWidth > 100)"))


def scrolls_aside(page: Page) -> bool:
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def test_a_race_is_seen_again_step_by_step(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}/races/driven")
    expect(page.locator("#where")).to_contain_text(" of ")
    expect(page.locator("#told")).to_contain_text("The race is over")
    page.locator("#step").fill("4")
    expect(page.locator(".token")).to_have_count(3)
    before = page.locator("#where").inner_text()
    page.locator("h1").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#where")).not_to_have_text(before)
    page.locator("#play").click()
    expect(page.locator("#play")).to_have_text("Stop")
    assert is_drawn(page, 0)
    page.locator("summary", has_text="Gaps").click()
    assert is_drawn(page, 1)


PAINT = "(element) => getComputedStyle(element).getPropertyValue('--car-colour')"
WANTED = """(color) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--paint-${color}`)"""


def test_a_race_is_shown_in_the_colors_that_it_was_raced_in(
    tmp_path: Path, open_page: OpenPage
) -> None:
    colors = {1: "green", 2: "pink"}
    seats = [{"seat": n, "name": name, "color": colors[n]} for n, name in ((1, "Ana"), (2, "Bea"))]
    keep(tmp_path, raced("painted", ("Ana", "Bea"), seats=seats))
    with open_league(tmp_path) as league, served(league, pages_of(league)) as address:
        page = open_page(f"{address}/league/races/painted")
        expect(page.locator("#where")).to_contain_text(" of ")
        for seat, color in colors.items():
            car = page.locator(f".standings .car-picture.paint-{color}")
            expect(car).to_have_text(str(seat))
            assert car.evaluate(PAINT) == page.evaluate(WANTED, color)


def test_every_page_fits_a_phone(address: str, open_page: OpenPage) -> None:
    page = open_page(address, viewport=PHONE)
    paths = ("", "/races", "/races/driven", "/drivers", "/drivers/ana", "/boards")
    entries = "/seasons/winter/entries"
    changed = (entries, "/seasons/winter/organise", "/races/driven/amend", "/enter")
    for path in (*paths, *changed):
        page.goto(f"{address}{path}#pin={PIN}" if path in changed else address + path)
        if path in changed:  # its forms come with the key
            expect(page.locator("[data-keeper]:visible")).not_to_have_count(0)
        assert not scrolls_aside(page), path
    assert page.title().startswith("Enter")


def test_every_page_says_what_can_be_done_and_leads_on_by_keyboard(
    address: str, open_page: OpenPage
) -> None:
    """All that is there to be acted on has a name, and a link is followed by its key."""
    page = open_page(address)
    for path in ("", "/races", "/races/driven", "/drivers", "/drivers/ana", "/boards", "/enter"):
        page.goto(address + path)
        controls = Tree(page).controls()
        assert controls
        assert [one for one in controls if not one.name] == [], path
        assert violations(page) == [], path
    page.goto(address)
    page.get_by_role("link", name="Races").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{address}/races")


def test_a_race_is_entered_in_a_form_and_is_in_the_standings(
    address: str, league: League, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/enter")
    expect(page.locator("#forms")).to_be_hidden()
    page.locator("input[name=pin]").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    form = page.locator("form[data-form=race]")
    form.locator("[name=order]").fill(f"Eve\n{NASTY}\n")
    form.locator("[name=out]").fill("Ana: engine: it smoked")
    form.locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("in the league now")
    race = league.queries.races(season="winter")[-1]
    assert [(one.name, one.out) for one in race.entries] == [
        ("Eve", None),
        (NASTY, None),
        ("Ana", "engine: it smoked"),
    ]
    page.goto(f"{address}/seasons/winter")
    expect(page.locator(".standings").first).to_contain_text(NASTY)


def test_csv_a_penalty_and_a_wrong_pin(address: str, league: League, open_page: OpenPage) -> None:
    page = open_page(f"{address}/enter#pin={PIN}")
    csv = {"name": "x.csv", "mimeType": "text/csv", "buffer": b"date,driver\n2026-05-01,Dot\n"}
    page.locator("input[type=file]").set_input_files(csv)  # type: ignore[arg-type]
    page.locator("form[data-form=csv]").locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("in the league now")
    page.goto(f"{address}/races/driven/amend")
    page.get_by_text("A penalty", exact=True).click()
    form = page.locator("form[data-act=penalty]")
    form.locator("[name=driver]").select_option("Ana")
    form.locator("[name=places]").fill("1")
    form.locator("[name=reason]").fill("late")
    with page.expect_navigation():
        form.locator("button.go").click()
    assert league.queries.races(race="driven")[0].penalties[0].places == 1
    stranger = open_page(f"{address}/enter#pin=000000")
    stranger.locator("form[data-act=merge] [name=name]").select_option("Bea")
    expect(stranger.locator("#toast")).to_contain_text("PIN")
    expect(stranger.locator("#forms")).to_be_hidden()
    assert {"ana", "bea"} <= {one.key for one in league.queries.drivers()}


def test_a_race_that_counts_again_and_two_swapped_names_show_what_follows_first(
    address: str, league: League, open_page: OpenPage
) -> None:
    do(league, {"act": "strike", "race": "driven", "reason": "x"}, by="t")
    page = open_page(f"{address}/enter#pin={PIN}", viewport=PHONE, has_touch=True)
    page.goto(f"{address}/races/driven/amend")
    page.locator("summary", has_text="Let the race count again").tap()
    again = page.locator("form[data-act=restore]")
    expect(again.locator(".then li").first).to_be_visible()
    assert league.queries.races(race="driven")[0].struck is not None
    with page.expect_navigation():
        again.get_by_role("button").tap()
    assert league.queries.races(race="driven")[0].struck is None
    before = {one.place: one.name for one in league.queries.races(race="driven")[0].entries}
    page.goto(f"{address}/races/driven/amend")
    page.locator("#amend .who").first.tap()
    page.locator("dialog[open]").get_by_role("button", name=before[2], exact=True).tap()
    expect(page.locator("#then-what")).to_contain_text(f"{before[2]} instead of {before[1]}")
    expect(page.locator("#then .then li").first).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="Amend it").tap()
    after = {one.place: one.name for one in league.queries.races(race="driven")[0].entries}
    assert after == {**before, 1: before[2], 2: before[1]}


def test_the_three_things_of_friends_take_twelve_taps_at_most(
    address: str, league: League, open_page: OpenPage
) -> None:
    """A tap is a touch of a key or a field; what is typed into a field is one with it."""
    page = open_page(f"{address}/enter#pin={PIN}", viewport=PHONE, has_touch=True)
    page.goto(address)
    taps = {"evening": 0, "mend": 0, "spellings": 0}

    def tap(thing: str, what: Locator) -> Locator:
        taps[thing] += 1
        what.tap()
        return what

    tap("evening", page.get_by_role("link", name="Add an evening"))
    form = page.locator("form[data-form=race]")
    tap("evening", form.locator("[name=order]")).fill("1. Eve\n2. Anna")
    tap("evening", form.get_by_role("button", name="Add the race"))
    expect(page.locator("#toast")).to_contain_text("in the league now")
    page.goto(address)
    tap("mend", page.get_by_role("link", name="Mend a result"))
    tap("mend", page.locator("#amend .place").nth(1))
    tap("mend", page.locator("#places [data-to='1']"))
    expect(page.locator("#then .then li").first).to_be_visible()
    with page.expect_navigation():
        tap("mend", page.get_by_role("button", name="Amend it"))
    (latest, *_), _ = league.queries.latest()
    by_place = sorted(latest.entries, key=lambda one: one.place)
    assert [one.name for one in by_place] == ["Anna", "Eve"]
    page.goto(address)
    tap("spellings", page.get_by_role("link", name="Two spellings"))
    merge = page.locator("form[data-act=merge]")
    for field, name in (("name", "Anna"), ("into", "Ana")):
        merge.locator(f"[name={field}]").select_option(name)
        taps["spellings"] += 2  # the field, and a line of the list that opens
    with page.expect_navigation():
        tap("spellings", merge.locator("button.go"))
    expect(page.locator("#toast")).to_have_text("Anna and Ana are one person in the league now.")
    assert taps == {"evening": 3, "mend": 4, "spellings": 6}
    assert "anna" not in {one.key for one in league.queries.drivers()}


def test_no_page_of_the_league_is_longer_than_three_screens_or_asks_at_length(
    address: str, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/enter#pin={PIN}", viewport={"width": 390, "height": 844})
    told = {}
    shown = ("", "/races", "/races/driven", "/drivers", "/drivers/ana", "/boards", "/acts")
    entries = "/seasons/winter/entries"
    changed = ("/enter", "/races/driven/amend", "/seasons/winter/organise", entries)
    for path in (*shown, *changed):
        page.goto(address + path)
        expect(page.locator("h1")).to_be_visible()
        height = page.evaluate("document.documentElement.scrollHeight")
        forms = page.evaluate("[...document.forms].filter((one) => one.checkVisibility()).length")
        small = page.evaluate(
            """[...document.querySelectorAll("input, select, textarea")].filter((one) =>
            one.type !== "hidden" && parseFloat(getComputedStyle(one).fontSize) < 16)
            .map((one) => `${one.type} ${one.name}`).join()"""
        )
        told[path] = (height <= 3 * 844, forms <= 3, small)
    assert set(told.values()) == {(True, True, "")}, told


def test_nobody_is_forgotten_but_by_the_name_typed_twice(
    address: str, league: League, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/enter#pin={PIN}")
    for summary in ("Club", "Forget a person"):
        page.locator("summary", has_text=summary).first.click()
    form = page.locator("form[data-post$=forget]")
    form.locator("[name=driver]").fill("Bea")
    form.locator("[data-again]").fill("Be")
    form.locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("nothing was done")
    assert "bea" in {one.key for one in league.queries.drivers()}
    form.locator("[data-again]").fill("Bea")
    form.locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("forgotten")
    assert "bea" not in {one.key for one in league.queries.drivers()}


def test_a_browser_that_forbids_site_data_enters_a_race_all_the_same(
    address: str, league: League, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/races")
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage"])
        Object.defineProperty(window, name,
        { get() { throw new DOMException("denied", "SecurityError"); } })"""
    )
    page.goto(f"{address}/enter#pin={PIN}")
    form = page.locator("form[data-form=race]")
    form.locator("[name=order]").fill("Eve\nAna")
    form.locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("in the league now")
    assert len(league.queries.races(driver="eve")) == 1


def test_a_file_of_windows_is_shown_before_it_is_put_in_and_a_corrected_one_asks(
    address: str, league: League, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/enter#pin={PIN}")
    form = page.locator("form[data-form=csv]")

    def send(text: str, encoding: str) -> None:
        csv = {"name": "x.csv", "mimeType": "text/csv", "buffer": text.encode(encoding)}
        form.locator("[name=file]").set_input_files(csv)  # type: ignore[arg-type]
        form.locator("button.go").click()

    send("date,race,driver\n2026-05-01,Night,Zoé\n2026-05-01,Night,Bea\n", "cp1252")
    expect(form.locator("[data-look]")).to_contain_text("Zoé, Bea")
    assert len(league.queries.races()) == 2
    form.locator("button.go").click()
    expect(page.locator("#toast")).to_contain_text("in the league now: 1")
    assert league.queries.races(driver="zoé")
    send("date,race,driver\n2026-05-01,Night,Zoe\n2026-05-01,Night,Bea\n", "utf-8")
    expect(form.locator("[data-look]")).to_contain_text("Shall they be amended?")
    form.locator("button.go").click()
    expect(form.locator("[data-look]")).to_be_empty()
    assert [len(league.queries.races(driver=who)) for who in ("zoe", "zoé")] == [1, 0]


def test_a_finished_race_leads_from_the_table_into_the_league(
    run: Callable[[Any], Running], open_page: OpenPage
) -> None:
    running = run(HEADER)
    page = open_page(f"{running.url}/#pin={running.pin}")
    expect(page.locator("#in-league")).to_be_hidden()
    post = """([pin, path, line]) => fetch(path, {method: "POST", body: JSON.stringify(line),
        headers: {Authorization: `Bearer ${pin}`, "Content-Type": "application/json"}})
        .then((reply) => reply.status)"""
    # A race that nobody drove is in no league, and no way leads there.
    assert page.evaluate(post, [running.pin, "/api/referee/end", {}]) == 200
    expect(page.locator("#turn")).to_have_text("No race was driven")
    expect(page.locator("a[href^='/league/']:visible")).to_have_count(0)
    for path, line in (
        ("referee/undo", {"undo": 1}),
        ("seat/2/answer", {"gear": 1}),
        ("referee/end", {}),
    ):
        assert page.evaluate(post, [running.pin, f"/api/{path}", line]) == 200
    after = page.locator(".after")
    expect(after.locator("h2")).to_contain_text("Season 20")
    expect(after.locator("li").first).to_contain_text("+10")
    page.locator("#in-league a").click()
    expect(page.locator("h1")).to_have_text("Le Manège")
    expect(page.locator("main")).to_contain_text("Bea")


def test_a_wrong_pin_opens_no_form(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}/enter")
    page.locator("input[name=pin]").fill("000000")
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("#toast")).to_have_text("This is not the PIN.")
    expect(page.locator("#forms")).to_be_hidden()


def test_who_went_out_first_is_placed_last_as_the_form_says(
    address: str, league: League, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/enter")
    page.locator("input[name=pin]").fill(PIN)
    page.get_by_role("button", name="Unlock").click()
    form = page.locator("form[data-form=race]")
    form.locator("[name=order]").fill("Eve\n")
    form.locator("[name=out]").fill("Early: engine\nLate: body\n")
    form.locator("button").click()
    expect(page.locator("#toast")).to_contain_text("in the league")
    race = league.queries.races(driver="eve")[-1]
    assert [entry.name for entry in race.entries] == ["Eve", "Late", "Early"]


READ_AT_TOUCH = """void (window.told = new Promise((tell) => addEventListener("click", () => {
  tell([...document.querySelectorAll(".chart .u-series")].map((line) => line.innerText));
}, { once: true })))"""
"""The lines at the next touch: where there are no windows, the mouse goes home right after it."""


def test_a_chart_that_is_touched_tells_every_line_where_the_finger_is(
    address: str, open_page: OpenPage
) -> None:
    page = open_page(f"{address}/seasons/winter", viewport=PHONE, has_touch=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.locator(".chart picture").tap()
    over = page.locator(".chart .u-over")
    expect(over).to_be_visible()
    assert all(url.startswith(address.removesuffix("/league")) for url in asked)
    box = over.bounding_box()
    assert box is not None
    page.evaluate(READ_AT_TOUCH)
    page.touchscreen.tap(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    lines = page.evaluate("window.told")
    told = [page.locator(".standings").first.locator(part) for part in ("tbody th a", "td.total")]
    for name, total in zip(*(cells.all_inner_texts() for cells in told), strict=True):
        assert f"{name}{total}" in lines
    assert not scrolls_aside(page)


def test_a_result_on_a_phone_is_cards(address: str, open_page: OpenPage) -> None:
    page = open_page(f"{address}/races/driven", viewport=PHONE)
    table = page.locator(".standings")
    assert not table.evaluate("one => one.scrollWidth > one.parentElement.clientWidth")
    expect(table.locator("tbody tr").first).to_contain_text("Ana")
    expect(table.locator("tbody .fact").nth(1)).to_be_visible()


@pytest.mark.parametrize("page", ["races", "seasons/winter", "drivers", "drivers/ana"])
def test_no_list_is_cut_off_on_a_phone(address: str, open_page: OpenPage, page: str) -> None:
    shown = open_page(f"{address}/{page}", viewport={"width": 390, "height": 844})
    lists = shown.locator(".wide")
    expect(lists.first).to_be_visible()
    for one in lists.all():
        assert one.evaluate("one => one.scrollWidth <= one.clientWidth"), one.inner_text()
    expect(shown.locator(".wide tbody .fact").first).to_be_visible()
    assert not scrolls_aside(shown)
