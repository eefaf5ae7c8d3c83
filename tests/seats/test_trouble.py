"""Every trouble that a driver or the disk can tell of has its words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

import pytest

from companion.seats.plan import SeatTrouble, Troubled
from companion.views.model import Ailing, Trouble
from companion.views.words import words
from companion.views.words.refusals import TEXTS, trouble_text
from race_companion_pods.ports import _MEANINGS

COMPANION = Path(__file__).parents[2] / "companion"
KEY_AT = {"Trouble": 0, "SeatTrouble": 1, "PortLost": 1}
"""Where the key stands among the arguments."""


def is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def keys(source: str) -> Iterator[str]:
    """The keys that are written out in a source, and those of classes of troubles."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            rest = node.args[KEY_AT.get(node.func.id, len(node.args)) :]
            yield from (one.value for one in rest[:1] if is_text(one))
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "key":
            yield from (one.value for one in ast.walk(node.value) if is_text(one))


@pytest.mark.slow
def test_every_trouble_of_a_driver_or_the_disk_has_its_words() -> None:
    rooms = ("seats", "app", "journal", "table")
    sources = [path for room in rooms for path in (COMPANION / room).rglob("*.py")]
    sources += COMPANION.parent.glob("plugins/*/race_companion_*/*.py")
    known = {key for path in sources for key in keys(path.read_text("utf-8"))}
    known |= {key for key, _ in _MEANINGS.values()}
    assert {"old-firmware", "no-library", "driver-failed", "port-lost", "silent"} <= known
    told = {key for table in ("troubles", "failing", "missing", "warnings") for key in TEXTS[table]}
    assert known - told == set()


def test_a_trouble_without_words_is_found() -> None:
    assert list(keys('Trouble("never-heard-of")')) == ["never-heard-of"]


def test_the_message_for_the_log_names_what_the_page_does_not() -> None:
    trouble = SeatTrouble("/dev/gpiochip0 is held", "button-unread", n=2).trouble
    assert str(trouble) == "/dev/gpiochip0 is held"
    assert trouble_text(Ailing("buttons", trouble), words("en")) == (
        "buttons: button 2 cannot be read"
    )
    assert Troubled("something").trouble.key == "failed"


def test_a_key_without_its_arguments_is_told_all_the_same() -> None:
    told = trouble_text(Ailing("pod", Trouble("old-firmware")), words("en"))
    assert told == "pod: has failed"
