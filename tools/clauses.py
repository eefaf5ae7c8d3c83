"""Makes docs/masters.md and its French page, what shows a clause, found by playing it; and the
drawings of the book of the table.

Each row keeps its article, what it is about and its rules. What shows it is looked for among the
scenarios: those by the pack itself (tests/scenarios/masters), those of a switch (clubs), and those
that say in a note which article they are ("# Masters 17-1"). Each is played by the pack, and is
named only if the table then stands as it says. The last sentence of a page counts them.
A drawing is the table as it stands where a scenario has been played up to a line of it
(`drawn` of companion/rules/book.toml): who stands where, and what is asked. They ship as
data, which the page of the book draws on the board.
`python tools/clauses.py --check` writes nothing and says whether all of it is as made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from made import renew
from support.scenarios.file import every_scenario, read_scenario
from support.scenarios.play import DRAWN, Play, Wrong, drawings

from companion.race.boards import PackLibrary

ROOT = Path(__file__).parents[1]
PACK = "Masters 2018"
PAGES = {"masters.md": "shown by", "masters.fr.md": "montré par"}
"""The pages, and how each says what shows a clause."""
FOLDERS = ("masters", "clubs", "formula-d")
ARTICLE = re.compile(r"(?<![\w-])\d+(?:-\d+)+(?![\w-])")
PLAYED = re.compile(r"\*\*(yes|oui)\*\*")


def holds(path: Path, pack: str = "") -> bool:
    """Whether the table stands as a scenario says, by the text of a pack; left out: the pack."""
    is_own = path.parent.name == "masters" and not pack
    try:
        Play(read_scenario(path, "" if is_own else pack or PackLibrary().packs()[PACK][1])).run()
    except (Wrong, ValueError):
        return False
    return True


class Shown:
    """The scenarios that hold by the pack, by the articles that they name."""

    def __init__(self) -> None:
        self.by_article: dict[str, list[str]] = {}
        self.wrong: list[str] = []
        """Those that say that they are of the pack and do not hold by it."""
        for folder in FOLDERS:
            for path in every_scenario():
                if path.parent.name == folder:
                    self._look_at(path)

    def _look_at(self, path: Path) -> None:
        said = " ".join(path.read_text("utf-8").split("\n\n")[0].split())
        articles = ARTICLE.findall(said) if "Masters" in said or "2018" in said else []
        if not articles:
            return
        if holds(path):
            for article in articles:
                self.by_article.setdefault(article, []).append(path.stem)
        elif "Masters" in said:
            self.wrong.append(f"{path.parent.name}/{path.stem}")

    def of(self, articles: str) -> str | None:
        """The scenario that shows a row, by its article or a part of that; None: none does."""
        return next((name for one in self._named(articles) for name in self.by_article[one]), None)

    def _named(self, articles: str) -> Iterator[str]:
        wholes = re.findall(r"(?<![\w-])\d+(?:-\d+)*(?![\w-])", articles)
        yield from (whole for whole in wholes if whole in self.by_article)
        for whole in wholes:
            yield from (one for one in self.by_article if one.startswith(f"{whole}-"))


def made(text: str, word: str, shown: Shown) -> str:
    """A page with what shows each row that is played."""
    lines = []
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and PLAYED.search(cells[2]):
            by, name = cells[3].split(f"; {word} `")[0], shown.of(cells[0])
            cells[3] = by if name is None else f"{by}; {word} `{name}`"
            line = f"| {' | '.join(cells)} |"
        lines.append(line)
    count = sum(f"; {word} `" in line for line in lines)
    return re.sub(r"(?m)^\d+(?= (of the|des) )", str(count), "\n".join(lines)) + "\n"


def texts(shown: Shown) -> dict[Path, str]:
    """The pages and the drawings as they should be."""
    pages = {ROOT / "docs" / name: word for name, word in PAGES.items()}
    texts = {page: made(page.read_text("utf-8"), word, shown) for page, word in pages.items()}
    return texts | {DRAWN: drawings()}


def main() -> int:
    """Make all of it, or (`--check`) say what is not as made."""
    shown = Shown()
    wrong = (f"tests/scenarios/{name}.txt does not hold by the pack" for name in shown.wrong)
    return renew(texts(shown), wrong)


if __name__ == "__main__":
    sys.exit(main())
