"""The drawings can be plugged: one wire a pin, no rail asked too much, no part without a line."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pinmap_diagrams import wired
from pinmap_harness import Cable, Harness, Plug, faults, loads
from pinmap_map import PinMap, read_map
from pinmap_pods import harnesses
from support.each import in_one

from companion.seats.plan import MAP

PARTS = Path(__file__).parent.parent.parent / "hardware" / "parts.csv"
PINS: PinMap = read_map(MAP.read_text("utf-8"))
DRAWN = harnesses(PINS)
MADE_OF = {"gate": {"button": 6}, "strip": {"strip": 1, "pins": 1}}
"""What a plug of the drawings is made of, where it is no part by itself."""
GROUPS = {
    "one-wired": {"table": 1, "wired seat": 1},
    "two-wired": {"table": 1, "wired seat": 2, "two or more wired seats": 1},
    "three-wired": {
        "table": 1,
        "wired seat": 3,
        "two or more wired seats": 1,
        "three or more wired seats": 1,
    },
    "pod": {"pod": 1, "pod on a Nano": 1},
    "pico": {"pod": 1, "pod on a Pico": 1},
}
GROUPS["four-wired"] = GROUPS["three-wired"] | {"wired seat": 4}
GROUPS["ten wired"] = GROUPS["four-wired"] | {"wired seat": 10, "five or more wired seats": 1}


def harness(name: str) -> Harness:
    if name == "ten wired":
        return wired(PINS, PINS.layouts["expanded"], range(1, 11))
    return DRAWN[name]


@in_one("name", [*DRAWN, "ten wired"])
def test_no_pin_takes_two_wires_and_no_rail_gives_too_much(name: str) -> None:
    assert list(faults(harness(name))) == []


@in_one(
    ("layout", "seats"),
    [
        ("pair", (2,)),
        ("header", (3,)),
        ("header", (1, 4)),
        ("expanded", range(1, 7)),
        ("expanded", (1, 9)),
    ],
)
def test_other_seats_of_a_layout_can_be_plugged_too(layout: str, seats: Sequence[int]) -> None:
    assert list(faults(wired(PINS, PINS.layouts[layout], seats))) == []


def test_a_pico_is_drawn_with_the_numbers_of_its_own_pins() -> None:
    """As its data sheet counts them: a 1 beside 3V3 would be taken for GP0."""
    (plug,) = (plug for plug in harness("pico").plugs if plug.name == "Pico")
    buttons = {"4": "GP2", "5": "GP3", "6": "GP4", "7": "GP5", "9": "GP6", "10": "GP7"}
    rest = {
        "1": "GP0",
        "2": "GP1",
        "3": "GND",
        "19": "GP14",
        "20": "GP15",
        "36": "3V3",
        "40": "VBUS",
    }
    assert plug.labels == buttons | rest


def test_ten_screens_take_three_fifths_of_what_the_pi_gives() -> None:
    (taken_ma,) = loads(harness("ten wired")).values()
    assert taken_ma == pytest.approx(10 * 30 + 1 + 4 + 7 * 6 * 0.33, abs=0.1)


def needed(name: str) -> Counter[str]:
    parts: Counter[str] = Counter()
    for kind, count in harness(name).kinds().items():
        for part, each in MADE_OF.get(kind, {kind: 1}).items():
            parts[part] += count * each
    return parts


def bought(groups: dict[str, int]) -> Counter[str]:
    parts: Counter[str] = Counter()
    with PARTS.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            parts[line["stands_for"]] += int(line["count"]) * groups.get(line["for"], 0)
    return parts


@in_one("name", GROUPS)
def test_every_part_of_a_drawing_can_be_bought(name: str) -> None:
    missing = needed(name) - bought(GROUPS[name])
    assert missing == Counter()


@in_one("name", GROUPS)
def test_no_part_is_bought_that_stands_in_no_drawing(name: str) -> None:
    unplugged = {"", "case", "screw", "board", "pins", "wire"}
    more = bought(GROUPS[name]) - needed(name)
    assert set(more) <= unplugged


# Each of these must be seen, or the check above sees nothing.


def test_the_check_sees_two_wires_on_a_pin() -> None:
    """As the drawing of four seats was: five wires on pin 6 of the header."""
    four = harness("four-wired")
    to_six = [
        replace(
            cable,
            wires=[
                ((one[0], "6") if one[0] == "Pi" and one[1] in ("9", "14") else one, other)
                for one, other in cable.wires
            ],
        )
        for cable in four.cables
    ]
    assert "3 wires on pin 6 of Pi" in list(faults(replace(four, cables=to_six)))


def test_the_check_sees_a_rail_that_gives_too_little() -> None:
    weak = replace(harness("ten wired"), rails_ma={"Pi 3V3": 50})
    assert [one for one in faults(weak) if "of Pi 3V3, which gives 50" in one]


def test_the_check_sees_a_magnetic_buzzer_on_a_pin() -> None:
    """As it was drawn: 30 mA by its sheet, on a pin that gives 20."""
    pod = harness("pod")
    bare = [
        replace(cable, wires=[(("Nano", "D9"), ("Buzzer", "+"))], colours=["white"])
        if cable.name == "WZ"
        else cable
        for cable in pod.cables
        if cable.name != "WT"
    ]
    plugs = [one for one in pod.plugs if one.name not in ("Q1", "R2", "D2")]
    wired = [one for one in bare if one.name != "WQ"]
    told = list(faults(replace(pod, plugs=plugs, cables=wired)))
    assert told == ["30 mA of Nano D9, which gives 20"]


@pytest.mark.parametrize("name", ["pod", "pico"])
def test_the_transistor_of_a_buzzer_is_wide_open_and_bears_it(name: str) -> None:
    """A 2N3904 is sure to be open where its base has a tenth of what its collector takes."""
    plugs = {plug.name: plug for plug in harness(name).plugs}
    assert plugs["Buzzer"].draws_ma <= PINS.rails_ma["transistor"]
    assert plugs["R2"].draws_ma >= plugs["Buzzer"].draws_ma / 10


def test_the_check_sees_a_picos_lamp_without_its_resistor() -> None:
    pico = harness("pico")
    bright = [replace(one, draws_ma=25) if one.kind == "lamp" else one for one in pico.plugs]
    assert "25 mA of Pico GP15, which gives 12" in list(faults(replace(pico, plugs=bright)))


def test_the_check_sees_a_part_without_power_and_a_pin_that_is_not_there() -> None:
    lamp = Plug("Lamp", "lamp", "a lamp", {"+": "+"}, draws_ma=10, power="+")
    wire = Cable("W", ["red"], [(("Lamp", "+"), ("Lamp", "-"))])
    assert list(faults(Harness([lamp], [wire], {}))) == [
        "Lamp has no pin -",
        "10 mA hang on nothing",
    ]


def price(groups: dict[str, int]) -> int:
    """Euros, the upper of two where a part has two prices."""
    with PARTS.open(encoding="utf-8", newline="") as file:
        lines = list(csv.DictReader(file))
    return sum(int(one["price_eur"].split("–")[-1]) * groups.get(one["for"], 0) for one in lines)


@in_one("count", [1, 2, 4, 6, 10])
def test_the_guide_names_what_seats_cost(count: int) -> None:
    more = {"two or more wired seats": 2, "three or more wired seats": 3}
    more["five or more wired seats"] = 5
    wired_eur = price({"wired seat": count} | {name: 1 for name, n in more.items() if count >= n})
    pods_eur = price({"pod": count, "pod on a Nano": count, "pods": int(count >= 3)})
    # A Pi has four sockets.
    keys_eur = price({"number pad": count, "pods": int(count > 4)})
    guide = (PARTS.parent.parent / "docs" / "seats.md").read_text("utf-8")
    assert f"| {count} | 0 | {keys_eur} | {wired_eur} | {pods_eur} |" in guide
    assert f"clock: {price({'table': 1})})" in guide
