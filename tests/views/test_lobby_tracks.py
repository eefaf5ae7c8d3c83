"""Choosing a board on a seat: all that ship can be reached, and each is told in full."""

from __future__ import annotations

import pytest

from companion.race.boards import TrackLibrary
from companion.views.dialog import choices, press, show
from companion.views.model import Lobby, Scene, SeatInfo, SetUp
from companion.views.screen import HOME, Dialog
from companion.views.words import LINE_COLUMNS

SHIPPED = tuple(name for name in TrackLibrary(()).names() if not name.endswith(".toml"))


def scene_with(tracks: tuple[str, ...]) -> Scene:
    titles = {name: TrackLibrary(()).title(name) for name in tracks}
    lobby = Lobby(seats=(1,), joined={1: "Ana"}, tracks=tracks, titles=titles)
    return Scene(version=0, seats=(SeatInfo(1, "Ana", host=True),), lobby=lobby)


def pages(scene: Scene) -> list[tuple[Dialog, dict[str, int]]]:
    """Every page of the list from its first to its first again, with the button of each board."""
    dialog, found = press(scene, 1, HOME, 2, False)[0], []
    while dialog not in [seen for seen, _ in found]:
        row = choices(scene, 1, dialog)
        buttons = {
            choice.does[0].value: button
            for button, choice in enumerate(row, 1)
            if choice and choice.does and isinstance(choice.does[0], SetUp)
        }
        found.append((dialog, buttons))
        dialog = press(scene, 1, dialog, 5, False)[0]
    return found


def test_every_board_has_a_button_on_exactly_one_page() -> None:
    reached = [track for _, buttons in pages(scene_with(SHIPPED)) for track in buttons]
    assert tuple(reached) == SHIPPED
    assert len(reached) >= 16


def test_the_lines_of_a_page_tell_its_boards_in_full() -> None:
    scene = scene_with(SHIPPED)
    for dialog, buttons in pages(scene):
        lines = show(scene, 1, dialog).lines
        titles = [TrackLibrary(()).title(name).partition(" (")[0] for name in buttons]
        assert " ".join(lines).replace("- ", "-") == ", ".join(titles)
        assert max(map(len, lines)) <= LINE_COLUMNS


@pytest.mark.parametrize("track", ["spa", "magny-cours"])
def test_the_button_of_a_board_chooses_it(track: str) -> None:
    scene = scene_with(SHIPPED)
    dialog, button = next((d, b[track]) for d, b in pages(scene) if track in b)
    assert press(scene, 1, dialog, button, False)[1] == (SetUp("track", track),)


def test_the_title_found_in_a_file_is_the_name_of_the_board() -> None:
    library = TrackLibrary(())
    for name in SHIPPED:
        assert library.title(name) == library.load(name).name
    assert library.title("san-marino") == "San Marino (Imola)"
    assert library.title("nowhere") == "nowhere"


def test_the_lobby_tells_the_title_of_the_track() -> None:
    lobby = Lobby(seats=(1,), joined={1: "Ana"}, track="spa", titles={"spa": "Spa-Francorchamps"})
    scene = Scene(version=0, seats=(SeatInfo(1, "Ana"),), lobby=lobby)
    assert show(scene, 1).lines[0].startswith("Spa-Franc")
