"""The model of a screen: addressing as the data sheets tell it."""

from __future__ import annotations

from random import Random

from companion.drawing.bitmap import SIZE
from race_companion_wired.oled import Oled

START = bytes([0x00, 0x8D, 0x14, 0xA1, 0xC8, 0xAF])


def started(controller: str = "SSD1306") -> Oled:
    oled = Oled(controller, Random(1))
    oled.write(START)
    oled.memory[:] = bytes(len(oled.memory))
    return oled


def test_horizontal_mode_wraps_within_its_window() -> None:
    oled = started()
    oled.write(bytes([0x00, 0x20, 0x00, 0x21, 10, 12, 0x22, 2, 3]))
    oled.write(bytes([0x40, 1, 2, 3, 4, 5, 6, 7]))
    assert oled.memory[2 * 128 + 10 : 2 * 128 + 13] == bytes([7, 2, 3])
    assert oled.memory[3 * 128 + 10 : 3 * 128 + 13] == bytes([4, 5, 6])
    assert sum(map(bool, oled.memory)) == 6


def test_vertical_mode_goes_down_its_window_first() -> None:
    oled = started()
    oled.write(
        bytes(
            [
                0x00,
                0x20,
                0x01,
                0x21,
                10,
                11,
                0x22,
                2,
                3,
            ]
        )
    )
    oled.write(bytes([0x40, 1, 2, 3]))
    assert [oled.memory[page * 128 + x] for page, x in ((2, 10), (3, 10), (2, 11))] == [1, 2, 3]


def test_page_mode_begins_its_page_again_and_an_sh1106_stops() -> None:
    for controller, first in (("SSD1306", 2), ("SH1106", 0)):
        oled = started(controller)
        oled.write(bytes([0x00, 0xB1, 0x0F & oled.columns - 1, 0x10 | (oled.columns - 1) >> 4]))
        oled.write(bytes([0x40, 1, 2]))
        assert oled.memory[oled.columns] == first


def test_a_screen_is_dark_without_its_charge_pump_or_while_off() -> None:
    for missing in (0x8D, 0xAF):
        oled = Oled("SSD1306", Random(1))
        oled.write(bytes(byte for byte in START if byte != missing))
        assert oled.picture() == bytes(SIZE)


def test_a_screen_that_is_not_remapped_shows_the_picture_turned() -> None:
    oled = started()
    oled.memory[0] = 0x01
    assert oled.picture()[0] == 0x01
    oled.write(bytes([0x00, 0xA0, 0xC0]))
    assert oled.picture()[7 * 128 + 127] == 0x80


def test_a_command_may_be_split_over_transfers_and_control_bytes() -> None:
    oled = started()
    oled.write(bytes([0x80, 0x81]))
    oled.write(bytes([0x00, 0x33]))
    assert oled.contrast == 0x33
    oled.write(bytes([0x80, 0xB4, 0x80, 0x05, 0x80, 0x10, 0x40, 0xAA, 0xBB]))
    assert oled.memory[4 * 128 + 5 : 4 * 128 + 7] == bytes([0xAA, 0xBB])


def test_inverted_and_all_on_show_as_such() -> None:
    oled = started()
    oled.memory[3] = 0x0F
    oled.write(bytes([0x00, 0xA7]))
    assert oled.picture()[3] == 0xF0
    oled.write(bytes([0x00, 0xA6, 0xA5]))
    assert oled.picture() == b"\xff" * SIZE
