"""What is said at the table, and what comes of it."""

from __future__ import annotations

from random import Random

import pytest
from support.each import few_now
from support.tables.sitting import REFEREE, ListJournal, Sitting, phone, race_header

from companion.table.ports import Caller
from companion.table.screens import make_scene
from companion.views.dialog import choices
from companion.views.model import Agree


def test_every_answer_goes_to_the_journal_with_its_time_and_who_gave_it(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(Caller(seat=1, by="seat"), {"seat": 1, "gear": 1, "version": 1})
    sitting.accepts(REFEREE, {"seat": 1, "roll": 2})
    assert sitting.journal.lines("race-0")[1:] == [
        {"at": 2.0, "by": "seat", "seat": 1, "gear": 1},
        {"at": 3.0, "by": "referee", "seat": 1, "roll": 2},
    ]


def test_the_host_answers_for_anybody_and_the_record_says_so(sitting: Sitting) -> None:
    sitting.begins()
    sitting.goes_on(3)
    assert sitting.state.asks[0]["seat"] == 2
    sitting.accepts(phone(1), {"seat": 2, "gear": 1})
    assert sitting.journal.lines("race-0")[-1]["by"] == "host"


def test_another_seat_answers_for_itself_only(sitting: Sitting) -> None:
    sitting.begins()
    assert sitting.refuses(phone(2), {"seat": 1, "gear": 1}) == "other-seat"


def test_the_last_one_that_races_may_end_it_from_its_own_seat(sitting: Sitting) -> None:
    sitting.begins(3)
    sitting.accepts(REFEREE, {"seat": 1, "retire": True})
    assert sitting.refuses(phone(2), {"end": True}, pressed=True) == "not-host"
    sitting.accepts(REFEREE, {"seat": 3, "retire": True})
    assert sitting.refuses(phone(3), {"end": True}, pressed=True) == "not-host"
    assert sitting.refuses(phone(2), {"end": True}) == "not-host", "on its own screen only"
    sitting.accepts(phone(2), {"end": True}, pressed=True)
    assert sitting.state.is_over


def test_whoever_is_out_may_be_the_steward(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(3), {"seat": 3, "retire": True})
    assert sitting.refuses(phone(3), {"seat": 1, "gear": 1}) == "other-seat"
    sitting.accepts(phone(3), {"seat": 1, "gear": 1}, pressed=True)
    assert sitting.journal.lines("race-0")[-1]["by"] == "host"
    assert sitting.refuses(phone(3), {"seat": 1, "retire": True}, pressed=True) == "other-seat"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ({"undo": 1}, "not-referee"),
        ({"correct": {"weather": "rain"}, "reason": "wet"}, "not-referee"),
        ({"seat": 1, "return": True}, "not-referee"),
        ({"amend": 1, "value": 1}, "not-referee"),
        ({"seat": 1, "replay": True}, "not-referee"),
        ({"new": {}}, "not-host"),
        ({"end": True}, "not-host"),
        ({"note": "hello"}, "not-host"),
        ({"table": "close"}, "not-host"),
        ({"seat": 1, "retire": True}, "other-seat"),
    ],
)
def test_what_is_the_referees_is_refused_to_a_seat(
    sitting: Sitting, line: dict[str, object], key: str
) -> None:
    sitting.begins()
    sitting.goes_on(1)
    assert sitting.refuses(phone(2), line) == key


@pytest.mark.parametrize(
    "line",
    [
        {"seat": 1, "gear": 1, "at": 5},
        {"seat": 1, "gear": 1, "by": "referee"},
        {"seat": 1, "gear": 1, "result": []},
        {"quit": True},
        {"table": ["pause"]},
        {"table": {"seat": 1}},
        {"table": "dance"},
        {"table": "language", "seat": 1, "value": ["en"]},
        {"table": "preset", "seat": [], "gear": 1},
        {"note": ""},
        {"note": 7},
        {"amend": True, "value": 1},
        {"amend": 9, "value": 1},
        {"undo": "all"},
        {"undo": 99, "preview": True},
        {"new": "monaco"},
        {"new": {"game": "formula-d", "track": "nowhere", "seats": []}},
        {"table": "open", "value": "nothing"},
        {"table": "propose", "seat": 1, "space": "X9"},
        {"table": "agree", "seat": 1, "yes": True},
        {},
        {"seat": 7, "gear": 1},
    ],
)
def test_a_line_that_makes_no_sense_is_refused_and_changes_nothing(
    sitting: Sitting, line: dict[str, object]
) -> None:
    sitting.begins()
    sitting.goes_on(1)
    sitting.refuses(REFEREE, line)


def test_without_a_race_an_answer_is_refused(sitting: Sitting) -> None:
    assert sitting.refuses(REFEREE, {"seat": 1, "gear": 1}) == "no-race"


def test_a_paused_race_takes_no_answers_until_it_is_resumed(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(3), {"table": "pause", "seat": 3})
    assert sitting.refuses(phone(1), {"seat": 1, "gear": 1}) == "paused"
    assert sitting.refuses(phone(1), {"table": "take-back", "seat": 1}) == "paused"
    sitting.accepts(phone(1), {"table": "resume", "seat": 1})
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})


def test_a_seat_takes_its_last_answer_back_and_is_offered_it_again(sitting: Sitting) -> None:
    sitting.begins()
    before = sitting.race.state
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    sitting.accepts(phone(1), {"table": "take-back", "seat": 1})
    assert sitting.race.state == before
    assert sitting.race.old == {(1, "gear"): [1]}
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    assert sitting.race.old == {}


def test_what_somebody_has_acted_on_cannot_be_taken_back(sitting: Sitting) -> None:
    sitting.begins()
    sitting.goes_on(4)
    assert sitting.refuses(phone(1), {"table": "take-back", "seat": 1}) == "acted-on"


def test_nothing_can_be_taken_back_before_the_first_answer(sitting: Sitting) -> None:
    sitting.begins()
    assert sitting.refuses(phone(1), {"table": "take-back", "seat": 1}) == "nothing-to-take-back"


def test_rolling_at_the_same_time_is_not_acting_on_another_roll(sitting: Sitting) -> None:
    header = race_header()
    del header["grid"]
    sitting.accepts(REFEREE, {"new": header})
    for seat, roll in ((1, 12), (2, 5)):
        sitting.accepts(phone(seat), {"seat": seat, "black": roll})
    sitting.accepts(phone(1), {"table": "take-back", "seat": 1})
    assert {ask["seat"] for ask in sitting.state.asks} == {1, 3}
    assert sitting.race.old == {(1, "black"): [12]}


def test_a_gear_set_early_is_answered_when_it_is_asked(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": 1})
    sitting.goes_on(3)
    assert [(ask["seat"], ask["kind"]) for ask in sitting.state.asks] == [(2, "roll")]
    assert sitting.race.preset == {}
    assert sitting.journal.lines("race-0")[-1] == {
        "at": sitting.at,
        "by": "companion",
        "seat": 2,
        "gear": 1,
    }


def test_a_gear_set_early_that_is_not_legal_is_dropped_with_a_word(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": 4})
    sitting.goes_on(3)
    assert [(ask["seat"], ask["kind"]) for ask in sitting.state.asks] == [(2, "gear")]
    assert sitting.race.preset == {}
    assert sitting.race.words[2].rule == "FD-GEAR-1"


def test_a_gear_set_early_for_a_turn_that_a_great_start_makes_without_one_is_dropped(
    sitting: Sitting,
) -> None:
    header = race_header(2)
    del header["start"]
    sitting.accepts(REFEREE, {"new": header})
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": 1})
    sitting.accepts(phone(1), {"seat": 1, "black": 10})
    sitting.goes_on(3)
    sitting.accepts(phone(2), {"seat": 2, "black": 20})
    sitting.goes_on(1)
    assert sitting.race.given[-1].key == (2, "move")
    assert sitting.race.preset == {}
    while sitting.state.asks[0]["seat"] != 2:
        sitting.goes_on(1)
    assert sitting.state.asks[0]["kind"] == "gear"


def test_a_gear_set_early_can_be_forgotten(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": 1})
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": None})
    sitting.goes_on(3)
    assert sitting.state.asks[0]["kind"] == "gear"


def test_a_gear_that_came_by_itself_keeps_nobody_from_taking_back(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": 1})
    sitting.goes_on(3)
    sitting.accepts(phone(1), {"table": "take-back", "seat": 1})
    assert [(ask["seat"], ask["kind"]) for ask in sitting.state.asks] == [(1, "move")]
    assert sitting.race.preset == {2: 1}


def test_an_amended_answer_keeps_the_later_ones_that_still_hold(sitting: Sitting) -> None:
    sitting.begins()
    for line in ({"gear": 1}, {"roll": 1}, {"move": {"to": "S1.l17", "brakes": 0}}):
        sitting.accepts(phone(1), {"seat": 1, **line})
    sitting.accepts(phone(2), {"seat": 2, "gear": 1})
    reply = sitting.accepts(REFEREE, {"amend": 2, "value": {"to": "S1.m17", "brakes": 0}})
    assert reply["kept"] == 1
    assert sitting.race.state["cars"]["1"]["space"] == "S1.m17"
    assert [(ask["seat"], ask["kind"]) for ask in sitting.state.asks] == [(2, "roll")]


def test_after_an_amendment_the_first_answer_that_no_longer_holds_is_asked_again(
    sitting: Sitting,
) -> None:
    sitting.begins()
    for line in ({"gear": 1}, {"roll": 1}, {"move": {"to": "S1.l17", "brakes": 0}}):
        sitting.accepts(phone(1), {"seat": 1, **line})
    sitting.accepts(phone(2), {"seat": 2, "gear": 1})
    reply = sitting.accepts(REFEREE, {"amend": 3, "value": 2})
    assert reply["kept"] == 0
    assert [(ask["seat"], ask["kind"]) for ask in sitting.state.asks] == [(1, "move")]
    assert sitting.race.old == {
        (1, "move"): [{"to": "S1.l17", "brakes": 0}],
        (2, "gear"): [1],
    }


def test_a_preview_of_an_amendment_tells_what_was_asked_what_stays_and_what_is_asked_again(
    sitting: Sitting,
) -> None:
    sitting.begins()
    for line in ({"gear": 1}, {"roll": 1}, {"move": {"to": "S1.l17", "brakes": 0}}):
        sitting.accepts(phone(1), {"seat": 1, **line})
    sitting.accepts(phone(2), {"seat": 2, "gear": 1})
    before = sitting.everything()
    asked = sitting.accepts(REFEREE, {"amend": 3, "preview": True})["asked"]
    assert (asked["seat"], asked["kind"], asked["options"]) == (1, "roll", [1, 2])
    reply = sitting.accepts(REFEREE, {"amend": 3, "value": 2, "preview": True})
    assert reply["kept"] == 0
    assert [(one["seat"], one["kind"]) for one in reply["dropped"]] == [(1, "move"), (2, "gear")]
    assert [(ask["seat"], ask["kind"]) for ask in reply["asks"]] == [(1, "move")]
    assert sitting.everything() == before
    assert sitting.refuses(REFEREE, {"amend": 3, "value": 9, "preview": True}) == (
        "face-out-of-range"
    )


def test_the_last_answers_are_told_newest_first_with_who_gave_them(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    sitting.accepts(REFEREE, {"seat": 1, "roll": 2})
    sitting.accepts(REFEREE, {"seat": 3, "retire": True, "reason": "tired"})
    told = sitting.accepts(REFEREE, {"answers": 5})["answers"]
    assert [(one["seat"], one["kind"], one["by"]) for one in told] == [
        (3, None, "referee"), (1, "roll", "referee"), (1, "gear", "phone"),
    ]  # fmt: skip
    assert [one["value"] for one in told[1:]] == [2, 1]
    assert len(sitting.accepts(REFEREE, {"answers": 1})["answers"]) == 1


@pytest.mark.parametrize("most", [0, 101, True, "3", None])
def test_so_many_last_answers_cannot_be_told(sitting: Sitting, most: object) -> None:
    sitting.begins()
    assert sitting.refuses(REFEREE, {"answers": most}) == "bad-value"


def test_the_last_answers_are_for_the_referee_to_see(sitting: Sitting) -> None:
    sitting.begins()
    assert sitting.refuses(phone(1), {"answers": 5}) == "not-referee"


def test_an_amendment_of_a_race_that_has_gone_on_is_stale(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    version = sitting.state.version
    sitting.accepts(phone(1), {"seat": 1, "roll": 2})
    assert sitting.refuses(REFEREE, {"amend": 1, "value": 1, "version": version}) == "stale"
    sitting.accepts(REFEREE, {"amend": 1, "value": 1, "version": sitting.state.version})


def test_an_amendment_that_is_not_legal_changes_nothing(sitting: Sitting) -> None:
    sitting.begins()
    sitting.goes_on(6)
    assert sitting.refuses(REFEREE, {"amend": 5, "value": 9}) == "face-out-of-range"


def test_a_referees_line_cannot_be_amended(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(REFEREE, {"seat": 3, "retire": True, "reason": "tired"})
    assert sitting.refuses(REFEREE, {"amend": 1, "value": 1}) == "not-an-answer"


def turned(sitting: Sitting, seat: int, roll: int) -> None:
    """A seat engages 1st and rolls."""
    sitting.accepts(phone(seat), {"seat": seat, "gear": 1})
    sitting.accepts(phone(seat), {"seat": seat, "roll": roll})


def test_where_lever_and_die_disagree_the_lever_counts_and_it_is_rolled_again(
    sitting: Sitting,
) -> None:
    """Competition rules of 2018, 6-3-1: points that were struck come back with all the rest."""
    cars = {"1": {"space": "S6.r3", "gear": 5, "lap": 1}, "2": {"space": "S1.m18", "gear": 2}}
    sitting.begins(2, position={"cars": cars, "order": [1, 2], "turn": 1, "debris": ["S6.r4"]})
    sitting.accepts(phone(1), {"seat": 1, "gear": 2})
    rolling = sitting.race.state
    sitting.accepts(phone(1), {"seat": 1, "roll": 3})
    sitting.accepts(phone(1), {"seat": 1, "move": {"to": "S6.r6", "brakes": 0}})
    sitting.accepts(phone(1), {"seat": 1, "black": 1})
    assert sitting.race.state["cars"]["1"]["wear"]["handling"] == 1
    sitting.accepts(REFEREE, {"seat": 1, "replay": True})
    assert sitting.race.state == rolling
    assert sitting.race.old[1, "roll"] == [3]


def test_a_gear_set_early_stays_set_where_a_turn_is_replayed(sitting: Sitting) -> None:
    sitting.begins(2)
    turned(sitting, 1, 2)
    sitting.accepts(phone(2), {"table": "preset", "seat": 2, "gear": 1})
    while sitting.state.asks[0]["seat"] == 1:
        sitting.goes_on(1)
    assert (sitting.state.asks[0]["seat"], sitting.state.asks[0]["kind"]) == (2, "roll")
    sitting.accepts(REFEREE, {"seat": 1, "replay": True})
    assert (sitting.state.asks[0]["seat"], sitting.state.asks[0]["kind"]) == (1, "roll")
    assert sitting.race.preset == {2: 1}


def test_nothing_is_replayed_once_another_has_rolled_or_where_nobody_has(sitting: Sitting) -> None:
    """6-3-1: unless the next player has rolled."""
    sitting.begins(2)
    assert sitting.refuses(REFEREE, {"seat": 1, "replay": True}) == "nothing-to-take-back"
    turned(sitting, 1, 2)
    while sitting.state.asks[0]["seat"] == 1:
        sitting.goes_on(1)
    sitting.accepts(phone(2), {"seat": 2, "gear": 1})
    sitting.accepts(phone(2), {"seat": 2, "roll": 1})
    assert sitting.refuses(REFEREE, {"seat": 1, "replay": True}) == "rolled-since"


def test_undo_can_be_looked_at_before_it_is_done(sitting: Sitting) -> None:
    sitting.begins()
    sitting.goes_on(2)
    before = sitting.everything()
    reply = sitting.accepts(REFEREE, {"undo": 2, "preview": True})
    assert [line["by"] for line in reply["undone"]] == ["phone", "phone"]
    assert reply["asks"][0]["kind"] == "gear"
    assert sitting.everything() == before


def test_a_car_stands_elsewhere_once_another_seat_agrees(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(1), {"seat": 1, "gear": 1})
    sitting.accepts(phone(1), {"seat": 1, "roll": 2})
    sitting.accepts(phone(1), {"table": "propose", "seat": 1, "space": "S1.m20", "from": 1})
    assert sitting.race.proposal.proposer == 1
    assert sitting.race.proposal.error["key"] == "move-too-far"
    assert sitting.refuses(phone(1), {"table": "agree", "seat": 1, "yes": True}) == (
        "needs-another-seat"
    )
    sitting.accepts(phone(2), {"table": "agree", "seat": 2, "yes": True})
    car = sitting.race.state["cars"]["1"]
    assert (car["space"], car["lap"]) == ("S1.m20", 1)
    assert sitting.race.proposal is None
    assert sitting.state.asks[0]["seat"] == 2
    line = sitting.journal.lines("race-0")[-1]
    assert "S1.m20" in line["reason"]


def test_on_a_board_that_is_a_sketch_an_end_near_the_listed_ones_needs_nobody_to_agree(
    sitting: Sitting,
) -> None:
    cars = {"1": {"space": "S2.m3", "gear": 2, "lap": 1}, "2": {"space": "S2.m1", "gear": 1}}
    sitting.begins(2, track="spa", position={"cars": cars, "order": [1, 2], "turn": 1})
    sitting.accepts(phone(1), {"seat": 1, "gear": 2})
    sitting.accepts(phone(1), {"seat": 1, "roll": 3})
    sitting.accepts(phone(1), {"table": "propose", "seat": 1, "space": "S2.m8", "from": 1})
    assert sitting.race.proposal is None
    assert sitting.race.state["cars"]["1"]["space"] == "S2.m8"
    assert sitting.journal.lines("race-0")[-1]["move"] == {"to": "S2.m8", "brakes": 0}


def test_who_says_where_a_car_stands_sees_a_key_to_drop_it_the_others_to_agree(
    sitting: Sitting,
) -> None:
    sitting.begins()
    sitting.accepts(phone(1), {"table": "propose", "seat": 1, "space": "S1.m20", "from": 1})
    scene = make_scene(sitting.state, {}, lambda seat: "")
    offered = {
        seat: {intent for choice in choices(scene, seat) if choice for intent in choice.does}
        for seat in (1, 2)
    }
    assert offered == {1: {Agree(False)}, 2: {Agree(True), Agree(False)}}


def test_a_car_in_a_corner_that_stands_elsewhere_in_it_makes_its_stop(sitting: Sitting) -> None:
    cars = {"1": {"space": "T1.l1", "gear": 2, "lap": 1}, "2": {"space": "S1.m10", "gear": 1}}
    sitting.begins(2, position={"cars": cars, "order": [1, 2], "turn": 1})
    sitting.accepts(phone(1), {"seat": 1, "gear": 2})
    sitting.accepts(phone(1), {"seat": 1, "roll": 2})
    sitting.accepts(phone(1), {"table": "propose", "seat": 1, "space": "T1.l4", "from": 1})
    sitting.accepts(phone(2), {"table": "agree", "seat": 2, "yes": True})
    car = sitting.race.state["cars"]["1"]
    assert (car["space"], car["stops"], car["lap"]) == ("T1.l4", 1, 1)


def test_a_proposal_can_be_dropped_by_anybody(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(1), {"table": "propose", "seat": 1, "space": "S1.m20", "from": 1})
    sitting.accepts(phone(1), {"table": "agree", "seat": 1, "yes": False})
    assert sitting.race.proposal is None


@pytest.mark.parametrize(("space", "key"), [("S1.r16", "space-taken"), ("S1.l99", "no-such-space")])
def test_a_car_cannot_stand_where_another_does_or_nothing_is(
    sitting: Sitting, space: str, key: str
) -> None:
    sitting.begins()
    line = {"table": "propose", "seat": 1, "space": space, "from": 1}
    assert sitting.refuses(phone(1), line) == key


def test_several_races_wait_and_are_resumed_by_name(sitting: Sitting) -> None:
    sitting.begins(2)
    sitting.goes_on(5)
    first = sitting.race.state
    sitting.begins(3)
    sitting.goes_on(4)
    version = sitting.state.version
    (waiting,) = sitting.state.waiting()
    assert waiting.name == "monaco: Ana, Bob"
    sitting.accepts(REFEREE, {"table": "open", "value": "monaco: Ana, Bob"})
    assert sitting.race.state == first
    assert sitting.state.version > version
    assert all(ask["since"] > version for ask in sitting.state.asks)
    assert [race.name for race in sitting.state.waiting()] == ["monaco: Ana, Bob, Cleo"]
    sitting.goes_on(2)


def test_two_races_of_the_same_people_wait_under_two_names(sitting: Sitting) -> None:
    for _ in range(3):
        sitting.begins(2)
    sitting.accepts(REFEREE, {"table": "close"})
    assert sorted(race.name for race in sitting.state.waiting()) == [
        "monaco: Ana, Bob",
        "monaco: Ana, Bob (2)",
        "monaco: Ana, Bob (3)",
    ]


def test_a_race_is_set_up_from_the_seats_and_started(sitting: Sitting) -> None:
    sitting.accepts(phone(4), {"table": "join", "seat": 4, "value": None})
    sitting.accepts(phone(2), {"table": "join", "seat": 2, "value": "Bob"})
    sitting.accepts(phone(4), {"table": "laps", "seat": 4, "value": 1})
    assert sitting.state.host == 4
    sitting.accepts(phone(4), {"table": "start", "seat": 4})
    assert sitting.race.seats == (4, 2)
    assert sitting.race.state["laps"] == 1
    assert sitting.refuses(phone(4), {"table": "join", "seat": 4}) == "race-runs"


def test_when_a_race_is_over_joining_opens_the_next_lobby_as_last_time(sitting: Sitting) -> None:
    sitting.begins(2)
    sitting.accepts(REFEREE, {"end": True})
    assert sitting.refuses(phone(1), {"table": "laps", "seat": 1, "value": 99}) == "bad-value"
    sitting.accepts(phone(1), {"table": "same", "seat": 1})
    assert sitting.state.race is None
    assert sitting.state.lobby.joined == {1: "Ana", 2: "Bob"}


def test_each_seat_has_its_language(sitting: Sitting) -> None:
    sitting.begins()
    sitting.accepts(phone(2), {"table": "language", "seat": 2, "value": "fr"})
    assert sitting.state.languages == {2: "fr"}
    assert sitting.refuses(phone(2), {"table": "language", "seat": 2, "value": "xx"}) == "bad-value"


@pytest.mark.parametrize("seed", few_now(range(4), 4, quick=[0]))
def test_a_walk_with_undo_amend_retire_pause_and_restarts_comes_back_as_it_was(seed: int) -> None:
    dice, sitting = Random(seed), Sitting()
    sitting.begins(4, laps=1)
    for step in range(160):
        _something(sitting, dice)
        if step % 20 == 0:
            again = Sitting(sitting.journal)
            assert again.everything() == sitting.everything()
            sitting.state = again.state


def _something(sitting: Sitting, dice: Random) -> None:
    """One thing that people do at a table; some of them are refused, and change nothing."""
    seat = dice.randint(1, 4)
    lines = [
        {"undo": dice.randint(1, 4)},
        {"amend": dice.randint(1, 6), "value": dice.choice([1, 2, 5, 12, {"to": "S1.l20"}])},
        {"table": "preset", "seat": seat, "gear": dice.randint(1, 6)},
        {"table": "take-back", "seat": seat},
        {"table": dice.choice(["pause", "resume", "resume"]), "seat": seat},
        {"table": "propose", "seat": seat, "space": "S2.m4", "from": seat},
        {"table": "agree", "seat": seat, "yes": dice.random() < 0.5},
        {"note": "a note"},
    ]
    if dice.random() < 0.02:
        lines = [{"seat": seat, "retire": True}, {"seat": seat, "return": True}]
    if dice.random() < 0.3 or not sitting.state.asks:
        line = dice.choice(lines)
    else:
        line = sitting.sensible(dice.choice(sitting.state.asks), dice)
    before, version = sitting.everything(), sitting.state.version
    if sitting.says(REFEREE, line).status != 200:
        assert (sitting.everything(), sitting.state.version) == (before, version)


def test_a_race_that_no_longer_holds_waits_and_the_table_says_so() -> None:
    sitting = Sitting(ListJournal())
    sitting.begins()
    sitting.goes_on(1)
    sitting.journal.logs["race-0"].append({"at": 9, "by": "phone", "seat": 1, "gear": 6})
    again = Sitting(sitting.journal)
    assert again.state.race is None
    assert "line 3" in again.state.trouble
    assert again.refuses(REFEREE, {"table": "open", "value": "race-0"}) == "broken-race"


def test_a_game_without_screens_is_refused_and_nothing_changes(sitting: Sitting) -> None:
    assert sitting.refuses(REFEREE, {"new": {"game": "ludo"}}) == "not-at-the-table"


def test_tires_technical_stops_and_teams_are_played_at_the_table(sitting: Sitting) -> None:
    header = race_header(2, rules=["tires", "technical", "teams"])
    seats = [{**seat, "team": "Rouge"} for seat in header["seats"]]
    sitting.accepts(REFEREE, {"new": {**header, "seats": seats}})
    assert {ask["kind"] for ask in sitting.state.asks} == {"tires"}
    sitting.accepts(phone(2), {"seat": 2, "tires": "soft"})


def test_the_basic_game_of_formule_de_is_played_at_the_table(sitting: Sitting) -> None:
    sitting.accepts(REFEREE, {"new": race_header(3, game="formule-de")})
    sitting.goes_on(40)
    assert sitting.race.state["cars"]["1"]["wear"]["fuel"] <= 3
    assert Sitting(sitting.journal).race.state == sitting.race.state


def test_what_a_new_table_starts_is_the_first_race_and_it_comes_back(sitting: Sitting) -> None:
    """FD-BASIC-1, FD-BASIC-2: from the lobby as it stands; undo, a correction, a restart."""
    for seat, name in ((1, "Ana"), (2, "Bob")):
        sitting.accepts(phone(seat), {"table": "join", "seat": seat, "value": name})
    sitting.accepts(phone(1), {"table": "start", "seat": 1})
    assert sitting.race.header["rules"] == ["basic"]
    sitting.goes_on(30)
    before = sitting.race.state
    sitting.goes_on(1)
    sitting.accepts(REFEREE, {"undo": 1})
    assert sitting.race.state == before
    part = {"cars": {"2": {"wear": {"points": 7}}}}
    sitting.accepts(REFEREE, {"correct": part, "reason": "counted again"})
    assert sitting.race.state["cars"]["2"]["wear"] == {"points": 7}
    sitting.goes_on(10)
    assert Sitting(sitting.journal).race.state == sitting.race.state
