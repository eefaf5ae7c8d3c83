"""What a header settles for the whole race: board, laps, optional rules, house switches.

`header` reads it and refuses what contradicts itself; here is what follows from it.
"""

from __future__ import annotations

from companion.frozen import dataclass
from companion.rules.board.track import Track
from companion.rules.formula import tables
from companion.rules.formula.edition import Edition
from companion.rules.formula.edition_d import FORMULA_D
from companion.rules.formula.wear import Wear


@dataclass(frozen=True)
class Setup:
    """What a header settles for the whole race.

    `builds` and `fits` are the seats whose wear and tires the header leaves to be asked for;
    `corner_ways` to `error_flags` are house switches (docs/engine.md). `pack` is the name of
    the rules pack that the header came with, for people; "": none.
    """

    track: Track
    laps: int = tables.DEFAULT_LAPS
    start_rolls: bool = True
    rules: frozenset[str] = frozenset()
    corner_ways: str = "any"
    soft_second_lap: str = "double"
    repair_lifts: str = "yes"
    spin_grace: str = "while-at-0"
    late_block: bool = False
    slipstream_chain: str = "any"
    trial_start: str = "standing"
    trial_corner: str = "book"
    soft_rain: str = "single"
    level_order: str = "inside"
    grid_die: str = "high"
    spin_restart: str = "first"
    block_last_tires: str = "nothing"
    wrecks: str = "lifted"
    causer: str = "rolls"
    worse_collision: bool = False
    debris_from: str = "every-out"
    debris_laid: str = "turn-end"
    debris_limit: str = "none"
    debris_swept: str = "never"
    build_points: str = str(tables.BUILD_POINTS)
    build_least: str = "1"
    build_most: str = "14-7"
    pit_entry: str = "any"
    pit_lane: str = "free"
    stop_restores: str = "tires"
    fast_stop: str = "half"
    points: str = "10-8-6-5"
    classified: str = "line"
    stopped_points: str = "full"
    weather_machine: str = "rows"
    weather_test: str = "move"
    variable_start: str = "dry"
    slide: str = "whole-move"
    spin_level: str = "old"
    trial_ties: str = "die"
    block_end: str = "choice"
    block_contact: str = "nobody"
    long_stop: str = "repairs"
    pit_gear: str = "any"
    pool_on_car: str = "no"
    boxes: str = "seats"
    blown_engine: str = "lifted"
    coast_home: str = "never"
    lapped: str = "round"
    black_flag: bool = False
    red_flag: bool = False
    trial_error: str = "0"
    second_roll: str = "none"
    mandatory_tires: str = "any"
    wing: str = "none"
    extra_move: str = "none"
    turn_clock: str = "none"
    turn_late: str = "show"
    time_bank: str = "10"
    race_time: str = "none"
    time_up: str = "last-lap"
    error_flags: bool = False
    builds: tuple[int, ...] = ()
    fits: tuple[int, ...] = ()
    edition: Edition = FORMULA_D
    pack: str = ""

    @property
    def boardless(self) -> bool:
        """Whether nobody knows where the cars stand: no board, or only the card of one."""
        return self.track.is_blank

    @property
    def standard_wear(self) -> tuple[int, ...]:
        """What a car of this race has of which nothing is said (FD-CAR-1)."""
        return self.edition.standard_wear(self.laps, self.rules)

    @property
    def most_on_car(self) -> int:
        """How many WP of the pit a constructed car may have on it (house switch `pool_on_car`)."""
        pools = self.rules & self.edition.pool_rules
        return tables.POOL if self.pool_on_car == "yes" and pools else 0

    def on_car(self, wear: Wear) -> int:
        """How many WP of the pit a car of this wear has on it."""
        built = self.most_on_car and self.edition.build_rule in self.rules
        return max(0, sum(wear) - int(self.build_points)) if built else 0

    @property
    def build_limits(self) -> tuple[tuple[int, int], ...]:
        """The bounds of each category of a constructed car (FD-BUILD-1, DE-CAR-1).

        House switches `build_least`, and `build_most` with "any": all that the others leave, with
        `pool_on_car` what would lie in the pit too.
        """
        bounds, least = self.edition.build_limits, int(self.build_least)
        if self.edition.build_rule not in self.rules:
            return bounds
        all_but = int(self.build_points) + self.most_on_car - least * (len(bounds) - 1)
        lows = [max(low, least) for low, _ in bounds]
        highs = [all_but if self.build_most == "any" else high for _, high in bounds]
        return tuple(zip(lows, highs, strict=True))
