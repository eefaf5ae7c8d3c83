"""An evening without a board on six keys: true reports, and what goes wrong at a table.

A race on a board is driven again by presses, without a board or on its card, of both editions. On
the way a key is pressed wrongly and taken back, the referee takes an answer back, a report is
amended, and a phone is lost, whose seat the host answers for. It ends as if nothing had gone wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from companion.rules.formula.game import unhurt
from companion.rules.lines import Answer
from companion.table.ports import Caller
from companion.table.screens import make_scene
from companion.views.formula.parts import the_race
from companion.views.formula.report import OUT_BY_BLOCK
from companion.views.screen import HOME, Dialog, turn_of
from support.formula.mirror import SPARED, Mirror, Turn, header, turns
from support.screens.hands import picks_no_more, presses_to, sends
from support.tables.sitting import REFEREE, Sitting, phone

BOARD, HOST, LOST = "monaco", 1, 3
AGAIN = -1
"""No turn: nothing goes wrong."""


def on_keys(report: dict[str, Any], car: dict[str, Any] | None = None) -> dict[str, Any]:
    """A report as people say it: who is out is out, by however many spaces; a stop says the line
    that lies before it, in lap 0 and behind a card's last corner."""
    follows = car is not None and (car["lap"] == 0 or car.get("line_due", False))
    if follows and ("corner" in report or "missing" in report):
        report = {word: told for word, told in report.items() if word != "line"}
    if report.get("missing") == 2:
        report = {word: told for word, told in report.items() if word != "overshoot"}
    if "blocked" in report:
        report = {**report, "blocked": min(report["blocked"], OUT_BY_BLOCK)}
    return report


def touched_in_order(report: dict[str, Any], near: list[int]) -> dict[str, Any]:
    """The cars touched as people press them: in the order in which they are offered."""
    touched = report.get("touched", [])
    rank = {seat: at for at, seat in enumerate(near)}
    return {"touched": sorted(touched, key=lambda seat: rank.get(seat, 99))} if touched else {}


class Slips(NamedTuple):
    """The turns in which something goes wrong, by number; what is said amiss is amended later."""

    wrong: int = 9
    taken_back: int = 15
    missaid: int = 20
    amended: int = 22
    gone: int = 26


@dataclass
class Evening:
    """A table that drives the turns of a race on its keys, and counts the presses."""

    track: str | None
    sitting: Sitting
    game: str = "formula-d"
    seed: int = 1
    slips: Slips = field(default_factory=Slips)
    seats: int = 6
    laps: int = 2
    most_turns: int | None = None
    turns: list[int] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)
    driven: list[Turn] = field(default_factory=list)
    phones: set[int] = field(default_factory=lambda: set(range(1, 7)))

    def play(self) -> Evening:
        """All of it."""
        true = turns(BOARD, self.seed, self.seats, self.laps, self.game)
        self.driven = list(true)[: self.most_turns]
        self._begins(header(self.seats, self.laps, track=self.track, game=self.game))
        for number, turn in enumerate(self.driven):
            self.turns.append(0)
            if number == self.slips.gone:
                self._loses_a_phone()
            self._drive(turn, number)
        return self

    def _begins(self, told: dict[str, Any]) -> None:
        self._says(REFEREE, {"new": told})

    def _says(self, caller: Caller, line: dict[str, Any]) -> None:
        """What is no answer on the keys: the referee's, and the holding of key 1."""
        self.sitting.accepts(caller, line)

    def _loses_a_phone(self) -> None:
        """The host answers for its seat from now on."""
        self.phones.remove(LOST)

    def _drive(self, turn: Turn, number: int) -> None:
        gone = False
        while asks := self.sitting.state.asks:
            ask = asks[0]
            if ask["kind"] == "gear" and (gone or ask["seat"] != turn.seat):
                break
            gone = True
            if ask["kind"] == "order":
                self.orders.append(self._give(HOST, {"seat": 0, "order": turn.state["order"]}))
                break
            self.turns[-1] += self._answer(ask, turn, number)

    def _answer(self, ask: Any, turn: Turn, number: int) -> int:
        if ask["kind"] == "black":
            return self._spared(turn.seat)
        seat = ask["seat"]
        report = on_keys(self._where(ask, turn), self._car(seat))
        if near := ask.get("near"):
            report |= touched_in_order(report, near)
        if ask["kind"] == "report" and number == self.slips.wrong:
            self._give(seat, {"seat": seat, "report": {"missing": 2}})
            self._says(phone(seat), {"table": "take-back", "seat": seat})
        if ask["kind"] == "report" and number == self.slips.taken_back:
            self._says(REFEREE, {"undo": 1})
            self._give(seat, {"seat": seat, "roll": turn.face})
        said = {"gear": turn.gear, "roll": turn.face, "black": SPARED, "report": report}
        if number == self.slips.missaid:
            said["report"] = {}
        lines = [{"seat": seat, ask["kind"]: said[ask["kind"]]}]
        if said["report"].get("touched") and ask["kind"] == "report":
            lines += self._rolls(Answer(seat, "report", said["report"]))
        pressed = self._give(seat, *lines)
        if ask["kind"] == "report" and number == self.slips.amended:
            self._amend()
        return pressed

    def _car(self, seat: int) -> dict[str, Any]:
        car: dict[str, Any] = self.sitting.race.state["cars"][str(seat)]
        return car

    def _rolls(self, report: Answer) -> list[dict[str, Any]]:
        """What is thrown before a report that tells of cars touched: nobody is hurt."""
        scene = make_scene(self.sitting.state, {}, lambda number: f"seat/{number}")
        return [dict(roll.line) for roll in unhurt(the_race(scene), report)]

    def _spared(self, mover: int) -> int:
        """Nobody is hurt: one press on the mover's list, or on the own screen."""
        asked = [ask["seat"] for ask in self.sitting.state.asks if ask["kind"] == "black"]
        lines = [{"seat": seat, "black": SPARED} for seat in asked]
        if pressed := self._press(mover, mover, *lines):
            return pressed
        return self._give(asked[0], lines[0])

    def _where(self, ask: Any, turn: Turn) -> dict[str, Any]:
        mirror = Mirror(BOARD, self.seed)
        return mirror.where(turn, ask) if ask["kind"] == "report" else {}

    def _amend(self) -> None:
        """The report of two turns ago is set right, looked at before."""
        given = self.sitting.race.given
        missaid = self.driven[self.slips.missaid]
        back = next(
            n for n in range(1, 30)
            if given[-n].line.get("report") == {} and given[-n].line["seat"] == missaid.seat
        )  # fmt: skip
        line = {"amend": back, "value": on_keys(missaid.report)}
        self._says(REFEREE, {**line, "preview": True})
        self._says(REFEREE, line)
        self._once_more()

    def _once_more(self) -> None:
        """What no longer holds after that is asked again: a contact that it tells of, and all
        that came after its rolls. The turns until now are driven once more as far as asked."""
        counted = list(self.turns)
        for turn in self.driven[self.slips.missaid : self.slips.amended + 1]:
            if self.sitting.state.asks[0]["kind"] == "order":  # of the last turn of the round
                break
            self._drive(turn, AGAIN)
        self.turns = counted

    def _give(self, seat: int, *lines: dict[str, Any]) -> int:
        """Press the keys that say it; whose phone is lost is answered for by the host."""
        pressed = self._press(seat, seat or HOST, *lines)
        assert pressed, (lines, self.sitting.state.asks)
        return pressed

    def _press(self, seat: int, by: int, *lines: dict[str, Any]) -> int:
        """How many keys say it, pressed; 0 where none do."""
        scene = make_scene(self.sitting.state, {}, lambda number: f"seat/{number}")
        dialog = HOME if seat in self.phones else Dialog(target=seat, about=turn_of(scene))
        by = by if by in self.phones else HOST
        buttons = presses_to(scene, by, sends(*lines), dialog, leads=picks_no_more(*lines))
        for line in lines if buttons else ():
            self.sitting.accepts(phone(by), line, pressed=True)
        return len(buttons or ())
