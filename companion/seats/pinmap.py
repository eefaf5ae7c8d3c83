"""The pin map: made from hardware/seat.toml by tools/pinmap.py; change that and run it again."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from companion.seats.wiring import Expander, Layout, Line, ScreenPlace, WiredSeat

LAYOUTS: Mapping[str, Layout] = MappingProxyType(
    {
        "pair": Layout(
            "pair",
            "One or two seats on the header, without a multiplexer: two screens, two addresses.",
            seats={
                1: WiredSeat(
                    1,
                    (
                        Line("GPIO", 4),
                        Line("GPIO", 17),
                        Line("GPIO", 27),
                        Line("GPIO", 22),
                        Line("GPIO", 23),
                        Line("GPIO", 24),
                    ),
                    ScreenPlace(1, 0x3C, "SSD1306"),
                ),
                2: WiredSeat(
                    2,
                    (
                        Line("GPIO", 5),
                        Line("GPIO", 6),
                        Line("GPIO", 12),
                        Line("GPIO", 13),
                        Line("GPIO", 16),
                        Line("GPIO", 19),
                    ),
                    ScreenPlace(1, 0x3D, "SSD1306"),
                ),
            },
            expanders={},
            config=(
                "dtparam=i2c_arm=on",
                "dtparam=i2c_arm_baudrate=400000",
            ),
        ),
        "header": Layout(
            "header",
            "Up to four seats on the header; every line that it has is a button.",
            seats={
                1: WiredSeat(
                    1,
                    (
                        Line("GPIO", 4),
                        Line("GPIO", 17),
                        Line("GPIO", 27),
                        Line("GPIO", 22),
                        Line("GPIO", 23),
                        Line("GPIO", 24),
                    ),
                    ScreenPlace(20, 0x3C, "SSD1306"),
                ),
                2: WiredSeat(
                    2,
                    (
                        Line("GPIO", 5),
                        Line("GPIO", 6),
                        Line("GPIO", 12),
                        Line("GPIO", 13),
                        Line("GPIO", 16),
                        Line("GPIO", 19),
                    ),
                    ScreenPlace(21, 0x3C, "SSD1306"),
                ),
                3: WiredSeat(
                    3,
                    (
                        Line("GPIO", 18),
                        Line("GPIO", 25),
                        Line("GPIO", 8),
                        Line("GPIO", 20),
                        Line("GPIO", 21),
                        Line("GPIO", 26),
                    ),
                    ScreenPlace(22, 0x3C, "SSD1306"),
                ),
                4: WiredSeat(
                    4,
                    (
                        Line("GPIO", 7),
                        Line("GPIO", 9),
                        Line("GPIO", 10),
                        Line("GPIO", 11),
                        Line("GPIO", 14),
                        Line("GPIO", 15),
                    ),
                    ScreenPlace(23, 0x3C, "SSD1306"),
                ),
            },
            expanders={},
            config=(
                "dtparam=i2c_arm=on",
                "dtparam=i2c_arm_baudrate=400000",
                "dtparam=spi=off",
                "enable_uart=0",
                "dtoverlay=i2c-mux,pca9548,addr=0x70,base=20",
            ),
        ),
        "expanded": Layout(
            "expanded",
            "Up to ten seats: three on the header, two on each expander.",
            seats={
                1: WiredSeat(
                    1,
                    (
                        Line("GPIO", 4),
                        Line("GPIO", 17),
                        Line("GPIO", 27),
                        Line("GPIO", 22),
                        Line("GPIO", 23),
                        Line("GPIO", 24),
                    ),
                    ScreenPlace(20, 0x3C, "SSD1306"),
                ),
                2: WiredSeat(
                    2,
                    (
                        Line("GPIO", 5),
                        Line("GPIO", 6),
                        Line("GPIO", 12),
                        Line("GPIO", 13),
                        Line("GPIO", 16),
                        Line("GPIO", 19),
                    ),
                    ScreenPlace(21, 0x3C, "SSD1306"),
                ),
                3: WiredSeat(
                    3,
                    (
                        Line("GPIO", 18),
                        Line("GPIO", 25),
                        Line("GPIO", 8),
                        Line("GPIO", 20),
                        Line("GPIO", 21),
                        Line("GPIO", 26),
                    ),
                    ScreenPlace(22, 0x3C, "SSD1306"),
                ),
                4: WiredSeat(
                    4,
                    (
                        Line("X1", 0),
                        Line("X1", 1),
                        Line("X1", 2),
                        Line("X1", 3),
                        Line("X1", 4),
                        Line("X1", 5),
                    ),
                    ScreenPlace(23, 0x3C, "SSD1306"),
                ),
                5: WiredSeat(
                    5,
                    (
                        Line("X1", 8),
                        Line("X1", 9),
                        Line("X1", 10),
                        Line("X1", 11),
                        Line("X1", 12),
                        Line("X1", 13),
                    ),
                    ScreenPlace(24, 0x3C, "SSD1306"),
                ),
                6: WiredSeat(
                    6,
                    (
                        Line("X2", 0),
                        Line("X2", 1),
                        Line("X2", 2),
                        Line("X2", 3),
                        Line("X2", 4),
                        Line("X2", 5),
                    ),
                    ScreenPlace(25, 0x3C, "SSD1306"),
                ),
                7: WiredSeat(
                    7,
                    (
                        Line("X2", 8),
                        Line("X2", 9),
                        Line("X2", 10),
                        Line("X2", 11),
                        Line("X2", 12),
                        Line("X2", 13),
                    ),
                    ScreenPlace(26, 0x3C, "SSD1306"),
                ),
                8: WiredSeat(
                    8,
                    (
                        Line("X3", 0),
                        Line("X3", 1),
                        Line("X3", 2),
                        Line("X3", 3),
                        Line("X3", 4),
                        Line("X3", 5),
                    ),
                    ScreenPlace(27, 0x3C, "SSD1306"),
                ),
                9: WiredSeat(
                    9,
                    (
                        Line("X3", 8),
                        Line("X3", 9),
                        Line("X3", 10),
                        Line("X3", 11),
                        Line("X3", 12),
                        Line("X3", 13),
                    ),
                    ScreenPlace(20, 0x3D, "SSD1306"),
                ),
                10: WiredSeat(
                    10,
                    (
                        Line("X4", 0),
                        Line("X4", 1),
                        Line("X4", 2),
                        Line("X4", 3),
                        Line("X4", 4),
                        Line("X4", 5),
                    ),
                    ScreenPlace(21, 0x3D, "SSD1306"),
                ),
            },
            expanders={
                "X1": Expander("X1", 1, 0x20, 7),
                "X2": Expander("X2", 1, 0x21, 9),
                "X3": Expander("X3", 1, 0x22, 10),
                "X4": Expander("X4", 1, 0x23, 11),
            },
            config=(
                "dtparam=i2c_arm=on",
                "dtparam=i2c_arm_baudrate=400000",
                "dtparam=spi=off",
                "dtoverlay=i2c-mux,pca9548,addr=0x70,base=20",
                "dtoverlay=mcp23017,addr=0x20,gpiopin=7",
                "dtoverlay=mcp23017,addr=0x21,gpiopin=9",
                "dtoverlay=mcp23017,addr=0x22,gpiopin=10",
                "dtoverlay=mcp23017,addr=0x23,gpiopin=11",
            ),
        ),
    }
)
"""Ways to wire a table, by name."""
