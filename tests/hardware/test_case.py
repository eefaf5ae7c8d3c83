"""The printed case takes what goes into it: the parts as solids, in the solids that are printed.

As seen from the front, x to the right, y up, z into the case; millimetres.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import boards
import numpy as np
import pytest
from boards import Board
from support.solids.mesh import Floats, Mesh, Solid, block, rod

ROOT = Path(__file__).parent.parent.parent
SCAD = ROOT / "hardware" / "case" / "seat.scad"
pytestmark = [
    pytest.mark.skipif(not shutil.which("openscad"), reason="OpenSCAD is missing"),
    pytest.mark.slow,
    pytest.mark.long,  # OpenSCAD takes ten seconds for each kind of case
]
NOTHING = 0.5
"""So many cubic millimetres are the grid's error."""
BUTTON_LONG, NUT, TRAVEL = 25.0, 16.0, 3.0
HOUSING, PLASTIC, BEND = 14.0, 2.5, 5.0
"""On a pin: the housing of a jumper wire, the plastic below it, the wire that bends behind it."""
USB_GRIP = (12.0, 9.0)
SCREW_LONG = 10.0


@dataclass(frozen=True)
class Case:
    """The printed parts as they stand together, and the places that were echoed."""

    shell: Mesh
    bottom: Mesh | None
    told: str

    def numbers(self, name: str) -> list[float]:
        found = re.search(rf"\b{name} = \[?([-\d., ]+)", self.told)
        assert found, name
        return [float(number) for number in found[1].strip(", ").split(",")]

    def number(self, name: str) -> float:
        return self.numbers(name)[0]

    @property
    def floor(self) -> float:
        """The inside of the bottom."""
        return self.number("front") + self.number("depth")

    def stands_in(self, solid: Solid) -> float:
        bottom = self.bottom.overlap(solid) if self.bottom else 0.0
        return self.shell.overlap(solid) + bottom

    def gears(self) -> dict[int, tuple[float, float]]:
        found = re.findall(r"gear = (\d), place = \[(-?[\d.]+), (-?[\d.]+)\]", self.told)
        return {int(gear): (float(x), float(y)) for gear, x, y in found}


def printed(folder: Path, kind: str, screen: str = "0.96", carrier: str = "nano") -> Case:
    told = ""
    for part in ("shell", "bottom") if kind == "pod" else ("shell",):
        settings = ["-D", f'part="{part}"', "-D", f"pod={str(kind == 'pod').lower()}"]
        settings += ["-D", f'screen="{screen}"', "-D", f'carrier="{carrier}"']
        done = subprocess.run(
            ["openscad", "-o", folder / f"{part}.stl", *settings, SCAD],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
        )
        assert re.search(r"Simple: +yes", done.stderr), f"{part} of a {kind} is no solid"
        told = done.stderr
    numbers = Case(None, None, told)  # type: ignore[arg-type]  # only to read the places
    rim = numbers.floor + numbers.number("wall")

    def turned_over(corners: Floats) -> Floats:
        return corners * [-1, 1, -1] + [0, 0, rim]

    bottom = Mesh(folder / "bottom.stl", turned_over) if kind == "pod" else None
    return Case(Mesh(folder / "shell.stl", lambda corners: corners * [-1, 1, 1]), bottom, told)


@pytest.fixture(scope="module")
def pod(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return printed(tmp_path_factory.mktemp("pod"), "pod")


@pytest.fixture(scope="module")
def wired(tmp_path_factory: pytest.TempPathFactory) -> Case:
    return printed(tmp_path_factory.mktemp("wired"), "wired")


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A pod with the screen of 1.3 inches."""
    return printed(tmp_path_factory.mktemp("large"), "pod", "1.3")


@pytest.fixture(scope="module")
def carrying(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A pod with the printed board."""
    return printed(tmp_path_factory.mktemp("board"), "pod", carrier="board")


@pytest.fixture(scope="module")
def with_pico(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A pod with a Pico on pegs."""
    return printed(tmp_path_factory.mktemp("pico"), "pod", carrier="pico")


@pytest.fixture(scope="module")
def carrying_pico(tmp_path_factory: pytest.TempPathFactory) -> Case:
    """A pod with the printed board of a Pico."""
    return printed(tmp_path_factory.mktemp("pico-board"), "pod", carrier="pico-board")


@pytest.fixture(params=["carrying", "carrying_pico"])
def boarded(request: pytest.FixtureRequest) -> tuple[Case, Board]:
    """A case that carries a board, and the board."""
    name = "pod" if request.param == "carrying" else "pico"
    return request.getfixturevalue(request.param), BOARDS[name]


@pytest.fixture(params=["pod", "large"])
def any_pod(request: pytest.FixtureRequest) -> Case:
    made: Case = request.getfixturevalue(request.param)
    return made


@pytest.fixture(params=["carrying", "carrying_pico", "pod", "with_pico", "wired", "large"])
def case(request: pytest.FixtureRequest) -> Case:
    made: Case = request.getfixturevalue(request.param)
    return made


# -- the board ------------------------------------------------------------------------------------


def nano(case: Case) -> Solid:
    """The board: its component side looks at the bottom, its plug's end at the slot."""
    width, length, thick = case.numbers("nano")
    end, side = case.numbers("inner")[1] / 2 - case.number("end"), case.floor - case.number("lift")
    return block((-width / 2, width / 2), (end - length, end), (side - thick, side))


def socket_way(case: Case) -> Solid:
    """Where the socket of the board is, and the plug on its way to it from outside."""
    (_, end), (_, side) = nano(case).box[1:]
    outside = case.numbers("inner")[1] / 2 + case.number("wall")
    return block((-3.85, 3.85), (end - 9, outside + 5), (side, side + 3.9))


def grip(case: Case) -> Solid:
    """The grip of the cable, as near to the socket as the plug is in."""
    (_, end), (_, side) = nano(case).box[1:]
    width, height = USB_GRIP
    middle = side + 3.9 / 2
    z = (middle - height / 2, middle + height / 2)
    return block((-width / 2, width / 2), (end + 0.6, end + 20), z)


def pins(case: Case) -> list[Solid]:
    """Both rows with housings on them and the wires behind, and the six pins of ICSP."""
    (_, _), (start, end), (side, other) = nano(case).box
    y = (start + 3.45, end - 3.45)
    z = (side - PLASTIC - HOUSING - BEND, side)
    rows = [block((x - 1.27, x + 1.27), y, z) for x in (-7.62, 7.62)]
    return [*rows, block((-3.9, 3.9), (start + 1, start + 6.2), (other, other + 8.6))]


def test_nothing_stands_before_the_plug_of_the_nano(any_pod: Case) -> None:
    assert any_pod.stands_in(socket_way(any_pod)) < NOTHING
    assert any_pod.stands_in(grip(any_pod)) < NOTHING


def test_a_wall_before_the_plug_is_seen(pod: Case) -> None:
    """As it was: the slot stood 9 mm beside the socket, and 72 mm³ of wall before it."""
    assert pod.stands_in(socket_way(pod).moved(z=-11)) > 50


def test_the_nano_lies_free_with_wires_on_its_pins(any_pod: Case) -> None:
    assert any_pod.stands_in(nano(any_pod)) < NOTHING
    for row in pins(any_pod):
        assert any_pod.stands_in(row) < NOTHING
        assert row.box[2][0] > any_pod.number("front") + 5, "the screen is there"


@pytest.mark.parametrize("way", [{"z": -1}, {"z": 1}, {"x": 1}, {"x": -1}, {"y": 1}, {"y": -1}])
def test_the_nano_is_held_from_all_sides(pod: Case, way: dict[str, float]) -> None:
    """Lifted, pressed, pushed by a millimetre it meets something. The old rails were too wide."""
    assert pod.stands_in(nano(pod).moved(**way)) > 2


# -- a Pico ---------------------------------------------------------------------------------------


def pico(case: Case) -> Solid:
    """It lies on its face, its plug's end at the slot, its holes over the pegs."""
    width, length, thick = case.numbers("pico")
    end, side = case.numbers("inner")[1] / 2 - 0.5, case.floor - case.number("pico_lift")
    return block((-width / 2, width / 2), (end - length, end), (side - thick, side))


def test_a_pico_lies_over_its_pegs_with_room_for_socket_pins_and_plug(with_pico: Case) -> None:
    board = pico(with_pico)
    (_, end), (_, side) = board.box[1:]
    pegs = 4 * np.pi * 0.9**2 * with_pico.numbers("pico")[2]
    assert 0.8 * pegs < with_pico.stands_in(board) < 1.1 * pegs + NOTHING
    wide, high = with_pico.numbers("socket")
    socket = block((-wide / 2, wide / 2), (end - 5.6, end), (side, side + high))
    assert with_pico.stands_in(socket) < NOTHING
    outside = with_pico.numbers("inner")[1] / 2 + with_pico.number("wall")
    middle = side + high / 2
    across, along = USB_GRIP
    grip = block((-across / 2, across / 2), (end + 1.3, outside + 5),
                 (middle - along / 2, middle + along / 2))  # fmt: skip
    assert with_pico.stands_in(grip) < NOTHING
    assert with_pico.stands_in(grip.moved(x=6)) > 5, "the wall is there"
    y = (board.box[1][0] + 0.1, end - 0.1)
    wires = (side - 1 - PLASTIC - HOUSING - BEND, side - 1)
    for x in (-8.89, 8.89):
        for z in ((side, side + 2.0), wires):
            solid = block((x - 1.27, x + 1.27), y, z)
            assert with_pico.stands_in(solid) < NOTHING
            assert solid.box[2][0] > with_pico.number("front") + 5, "the screen is there"


@pytest.mark.parametrize("way", [{"z": 1}, {"x": 1}, {"x": -1}, {"y": 1}, {"y": -1}])
def test_a_pico_is_held_from_below_and_beside(with_pico: Case, way: dict[str, float]) -> None:
    lying = with_pico.stands_in(pico(with_pico))
    _, (y0, y1), (z0, z1) = pico(with_pico).box
    holes = [rod((x, (y0 + y1) / 2 + y), (z0, z1), 2.1) for x in (-5.7, 5.7) for y in (-23.5, 23.5)]
    free = sum(with_pico.stands_in(hole) for hole in holes)
    assert free == pytest.approx(lying, abs=NOTHING), "the pegs stand in the holes"
    moved = sum(with_pico.stands_in(hole.moved(**way)) for hole in holes)
    assert with_pico.stands_in(pico(with_pico).moved(**way)) - moved > 1


# -- the printed board of a pod --------------------------------------------------------------------

BOARDS = {board.name: board for board in boards.kept()}
PLUGGED, BUZZER, TRANSISTOR, TAILS = 9.8, 9.5, 8.0, 3.0
"""So high stand, over the board, a plug in its socket, the buzzer and a TO-92; what is soldered,
below."""
LONG = {"pod": (43.18, 1.6 + 3.9), "pico": (51.0, 1.0 + 2.9)}
"""A Nano and a Pico: their length, and how high they are with their socket."""
Span = tuple[float, float]


def spot(case: Case, board: Board, place: Span) -> Span:
    """A spot of the board, in the case: turned, so that the USB socket is at the wall."""
    (width, height), (x, y) = board.size, place
    return -(x - width / 2), case.number("middle") + (y - height / 2)


def over(case: Case, board: Board, x: Span, y: Span, high: float) -> Solid:
    """A block on the board between two spots of it."""
    (x0, y0), (x1, y1) = spot(case, board, (x[0], y[0])), spot(case, board, (x[1], y[1]))
    top = case.floor - case.number("raised") - case.number("thick")
    return block((min(x0, x1), max(x0, x1)), (min(y0, y1), max(y0, y1)), (top - high, top))


def rows(board: Board) -> tuple[Span, Span]:
    """From the first pin to the last of a Nano or Pico: across, and along."""
    pins = [at for part in board.parts if part.ref[0] == "A" for at in part.pads.values()]
    across, along = zip(*pins, strict=True)
    return (min(across), max(across)), (min(along), max(along))


def on_board(case: Case, board: Board) -> dict[str, Solid]:
    """What stands on the board: plugs with their cables in, buzzer, the Nano in its sockets."""
    made = {}
    for ref, pins in (("J1", 7), ("J2", 4)):
        x, y = board.part(ref).at
        long = (x - 3, x + 2.5 * (pins - 1) + 3)
        made[ref] = over(case, board, long, (y - 2.5, y + 3.5), PLUGGED)
    x, y = board.part("BZ1").at
    made["BZ1"] = over(case, board, (x - 3, x + 11), (y - 6, y + 6), BUZZER)
    x, y = board.part("Q1").at
    made["Q1"] = over(case, board, (x - 1, x + 6.1), (y - 3, y + 3), TRANSISTOR)
    (left, right), (first, last) = rows(board)
    length, high = LONG[board.name]
    beyond = (length - (last - first)) / 2
    made["A1"] = over(case, board, (left - 1.4, right + 1.4), (first - beyond, last + beyond),
                      case.number("sockets_high") + high)  # fmt: skip
    return made


def test_the_case_knows_the_board_as_it_is_drawn(boarded: tuple[Case, Board]) -> None:
    case, board = boarded
    assert case.numbers("board") == pytest.approx(board.size, abs=0.01)
    holes = sorted(part.at for part in board.parts if part.ref.startswith("H"))
    edge = case.number("hole")
    across, along = (side - edge for side in board.size)
    wanted = [pytest.approx((x, y), abs=0.01) for x in (edge, across) for y in (edge, along)]
    assert holes == wanted
    (left, right), _ = rows(board)
    middle = spot(case, board, ((left + right) / 2, 0))[0]
    assert case.numbers("plug")[0] == pytest.approx(middle, abs=0.01)


def test_the_board_and_all_on_it_has_room(boarded: tuple[Case, Board]) -> None:
    case, board = boarded
    thick, (wide, long) = case.number("thick"), board.size
    plate = over(case, board, (0, wide), (0, long), thick).moved(z=thick)
    assert case.stands_in(plate) < NOTHING
    assert case.stands_in(plate.moved(y=1)) > 20, "the wall is there"
    for name, solid in on_board(case, board).items():
        assert case.stands_in(solid) < NOTHING, name
        assert solid.box[2][0] > case.number("front") + 5, f"{name}: the screen is there"
    for (x0, x1), (y0, y1), (z0, z1) in (button.box for button in buttons(case)):
        for name, solid in {"plate": plate, **on_board(case, board)}.items():
            (left, right), (start, end), (top, low) = solid.box
            apart = x1 < left or x0 > right or y1 < start or y0 > end or z1 < top or z0 > low
            assert apart, (name, x0, y0)


def test_what_is_soldered_below_the_board_touches_only_its_four_posts(
    boarded: tuple[Case, Board],
) -> None:
    case, board = boarded
    below = over(case, board, (8, board.size[0] - 8), (0, board.size[1]), TAILS)
    assert case.stands_in(below.moved(z=case.number("thick") + TAILS)) < NOTHING
    assert case.number("raised") > TAILS


def test_the_boards_screws_find_their_posts(boarded: tuple[Case, Board]) -> None:
    """M3×6 through the board: the thread cuts into the post, the tip does not reach the bottom."""
    case, board = boarded
    floor, raised = case.floor, case.number("raised")
    for part in board.parts:
        if part.ref.startswith("H"):
            at = spot(case, board, part.at)
            rest = rod(at, (floor - raised, floor - raised + 0.4), 5.8, inner=3.0)
            assert case.stands_in(rest) > 0.8 * np.pi * (2.9**2 - 1.5**2) * 0.4
            length = 6 - case.number("thick")
            thread = rod(at, (floor - raised, floor - raised + length), 3.0, inner=2.6)
            assert case.stands_in(thread) > 0.8 * np.pi * (1.5**2 - 1.3**2) * length
            tip = rod(at, (floor - raised, floor - raised + length), 2.2)
            assert case.stands_in(tip) < NOTHING


def test_the_plug_reaches_the_socket_on_the_board(boarded: tuple[Case, Board]) -> None:
    case, board = boarded
    beside, high = case.numbers("plug")
    z, edge = case.floor - high, case.numbers("inner")[1] / 2
    end = on_board(case, board)["A1"].box[1][1]
    way = block((beside - 3.85, beside + 3.85), (end, edge + 8), (z - 1.95, z + 1.95))
    assert case.stands_in(way) < NOTHING
    width, height = USB_GRIP
    across, up = (beside - width / 2, beside + width / 2), (z - height / 2, z + height / 2)
    grip = block(across, (end + 0.6, edge + 20), up)
    assert case.stands_in(grip) < NOTHING
    assert case.stands_in(way.moved(x=-11)) > 20, "the slot of the other case is elsewhere"


# -- what both kinds of seat have -----------------------------------------------------------------


BORES = {
    row["stands_for"]: float(row["bore_mm"])
    for row in boards.lines()
    if row["bore_mm"] and row["for"] in ("pod", "wired seat")
}
"""What goes through a hole or into a ring, by the parts list: millimetres."""


def buttons(case: Case) -> list[Solid]:
    """Nut and body of each, with the way that its plunger may need behind."""
    front = case.number("front")
    made = []
    for at in case.gears().values():
        made.append(rod(at, (front, front + 4), NUT))
        made.append(rod(at, (-1, front + BUTTON_LONG + TRAVEL), BORES["button"]))
    return made


def test_every_button_has_room_behind_the_front(case: Case) -> None:
    for button in buttons(case):
        assert case.stands_in(button) < NOTHING
        assert button.box[2][1] <= case.floor


def test_a_thicker_button_does_not_go_in(carrying: Case) -> None:
    assert carrying.stands_in(rod(carrying.gears()[1], (0, 3), 16.0)) > 100


def test_buttons_and_the_board_do_not_meet(any_pod: Case) -> None:
    (left, right), (start, end), _ = nano(any_pod).box
    for (x0, x1), (y0, y1), _ in (button.box for button in buttons(any_pod)):
        apart = x1 < left or x0 > right or y1 < start - 3 or y0 > end
        assert apart, (x0, y0)


def test_the_glass_is_seen_through_its_window(case: Case) -> None:
    (width, height), offset = case.numbers("window"), case.number("offset")
    middle = case.number("screen_y") + offset
    y = (middle - height / 2 + 0.1, middle + height / 2 - 0.1)
    glass = block((-width / 2 + 0.1, width / 2 - 0.1), y, (0, case.number("front")))
    assert case.stands_in(glass) < NOTHING


def board_of_the_screen(case: Case) -> Solid:
    """The board of the screen's module, its glass at the front."""
    (width, height), middle = case.numbers("oled"), case.number("screen_y")
    front = case.number("front")
    y = (middle - height / 2, middle + height / 2)
    return block((-width / 2, width / 2), y, (front, front + 1.6))


def test_the_screen_sits_on_its_four_pegs_and_nothing_else_is_in_its_way(case: Case) -> None:
    pegs = 4 * np.pi * 0.9**2 * 1.6
    assert 0.8 * pegs < case.stands_in(board_of_the_screen(case)) < 1.1 * pegs + NOTHING
    assert case.stands_in(board_of_the_screen(case).moved(y=5)) > 2 * pegs, "a wall is there"


def test_the_screen_and_the_buttons_do_not_meet(case: Case) -> None:
    bottom = board_of_the_screen(case).box[1][0]
    nuts = [button.box[1][1] for button in buttons(case)]
    assert max(nuts) < bottom


def test_the_screws_find_the_posts(case: Case) -> None:
    """The bottom lies on the posts; the thread cuts into each by 6 mm at least."""
    width, height = case.numbers("inner")
    for x in (-1, 1):
        for y in (-1, 1):
            at = (x * (width / 2 - 3.5), y * (height / 2 - 3.5))
            seat = rod(at, (case.floor - 0.4, case.floor), 6.0, inner=4.0)
            assert case.shell.overlap(seat) > 0.8 * np.pi * (9 - 4) * 0.4
            deep = SCREW_LONG - case.number("wall")
            thread = rod(at, (case.floor - 6, case.floor), 3.0, inner=2.6)
            assert case.shell.overlap(thread) > 0.8 * np.pi * (2.25 - 1.69) * 6
            tip = rod(at, (case.floor - deep, case.floor - 6), 2.2)
            assert case.shell.overlap(tip) < NOTHING


# -- what only one kind has -----------------------------------------------------------------------


def test_the_lamp_looks_out_of_the_front_and_its_rim_does_not(pod: Case) -> None:
    at, front = tuple(pod.numbers("lamp")[:2]), pod.number("front")
    assert pod.stands_in(rod((at[0], at[1]), (-5, front), BORES["lamp"])) < NOTHING
    assert pod.stands_in(rod((at[0], at[1]), (front - 1, front), 5.9)) > 3


def test_the_buzzer_sits_in_its_ring_behind_open_holes(pod: Case) -> None:
    x, y = pod.numbers("buzzer")[:2]
    front = pod.number("front")
    buzzer = rod((x, y), (front, front + BUZZER), BORES["buzzer"])
    assert pod.stands_in(buzzer) < NOTHING
    assert pod.stands_in(buzzer.moved(x=1)) > 5
    solid = pod.shell.overlap(rod((x, y), (0, front), 10.0))
    assert solid < 0.75 * np.pi * 25 * front, "seven holes of 2 mm"


def test_lamp_and_buzzer_stand_clear_of_the_screen_and_the_screws(any_pod: Case) -> None:
    half = any_pod.numbers("oled")[0] / 2
    for name, radius in (("lamp", 3), ("buzzer", 7.7)):
        x = abs(any_pod.numbers(name)[0])
        assert half < x - radius
        assert x + radius < any_pod.numbers("inner")[0] / 2 - 3.5


def test_twelve_wires_go_through_the_hole_of_a_wired_seat(wired: Case) -> None:
    """Twelve wires of 1.5 mm lie within 7."""
    edge, z = wired.numbers("inner")[1] / 2, wired.floor - 16
    bundle = Solid(
        ((-3.5, 3.5), (edge - 2, edge + wired.number("wall") + 2), (z - 3.5, z + 3.5)),
        lambda px, py, pz: np.hypot(px, pz - z) <= 3.5,
    )
    assert wired.stands_in(bundle) < NOTHING
