"""Why a seat cannot be reached, in words for the page and the neighbours' screens.

Ports, files and commands are for who mends it, and stand in the log; players are told which
part fails and what a hand can do.
"""

from __future__ import annotations

from companion.views.model import Ailing, Trouble
from companion.views.words import Words, phrase

PARTS = {
    "driver": phrase("seat"),
    "pod": phrase("pod"),
    "buttons": phrase("buttons"),
    "screen": phrase("screen"),
}
TITLES = {
    "pod": phrase("Seat {n}: no pod"),
    "buttons": phrase("Seat {n}: no buttons"),
    "screen": phrase("Seat {n}: no screen"),
}
"""The title of the code to take a seat over, by the part that fails; two lines of ten columns."""
DEAD = phrase("Seat {n} is dead")

TROUBLES = {
    "failed": phrase("has failed"),
    "driver-failed": phrase("did not start"),
    "no-library": phrase("needs the library {name}"),
    "no-simulator": phrase("the simulator does not run"),
    "silent": phrase("no answer"),
    "button-unread": phrase("button {n} cannot be read"),
    "no-pod": phrase("on no cable"),
    "pod-elsewhere": phrase("press on pod {n}, it has no seat"),
    "pod-twice": phrase("two pods are {n}: press on the other"),
    "no-port": phrase("the cable is out"),
    "unplugged": phrase("the cable was pulled out"),
    "port-shut": phrase("the port may not be opened"),
    "port-busy": phrase("another program has the port"),
    "port-lost": phrase("the port does not serve"),
    "old-firmware": phrase("old firmware {has}, needs {needs}"),
    "new-firmware": phrase("newer firmware {has} than {needs}"),
}
"""The words of each trouble, after the name of the part."""


def trouble_text(ailing: Ailing, say: Words) -> str:
    """Which part fails, why, and since which round.

    >>> from companion.views.words import words
    >>> trouble_text(Ailing("pod", Trouble("silent"), since=3), words("en"))
    'pod: no answer, since round 3'
    """
    part = say(PARTS.get(ailing.part, PARTS["driver"]))
    what = _what(ailing.trouble, say)
    if ailing.since:
        return say("{part}: {what}, since round {n}", part=part, what=what, n=ailing.since)
    return say("{part}: {what}", part=part, what=what)


def _what(trouble: Trouble, say: Words) -> str:
    template = TROUBLES.get(trouble.key, TROUBLES["failed"])
    try:
        return say(template).format_map(trouble.args)
    except KeyError:  # a key of this name without the arguments it should have
        return say(TROUBLES["failed"])
