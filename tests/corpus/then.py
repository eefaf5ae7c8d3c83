"""What was otherwise when the corpus was made.

Of Downforce nobody counted cards, anybody might bid an 8, and a car might be home before the
betting lines were crossed. Of Formula a race that was ended before anybody had moved had points and
a record, a car that was driving its time trial then was left there, and the referee could add no
laps.

Cards are counted since, `hand` and `pile` are in STATE and in the event of a card, and who has won
no car is offered no 8 (`tests/rules/downforce/test_hands.py`); the lines are crossed first
(`test_bets.py`); nothing comes of a race that was not driven (`tests/table/test_session.py`); laps
may be added (`tests/engine/test_referee.py`). Most races of random answers meet one of them within
a few lines, and after a line with another fate nothing can be compared. So these functions are put
back for the comparison, and what is new is left out of what is compared: all the rest has to be as
it was, to the last line.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from companion.cli.engine import serve
from companion.race.boards import TrackLibrary
from companion.rules.downforce import auction, header, race
from companion.rules.downforce import state as held
from companion.rules.formula import order, referee, rounds

ENOUGH = 40
"""More cards than anybody plays in a race of the corpus."""
NEW = ("hand", "pile")


def line(told: dict[str, Any]) -> dict[str, Any]:
    """A reply without the cards that are left."""
    told = dict(told)
    if "events" in told:
        told["events"] = events(told["events"])
    return {**told, "state": state(told["state"])} if isinstance(told.get("state"), dict) else told


@contextmanager
def uncounted() -> Iterator[None]:
    """Hands that never end, no common pile, an 8 for everybody, lines that nobody tells of.

    Of Formula points for whoever stood, a car that its time trial leaves on the road, and the laps
    that a race began with.
    """
    with pytest.MonkeyPatch.context() as patch:
        for room in (held, header):
            patch.setattr(room, "full_hand", lambda state, seat: ENOUGH)
            patch.setattr(room, "full_pile", lambda state: None)
        patch.setattr(auction, "may_bid_eight", lambda state, seat: True)
        patch.setattr(race, "lacks_a_line", lambda state, passed: False)
        patch.setattr(rounds, "UNMOVED", {})
        patch.setattr(order, "was_driven", lambda state: True)
        patch.setattr(referee, "_raised", lambda state, laps: state)
        yield


def state(told: dict[str, Any]) -> dict[str, Any]:
    """STATE without the cards that are left."""
    players = told.get("players")
    if not players:
        return told
    return {**told, "players": {seat: _without(one) for seat, one in players.items()}}


def events(told: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Events without the cards that are left, and without what came to others since."""
    since = {"CardPlayed": NEW, "TakenBack": ("taken",), "Joined": ("gap",)}
    return [_without(one, since.get(one["event"], ())) for one in told]


def _serve() -> None:
    """`companion engine`, as it was then."""
    said = io.BytesIO()
    with uncounted():
        serve(TrackLibrary(), sys.stdin.buffer, said)
    for raw in said.getvalue().splitlines():
        text = json.dumps(line(json.loads(raw)), separators=(",", ":"))
        sys.stdout.buffer.write(text.encode("ascii") + b"\n")


def _without(told: dict[str, Any], keys: Sequence[str] = NEW) -> dict[str, Any]:
    return {key: value for key, value in told.items() if key not in keys}


if __name__ == "__main__":
    _serve()
