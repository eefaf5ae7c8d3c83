"""The television: read across the room, ten cars without scrolling, in both themes."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from support.browser.axe import violations
from support.browser.chromium import (
    FAR,
    NEEDS_CHROMIUM,
    Running,
    go_to,
    looks_at,
    table_of,
)

pytestmark = NEEDS_CHROMIUM

NAMES = ("Marguerite", "Jean-Baptiste", "Chloé", "Dad", "Émile", "Oma Wilhelmine", "Freya", "Zoé",
         "Konstantin", "Ana")  # fmt: skip
FULL_HD = {"width": 1920, "height": 1080}
TEN: dict[str, Any] = {
    "game": "formula-d",
    "track": "monaco",
    "rules": ["tires"],
    "seats": [{"seat": n, "name": name, "tires": "hard"} for n, name in enumerate(NAMES, 1)],
    "position": {
        "cars": {
            str(n): {"space": f"S1.{'lmr'[n % 3]}{1 + n // 3}", "gear": 3, "lap": 1,
                     "wear": {"brakes": n % 3}}
            for n in range(1, 11)
        }
    },
}  # fmt: skip
BOXES = """(all) => all.map((one) => {
    const {left, top, right, bottom, width, height} = one.getBoundingClientRect();
    return {left, top, right, bottom, width, height, text: one.textContent,
            font: parseFloat(getComputedStyle(one).fontSize),
            isCut: one.scrollWidth > one.clientWidth + 1};
})"""


def boxes(page: Page, selector: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.locator(selector).evaluate_all(BOXES)
    assert found, selector
    return found


def give(page: Page, running: Running, seat: int, **answer: object) -> None:
    give_all(page, running, seat, answer)


def give_all(page: Page, running: Running, seat: int, answer: object) -> None:
    status = page.evaluate(
        """([seat, answer, pin]) => fetch(`/api/seat/${seat}/answer`, {method: "POST",
        headers: {"Content-Type": "application/json", Authorization: `Bearer ${pin}`},
        body: JSON.stringify(answer)}).then((reply) => reply.status)""",
        [seat, answer, running.pin],
    )
    assert status == 200


def referee(page: Page, running: Running, word: str, body: dict[str, object]) -> None:
    status = page.evaluate(
        """([word, body, pin]) => fetch(`/api/referee/${word}`, {method: "POST",
        headers: {"Content-Type": "application/json", Authorization: `Bearer ${pin}`},
        body: JSON.stringify(body)}).then((reply) => reply.status)""",
        [word, body, running.pin],
    )
    assert status == 200


BARE = """(size) => {
    const ground = getComputedStyle(document.body).backgroundColor;
    const none = "rgba(0, 0, 0, 0)";
    const isDrawn = (one) => {
        for (let at = one; at && at !== document.body; at = at.parentElement) {
            if (at.closest("svg, img, button, input")) return true;
            const {backgroundColor, backgroundImage} = getComputedStyle(at);
            if (backgroundImage !== "none") return true;
            if (![none, ground].includes(backgroundColor)) return true;
        }
        return false;
    };
    let [bare, all] = [0, 0];
    for (let y = size / 2; y < innerHeight; y += size) {
        for (let x = size / 2; x < innerWidth; x += size) {
            all += 1;
            bare += isDrawn(document.elementFromPoint(x, y)) ? 0 : 1;
        }
    }
    return bare / all;
}"""
"""The part of a screen's tiles whose middle shows only ground; cards and the road do not count."""
TILE_PX, MOST_BARE = 24, 0.25


@pytest.mark.parametrize("size", [FULL_HD, {"width": 1280, "height": 720}], ids=["1080p", "720p"])
def test_of_an_empty_lobby_and_of_a_race_no_more_than_a_quarter_is_bare(
    run: Callable[..., Running], open_page: Callable[..., Page], size: dict[str, int]
) -> None:
    running = run()
    tv = open_page(f"{running.url}/tv#pin={running.pin}", viewport=size)
    expect(tv.locator(".free")).to_be_visible()
    assert tv.evaluate(BARE, TILE_PX) <= MOST_BARE
    host = {"Authorization": f"Bearer {running.pin}"}
    tv.request.post(f"{running.url}/api/join", data={"name": "Ana"}, headers=host)
    expect(tv.locator(".people li")).to_have_count(2)
    assert tv.evaluate(BARE, TILE_PX) <= MOST_BARE
    assert boxes(tv, ".free")[0]["bottom"] <= boxes(tv, ".waits-for")[0]["top"]


def test_ten_cars_are_read_across_the_room(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TEN)
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD)
    expect(tv.locator(".row")).to_have_count(10)
    expect(tv.locator(".token")).to_have_count(10)
    first = table_of(tv)["asks"][0]["seat"]
    give(tv, running, first, gear=3)
    expect(tv.locator("#call")).to_have_text("roll the red die (4–8)")
    expect(tv.locator("#who")).to_have_text(NAMES[first - 1])
    assert boxes(tv, "#who")[0]["font"] >= 64
    assert not boxes(tv, "#who")[0]["isCut"]

    assert tv.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert tv.evaluate("document.documentElement.scrollWidth <= innerWidth")
    rows = boxes(tv, ".row")
    assert max(row["bottom"] for row in rows) <= FULL_HD["height"]
    assert len({row["left"] for row in rows}) == 1, "one column"
    names = boxes(tv, ".row .name")
    assert min(name["font"] for name in names) >= 32
    assert not [name["text"] for name in names if name["isCut"]]
    assert boxes(tv, "#banner")[0]["height"] == 168
    assert boxes(tv, "#story")[0]["font"] >= 38
    expect(tv.locator(".worst").first).to_contain_text("brakes")


def test_nothing_cuts_the_hook_of_a_j_or_the_foot_of_a_g(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    names = ("Jörg", "Jay", "Jean-Guy", "Gigi", "Peggy", "Bjørg", "Fang", "Julia", "Jago", "Yng")
    seats = [{"seat": n, "name": name} for n, name in enumerate(names, 1)]
    bare = {"game": "formula-d", "track": "monaco", "start": "normal"}
    running = run({**bare, "seats": seats, "grid": [*range(1, 11)]})
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD)
    expect(tv.locator(".row .worst").last).to_have_text("on the grid")
    expect(tv.locator("#who")).to_have_text("Jörg")
    parts = [tv.locator(part) for part in ("#tower", ".banner .said")]
    before = [part.screenshot() for part in parts]
    tv.evaluate("""() => document.querySelectorAll(".row .name, .row .worst, .said, .said strong")
        .forEach((one) => { one.style.overflow = "visible"; })""")
    after = [part.screenshot() for part in parts]
    assert [one == was for one, was in zip(after, before, strict=True)] == [True, True]


@pytest.mark.parametrize("track", ["monaco", None])
def test_on_the_grid_of_three_no_more_than_a_quarter_is_bare(
    run: Callable[..., Running], open_page: Callable[..., Page], track: str | None
) -> None:
    names = ("Oma Wilhelmine", "Jean-Baptiste", "Jörg")
    seats = [{"seat": n, "name": name} for n, name in enumerate(names, 1)]
    running = run(
        {"game": "formula-d", "track": track, "start": "normal", "seats": seats, "grid": [1, 2, 3]}
    )
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD)
    expect(tv.locator(".row .worst").last).to_have_text("on the grid")
    expect(tv.locator(".token")).to_have_count(3 if track else 0)
    assert tv.evaluate(BARE, TILE_PX) <= MOST_BARE
    assert not [one["text"] for one in boxes(tv, ".row .name") if one["isCut"]]
    assert max(one["bottom"] for one in boxes(tv, ".row")) <= boxes(tv, ".strip")[0]["top"]


def test_the_window_follows_the_car_that_moves_and_the_whole_circuit_is_an_inset(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    tv = open_page(f"{run(TEN).url}/tv", viewport=FULL_HD)
    expect(tv.locator(".token[data-seat]")).to_have_count(10)
    expect(tv.locator(".circuit.is-close")).to_be_attached()
    turn = table_of(tv)["state"]["turn"]
    drawn = boxes(tv, f".twin.car-{turn} .silhouette")
    assert drawn[0]["width"] >= 36, "a car is as long as it is read across a room"
    names = tv.locator(".label:visible text")
    expect(names.first).to_be_visible()
    assert NAMES[turn - 1] in names.all_text_contents()
    dots = boxes(tv, ".dot circle")
    assert len(dots) == 10
    middles = [(d["left"] + d["width"] / 2, d["top"] + d["height"] / 2) for d in dots]
    nearest = min(
        ((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
        for n, a in enumerate(middles)
        for b in middles[:n]
    )
    assert nearest >= dots[0]["width"] * 0.95, "no car hides another"
    expect(tv.locator("#ahead")).to_contain_text("Sainte-Dévote")


def test_the_last_die_is_large_and_the_last_move_leaves_a_mark(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TEN)
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD)
    expect(tv.locator(".token")).to_have_count(10)
    first = table_of(tv)["asks"][0]["seat"]
    give(tv, running, first, gear=3)
    give(tv, running, first, roll=5)
    expect(tv.locator("#die")).to_have_text("5")
    assert boxes(tv, "#die")[0]["height"] >= 90
    expect(tv.locator("#last")).to_have_text("5")  # of whom the banner names
    expect(tv.locator("#call")).to_have_text("where did the car end?")
    expect(tv.locator(".end").first).to_be_visible()
    expect(tv.locator(".price").first).to_be_visible()
    expect(tv.locator(".keycap")).to_have_count(0), "nobody here has keys"
    move = table_of(tv)["asks"][0]["options"][0]
    give(tv, running, first, move={"to": move["to"], "brakes": move["brakes"]})
    expect(tv.locator(f".came.car-{first}")).to_be_attached()
    expect(tv.locator(".price")).to_have_count(0)
    expect(tv.locator("#last")).to_have_text(f"5{NAMES[first - 1]}")
    assert boxes(tv, "#last")[0]["bottom"] <= boxes(tv, "#banner")[0]["bottom"]
    expect(tv.locator(f".row.car-{first}")).to_contain_text("moved 5")
    expect(tv.locator("#story")).not_to_contain_text("moves")


def test_a_car_that_goes_out_and_the_winner_have_their_moment(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TEN)
    traits = {"reduced_motion": "no-preference", "is_clock_set": True}
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD, locale="fr-FR", **traits)
    expect(tv.locator(".row")).to_have_count(10)
    referee(tv, running, "retire", {"seat": 3})
    expect(tv.locator("#moment")).to_have_text("Chloé est hors course")
    expect(tv.locator(".row.is-out .worst")).to_contain_text("abandon")
    expect(tv.locator("#story")).to_have_text("Chloé est hors course")
    referee(tv, running, "end", {})
    expect(tv.locator(".hero")).to_contain_text("Konstantin")
    expect(tv.locator(".hero")).not_to_contain_text("arrivé")  # the race was ended, nobody is home
    expect(tv.locator("#moment")).to_be_hidden()
    expect(tv.locator(":not(.after) > .homes > .home")).to_have_count(10)
    tv.emulate_media(reduced_motion="reduce")  # they slide in
    assert max(home["bottom"] for home in boxes(tv, ".homes .home")) <= FULL_HD["height"]
    expect(tv.locator(".podium .step")).to_have_count(3)
    assert tv.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_finish_has_the_season_beside_ten_cars_and_a_headline_where_nobody_comes_home(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TEN)
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD)
    expect(tv.locator(".row")).to_have_count(10)
    first = table_of(tv)["asks"][0]["seat"]
    give(tv, running, first, gear=3)
    give(tv, running, first, roll=5)
    move = table_of(tv)["asks"][0]["options"][0]
    give(tv, running, first, move={"to": move["to"], "brakes": move["brakes"]})
    for seat in range(1, 11):
        referee(tv, running, "retire", {"seat": seat})
    expect(tv.locator("h1:visible")).to_have_text("Nobody comes home")
    expect(tv.locator(".after .home")).to_have_count(10)
    assert violations(tv) == []
    seen = boxes(tv, ".homes .home, .after h2, .actions a")
    assert max(one["right"] for one in seen) <= FULL_HD["width"]
    assert max(one["bottom"] for one in seen) <= FULL_HD["height"]
    assert min(one["width"] for one in boxes(tv, ".home .who")) >= 150, "names are read"


AGAIN_MS = 5_000  # how long the move that decided a race is seen once more
DRAWN_MS = 500  # for a page to be drawn whose clock stands still


def one_passes_the_other(
    run: Callable[..., Running], open_page: Callable[..., Page], *, in_one: str | None = None
) -> Any:
    """A race of two on a television, in which the second has taken the lead."""
    cars = {
        "1": {"space": "S1.m3", "gear": 1, "lap": 1},
        "2": {"space": "S1.r2", "gear": 3, "lap": 1},
    }
    running = run(TEN | {"seats": TEN["seats"][:2], "position": {"cars": cars}})
    tv = open_page(f"{running.url}/tv", viewport=FULL_HD, is_clock_set=True)
    expect(tv.locator(".row")).to_have_count(2)
    drive(tv, running, 1, 1, 1)
    drive(tv, running, 2, 4, 10, in_one=in_one)
    expect(tv.locator("#moment")).to_have_text("Jean-Baptiste passes Marguerite")
    return running, tv


def drive(
    tv: Page, running: Running, seat: int, gear: int, roll: int, *, in_one: str | None = None
) -> None:
    """A turn; with die and move in one touch, as on a phone, where the end is known before."""
    give(tv, running, seat, gear=gear)
    if in_one is not None:
        give_all(tv, running, seat, [{"roll": roll}, {"move": {"to": in_one, "brakes": 0}}])
        return
    give(tv, running, seat, roll=roll)
    ends = table_of(tv)["asks"][0]["options"]
    on_road = next(one["to"] for one in ends if not one["brakes"] and one["to"].startswith("S"))
    give(tv, running, seat, move={"to": on_road, "brakes": 0})


def place_of(tv: Page, seat: int) -> str:
    """The style of what stands where the car of a seat stands now."""
    space = table_of(tv)["state"]["cars"][str(seat)]["space"]
    drawn = tv.locator(f'#board [data-space="{space}"]')
    x, y = drawn.evaluate("({ dataset }) => [Number(dataset.x), Number(dataset.y)]")
    return f"transform: translate({x}px, {y}px);"


def test_the_move_that_took_the_lead_is_seen_again_before_the_finish(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running, tv = one_passes_the_other(run, open_page)
    referee(tv, running, "end", {})
    expect(tv.locator("#call")).to_have_text("took the lead from Marguerite")
    expect(tv.locator("#result")).to_be_hidden()
    tv.clock.run_for(AGAIN_MS)
    expect(tv.locator(".hero")).to_contain_text("took the lead from Marguerite")


def test_the_move_that_took_the_lead_is_seen_among_the_cars_of_then(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """And with the die of then: a round later all stand elsewhere."""
    running, tv = one_passes_the_other(run, open_page)
    other, then = tv.locator("#board .twin.car-1"), place_of(tv, 1)
    drive(tv, running, 2, 5, 12)
    drive(tv, running, 1, 1, 2)
    assert place_of(tv, 1) != then
    expect(tv.locator("#die")).to_have_text("2")
    referee(tv, running, "end", {})
    expect(tv.locator("#call")).to_have_text("took the lead from Marguerite")
    expect(tv.locator("#die")).to_have_text("10")
    expect(tv.locator("#last figcaption")).to_have_text("")  # it is the mover's own
    expect(tv.locator("#facts")).to_contain_text("Round 1")
    expect(tv.locator("#tower .row").first).to_contain_text("Marguerite")
    tv.clock.run_for(DRAWN_MS)
    expect(other).to_have_attribute("style", then)
    tv.clock.run_for(AGAIN_MS)
    expect(tv.locator(".hero")).to_contain_text("took the lead from Marguerite")


def test_the_die_of_a_move_that_came_with_it_in_one_touch_is_seen_again_too(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    """As a phone gives both: no table was ever told between them."""
    running, tv = one_passes_the_other(run, open_page, in_one="S1.l10")
    referee(tv, running, "end", {})
    expect(tv.locator("#call")).to_have_text("took the lead from Marguerite")
    expect(tv.locator("#die")).to_have_text("10")
    expect(tv.locator("#last figcaption")).to_have_text("")


def test_a_move_that_was_taken_back_has_not_decided_the_race(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running, tv = one_passes_the_other(run, open_page)
    referee(tv, running, "undo", {"undo": 1})
    expect(tv.locator("#story")).to_contain_text("takes back")
    referee(tv, running, "retire", {"seat": 1})
    expect(tv.locator("#story")).not_to_contain_text("takes back")
    referee(tv, running, "end", {})
    expect(tv.locator(".hero")).to_contain_text("Jean-Baptiste")
    expect(tv.locator(".hero")).not_to_contain_text("took the lead")


MOMENTS = """async (told) => {
    const { momentsBetween } = await import("/static/js/moments.js");
    const now = await (await fetch("/api/table")).json();
    const [was, then] = told.map((fastest) => ({ ...now, fastest }));
    return momentsBetween(was, then).map((one) => one.text);
}"""


def test_a_fastest_lap_that_is_beaten_has_its_moment_and_the_first_has_none(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    tv = open_page(f"{run(TEN).url}/tv", viewport=FULL_HD)
    expect(tv.locator(".row")).to_have_count(10)
    first, better = {"seat": 3, "lap": 1, "turns": 9}, {"seat": 8, "lap": 2, "turns": 8}
    assert tv.evaluate(MOMENTS, [first, better]) == ["Zoé: fastest lap, 8 turns"]
    assert tv.evaluate(MOMENTS, [None, first]) == []
    assert tv.evaluate(MOMENTS, [better, better]) == []
    assert tv.evaluate(MOMENTS, [better, first]) == [], "taken back"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_television_and_the_overlay_break_no_rule(
    run: Callable[..., Running], open_page: Callable[..., Page], theme: str
) -> None:
    running = run(TEN)
    traits = {"viewport": FULL_HD, "color_scheme": theme}
    for path in ("/tv", "/overlay"):
        page = open_page(running.url + path, **traits)
        expect(page.locator(".row")).to_have_count(10)
        assert violations(page) == [], path
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgba(0, 0, 0, 0)", "what is behind the overlay shows through"


def test_one_code_brings_a_phone_in_under_its_name_in_its_color(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    tv = open_page(f"{running.url}/tv#pin={running.pin}", viewport=FULL_HD)
    code = tv.locator("img.join-code")
    expect(code).to_have_attribute("src", re.compile("^data:image/svg"))
    assert boxes(tv, "img.join-code")[0]["width"] >= 480
    assert boxes(tv, ".letters")[0]["font"] >= 90
    assert running.pin not in tv.url
    link = tv.evaluate(
        """(pin) => fetch("/api/join", {headers: {Authorization: `Bearer ${pin}`}})
        .then((reply) => reply.json()).then((told) => told.link)""",
        running.pin,
    )
    phone = open_page(link, viewport={"width": 320, "height": 640})
    expect(phone.get_by_label("Your name")).to_be_visible()
    assert "#" not in phone.url, "the key does not stay in the address"
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320
    assert violations(phone) == []
    phone.get_by_label("Your name").fill("Zoé")
    phone.get_by_label("pink").check(force=True)
    phone.get_by_role("button", name="Take a seat").click()
    phone.wait_for_url("**/seat/1")
    expect(tv.locator(".people li")).to_have_text(["1Zoé", "9 cars free"])
    assert [seat["color"] for seat in table_of(tv)["seats"] if seat["name"] == "Zoé"] == ["pink"]


@pytest.mark.parametrize(
    "header",
    [
        {"game": "downforce", "track": None},
        {"game": "formula-d", "track": None, "grid": [1, 2, 3], "start": "normal"},
    ],
    ids=["downforce", "boardless"],
)
def test_a_game_without_a_board_is_shown_too(
    run: Callable[..., Running], open_page: Callable[..., Page], header: dict[str, object]
) -> None:
    seats = [{"seat": n, "name": name} for n, name in enumerate(NAMES[:3], 1)]
    tv = open_page(f"{run({**header, 'seats': seats}).url}/tv", viewport=FULL_HD)
    expect(tv.get_by_text("Chloé").first).to_be_visible()
    expect(tv.locator("#board")).to_be_hidden()
    assert tv.evaluate("document.documentElement.scrollHeight <= innerHeight")


SHIFTS = """new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
        if (!entry.hadRecentInput) window.shifted = (window.shifted ?? 0) + entry.value;
    }
}).observe({type: "layout-shift", buffered: true})"""


def test_no_page_jumps_or_runs_over_its_edge_while_it_loads(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TEN)
    page = open_page("about:blank")
    page.add_init_script(SHIFTS)
    for width, path in ((320, "/"), (390, "/"), (1366, "/"), (1920, "/"), (1920, "/tv")):
        page.set_viewport_size({"width": width, "height": 844})
        go_to(page, running.url + path)
        expect(page.locator(".token")).to_have_count(10)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, path)
        assert page.evaluate("window.shifted ?? 0") < 0.05, (width, path)


def test_the_finish_fits_the_smallest_phone(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(TEN)
    page = open_page(f"{running.url}/#pin={running.pin}", viewport={"width": 320, "height": 640})
    referee(page, running, "retire", {"seat": 3})
    referee(page, running, "end", {})
    expect(page.locator(":not(.after) > .homes > .home")).to_have_count(10)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    expect(page.locator(".home.is-out small")).to_have_text("out · retired")
    assert violations(page) == []
    page.get_by_role("button", name="Rematch").click()
    expect(page.locator("#result")).to_be_hidden()
    assert len(table_of(page)["state"]["cars"]) == 10


@pytest.mark.parametrize("path", ["/tv", "/"])
def test_a_circuit_that_comes_after_the_end_of_the_race_does_not_lie_over_the_finish(
    run: Callable[..., Running], open_page: Callable[..., Page], path: str
) -> None:
    running = run(TEN)
    page = open_page("about:blank")
    held: list[Route] = []
    page.route("**/circuit/**", lambda route: held.append(route))
    go_to(page, f"{running.url}{path}#pin={running.pin}")
    expect(page.locator("#board")).to_be_visible()  # its room
    referee(page, running, "end", {})
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    with page.expect_response("**/circuit/**"):
        held[0].continue_()
    expect(page.locator("#board svg")).to_have_count(1)
    expect(page.locator("#board")).to_be_visible(visible=path == "/")


def test_without_the_pin_a_television_says_how_it_comes_by_the_code_and_takes_the_pin(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page("about:blank")
    page.set_extra_http_headers(FAR)
    go_to(page, f"{running.url}/tv")
    expect(page.get_by_text("To show the code here")).to_be_visible()
    expect(page.locator("img.join-code")).to_have_count(0)
    page.get_by_label("PIN").fill(running.pin)
    page.get_by_role("button", name="Unlock").click()
    expect(page.locator("img.join-code")).to_be_visible()


HEARD = """
window.heard = [];
window.isQuiet = true;
window.speechSynthesis.speak = (spoken) => {
    window.heard.push(spoken.text);
    window.isQuiet = false;
    window.finish = () => {
        window.isQuiet = true;
        spoken.onend(); // which says what comes next
    };
    if (!window.isSlow) setTimeout(window.finish, VOICE_MS);
};"""
"""A voice that takes VOICE_MS for each sentence, and whose words a test reads."""
EAR = {
    "game": "formula-d",
    "track": "manege",
    "laps": 1,
    "rules": [],
    "seats": [{"seat": 1, "name": "Ana"}, {"seat": 2, "name": "Zoé"}],
    "grid": [1, 2],
    "start": "normal",
}
MOST_TURNS = 200


def voice(takes_ms: int = 0) -> str:
    """The script of a voice that takes so long for a sentence, whatever it says."""
    return HEARD.replace("VOICE_MS", str(takes_ms))


def heard(tv: Page) -> list[str]:
    told: list[str] = tv.evaluate("window.heard.splice(0)")
    return told


def by_ear(asked: str, driven: set[str], dice: Random) -> tuple[str, dict[str, object]] | None:
    """What somebody who only listens answers to the last sentence; None: it is about the board."""
    who = asked.partition(": ")[0]
    if asked.endswith("which gear?"):
        gear = 2 if who in driven else 1
        driven.add(who)
        return who, {"gear": gear}
    if found := re.search(r"roll the (\w+) die, (\d+) to (\d+)", asked):
        assert found[1] in ("yellow", "orange"), asked
        return who, {"roll": dice.randint(int(found[2]), int(found[3]))}
    return None


def test_a_race_is_driven_by_ear_but_for_where_the_car_ended(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running, dice = run(EAR), Random(7)
    tv = open_page("about:blank")
    tv.add_init_script(voice(takes_ms=20))
    go_to(tv, f"{running.url}/tv")
    expect(tv.locator("#announcer")).to_have_attribute("aria-pressed", "false")
    tv.locator("#announcer").click()
    all_said: list[str] = []
    driven: set[str] = set()
    seats = {"Ana": 1, "Zoé": 2}
    for _ in range(MOST_TURNS):
        # The question is said last: who answers to what comes before it answers too early.
        tv.wait_for_function("() => window.heard.length > 0 && window.isQuiet")
        said = heard(tv)
        all_said += said
        told = table_of(tv)
        if told["state"]["phase"] == "finished":
            break
        answer = by_ear(said[-1], driven, dice)
        if answer is None:  # the one look: where it ended, or what a contact asks
            ask = told["asks"][0]
            option = ask["options"][0]
            value = {k: option[k] for k in ("to", "brakes")} if isinstance(option, dict) else option
            give(tv, running, ask["seat"], **{ask["kind"]: value})
        else:
            give(tv, running, seats[answer[0]], **answer[1])
    everything = " ".join(all_said)
    assert "wins" in everything
    assert "stops in" in everything
    assert "FD-" not in everything, "a rule is for whoever touches it"


def test_the_announcer_speaks_over_nobody_and_drops_what_has_grown_old(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(EAR)
    tv = open_page("about:blank")
    tv.add_init_script(voice())
    go_to(tv, f"{running.url}/tv")
    tv.locator("#announcer").click()
    tv.wait_for_function("() => window.heard.join(' ').includes('Ana') && window.isQuiet")
    tv.evaluate("window.isSlow = true; window.heard.splice(0)")
    give(tv, running, 1, gear=1)
    tv.wait_for_function("() => window.heard.length === 1")
    give(tv, running, 1, roll=1)
    expect(tv.locator("#call")).to_contain_text("where")
    move = table_of(tv)["asks"][0]["options"][0]
    give(tv, running, 1, move={"to": move["to"], "brakes": move["brakes"]})
    expect(tv.locator("#who")).to_have_text("Zoé")
    assert len(heard(tv)) == 1, "nobody is interrupted"
    tv.evaluate("window.isSlow = false; window.finish()")
    tv.wait_for_function("() => window.heard.length > 0 && window.isQuiet")
    said = " ".join(heard(tv))
    assert "Zoé" in said
    assert "where" not in said, "old"


def test_a_phone_says_what_concerns_its_own_player_and_nothing_else(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run(EAR)
    phones = []
    for seat in (1, 2):
        phone = open_page("about:blank", viewport={"width": 320, "height": 568})
        phone.add_init_script(voice())
        phone.add_init_script("localStorage.setItem('announcer', 'on')")
        go_to(phone, running.links[seat])
        phones.append(phone)
    ana, zoe = phones
    expect(zoe.get_by_role("button", name="Announcer")).to_have_attribute("aria-pressed", "true")
    ana.wait_for_function("() => window.heard.length > 0")
    give(ana, running, 1, gear=1)
    ana.wait_for_function("() => window.heard.length > 1")
    assert "gear" in heard(ana)[0].lower()
    give(ana, running, 1, roll=1)
    move = table_of(ana)["asks"][0]["options"][0]
    assert heard(zoe) == [], "nobody has asked Zoé"
    give(ana, running, 1, move={"to": move["to"], "brakes": move["brakes"]})
    zoe.wait_for_function("() => window.heard.length > 0")
    assert "gear" in " ".join(heard(zoe)).lower()


LAPTOP = {"width": 1280, "height": 720}


SMALL = """() => [...document.querySelectorAll("body *:not(svg *)")]
    .filter((one) => one.checkVisibility()
        && [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
        && parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => one.textContent)"""


def too_small(phone: Page) -> list[str]:
    """What stands on a phone in letters below 16 px."""
    found: list[str] = phone.evaluate(SMALL)
    return found


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_no_rule_is_broken_with_somebody_out_a_lost_link_or_a_finish(
    run: Callable[..., Running], open_page: Callable[..., Page], theme: str
) -> None:
    running = run(TEN)
    pages = [
        open_page(running.url + path, viewport=LAPTOP, color_scheme=theme) for path in ("/tv", "/")
    ]
    for seat in (1, 3):  # one that drives on, and the one that goes out
        small = {"viewport": {"width": 320, "height": 568}, "color_scheme": theme}
        pages.append(open_page(running.links[seat], **small))
    tv, table, _, gone = pages
    referee(tv, running, "retire", {"seat": 3})
    expect(tv.locator(".row.is-out")).to_be_visible()
    expect(table.locator(".car.is-out")).to_be_visible()
    looks_at(gone)
    assert [violations(page) for page in pages] == [[]] * 4
    assert [too_small(page) for page in pages[2:]] == [[], []]
    os.kill(running.pid, signal.SIGSTOP)
    try:
        for page in pages:
            expect(page.locator("#link")).to_have_attribute("data-state", "lost", timeout=30_000)
        assert boxes(tv, "#lost")[0]["font"] >= 32, "told large"
        assert [violations(page) for page in pages] == [[]] * 4
        assert [too_small(page) for page in pages[2:]] == [[], []]
    finally:
        os.kill(running.pid, signal.SIGCONT)
    expect(tv.locator("#lost")).to_be_hidden(timeout=30_000)
    referee(tv, running, "end", {})
    expect(tv.locator(".hero")).to_be_visible()
    expect(table.locator("#result")).to_be_visible()
    expect(gone.locator(":not(.after) > .homes > .home")).to_have_count(10)
    assert [violations(page) for page in pages] == [[]] * 4
    assert [too_small(page) for page in pages[2:]] == [[], []]


def test_no_way_without_a_key_ends_in_nothing(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    running = run()
    page = open_page("about:blank", extra_http_headers=FAR)
    to_see, seen = ["/", "/tv"], set()
    while to_see:
        path = to_see.pop()
        seen.add(path)
        page.goto(running.url + path)
        page.wait_for_load_state("networkidle") if path.startswith("/help") else None
        ways = page.locator("main :is(a[href], button, input), header :is(a[href], button)")
        expect(ways.first).to_be_attached()
        if path == "/":  # a script of its own lays it out
            expect(page.locator("#lobby-body > *").first).to_be_attached()
        links = page.locator("a[href^='/']").evaluate_all("(all) => all.map((one) => one.pathname)")
        # Of the league and of the documents one of each kind is enough.
        new = [one for one in links if one.count("/") < 3 and one not in (*seen, *to_see)]
        to_see += [one for one in new if not one.startswith("/help/")]
    assert {"/", "/tv", "/join", "/league", "/help", "/learn"} <= seen


SIGHTS = """async ([sights, card]) => {
  const { closeBox } = await import("/static/js/camera.js");
  const svg = { clientWidth: 1100, clientHeight: 700 };
  const to = ({ x, y, width, height }, at) => [(at.x - x) / width, (at.y - y) / height];
  return sights.map(([car, ...ends]) => {
    const box = closeBox(svg, car, ends, card);
    return [to(box, car), ...ends.map((end) => to(box, end))];
  });
}"""


def test_a_television_sees_the_car_beside_its_card_and_all_its_ends(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    dice = Random(7)
    sights = []
    for _ in range(300):
        car = {"x": dice.uniform(0, 900), "y": dice.uniform(0, 600), "heading": dice.randrange(360)}
        ends = [
            {"x": car["x"] + dice.uniform(-220, 220), "y": car["y"] + dice.uniform(-220, 220)}
            for _ in range(dice.randrange(12))
        ]
        sights.append([car, *ends])
    page = open_page(run().url)
    card = (0.45, 0.3)
    seen = page.evaluate(SIGHTS, [sights, card])
    plain = page.evaluate(SIGHTS, [sights, (0, 0)])
    assert all(0 < x < 1 and 0 < y < 1 for one in seen for x, y in one), "all of it is in sight"
    assert not any(x > 1 - card[0] and y < card[1] for [(x, y), *_] in seen)
    assert any(x > 1 - card[0] and y < card[1] for [(x, y), *_] in plain)


def test_chances_come_to_a_hundred_percent_together(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    page = open_page(run().url)
    for chances, told in (
        ([0.556, 0.444], [56, 44]),
        ([0.555, 0.445], [56, 44]),
        ([0.335, 0.335, 0.33], [34, 33, 33]),
        ([1, 0], [100, 0]),
    ):
        script = "async (all) => (await import('/static/js/odds.js')).percents(all)"
        assert page.evaluate(script, chances) == told
