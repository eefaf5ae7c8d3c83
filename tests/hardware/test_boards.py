"""The boards: each pin where the pin map has it, sheet and copper alike, every part to be bought.

That KiCad finds no fault in them is seen where KiCad is (`make boards`).
"""

from __future__ import annotations

import math
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import boards
import pytest
from boards import Board, Part, Tree, board_of, find, one, parse
from pinmap import HEADER_PINS, NANO_PINS, PICO_PINS, SIGNALS, read_map

from companion.seats.plan import MAP

SCRIPT = Path(boards.__file__).with_name("boards-root.sh")
OWN_ROOT = boards.ROOT / "build" / "kicad"
PINS = read_map(MAP.read_text("utf-8"))
BOARDS = {board.name: board for board in boards.kept()}
PODS = ("pod", "pico")
needs_kicad = pytest.mark.skipif(
    not (shutil.which("kicad-cli") or (OWN_ROOT / "ready").exists()),
    reason="KiCad is missing: `make boards` makes a root with it",
)


def sheet(name: str) -> Tree:
    return parse((boards.KEPT / f"{name}.kicad_sch").read_text("utf-8"))


def copper(name: str) -> str:
    return (boards.KEPT / f"{name}.kicad_pcb").read_text("utf-8")


def pads(board: Board) -> dict[tuple[str, str], str]:
    """The net of every pad that is on one with a name."""
    return {(part.ref, pin): net for part in board.parts for pin, net in part.nets.items()}


def by_name(board: Board, ref: str) -> dict[str, str]:
    """The nets of a part by what KiCad's library calls its pins, which we did not write."""
    tree, nets = sheet(board.name), board.part(ref).nets
    drawn = {
        next(field[2] for field in find(part, "property") if field[1] == "Reference"): part
        for part in find(tree, "symbol")
    }
    symbol = one(drawn[ref], "lib_id")[1]
    (of,) = (one for one in find(one(tree, "lib_symbols"), "symbol") if one[1] == symbol)
    pins = {
        one(pin, "number")[1]: one(pin, "name")[1]
        for unit in find(of, "symbol")
        for pin in find(unit, "pin")
    }
    return {pins[number]: net for number, net in nets.items()}


def misplaced(board: Board, pins: SimpleNamespace) -> Iterator[str]:
    """The buttons of the header's board that are not on their line of a map, and on that alone."""
    nets = pads(board)
    for seat in pins.layouts["header"].seats.values():
        for number, line in enumerate(seat.buttons, 1):
            net = nets[f"J{seat.seat}1", str(number)]
            on = {pad for pad, other in nets.items() if other == net}
            wanted = {(f"J{seat.seat}1", str(number)), ("J1", str(HEADER_PINS[str(line)]))}
            if on != wanted:
                yield f"button {number} of seat {seat.seat}"


def test_each_button_of_a_plug_is_on_its_line_of_the_header_and_nothing_else() -> None:
    assert list(misplaced(BOARDS["header"], PINS)) == []
    assert {BOARDS["header"].part(f"J{seat}1").nets["7"] for seat in (1, 2, 3, 4)} == {"GND"}


def test_two_lines_of_the_map_that_change_places_are_seen() -> None:
    turned = MAP.read_text("utf-8").replace('"GPIO25", "GPIO8"', '"GPIO8", "GPIO25"')
    told = list(misplaced(BOARDS["header"], read_map(turned)))
    assert told == ["button 2 of seat 3", "button 3 of seat 3"]


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_each_screen_is_on_the_channel_of_its_bus(seat: int) -> None:
    nets, switch = pads(BOARDS["header"]), by_name(BOARDS["header"], "U1")
    channel = PINS.layouts["header"].seats[seat].screen.bus - PINS.multiplexer.base
    plug = [nets[f"J{seat}2", pin] for pin in "1234"]
    assert plug == ["GND", "+3V3", switch[f"SC{channel}"], switch[f"SD{channel}"]]
    assert len({net for net in nets.values() if net in plug}) == 4


def test_the_multiplexer_is_on_the_pis_bus_at_its_address_and_awake() -> None:
    nets, switch = pads(BOARDS["header"]), by_name(BOARDS["header"], "U1")
    assert switch["SDA"] == nets["J1", str(HEADER_PINS["GPIO2"])] == "SDA"
    assert switch["SCL"] == nets["J1", str(HEADER_PINS["GPIO3"])] == "SCL"
    straps = sum((switch[f"A{bit}"] == "+3V3") << bit for bit in range(3))
    assert {switch[f"A{bit}"] for bit in range(3)} <= {"GND", "+3V3"}
    assert PINS.multiplexer.address == 0x70 + straps
    assert {nets["R1", "1"], nets["R1", "2"]} == {"+3V3", switch["~{RESET}"]}
    assert switch["VCC"] == nets["C1", "2"] == "+3V3"
    assert switch["GND"] == nets["C1", "1"] == "GND"


def test_the_headers_grounds_and_power_are_no_buttons_and_five_volts_stay_on_the_pi() -> None:
    nets = BOARDS["header"].part("J1").nets
    for signal, net in (("GND", "GND"), ("3V3", "+3V3"), ("5V", None)):
        pins = [str(pin) for pin, name in SIGNALS.items() if name == signal]
        assert {nets.get(pin) for pin in pins} == {net}, signal


def nano(pin: str) -> str:
    own = NANO_PINS[pin]
    found = by_name(BOARDS["pod"], "A1").items()
    return next(net for name, net in found if own in name.split("/"))


def pico(line: str) -> str:
    """A Pico stands in two rows of sockets: its pins 1 to 20, and 21 to 40 from the other end."""
    pin = PICO_PINS[line]
    return BOARDS["pico"].part("A1" if pin <= 20 else "A2").nets[str((pin - 1) % 20 + 1)]


def test_the_boards_of_pods_have_each_pin_where_the_map_says() -> None:
    pod, of = PINS.pod, BOARDS["pod"]
    assert pod.led
    assert pod.buzzer
    lines = [*pod.buttons, pod.screen.scl, pod.screen.sda, pod.led, pod.buzzer]
    assert [nano(line) for line in lines] == wanted(of)
    supply = by_name(of, "A1")
    assert (supply["GND"], supply["+5V"], of.part("J2").nets["2"]) == ("GND", "+5V", "+5V")
    lines = [*PINS.pico.buttons, PINS.pico.scl, PINS.pico.sda, PINS.pico.led, PINS.pico.buzzer]
    of = BOARDS["pico"]
    assert [pico(line) for line in lines] == wanted(of)
    assert (pico("GND"), pico("3V3"), pico("VBUS")) == ("GND", "+3V3", "+5V")
    assert of.part("J2").nets["2"] == "+3V3", "its pull-ups would put 5 volts on the Pico's lines"


def wanted(board: Board) -> list[str]:
    """The nets of buttons, SCL, SDA, lamp and buzzer, by the parts that they lead to."""
    gate, screen = board.part("J1").nets, board.part("J2").nets
    assert (gate["7"], screen["1"]) == ("GND", "GND")
    ends = [board.part("R1").nets["1"], board.part("R2").nets["1"]]
    return [*(gate[str(n)] for n in range(1, 7)), screen["3"], screen["4"], *ends]


@pytest.mark.parametrize("name", PODS)
def test_a_pods_buzzer_is_fed_by_a_transistor_and_no_pin(name: str) -> None:
    board = BOARDS[name]
    switch, diode, buzzer = (by_name(board, ref) for ref in ("Q1", "D2", "BZ1"))
    collector = board.part("BZ1").nets["2"]
    assert (buzzer["+"], buzzer["-"], switch["C"]) == ("+5V", collector, collector)
    assert (switch["E"], switch["B"]) == ("GND", board.part("R2").nets["2"])
    assert (diode["K"], diode["A"]) == ("+5V", collector)
    on = {ref for ref, _ in board.nets()[collector]}
    assert on == {"BZ1", "Q1", "D2"}
    assert int(board.part("R2").value) == PINS.pod.buzzer_ohm
    assert int(board.part("R1").value) == PINS.pod.led_ohm


def faults(board: Board) -> Iterator[str]:
    """What cannot be right about a board, whatever the map says."""
    for net, pins in board.nets().items():
        if len(pins) < 2:
            yield f"{net} has one pin: {pins[0]}"
    for ref, count in Counter(part.ref for part in board.parts).items():
        if count > 1:
            yield f"{count} parts are called {ref}"


@pytest.mark.parametrize("name", BOARDS)
def test_no_net_of_a_board_is_alone(name: str) -> None:
    assert list(faults(BOARDS[name])) == []
    odd = Part("J1", "PI", "", (0, 0), {}, {"1": "LOST"})
    told = list(faults(replace(BOARDS[name], parts=[*BOARDS[name].parts, odd])))
    assert told == ["LOST has one pin: ('J1', '1')", "2 parts are called J1"]


def drawn(name: str) -> Counter[str]:
    """How many pins each net has on the sheet, those of its flags of power left out."""
    tree = sheet(name)
    flags = {
        tuple(one(of, "at")[1:3])
        for of in find(tree, "symbol")
        if one(of, "lib_id")[1] == "power:PWR_FLAG"
    }
    labels = [(label[1], tuple(one(label, "at")[1:3])) for label in find(tree, "global_label")]
    return Counter(net for net, at in labels if at not in flags)


@pytest.mark.parametrize("name", BOARDS)
def test_sheet_and_copper_have_the_same_nets(name: str) -> None:
    assert drawn(name) == Counter(pads(BOARDS[name]).values())


def test_a_pad_moved_to_another_net_by_hand_is_seen() -> None:
    text = copper("header")
    at = text.index("(pad ", text.index("JST_XH_B7B"))
    moved = board_of("header", text[:at] + text[at:].replace('"S1_B1"', '"S1_B2"', 1))
    assert drawn("header") != Counter(pads(moved).values())
    assert list(misplaced(moved, PINS)) == ["button 1 of seat 1", "button 2 of seat 1"]


@pytest.mark.parametrize("name", BOARDS)
def test_name_and_revision_stand_on_the_board(name: str) -> None:
    board = BOARDS[name]
    words = " ".join(board.printed)
    assert "RACE COMPANION" in words
    assert f"{name.upper()} REV {board.revision}" in words


# -- the parts list -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_every_part_of_a_board_can_be_bought_and_fits_its_footprint(name: str) -> None:
    """By the list's figures of the part itself: the pins' pitch in millimetres, its footprint."""
    board = BOARDS[name]
    for row, refs in boards.to_buy(board):
        assert int(row["count"]) >= len(refs), refs
        assert row["maker_number"], refs
        for part in map(board.part, refs):
            assert part.footprint == row["footprint"], part.ref
            if row["pitch_mm"]:
                apart = math.dist(part.pads["1"], part.pads["2"])
                assert apart == pytest.approx(float(row["pitch_mm"]), abs=0.02), part.ref


def test_a_buzzer_of_another_pitch_would_be_seen() -> None:
    (row,) = (row for row, refs in boards.to_buy(BOARDS["pod"]) if refs == ["BZ1"])
    part = BOARDS["pod"].part("BZ1")
    assert row["pitch_mm"] == "7.6"
    assert math.dist(part.pads["1"], part.pads["2"]) != pytest.approx(6.5, abs=0.02)


ANY_WILL_DO = re.compile(
    r"(jumper wire|ribbon of|wire) .*|perfboard \d×\d cm|APA102 strip 60 lights a meter"
)
"""What has no number, as its size says all of it."""
DRAWS = {"screen": "screen", "multiplexer": "multiplexer", "PCA9548ADW": "multiplexer",
         "expander": "expander", "buzzer": "buzzer", "BUZZER": "buzzer"}  # fmt: skip


def test_every_line_of_the_list_has_a_makers_number_and_takes_what_the_map_reckons_with() -> None:
    for row in boards.lines():
        assert row["maker_number"] or ANY_WILL_DO.fullmatch(row["part"]), row["part"]
        kind = row["stands_for"]
        if kind in DRAWS:
            assert float(row["current_ma"]) == PINS.current_ma[DRAWS[kind]], row["part"]
        if kind in ("transistor", "2N3904"):
            assert float(row["current_ma"]) == PINS.rails_ma["transistor"]


def test_the_same_part_is_the_same_line_wherever_it_is_needed() -> None:
    said: dict[str, set[tuple[str, ...]]] = {}
    for row in boards.lines():
        figures = tuple(row[name] for name in ("bore_mm", "current_ma"))
        said.setdefault(row["maker_number"] or row["part"], set()).add(figures)
    assert [number for number, figures in said.items() if len(figures) > 1] == []


def test_an_assembly_house_reads_bill_and_positions(tmp_path: Path) -> None:
    """The Nano's two sockets stand under one part of the copper: they are left to the hand."""
    board = BOARDS["pod"]
    rows = list(boards.bill(board))
    assert ("active buzzer 5 V 12 mm", "BZ1", "Buzzer_12x9.5RM7.6", "TMB12A05", "1") in rows
    assert all(len(row) == len(boards.BILL) for row in rows)
    told = tmp_path / "told.csv"
    told.write_text(
        "Ref,Val,Package,PosX,PosY,Rot,Side\n"
        '"A1","Nano","Arduino_Nano",62.48,-61.97,0.0,top\n'
        '"Q1","2N3904","TO-92_Inline_Wide",101.6,-94.996,90.0,top\n'
    )
    assert list(boards.places(board, told)) == [("Q1", "101.600mm", "-94.996mm", "Top", "90")]


# -- KiCad ----------------------------------------------------------------------------------------


def test_who_may_not_make_a_root_is_told_so_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", SCRIPT, tmp_path / "root"], env=path, capture_output=True, text=True, check=False
    )
    assert done.returncode == boards.CANNOT
    assert done.stderr.startswith("boards: no KiCad: ")
    assert done.stderr.count("\n") == 1


@needs_kicad
@pytest.mark.slow
def test_kicad_finds_no_fault_in_the_boards_and_sees_one_that_is_put_in() -> None:
    """One test of both: they share the folder that KiCad works in."""
    tool = boards.kicad()
    assert tool
    boards.lay_out(tool)
    for name in BOARDS:
        boards.examine(name, tool)
        path = tool.folder / f"{name}.kicad_pcb"
        text = path.read_text("utf-8")
        path.write_text(text.replace("(width 0.3)", "(width 2.3)", 1), "utf-8")
        with pytest.raises(subprocess.CalledProcessError):
            boards.examine(name, tool)
