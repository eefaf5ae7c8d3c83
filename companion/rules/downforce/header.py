"""The header of a game: what is settled before the auction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from companion.frozen import dataclass
from companion.rules import codec
from companion.rules.codec import Context
from companion.rules.colors import COLORS
from companion.rules.downforce.state import NO_CARS, OwnPower, Player, Setup, State
from companion.rules.downforce.tables import AT_THE_TABLE, CARS, HOUSE, LINES, PLAYERS, RULES
from companion.rules.forms import Maybe, Name, OneOf, Within
from companion.rules.game import Choices
from companion.rules.packs import with_pack
from companion.rules.reading import bad, one_of, only_keys, read_name, whole

HEADER_KEYS = ("game", "track", "laps", "rules", "house", "seats", "position",
    "circuit", "powers", "lines", "cars")  # fmt: skip
MOST_POWERS = 24
ENTERED = "entered"
"""What a header says of the hand of a seat that somebody enters for it (DF-CARD-1)."""
NEEDS = {"auction": "secret", "cards": "counted"}
"""What such a hand needs: its bids and its cards are cards of it."""
APART = ("two-players", "hands-of-three")
"""What it is not for: who draws cards has others than were entered."""
PAID = {"lines": (LINES, "DF-PAY-2"), "cars": (len(CARS), "DF-PAY-1")}
"""What an expansion's board may have more or less of, and the rule that has no pay for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A seat as a header names it, with the names that a league knows it by."""

    seat: Annotated[int, Within(1, 99)]
    name: Annotated[str, Name()] = ""
    player: Annotated[str | None, Maybe(Name())] = None
    team: Annotated[str | None, Maybe(Name())] = None
    driver: Annotated[str | None, Maybe(Name())] = None
    color: Annotated[str | None, Maybe(OneOf(COLORS))] = None
    hand: Annotated[str | None, Maybe(OneOf((ENTERED,)))] = None


def choices() -> Choices:
    """What a header of Downforce may choose."""
    return Choices(RULES, HOUSE, at_the_table=AT_THE_TABLE)


def read_header(data: Mapping[str, object]) -> tuple[State, Mapping[str, object] | None]:
    """The game before its first ask, as a header of Downforce has it, and its position.

    Raises:
        Malformed: what is wrong, and what would be accepted.
    """
    data = with_pack(data, "downforce")
    only_keys(data, HEADER_KEYS, "header")
    if data.get("laps", 1) is not None:
        whole(data.get("laps", 1), "laps", 1, 1)
    _refuse_unpaid(data)
    position = data.get("position")
    if position is not None and not isinstance(position, dict):
        bad("position-form", f"position is a part of a state, not {position!r:.60}")
    rules, entries = _read_rules(data.get("rules", [])), _read_seats(data.get("seats"))
    players = {one.seat: Player(name=one.name or f"Seat {one.seat}") for one in entries}
    entered = tuple(one.seat for one in entries if one.hand)
    if "two-players" in rules and len(players) != 2:
        bad("two-players", f"the game for two players is not for {len(players)}",
            rule="DF-VAR-2", players=len(players))  # fmt: skip
    setup = Setup(
        rules, **_read_house(data.get("house", {})), **_read_material(data), entered=entered
    )
    _check_entered(setup)
    return State(setup=setup, cars=NO_CARS, players=players), position


def _check_entered(setup: Setup) -> None:
    """DF-CARD-1: whose hand is entered bids and plays its own cards."""
    if not setup.entered:
        return
    told = ", ".join(f"house.{name} {value!r}" for name, value in NEEDS.items())
    if any(getattr(setup, name) != value for name, value in NEEDS.items()):
        bad("hand-needs", f"seat {setup.entered[0]} plays cards that are entered, for which it "
            f"needs {told}", rule="DF-CARD-1", seat=setup.entered[0])  # fmt: skip
    if any(setup.plays(rule) for rule in APART):
        bad("hand-apart", f"seat {setup.entered[0]} plays cards that are entered, which are not "
            f"for {' or '.join(APART)}", rule="DF-CARD-1", seat=setup.entered[0])  # fmt: skip


def _refuse_unpaid(data: Mapping[str, object]) -> None:
    """DF-PAY-1, DF-PAY-2: pay is known for six cars and three lines only."""
    for name, (count, rule) in PAID.items():
        if (told := data.get(name, count)) != count or isinstance(told, bool):
            message = f"{name} is {count}, as no pay is known for another number, not {told!r:.40}"
            bad("no-pay", message, rule=rule, name=name, count=count)


def _read_house(data: object) -> dict[str, Any]:
    if not isinstance(data, dict):
        bad("house-form", f"house is an object of switches, not {data!r:.60}")
    only_keys(data, HOUSE, "house")
    return {name: one_of(value, name, HOUSE[name]) for name, value in data.items()}


def _read_material(data: Mapping[str, object]) -> dict[str, Any]:
    """What is not in the box: the name of the circuit, powers of an expansion."""
    circuit = data.get("circuit")
    name = "" if circuit is None else read_name(circuit, "circuit")
    return {"circuit": name, "own_powers": read_powers(data.get("powers", []))}


def read_powers(powers: object) -> tuple[OwnPower, ...]:
    """Powers of an expansion, as a header names them.

    Raises:
        Malformed: they are too many, one has no name, or two have one.
    """
    if not isinstance(powers, list) or len(powers) > MOST_POWERS:
        bad("powers-form", f"powers is a list of up to {MOST_POWERS} with a name and a reminder")
    own = tuple(
        codec.read(OwnPower, one, "a power", Context(), key="powers-form") for one in powers
    )
    if len({one.name for one in own}) != len(own):
        bad("power-twice", "powers names a power twice", rule="DF-POWER-1")
    return own


def _read_rules(data: object) -> frozenset[str]:
    if not isinstance(data, list) or not all(isinstance(rule, str) for rule in data):
        bad("rules-form", f"rules is a list of names, not {data!r:.60}")
    for rule in data:
        if rule not in RULES:
            known = ", ".join(RULES)
            bad("rule-unknown", f"there is no optional rule {rule!r:.40}; known are {known}",
                name=rule[:40])  # fmt: skip
    return frozenset(data)


def _read_seats(data: object) -> list[Entry]:
    """The entries as they sit, clockwise: by the numbers of their seats."""
    if not isinstance(data, list) or not data:
        bad("seats-form", "seats is a list of seats")
    low, high = PLAYERS
    if not low <= len(data) <= high:
        bad("player-count", f"{low} to {high} play Downforce, not {len(data)}",
            rule="DF-SETUP-1", low=low, high=high, players=len(data))  # fmt: skip
    entries: dict[int, Entry] = {}
    for one in data:
        if isinstance(one, dict) and "seat" not in one:
            bad("seat-form", "every seat has a number: seat")
        entry = codec.read(Entry, one, "seat", Context(), key="seat-form")
        if entry.seat in entries:
            bad("seat-twice", f"seat {entry.seat} is there twice", seat=entry.seat)
        entries[entry.seat] = entry
    return [entries[seat] for seat in sorted(entries)]
