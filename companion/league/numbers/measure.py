"""What is counted of a race when it comes into the league: by any game, and by its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.league.game import Measured
from companion.league.games import game_of
from companion.league.plain import CarNumbers
from companion.league.replayed import AnyReplayed
from companion.times import Wait


def measure(race: AnyReplayed) -> Measured:
    """The numbers of a race and of its cars."""
    game = game_of(race.game)
    own = game.measure(race)
    times = [move.at for move in race.moves if move.at is not None]
    own.race["seats"] = {f"{seat}": name for seat, name in game.names(race).items()}
    own.race["colors"] = _colors(race)
    own.race["answers"] = len(race.moves) - 1
    own.race["taken_back"] = race.taken_back
    own.race["seconds"] = round(times[-1] - times[0], 1) if times else None
    return replace(own, cars=_with_waits(own.cars, race.waits))


def _with_waits(
    cars: Mapping[int, CarNumbers], waits: Mapping[int, Wait]
) -> Mapping[int, CarNumbers]:
    """The numbers of the cars with who waited for whom; a race without a moment of it has none."""
    told = waits if any(one.kept_s for one in waits.values()) else {}
    more: dict[int, CarNumbers] = {
        seat: {"kept_waiting": round(one.kept_s, 1), "waited": round(one.waited_s, 1)}
        for seat, one in told.items()
    }
    return {seat: {**cars.get(seat, {}), **more.get(seat, {})} for seat in {**cars, **more}}


def _colors(race: AnyReplayed) -> dict[str, str]:
    """The colors of the cars by their seats, as far as the header names them."""
    seats = race.header.get("seats")
    told = [one for one in seats if one.get("color")] if isinstance(seats, list) else []
    return {f"{one['seat']}": one["color"] for one in told}
