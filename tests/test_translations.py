"""No translated page goes stale unseen: it has what its original has, part by part.

Words differ, and so does the order within a sentence. What must not differ is counted, from one
heading to the next: headings by their level, blocks of code without their remarks, words in code,
links, pictures, items of lists, rows of tables, and every number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import zip_longest
from pathlib import Path

import pytest
from help_pages import ROOT, Anchors, name_of, parse, sources
from markdown_it.token import Token
from support.each import in_one

PAGES = sources(ROOT)
TEXTS = {name: path.read_text("utf-8") for name, path in PAGES.items()}
TRANSLATED = sorted(name for name in PAGES if not name.endswith(".en"))
SAYS = {"en": "In English", "fr": "En français", "de": "Auf Deutsch"}

ROOMS = ("companion", "web", "plugins", "tests", "tools", "benchmarks", "docs", "hardware")
MODULE = re.compile(r"(?<![\w/*.])[\w/]*\w\.py\b")
"""A file of ours by its path, or by the end of it."""

Part = Counter[tuple[str, str]]
"""What stands between two headings: how often which thing, by its kind."""


@cache
def anchors() -> Anchors:
    """The headings of all pages: a second to read, so not where tests are collected."""
    return Anchors({name: parse(text) for name, text in TEXTS.items()})


def differences(page: str, text: str) -> list[str]:
    """What a translation has otherwise than its original, a sentence a thing."""
    original = parts(f"{page.partition('.')[0]}.en")
    found = []
    for number, (was, now) in enumerate(zip_longest(original, parts(page, text))):
        for few, one, other in (("lacks", was, now), ("has besides", now, was)):
            more = (one or Counter()) - (other or Counter())
            found += [f"{page}, part {number}, {few} {kind} {it!r}" for kind, it in more]
    return found


@cache
def parts(page: str, text: str | None = None) -> list[Part]:
    """A page from heading to heading, told as what can be counted."""
    found: list[Part] = [Counter()]
    lines = (text or TEXTS[page]).splitlines()
    for token in parse("\n".join(line for line in lines if line != languages_line(page))):
        if token.type == "heading_open":
            found.append(Counter())
        found[-1].update(things(page, token))
    return found


def things(page: str, token: Token) -> Iterator[tuple[str, str]]:
    """What of a token holds in every language."""
    if token.type in ("heading_open", "list_item_open", "tr_open", "td_open", "th_open"):
        yield token.type, token.tag
    elif token.type in ("code_block", "fence"):
        yield from (("code", line) for line in without_remarks(token.content))
    for inner in token.children or ():
        if inner.type == "code_inline":
            yield "code", inner.content
        elif inner.type in ("link_open", "image"):
            yield "link", leads_to(page, str(inner.attrs.get("href") or inner.attrs["src"]))
        yield from (("number", number) for number in numbers(page, inner))


def without_remarks(code: str) -> Iterator[str]:
    for line in code.splitlines():
        if kept := re.sub(r"(^|\s+)#( .*)?$", "", line).rstrip():
            yield kept


def numbers(page: str, token: Token) -> list[str]:
    """The numbers of a text, as English writes them.

    >>> numbers("page.fr", Token("text", "", 0, content="1 320 à 4,5 %"))
    ['1320', '4.5']
    """
    if token.type != "text":
        return [n for inner in token.children or () for n in numbers(page, inner)]
    thousands, decimal = {"en": (",", "."), "fr": (" ", ","), "de": (".", ",")}[page[-2:]]
    text = re.sub(rf"(?<=\d)[{thousands} \u00a0\u202f](?=\d{{3}}(?!\d))", "", token.content)
    return re.findall(r"\d+(?:\.\d+)*", re.sub(rf"(?<=\d){re.escape(decimal)}(?=\d)", ".", text))


def leads_to(page: str, to: str) -> str:
    """Where a link leads, the language apart."""
    file, _, anchor = to.partition("#")
    target = name_of(Path(file)) if file else page
    if target in PAGES:
        return f"{target[:-3]}#{anchors().id_of(target, anchor)}"
    return re.sub(r"-(en|fr|de)-", "-", to)


def languages_line(page: str) -> str:
    """The line below a title that leads to the same page in the other languages."""
    siblings = {tag: PAGES.get(f"{page[:-3]}.{tag}") for tag in SAYS if not page.endswith(tag)}
    links = (f"[{SAYS[tag]}]({path.name})" for tag, path in siblings.items() if path)
    return f"*{' · '.join(links)}*"


@pytest.mark.parametrize("page", TRANSLATED)
@pytest.mark.slow
def test_a_translation_has_what_its_original_has(page: str) -> None:
    assert differences(page, TEXTS[page]) == []


@in_one("page", [page for page in PAGES if languages_line(page) != "**"])
def test_a_page_leads_to_itself_in_every_other_language(page: str) -> None:
    assert f"\n\n{languages_line(page)}\n\n" in TEXTS[page]


@in_one("page", TRANSLATED)
def test_a_translation_leads_to_translations_where_there_are_any(page: str) -> None:
    text = TEXTS[page].replace(languages_line(page), "")
    targets = {name_of(Path(to)) for to in re.findall(r"\]\(([^)#]*\.md)", text)}
    in_english = {target[:-3] for target in targets if target.endswith(".en")}
    assert {stem for stem in in_english if f"{stem}.{page[-2:]}" in PAGES} == set()


@pytest.mark.parametrize("page", ["index.fr", "index.de"])
def test_the_first_page_says_which_pages_are_in_english(page: str) -> None:
    for line in TEXTS[page].splitlines():
        if line.startswith("- "):
            own = re.findall(r"\]\(\S*\.(?:fr|de)\.md\)", line)
            assert ("*(en)*" in line) == (len(own) < line.count("](")), line


STALE: dict[str, Callable[[str], str]] = {
    "a heading": lambda text: text.replace("\n## ", "\n### ", 1),
    "a number in a table": lambda text: text.replace("| 4 ", "| 5 ", 1),
    "a row": lambda text: text.replace("| 4 | ", "| 4 |\n| ", 1),
    "a command": lambda text: text.replace("    make ", "    makes ", 1),
    "a word in code": lambda text: text.replace("`", "`x", 1),
    "a link": lambda text: text.replace("](wiring", "](pods", 1),
    "a list": lambda text: text.replace("\n- ", "\n", 1),
    "a part": lambda text: text + "\n## Once more\n",
}


@pytest.mark.parametrize("fault", STALE)
@pytest.mark.slow
def test_what_is_not_in_the_original_is_named(fault: str) -> None:
    spoilt = [(page, STALE[fault](text)) for page, text in TEXTS.items() if page in TRANSLATED]
    changed = [(page, text) for page, text in spoilt if text != TEXTS[page]]
    assert changed
    for page, text in changed:
        assert set(differences(page, text)) - set(differences(page, TEXTS[page]))


def test_a_remark_in_a_block_of_code_may_be_translated() -> None:
    assert [*without_remarks("a = 1   # one\n# two\nurl#part")] == ["a = 1", "url#part"]


def test_every_module_that_a_page_names_is_there() -> None:
    """A chapter is moved or merged; what a page says of it must not lead to nothing."""
    files = [path.as_posix() for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    files += [path.as_posix() for path in ROOT.glob("*.py")]
    pages = [ROOT / "CONTRIBUTING.md", ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    named = {
        (page.name, name) for page in pages for name in MODULE.findall(page.read_text("utf-8"))
    }
    assert sorted(it for it in named if not any(f.endswith(f"/{it[1]}") for f in files)) == []
