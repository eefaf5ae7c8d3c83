"""The list of the tests that may have a second try stays short, and true."""

from __future__ import annotations

import ast
from pathlib import Path

from conftest import second_tries

ROOT = Path(__file__).parent.parent
MOST = 12


def is_there(test: str) -> bool:
    """Whether a test stands in the file that its id names."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and any(
        isinstance(node, ast.FunctionDef) and node.name == name
        for node in ast.parse(path.read_text("utf-8")).body
    )


def test_few_tests_have_a_second_try_and_each_is_there_and_says_why() -> None:
    listed = second_tries()
    assert len(listed) <= MOST
    assert [test for test in listed if not is_there(test)] == []
    assert [test for test, why in listed.items() if len(why.split()) < 4] == []


def test_a_test_that_is_gone_is_found_in_the_list() -> None:
    assert not is_there("tests/test_second_tries.py::test_nothing")
    assert not is_there("tests/test_gone.py::test_nothing")
