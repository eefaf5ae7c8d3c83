"""Every scenario of tests/scenarios is a test; and a scenario that is wrong is found out."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from rules import ids_in
from support.downforce.walk import RULES as VARIANTS
from support.each import holds_for_each
from support.formula.street import DRIVERS
from support.scenarios.file import every_scenario, read_scenario
from support.scenarios.play import Play, Wrong

from companion.rules.downforce.tables import HOUSE
from companion.rules.formula.book import FORMULA_D, FORMULE_DE, Edition

STORY = """\
Nothing: a story to be spoiled.

formula-d on monaco, 2 laps
debris: S6.r3
Ana: on S6.m4, gear 2
Ben: on S2.m1, gear 4

Ana gear 2, roll 2
= Ana may move: S6.m6, S6.m5 brakes 1 (brakes 1)
Ana move S6.m6
= Ana: on S6.m6, gear 2, brakes 3
= race: race, dry, debris S6.r3, turn Ben, order Ana Ben
= asked: Ben gear
= told: Moved Ana spaces 2
= not told: Overshot
= in all 1: DieRolled Ana
Ben gear 6 -- refused FD-GEAR-2
"""


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", every_scenario(), ids=name_of)
def test_the_table_stands_as_the_scenario_says(path: Path) -> None:
    Play(read_scenario(path)).run()


@pytest.fixture(scope="module")
def headers() -> list[dict[str, Any]]:
    """What the races of all scenarios are like."""
    return [read_scenario(path).header for path in every_scenario()]


def test_a_scenario_names_a_rule_and_something_that_must_hold() -> None:
    def names(path: Path) -> None:
        scenario = read_scenario(path)
        assert ids_in(path.read_text("utf-8")) != []
        assert scenario.refused or any(line.text.startswith("=") for line in scenario.lines)

    holds_for_each(names, product(every_scenario()))


@pytest.mark.parametrize("edition", [FORMULA_D, FORMULE_DE], ids=lambda edition: edition.name)
def test_every_option_and_house_switch_has_its_scenario(
    headers: list[dict[str, Any]], edition: Edition
) -> None:
    told = [header for header in headers if header["game"] == edition.name]
    options = {rule for header in told for rule in header.get("rules", [])}
    switches = {name for header in told for name in header.get("house", {})}
    lacking = {*edition.optional_rules, *edition.house} - options - switches - {"soft_second_lap"}
    assert lacking == set(), f"no scenario under tests/scenarios plays {edition.name} with it"
    assert any("soft_second_lap" in header.get("house", {}) for header in headers)


def test_every_variant_of_downforce_has_its_scenario(headers: list[dict[str, Any]]) -> None:
    told = [header for header in headers if header["game"] == "downforce"]
    assert {rule for header in told for rule in header.get("rules", [])} >= set(VARIANTS)
    assert {name for header in told for name in header.get("house", {})} == set(HOUSE)


def test_every_driver_has_a_scenario(headers: list[dict[str, Any]]) -> None:
    seats = [seat for header in headers for seat in header["seats"]]
    assert {seat["driver"] for seat in seats if "driver" in seat} == set(DRIVERS)


def tell(folder: Path, *spoiled: str) -> None:
    """Play the story, with one thing (the first) said otherwise (the second)."""
    story = STORY.replace(*spoiled) if spoiled else STORY
    assert not spoiled or story != STORY, f"the story does not say {spoiled[0]!r}"
    path = folder / "a-story.txt"
    path.write_text(story, "utf-8")
    Play(read_scenario(path)).run()


def test_the_story_is_sound(tmp_path: Path) -> None:
    tell(tmp_path)


@pytest.mark.parametrize(
    ("said", "instead", "told"),
    [
        ("gear 2, brakes 3", "gear 2, brakes 2", ["line 11", "brakes said: 2", "brakes is:   3"]),
        ("= Ana: on S6.m6", "= Ana: on S6.m5", ["space said: S6.m5", "space is:   S6.m6"]),
        ("move: S6.m6,", "move: S6.m6 (tires 1),", ["not on offer: S6.m6 (tires 1)", "S6.m6, "]),
        ("may move: S6.m6, S6.m5 brakes 1 (brakes 1)", "may not move: S6.m6", ["is on offer"]),
        ("may move: S6.m6, S6.m5 brakes 1 (brakes 1)", "may only move: S6.m6", ["options is:"]),
        ("may move: S6.m6, S6.m5 brakes 1 (brakes 1)", "may gear: 2", ["is not asked for gear"]),
        ("race, dry", "race, raining", ["raining said: True"]),
        ("race, dry", "finished, dry", ["phase said: finished", "phase is:   race"]),
        ("debris S6.r3, turn", "no debris, turn", ["debris is:   S6.r3"]),
        ("turn Ben", "turn Ana", ["turn said: Ana", "turn is:   Ben"]),
        ("order Ana Ben", "order Ben Ana", ["order said: Ben, Ana"]),
        ("asked: Ben gear", "asked: Ana gear", ["asked said: Ana gear", "asked is:   Ben gear"]),
        ("Ana spaces 2", "Ana spaces 3", ["not told: Moved Ana spaces 3", "'spaces': 2"]),
        ("not told: Overshot", "not told: Moved", ["told: Moved"]),
        ("in all 1", "in all 2", ["DieRolled Ana said: 2"]),
        ("refused FD-GEAR-2", "refused FD-GEAR-3", ["refused by FD-GEAR-3", "FD-GEAR-2"]),
        ("Ben gear 6 --", "Ben gear 5 --", ["is accepted"]),
        ("Ana move S6.m6", "Ana move S6.m7", ["line 10", "is refused"]),
        ("gear 2, roll 2", "gear 2, roll two", ["line 8", "cannot be understood"]),
        ("2 laps", "12 laps", ["the race is refused"]),
    ],
)
def test_a_wrong_word_fails_and_says_what_is_so(
    tmp_path: Path, said: str, instead: str, told: list[str]
) -> None:
    with pytest.raises(Wrong) as wrong:
        tell(tmp_path, said, instead)
    assert [part for part in told if part not in str(wrong.value)] == [], str(wrong.value)


def test_all_that_differs_is_told_at_once(tmp_path: Path) -> None:
    with pytest.raises(Wrong, match=r"(?s)brakes said: 2.*turn said: Ana"):
        tell(tmp_path, "brakes 3\n= race: race, dry, debris S6.r3, turn Ben",
             "brakes 2\n= race: race, dry, debris S6.r3, turn Ana")  # fmt: skip


@pytest.mark.parametrize(
    ("said", "instead", "told"),
    [
        ("gear 4\n", "gear 4, wet\n", "line 6: nothing is known of a car that is 'wet'"),
        ("formula-d on monaco, 2 laps", "formula-d at monaco", "line 3: a race reads"),
        (STORY[STORY.index("\nformula-d") :], "", "each a part"),
    ],
)
def test_a_story_that_cannot_be_read_says_where(
    tmp_path: Path, said: str, instead: str, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        tell(tmp_path, said, instead)
