"""Dice that the companion throws: fair, seeded, and to be checked by everybody afterwards.

At the start the header has the SHA-256 of a secret seed, at the end the record has the seed. A
throw is drawn from the seed, the number of answers before it, the seat and the kind of its ask, so
taking an answer back and giving it again throws the same: nobody can throw until it suits.

The physical dice have some faces more than once, so what is drawn is a side of the die (FD-DIE-1).
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

from companion.engine import Engine
from companion.record import RecordError, engine_line, header_of, tracks_of
from companion.rules.beside import Dice, part
from companion.rules.formula.asks import BlackAsk, RollAsk
from companion.rules.formula.tables import BLACK_DIE
from companion.rules.game import JSON, Ask

BYTES: Final = 32
"""Of a seed."""
_BLACK: Final = tuple(range(BLACK_DIE[0], BLACK_DIE[1] + 1))


def digest(seed: str) -> str:
    """The SHA-256 of a seed in hexadecimal, which the header has."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def sides_of(ask: Ask) -> Sequence[int] | None:
    """The sides of the die that is asked for; None: it is no die."""
    if isinstance(ask, RollAsk):
        from companion.rules.formula.faces import GEAR_FACES  # brings decimals: not at every start

        return GEAR_FACES[ask.gear]
    return _BLACK if isinstance(ask, BlackAsk) else None


def throw(seed: str, answers: int, ask: Ask, sides: Sequence[int]) -> int:
    """The side that comes up after so many answers.

    Every side is equally likely: a draw above the last whole multiple is drawn again.
    """
    limit = 256 - 256 % len(sides)
    for again in count():
        words = f"{answers} {ask.seat} {ask.kind} {again}".encode()
        for byte in hmac.digest(bytes.fromhex(seed), words, "sha256"):
            if byte < limit:
                return sides[byte % len(sides)]
    raise AssertionError("there is always another draw")


def audit(lines: Sequence[JSON]) -> int:
    """How many throws of the companion a record has; all of them are what its seed gives.

    Raises:
        RecordError: it has no seed, another seed than at its start, or another face somewhere.
    """
    header = header_of(lines[0])
    dice = part(header)[1].dice
    if dice is None or dice.sha256 is None:
        raise RecordError(1, "the companion threw no dice in this race")
    seed = next((str(line["seed"]) for line in lines if "seed" in line), None)
    if seed is None:
        raise RecordError(len(lines), "the seed is missing: the record ends before its result")
    if not _is_seed(seed) or digest(seed) != dice.sha256:
        raise RecordError(len(lines), "the seed is not the one that the race began with")
    engine, thrown = Engine(tracks_of(lines[0])), 0
    engine.handle({"new": header})
    for number, line in enumerate(lines[1:], 2):
        given = engine_line(line)
        if given is None:
            continue
        thrown += _check(engine, seed, dice, number, line)
        engine.handle(given)
    return thrown


def _is_seed(seed: str) -> bool:
    try:
        return len(bytes.fromhex(seed)) == BYTES
    except ValueError:
        return False


def _check(engine: Engine, seed: str, dice: Dice, number: int, line: Any) -> int:
    """1 for a line that is a throw as it should be, 0 for any other line."""
    ask = next((a for a in engine.open if a.seat == line.get("seat") and a.kind in line), None)
    sides = None if ask is None or not dice.throws_for(ask.seat) else sides_of(ask)
    if ask is None or sides is None:
        return 0
    wanted = throw(seed, len(engine.accepted), ask, sides)
    if line[ask.kind] != wanted:
        message = f"seat {ask.seat} has {line[ask.kind]!r:.20} where the seed throws {wanted}"
        raise RecordError(number, message)
    return 1
