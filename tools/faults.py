"""The list of faults in docs/reliability.md: what is done to the table, and by which tests.

`python tools/faults.py` writes it between its two marks, out of `pytest.mark.faults` of the tests,
in English and in French; with `--check` it only says whether it stands there. What was seen is
written by people above it.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from made import renew

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reliability.md"
FAULTS = tomllib.loads((ROOT / "tools" / "french.toml").read_text("utf-8"))["faults"]
PAGES: Mapping[Path, Mapping[str, str]] = {PAGE: {}, PAGE.with_suffix(".fr.md"): FAULTS}
"""Each page with its words; what has none there is said in English."""
MARK = "mark.faults"
BEGIN, END = "<!-- faults begin -->\n", "<!-- faults end -->\n"


def marked(tests: Path) -> Iterator[tuple[str, str]]:
    """Each fault that a test is marked with, and the module of the test; those of plugins too."""
    paths = [*tests.rglob("test_*.py"), *tests.parent.glob("plugins/*/tests/test_*.py")]
    for path in sorted(p for p in paths if MARK in p.read_text("utf-8")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(MARK):
                yield ast.literal_eval(node.args[0]), path.relative_to(home(path, tests)).as_posix()


def home(path: Path, tests: Path) -> Path:
    """What the name of a module begins after."""
    return tests if path.is_relative_to(tests) else tests.parent


def table(tests: Path, words: Mapping[str, str]) -> str:
    """A row a fault: how many tests, and where they are."""
    found: dict[str, list[str]] = {}
    for fault, module in marked(tests):
        found.setdefault(fault, []).append(module)
    rows = [("fault", "tests", "in"), ("---",) * 3]
    for fault, modules in sorted(found.items()):
        places = ", ".join(f"`{one}`" for one in sorted(set(modules)))
        rows.append((fault, str(len(modules)), places))
    return "".join(f"| {' | '.join(words.get(cell, cell) for cell in row)} |\n" for row in rows)


def renewed(page: str, made: str) -> str:
    """The page with this table between its marks."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{made}\n{END}{after}"


def renewed_pages() -> dict[Path, str]:
    """Each page as it should be."""
    texts = {page: page.read_text("utf-8") for page in PAGES}
    return {page: renewed(texts[page], table(ROOT / "tests", PAGES[page])) for page in PAGES}


if __name__ == "__main__":
    sys.exit(renew(renewed_pages()))
