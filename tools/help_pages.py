"""The pages at `/help`, out of docs/*.md: `make site`. A wheel gets them when it is built.

A page is a fragment of HTML, which the table puts into its own frame: no generator's scripts and
fonts come along, which the pages' Content-Security-Policy would not let run. markdown-it is needed
here only: a table that is asked for a page reads a file.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise
from os.path import normpath
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
INTO = ROOT / "web" / "companion_web" / "help"
PICTURES = {".png", ".svg", ".webp", ".json", ".csv"}
"""What a page may show or offer beside it."""


class DeadLink(Exception):
    """A page leads to something that is not there."""


def build(root: Path, into: Path) -> None:
    """Make all pages of a copy of the sources anew.

    Raises:
        DeadLink: a page leads to a file or a heading that is not there.
    """
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    sources = {name_of(path): path for path in _sources(root)}
    read = {name: _parse(path) for name, path in sources.items()}
    anchors = {name: _number_headings(tokens) for name, tokens in read.items()}
    titles: dict[str, dict[str, str]] = {}
    for name, tokens in sorted(read.items()):
        page, language = name.split(".")
        titles.setdefault(page, {})[language] = _title(tokens)
        for kind, token in _links(tokens):
            to = str(token.attrs[kind])
            token.attrs[kind] = _leads_to(root, sources[name], to, anchors, into)
        html = _MARKDOWN.renderer.render(tokens, _MARKDOWN.options, {})
        (into / f"{name}.html").write_text(_without_dead(html), "utf-8")
    (into / "titles.json").write_text(json.dumps(titles, ensure_ascii=False, indent=1) + "\n")


def name_of(path: Path) -> str:
    """The name of a page and its language.

    >>> name_of(Path("docs/evening.fr.md")), name_of(Path("CONTRIBUTING.md"))
    ('evening.fr', 'contributing.en')
    """
    stem, _, language = path.stem.lower().partition(".")
    return f"{stem}.{language or 'en'}"


def _sources(root: Path) -> Iterator[Path]:
    yield root / "CONTRIBUTING.md"
    yield from sorted((root / "docs").glob("*.md"))


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def _parse(path: Path) -> list[Token]:
    return _MARKDOWN.parse(re.sub(r"<!--.*?-->", "", path.read_text("utf-8"), flags=re.DOTALL))


def _number_headings(tokens: list[Token]) -> set[str]:
    """Give each heading its id, as the sites that show Markdown do; all of them."""
    found: dict[str, int] = {}
    for token, text in pairwise(tokens):
        if token.type == "heading_open":
            slug = re.sub(r"[^\w\- ]", "", text.content.lower()).replace(" ", "-")
            count = found.get(slug, 0)
            found[slug] = count + 1
            token.attrs["id"] = f"{slug}-{count}" if count else slug
    return {str(token.attrs["id"]) for token in tokens if "id" in token.attrs}


def _title(tokens: list[Token]) -> str:
    heading = next(n for n, token in enumerate(tokens) if token.type == "heading_open")
    return tokens[heading + 1].content


def _links(tokens: list[Token]) -> Iterator[tuple[str, Token]]:
    """Every link and picture, with the attribute that says where it leads."""
    for token in (inner for outer in tokens for inner in outer.children or ()):
        if token.type == "link_open":
            yield "href", token
        elif token.type == "image":
            token.attrs["loading"] = "lazy"
            yield "src", token


def _leads_to(root: Path, page: Path, to: str, anchors: dict[str, set[str]], into: Path) -> str:
    """Where a link of the sources leads at `/help`; nothing, where that is not among the pages."""
    if re.match(r"[a-z]+:", to):
        return to
    file, _, anchor = to.partition("#")
    target = Path(normpath(page.parent / file)) if file else page
    name = name_of(target)
    if target.suffix == ".md" and name in anchors:
        if anchor and anchor not in anchors[name]:
            raise DeadLink(f"{page.name} leads to {to}, which has no such heading")
        address, _, language = name.partition(".")
        address = "/help" if address == "index" else f"/help/{address}"
        asked = "" if language == "en" else f"?lang={language}"
        return f"{address}{asked}" + (f"#{anchor}" if anchor else "")
    if not target.exists():
        raise DeadLink(f"{page.name} leads to {to}, which is not there")
    if target.suffix not in PICTURES:
        return ""
    beside = Path("files") / target.relative_to(root)
    (into / beside).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target, into / beside)
    return f"/help/{beside}"


def _without_dead(html: str) -> str:
    """Links to what only the sources have are text here; and what no page may have: own styles."""
    html = re.sub(r'<a href="">(.*?)</a>', r"\1", html, flags=re.DOTALL)
    return re.sub(r' style="text-align:(\w+)"', r' class="\1"', html)


def main() -> None:
    """Make the pages of these sources."""
    parser = argparse.ArgumentParser(description="The pages at /help.")
    parser.add_argument("--into", type=Path, default=INTO)
    build(ROOT, parser.parse_args().into)


if __name__ == "__main__":
    main()
