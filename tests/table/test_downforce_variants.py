"""Every variant of Downforce by presses, with all that goes wrong at a table.

A wrong key is taken back by holding 1, the referee takes an answer back and amends another, a
plug is pulled, and a phone is lost, whose seat is answered for on the page from then on.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.downforce.evening import SECRET, Evening, header
from support.downforce.walk import Walk
from support.screens.hands import presses_to, sends
from support.tables.sitting import REFEREE, phone

from companion.race.record import replay

EVENTS = {"auction": "entered", "cards": "events"}
VARIANTS: list[tuple[tuple[str, ...], int, dict[str, str]]] = [
    ((), 4, EVENTS),
    ((), 3, SECRET),
    (("beginners",), 5, {**EVENTS, "first_home": "any"}),
    (("dealt", "no-powers"), 4, EVENTS),
    (("hands-of-three",), 3, SECRET),
    (("first-wins", "no-bets"), 6, EVENTS),
    (("two-players",), 2, SECRET),
    (("long-distance",), 3, EVENTS),
    (("long-distance", "championship"), 2, SECRET),
    (("championship",), 4, EVENTS),
]
WRONG, UNDONE, AMENDED, PULLED, LOST = 1, 3, 6, 8, 9
LOST_SEAT, MOST = 2, 400
JSON = dict[str, Any]


class Whims(Walk):
    """Random answers without a table of their own; nobody's hand is entered."""

    def __init__(self, data: JSON, seed: int) -> None:
        self.dice, self.rules = Random(seed), tuple(data["rules"])

    def held(self, seat: int) -> Any:
        return ()


class Driven:
    """A game answered at random, each answer on the keys of its seat; the host's for the table."""

    def __init__(self, data: JSON, seed: int) -> None:
        self.evening = Evening(data)
        self.walk = Whims(data, seed)
        self.presses, self.by_page, self.met = 0, 0, set[str]()

    def plays(self) -> None:
        """All of it; what goes wrong does so at the first answer from its number on."""
        for number in range(MOST):
            if not self.evening.asks:
                return
            asks = [ask for ask in self.evening.asks if ask["kind"] != "end"]
            ask = (asks or self.evening.asks)[0]
            self._goes_wrong(number, ask)
            self.answers(ask, number)
        raise AssertionError("the game does not end")

    def _goes_wrong(self, number: int, ask: JSON) -> None:
        if number >= WRONG and "wrong" not in self.met and ask["seat"] == 0:
            self._taken_back(ask, "wrong", phone(1), {"table": "take-back", "seat": 1})
        if number >= UNDONE and "undone" not in self.met:
            self._taken_back(ask, "undone", REFEREE, {"undo": 1})
        if number == AMENDED:
            self._amends()
        if number == PULLED:
            before = self.evening.state
            self.evening = self.evening.restarted()
            assert self.evening.state == before

    def _taken_back(self, ask: JSON, what: str, by: Any, line: JSON) -> None:
        """An answer is given and taken back: all is as it was before."""
        before = self.evening.state
        self._press(ask, self._value(ask))
        assert self.evening.says(by, line).status == 200
        assert self.evening.state == before
        self.met.add(what)

    def _amends(self) -> None:
        """The referee gives an answer of a while ago again; whatever came after it stands."""
        race, before = self.evening.room.state.race, self.evening.state
        assert race is not None
        back = next(n for n in range(2, 9) if not {"bid", "bet"} & set(race.given[-n].line))
        (value,) = (told for key, told in race.given[-back].line.items() if key != "seat")
        for line in ({"preview": True}, {}):
            reply = self.evening.says(REFEREE, {"amend": back, "value": value, **line})
            assert reply.status == 200, reply.body
        assert self.evening.state == before
        self.met.add("amended")

    def answers(self, ask: JSON, number: int) -> None:
        value = self._value(ask)
        if number >= LOST and ask["seat"] == LOST_SEAT:
            line = {"seat": ask["seat"], ask["kind"]: value}
            assert self.evening.says(REFEREE, line).status == 200
            self.by_page += 1
        else:
            self._press(ask, value)

    def _value(self, ask: JSON) -> Any:
        value = self.walk.value(ask)
        if ask["kind"] == "played" and not ask["seat"]:  # a thing at a time
            over = not ask["lines"][-1]
            home = (value["finished"] or ask["options"])[:1] if over else []
            return {"lines": 0 if over else 1, "finished": home}
        return value

    def _press(self, ask: JSON, value: Any) -> None:
        screen, session = ask["seat"] or 1, self.evening.room.session
        for told in forms(ask, value):
            wanted = sends({"seat": ask["seat"], ask["kind"]: told})
            dialog = session._screens.dialog(screen)
            if presses_to(session._scene, screen, wanted, dialog) is not None:
                self.presses += self.evening.presses(ask["seat"], **{ask["kind"]: told})
                return
        raise AssertionError(f"no keys say {value} to {ask}")


def forms(ask: JSON, value: Any) -> list[Any]:
    """An answer as keys may send it, with or without what goes without saying."""
    if ask["kind"] == "bid":
        least = {"amount": value["amount"], "cars": 1, "wild": False}
        return [value, least, {"amount": value["amount"]}, {**value, "wild": False}]
    if ask["kind"] == "played":
        short = {key: value[key] for key in ("lines", "finished")}
        return [value, short, {**short, "out_of_cards": False}, {"lines": 0, "finished": []}]
    return [value]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(VARIANTS)))
def test_every_variant_is_played_by_presses_whatever_goes_wrong(number: int) -> None:
    """DF-VAR-1 to DF-VAR-4."""
    rules, players, house = VARIANTS[number]
    driven = Driven(header(players, *rules, house=house), number)
    driven.plays()
    assert driven.evening.state["phase"] == "finished"
    assert driven.met == {"wrong", "undone", "amended"}
    (record,) = driven.evening.room.records.values()
    assert replay(record).state() == driven.evening.state
    driven.evening.close()
