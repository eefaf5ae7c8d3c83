"""What the lobby sets up is a race that begins, or is refused in words that a screen has."""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Any

import pytest
from support.tables.sitting import REFEREE, CachedLibrary, Sitting, phone

from companion.race.engine import Engine
from companion.rules.games import NAMES, choices_of
from companion.rules.lines import Illegal, Malformed, Refusal
from companion.rules.packs import as_at_a_table, clashes
from companion.table.lobby import act, header_of
from companion.views import options
from companion.views.formula.options import DRIVERS
from companion.views.model import Lobby
from companion.views.words.refusals import all_refusals


def after(lobby: Lobby, *words: tuple[str, int | None, Any]) -> Lobby:
    for word, seat, value in words:
        lobby = act(lobby, word, seat, value)
    return lobby


def turned_on(lobby: Lobby, *rules: str) -> Lobby:
    return after(lobby, *(("option", None, {"name": rule, "on": True}) for rule in rules))


@pytest.fixture
def two() -> Lobby:
    """Ana and Bob have joined, on a table that plays every game there is."""
    return after(Lobby(games=NAMES), ("join", 1, "Ana"), ("join", 2, "Bob"))


def complete(lobby: Lobby) -> Lobby:
    """Every seat says what it must, as the first thing on offer."""
    for seat, key in options.missing(lobby):
        lobby = act(lobby, key, seat, options.choices_for(lobby, key, seat)[0])
    return lobby


@pytest.mark.parametrize("game", NAMES)
def test_every_two_options_that_can_be_on_together_make_a_race(two: Lobby, game: str) -> None:
    lobby = act(two, "game", None, game)
    names = [option.name for option in options.offer(game).options]
    for rules in ((), *combinations(names, 1), *combinations(names, 2)):
        chosen = complete(turned_on(lobby, *rules))
        reply = Engine(CachedLibrary()).handle({"new": header_of(chosen)})
        assert reply["ok"], (rules, reply)


@pytest.mark.parametrize("game", NAMES)
def test_every_value_of_every_setting_makes_a_race(two: Lobby, game: str) -> None:
    lobby = act(two, "game", None, game)
    for rule in ("weather", "tires"):
        if rule in {option.name for option in options.offer(game).options}:
            lobby = turned_on(lobby, rule)
    for switch in options.switches(lobby):
        for value in switch.values:
            told = {"name": switch.name, "value": value.name}
            header = header_of(act(lobby, "switch", None, told))
            reply = Engine(CachedLibrary()).handle({"new": header})
            clash = any(clashes({switch.name: value.name}, choices_of(game)))
            key = None if reply["ok"] else reply["error"]["key"]
            assert key == ("switches-clash" if clash else None), (told, reply)


def test_a_setting_at_its_default_is_left_out_of_the_header(two: Lobby) -> None:
    lobby = after(two, ("switch", 1, {"name": "corner_ways", "value": "shortest"}))
    assert header_of(lobby)["house"] == {"corner_ways": "shortest"}
    lobby = after(lobby, ("switch", 1, {"name": "corner_ways", "value": "any"}))
    assert "house" not in header_of(lobby)


def test_what_a_rule_opened_goes_with_it(two: Lobby) -> None:
    lobby = after(
        turned_on(two, "tires", "teams"),
        ("tires", 1, "soft"),
        ("team", 2, "Rouge"),
        ("switch", None, {"name": "soft_second_lap", "value": "single"}),
    )
    assert lobby.chosen == {1: {"tires": "soft"}, 2: {"team": "Rouge"}}
    lobby = after(
        lobby,
        ("option", 1, {"name": "tires", "on": False}),
        ("option", 1, {"name": "teams", "on": False}),
    )
    assert (lobby.chosen, lobby.switches, lobby.rules) == ({}, {}, ())


def test_the_grid_as_seated_is_not_asked_for_where_trials_make_it(two: Lobby) -> None:
    lobby = after(two, ("switch", 1, {"name": "grid", "value": "seats"}))
    assert header_of(lobby)["grid"] == [1, 2]
    assert "grid" not in header_of(turned_on(lobby, "trials"))


def test_who_asks_for_a_box_has_it_and_the_others_take_the_rest(two: Lobby) -> None:
    lobby = after(two, ("join", 5, "Eve"), ("box", 2, 1))
    assert [seat["box"] for seat in header_of(lobby)["seats"]] == [2, 1, 3]


def test_a_seat_has_the_color_it_chose_and_everybody_else_another(two: Lobby) -> None:
    one, other = two.seats
    told = act(two, "color", other, "red")
    assert [seat["color"] for seat in header_of(told)["seats"]] == ["blue", "red"]
    with pytest.raises(Refusal) as refusal:
        act(told, "color", one, "red")
    assert refusal.value.key == "car-taken"
    three = after(two, ("join", 5, "Eve"), ("game", None, "downforce"))
    assert "color" not in header_of(three)["seats"][0], "there the game's cars have colors"


def test_a_third_car_finds_no_room_in_a_team(two: Lobby) -> None:
    lobby = turned_on(after(two, ("join", 3, "Eve")), "teams")
    lobby = after(lobby, ("team", 1, "red"), ("team", 2, "red"))
    assert "red" not in options.teams(lobby, 3)
    with pytest.raises(Illegal) as refused:
        act(lobby, "team", 3, "red")
    assert refused.value.key == "car-taken"


def test_a_team_that_is_missing_is_told_by_the_name_of_who_has_none(two: Lobby) -> None:
    lobby = after(turned_on(two, "teams"), ("team", 1, "red"))
    with pytest.raises(Illegal, match="Bob has not chosen a team yet"):
        header_of(lobby)


def test_two_players_are_two(two: Lobby) -> None:
    lobby = turned_on(act(two, "game", None, "downforce"), "two-players")
    assert header_of(lobby)["rules"] == ["two-players"]
    with pytest.raises(Illegal, match="by 2 to 2, not by 3"):
        header_of(after(lobby, ("join", 3, "Eve")))


def test_downforce_says_its_circuit_and_how_it_is_played(two: Lobby) -> None:
    """What is left as it stands is not said: the table writes it into the header itself."""
    lobby = act(two, "game", None, "downforce")
    assert "house" not in header_of(lobby)
    lobby = after(
        lobby,
        ("switch", 1, {"name": "circuit", "value": "Marina Bay"}),
        ("switch", 1, {"name": "cards", "value": "counted"}),
    )
    told = header_of(lobby)
    assert (told["circuit"], told["house"]) == ("Marina Bay", {"cards": "counted"})
    whole = as_at_a_table(told)
    assert whole["house"] == {"auction": "entered", "cards": "counted"}
    assert as_at_a_table(whole) == whole


OWN = {"name": "daring", "reminder": "Once a race, a card counts twice."}


def test_df_power_1_own_powers_and_a_circuit_by_name_are_in_the_race_and_as_last_time(
    two: Lobby,
) -> None:
    lobby = after(
        act(two, "game", None, "downforce"),
        ("powers", None, [OWN, {"name": "thrifty"}]),
        ("switch", None, {"name": "circuit", "value": "  Old  Harbour "}),
    )
    told = header_of(lobby)
    assert told["powers"] == [OWN, {"name": "thrifty", "reminder": ""}]
    assert told["circuit"] == "Old Harbour"
    assert Engine(CachedLibrary()).handle({"new": told})["ok"]
    again = after(Lobby(games=NAMES, last=told), ("same", None, None))
    assert header_of(again) == told


@pytest.mark.parametrize(
    ("word", "value", "key"),
    [
        ("powers", [{"name": ""}], "name-form"),
        ("powers", [OWN, OWN], "power-twice"),
        ("powers", [{"reminder": "nameless"}], "name-form"),
        ("powers", [{"name": "daring", "cost": 2}], "unknown-key"),
        ("powers", [{"name": "long", "reminder": "x" * 201}], "text-form"),
        ("powers", [{"name": f"p{n}"} for n in range(25)], "powers-form"),
        ("powers", "daring – card counts twice", "powers-form"),
        ("switch", {"name": "circuit", "value": "x" * 41}, "name-form"),
        ("switch", {"name": "circuit", "value": 7}, "name-form"),
    ],
)
def test_an_own_power_or_circuit_that_is_none_is_refused_in_a_sentence(
    two: Lobby, word: str, value: object, key: str
) -> None:
    lobby = act(two, "game", None, "downforce")
    with pytest.raises(Malformed) as refused:
        act(lobby, word, None, value)
    assert refused.value.key == key
    assert key in dict(all_refusals())


def test_df_var_without_powers_or_in_another_game_nobody_names_any(two: Lobby) -> None:
    lobby = act(act(two, "game", None, "downforce"), "powers", None, [OWN])
    assert turned_on(lobby, "no-powers").powers == ()
    assert act(lobby, "game", None, "formula-d").powers == ()
    with pytest.raises(Illegal, match="asks for a powers"):
        act(two, "powers", None, [OWN])


def test_what_a_pack_says_a_table_does_not_say_otherwise() -> None:
    text = 'name = "Club"\ngame = "downforce"\n[house]\nauction = "secret"\n'
    told = {"game": "downforce", "pack": {"name": "Club", "toml": text}}
    assert as_at_a_table(told)["house"] == {"cards": "events"}


def test_another_game_keeps_what_both_have_in_common(two: Lobby) -> None:
    lobby = act(turned_on(after(two, ("laps", 1, 7)), "weather"), "game", None, "downforce")
    assert (lobby.rules, options.laps_of(lobby)) == ((), 1)
    assert header_of(lobby)["track"] is None


def test_same_as_last_time_restores_every_setting(two: Lobby) -> None:
    lobby = after(
        turned_on(two, "weather", "tires", "teams", "technical"),
        ("laps", 1, 3),
        ("team", 1, "red"),
        ("team", 2, "blue"),
        ("tires", 2, "rain"),
        ("box", 1, 2),
        ("switch", 1, {"name": "grid", "value": "seats"}),
        ("switch", 1, {"name": "start", "value": "normal"}),
        ("switch", 1, {"name": "weather", "value": "rain"}),
        ("switch", 1, {"name": "soft_second_lap", "value": "single"}),
    )
    header = header_of(lobby)
    assert header_of(act(Lobby(last=header, games=NAMES), "same", None, None)) == header


def test_a_rule_that_is_not_offered_any_more_is_not_restored() -> None:
    last = {"game": "formula-d", "rules": ["gone", "weather"], "seats": [{"seat": 1, "name": "A"}]}
    assert act(Lobby(last=last), "same", None, None).rules == ("weather",)


@pytest.mark.parametrize(
    ("word", "value", "key"),
    [
        ("game", "chess", "bad-value"),
        ("option", {"name": "chess", "on": True}, "bad-value"),
        ("option", {"name": "tires", "on": 1}, "bad-value"),
        ("option", "tires", "bad-value"),
        ("option", {"name": ["tires"], "on": True}, "bad-value"),
        ("switch", {"name": "late_block", "value": "on"}, "bad-value"),
        ("switch", {"name": "corner_ways", "value": "longest"}, "bad-value"),
        ("switch", {"name": "corner_ways", "value": ["any"]}, "bad-value"),
        ("switch", {"name": "soft_second_lap", "value": "single"}, "bad-value"),
        ("team", "red", "not-open"),
        ("driver", "Jenny Slivers", "not-open"),
        ("box", 11, "bad-value"),
        ("box", True, "bad-value"),
        ("box", [1], "bad-value"),
    ],
)
def test_a_word_that_makes_no_sense_is_refused(two: Lobby, word: str, value: Any, key: str) -> None:
    with pytest.raises(Refusal) as refused:
        act(two, word, 1, value)
    assert refused.value.key == key
    assert isinstance(refused.value, Illegal | Malformed)


def random_word(lobby: Lobby, dice: Random) -> tuple[str, int, Any]:
    seat = dice.randint(1, 4)
    rules = [option.name for option in options.offer(lobby.game).options]
    switch = dice.choice(options.switches(lobby) or options.offer("formula-d").switches)
    return dice.choice(
        [
            ("join", seat, None),
            ("leave", seat, None),
            ("game", seat, dice.choice(lobby.games)),
            ("option", seat, {"name": dice.choice(rules), "on": dice.random() < 0.7}),
            ("switch", seat, {"name": switch.name, "value": dice.choice(switch.values).name}),
            ("team", seat, dice.choice(["red", "blue", "Rouge", None])),
            ("driver", seat, dice.choice(DRIVERS).name),
            ("tires", seat, dice.choice(["soft", "rain", None])),
            ("box", seat, dice.choice([1, 2, 3, 9, None])),
            ("laps", seat, dice.choice([1, 3, 10, None])),
            ("track", seat, dice.choice(["monaco", "spa", "budapest"])),
            ("same", seat, None),
        ]
    )


def test_whatever_is_said_the_start_is_a_race_or_a_sentence_that_every_screen_has() -> None:
    begun = 0
    for seed in range(12):
        dice, sitting = Random(seed), Sitting()
        for _ in range(40):
            word, seat, value = random_word(sitting.state.lobby, dice)
            sitting.says(phone(seat), {"table": word, "seat": seat, "value": value})
        told = sitting.says(REFEREE, {"table": "start"})
        begun += told.status == 200
        assert told.status == 200 or told.body["error"]["key"] in all_refusals(), told
    assert begun


def test_the_lobby_comes_back_after_a_restart(sitting: Sitting) -> None:
    sitting.accepts(phone(4), {"table": "join", "seat": 4})
    sitting.accepts(
        phone(4), {"table": "option", "seat": 4, "value": {"name": "teams", "on": True}}
    )
    sitting.accepts(phone(4), {"table": "team", "seat": 4, "value": "red"})
    assert Sitting(sitting.journal).state.lobby == sitting.state.lobby
    assert sitting.refuses(phone(2), {"table": "team", "seat": 4, "value": "blue"}) == "other-seat"


def test_the_table_offers_all_games_that_there_are() -> None:
    assert Sitting().state.lobby.games == NAMES
    assert {"formula-d", "downforce"} <= set(NAMES)
