"""The optional rules of a header: which are on, and what each asks of the seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.board.track import Track
from companion.rules.formula.boardless.header import refuse_boardless
from companion.rules.formula.edition import Edition
from companion.rules.formula.state import Setup
from companion.rules.formula.tables import (
    BUILD_POINTS,
    POOL,
    TEAM_POOL,
    TEAM_SIZE,
    TIRE_KINDS,
)
from companion.rules.formula.urban.drivers import URBAN
from companion.rules.formula.urban.header import read_driver, refuse_with_urban
from companion.rules.reading import bad, one_of, only_keys, read_name, whole


@dataclass(frozen=True, slots=True)
class SeatOptions:
    """What the optional rules make of one seat; None: it is asked for, or not in force."""

    wear: tuple[int, ...] | None
    tires: str | None
    team: str | None
    pool: int | None
    driver: str | None
    full: tuple[int, ...]


def read_rules(told: Any, track: Track, edition: Edition) -> frozenset[str]:
    """The optional rules that are on.

    Raises:
        Malformed: an unknown rule, or one that the board has no table for.
    """
    if not isinstance(told, list) or not all(isinstance(rule, str) for rule in told):
        bad("rules-form", f"rules is a list of names, not {told!r:.60}")
    for rule in told:
        if rule not in edition.optional_rules:
            bad("rule-unknown", f"there is no optional rule {rule!r:.40}", name=rule[:40])
    if URBAN in told:
        refuse_with_urban(told)
    if track.is_blank:
        refuse_boardless(told)
    if "weather" in told and track.weather is None and not track.is_blank:
        bad("no-weather-table", f"{track.name} has no weather table; leave weather out",
            rule="FD-WEATHER-1", track=track.name)  # fmt: skip
    return frozenset(told)


def read_options(told: Mapping[str, Any], setup: Setup) -> SeatOptions:
    """What a seat of the header says to the rules that are on.

    Raises:
        Malformed: wear, tires or team that the rules do not allow.
    """
    rules, tires = setup.rules, told.get("tires")
    if tires is not None:
        tires = one_of(tires, "tires", TIRE_KINDS, rule="FD-TIRE-1")
    if tires not in (None, "hard") and "tires" not in rules:
        bad("tires-not-on", f"tires are hard: the rule of tires is not on ({tires})",
            rule="FD-TIRE-1", tires=tires)  # fmt: skip
    team = told.get("team")
    if team is not None:
        read_name(team, "team")
    if "teams" in rules and team is None:
        bad("team-missing", "with teams every seat names its team", rule="FD-TEAM-1")
    own_pool = bool(rules & setup.edition.pool_rules) and "teams" not in rules
    driver = read_driver(told, rules)
    full = driver.wear if URBAN in rules else setup.standard_wear
    return SeatOptions(
        _read_wear(told.get("wear"), setup, full),
        tires,
        team if "teams" in rules else None,
        POOL if own_pool else None,
        driver.name or None,
        full,
    )


def _read_wear(told: Any, setup: Setup, full: tuple[int, ...]) -> tuple[int, ...] | None:
    """Wear of the header: a construction, or nothing but the car's own (FD-CAR-1)."""
    if told is None:
        return None
    if setup.edition.build_rule in setup.rules:
        return read_construction(told, setup)
    return tuple(read_wear(told, full, setup.edition.categories))


def read_construction(told: Any, setup: Setup) -> tuple[int, ...]:
    """A constructed car: what is left out as standard, 20 points in all (FD-BUILD-1)."""
    if not isinstance(told, dict):
        bad("wear-form", f"wear is an object of categories, not {told!r:.60}")
    edition = setup.edition
    only_keys(told, edition.categories, "wear")
    bounds = zip(edition.categories, setup.standard_wear, edition.build_limits, strict=True)
    wear = tuple(
        whole(told.get(name, standard), name, low, high, rule="FD-BUILD-1")
        for name, standard, (low, high) in bounds
    )
    if sum(wear) != BUILD_POINTS:
        bad("build-points", f"a car is built of {BUILD_POINTS} points, not of {sum(wear)}",
            rule="FD-BUILD-1", points=BUILD_POINTS, given=sum(wear))  # fmt: skip
    return wear


def read_wear(
    told: Any, full: tuple[int, ...], categories: tuple[str, ...], *, exact: bool = True
) -> list[int]:
    """Wear by name, what is left out as `full`; never above it, nor below 0 (FD-CAR-2).

    In a header (`exact`) it is what FD-CAR-1 says, as long as cars are not constructed.
    """
    if not isinstance(told, dict):
        bad("wear-form", f"wear is an object of categories, not {told!r:.60}")
    only_keys(told, categories, "wear")
    wear = list(full)
    for at, name in enumerate(categories):
        if name in told:
            wear[at] = whole(told[name], name, 0, full[at], rule="FD-CAR-2")
            if exact and wear[at] != full[at]:
                bad("standard-wear", f"a car starts with {name} {full[at]}, not {wear[at]}",
                    rule="FD-CAR-1", category=name, points=full[at])  # fmt: skip
    return wear


def team_pools(teams: list[str], setup: Setup) -> dict[str, int]:
    """The teams in the order of their first seats, each with its generic WP.

    Without a rule that gives them there are none: {}.

    Raises:
        Malformed: a team of more than two cars (FD-TEAM-1).
    """
    for team, cars in Counter(teams).items():
        if cars > TEAM_SIZE:
            bad("team-too-big", f"a team has {TEAM_SIZE} cars, {team} has {cars}",
                rule="FD-TEAM-1", team=team)  # fmt: skip
    return dict.fromkeys(teams, TEAM_POOL) if setup.rules & setup.edition.pool_rules else {}
