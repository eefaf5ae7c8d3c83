"""Who comes in while a race runs: the entry of a header's `seats` that the rules are given."""

from __future__ import annotations

from companion.rules.colors import share_out
from companion.rules.commands import Line
from companion.rules.errors import Illegal
from companion.table.lobby import SEATS, plain_name
from companion.table.ports import JSON
from companion.table.race import Race
from companion.table.refusals import refused


def entry_of(
    race: Race, name: str | None = None, color: str | None = None, seat: int | None = None
) -> Line:
    """This seat, or the next that is free, with this name (None: as a guest) and color (None: any
    left).

    Raises:
        Illegal: there is none, or somebody has that name or color.
        Malformed: the name is none.
    """
    free = [seat for seat in SEATS if seat not in race.seats]
    if not free or (seat is not None and seat not in free):
        raise refused("no-free-seat")
    names = set(race.names.values())
    if name is None:
        name = next(guest for n in SEATS if (guest := f"guest {n}") not in names)
    name = plain_name("name", name)
    if name in names:
        raise refused("name-taken", name=name)
    seats: list[JSON] = race.header["seats"]
    chosen = {one["seat"]: one["color"] for one in seats if one.get("color")}
    if color is not None and color in share_out(race.seats, chosen).values():
        raise Illegal("car-taken", f"the color {color!r} is taken", args={"value": color})
    return {"seat": seat or free[0], "name": name, **({} if color is None else {"color": color})}
