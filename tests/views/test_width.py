"""Every line of every page that can be reached fits its place, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
from support.formula.hand_made import with_state
from support.screens.widths import cut, cut_on_phone, pages, too_wide

from companion.rules.formula.car import Status
from companion.views.dialog import choices
from companion.views.model import Ailing, Lobby, Scene, SeatView, Trouble
from companion.views.words import LANGUAGES
from companion.views.words.refusals import TEXTS


def boardless(language: str, table: Any) -> Iterator[Scene]:
    """No board, and a card: a report in rain, the order of a round, a car that waits."""
    cars = {str(n): {"gear": 6, "lap": 1} for n in range(1, 7)} | {"6": {"status": "pit"}}
    for track in (None, "valencia"):
        first = {"gear": 6, "lap": 1} | ({"corner": "T5"} if track else {})
        race = table(language).new(
            track=track,
            laps=3,
            rules=["weather", "tires", "technical"],
            position={
                "cars": cars | {"1": first},
                "order": [1, 2, 3, 4, 5, 6],
                "turn": 1,
                "weather": "rain",
            },
        )
        race.press(1, 6)
        race.answer(seat=1, roll=30)
        yield race.scene()
        yield race.scene(old={(1, "report"): {"brakes": 3, "touched": [2, 3]}})
        race.answer(seat=1, report={"touched": [2, 3], "debris": 1})
        yield race.scene()
        yield (
            table(language)
            .new(track=track, position={"cars": {"1": {"gear": 1, "lap": 1}}})
            .scene()
        )


def scenes(language: str, table: Any, scene_of: Callable[..., Scene]) -> Iterator[Scene]:
    """Moments of every kind: asks of all sorts, a lobby, a pause, a correction, the end."""
    race = table(language).place(
        cars={
            "1": {"space": "T5.l1", "gear": 4, "lap": 1},
            "2": {"space": "S6.m1", "gear": 5, "lap": 1},
            "3": {"space": "T5.r7", "gear": 2, "lap": 1, "stops": 1},
            "4": {"space": "S1.r1", "gear": 3, "lap": 1},
        },
        order=[1, 2, 3, 4],
        turn=1,
    )
    yield race.scene(preset={2: 5})
    race.press(1, 5)
    yield race.scene()
    race.answer(seat=1, roll=12)
    yield race.scene()
    yield from boardless(language, table)
    yield race.scene(paused=True)
    error = {"key": "no-such-move", "rule": "FD-MOVE-1", "args": {}}
    yield race.scene(refused={1: error})
    yield race.scene(proposal={"seat": 1, "from": 1, "space": "T10.l3", "error": error})
    rolls = [
        {"seat": n, "kind": "black", "for": "engine", "options": [[1, 4], [5, 20]]}
        for n in range(1, 7)
    ]
    yield scene_of(*rolls, language=language)
    for reason in ("grid", "start", "collision", "pit", "weather", "noise", "radio"):
        yield scene_of(black(reason), language=language)
    rest = (("tires", ["hard", "soft", "rain"]), ("pit", ["tires", "technical"]))
    for kind, options in (*rest, ("repair", {"points": 2, "categories": ["body", "engine"]})):
        yield scene_of({"seat": 2, "kind": kind, "options": options}, language=language)
    yield scene_of({"seat": 2, "kind": "time"}, language=language)
    quiet = scene_of(language=language)
    for part, key in product(TEXTS["parts"], TEXTS["troubles"]):
        args = {"n": 6, "name": "gpiozero", "has": "10.10.10", "needs": "11.11.11"}
        ailing = Ailing(part, Trouble(key, args=args), since=20)
        seats = [replace(one, alive=False, ailing=ailing) for one in quiet.seats]
        yield replace(quiet, seats=tuple(seats))
    cars = {n: replace(car, status=Status.OUT) for n, car in quiet.state.cars.items()}
    yield with_state(quiet, phase="finished", turn=None, cars=cars)
    empty = replace(scene_of(language=language), state=None, header=None, track=None)
    yield replace(empty, lobby=Lobby(("Ana", "Bob"), (1, 2), {1: "Ana", 2: "Bob"}, last={}))


def black(reason: str) -> dict[str, Any]:
    options = {
        "grid": [[n, n] for n in range(1, 21)],
        "start": [[1, 1], [2, 19], [20, 20]],
        "pit": [[1, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 20]],
        "weather": [[1, 7], [8, 12], [13, 20]],
        "noise": [[1, 15], [16, 18], [19, 19], [20, 20]],
        "radio": [[1, 4], [5, 7], [8, 10], [11, 13], [14, 17], [18, 20]],
    }.get(reason, [[1, 1], [2, 20]])
    return {"seat": 2, "kind": "black", "for": reason, "options": options, "with": 5}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.slow
def test_every_line_of_every_page_fits(
    language: str, table: Any, scene_of: Callable[..., Scene]
) -> None:
    seen = set()
    for scene in scenes(language, table, scene_of):
        for info in scene.seats:
            if scene.state and info.seat not in scene.state.cars:
                continue
            for dialog, view in pages(scene, info.seat):
                seen.add(dialog.page)
                assert too_wide(view) == [], view
                named = [text for text in cut(view) if not speaks_of_a_corner(text)]
                assert named == [], view
                assert cut_on_phone(view) == [] or dialog.page == "road", view  # has none
    assert {"more", "brake", "lane", "elsewhere", "place", "wear", "retire", "link", "why"} <= seen


def speaks_of_a_corner(text: str) -> bool:
    """Names of corners and people may be cut; words may not."""
    return any(name in text for name in ("Saint", "Antho", "Chica", "Mirab", "Rasca", "Pisci"))


def test_a_line_too_wide_is_found() -> None:
    assert too_wide(SeatView("x" * 22, ("y" * 21,))) == ["x" * 22]
    assert too_wide(SeatView("Seat", ("y" * 11,), qr="http://x")) == ["y" * 11]
    assert cut(SeatView("Some words that were…")) == ["Some words that were…"]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_long_names_are_cut_and_never_push_anything_out(language: str, table: Any) -> None:
    names = tuple(f"{n} Wolfgang Amadeus Emerson-Fittipaldi" for n in range(1, 5))
    race = table(language, names).new(grid=[1, 2, 3, 4])
    dice = Random(3)
    for _ in range(60):
        scene = race.scene()
        for info in scene.seats:
            for _, view in pages(scene, info.seat):
                assert too_wide(view) == [], view
        seat = scene.asks[0].seat
        keys = [n for n, choice in enumerate(choices(scene, seat), 1) if choice and choice.does]
        race.press(seat, dice.choice(keys))
