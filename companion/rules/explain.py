"""Why an answer is, or is not, legal now: what a referee says when somebody asks.

An explanation changes nothing. It names the rules in the order in which the answer meets them:
those that it breaks, or, of an answer that is legal and ends badly (a spin, out of the race),
those by which it does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.frozen import dataclass
from companion.rules.errors import Refusal

NEAREST = 3
"""Options that an explanation names instead."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """See the head of this file. `at` are the ids of the spaces where the rules break.

    `instead` are the nearest options, nearest first, each as an answer would say it.
    """

    legal: bool
    rules: tuple[str, ...] = ()
    at: tuple[str, ...] = ()
    instead: tuple[object, ...] = ()

    def as_json(self) -> dict[str, object]:
        """The `explain` object of the engine protocol."""
        return {
            "legal": self.legal,
            "rules": list(self.rules),
            "at": list(self.at),
            "instead": list(self.instead),
        }


def by_trying(decide: Callable[[], object], options: Sequence[object] = ()) -> Explanation:
    """What is known of any answer by trying it: legal, or the rule of its refusal."""
    try:
        decide()
    except Refusal as refusal:
        rules = () if refusal.rule is None else (refusal.rule,)
        return Explanation(False, rules, instead=tuple(options[:NEAREST]))
    return Explanation(True)
