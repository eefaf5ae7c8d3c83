"""What is counted of a race when it comes into the league: by any game, and by its own."""

from __future__ import annotations

from companion.league.game import Measured
from companion.league.games import game_of
from companion.league.replayed import AnyReplayed


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
    return own


def _colors(race: AnyReplayed) -> dict[str, str]:
    """The colors of the cars by their seats, as far as the header names them."""
    seats = race.header.get("seats")
    told = [one for one in seats if one.get("color")] if isinstance(seats, list) else []
    return {f"{one['seat']}": one["color"] for one in told}
