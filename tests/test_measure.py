"""The figures of tools/measure.py: that they are counted as they say."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import pytest
from measure import ONE_RULE, QUEUE, fields, source_figures
from measure_graph import Module, modules
from measure_running import HEADER, answers_at, entered_at

# All of the source is read: seconds that `make check` need not wait for.
pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
SECOND_TRIES = ROOT / "tests" / "second_tries.toml"
SMALL_LINES = 40
SMALL_FOR_A_REASON = {
    "__init__.py": "opens a folder",
    "__main__.py": "is what `python -m` runs",
}
"""Files that may have fewer lines of code than SMALL_LINES, by what is in their path, and why."""


class Limit(NamedTuple):
    """What must not creep back: the most that a figure may be, and where it is to go."""

    most: float
    goal: float


LIMITS = {
    "files in circles of imports": Limit(0, 0),
    "loose modules in companion/": Limit(0, 0),
    "code files that name a switch, median": Limit(2, 2),
    "code files that name a switch, most": Limit(3, 3),
    "tracked files that name a switch, median": Limit(7, 7),
    "lines that import, a hundred of code": Limit(8.5, 8.5),
    "code files": Limit(220, 220),
    "code lines": Limit(46_500, 46_500),
    "small code files without a reason": Limit(4, 0),
    "files of the fullest folder": Limit(40, 40),
    "code lines of tools/": Limit(2700, 2700),
    "literals that are unpacked at once": Limit(2, 0),
}


SMALL = '''\
"""A docstring is no code."""

from typing import Any

JSON = dict[str, Any]


# -- nor a divider -----------------------------------


# nor is a comment
def change(data: JSON) -> Any:
    """Nor this."""
    return data
'''


@cache
def figures() -> dict[str, Any]:
    """Those of the source, read once."""
    return source_figures(ROOT)


def test_lines_are_counted_by_what_they_say() -> None:
    module = Module("companion/small.py", SMALL)
    assert module.code_lines == 4
    assert (module.import_lines, module.docstring_lines, module.comment_lines) == (1, 2, 1)


def test_what_is_unpacked_at_once_is_counted_and_no_other_star() -> None:
    text = 'f(*("a", "b"), *names)\nboth = [*[1, 2], *(n for n in names)]\n'
    assert Module("companion/small.py", text).unpackings == 2


def test_fields_are_those_of_each_instance() -> None:
    text = "class Setup:\n    kind: ClassVar[str] = ''\n    laps: int\n    wet: bool = False\n"
    assert fields([Module("companion/rules/formula/book.py", text)], "Setup") == 2


@pytest.mark.parametrize(
    ("line", "edits"),
    [
        ("flow.queue = []", 1),
        ("del self.queue[0]", 1),
        ("flow.queue[at] = step", 1),
        ("flow.queue.insert(1, step)", 1),
        ("flow.first(step)", 1),
        ("flow.due(step)", 0),
        ("print(flow.queue[0], other.first())", 0),
    ],
)
def test_only_what_changes_a_queue_at_a_place_is_counted(line: str, edits: int) -> None:
    assert len(QUEUE.findall(line)) == edits


def held() -> dict[str, float]:
    """The figures that LIMITS are held against."""
    found, whole = figures(), modules(ROOT)
    named = [len(files) for files in found["code files that name a switch"].values()]
    small = [module.path for module in whole if module.code_lines < SMALL_LINES]
    folders = Counter(module.path.rpartition("/")[0] for module in whole)
    return {
        "files in circles of imports": sum(map(len, found["circles of imports"])),
        "loose modules in companion/": len(found["loose modules in companion/"]),
        "code files that name a switch, median": median(named),
        "code files that name a switch, most": max(named),
        "tracked files that name a switch, median": median(
            found["tracked files that name a switch"].values()
        ),
        "lines that import, a hundred of code": found["lines that import, a hundred of code"],
        "code files": len(whole),
        "code lines": sum(module.code_lines for module in whole),
        "small code files without a reason": sum(
            not any(part in path for part in SMALL_FOR_A_REASON) for path in small
        ),
        "files of the fullest folder": max(folders.values()),
        "code lines of tools/": found["code lines of tools/"],
        "literals that are unpacked at once": found["literals that are unpacked at once"],
    }


@pytest.mark.slow
def test_what_was_taken_away_does_not_creep_back() -> None:
    assert {name: n for name, n in held().items() if n > LIMITS[name].most} == {}


def test_a_limit_is_never_under_its_goal() -> None:
    assert {name for name, limit in LIMITS.items() if limit.most < limit.goal} == set()


def test_a_version_is_told_in_sixty_lines_at_most() -> None:
    _, *versions = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")
    lengths = {v.split()[0]: sum(map(bool, v.splitlines())) for v in versions}
    assert {version: lines for version, lines in lengths.items() if lines > 60} == {}


@pytest.mark.skipif(not SECOND_TRIES.exists(), reason="no test has a second try by name")
def test_a_second_try_is_for_few_tests_and_each_has_its_reason() -> None:
    tries = tomllib.loads(SECOND_TRIES.read_text("utf-8"))
    assert len(tries) <= 40
    assert [test for test, reason in tries.items() if not reason] == []


def test_one_file_says_where_in_a_turn_a_step_goes() -> None:
    places = figures()["places that say where in a turn a step goes"]
    assert list(places) == ["companion/rules/formula/state.py"]


@pytest.mark.parametrize("rule", ONE_RULE)
def test_a_small_rule_is_named_in_five_files_at_most(rule: str) -> None:
    assert len(figures()["files that name one rule"][rule]) <= 5


def test_asks_are_made_once_and_events_applied_once() -> None:
    assert set(answers_at(ROOT).values()) == {1.0}


@pytest.mark.slow
def test_an_answer_over_http_passes_through_files_of_the_program(tmp_path: Path) -> None:
    found = dict(entered_at(ROOT, tmp_path))
    assert list(found) == ["gear", "roll", "move"]
    assert HEADER["track"] == "monaco"
    assert all("companion/race/engine.py" in files for files in found.values())
