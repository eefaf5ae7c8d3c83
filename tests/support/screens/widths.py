"""What fits where on a seat's screen, and every page that a seat can turn to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.views.dialog import press, screen, view_of
from companion.views.model import Scene, SeatView
from companion.views.screen import HOME, Dialog
from companion.views.words import HINT_COLUMNS, KEY_COLUMNS, LINE_COLUMNS

BESIDE_A_CODE = 10
FARTHEST = 8
"""Stepping a place along the whole lap, or a number, is a few pages, not hundreds."""
ENTERED = 2
"""Of a car that is built all pages look alike: so many figures are tried after one another."""
DRAFTED, MOST_DRAFTS = ("so far", "order", "overshoot"), 12
"""Pages of which there are thousands (a report half entered): so many of each are tried."""
MEANT = ("brake…", "place…", "freiner…", "case…", "name…", "nom…", "own…", "libre…")
MEANT += ("over…", "dép…", "and…", "et…", "über…", "und…", "frei…", "Name…", "Feld…", "Bremse…")
"""Keys to another page, which end in dots because they do."""


def pages(scene: Scene, seat: int) -> Iterator[tuple[Dialog, SeatView]]:
    """Every page that a seat can turn to, its menu too."""
    queue = [HOME, press(scene, seat, HOME, 6, True)[0]]
    drafts: Counter[str] = Counter()
    for dialog in queue:
        page = screen(scene, seat, dialog)
        yield dialog, view_of(scene, seat, page)
        for choice in page.choices:
            then = choice and not choice.does and choice.then
            near = then and then.number < FARTHEST and len(then.picked) <= ENTERED
            if then and near and then not in queue:
                drafts[then.page] += 1
                if then.page not in DRAFTED or drafts[then.page] <= MOST_DRAFTS:
                    queue.append(then)


def too_wide(view: SeatView) -> list[str]:
    """The texts that do not fit their places."""
    room = BESIDE_A_CODE if view.qr else LINE_COLUMNS
    texts = [(line, room) for line in view.lines]
    texts.append((view.title, 2 * BESIDE_A_CODE if view.qr else LINE_COLUMNS))
    texts += [(pip.name, HINT_COLUMNS) for pip in view.pips]
    texts += [(key.label, KEY_COLUMNS) for key in view.keys if key]
    texts += [(key.hint, HINT_COLUMNS) for key in view.keys if key]
    return [text for text, columns in texts if len(text) > columns]


def cut(view: SeatView) -> list[str]:
    """The texts that had to be cut although no name in them is long."""
    texts = [view.title, *view.lines, *(part for k in view.keys if k for part in (k.label, k.hint))]
    return [text for text in texts if text.endswith("…") and text not in MEANT]


def cut_on_phone(view: SeatView) -> list[str]:
    """What a phone would show with something missing: it has room for all of it."""
    lines = view.lines if view.tells is None else view.tells
    texts = [view.asks or view.title, *lines]
    texts += [text for k in view.keys if k for text in (k.full or k.label, k.says or k.hint)]
    return [text for text in texts if "…" in text and text not in MEANT and text[:-2] not in MEANT]
