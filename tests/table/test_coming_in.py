"""Coming in by the table's one code, and the same race once more."""

from __future__ import annotations

from support.tables.sitting import REFEREE, ListJournal, Sitting, make_state, phone, race_header

from companion.table.ports import Caller
from companion.table.screens import make_scene
from companion.table.state import Access
from companion.views.dialog import press, show
from companion.views.model import SetUp
from companion.views.options import color_of
from companion.views.page import seat_view
from companion.views.screen import HOME

STRANGER = Caller()
"""Whoever has scanned the table's one code and has no seat yet."""


def sit(name: str | None = None, color: str | None = None) -> dict[str, object]:
    return {"table": "sit", "value": {"name": name, "color": color}}


def test_who_scans_the_code_takes_the_next_free_seat_with_a_name_and_a_color(
    sitting: Sitting,
) -> None:
    sitting.accepts(phone(1), {"table": "join", "seat": 1})
    reply = sitting.accepts(STRANGER, sit("Zoé", "pink"))
    assert reply["seat"] == 2
    lobby = sitting.state.lobby
    assert lobby.joined == {1: "guest 1", 2: "Zoé"}
    assert lobby.chosen[2] == {"color": "pink"}
    assert Sitting(sitting.journal).state.lobby == lobby, "and after a restart"


def test_a_color_that_is_taken_leaves_no_half_taken_seat(sitting: Sitting) -> None:
    sitting.accepts(STRANGER, sit("Ana", "pink"))
    assert sitting.refuses(STRANGER, sit("Bo", "pink")) == "car-taken"
    assert sitting.refuses(STRANGER, sit("Ana", "red")) == "name-taken"
    assert sitting.state.lobby.joined == {1: "Ana"}


def test_an_eleventh_finds_no_seat(sitting: Sitting) -> None:
    for _ in range(10):
        sitting.accepts(STRANGER, sit())
    assert sitting.refuses(STRANGER, sit()) == "no-free-seat"


def test_the_code_leaves_seats_with_buttons_to_those_who_sit_at_them(sitting: Sitting) -> None:
    sitting.state = make_state(sitting.journal, buttons=frozenset({1, 2, 4}))
    order = [sitting.accepts(STRANGER, sit())["seat"] for _ in range(10)]
    assert order == [3, 5, 6, 7, 8, 9, 10, 1, 2, 4]


def test_the_code_opens_a_seat_and_nothing_else(sitting: Sitting) -> None:
    for line in ({"table": "laps", "value": 3}, {"table": "start"}, {"table": "join", "seat": 1}):
        assert sitting.refuses(STRANGER, line) == "no-seat-yet"
    sitting.begins()
    assert sitting.refuses(STRANGER, {"seat": 1, "gear": 1}) == "no-seat-yet"
    assert sitting.refuses(STRANGER, {"table": "pause"}) == "no-seat-yet"


def test_a_rematch_is_one_word_same_seats_same_rules(sitting: Sitting) -> None:
    sitting.begins()
    assert sitting.refuses(phone(2), {"table": "rematch"}) == "race-runs"
    sitting.accepts(REFEREE, {"end": True})
    before = sitting.state.current
    sitting.accepts(phone(2), {"table": "rematch"})
    again = sitting.state.current
    assert again.id != before.id
    assert not again.is_finished
    assert dict(again.header) == dict(before.header)


def test_a_race_is_changed_after_its_end_with_everybody_and_all_rules_of_it(
    sitting: Sitting,
) -> None:
    sitting.begins(rules=["tires"])
    sitting.accepts(REFEREE, {"table": "close"})
    (waits,) = sitting.state.waiting()
    sitting.begins(seats=2)
    sitting.accepts(REFEREE, {"end": True})
    sitting.accepts(REFEREE, {"table": "open", "value": waits.id})
    assert sitting.refuses(phone(2), {"table": "same"}) == "race-runs"
    sitting.accepts(REFEREE, {"end": True})
    sitting.accepts(phone(2), {"table": "same"})
    lobby = sitting.state.lobby
    sitting.state.load()
    assert sitting.state.lobby == lobby, "also after a restart"
    assert len(lobby.joined) == 3, "of the race that was here last, which is not the newest"
    assert lobby.rules == ("tires",)
    sitting.accepts(phone(2), {"table": "start"})
    assert [seat["name"] for seat in sitting.state.current.header["seats"]] == [
        "Ana",
        "Bob",
        "Cleo",
    ]


def test_a_rematch_of_a_race_from_a_position_begins_on_the_grid(sitting: Sitting) -> None:
    car = {"space": "S1.l5", "gear": 1, "lap": 1}
    sitting.accepts(REFEREE, {"new": {**race_header(), "position": {"cars": {"1": car}}}})
    sitting.accepts(REFEREE, {"end": True})
    sitting.accepts(REFEREE, {"table": "rematch"})
    assert "position" not in sitting.state.current.header


def test_a_table_of_before_keeps_its_keys_and_gets_a_code() -> None:
    journal = ListJournal()
    old = Access(journal)
    del journal.logs["access"][-1]["join"]  # type: ignore[attr-defined]
    new = Access(journal)
    assert (new.pin, new.token(3)) == (old.pin, old.token(3))
    key = new.link(0).partition("/join#")[2]
    assert new.holder(key) == STRANGER
    assert Access(journal).link(0) == new.link(0)


def test_who_comes_while_a_race_runs_is_in_it_from_the_next_round(sitting: Sitting) -> None:
    sitting.begins()
    seats = sitting.state.current.seats
    reply = sitting.accepts(STRANGER, sit("Zoé", "pink"))
    late = reply["seat"]
    assert late not in seats
    race = sitting.state.current
    assert race.seats == (*seats, late)
    assert race.names[late] == "Zoé"
    assert race.header["seats"][-1] == {"seat": late, "name": "Zoé", "color": "pink"}
    assert [event["event"] for event in reply["events"]] == ["Joined"]
    again = Sitting(sitting.journal).state.current
    assert (again.seats, again.state) == (race.seats, race.state), "and after a restart"


def test_a_late_seat_has_its_screen_until_it_is_undone(sitting: Sitting) -> None:
    sitting.begins()
    late = sitting.accepts(STRANGER, sit("Zoé", "pink"))["seat"]
    scene = make_scene(sitting.state, {}, str)
    assert color_of(scene, late) == "pink"
    assert show(scene, late, HOME).lines, "a car that waits for the next round"
    sitting.accepts(REFEREE, {"undo": 1})
    assert late not in sitting.state.current.seats
    assert late not in [info.seat for info in make_scene(sitting.state, {}, str).seats]


def test_a_late_name_or_color_that_is_taken_is_refused_and_so_is_an_eleventh(
    sitting: Sitting,
) -> None:
    sitting.begins()
    name = next(iter(sitting.state.current.names.values()))
    assert sitting.refuses(STRANGER, sit(name)) == "name-taken"
    assert sitting.refuses(STRANGER, sit("Zoé", "red")) == "car-taken"
    while len(sitting.state.current.seats) < 10:
        sitting.accepts(STRANGER, sit())
    assert sitting.refuses(STRANGER, sit()) == "no-free-seat"


def test_a_rematch_has_who_came_late(sitting: Sitting) -> None:
    sitting.begins()
    late = sitting.accepts(STRANGER, sit("Zoé"))["seat"]
    sitting.accepts(REFEREE, {"end": True})
    sitting.accepts(REFEREE, {"table": "rematch"})
    assert sitting.state.current.names[late] == "Zoé"


def test_only_the_code_and_the_referee_let_somebody_in_late(sitting: Sitting) -> None:
    sitting.begins()
    assert sitting.refuses(phone(2), {"join": {"seat": 9}}) == "not-referee"
    sitting.accepts(REFEREE, {"join": {"seat": 9, "name": "Zoé"}})
    assert sitting.state.current.names[9] == "Zoé"


def test_a_free_seat_with_buttons_is_asked_whether_it_comes_in_and_a_phone_is_not(
    sitting: Sitting,
) -> None:
    sitting.state = make_state(sitting.journal, buttons=frozenset({2, 5}))
    sitting.begins()

    def guests() -> list[int]:
        scene = make_scene(sitting.state, {}, str, buttons=sitting.state.buttons)
        return [info.seat for info in scene.guests]

    assert guests() == [5]
    scene = make_scene(sitting.state, {}, str, buttons=sitting.state.buttons)
    told = seat_view(scene, 5, HOME, dict, own=True)
    assert (told["undo"], told["around"]) == (False, None)
    _, sent = press(scene, 5, HOME, 6, hold=True)
    assert sent == (), "no menu of a race it is not in"
    assert press(scene, 5, HOME, 1, hold=True)[1] == (), "nothing of its own to take back"
    asked, nothing = press(scene, 5, HOME, 4)
    assert nothing == ()
    (join,) = press(scene, 5, asked, 1)[1]
    assert isinstance(join, SetUp)
    sitting.accepts(phone(5), join.line)
    assert 5 in sitting.state.current.seats
    assert guests() == []
    sitting.accepts(REFEREE, {"end": True})
    assert guests() == [], "nobody comes into a race that is over"


def test_a_seat_of_the_race_cannot_come_in_again_and_nobody_into_downforce(
    sitting: Sitting,
) -> None:
    sitting.state = make_state(sitting.journal, buttons=frozenset({5}))
    sitting.begins()
    assert sitting.refuses(phone(1), {"table": "join", "seat": 1}) == "race-runs"
    sitting.accepts(REFEREE, {"end": True})
    seats = [{"seat": n, "name": name} for n, name in ((1, "Ana"), (2, "Bo"))]
    sitting.accepts(REFEREE, {"new": {"game": "downforce", "seats": seats}})
    assert make_scene(sitting.state, {}, str, buttons=sitting.state.buttons).guests == ()


# -- an empty table -------------------------------------------------------------------------------


def demo(what: str) -> dict[str, object]:
    return {"table": "demo", "value": what}


def test_anybody_may_watch_a_race_of_bots_and_end_it(sitting: Sitting) -> None:
    sitting.accepts(STRANGER, demo("watch"))
    header = sitting.state.current.header
    assert [one["name"] for one in header["seats"]] == ["Alma", "Boris", "Clara", "Dario"]
    assert all(one["bot"] for one in header["seats"])
    assert header["dice"]["seats"] == [0]
    sitting.accepts(STRANGER, demo("end"))
    assert sitting.state.race is None
    assert sitting.state.waiting() == [], "nobody wants it back"
    assert sitting.state.lobby.last is None, "nor once more"


def test_anybody_may_race_against_bots(sitting: Sitting) -> None:
    sitting.accepts(STRANGER, demo("watch"))
    seat = sitting.accepts(STRANGER, demo("play"))["seat"]
    lobby = sitting.state.lobby
    assert seat not in lobby.bots
    assert len(lobby.bots) == 3
    assert Sitting(sitting.journal).state.lobby == lobby, "and after a restart"
    sitting.accepts(phone(1), {"table": "start"})


def test_who_comes_in_while_bots_race_makes_room_for_a_race_of_people(sitting: Sitting) -> None:
    sitting.accepts(STRANGER, demo("watch"))
    sitting.accepts(STRANGER, sit("Zoé"))
    assert sitting.state.lobby.joined == {1: "Zoé"}


def test_no_demonstration_disturbs_people(sitting: Sitting) -> None:
    sitting.accepts(STRANGER, sit("Zoé"))
    for what in ("watch", "play", "end"):
        assert sitting.refuses(STRANGER, demo(what)) == "people-here"
    assert sitting.state.lobby.joined == {1: "Zoé"}
    sitting.begins()
    for what in ("watch", "play", "end"):
        assert sitting.refuses(STRANGER, demo(what)) == "people-here"
    assert sitting.refuses(STRANGER, demo("everything")) == "bad-value"
