"""The lines of an MCP23017 as the Pi's kernel serves them, for gpiozero's mock.

The chip has pull-ups, off at power-up, and the kernel's driver (pinctrl-mcp23s08) has no call to
set them: a request for one is taken and does nothing (raspberrypi/linux #6763). A line without
a resistor of its own floats; here it then reads low, as if it were pressed.
"""

from __future__ import annotations

from gpiozero.pins.mock import MockFactory, MockPin


class ExpanderPin(MockPin):  # type: ignore[misc]  # gpiozero has no types
    """A line that takes a request for a pull-up, and stays as it is."""

    def __init__(self, factory: object, info: object) -> None:
        super().__init__(factory, info)
        self._state = False

    def _set_pull(self, value: str) -> None:
        self._pull = value


class ExpanderFactory(MockFactory):  # type: ignore[misc]  # gpiozero has no types
    """The pins of an expander; its number is nothing to a mock."""

    def __init__(self, chip: int) -> None:
        super().__init__(pin_class=ExpanderPin)
