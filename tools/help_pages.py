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
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from os.path import normpath
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
INTO = ROOT / "web" / "companion_web" / "help"
SWITCHES = "companion/rules/formula/switches.toml"
FOR_SWITCHES = "<!-- switches -->"
"""Where a page has the table of them."""
PICTURES = {".png", ".svg", ".webp", ".json", ".csv"}
"""What a page may show or offer beside it."""


class DeadLink(Exception):
    """A page leads to something that is not there."""


class Anchors(dict[str, dict[str, str]]):
    """The headings of each page: the name that its own language makes of one, and the id it has.

    The id is that of the original, so a link to a part of a page leads there in every language; a
    translation that has other headings keeps its own until somebody brings it up to date.
    """

    def __init__(self, pages: dict[str, list[Token]]) -> None:
        names = {page: list(_heading_names(tokens)) for page, tokens in pages.items()}
        for page, own in names.items():
            ids = names.get(f"{page.partition('.')[0]}.en", own)
            self[page] = dict(zip(own, ids if len(ids) == len(own) else own, strict=True))

    def id_of(self, page: str, anchor: str) -> str | None:
        """The id that a link's anchor means; None where the page has no such heading."""
        return self[page].get(unquote(anchor))


def build(root: Path, into: Path) -> None:
    """Make all pages of a copy of the sources anew.

    Raises:
        DeadLink: a page leads to a file or a heading that is not there.
    """
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    pages = sources(root)
    texts = {name: path.read_text("utf-8") for name, path in pages.items()}
    read = {name: parse(_with_switches(root, text)) for name, text in texts.items()}
    anchors = Anchors(read)
    titles: dict[str, dict[str, str]] = {}
    for name, tokens in sorted(read.items()):
        page, language = name.split(".")
        if language == "fr":
            _set_in_french(tokens)
        titles.setdefault(page, {})[language] = _title(tokens)
        headings = (token for token in tokens if token.type == "heading_open")
        for heading, number in zip(headings, anchors[name].values(), strict=True):
            heading.attrs["id"] = number
        for kind, token in _links(tokens):
            to = str(token.attrs[kind])
            token.attrs[kind] = _leads_to(root, pages[name], to, anchors, into)
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


def sources(root: Path) -> dict[str, Path]:
    """Every page by its name, as `name_of` tells it."""
    paths = [root / "CONTRIBUTING.md", *sorted((root / "docs").glob("*.md"))]
    return {name_of(path): path for path in paths}


def _with_switches(root: Path, text: str) -> str:
    if FOR_SWITCHES not in text:
        return text
    table = switches(tomllib.loads((root / SWITCHES).read_text("utf-8")))
    return text.replace(FOR_SWITCHES, "\n".join(table))


def switches(known: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """The house switches as rows of a table, out of what their file says of them."""
    yield "| switch | values | rule | whose clause | kind | editions |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, one in known.items():
        values = ", ".join(_value(*row) for row in one["values"])
        notes = [values, *([one["note"]] if "note" in one else [])]
        notes += [f"with {_words(own)} no `{other}` {_words(values)}: {why}"
                  for own, other, values, why in one.get("clashes", ())]  # fmt: skip
        notes += [f"{edition}: `{value}`" for edition, value in one.get("usual", {}).items()]
        editions = " ".join(one.get("editions", ("formula-d",)))
        cells = (f"`{name}`", "; ".join(notes), one.get("rule", ""), one.get("source", ""),
                 str(one.get("kind", "")), editions)  # fmt: skip
        yield f"| {' | '.join(cells)} |"


def _value(name: str, label: str, says: str, note: str = "") -> str:
    return f"`{name}` ({note})" if note else f"`{name}`"


def _words(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")


def parse(text: str) -> list[Token]:
    """What a page is made of; without its comments."""
    return _MARKDOWN.parse(re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL))


def _heading_names(tokens: list[Token]) -> Iterator[str]:
    """A name for each heading, as the sites that show Markdown make them; all of them differ."""
    found: dict[str, int] = {}
    for token, text in pairwise(tokens):
        if token.type == "heading_open":
            slug = re.sub(r"[^\w\- ]", "", text.content.lower()).replace(" ", "-")
            count = found.get(slug, 0)
            found[slug] = count + 1
            yield f"{slug}-{count}" if count else slug


_UNITS = "mm|cm|m|ms|s|V|volts|mA|k?Ω|[kKMG]o|[KM]io|px|euros"
_UNBROKEN = rf" (?=[:;?!%»])|(?<=«) |(?<=\d) (?=(?:{_UNITS})\b)"


def _set_in_french(tokens: list[Token]) -> None:
    """No break before : ; ? ! % and units, nor within « »; apostrophes as they are printed."""
    for token in (inner for outer in tokens for inner in outer.children or ()):
        if token.type == "text":
            text = re.sub(_UNBROKEN, "\N{NO-BREAK SPACE}", token.content)
            token.content = text.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")


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


def _leads_to(root: Path, page: Path, to: str, anchors: Anchors, into: Path) -> str:
    """Where a link of the sources leads at `/help`; nothing, where that is not among the pages."""
    if re.match(r"[a-z]+:", to):
        return to
    file, _, anchor = to.partition("#")
    target = Path(normpath(page.parent / file)) if file else page
    name = name_of(target)
    if target.suffix == ".md" and name in anchors:
        heading = anchors.id_of(name, anchor)
        if anchor and not heading:
            raise DeadLink(f"{page.name} leads to {to}, which has no such heading")
        return _address(name, name_of(page), anchors) + (f"#{heading}" if anchor else "")
    if not target.exists():
        raise DeadLink(f"{page.name} leads to {to}, which is not there")
    if target.suffix not in PICTURES:
        return ""
    beside = Path("files") / target.relative_to(root)
    (into / beside).parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(target, into / beside)
    return f"/help/{beside}"


def _address(name: str, reader: str, pages: Iterable[str]) -> str:
    """The address of a page; with its language, where the reader of another would not get it.

    >>> _address("evening.en", "index.en", ["evening.en", "evening.fr"])
    '/help/evening'
    >>> _address("evening.en", "evening.fr", ["evening.en", "evening.fr"])
    '/help/evening?lang=en'
    """
    page, _, language = name.partition(".")
    address = "/help" if page == "index" else f"/help/{page}"
    would_get = f"{page}.{reader.partition('.')[2]}"
    is_as_asked = language == "en" and (would_get == name or would_get not in pages)
    return address if is_as_asked else f"{address}?lang={language}"


def _without_dead(html: str) -> str:
    """Links to what only the sources have are text here; `[ ]` is a box to tick, on paper too.

    No page may have styles of its own.
    """
    html = re.sub(r'<a href="">(.*?)</a>', r"\1", html, flags=re.DOTALL)
    html = html.replace("<li>[ ] ", '<li class="task">')
    return re.sub(r' style="text-align:(\w+)"', r' class="\1"', html)


def main() -> None:
    """Make the pages of these sources."""
    parser = argparse.ArgumentParser(description="The pages at /help.")
    parser.add_argument("--into", type=Path, default=INTO)
    build(ROOT, parser.parse_args().into)


if __name__ == "__main__":
    main()
