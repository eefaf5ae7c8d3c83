"""All that there is to choose reads well on a screen, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from support.each import few_now
from support.formula.hand_made import with_state
from support.screens.widths import cut, pages, too_wide

from companion.rules.formula.book import BUILD_LIMITS, BUILD_POINTS, CATEGORIES
from companion.rules.formula.drivers import Build
from companion.rules.formula.grid import Ranking
from companion.rules.games import NAMES, choices_of
from companion.views import options
from companion.views.dialog import show
from companion.views.formula.options import DRIVERS, FORMULA_D, TIRES_TO_FIT
from companion.views.model import Lobby, Scene, SeatInfo
from companion.views.options import GAMES
from companion.views.words import KEY_COLUMNS, LANGUAGES, LINE_COLUMNS, words, wrap

BUILT = {"tires": 11, "brakes": 3, "gearbox": 1, "body": 1, "engine": 2, "handling": 2}
OLD = {(2, "build"): BUILT, (2, "tires"): "soft", (2, "pit"): "technical", (2, "time"): 61.5}


OFFERED = [options.offer(name) for name in GAMES]


def sentences() -> Iterator[str]:
    for game in OFFERED:
        yield from (option.says for option in game.options)
        yield from (value.says for switch in game.switches for value in switch.values)
    yield from (driver.says for driver in DRIVERS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained_in_three_lines(language: str) -> None:
    say = words(language)
    cut_short = [say(text) for text in sentences() if "…" in " ".join(wrap(say(text), 3))]
    assert cut_short == [], f"more than three lines of {LINE_COLUMNS} letters"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_title_with_its_value_fits_a_line(language: str) -> None:
    say = words(language)

    def titled(name: str, value: str) -> str:
        return say("{name}: {value}", name=say(name), value=say(value))

    told = [
        titled(option.title, value)
        for game in OFFERED
        for option in game.options
        for value in ("on", "off")
    ] + [
        titled(switch.title, value.label)
        for game in OFFERED
        for switch in game.switches
        for value in switch.values
    ]
    too_long = [text for text in told if len(text) > LINE_COLUMNS]
    assert too_long == [], f"more than {LINE_COLUMNS} letters"
    keys = [*FORMULA_D.teams.values(), *TIRES_TO_FIT.values()]
    keys += [game.short for game in OFFERED]
    assert [text for text in keys if len(say(text)) > KEY_COLUMNS] == []
    assert [driver.name for driver in DRIVERS if len(driver.name) > LINE_COLUMNS] == []


@pytest.mark.parametrize("game", NAMES)
def test_every_rule_and_switch_that_a_game_plays_is_offered_and_no_other(game: str) -> None:
    offered = options.offer(game)
    missed = {option.name for option in offered.options} ^ set(choices_of(game).optional_rules)
    assert missed == set(), "only the options of companion/views have it, or only the book"
    house = {switch.name: [v.name for v in switch.values] for switch in offered.switches
             if switch.house}  # fmt: skip
    assert {name: set(values) for name, values in house.items()} == {
        name: set(values) for name, values in choices_of(game).house.items()
    }


def lobby_scene(language: str, *rules: str, **more: Any) -> Scene:
    seats = tuple(SeatInfo(n, f"guest {n}", language, host=n == 1) for n in range(1, 4))
    names = {seat.seat: seat.name for seat in seats[:2]}
    lobby = Lobby(("Ana",), (1, 2), names, rules=rules, last={}, games=NAMES)
    return Scene(0, seats, lobby=replace(lobby, **more))


def asked(scene_of: Callable[..., Scene], language: str) -> Iterator[Scene]:
    limits = dict(zip(CATEGORIES, map(list, BUILD_LIMITS), strict=True))
    build = {"points": BUILD_POINTS, "limits": limits}
    spaces = [{"spaces": 12, "by": []}, {"spaces": 13, "by": ["soft"]}]
    kinds = {
        "build": build,
        "tires": ["hard", "soft", "rain"],
        "pit": ["tires", "technical"],
        "repair": {"points": 2, "categories": [*CATEGORIES[1:]]},
        "length": [
            *spaces,
            {"spaces": 17, "by": ["nitro"]},
            {"spaces": 19, "by": ["nitro", "drift"]},
            *({"spaces": 13, "by": by} for by in (["engine"], ["top"])),
            *({"spaces": 14, "by": ["soft", by]} for by in ("engine", "top")),
        ],
        "time": None,
        "gear": [1],
    }
    for kind, told in kinds.items():
        ask = {"seat": 2, "kind": kind} | ({} if told is None else {"options": told})
        scene = scene_of(ask, language=language)
        for weather in ("fine", "variable", "variable-rain", "rain"):
            yield with_state(scene, weather=weather)
        watch = {"seat": 2, "seconds": 754, "running": True}
        yield replace(with_state(scene, phase="trials"), watch=watch, old=OLD)
    table = {"seat": 0, "kind": "black", "for": "weather", "options": [[1, 7], [8, 12], [13, 20]]}
    for step in (Ranking(), Build(seats=(1,))):
        yield with_state(scene_of(table, language=language), pending=(step,))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_the_lobby_fits(language: str) -> None:
    every = ("weather", "tires", "teams", "technical", "build", "trials")
    scenes = [
        lobby_scene(language),
        lobby_scene(language, *every),
        lobby_scene(language, "teams", chosen={1: {"team": "red"}, 2: {"team": "red"}}),
        lobby_scene(language, "urban"),
        lobby_scene(language, game="downforce"),
    ]
    seen = set()
    for scene in scenes:
        for seat in (1, 2, 3):
            for dialog, view in pages(scene, seat):
                seen.add(dialog.page)
                assert too_wide(view) + cut(view) == [], view
    assert {"me", "options", "games", "team", "tires", "box"} <= seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_circuit_by_a_long_name_of_its_own_fits(language: str) -> None:
    harbour = {"circuit": "Old Harbour of the Northern Islands"}
    scene = lobby_scene(language, game="downforce", switches=harbour)
    turned = next(dialog for dialog, _ in pages(scene, 1) if dialog.page == "options")
    first = len(GAMES["downforce"].options)  # the settings come behind the rules
    view = show(scene, 1, replace(turned, number=first))
    assert too_wide(view) == []
    assert "Old H" in view.title


@pytest.mark.parametrize("language", few_now(LANGUAGES, len(LANGUAGES), quick=["de"]))
def test_every_page_of_an_optional_rule_fits(language: str, scene_of: Callable[..., Scene]) -> None:
    seen = set()
    for scene in asked(scene_of, language):
        for seat in (1, 2):
            for dialog, view in pages(scene, seat):
                seen.add(dialog.page)
                assert too_wide(view) == [], view
                words_cut = [text for text in cut(view) if "Sain" not in text]
                assert [text for text in words_cut if not text.startswith("P")] == [], view
    assert {"points", "steps"} <= seen
