"""Hands for a seat: the fewest presses that give an answer.

Whoever presses buttons without eyes (a simulated seat, a rehearsal, a count of presses)
finds here what a player finds by looking: over which keys and pages an answer is given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping

from companion.rules.lines import Answer, Retire
from companion.views.dialog import choices
from companion.views.model import Intent, Scene
from companion.views.screen import HOME, Dialog

DEEPEST = 9
"""Pages from the first one that are looked through; more would be no table to play at."""

Wanted = Callable[[tuple[Intent, ...]], bool]


def presses_to(
    scene: Scene,
    seat: int,
    wanted: Wanted,
    dialog: Dialog = HOME,
    *,
    leads: Callable[[Dialog], bool] = lambda _: True,
) -> tuple[int, ...] | None:
    """The buttons (1 to 6) to press one after another, the last of which sends what is wanted.

    `leads` says of a page whether it can lead there, where that is known. None where no page in
    reach has such a key.
    """
    seen = {dialog}
    queue: deque[tuple[Dialog, tuple[int, ...]]] = deque([(dialog, ())])
    while queue:
        at, pressed = queue.popleft()
        for button, choice in enumerate(choices(scene, seat, at), 1):
            if choice is None:
                continue
            if choice.does and wanted(choice.does):
                return (*pressed, button)
            fresh = not choice.does and choice.then not in seen and len(pressed) < DEEPEST
            if fresh and leads(choice.then):
                seen.add(choice.then)
                queue.append((choice.then, (*pressed, button)))
    return None


def sends(*lines: Mapping[str, object]) -> Wanted:
    """Wanted are these lines and no others, in any order; some may be sent more than once.

    A number of the black die is found in a range that holds it.
    """

    def wanted(intents: tuple[Intent, ...]) -> bool:
        sent = [intent.line for intent in intents if isinstance(intent, Answer | Retire)]
        return (
            len(sent) == len(intents)
            and all(any(_answers(line, other) for other in sent) for line in lines)
            and all(any(_answers(line, other) for line in lines) for other in sent)
        )

    return wanted


def picks_no_more(*lines: Mapping[str, object]) -> Callable[[Dialog], bool]:
    """Whether a page of a report has picked only what is part of the one that is wanted."""
    reports = [report for line in lines if isinstance(report := line.get("report"), Mapping)]
    parts = {
        f"{name}={int(told)}" for one in reports for name, told in one.items() if _counts(told)
    }
    touched = [str(seat) for one in reports for seat in one.get("touched", ())]

    def leads(dialog: Dialog) -> bool:
        for part in dialog.picked if reports else ():
            name, _, told = part.partition("=")
            if name == "touched" and touched[: told.count(",") + 1] != told.split(","):
                return False
            if name in ("brakes", "blocked", "line") and part not in parts:
                return False
        return True

    return leads


def _counts(told: object) -> bool:
    return isinstance(told, int)


def _answers(line: Mapping[str, object], sent: Mapping[str, object]) -> bool:
    """Does the line sent say the same, or a range of the black die that the number lies in?"""
    roll, outcome = line.get("black"), sent.get("black")
    if isinstance(roll, int) and isinstance(outcome, list):
        low, high = outcome
        return bool(line["seat"] == sent["seat"] and low <= roll <= high)
    return dict(line) == dict(sent)
