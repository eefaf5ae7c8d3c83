"""The boards: made from the pin map, with the netlist that it asks for, and parts to be bought.

That KiCad finds no fault in them is seen where KiCad is (`make boards`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import boards
import pytest
from boards_parts import Part, faults, header_board
from boards_router import Pad, Router
from boards_text import Tree, find, one, parse, pins
from pinmap_map import PinMap, read_map
from pinmap_texts import GROUND_PINS, HEADER_PINS, NANO_PINS, POWER_PINS

from companion.seats.pinmap import MAP

SCRIPT = Path(boards.__file__).with_name("boards-root.sh")
OWN_ROOT = boards.ROOT / "build" / "kicad"
PINS: PinMap = read_map(MAP.read_text("utf-8"))
BOARDS = {board.name: board for board in boards.mapped()}
needs_kicad = pytest.mark.skipif(
    not (shutil.which("kicad-cli") or (OWN_ROOT / "ready").exists()),
    reason="KiCad is missing: `make boards` makes a root with it",
)


def sheet(name: str) -> Tree:
    return parse((boards.KEPT / f"{name}.kicad_sch").read_text("utf-8"))


def pads(name: str) -> dict[tuple[str, str], str]:
    """The net of every pad of the kept copper."""
    made = {}
    for part in find(parse((boards.KEPT / f"{name}.kicad_pcb").read_text("utf-8")), "footprint"):
        ref = next(field[2] for field in find(part, "property") if field[1] == "Reference")
        for pad in find(part, "pad"):
            for net in find(pad, "net"):
                assert made.setdefault((ref, pad[1]), net[2]) == net[2]
    return made


def by_name(name: str, ref: str) -> dict[str, str]:
    """The nets of a part by what KiCad's library calls its pins, which we did not write."""
    tree, nets = sheet(name), pads(name)
    (symbol,) = (p.symbol for p in BOARDS[name].parts if p.ref == ref)
    (drawn,) = (one for one in find(one(tree, "lib_symbols"), "symbol") if one[1] == symbol)
    return {pin.name: nets[ref, number] for number, pin in pins(drawn).items()}


def test_the_boards_are_up_to_date_with_the_pin_map() -> None:
    assert boards.stale() == []


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_each_button_of_a_plug_is_on_its_line_of_the_header_and_nothing_else(seat: int) -> None:
    nets = pads("header")
    for number, line in enumerate(PINS.layouts["header"].seats[seat].buttons, 1):
        net = nets[f"J{seat}1", str(number)]
        on = {pad for pad, other in nets.items() if other == net}
        assert on == {(f"J{seat}1", str(number)), ("J1", str(HEADER_PINS[line.number]))}
    assert nets[f"J{seat}1", "7"] == "GND"


@pytest.mark.parametrize("seat", [1, 2, 3, 4])
def test_each_screen_is_on_the_channel_of_its_bus(seat: int) -> None:
    nets, switch = pads("header"), by_name("header", "U1")
    channel = PINS.layouts["header"].seats[seat].screen.bus - PINS.multiplexer.base
    plug = [nets[f"J{seat}2", pin] for pin in "1234"]
    assert plug == ["GND", "+3V3", switch[f"SC{channel}"], switch[f"SD{channel}"]]
    assert len({net for net in nets.values() if net in plug}) == 4


def test_the_multiplexer_is_on_the_pis_bus_at_its_address_and_awake() -> None:
    nets, switch = pads("header"), by_name("header", "U1")
    assert switch["SDA"] == nets["J1", str(HEADER_PINS[2])] == "SDA"
    assert switch["SCL"] == nets["J1", str(HEADER_PINS[3])] == "SCL"
    straps = [switch[f"A{bit}"] for bit in range(3)]
    assert PINS.multiplexer.address == 0x70
    assert straps == ["GND"] * 3
    assert {nets["R1", "1"], nets["R1", "2"]} == {"+3V3", switch["~{RESET}"]}
    assert switch["VCC"] == nets["C1", "2"] == "+3V3"
    assert switch["GND"] == nets["C1", "1"] == "GND"


def test_an_address_of_the_map_is_strapped_by_it() -> None:
    moved = header_board(replace(PINS, multiplexer=replace(PINS.multiplexer, address=0x75)))
    (switch,) = (part for part in moved.parts if part.ref == "U1")
    assert [switch.nets[pin] for pin in ("1", "2", "21")] == ["+3V3", "GND", "+3V3"]


def test_the_headers_grounds_and_power_are_no_buttons_and_five_volts_stay_on_the_pi() -> None:
    nets = pads("header")
    assert {nets["J1", str(pin)] for pin in GROUND_PINS} == {"GND"}
    assert {nets["J1", str(pin)] for pin in POWER_PINS} == {"+3V3"}
    assert all(nets["J1", pin].startswith("unconnected-") for pin in ("2", "4"))


def test_the_pod_board_has_each_pin_of_the_nano_where_the_map_says() -> None:
    nets, nano, pod = pads("pod"), by_name("pod", "A1"), PINS.pod

    def of(pin: str) -> str:
        own = NANO_PINS[pin]
        return next(net for name, net in nano.items() if own in name.split("/"))

    assert [nets["J1", str(n)] for n in range(1, 7)] == [of(pin) for pin in pod.buttons]
    assert nets["J1", "7"] == nano["GND"] == "GND"
    screen = [of(pod.screen.scl), of(pod.screen.sda)]
    assert [nets["J2", pin] for pin in "1234"] == ["GND", nano["+5V"], *screen]
    assert pod.led
    assert pod.buzzer
    assert nets["R1", "1"] == of(pod.led)
    assert nets["R1", "2"] == nets["D1", "2"]
    assert (nets["D1", "1"], nets["BZ1", "1"], nets["BZ1", "2"]) == ("GND", of(pod.buzzer), "GND")


@pytest.mark.parametrize("name", BOARDS)
def test_no_net_of_a_board_is_alone(name: str) -> None:
    assert list(faults(BOARDS[name])) == []
    odd = Part("J1", "PI", "", "", (0, 0, 0), {"1": "LOST"})
    told = list(faults(replace(BOARDS[name], parts=[*BOARDS[name].parts, odd])))
    assert told == ["LOST has one pin: ('J1', '1')", "2 parts are called J1"]


def test_a_changed_line_makes_the_header_board_stale_and_a_changed_buzzer_the_pods() -> None:
    text = MAP.read_text("utf-8")
    turned = text.replace('"GPIO25", "GPIO8"', '"GPIO8", "GPIO25"')
    other = boards.boards(read_map(turned))
    assert boards.stale(asked=other) == ["header.kicad_sch", "header.kicad_pcb"]
    other = boards.boards(read_map(text.replace('buzzer = "PB1"', 'buzzer = "PB2"')))
    assert boards.stale(asked=other) == ["pod.kicad_sch", "pod.kicad_pcb"]


def test_a_pad_moved_to_another_net_by_hand_is_seen(tmp_path: Path) -> None:
    shutil.copytree(boards.KEPT, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "header.kicad_pcb"
    text = path.read_text("utf-8")
    at = text.index("(pad ", text.index("JST_XH_B7B"))
    path.write_text(text[:at] + text[at:].replace('"S1_B1"', '"S1_B2"', 1), "utf-8")
    assert boards.stale(tmp_path) == ["header.kicad_pcb"]


@pytest.mark.parametrize("name", BOARDS)
def test_every_part_of_a_board_can_be_bought(name: str) -> None:
    for count, refs, *_, what in boards.to_buy(BOARDS[name]):
        assert count >= len(refs.split()), refs
        assert what


def test_crossing_tracks_change_layers_and_never_touch() -> None:
    def pad(net: str, x: float, y: float) -> Pad:
        return Pad(net, (x, y), (0.5, 0.5), 0.5, (0,))

    across = [pad("A", 1, 5), pad("A", 9, 5), pad("B", 5, 1), pad("B", 5, 9)]
    ways = Router((40, 40), 0.25, across, {"A": 0.3, "B": 0.3}).route()
    spots = {net: {spot for way in found for spot in way} for net, found in ways.items()}
    assert {layer for net in spots for layer, *_ in spots[net]} == {0, 1}
    near = min(
        (row - r) ** 2 + (column - c) ** 2
        for layer, row, column in spots["A"]
        for other, r, c in spots["B"]
        if layer == other
    )
    assert near**0.5 * 0.25 >= 0.3 + 0.2


def test_a_pad_without_a_way_out_is_said() -> None:
    wall = Pad(None, (5, 5), (0.5, 5), 0, (0, 1))
    ends = [Pad("A", (x, 5), (0.5, 0.5), 0.5, (0, 1)) for x in (2, 8)]
    with pytest.raises(RuntimeError, match="A is walled in"):
        Router((40, 40), 0.25, [wall, *ends], {"A": 0.3}).route()


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
    boards.lay_out(tool, boards.mapped())
    for name, board in BOARDS.items():
        boards.examine(board, tool)
        path = tool.folder / f"{name}.kicad_pcb"
        text = path.read_text("utf-8")
        path.write_text(text.replace("(width 0.3)", "(width 2.3)", 1), "utf-8")
        with pytest.raises(subprocess.CalledProcessError):
            boards.examine(board, tool)
