"""Every event is one sentence in every language, with the rule behind it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from support.each import holds_for_each
from support.formula.hand_made import with_car

from companion.rules.formula.car import Out, Status
from companion.rules.formula.referee import format_agreed
from companion.rules.formula.state import Event, Phase, State
from companion.views.dialog import talk_of
from companion.views.formula.menu import RETIRED
from companion.views.formula.page import OUTCOMES, STORY, finish_of
from companion.views.formula.parts import WHY_OUT
from companion.views.model import Scene
from companion.views.page import last_sentences, table_view, tell
from companion.views.words import LANGUAGES, words

SceneOf = Callable[..., Scene]

EVENT = {
    "seat": 2, "rule": "FD-X-1", "roll": [1, 4], "cost": {"tires": 2}, "against": 3, "to": "T5.l2",
    "gear": 3, "before": 2, "face": 7, "spaces": 6, "brakes": 1, "corner": "Loews", "stops": 1,
    "needed": 3, "order": [2, 1], "round": 4, "lap": 1, "place": 2, "why": "body", "reason": "rain",
    "answers": 2, "taken": [[2, "roll"], [2, "move"]], "gap": 7, "score": 24,
    "speed": 200, "count": 2, "out": False, "laps": 2, "passages": 3,
}  # fmt: skip


def test_every_event_has_a_sentence() -> None:
    def has(name: str) -> None:
        told = [outcome for event, outcome in STORY.sentences if event == name]
        assert told
        assert len(told) == 1 or name in OUTCOMES

    holds_for_each(has, product([*Event.names, "TakenBack"]))


def test_a_sentence_is_whole(scene_of: SceneOf) -> None:
    scene = scene_of()

    def is_whole(name: str, language: str) -> None:
        sentence = tell({"event": name, **EVENT}, scene, words(language))
        assert sentence.text[-1] in ".!"
        assert "{" not in sentence.text
        assert "None" not in sentence.text
        assert "T5" not in sentence.text
        assert (sentence.rule, sentence.seat) == ("FD-X-1", 2)

    holds_for_each(is_whole, product(sorted({name for name, _ in STORY.sentences}), LANGUAGES))


def told(scene_of: SceneOf, language: str = "en", **event: Any) -> str:
    return tell({"seat": 2, **event}, scene_of(), words(language)).text


def test_what_came_of_a_roll_decides_the_sentence(scene_of: SceneOf) -> None:
    """FD-BUMP-1: both cars roll, so no sentence says which of them drove into the other."""
    roll: dict[str, Any] = {"event": "CollisionRolled", "against": 3}
    hurt = told(scene_of, **roll, roll=1, hurt=True, cost={"body": 1})
    unhurt = told(scene_of, **roll, roll=[2, 20], hurt=False, cost={})
    assert hurt == "Bob rolls 1 for contact with Cid (body −1)."
    assert unhurt == "Bob rolls 2–20 for contact with Cid, unhurt."


def test_places_are_told_by_name(scene_of: SceneOf) -> None:
    moved: dict[str, Any] = {"event": "Moved", "to": "T5.l2", "spaces": 6, "brakes": 0}
    assert told(scene_of, **moved) == "Bob moves 6: Loews, left, 2nd."
    assert told(scene_of, "fr", **moved) == "Bob avance de 6 : Loews, gauche, 2e."


def test_who_takes_back_what_is_told_by_name(scene_of: SceneOf) -> None:
    back = {"event": "TakenBack", "seat": 0}
    one = told(scene_of, **back, answers=1, taken=[[2, "move"]])
    assert one == "Bob takes back: where the car ended."
    two = told(scene_of, "fr", **back, answers=2, taken=[[2, "roll"], [2, "move"]])
    assert two == "Bob annule : dé, la case d'arrivée."
    assert told(scene_of, **back, answers=2, taken=[[1, "gear"], [2, "gear"]]).endswith("2.")
    assert told(scene_of, **back, answers=1, taken=[]).endswith("1."), "a line of the referee's"


def test_that_somebody_takes_back_is_news_until_the_race_goes_on(scene_of: SceneOf) -> None:
    out = {"event": "Retired", "seat": 3, "reason": "retired"}
    back = {"event": "TakenBack", "seat": 0, "answers": 1, "taken": [[2, "move"]]}
    gear = {"event": "GearEngaged", "seat": 2, "gear": 3, "before": 3, "cost": {}}

    def newest(*log: dict[str, Any]) -> Any:
        scene = replace(scene_of(), log=log)
        return table_view(scene)["news"][-1]

    assert newest(out, back)["en"].startswith("Bob takes back")
    assert newest(out, back)["back"]
    assert newest(out, back, gear) == newest(out)


def test_a_sentence_that_ends_in_a_german_ordinal_has_one_full_stop(scene_of: SceneOf) -> None:
    moved: dict[str, Any] = {"event": "Moved", "to": "T5.l2", "spaces": 6, "brakes": 0}
    assert told(scene_of, "de", **moved) == "Bob fährt 6: Loews, links, 2."


def test_who_comes_late_is_told_how_far_ahead_the_first_car_is(scene_of: SceneOf) -> None:
    late: dict[str, Any] = {"event": "Joined", "name": "Bob", "space": "S1.m3", "gap": 31}
    assert told(scene_of, **late).endswith("; the first car is 31 ahead.")


def test_a_player_who_has_retired_is_out_in_one_word_in_french(scene_of: SceneOf) -> None:
    scene = scene_of()
    race = scene.state
    assert isinstance(race, State)
    out = race.change(2, status=Status.OUT, space=None, out=Out(why="retired"))
    scene = replace(scene, state=replace(out, phase=Phase.FINISHED))
    talk, _ = talk_of(
        replace(scene, seats=tuple(replace(s, language="fr") for s in scene.seats)), 1
    )
    rows = finish_of(talk)["rows"]
    assert [row["says"] for row in rows if row["seat"] == 2] == ["abandon"]


def test_why_a_car_is_out_is_told(scene_of: SceneOf) -> None:
    assert {"corner", "tires", "blocked", "body", "engine", "handling"} <= WHY_OUT.keys()
    assert told(scene_of, event="Eliminated", why="body") == "Bob is out: no body left."


def test_an_event_of_a_rule_to_come_is_told_by_its_name(scene_of: SceneOf) -> None:
    assert told(scene_of, event="NitroUsed") == "NitroUsed"


def test_the_last_sentences_leave_out_what_goes_without_saying(scene_of: SceneOf) -> None:
    log = [{"event": name, "seat": 2, "version": 3} for name in ("Spun", "TurnEnded", "TurnBegan")]
    told = last_sentences(scene_of(log=tuple(log)), words("en"))
    assert [sentence.text for sentence in told] == ["Bob spins."]


def test_the_table_tells_what_everybody_may_see(scene_of: SceneOf) -> None:
    log = ({"event": "Spun", "seat": 2, "rule": "FD-CORNER-6", "version": 9},)
    ask = {"seat": 2, "kind": "gear", "options": [1, 2, 3, 4]}
    view = table_view(scene_of(ask, log=log, preset={1: 4}))
    assert (view["version"], view["log"]) == (9, ["Bob spins."])
    assert view["story"] == [
        {"rule": "FD-CORNER-6", "seat": 2, "en": "Bob spins.", "fr": "Bob part en tête-à-queue."}
        | {"de": "Bob dreht sich."}
    ]
    assert view["state"]["turn"] == 2
    assert view["asks"][0]["kind"] == "gear"
    assert view["tasks"][0]["fr"] == "Bob choisit sa vitesse"
    assert view["running"] == [1, 2, 3, 4, 5, 6]
    assert view["standing"]["1"]["place"] == 1
    assert view["standing"]["1"]["where"]["en"] == "middle, 12 before Chicane"
    assert view["standing"]["1"]["full"]["engine"] == 3


def test_a_television_is_told_the_gaps_the_last_die_and_who_is_next(scene_of: SceneOf) -> None:
    rolled = {"event": "DieRolled", "seat": 2, "gear": 3, "face": 7, "version": 9}
    black = {"event": "EngineTested", "seat": 4, "roll": [5, 20], "version": 9}
    view = table_view(scene_of(log=(rolled,)))
    assert view["die"] == {"seat": 2, "gear": 3, "shows": "7"}
    assert view["next"] == 1
    gaps = [view["standing"][str(seat)]["gap"] for seat in range(1, 7)]
    assert gaps[0] == 0
    assert gaps == sorted(gaps)
    assert gaps[5] > 0
    told = table_view(scene_of(log=(rolled, black)))
    assert told["die"] == {"seat": 4, "gear": None, "shows": "5–20"}


def test_the_table_tells_no_link_and_no_early_gear(scene_of: SceneOf) -> None:
    told = repr(table_view(scene_of(preset={1: 4})))
    assert "http" not in told
    assert "'preset': True" in told
    assert "'preset': 4" not in told


def test_an_event_told_once_is_told_anew_for_another_language_board_or_name(
    scene_of: SceneOf,
) -> None:
    scene = scene_of(log=({"event": "Moved", **EVENT},))
    (first,) = last_sentences(scene, words("en"))
    assert last_sentences(replace(scene), words("en")) == [first]
    assert last_sentences(scene, words("fr")) != [first]
    assert last_sentences(replace(scene, track=None), words("en")) != [first]
    renamed = with_car(scene, 2, name="Zoe")
    assert last_sentences(renamed, words("en"))[0].text.startswith("Zoe")


def test_a_correction_that_was_agreed_on_names_the_space_as_people_do(scene_of: SceneOf) -> None:
    agreed = {"event": "Corrected", "seat": 0, "reason": format_agreed("T2.m1")}
    assert told(scene_of, **agreed) == (
        "Corrected, as the table agreed. The car stands: Casino 1, middle, 1st."
    )
    for language in LANGUAGES:
        text = told(scene_of, language, **agreed)
        assert "T2" not in text
        assert language == "en" or "agreed" not in text


def test_a_reason_that_the_companion_wrote_is_told_in_every_language(scene_of: SceneOf) -> None:
    retired = {"event": "Retired", "reason": RETIRED}
    assert RETIRED in told(scene_of, **retired)
    assert RETIRED not in told(scene_of, "fr", **retired)
    assert "rain" in told(scene_of, "fr", event="Retired", reason="rain"), "people's own stay"


@pytest.mark.parametrize(("lap", "text"), [(1, ": lap 1 of 2."), (2, ": lap 2 of 2."), (3, ".")])
def test_a_lap_behind_the_last_is_none(scene_of: SceneOf, lap: int, text: str) -> None:
    assert told(scene_of, event="LineCrossed", lap=lap) == f"Bob crosses the line{text}"
