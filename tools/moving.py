"""Renew the moving picture of the README: `PYTHONPATH=tests python tools/moving.py`.

A turn of a real race of six, as the table's page and the phone of who drives show it in a real
browser: the gear, then the space where the car ended, each touched by a real click. The
race up to there is that of `pictures.py`. Written is `docs/pictures/turn.webp`, a ring where a
finger is; what is more than MOST bytes is refused.
"""

from __future__ import annotations

from pictures import PICTURES, beside, play, shot, table
from PIL import Image, ImageDraw
from playwright.sync_api import Page, sync_playwright
from support.browser.chromium import CHROMIUM, FLAGS, go_to

ROUND = 4
"""The turn is the first one of this round."""
PRESSES = 2
FREE = """[data-answer^='{"gear"'][data-mark=free], [data-answer*='"brakes":0']"""
"""Answers that cost nothing: gears, and spaces of the road."""
MOST = 400_000
READ_MS, TOUCH_MS, END_MS = 1900, 700, 3200
SETTLE_MS = 900
RING = 26
HEIGHT = 700


def with_finger(picture: Image.Image, at: tuple[float, float]) -> Image.Image:
    """The picture with a ring around a place of it."""
    marked = picture.copy()
    x, y = at
    pen = ImageDraw.Draw(marked)
    pen.ellipse((x - RING, y - RING, x + RING, y + RING), outline="#e4572e", width=7)
    return marked


def touch(phone: Page) -> tuple[Image.Image, Image.Image]:
    """Touch the last key that costs nothing; the phone before it, and under the finger."""
    key = phone.locator(FREE).last
    box = key.bounding_box()
    assert box is not None, "a key that is not on the page"
    before = shot(phone)
    key.click(timeout=5000)
    return before, with_finger(before, (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))


def film(whole: Page, phone: Page) -> list[tuple[Image.Image, int]]:
    """The frames of a turn, each with how long it stays, in ms."""
    frames = []
    for _ in range(PRESSES):
        phone.wait_for_timeout(SETTLE_MS)
        seen = shot(whole)
        for picture, stays in zip(touch(phone), (READ_MS, TOUCH_MS), strict=True):
            frames.append((beside(seen, [picture]), stays))
    phone.wait_for_timeout(2 * SETTLE_MS)
    return [*frames, (beside(shot(whole), [shot(phone)]), END_MS)]


def main() -> None:
    """Take the film of a turn."""
    with table() as race, sync_playwright() as playwright:
        seat = play(race, ROUND, "gear")["asks"][0]["seat"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        pages = []
        for address, width in ((race.url, 1060), (race.links[seat], 360)):
            size = {"width": width, "height": HEIGHT}
            page = browser.new_context(
                locale="en-GB", viewport=size, reduced_motion="reduce"
            ).new_page()
            go_to(page, address)
            page.wait_for_timeout(END_MS)  # the board glides to its place
            pages.append(page)
        frames = film(*pages)
        browser.close()
    file = PICTURES / "turn.webp"
    first, *others = (picture for picture, _ in frames)
    stays = [stay for _, stay in frames]
    first.save(file, save_all=True, append_images=others, duration=stays, loop=0, quality=72)
    if (size := file.stat().st_size) > MOST:
        raise SystemExit(f"{file} has {size} bytes, more than {MOST}")
    print(f"{file}: {len(frames)} frames, {size} bytes")


if __name__ == "__main__":
    main()
