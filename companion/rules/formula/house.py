"""House switches: what clubs play otherwise than the rulebook.

All that there is to say of one stands in `switches.toml`, and only there. It is read when a race, a
pack or a lobby first asks; a start that needs none of them does not pay for it. A rule reads
`setup.house.NAME == "VALUE"`: a test holds every such name and value against the file, as no
type checker can.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.frozen import dataclass
from companion.rules.game import Clash
from companion.rules.reading import bad

GONE: Final = {
    "build_least": "1",
    "debris_swept": "never",
    "fast_stop": "half",
    "mandatory_tires": "any",
    "red_flag": "off",
    "time_bank": "10",
    "wing": "none",
}
"""Switches of before that nobody's book played, with the value at which a race is played today."""


@dataclass(frozen=True, slots=True)
class Switch:
    """A house switch as the file has it; of an entry that is left out the usual.

    `values` are rows of name, label, sentence and, where there is one, a note for programs; the
    first is played where nothing is said and `usual` of the edition says nothing else.
    """

    name: str
    title: str
    values: tuple[tuple[str, ...], ...]
    editions: tuple[str, ...]
    usual: Mapping[str, str]
    needs: str
    unless: str
    is_known_to_advice: bool
    clashes: tuple[Clash, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The values that a header may say."""
        return tuple(row[0] for row in self.values)

    def usual_in(self, edition: str) -> str:
        """What this edition plays where nothing is said; one that does not offer it always does."""
        return self.usual.get(edition, self.values[0][0])


class House:
    """How the switches of a race stand, each by its name; it is not to be changed.

    >>> House({"causer": "rolls"}).but(causer="pays").causer
    'pays'
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        vars(self).update(values)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> str: ...

    def but(self, **values: str) -> House:
        """The same house with some switches otherwise."""
        return House({**vars(self), **values})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, House) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash(frozenset(vars(self).items()))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a house is not changed: {name}")

    def __repr__(self) -> str:
        return f"House({vars(self)})"


@cache
def switches() -> Mapping[str, Switch]:
    """Every switch by its name, in the order in which a lobby shows them."""
    text = Path(__file__).with_name("switches.toml").read_text("utf-8")
    return {
        name: Switch(
            name=name,
            title=one["title"],
            values=tuple(map(tuple, one["values"])),
            editions=tuple(one.get("editions", ("formula-d",))),
            usual=one.get("usual", {}),
            needs=one.get("needs", ""),
            unless=one.get("unless", ""),
            is_known_to_advice=one.get("advice", True),
            clashes=tuple(_clashes(name, one.get("clashes", ()))),
        )
        for name, one in tomllib.loads(text).items()
    }


def _clashes(name: str, rows: object) -> Iterator[Clash]:
    """Each pair of values by itself, out of rows of values, a switch, its values, and why."""
    assert isinstance(rows, (list, tuple))
    for own, other, others, why in rows:
        for one, against in product(own, others):
            yield Clash((name, one), (other, against), why)


@cache
def offered(edition: str) -> Mapping[str, tuple[str, ...]]:
    """What a header of this edition may say of each switch; what it plays unsaid comes first."""
    return {one.name: one.names for one in switches().values() if edition in one.editions}


@cache
def clashes_in(edition: str) -> tuple[Clash, ...]:
    """The values that are not played together in this edition."""
    names = offered(edition)
    return tuple(clash for name in names for clash in switches()[name].clashes)


@cache
def usual_house(edition: str) -> House:
    """The house of a race of this edition whose header says nothing of it."""
    return House({one.name: one.usual_in(edition) for one in switches().values()})


def as_advice_has_it(house: House, edition: str) -> House:
    """The house with the switches that change figures, and that advice does not know, as usual."""
    unknown = (one for one in switches().values() if not one.is_known_to_advice)
    return house.but(**{one.name: one.usual_in(edition) for one in unknown})


def refuse_unknown_to_advice(house: House, edition: str) -> None:
    """Refuse to give advice where a switch changes figures that advice does not know.

    Raises:
        Malformed: naming the switch.
    """
    for one in switches().values():
        value = getattr(house, one.name)
        if not one.is_known_to_advice and value != one.usual_in(edition):
            message = (
                f"advice does not know the house switch {one.name}: {value}, which changes figures"
            )
            bad("advice-unknown-switch", message, name=one.name)
