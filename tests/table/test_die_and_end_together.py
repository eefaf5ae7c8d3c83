"""One touch gives the die and where the car ended: two answers, accepted and undone as one."""

from __future__ import annotations

from typing import Any

from support.tables.sitting import REFEREE, Sitting, phone

BACK = {"table": "take-back", "seat": 1}
ROLL = {"seat": 1, "roll": 2}


def rolling(sitting: Sitting) -> dict[str, Any]:
    """A race in which seat 1 has to say what its die shows; the answer of an end of a 2."""
    sitting.begins(3)
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    end = sitting.accepts(phone(1), ROLL)["asks"][0]["options"][0]["to"]
    sitting.accepts(phone(1), BACK)
    return {"seat": 1, "move": {"to": end, "brakes": 0}}


def touch(*answers: Any) -> dict[str, Any]:
    return {"table": "touch", "seat": 1, "value": list(answers)}


def asked(sitting: Sitting) -> list[tuple[int, str]]:
    return [(ask["seat"], ask["kind"]) for ask in sitting.state.asks]


def test_both_answers_stand_in_the_record_and_one_undo_takes_both_back(sitting: Sitting) -> None:
    end = rolling(sitting)
    before = sitting.state.version
    sitting.accepts(phone(1), touch({**ROLL, "version": before}, end))
    assert (sitting.state.version, asked(sitting)) == (before + 2, [(2, "gear")])
    last = sitting.accepts(REFEREE, {"answers": 2})["answers"]
    assert [line["kind"] for line in last] == ["move", "roll"]
    sitting.accepts(phone(1), BACK)
    assert asked(sitting) == [(1, "roll")]


def test_a_touch_is_undone_whole_after_a_restart_too(sitting: Sitting) -> None:
    sitting.accepts(phone(1), touch(ROLL, rolling(sitting)))
    again = Sitting(sitting.journal)
    assert again.everything() == sitting.everything()
    again.accepts(phone(1), BACK)
    assert asked(again) == [(1, "roll")]


def test_of_a_list_that_is_refused_nothing_counts(sitting: Sitting) -> None:
    end = rolling(sitting)
    far = {"seat": 1, "move": {"to": "T3.l1", "brakes": 0}}
    for answers in ((ROLL, far), ({**ROLL, "roll": 9}, end), (ROLL, end, end), (end, ROLL)):
        assert sitting.refuses(phone(1), touch(*answers))
    stale = touch({**ROLL, "version": 1}, end)
    assert sitting.refuses(phone(1), stale) == "stale"
    assert asked(sitting) == [(1, "roll")]


def test_a_touch_is_for_its_own_seat_and_of_answers_alone(sitting: Sitting) -> None:
    end = rolling(sitting)
    assert sitting.refuses(phone(2), touch(ROLL, end)) == "other-seat"
    for value in ([], "no", [ROLL, {"undo": 1}], [ROLL] * 5, [ROLL, {"seat": 2, "gear": 1}], [3]):
        assert sitting.refuses(phone(1), touch() | {"value": value}) == "bad-value", value


def test_a_die_that_the_companion_throws_is_in_no_touch(sitting: Sitting) -> None:
    sitting.begins(3, dice={"seats": [1]})
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    end = {"seat": 1, "move": {"to": "S1.l13", "brakes": 0}}
    assert sitting.refuses(phone(1), touch(ROLL, end)) == "thrown-die"
