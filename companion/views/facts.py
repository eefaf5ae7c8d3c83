"""What a view reads off the scene whatever the game: who sits where, whose turn it is."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal, TypeVar, cast

from companion.rules.beside import Dice
from companion.rules.board.track import Track
from companion.rules.game import Outline
from companion.rules.games import fetch, kinds_of
from companion.views.model import Scene, SeatInfo

T = TypeVar("T")
Lamp = Literal["off", "on", "blinks"]


def once(scene: Scene, work_out: Callable[[Scene], T]) -> T:
    """What a function makes of a scene, worked out once: each of six screens asks for it."""
    if work_out not in scene.known:
        scene.known[work_out] = work_out(scene)
    return cast(T, scene.known[work_out])


def outline_of(scene: Scene) -> Outline | None:
    """What is known of the state whatever the game; None while nobody races."""
    return None if scene.state is None else once(scene, _outline)


def _outline(scene: Scene) -> Outline:
    return fetch(scene.game).outline(scene.state)


def mover_of(scene: Scene) -> int | None:
    """The seat on turn; None between turns and while nobody races."""
    outline = outline_of(scene)
    return outline.mover if outline else None


def alone_in(scene: Scene) -> int | None:
    """The seat that races on when all others are home or out; None: there is no such seat."""
    outline = outline_of(scene)
    return outline.alone if outline else None


def seat_info(scene: Scene, seat: int) -> SeatInfo:
    """What the table knows of a seat; a seat it does not know has a number only."""
    every = (*scene.seats, *scene.guests)
    return next((info for info in every if info.seat == seat), SeatInfo(seat, str(seat)))


def secret_kinds(scene: Scene) -> Collection[str]:
    """The kinds of answers that only the seat which gave them may see."""
    kinds = kinds_of(scene.game) if scene.game else {}
    return [kind for kind, ask in kinds.items() if ask.revealed_by]


def is_thrown_for(scene: Scene, seat: int) -> bool:
    """Whether the companion throws the dice of this seat (0: those of the whole table)."""
    dice = (scene.header or {}).get("dice")
    return dice is not None and Dice(tuple(dice["seats"])).throws_for(seat)


def board_of(scene: Scene) -> Track | None:
    """What is known of the board: all of it, or its card."""
    return scene.track or scene.card


def lamp_of(scene: Scene, seat: int) -> Lamp:
    """Lit while the seat is asked something that it alone must answer.

    It blinks while the seat's last press stands refused, and is dark in a pause.
    """
    if seat in scene.refused:
        return "blinks"
    is_asked = any(ask.seat == seat for ask in scene.asks)
    return "on" if is_asked and not scene.paused else "off"
