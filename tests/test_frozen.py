"""Records as the standard library makes them, for less."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field
from typing import Any

import pytest
from support.each import in_one

from companion.system.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Car:
    seat: int
    name: str = "nobody"
    wear: list[int] = field(default_factory=list, hash=False)
    note: str = field(default="", compare=False, repr=False)

    @property
    def title(self) -> str:
        return f"{self.seat} {self.name}"


@dataclass(frozen=True, kw_only=True)
class Checked:
    low: int
    high: int = 6
    sides: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@dataclass(frozen=True, kw_only=True)
class Named(Checked):
    name: str


def twins() -> list[Any]:
    """The same three classes by the standard library."""
    made = []
    for kind in (Car, Checked, Named):
        like = {one.name: (one.name, one.type, _again(one)) for one in dataclasses.fields(kind)}
        settings = {"frozen": True, "slots": kind is Car, "kw_only": kind is not Car}
        made.append(dataclasses.make_dataclass(kind.__name__, like.values(), **settings))
    return made


def _again(one: dataclasses.Field[Any]) -> Any:
    told = {"default": one.default, "default_factory": one.default_factory, "init": one.init}
    told |= {"hash": one.hash, "compare": one.compare, "repr": one.repr}
    return field(**told)


MADE: list[Callable[[Any, Any, Any], object]] = [
    lambda car, checked, named: car(1, "Ana", [3], note="x"),
    lambda car, checked, named: car(1) == car(1, note="other"),
    lambda car, checked, named: car(1) == car(2),
    lambda car, checked, named: car(1) == 1,
    lambda car, checked, named: hash(car(1, "Ana", [])) == hash((1, "Ana")),
    lambda car, checked, named: dataclasses.replace(named(low=1, name="a"), low=2),
    lambda car, checked, named: dataclasses.asdict(named(low=1, name="a")),
    lambda car, checked, named: checked(low=1, high=6) == named(low=1, high=6, name="a"),
    lambda car, checked, named: checked.__match_args__ + car.__match_args__,
]


@in_one("told", MADE, ids=map(str, range(len(MADE))))
def test_a_record_is_what_the_standard_library_makes(told: Callable[..., object]) -> None:
    assert repr(told(Car, Checked, Named)) == repr(told(*twins()))


@pytest.mark.parametrize("arguments", [(), (1, "a", [], "", 5)])
def test_wrong_arguments_are_refused_by_name(arguments: tuple[object, ...]) -> None:
    with pytest.raises(TypeError, match=r"Car\.__init__\(\)"):
        Car(*arguments)


def test_a_record_cannot_be_changed() -> None:
    car = Car(1)
    with pytest.raises(FrozenInstanceError):
        car.seat = 2
    with pytest.raises(FrozenInstanceError):
        del car.seat
    assert car == Car(1)


def test_a_record_is_checked_where_it_is_made() -> None:
    with pytest.raises(ValueError, match="above"):
        Checked(low=7)


def test_a_record_with_slots_is_sent_to_another_process_whole() -> None:
    car = Car(3, "Bo", [1])
    assert pickle.loads(pickle.dumps(car)) == car
    assert car.title == "3 Bo"


def test_a_kind_nobody_makes_is_never_compiled() -> None:
    @dataclass(frozen=True)
    class Unused:
        seat: int

    before = Unused.__init__
    assert before.__qualname__.endswith("first")
    Unused(1)
    assert Unused.__init__ is not before
