"""Acts by chance, of every kind: many have a sense, and many have none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from companion.league.acts import every_kind

JSON = dict[str, Any]
NAMES = ("Ana", "Ben", "Cai", "Dot", "Eve", "Fay", "ana maria", "Bén", "Gus")
SEASONS = ("2026", "cup", "b")
OFTEN = (*(("race", "round") * 6), *(("penalty", "amend", "enter") * 3))
NOT_DONE = ("record", "undo", "forget", "received")
"""Kinds that nobody does as they are."""


def some_act(random: Random, races: Sequence[str], n: int) -> JSON:
    """An act that may speak of these races, and of acts up to the number n."""
    kinds = [kind for kind in every_kind() if kind not in NOT_DONE]
    kind = random.choice([*kinds, *OFTEN])
    return {"act": kind, **SAYS[kind](Chance(random, races, n))}


class Chance:
    """What an act may be about."""

    def __init__(self, random: Random, races: Sequence[str], n: int) -> None:
        self.random, self.n = random, n
        self.race = random.choice(races) if races and self.likely(0.97) else "nope"
        self.season = random.choice((*SEASONS, "none"))
        self.who, self.round = random.choice(NAMES), random.randint(1, 8)

    def likely(self, share: float) -> bool:
        return self.random.random() < share

    def one_of(self, *values: Any) -> Any:
        return self.random.choice(values)

    def some(self, share: float, **values: Any) -> JSON:
        """Each of these with a chance."""
        return {key: value for key, value in values.items() if self.likely(share)}

    def number(self) -> int:
        return self.random.randint(1, self.n + 1)


def _car(by: Chance, name: str) -> JSON:
    own: JSON = {
        "name": name,
        **by.some(0.2, team=by.one_of("Red", "Blue"), grid=by.number() % 6 + 1),
    }
    if by.likely(0.2):
        own["status"] = by.one_of("out", "not-classified", "not-started")
    if by.likely(0.2):
        own["crew"] = by.random.sample(NAMES, 2)
    if by.likely(0.3):
        own |= {"time": by.one_of(61, 119.5, 240), **by.some(0.4, trial=by.one_of(12, 30))}
    return own


def _race(by: Chance) -> JSON:
    day = f"2026-{by.random.randint(1, 12):02}-{by.random.randint(1, 28):02}"
    names = by.random.sample(NAMES, by.random.randint(2, 6))
    game = by.one_of("formula-d", "downforce")
    more = by.some(0.5, name=f"GP{by.n}", track=by.one_of("Monaco", "Spa"), laps=2)
    cars = [_car(by, name) for name in names]
    return {"race": f"r{by.n}", "date": day, "game": game, "entries": cars, **more}


def _season(by: Chance) -> JSON:
    return {"season": by.one_of(*SEASONS)} | by.some(
        0.25,
        title=by.one_of("T1", "T2"),
        points=by.one_of("10,8,6", "formula-d", "5,3,1"),
        drops=by.one_of(0, 1, 3),
        team_cars=by.one_of(None, 2),
        planned=by.one_of(None, 2, 5),
        open=by.likely(0.6),
        current_round=by.one_of(None, 4),
        private=by.likely(0.5),
        ties=by.one_of("places", "wins,poles"),
        half_under=by.one_of(None, 0.75),
        competition=by.one_of(None, "comp", "nocomp"),
        stage=by.one_of("season", "trials", "sprint", "final"),
        step=by.one_of(1, 2, 3),
        tier=by.one_of(1, 2),
        adds=by.likely(0.5),
        licence=by.one_of(None, 3),
        crews=by.one_of("car", "each"),
    )


def _amend(by: Chance) -> JSON:
    cars: list[JSON] = []
    for seat in by.random.sample(range(1, 8), by.random.randint(1, 5)):
        named = {"name": by.one_of(*NAMES)} if seat > 2 or by.likely(0.5) else {}
        cars.append({"seat": seat, **named, **by.some(0.2, status="out", team=None)})
    return {"race": by.race, "reason": "why", "entries": cars}


def _penalty(by: Chance) -> JSON:
    whose = {"driver": by.who} if by.likely(0.9) else {"team": "Red"}
    where = {"race": by.race} if by.likely(0.6) else {"season": by.season}
    kind = by.one_of("points", "bonus", "places", "disqualified", "grid", "ban", "licence", "ban")
    amount = True if kind == "disqualified" else by.one_of(1, 2, 3)
    return {"reason": "p", **whose, **where, kind: amount, **by.some(0.2, round=by.round)}


def _enter(by: Chance) -> JSON:
    return {"season": by.season, "driver": by.who} | by.some(
        0.25,
        number=by.one_of(None, 1, 2, 3),
        color="red",
        team=by.one_of("Red", None),
        role=by.one_of("regular", "joker"),
        until=4,
        table="T1",
        grid=2,
        via=by.one_of("cup", None),
        crew=by.random.sample(NAMES, 2),
    )


def _plan(by: Chance) -> JSON:
    more = by.some(0.4, title="R", date="2026-05-01", cancelled=by.one_of("rain", None), laps=2)
    return {"season": by.season, "round": by.round, **more}


def _of_round(by: Chance, **more: Any) -> JSON:
    return {"season": by.season, "round": by.round, **more}


SAYS: dict[str, Callable[[Chance], JSON]] = {
    "season": _season,
    "race": _race,
    "round": lambda by: (
        {"race": by.race, "season": by.season if by.likely(0.9) else None}
        | by.some(0.3, round=by.round, factor=2, points="9,6,4")
    ),
    "amend": _amend,
    "strike": lambda by: {"race": by.race, "reason": "x"},
    "restore": lambda by: {"race": by.race},
    "confirm": lambda by: {"race": by.race},
    "penalty": _penalty,
    "lift": lambda by: {"penalty": by.number(), "reason": "l"},
    "note": lambda by: {"race": by.race, "text": "hello"},
    "merge": lambda by: {"name": by.who, "into": by.one_of(*NAMES)},
    "part": lambda by: {"name": by.who},
    "rename": lambda by: {"driver": by.who, "name": by.one_of("Zed", "Yan")},
    "team": lambda by: (
        {"season": by.season, "driver": by.who, "team": by.one_of("Red", None)}
        | by.some(0.5, since=by.one_of(2, 4))
    ),
    "table": lambda by: {"table": "T1", "key_sha256": "ab" * 32},
    "close-table": lambda by: {"table": "T1"},
    "club": lambda by: {"confirm": by.one_of("at-once", "by-hand")},
    "protest": lambda by: {"race": by.race, "driver": by.who, "reason": "hm"},
    "decide": lambda by: {"protest": by.number(), "upheld": by.likely(0.5), "reason": "so"},
    "person": lambda by: (
        {"person": by.who, "role": by.one_of("steward", "driver")} | {"key_sha256": "cd" * 32}
    ),
    "close-person": lambda by: {"person": by.who},
    "hide": lambda by: {"driver": by.who},
    "reveal": lambda by: {"driver": by.who},
    "competition": lambda by: (
        {"competition": "comp"} | by.some(0.5, title="The Cup", ranking=by.one_of("sum", "stages"))
    ),
    "path": lambda by: (
        {"season": by.season, "into": by.one_of(*SEASONS)}
        | {"first": by.one_of(1, 2, -2), "last": by.one_of(2, 3, -1)}
    ),
    "close-path": lambda by: {"path": by.number()},
    "enter": _enter,
    "scratch": lambda by: {"season": by.season, "driver": by.who},
    "stand-in": lambda by: _of_round(by, driver=by.who, absent=by.one_of(*NAMES, None)),
    "plan": _plan,
    "unplan": _of_round,
    "come": lambda by: _of_round(by, driver=by.who, comes=by.likely(0.7)),
}
