"""An evening of Downforce with a bot and three people, on a real table with its bots' thread."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from threading import Condition
from types import SimpleNamespace
from typing import Any

import pytest
from support.downforce.evening import SECRET
from support.downforce.walk import Walk
from support.tables.sitting import REFEREE, Sitting

from companion.app.table import RunningTable
from companion.race.record import engine_line, read_record, replay
from companion.system.config import Config

BOT, WAIT_S = 3, 60
ITS_OWN = ("bid", "keep", "card", "bet")


def header(*rules: str, level: str = "racer", **more: Any) -> dict[str, Any]:
    names = ("Ana", "Bob", "Bot", "Dora")
    seats: list[dict[str, Any]] = [{"seat": n, "name": name} for n, name in enumerate(names, 1)]
    seats[BOT - 1]["bot"] = level
    usual = {"game": "downforce", "track": None, "rules": list(rules), "seats": seats}
    return {**usual, "house": SECRET, **more}


class Hall(Walk):
    """A running table, and people who answer at random what is for people."""

    def __init__(self, folder: Path, seed: int = 1) -> None:
        self.dice, self._changed = Random(seed), Condition()
        self.running = RunningTable(Config(folder, "127.0.0.1", 0, bot_pace_s=0))
        self._stop = self.running.session.watch(self._notify)
        self.bodies: list[str] = []
        self.running.start()

    def _notify(self, shown: Any) -> None:
        with self._changed:
            self._changed.notify_all()

    def __enter__(self) -> Hall:
        return self

    def __exit__(self, *error: object) -> None:
        self._stop()
        self.running.close()

    @property
    def race(self) -> Any:
        return self.running.state.race

    @property
    def table(self) -> Any:  # type: ignore[override]
        return SimpleNamespace(engine=self.race.engine)

    def says(self, line: dict[str, Any]) -> Any:
        reply = self.running.session.submit(REFEREE, line)
        assert reply.status == 200, (line, reply.body)
        return reply

    def people_are_asked(self) -> list[Any]:
        return [
            ask for ask in self.race.engine.asks()
            if ask["kind"] != "end" and (ask["seat"] != BOT or ask["kind"] not in ITS_OWN)
        ]  # fmt: skip

    def step(self) -> None:
        """People answer once; where only the bot is asked it is waited for."""
        with self._changed:
            assert self._changed.wait_for(
                lambda: self.people_are_asked() or self.running.state.is_kept, WAIT_S
            ), self.race.engine.asks()
        if not self.people_are_asked():
            return
        ask = self.dice.choice(self.people_are_asked())
        value = self.value(ask)
        if ask["kind"] == "played":
            value["out_of_cards"] = False
        self.says({"seat": ask["seat"], ask["kind"]: value})
        self.bodies.append(self.running.session.snapshot().body.decode())

    def until(self, done: Callable[[], bool]) -> None:
        for _ in range(1000):
            if done():
                return
            self.step()
        raise AssertionError("it does not come to that")

    def finish(self) -> None:
        self.until(lambda: self.running.state.is_kept)


@pytest.mark.parametrize(("level", "rules"), [("racer", ()), ("learner", ("championship",))])
@pytest.mark.slow
def test_a_bot_bids_plays_and_bets_through_an_evening_with_three_people(
    level: str, rules: tuple[str, ...], tmp_path: Path
) -> None:
    """DF-CARD-1 to DF-CARD-4: to the end, and by its record once more."""
    with Hall(tmp_path) as hall:
        hall.says({"new": header(*rules, level=level)})
        hall.finish()
        told = [line for line in hall.race.lines if line.get("by") == "bot"]
    assert {key for line in told for key in line} & set(ITS_OWN) >= {"bid", "card", "bet"}
    assert {line["seat"] for line in told} == {BOT}
    (path,) = (tmp_path / "records").iterdir()
    lines = read_record(path)
    assert (replay(lines).state() or {})["classification"] == lines[-1]["result"]
    given = [line for line in map(engine_line, lines[1:]) if line]
    hands: list[Any] = [line["hand"] for line in given if "hand" in line]
    assert [len(hand["cards"]) for hand in hands] == [10] * (2 if rules else 1)


@pytest.mark.slow
def test_the_plug_is_pulled_at_every_twentieth_answer_and_the_bot_goes_on(tmp_path: Path) -> None:
    """DF-CARD-1: the hand is in the journal."""
    is_kept, is_new, dice = False, True, Random(1)
    while not is_kept:
        with Hall(tmp_path) as hall:
            if is_new:
                hall.says({"new": header()})
                held, is_new = None, False
            elif held is not None and hall.race.engine.moment.phase == "race":
                assert set(hall.race.engine.moment.players[BOT].cards) <= set(held)
            hall.dice = dice
            for _ in range(20):
                hall.step()
            is_kept = hall.running.state.is_kept
            held = hall.race.engine.moment.players[BOT].cards
    assert (tmp_path / "records").exists()


@pytest.mark.slow
def test_what_people_undo_and_amend_a_bot_answers_again(tmp_path: Path) -> None:
    with Hall(tmp_path) as hall:
        hall.says({"new": header("no-powers")})
        hall.until(lambda: len(hall.race.given) > 25)
        hall.says({"undo": 5})
        hall.until(lambda: hall.race.engine.moment.phase == "race")
        hall.says({"table": "pause"})
        given = hall.race.given
        place = next(at for at, one in enumerate(given) if one.key == (BOT, "hand"))
        cards = given[place].command.value["cards"]
        again = {"cards": [cards[0], *cards[:-1]]}  # its last card was entered wrong
        asked = hall.says({"amend": len(given) - place, "preview": True})
        assert json.dumps(cards[-1]) not in json.dumps(asked.body)
        reply = hall.says({"amend": len(given) - place, "value": again})
        assert json.dumps(cards[-1]) not in json.dumps(reply.body)
        hall.says({"table": "resume"})
        hall.finish()
    (path,) = (tmp_path / "records").iterdir()
    assert replay(read_record(path)).outline().is_over


def test_nothing_of_the_hand_is_on_the_page_before_the_race_is_over(tmp_path: Path) -> None:
    """DF-CARD-1: not a card that has not been turned up."""
    with Hall(tmp_path) as hall:
        hall.says({"new": header()})
        hall.until(lambda: hall.race.engine.asks()[0]["kind"] == "lot")
        held = [[list(line) for line in one] for one in hall.race.engine.moment.players[BOT].cards]
        hall.finish()
        turned = [line["card"] for line in hall.race.lines if "card" in line]
    before = [body for body in hall.bodies if json.loads(body)["state"]["phase"] != "finished"]
    left = [json.dumps(card, separators=(",", ":")) for card in held if card not in turned]
    assert left
    assert len(before) > 40
    assert not [card for card in left for body in before if card in body]
    assert left[0] in hall.bodies[-1], "and then they are"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"house": {}}, "house.auction 'secret', house.cards 'counted'"),
        ({"rules": ["hands-of-three"]}, "two-players or hands-of-three"),
        ({"seats": [{"seat": 1}, {"seat": 2, "bot": "champion"}]}, "one of learner, racer"),
    ],
)
def test_what_no_bot_of_downforce_plays_is_refused(more: dict[str, Any], said: str) -> None:
    reply = Sitting().says(REFEREE, {"new": {**header(), **more}})
    assert reply.status == 400
    assert said in reply.body["error"]["message"]
