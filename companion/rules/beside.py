"""What a header says that no rule plays with: bots, thrown dice, whether there is advice.

A race is the same race without it. The table that keeps such a header reads these keys; the rules
are given the rest.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from companion.frozen import dataclass
from companion.rules.reading import bad, only_keys

_SHA256 = re.compile(r"[0-9a-f]{64}")
_MOST = 40
IN_PLACE: Mapping[str, Mapping[str, str]] = {"downforce": {"hand": "entered"}}
"""What the rules of a game are told of a seat whose player is a bot."""


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice that the companion throws: for these seats, from a seed with this SHA-256.

    Seat 0 is the whole table: all dice, the weather's too and those of who comes in late.

    `sha256` is None in a header that has not begun: the table draws the seed.
    """

    seats: tuple[int, ...]
    sha256: str | None = None

    def throws_for(self, seat: int) -> bool:
        """Whether it throws for this seat (0: for the table)."""
        return 0 in self.seats or seat in self.seats


@dataclass(frozen=True, slots=True)
class Beside:
    """What a header says beside the race: the levels of bots by seat, thrown dice, advice."""

    bots: Mapping[int, str]
    dice: Dice | None
    advice: bool


def part(header: Mapping[str, object]) -> tuple[Mapping[str, object], Beside]:
    """The header as the rules read it, and what it says beside.

    Raises:
        Malformed: what it says beside has not the form that it should have.
    """
    rest = {key: value for key, value in header.items() if key not in ("dice", "advice")}
    bots: dict[int, str] = {}
    seats = header.get("seats")
    if isinstance(seats, list):
        held = IN_PLACE.get(str(header.get("game")), {})
        rest["seats"] = [_without_bot(seat, bots, held) for seat in seats]
    advice = header.get("advice", True)
    if not isinstance(advice, bool):
        bad("advice-form", f"advice is true or false, not {advice!r:.40}")
    dice = None if header.get("dice") is None else _read_dice(header["dice"], seats)
    return rest, Beside(bots, dice, advice)


def refuse_without(beside: Beside) -> None:
    """Refuse to give advice for a race that is without.

    Raises:
        Malformed: its header says `"advice": false`.
    """
    if not beside.advice:
        bad("no-advice", "this race is without advice: its header says so")


def _without_bot(seat: object, bots: dict[int, str], held: Mapping[str, str]) -> object:
    """A seat of a header without its bot, which is noted; `held` stands there in its place."""
    if not isinstance(seat, dict) or seat.get("bot") is None:
        return seat
    number, level = seat.get("seat"), seat["bot"]
    if not isinstance(level, str) or len(level) > _MOST:
        bad("bot-form", f"bot is the name of a level, not {level!r:.40}")
    if isinstance(number, int):
        bots[number] = level
    return {**held, **{key: value for key, value in seat.items() if key != "bot"}}


def _read_dice(data: object, seats: object) -> Dice:
    if not isinstance(data, dict):
        bad("dice-form", f'dice is {{"seats": [1, 2]}}, not {data!r:.40}')
    only_keys(data, ("seats", "sha256"), "dice")
    known = (
        [one.get("seat") for one in seats if isinstance(one, dict)]
        if isinstance(seats, list)
        else []
    )
    thrown, digest = data.get("seats"), data.get("sha256")
    if not isinstance(thrown, list) or not all(seat in (0, *known) for seat in thrown):
        bad("dice-form", f"dice names seats of the race, not {thrown!r:.40}")
    if digest is not None and not (isinstance(digest, str) and _SHA256.fullmatch(digest)):
        bad("dice-form", "sha256 of dice is 64 digits of 0 to f")
    return Dice(tuple(thrown), digest)
