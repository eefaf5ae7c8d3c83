"""Urban races and Formule Dé in the lobby, as the games play them.

What is offered comes from the games; here they play all that the tables hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.screens.widths import cut, pages, too_wide

from companion.rules.game import Choices
from companion.rules.lines import Illegal
from companion.table.lobby import act, header_of
from companion.views import options
from companion.views.dialog import press, show
from companion.views.formula.options import DRIVERS
from companion.views.model import Lobby, Scene, SeatInfo, SetUp
from companion.views.options import GAMES
from companion.views.screen import HOME
from companion.views.words import LANGUAGES


def everything(game: str) -> Choices:
    told = GAMES[game]
    switches = (*told.switches, *told.house())
    house = {one.name: [value.name for value in one.values] for one in switches if one.house}
    return Choices([option.name for option in told.options], house)


@pytest.fixture(autouse=True)
def whole_shelf(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    options.offer.cache_clear()
    monkeypatch.setattr(options, "choices_of", everything)
    yield
    options.offer.cache_clear()


def after(lobby: Lobby, *words: tuple[str, int | None, Any]) -> Lobby:
    for word, seat, value in words:
        lobby = act(lobby, word, seat, value)
    return lobby


def rule(name: str, on: bool = True) -> tuple[str, None, Any]:
    return ("option", None, {"name": name, "on": on})


@pytest.fixture
def two() -> Lobby:
    return after(Lobby(games=tuple(GAMES)), ("join", 1, "Ana"), ("join", 2, "Bob"))


def scene(lobby: Lobby, language: str = "en") -> Scene:
    seats = tuple(SeatInfo(n, name, language, host=n == 1) for n, name in lobby.joined.items())
    return Scene(0, seats, lobby=lobby)


def test_an_urban_race_turns_off_what_it_excludes_and_the_other_way_round(two: Lobby) -> None:
    lobby = after(two, rule("tires"), rule("build"), rule("weather"), rule("urban"))
    assert lobby.rules == ("weather", "urban")
    assert after(lobby, rule("technical")).rules == ("weather", "technical")


def test_an_urban_race_is_one_lap_unless_chosen(two: Lobby) -> None:
    lobby = after(two, rule("urban"))
    assert options.laps_of(lobby) == 1
    assert options.laps_of(after(lobby, ("laps", 1, 3))) == 3


def test_every_seat_of_an_urban_race_has_a_driver_of_its_own(two: Lobby) -> None:
    lobby = after(two, rule("urban"), ("driver", 1, "Jenny Slivers"))
    with pytest.raises(Illegal, match="Bob has not chosen a driver yet"):
        header_of(lobby)
    with pytest.raises(Illegal) as refused:
        act(lobby, "driver", 2, "Jenny Slivers")
    assert refused.value.key == "car-taken"
    header = header_of(after(lobby, ("driver", 2, "Jack Owens")))
    assert [seat["driver"] for seat in header["seats"]] == ["Jenny Slivers", "Jack Owens"]
    assert header["laps"] == 1


def test_julien_marcellin_drives_only_where_weather_is_played(two: Lobby) -> None:
    lobby = after(two, rule("urban"))
    assert "Julien Marcellin" not in options.choices_for(lobby, "driver", 1)
    lobby = after(lobby, rule("weather"), ("driver", 1, "Julien Marcellin"))
    assert lobby.chosen == {1: {"driver": "Julien Marcellin"}}
    assert after(lobby, rule("weather", on=False)).chosen == {}


def test_the_drivers_are_read_one_after_the_other_and_taken(two: Lobby) -> None:
    lobby = scene(after(two, rule("urban"), ("driver", 1, "Li-Tsu Sin")))
    dialog, _ = press(lobby, 2, HOME, 2)
    assert show(lobby, 2, dialog).title == "Jack Owens"
    dialog, _ = press(lobby, 2, dialog, 5)
    view = show(lobby, 2, dialog)
    assert view.title == "Stanley Washington"
    assert " ".join(view.lines) == "Once a race a car next to him loses 1 point."
    assert press(lobby, 2, dialog, 1)[1] == (SetUp("driver", "Stanley Washington"),)


def test_formule_de_has_its_own_rules_laps_and_switches(two: Lobby) -> None:
    lobby = after(two, ("laps", 1, 7), ("game", 1, "formule-de"), rule("advanced"))
    assert (lobby.rules, options.laps_of(lobby)) == (("advanced",), 2)
    lobby = after(lobby, ("switch", 1, {"name": "late_block", "value": "off"}))
    header = header_of(lobby)
    assert (header["game"], header["house"]) == ("formule-de", {"late_block": "off"})


def test_a_rule_or_a_switch_that_the_shelf_does_not_play_is_not_offered(
    two: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    options.offer.cache_clear()
    monkeypatch.setattr(options, "choices_of", lambda game: Choices(["weather"]))
    offered = options.offer("formula-d")
    assert [option.name for option in offered.options] == ["weather"]
    switches = [switch.name for switch in offered.switches]
    assert switches == ["grid", "start", "dice", "weather", "advice"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_every_game_fits(two: Lobby, game: str, language: str) -> None:
    lobby = after(two, ("game", 1, game))
    names = [option.name for option in options.offer(game).options]
    for rules in ((), *((name,) for name in names)):
        chosen = scene(after(lobby, *(rule(name) for name in rules)), language)
        for seat in (1, 2):
            for _, view in pages(chosen, seat):
                assert too_wide(view) + cut(view) == [], view


def test_there_are_ten_drivers() -> None:
    assert len({driver.name for driver in DRIVERS}) == 10
