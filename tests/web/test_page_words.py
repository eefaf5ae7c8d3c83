"""What pages and scripts say: in one language each, with every name that a script looks up."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from support.each import in_one

from companion.views.words import LANGUAGES, words
from companion_web.assets import STATIC, join_scripts, messages_in
from companion_web.pages import groups, names_of

TEMPLATES = STATIC.parent / "templates"
PAGES = {
    path: entry
    for path in TEMPLATES.rglob("*.html")
    for entry in re.findall(r"filename='([\w-]+\.js)', lang=language", path.read_text("utf-8"))
}


@cache
def joined(entry: str) -> str:
    """The script of a page in English, made once for all tests."""
    return join_scripts(STATIC, entry)


@in_one("path", PAGES, ids=lambda path: path.name)
def test_a_page_hands_over_the_names_that_its_script_looks_up(path: Path) -> None:
    told = re.search(r"{% set groups = \[(.*)\] %}", path.read_text("utf-8"))
    wanted = set(re.findall(r'\bnamed\("(\w+)"', joined(PAGES[path])))
    assert set(re.findall(r"\w+", told[1] if told else "")) == wanted
    assert wanted <= groups().keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_a_script_is_joined_in_the_language_of_its_page(language: str) -> None:
    say = words(language)
    for entry in set(PAGES.values()):
        texts = messages_in(joined(entry))
        assert messages_in(join_scripts(STATIC, entry, say)) == [say(text) for text in texts]


def test_what_a_script_says_is_a_literal_that_the_catalogues_find() -> None:
    """A text in other quotes would stay English; one that is made elsewhere is filled in here."""
    for path in STATIC.rglob("*.js"):
        said = re.findall(r"\bsay\(\s*(.)", path.read_text("utf-8"))
        assert not {"'", "`"} & set(said), path.name


def test_names_come_in_the_language_of_the_page() -> None:
    assert names_of("fr", ["color"])["color"]["red"] == words("fr")("red")
    assert list(names_of("en", ["wear", "die"])) == ["wear", "die"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_tires_are_told_apart_by_their_letter(language: str) -> None:
    """A tower has room for one: « pneus durs » and « pneus tendres » begin alike."""
    letters = words(language)("H S R").split(" ")
    assert len(set(letters)) == 3
    assert all(len(letter) == 1 for letter in letters)
