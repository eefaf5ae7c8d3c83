"""A seat as a phone shows it: the very page of its small screen, in words that need not fit it.

`/api/seat/N/view` is this. It is a pure function of the scene and of the seat's dialog, as the
128×64 picture is, and of the same page: what a key says here and what its button does there
cannot part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.rules.commands import Answer
from companion.views.colors import color_of
from companion.views.facts import outline_of
from companion.views.games import name_of, views_of
from companion.views.model import Key, Mark, Pip, Scene
from companion.views.pace import clock_of_seat
from companion.views.road import Road
from companion.views.seat.core import Choice, Dialog, Screen, Talk
from companion.views.seat.dialog import talk_of

MARKS: Mapping[Mark, str] = {"free": "free", "costs": "costly", "out": "out"}
"""What a key's mark is called in the contract; of any other it has none."""
SIGNS: tuple[Mark, ...] = ("old", "more", "back")
RESULT = ("", "result")
"""The pages of a seat that show how a race has ended."""
DrawRoad = Callable[[Road], dict[str, object]]


def seat_view(
    scene: Scene, seat: int, dialog: Dialog, draw: DrawRoad, *, own: bool
) -> dict[str, object]:
    """The seat's page as JSON, without the number of its picture; not `own`: its public face."""
    talk, page = talk_of(scene, seat, dialog)
    shown = page if own else page.face or page
    has_road = own or page.face is None
    game, is_result = views_of(scene), _is_result(talk)
    road = game.road(talk, page.choices) if has_road else None
    return {
        "language": talk.say.language,
        "who": _who(talk),
        "clock": clock_of_seat(scene, seat),
        "title": shown.asks or shown.title,
        "lines": [line for line in (shown.lines if shown.tells is None else shown.tells) if line],
        "keys": _keys(talk, shown, own=own),
        "undo": own and _can_undo(talk),
        "menu": own,
        "map": _map(scene, road, draw) if road else None,
        "asked": talk.ask.kind if own and talk.ask and not talk.dialog.page else None,
        "throws": game.throws(talk) if own else None,
        "thrown": _thrown(scene, seat),
        "cards": game.cards(talk) if own and scene.state is not None else None,
        "wear": [_pip(pip) for pip in shown.pips],
        "refused": shown.blink,
        "code": own and bool(shown.qr),
        "row": [_answer(choice) for choice in shown.row] if own else [],
        "write": page.write if own else "",
        "around": None if road or shown.blink else game.around(talk, shown),
        "finish": game.finish(talk) if is_result else None,
    }


def _thrown(scene: Scene, seat: int) -> Mapping[str, object] | None:
    """What the companion has thrown for this seat, where no other die has fallen since."""
    die = views_of(scene).thrown(scene)
    return die if die is not None and die["seat"] == seat else None


def _is_result(talk: Talk) -> bool:
    """Whether the seat looks at the result of a race that is over."""
    outline = outline_of(talk.scene)
    is_over = outline is not None and outline.is_over and not talk.scene.paused
    return is_over and talk.dialog.page in RESULT


def _who(talk: Talk) -> dict[str, object]:
    """Whose seat it is, and its car in figures; null what it has not."""
    scene, seat = talk.scene, talk.seat
    lobby = scene.lobby if scene.state is None else None
    name = lobby.joined.get(seat, "") if lobby else name_of(scene, seat)
    standing = views_of(scene).standing(scene, seat) if scene.state is not None else None
    figures = standing._asdict() if standing else dict.fromkeys(("place", "lap", "laps", "gear"))
    return {
        "name": name or talk.say("Seat {n}", n=seat),
        "color": color_of(scene, seat),
        **figures,
    }


def _map(scene: Scene, road: Road, draw: DrawRoad) -> dict[str, object]:
    """The road, with the version that its answers are for and the colors of the cars."""
    colors = {str(seat): color_of(scene, seat) for seat in (road.seat, *road.cars)}
    return draw(road) | {"version": scene.version, "colors": colors}


def _pip(pip: Pip) -> dict[str, object]:
    return {"name": pip.word or pip.name, "left": pip.left, "full": pip.full}


def _can_undo(talk: Talk) -> bool:
    return talk.scene.state is not None and (
        bool(talk.dialog.page) or talk.dialog.target != 0 or talk.seat in talk.scene.undoable
    )


def _keys(talk: Talk, page: Screen, *, own: bool) -> list[dict[str, object]]:
    """The six keys in the order of their buttons; where every button does the same, only one."""
    choices = page.choices
    if all(choice is not None and choice.key is None for choice in choices):
        go = talk.say("next") if page.go is None else page.go
        choices = (Choice(Key(go)) if go else None, *(None,) * (len(choices) - 1))
    return [_key(button, choice, own=own) for button, choice in enumerate(choices, 1)]


def _answer(choice: Choice) -> dict[str, object]:
    """One of a list of answers: its word, and what is posted to give it."""
    (intent,) = choice.does
    assert isinstance(intent, Answer), "an answer of a list"
    assert choice.key is not None, "it has a word"
    line = {intent.kind: intent.value}
    return {"label": choice.key.full or choice.key.label, "hint": choice.key.says, "answer": line}


def _key(button: int, choice: Choice | None, *, own: bool) -> dict[str, object]:
    key = choice.key if choice else None
    if key is None:
        return {"button": button, "label": "", "hint": "", "mark": None, "enabled": False,
                "sign": None}  # fmt: skip
    return {
        "button": button,
        "label": key.full or key.label,
        "hint": key.says or key.hint,
        "mark": MARKS.get(key.mark),
        "enabled": own,
        "sign": key.mark if key.mark in SIGNS else None,
    }
