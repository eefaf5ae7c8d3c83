"""The summary of the fault bench."""

from __future__ import annotations

from pathlib import Path

import pytest
from faults import FAULTS, PAGE, PAGES, marked, renewed, table
from support.tables.fault_bench import fault_lines


def test_a_fault_that_was_not_taken_well_is_to_mend_whatever_else_passed() -> None:
    told = [("a pulled plug", "passed"), ("a pulled plug", "failed"), ("noise", "error")]
    assert list(fault_lines(told)) == [
        "TO MEND   a pulled plug (1 failed, 1 passed)",
        "TO MEND   noise (1 error)",
    ]


def test_a_fault_that_nobody_could_try_is_not_called_held() -> None:
    (line,) = fault_lines([("kill -9", "skipped")])
    assert line.startswith("not tried")


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
@pytest.mark.slow
def test_the_page_lists_every_fault_that_is_tried(path: Path) -> None:
    """`python tools/faults.py` renews it."""
    page = path.read_text("utf-8")
    assert page == renewed(page, table(Path(__file__).parent, PAGES[path]))


def test_every_fault_has_its_french_and_no_other() -> None:
    faults = {fault for fault, _ in marked(Path(__file__).parent)}
    assert FAULTS.keys() - {"fault", "in"} == faults


def test_a_new_fault_is_missed_by_the_page(tmp_path: Path) -> None:
    test = "import pytest\n\n@pytest.mark.faults('a flood')\ndef test_it(): ...\n"
    (tmp_path / "test_water.py").write_text(test)
    made = table(tmp_path, {})
    assert "| a flood | 1 | `test_water.py` |" in made
    assert renewed(PAGE.read_text("utf-8"), made) != PAGE.read_text("utf-8")
