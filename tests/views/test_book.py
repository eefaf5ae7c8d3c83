"""The book of the table: every rule and switch in force in a race is there, and no other."""

from __future__ import annotations

import re
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from support.downforce.walk import Walk
from support.each import few_now, in_one
from support.formula.drive import Drive
from support.formula.mixtures import EDITIONS, draw, draw_house
from support.scenarios.play import DRAWN
from support.scenarios.play import drawings as made

from companion.drawing.circuit import draw_stretch
from companion.race.boards import PackLibrary, TrackLibrary
from companion.race.engine import Engine
from companion.rules.formula.book import BASIC_GAME, switches
from companion.rules.games import chapter_of, drawings, fetch, rule_titles
from companion.views.model import Lobby, Scene
from companion.views.options import GAMES, book_view
from companion.views.words import LANGUAGES, words

JSON = dict[str, Any]
MANY = 40
SOMEBODY_PAYS = 255
"""In this race of Formula D whoever puts a car out pays for it, by house switch `causer`."""
CATEGORIES = {
    "en": r"\b(tires?|brakes|gearbox|body|engines?|handling)\b",
    "de": r"\b(reifen|bremsen|getriebe|karosserie|motors?|straßenlage)",
    "fr": r"\b(pneus?|freins|boîte de vitesse|carrosserie|moteurs?|tenue de route)",
}
"""The six categories of wear, which the basic game has not."""
NAMED_ELSEWHERE = {
    "DE-BLOCK-1": "a wreck that stands, which is that edition's, by a switch of Formula D",
    "FD-TIRE-3": "a length that is chosen, whatever it may be chosen by",
    "DF-BET-1": "a line that is crossed, which is only a line without bets",
}
"""Rules that an event names where they are not in force, and what the event then is."""
ONLY_WITH = {
    "FD-BUILD": "build", "FD-TRIAL": "trials", "FD-WEATHER": "weather", "FD-TIRE": "tires",
    "FD-TEAM": "teams", "FD-URBAN": "urban", "FD-DRV": "urban", "FD-BASIC": "basic",
}  # fmt: skip


def book(header: JSON, language: str = "en") -> JSON:
    seats = header.get("seats", [{"seat": 1}])
    scene = Scene(version=0, seats=(), header={"laps": 2, **header, "seats": seats})
    return book_view(scene, words(language))


def entries(told: JSON) -> dict[str, JSON]:
    """What the book has, by rule; no rule stands there twice."""
    found = [rule for chapter in told["chapters"] for rule in chapter["rules"]]
    by_id = {rule["id"]: rule for rule in found}
    assert len(by_id) == len(found)
    return by_id


def stands(told: JSON) -> dict[str, JSON]:
    """The switches in the book, by their names."""
    return {one["name"]: one for rule in entries(told).values() for one in rule["switches"]}


def text_of(told: JSON) -> str:
    """All that a person reads, but for the words of the optional rules at the head."""
    rows = [chapter["title"] for chapter in told["chapters"]]
    for rule in entries(told).values():
        rows += [rule["says"], rule["reading"], rule["box"]]
        rows += [text for one in rule["switches"] for text in (one["title"], one["says"])]
    return "\n".join(rows)


def rules_heard(engine: Engine) -> set[str]:
    """The rules of all events of an engine from now on."""
    heard: set[str] = set()
    handle = engine.handle

    def listen(line: JSON) -> JSON:
        reply = handle(line)
        heard.update(event["rule"] for event in reply.get("events", ()) if event["rule"])
        return reply

    engine.handle = listen  # type: ignore[method-assign]
    return heard


@pytest.mark.parametrize("game", EDITIONS)
@pytest.mark.parametrize("seed", [*few_now(range(MANY), 4), SOMEBODY_PAYS])
def test_every_rule_by_which_something_happens_is_in_the_book(game: str, seed: int) -> None:
    race = Drive(draw(game, Random(seed)), seed)
    heard = rules_heard(race.engine)
    race.finish()
    there = entries(book(race.mixture.header))
    assert heard <= there.keys() | NAMED_ELSEWHERE.keys(), heard - there.keys()


@pytest.mark.parametrize("number", few_now(range(0, 300, 7), 6))
def test_every_rule_of_a_game_of_downforce_is_in_its_book(number: int) -> None:
    game = Walk(number)
    heard = rules_heard(game.table.engine)
    while not game.over:
        game.step()
    assert heard <= entries(book(game.header)).keys() | NAMED_ELSEWHERE.keys()


@in_one("game", EDITIONS)
@in_one("seed", range(30))
def test_no_rule_that_is_not_in_force_is_in_the_book(game: str, seed: int) -> None:
    """Nor one that the edition has another for: its refusals never name it."""
    race = draw(game, Random(seed))
    there = entries(book(race.header))
    for rule in there:
        needed = ONLY_WITH.get(rule.rpartition("-")[0])
        assert needed is None or needed in race.rules, rule
        assert not rule.startswith("DF-")
        assert game == "formule-de" or not rule.startswith("DE-")
    replaced = (BASIC_GAME if "basic" in race.rules else EDITIONS[game]).ids
    assert not replaced.keys() & there.keys()
    drivers = {f"FD-DRV-{n}" for n in range(1, 11)} & there.keys()
    assert len(drivers) <= len(race.drivers)


@in_one("game", EDITIONS)
@in_one("seed", range(30))
def test_every_switch_in_force_is_in_the_book_as_it_stands(game: str, seed: int) -> None:
    dice = Random(seed)
    house, race = draw_house(EDITIONS[game], dice), draw(game, dice)
    header = {**race.header, "house": house}
    told = book(header)
    there = stands(told)
    plays = {
        name for name, one in switches().items()
        if game in one.editions and one.unless not in race.rules
        and (not one.needs or one.needs in race.rules)
    }  # fmt: skip
    assert there.keys() <= plays
    # Only what a whole chapter is missing for, such as the pits in a race of one lap.
    chapters = {chapter["title"] for chapter in told["chapters"]}
    assert not {chapter_of(switches()[name].rule) for name in plays - there.keys()} & chapters
    for name, one in there.items():
        row = next(row for row in switches()[name].values if row[0] == house[name])
        assert one["says"] == row[2]
        assert one["own"] == (house[name] != EDITIONS[game].house[name][0])


@in_one("name", PackLibrary().packs())
def test_the_book_of_a_pack_has_all_that_the_pack_sets(name: str) -> None:
    pack, toml = PackLibrary().packs()[name]
    told = book({"game": pack.game, "laps": pack.laps or 2, "pack": {"name": name, "toml": toml}})
    assert told["pack"]["name"] == name
    there = stands(told)
    for switch, value in pack.house.items():
        one = switches()[switch]
        if one.unless in (pack.rules or ()) or (one.needs and one.needs not in (pack.rules or ())):
            continue
        row = next(row for row in one.values if row[0] == value)
        assert there[switch]["says"] == row[2], switch


@in_one("language", LANGUAGES)
@in_one("laps", [1, 2])
def test_the_book_of_the_basic_game_names_no_category_of_wear(language: str, laps: int) -> None:
    """FD-BASIC-2: there is one pool."""
    told = book({"game": "formula-d", "rules": ["basic"], "laps": laps}, language)
    wrong = [
        line for line in text_of(told).split("\n") if re.search(CATEGORIES[language], line.lower())
    ]
    assert not wrong


@pytest.mark.parametrize("game", GAMES)
def test_before_a_race_the_book_is_of_what_the_lobby_sets_up(game: str) -> None:
    options = [one.name for one in GAMES[game].options if not one.excludes]
    lobby = Lobby(game=game, rules=tuple(options))
    before = book_view(Scene(version=0, seats=(), lobby=lobby), words("en"))
    assert entries(before).keys() >= entries(book({"game": game, "rules": options})).keys()


def test_a_lap_that_the_referee_adds_brings_the_rules_of_the_pit() -> None:
    game = fetch("formula-d")
    header = {"game": "formula-d", "laps": 1, "seats": [{"seat": 1}]}
    race = Drive(draw("formula-d", Random(1)), 1)
    assert race.engine.handle({"new": {**header, "track": "monaco"}})["ok"]
    assert "FD-PIT-5" not in entries(book(header))
    assert race.engine.handle({"correct": {"laps": 2}, "reason": "one more"})["ok"]
    scene = Scene(version=0, seats=(), header=header, state=game.visible(race.engine.moment))
    assert "FD-PIT-5" in entries(book_view(scene, words("en")))


@pytest.mark.slow
def test_each_drawing_is_made_from_its_scenario() -> None:
    """Twenty at least, of rules that there are; each is a picture."""
    assert made() == DRAWN.read_text("utf-8")
    assert len(drawings()) >= 20
    assert drawings().keys() <= rule_titles().keys()
    for shown in drawings().values():
        drawn = ElementTree.fromstring(draw_stretch(TrackLibrary().load(shown["track"]), shown))
        cars = [text for text in drawn.itertext() if text.isdecimal()]
        assert cars, shown
