"""A network that holds everything up, for a time of its own, and fingers that are slow: what mostly
comes in one order comes in the others too.

`LATE=250 pytest tests/web` lets requests, replies, events and clicks take up to 250 ms each.
"""

from __future__ import annotations

import os
from itertools import count
from random import Random

from playwright.sync_api import Browser, BrowserContext, Locator

LATE_MS = int(os.environ.get("LATE", "0"))
SEED = int(os.environ.get("SEED", "1"))
AT_ONCE = 0.3
"""The share of what is not held up."""
SCRIPT = """([seed, late, atOnce]) => {
  const [later, fetched, Source] = [setTimeout, fetch, EventSource];
  let state = seed;
  const random = () => (state = (state * 69621) % 2147483647) / 2147483647;
  const wait = () => new Promise((done) => later(done, random() < atOnce ? 0 : random() * late));
  window.fetch = async (...asked) => {
    await wait();
    const reply = await fetched(...asked);
    await wait();
    return reply;
  };
  window.EventSource = class extends Source {
    queue = Promise.resolve(); // the events of one stream keep their order
    addEventListener(name, hear, ...more) {
      const hearLater = (event) => {
        this.queue = this.queue.then(wait)
          .then(() => this.readyState !== Source.CLOSED && hear(event));
      };
      super.addEventListener(name, name === "error" ? hear : hearLater, ...more);
    }
  };
}"""


def hold_up(browser: Browser) -> None:
    """Let all pages of a browser have such a network and be touched so, where `LATE` says so."""
    if not LATE_MS:
        return
    click, dice = Locator.click, Random(SEED)

    def click_slowly(self: Locator, **traits: object) -> None:
        click(self, **{"delay": dice.random() * LATE_MS} | traits)  # type: ignore[arg-type]

    Locator.click = click_slowly  # type: ignore[method-assign]
    open_context, number = browser.new_context, count(SEED * 1000 + 1)

    def new_context(**traits: object) -> BrowserContext:
        context = open_context(**traits)  # type: ignore[arg-type]
        context.add_init_script(f"({SCRIPT})([{next(number)}, {LATE_MS}, {AT_ONCE}])")
        return context

    browser.new_context = new_context  # type: ignore[assignment]
