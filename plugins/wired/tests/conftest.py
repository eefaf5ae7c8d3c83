from __future__ import annotations

from support.wires import no_bus_of_this_machine

__all__ = ["no_bus_of_this_machine"]
