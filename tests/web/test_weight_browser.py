"""What a page weighs when Chromium opens it for the first time: requests and bytes on the wire."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.browser.chromium import NEEDS_CHROMIUM, PHONE, Running

from companion_web.assets import STATIC, join_scripts

pytestmark = NEEDS_CHROMIUM

SIX: dict[str, Any] = {
    "game": "formula-d",
    "track": "monaco",
    "rules": ["tires"],
    "seats": [{"seat": n, "name": f"Driver {n}", "tires": "hard"} for n in range(1, 7)],
    "grid": [1, 2, 3, 4, 5, 6],
    "start": "normal",
}
MOST = {"table": (9, 89_500), "tv": (8, 82_000), "overlay": (7, 40_000), "seat": (8, 40_000)}
"""Requests and bytes, heads included; measured with six cars and three languages: 7 and 88 400, 7
and 80 200, 6 and 38 900, 6 and 39 900, of that 3 800 for the cards of a bot. The goals are 12 and
90 000, for a seat 40 000."""
READY = {
    "table": "#board svg .token",
    "tv": "#board svg .token",
    "overlay": ".row",
    "seat": "#road",
}


def weigh(page: Page, address: str, ready: str) -> list[tuple[str, int]]:
    """Each address that was asked for, with all its bytes; of a stream, what has come so far."""
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    paths: dict[str, str] = {}
    sizes: dict[str, int] = {}
    wire.on(
        "Network.requestWillBeSent", lambda e: paths.update({e["requestId"]: e["request"]["url"]})
    )

    def heard(event: dict[str, Any], size: int) -> None:
        one = event["requestId"]
        sizes[one] = max(size, sizes.get(one, 0))

    def grown(event: dict[str, Any]) -> None:
        heard(event, sizes.get(event["requestId"], 0) + event["dataLength"])

    wire.on("Network.responseReceived", lambda e: heard(e, e["response"]["encodedDataLength"]))
    wire.on("Network.loadingFinished", lambda e: heard(e, e["encodedDataLength"]))
    # A stream never ends; it is sent as it is.
    wire.on(
        "Network.dataReceived", lambda e: grown(e) if "stream" in paths[e["requestId"]] else None
    )
    page.goto(address)
    expect(page.locator(ready).first).to_be_attached()
    page.wait_for_timeout(300)
    return [(paths[one], size) for one, size in sizes.items() if not paths[one].startswith("data:")]


@pytest.mark.parametrize("name", MOST)
def test_a_page_is_light(
    run: Callable[..., Running], open_page: Callable[..., Page], name: str
) -> None:
    running = run(SIX)
    address = {"seat": running.links[1], "table": running.url}.get(name, f"{running.url}/{name}")
    page = open_page("about:blank", viewport=PHONE if name == "seat" else None)
    got = weigh(page, address, READY[name])
    told = "\n".join(f"{size:7} {path}" for path, size in got)
    requests, size = len(got), sum(size for _, size in got)
    print(f"\n{name}: {requests} requests, {size} bytes\n{told}")
    most_requests, most_bytes = MOST[name]
    assert requests <= most_requests, told
    assert size <= most_bytes, told


def test_every_joined_script_can_be_read_by_a_browser(browser: Browser) -> None:
    page = browser.new_page()
    for entry in sorted(path.name for path in STATIC.glob("*.js")):
        read = "(told) => { Object.getPrototypeOf(async () => {}).constructor(told); }"
        page.evaluate(read, join_scripts(STATIC, entry))
    page.close()


def test_names_of_one_module_are_hidden_from_another(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "entry.js").write_text(
        'import { said as told,\n  Loud } from "./said.js";\n'
        'import * as all from "./said.js";\nconst hidden = 2;\n'
        "globalThis.heard = [told(), all.COUNT, hidden, new Loud().word];\n"
    )
    (tmp_path / "said.js").write_text(
        "const hidden = 1;\n/** For readers.\n * More. */\nexport function said() {\n"
        "  // why\n  return `${hidden} // stays`;\n}\nexport const COUNT = 7;\n"
        'export class Loud { word = "loud"; }\n'
    )
    joined = join_scripts(tmp_path, "entry.js")
    assert "For readers" not in joined
    assert "why" not in joined
    page = browser.new_page()
    assert page.evaluate(f"() => {{ {joined} return globalThis.heard; }}") == [
        "1 // stays", 7, 2, "loud"
    ]  # fmt: skip
    page.close()
