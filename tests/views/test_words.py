"""The catalogues: up to date, complete, compiled as they stand, and each place in its place."""

from __future__ import annotations

import ast
import string
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path

import polib
import pytest
from msgfmt import compiled, read_catalogue
from support.each import holds_for_each

from companion.rules.formula.moves import why
from companion.views.words import LANGUAGES, fit, words, wrap
from companion.views.words.refusals import TEXTS, all_refusals, refusal_text

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "companion" / "locale"
TRANSLATED = pytest.mark.parametrize("language", [code for code in LANGUAGES if code != "en"])
SPOKEN = {"refuse", "Illegal", "Stale", "NoRace", "Forbidden"}
"""Refusals that a press can meet; malformed lines come from programs only."""


@cache
def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(LOCALE / language / "LC_MESSAGES" / "companion.po"))


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_the_catalogues_hold_exactly_the_messages_of_the_sources_translated() -> None:
    told = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "catalogues.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    status, wrong = told.returncode, told.stderr
    assert status == 0, f"make locale, and translate what it names\n{wrong}"


@TRANSLATED
def test_a_catalogue_is_compiled_as_it_was_written(language: str) -> None:
    source = LOCALE / language / "LC_MESSAGES" / "companion.po"
    assert compiled(read_catalogue(source.read_text("utf-8"))) == catalogue(language).to_binary()
    assert source.with_suffix(".mo").read_bytes() == catalogue(language).to_binary()


def test_what_has_no_translation_yet_is_not_compiled() -> None:
    po = 'msgid ""\nmsgstr "head\\n"\n\nmsgid "a"\nmsgid_plural "b"\nmsgstr[0] ""\nmsgstr[1] ""\n'
    assert read_catalogue(po) == {"": "head\n"}


@TRANSLATED
def test_a_translation_names_no_place_that_its_message_has_not(language: str) -> None:
    for entry in catalogue(language):
        known = places(entry.msgid) | places(entry.msgid_plural)
        for text in (entry.msgstr, *entry.msgstr_plural.values()):
            assert places(text) <= known, entry.msgid


def test_several_languages_are_spoken_at_once() -> None:
    assert (words("fr")("left"), words("en")("left")) == ("gauche", "left")


def test_a_language_that_nobody_has_is_english() -> None:
    assert words("xx")("left") == "left"


def test_a_message_without_translation_is_told_as_it_is() -> None:
    assert words("fr")("No such message {n}", n=3) == "No such message 3"


@pytest.mark.parametrize(("n", "told"), [(1, "1 case freinée"), (2, "2 cases freinées")])
def test_french_has_its_own_plural(n: int, told: str) -> None:
    assert words("fr").many("{n} space braked", "{n} spaces braked", n) == told


def test_a_text_is_cut_visibly_and_never_wider_than_its_place() -> None:
    assert fit("Anthony Noghès", 9) == "Anthony…"
    assert wrap("one two three four", 2, 7) == ("one two", "three…")


def keys_of_refusals() -> set[str]:
    """The keys that the sources refuse a press with."""
    found = set()
    for path in (ROOT / "companion").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if any(f"{one}(" in text for one in SPOKEN) else ():
            name = (
                node.func.id
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
                else ""
            )
            if name in SPOKEN and isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
    return found


def test_every_refusal_that_a_press_can_meet_has_its_words() -> None:
    keys = keys_of_refusals()
    assert "gear-too-high" in keys
    assert keys - all_refusals().keys() == set()


def fits_three_lines(text: str) -> None:
    lines = wrap(text, 3)
    assert not any("…" in line or len(line) > 21 for line in lines), lines


def test_a_refusal_fits_three_lines() -> None:
    def fits(language: str, key: str) -> None:
        args = dict.fromkeys(places(all_refusals()[key]), 12)
        fits_three_lines(refusal_text({"key": key, "args": args}, words(language)))

    holds_for_each(fits, product(LANGUAGES, all_refusals()))


def test_why_a_move_cannot_end_there_fits_three_lines() -> None:
    def fits(language: str, key: str) -> None:
        args = dict.fromkeys(places(why()[key]), 12)
        error = {"key": key, "args": args, "message": why()[key].format_map(args)}
        text = refusal_text(error, words(language))
        assert (text == error["message"]) == (language == "en")
        fits_three_lines(text)

    holds_for_each(fits, product(LANGUAGES, why()))


def test_a_refusal_without_words_or_arguments_is_told_in_english() -> None:
    say = words("fr")
    assert refusal_text({"key": "unheard-of", "message": "no"}, say) == "no"
    assert refusal_text({"key": "gear-too-high", "args": {}, "message": "no"}, say) == "no"


def keys_refused_in(folder: Path) -> set[str]:
    """The keys of all refusals that the sources of a room make, malformed lines included."""
    makers = {*SPOKEN, "Malformed", "_failed", "refused"}
    calls = [
        node
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", getattr(node.func, "attr", "")) in makers
    ]
    texts = [[a.value for a in call.args if isinstance(a, ast.Constant)] for call in calls]
    named = [[value for value in row if isinstance(value, str)] for row in texts]
    return {row[0] for row in named if row}


def test_everything_that_the_table_refuses_has_its_words() -> None:
    # What the disk does has its key from where it failed (`StorageError.key`).
    refused = keys_refused_in(ROOT / "companion" / "table") | TEXTS["failing"].keys()
    assert {"paused", "storage", "not-referee", "name-taken", "bad-value"} <= refused
    assert refused - set(all_refusals()) == set()


def test_a_refusal_without_words_is_found(tmp_path: Path) -> None:
    (tmp_path / "room.py").write_text('raise Illegal("never-heard-of", "no")')
    assert keys_refused_in(tmp_path) - set(all_refusals()) == {"never-heard-of"}
