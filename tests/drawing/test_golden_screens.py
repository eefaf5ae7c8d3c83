"""Whole screens, dot by dot, as text in tests/golden/seat.

After a change that is wanted, look at the new screens and renew them with

    RENEW_GOLDEN=1 pytest tests/drawing/test_golden_screens.py
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.screens.dots import to_text

from companion.drawing.seat import draw_seat
from companion.views.model import Key, Pip, SeatView

GOLDEN = Path(__file__).parents[1] / "golden" / "seat"


def keys(*labels: str) -> tuple[Key | None, ...]:
    """Six plain keys; an empty label is no key."""
    given = [Key(label) if label else None for label in labels]
    return (*given, *[None] * (6 - len(given)))


WEAR_EN = tuple(
    Pip(name, left, full, short)
    for name, left, full, short in [
        ("tires", 4, 6, "tires"),
        ("brakes", 1, 3, "brake"),
        ("gearbox", 3, 3, "gear"),
        ("body", 0, 3, "body"),
        ("engine", 2, 3, "motor"),
        ("handling", 2, 2, "road"),
    ]
)
WEAR_FR = tuple(
    Pip(name, left, full, short)
    for name, left, full, short in [
        ("pneus", 9, 14, "pneus"),
        ("freins", 7, 7, "frein"),
        ("boîte", 3, 8, "boîte"),
        ("châssis", 1, 4, "carr."),
        ("moteur", 4, 5, "mot."),
        ("tenue", 0, 2, "tenue"),
    ]
)
STANDING = ("P3 lap 1/2 Loews 1/3",)

SCREENS = {
    "gear_with_costs_and_out": SeatView(
        "Gear? now 5th",
        keys=(
            Key("1", "OUT", "out"),
            Key("2", "G1 B1 E1", "costs"),
            Key("3", "G1", "costs"),
            Key("4"),
            Key("5", mark="old"),
            Key("6"),
        ),
    ),
    "gear_without_costs": SeatView("Gear? now 2nd", keys=keys("1", "2", "3", "4")),
    "gear_with_corner_above": SeatView(
        "Gear? now 4th",
        ("Loews in 7, 3 stops",),
        keys=(
            None,
            Key("2", "1 boîte", "costs"),
            Key("3"),
            Key("4"),
            Key("5", "dehors", "out"),
            None,
        ),
    ),
    "roll_of_six_faces": SeatView("Roll: 3rd gear", keys=keys("4", "5", "6", "7", "8", "→")),
    "roll_of_thirty_paged": SeatView(
        "6th gear: which roll?",
        keys=(*keys("21", "22", "23", "24")[:4], Key("25-30", "", "more"), Key("‹", "", "back")),
    ),
    "black_dice_of_two": SeatView("Black die: collision", keys=keys("1", "2-20")),
    "black_dice_ranges": SeatView(
        "Météo: dé noir", keys=keys("1-7", "8-12", "13-20"), lines=("pluie, variable, sec",)
    ),
    "move_with_three_lanes": SeatView(
        "Where did it end?",
        ("Loews: 2nd, 3 to stop",),
        keys=(
            Key("left", "T2", "costs"),
            Key("middle", "T2 D", "costs"),
            Key("right", "OUT", "out"),
            Key("near", "", "old"),
            None,
            Key("brake", "", "more"),
        ),
    ),
    "move_in_french": SeatView(
        "Où s'est-elle arrêtée",
        ("Virage du Casino :", "milieu, 3 avant Loews"),
        keys=(
            Key("gauche", "P2", "costs"),
            Key("milieu"),
            Key("droite", "hors", "out"),
            None,
            Key("Écart", "2F", "old"),
            Key("frein", "", "more"),
        ),
    ),
    "three_lines_and_keys": SeatView(
        "Correction?",
        ("Bruno stands elsewhere:", "left, 2 before Mirabeau", "FD-MOVE-3: no way there"),
        keys=keys("agree", "no"),
    ),
    "waiting_with_wear": SeatView("Bruno, then you", STANDING, pips=WEAR_EN, big="2"),
    "waiting_in_french": SeatView(
        "Zoé, puis toi", ("P1 tour 2/3 Tabac 0/1", "gommes tendres, pluie"), pips=WEAR_FR, big="5"
    ),
    "driver_gear": SeatView(
        "Gear?",
        STANDING,
        keys=(
            Key("1", "OUT", "out"),
            Key("2", "−GBE", "costs"),
            Key("3", "−G", "costs"),
            Key("4"),
            Key("5", mark="old"),
            None,
        ),
        pips=WEAR_EN,
        big="4",
    ),
    "driver_roll": SeatView(
        "Die shows?",
        STANDING,
        keys=(*keys("11", "12", "13", "14", "15")[:5], Key("more", "16–20", "more")),
        pips=WEAR_EN,
        big="5",
    ),
    "driver_move": SeatView(
        "Where now?",
        STANDING,
        keys=(
            Key("left", "tires−2", "costs"),
            Key("M far", "3→", "old"),
            Key("right", "OUT", "out"),
            Key("M near", "4→"),
            None,
            Key("more", "brake…", "more"),
        ),
        pips=WEAR_EN,
        big="5",
    ),
    "driver_move_in_french": SeatView(
        "Où est-elle ?",
        ("P1 tour 2/3 Tabac 0/1",),
        keys=(
            Key("gauche", "pneus−2", "costs"),
            Key("milieu", "Tabac 1"),
            Key("droite", "hors", "out"),
            Key("près", "4→"),
            Key("loin", "3→"),
            Key("suite", "freiner…", "more"),
        ),
        pips=WEAR_FR,
        big="5",
    ),
    "driver_black_die": SeatView(
        "Contact Bob: die?",
        STANDING,
        keys=(Key("1", "body−1", "costs"), Key("2–20", "nothing"), None, None, None, None),
        pips=WEAR_EN,
        big="5",
    ),
    "driver_not_heard": SeatView(
        "Écart : quel effet ?", STANDING, keys=keys("1–4", "5–20"), pips=WEAR_FR[:2], blink=True
    ),
    "driver_of_the_basic_game": SeatView(
        "Which gear?",
        ("P1 Casino 1 0/1",),
        keys=(Key("1", "−2P", "costs"), Key("2", "−P", "costs"), *keys("3", "4", "5")[:4]),
        pips=(Pip("points", 17, 18, "point", "points"),),
        big="4",
    ),
    "wear_of_the_basic_game": SeatView(
        "Wear of Ana", ("any button: on",), pips=(Pip("points", 17, 18, "point", "points"),)
    ),
    "wear_with_a_line": SeatView("Wear of Ana", ("any button: on",), pips=WEAR_EN),
    "wear_alone": SeatView("Wear", pips=WEAR_EN),
    "wear_with_keys": SeatView(
        "Repair 2 points", pips=WEAR_EN, keys=keys("tires", "brakes", "gearbox", "body", "", "done")
    ),
    "refusal": SeatView(
        "Not possible", ("One gear up at most:", "3rd now, so 4th.", "", "FD-GEAR-2"), blink=True
    ),
    "figure_with_lines": SeatView("Finished", ("Ana wins", "you: +12"), big="2"),
    "figure_with_keys": SeatView(
        "Your stopwatch", ("press at", "the line"), keys=keys("stop"), big="47.3"
    ),
    "figure_alone": SeatView("Your gear is set", big="4"),
    "lobby": SeatView(
        "Monaco, 2 laps",
        ("1 Ana  2 Bruno  3 Zoé", "4 free"),
        keys=(Key("join"), Key("name", "", "more"), Key("track"), Key("laps"), None, Key("start")),
    ),
    "gears_two_lines": SeatView(
        "Gear? now 3rd",
        ("Loews in 7: 0/3", "Bruno +4 behind"),
        keys=(
            Key("1", "G1 B1", "costs"),
            Key("2"),
            Key("3", "", "old"),
            Key("4", "", ""),
            Key("5", "OUT", "out"),
            Key("menu", "", "more"),
        ),
    ),
    "lobby_code": SeatView(
        "Seat 3",
        ("Zoé", "scan me"),
        qr="http://192.168.100.20:8000/seat/3#k=7QX2M4RBTN6KZP5W",
        keys=(None, None, None, None, None, Key("back", "", "back")),
    ),
    "unknown_and_decomposed": SeatView(
        "Zoe\u0301 漢 Łukasz Ōta", ("œuvre Œ – — × · € °", "← → ↑ ↓ ✓ ž ş ğ ı")
    ),
}


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen_looks_as_it_was_last_approved(name: str) -> None:
    drawn = to_text(draw_seat(SCREENS[name]))
    file = GOLDEN / f"{name}.txt"
    if os.environ.get("RENEW_GOLDEN"):
        file.write_text(drawn, encoding="ascii")
    assert drawn == file.read_text("ascii")


def test_every_golden_file_belongs_to_a_screen() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(SCREENS)
