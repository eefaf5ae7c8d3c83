"""The tests of the rules can fail: each fault of mutants.toml turns one of them red."""

from __future__ import annotations

from itertools import product

import pytest
from mutations import ROOT, BadMutant, Laboratory, Mutant, read_mutants
from support.each import few_now, holds_for_each

MUTANTS = read_mutants()
EVERY = 10
MIXED = sorted(MUTANTS, key=lambda mutant: MUTANTS.index(mutant) % EVERY)
"""From all over the list, so that the first ones are of different chapters."""
FEWEST = 20
HERE = "tests/test_mutations.py"


@pytest.fixture(scope="module")
def laboratory() -> Laboratory:
    return Laboratory()


@pytest.mark.slow
@pytest.mark.parametrize("mutant", few_now(MIXED, 7), ids=lambda mutant: mutant.name)
def test_a_fault_in_the_rules_turns_a_test_red(mutant: Mutant, laboratory: Laboratory) -> None:
    assert laboratory.caught_by(mutant)


@pytest.mark.slow
@pytest.mark.long
def test_without_a_fault_the_same_tests_are_green(laboratory: Laboratory) -> None:
    tests = {test for mutant in MUTANTS for test in mutant.tests}
    files = {test for test in tests if "::" not in test}
    for some in (files, tests - files):
        assert laboratory.first_failure(tuple(sorted(some)), "as it is") is None


def test_each_fault_can_be_built_in() -> None:
    def can_be_built_in(mutant: Mutant) -> None:
        mutant.built_into((ROOT / mutant.file).read_text("utf-8"))
        assert all((ROOT / test.partition("::")[0]).exists() for test in mutant.tests)

    holds_for_each(can_be_built_in, product(MUTANTS))


def test_there_are_enough_faults_and_no_two_have_one_name() -> None:
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= FEWEST


@pytest.mark.parametrize("old", ["nowhere", "e"])
def test_what_is_not_there_once_is_no_fault(old: str) -> None:
    with pytest.raises(BadMutant, match="times, not once"):
        Mutant("a fault", "rules.py", old, "other", ()).built_into("three e: e e")


@pytest.mark.slow
@pytest.mark.parametrize("tests", [(HERE + "::nowhere",), ("tests/nowhere.py",)])
def test_tests_that_do_not_run_are_no_answer(tests: tuple[str, ...]) -> None:
    with pytest.raises(BadMutant, match="did not run"):
        Laboratory().first_failure(tests, "without a test")
