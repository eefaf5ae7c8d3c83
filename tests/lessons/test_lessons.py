"""The tutorial's positions: the engine agrees with every one of them."""

from __future__ import annotations

import pytest

from companion.lessons import SEAT, Lesson, all_lessons, judge, posed
from companion.rules.games import rule_titles
from companion.views.words import LANGUAGES

LESSONS = all_lessons()
EACH = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)


def test_a_whole_first_race_is_there_and_no_two_show_the_same_rule() -> None:
    """FD-START-4, FD-CORNER-2, FD-CORNER-4, FD-BRAKE-1, FD-BLOCK-1, FD-BUMP-1, FD-ENGINE-1,
    FD-DEBRIS-2, FD-SLIP-2, FD-PIT-2, FD-END-1, FD-TIRE-1, FD-CORNER-6,
    DF-BID-1, DF-BID-6, DF-BET-1, DF-PAY-1"""
    rules = {lesson.rule for lesson in LESSONS}
    assert len(LESSONS) == len(rules) == len({lesson.id for lesson in LESSONS}) == 26
    whole = test_a_whole_first_race_is_there_and_no_two_show_the_same_rule.__doc__ or ""
    assert {rule.strip() for rule in whole.split(",")} <= rules


def test_four_are_of_the_basic_game_and_cost_its_points() -> None:
    """FD-BASIC-4, FD-BASIC-5, FD-BASIC-6, FD-BASIC-8"""
    basic = [lesson for lesson in LESSONS if "basic" in lesson.rules]
    assert sorted(lesson.rule[-1] for lesson in basic) == ["4", "5", "6", "8"]
    for lesson in basic[1:]:
        costs = [judge(lesson, choice).loses for choice in range(3)]
        assert {name for cost in costs for name in cost} == {"points"}


@EACH
def test_the_rule_of_a_position_is_one_of_the_book(lesson: Lesson) -> None:
    assert lesson.rule.startswith("DF-" if lesson.game == "downforce" else "FD-")
    assert lesson.rule in rule_titles()


@EACH
def test_the_position_asks_the_learner_what_its_keys_answer(lesson: Lesson) -> None:
    assert [one.kind for one in posed(lesson).open if one.seat == SEAT] == [lesson.kind]
    assert len(lesson.choices) == 3


@EACH
def test_the_engine_calls_the_one_right_answer_right_and_all_others_wrong(lesson: Lesson) -> None:
    verdicts = [judge(lesson, choice) for choice in range(len(lesson.choices))]
    assert [one.right for one in verdicts] == [n == lesson.right for n in range(len(verdicts))]
    assert verdicts[lesson.right].loses == lesson.loses


@EACH
def test_a_wrong_answer_breaks_a_rule_or_has_its_price(lesson: Lesson) -> None:
    wrong = [judge(lesson, choice) for choice in range(3) if choice != lesson.right]
    told = [
        one.rules or one.loses or one.is_risky or lesson.becomes or not one.legal for one in wrong
    ]
    assert all(told)
    if lesson.track is not None:
        assert any(lesson.rule in one.rules or one.legal for one in wrong)


@EACH
def test_a_position_says_in_every_language_what_it_is_what_holds_and_what_to_do(
    lesson: Lesson,
) -> None:
    assert set(lesson.words) == set(LANGUAGES)
    for words in lesson.words.values():
        more = set() if lesson.track else {"choices"}
        assert set(words) == {"title", "says", "do"} | more
        assert all(words.values())
        assert len(words.get("choices", lesson.choices)) == len(lesson.choices)


def test_a_choice_that_is_not_there_has_no_verdict() -> None:
    with pytest.raises(IndexError):
        judge(LESSONS[0], 3)
