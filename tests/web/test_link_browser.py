"""What a page does while the table cannot be reached: it says so, and nothing is sent twice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running, press, until

from companion_web import streams
from companion_web.app import Server

pytestmark = NEEDS_CHROMIUM


@pytest.fixture
def phone(server: Server, open_page: Callable[..., Page]) -> Page:
    """Seat 1, on a clock that moves when it is told to."""
    return open_page(f"{server.url}seat/1#token-of-ana", viewport=PHONE, is_clock_set=True)


def test_a_stream_without_beats_is_lost_and_opened_anew(
    phone: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "BEAT_S", 1e9)
    phone.route("**/stream?*", lambda route: route.abort())
    phone.clock.run_for(13_000)
    expect(phone.locator("#link")).to_have_attribute("data-state", "lost")
    expect(phone.locator("body.is-offline")).to_have_count(1)
    phone.unroute("**/stream?*")
    phone.clock.run_for(14_000)
    expect(phone.locator("#link")).to_have_attribute("data-state", "open")
    expect(phone.locator("body.is-offline")).to_have_count(0)


def test_a_phone_that_wakes_opens_its_stream_anew(phone: Page) -> None:
    with phone.expect_request("**/stream?*"):
        phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator("#link")).to_have_attribute("data-state", "open")


def test_a_press_without_an_answer_is_said_to_be_sent_and_then_given_up(
    phone: Page, table: Any
) -> None:
    posts: list[Route] = []
    phone.route("**/press", lambda route: posts.append(route))
    with phone.expect_request("**/press"):
        press(phone, 3)
    expect(phone.locator("body.is-sending")).to_have_count(0)
    phone.clock.run_for(1_100)
    expect(phone.locator("#link")).to_have_text("Sending …")
    phone.clock.run_for(5_000)
    expect(phone.locator("#notice")).to_have_text("The table does not answer.")
    expect(phone.locator("body.is-sending")).to_have_count(0)
    assert [json.loads(one.request.post_data or "")["button"] for one in posts] == [3]
    assert table.heard == []


PATCHED = """async () => {
  const { patched } = await import("/static/js/net.js");
  const story = [...Array(30).keys()];
  return patched({ version: 1, state: { a: 1, b: 2 }, asks: [1], story, gone: 1 },
    { version: 2, state: { b: 3 }, asks: [], story: [30, 31], gone: null });
}"""


def test_a_change_is_put_into_the_table_and_sentences_are_added(phone: Page) -> None:
    told = phone.evaluate(PATCHED)
    assert told == {
        "version": 2,
        "state": {"a": 1, "b": 3},
        "asks": [],
        "story": list(range(2, 32)),
    }


HIDE = "(is) => { Object.defineProperty(document, 'hidden', { value: is, configurable: true });"
HIDE += " document.dispatchEvent(new Event('visibilitychange')); }"


def test_a_tab_that_nobody_sees_lets_its_stream_go(phone: Page, server: Server) -> None:
    """A browser has six connections to a server: the seventh tab would neither load nor press."""
    expect(phone.locator("#link")).to_have_attribute("data-state", "open")
    phone.evaluate(HIDE, True)
    phone.clock.run_for(1_100)
    until(phone, lambda: not len(server.streams), "the stream is kept")
    phone.clock.run_for(20_000)
    assert len(server.streams) == 0, "it is opened anew behind"
    phone.evaluate(HIDE, False)
    until(phone, lambda: len(server.streams), "no stream is opened")
    expect(phone.locator("#link")).to_have_attribute("data-state", "open")


TABS = 30


def test_all_tabs_of_a_browser_share_one_stream_and_each_of_them_presses(
    server: Server, browser: Browser, table: Any
) -> None:
    """Seven in sight held seven streams: the seventh stood still, and with it all presses."""
    context = browser.new_context(viewport=PHONE)
    pages = [context.new_page() for _ in range(TABS)]
    for number, page in enumerate(pages):
        address = ("", "tv", "seat/1#token-of-ana", "seat/2#token-of-bo")[number % 4]
        page.goto(f"{server.url}{address}", wait_until="commit")
    for page in pages:
        expect(page.locator("#link")).to_have_attribute("data-state", "open")
    until(pages[0], lambda: len(server.streams) == 1, "a tab keeps a stream of its own")
    version = table.publish().version
    for page in pages[2::4] + pages[3::4]:
        expect(page.locator("body")).to_have_attribute("data-picture", str(version))
    for page in pages[::4]:
        expect(page.locator("body")).to_have_attribute("data-version", str(version))
    for page in pages[2::4]:
        press(page, 1)
    until(pages[0], lambda: len(table.heard) == len(pages[2::4]), "a press is lost")
    # The one that listens for all is closed: another one does, and none misses anything.
    for page in pages[:-2]:
        page.close()
    version = table.publish().version
    expect(pages[-2].locator("body")).to_have_attribute("data-version", str(version))
    until(pages[-2], lambda: len(server.streams) == 1, "a tab keeps a stream of its own")
    context.close()


WITHOUT_A_WORD = "addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true)"


@pytest.fixture
def tabs(server: Server, browser: Browser) -> Iterator[list[Page]]:
    """Two tabs of a browser, whose clock stands; the first has the stream."""
    context = browser.new_context(viewport=PHONE)
    context.add_init_script(WITHOUT_A_WORD)
    context.clock.install()
    context.clock.pause_at(time.time() + 1)
    pages = [context.new_page() for _ in range(2)]
    pages[0].goto(server.url)
    expect(pages[0].locator("#link")).to_have_attribute("data-state", "open")
    context.clock.run_for(1_000)  # so the second is the younger one
    # The first is asked to hear for both, and opens its stream anew.
    with pages[0].expect_request("**/stream?*"):
        pages[1].goto(server.url)
    until(pages[0], lambda: len(server.streams) == 1, "a tab keeps a stream of its own")
    yield pages
    context.close()


def test_a_tab_that_dies_without_a_word_is_missed_within_two_seconds(
    tabs: list[Page], server: Server, table: Any
) -> None:
    """It left the others without news for fifteen; one that is frozen says nothing either."""
    first, second = tabs
    first.close()
    until(second, lambda: len(server.streams) == 0, "its stream stands")
    with second.expect_request("**/stream?*"):
        second.clock.run_for(2_000)
    version = table.publish().version
    expect(second.locator("body")).to_have_attribute("data-version", str(version))


def test_a_tab_that_speaks_behind_another_hears_by_that_ones_stream(
    tabs: list[Page], server: Server, table: Any
) -> None:
    first, second = tabs
    first.evaluate("localStorage.setItem('sound', 'on')")
    with second.expect_request("**/stream?*"):
        first.evaluate(HIDE, True)
    until(second, lambda: len(server.streams) == 1, "the hidden one keeps its stream")
    version = table.publish().version
    for page in tabs:
        expect(page.locator("body")).to_have_attribute("data-version", str(version))


DENIED = """
for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("no", "SecurityError"); } });
"""


def test_a_browser_that_denies_storage_plays_and_keeps_its_key_in_the_link(
    server: Server, open_page: Callable[..., Page], table: Any
) -> None:
    page = open_page(f"{server.url}help", viewport=PHONE)
    page.add_init_script(DENIED)
    page.goto(f"{server.url}seat/1#token-of-ana")
    for _ in range(2):
        expect(page.locator("#link")).to_have_attribute("data-state", "open")
        with page.expect_response("**/press") as pressed:
            page.locator("[data-button='1']").click()
        assert pressed.value.status == 200
        page.reload()
    assert len(table.heard) == 2


FETCH = """async () => {
  const { get } = await import("/static/js/net.js");
  const response = await get("/drawn");
  return [response.status, await response.text()];
}"""


def test_a_drawing_that_is_not_to_be_had_now_is_asked_for_again(
    server: Server, open_page: Callable[..., Page]
) -> None:
    page = open_page(f"{server.url}seat/1#token-of-ana", viewport=PHONE)
    answers = [(200, {}), (503, {"Retry-After": "0.01"}), (503, {"Retry-After": "0.02"})]

    def answer(route: Route) -> None:
        status, headers = answers.pop()
        route.fulfill(status=status, headers=headers, body=f"answer {status}")

    page.route("**/drawn", answer)
    assert page.evaluate(FETCH) == [200, "answer 200"]
    assert answers == []


def test_a_page_whose_view_is_lost_on_its_way_asks_for_it_again(phone: Page, table: Any) -> None:
    lost: list[Route] = []

    def lose(route: Route) -> None:
        lost.append(route)
        route.abort()

    phone.route("**/view", lose)
    with phone.expect_event("requestfailed"):
        number = table.publish().version
    phone.unroute("**/view")

    def is_shown() -> bool:
        phone.clock.run_for(500)
        return phone.locator("body").get_attribute("data-picture") == str(number)

    until(phone, is_shown, "the view is not asked for again")
    assert len(lost) == 1


def test_a_thumb_that_rests_beside_the_keys_keeps_no_view_from_coming(
    phone: Page, table: Any
) -> None:
    phone.locator("#name").hover()
    phone.mouse.down()
    number = table.publish().version
    expect(phone.locator("body")).to_have_attribute("data-picture", str(number))
    phone.locator("[data-button='1']").hover()
    phone.mouse.up()
    phone.mouse.down()
    with phone.expect_response("**/view"):
        table.publish()
    phone.wait_for_timeout(100)  # it would be shown by now
    expect(phone.locator("body")).to_have_attribute("data-picture", str(number))
    phone.mouse.up()
    expect(phone.locator("body")).to_have_attribute("data-picture", str(number + 1))


def test_a_phone_that_lost_its_storage_is_let_back_in_by_the_host(
    run: Callable[..., Running], open_page: Callable[..., Page]
) -> None:
    header = {"game": "formula-d", "track": "monaco", "laps": 1, "start": "normal"}
    names = enumerate(("Ana", "Bob", "Cleo"), 1)
    seats = [{"seat": seat, "name": name} for seat, name in names]
    running = run({**header, "seats": seats, "grid": [1, 2, 3]})
    host, other = (open_page(running.links[seat], viewport=PHONE) for seat in (1, 3))
    lost = open_page("about:blank", viewport=PHONE)
    lost.goto(f"{running.url}/join#key={running.pin}")
    lost.get_by_text("This phone had a seat and has lost it").click()
    lost.get_by_role("button", name="Bob").click()
    expect(lost.locator("h2")).to_have_text("Ask the host to let Bob's phone back in")
    number = lost.locator(".number").inner_text()
    question = host.locator("#sheet.is-back")
    expect(question).to_contain_text(f"It shows {number}.")
    # Somebody else asks for the same seat, from elsewhere: his question waits behind it.
    port = int(running.url.rstrip("/").rpartition(":")[2])
    stranger = HTTPConnection("127.0.0.1", port, source_address=("127.0.0.66", 0))
    key = {"Authorization": f"Bearer {running.pin}", "Content-Type": "application/json"}
    with closing(stranger):
        stranger.request("POST", "/api/join/back", json.dumps({"seat": 2}), key)
        theirs = json.loads(stranger.getresponse().read())["number"]
    assert "/join" in lost.url
    question.get_by_role("button", name="Yes, it is Bob's").click()
    expect(lost.locator("#name")).to_have_text("Bob")
    expect(question).to_contain_text(f"It shows {theirs}.")
    question.get_by_role("button", name="No").click()
    for page in (host, other):
        expect(page.locator("#sheet.is-back")).to_have_count(0)
    expect(other.locator("#notice")).to_have_text("Bob's phone is back, by Ana's word.")
