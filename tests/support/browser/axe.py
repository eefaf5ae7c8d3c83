"""What axe-core finds wrong with a page. The npm package comes inside a Python one."""

from __future__ import annotations

from importlib.resources import files

from playwright.sync_api import Page

AXE = files("axe_playwright_python") / "axe.min.js"
RUN = """axe.run({ resultTypes: ["violations"], preload: false })
    .then((told) => told.violations)"""
"""No style sheet is fetched again: the one rule that reads them is not among the usual ones."""


def violations(page: Page) -> list[str]:
    """A line for each rule that the page breaks: its impact, its id and the elements."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate(RUN)
    return [
        f"{one['impact']} {one['id']}: " + " ".join(str(node["target"]) for node in one["nodes"])
        for one in found
    ]
