"""The house switches that rules packs of Formula D set: what a table reads of each.

What of a club's book each of them is stands with the rule in its chapter; here are the words.
"""

from __future__ import annotations

from companion.views.formula.house_masters import OF_MASTERS
from companion.views.lobby.tables import Switch, Value

TRIAL_CORNER = Switch(
    "trial_corner",
    "Trial ends",
    (
        Value("book", "no stop", "A corner of 2 or 3 without a stop ends it."),
        Value("missing", "2 miss", "Two stops missing in a corner end it."),
    ),
    needs="trials",
)
TRIAL_START = Switch(
    "trial_start",
    "Trial start",
    (
        Value("standing", "1st", "A trial begins in 1st."),
        Value("flying", "flying", "A trial begins in any gear."),
    ),
    needs="trials",
)
SOFT_RAIN = Switch(
    "soft_rain",
    "Soft in rain",
    (
        Value("single", "single", "In rain soft tires pay overshoots once."),
        Value("double", "double", "In rain too soft tires pay overshoots double."),
    ),
    needs="tires",
)
LEVEL_ORDER = Switch(
    "level_order",
    "Level cars",
    (
        Value("inside", "inside", "Level, same gear: the inside plays first."),
        Value("arrived", "arrived", "Level, same gear: who came first plays first."),
    ),
)
GRID_DIE = Switch(
    "grid_die",
    "Grid die",
    (
        Value("high", "highest", "The highest roll has pole."),
        Value("low", "lowest", "The lowest roll has pole."),
    ),
)
SPIN_RESTART = Switch(
    "spin_restart",
    "After a spin",
    (
        Value("first", "1st", "After a spin a car starts in 1st."),
        Value("black-die", "die", "After a spin it rolls: 1 stalls, 20 moves 4."),
    ),
)
BLOCK_LAST_TIRES = Switch(
    "block_last_tires",
    "Block at 0",
    (
        Value("nothing", "no spin", "Last tires lost by a block: no spin."),
        Value("spin", "spin", "Last tires lost by a block: it spins."),
    ),
)
WRECKS = Switch(
    "wrecks",
    "Wrecks",
    (
        Value("lifted", "lifted", "Who is out is taken away at once."),
        Value("blocked", "blocked", "Out by a block it stands until its turn."),
        Value("blocked-body", "all", "Out by block or body it stands until its turn."),
    ),
)
CAUSER = Switch(
    "causer",
    "Collision",
    (
        Value("rolls", "rolls", "Who causes it rolls like the others."),
        Value("pays", "pays", "He pays 1 body for each car he puts out."),
    ),
)
WORSE_COLLISION = Switch(
    "worse_collision",
    "Standing",
    (
        Value("off", "as all", "A car that stands hurts on 1, in rain 1–2."),
        Value("on", "worse", "A car that stands hurts on 1–2, in rain 1–3."),
    ),
)
DEBRIS_FROM = Switch(
    "debris_from",
    "Debris",
    (
        Value("every-out", "all out", "Every car that is out leaves debris."),
        Value("damage", "damage", "Only body, engine or a block leave debris."),
    ),
)
DEBRIS_LAID = Switch(
    "debris_laid",
    "Debris lies",
    (
        Value("turn-end", "later", "Debris is laid where the move ends."),
        Value("at-once", "at once", "Debris is laid where the point was lost."),
    ),
)
DEBRIS_LIMIT = Switch(
    "debris_limit",
    "Most debris",
    (
        Value("none", "no limit", "Debris lies wherever it was left."),
        Value("10", "10", "Of 10 spaces of debris the oldest is moved."),
    ),
)
DEBRIS_SWEPT = Switch(
    "debris_swept",
    "Debris goes",
    (
        Value("never", "never", "Debris lies to the end of the race."),
        Value("last-car", "last car", "Debris is gone when the last car crosses it."),
        Value("4-passes", "4 rolls", "Debris is gone after the fourth roll for it."),
    ),
)
BUILD_POINTS = Switch(
    "build_points",
    "Build of",
    (
        Value("20", "20", "A car is built of 20 points."),
        Value("17", "17", "A car is built of 17 points."),
        Value("18", "18", "A car is built of 18 points."),
        Value("22", "22", "A car is built of 22 points."),
        Value("24", "24", "A car is built of 24 points."),
    ),
    needs="build",
)
BUILD_LEAST = Switch(
    "build_least",
    "Each at least",
    (
        Value("1", "1", "Each category has at least 1 point."),
        Value("2", "2", "Each category has at least 2 points."),
    ),
    needs="build",
)
BUILD_MOST = Switch(
    "build_most",
    "Each at most",
    (
        Value("14-7", "14/7", "Tires up to 14, all else up to 7."),
        Value("any", "any", "As many as you like in each category."),
    ),
    needs="build",
)
PIT_ENTRY = Switch(
    "pit_entry",
    "Pit entry",
    (
        Value("any", "any gear", "Into the pit in any gear."),
        Value("4th", "4th", "Into the pit in 4th or lower only."),
        Value("5th-brake", "5th", "Into the pit in 4th; in 5th for 1 brakes."),
    ),
)
PIT_LANE = Switch(
    "pit_lane",
    "Pit lane",
    (
        Value("free", "free", "In the pit lane gears cost nothing."),
        Value("gears", "gears", "Over-revs cost there too; out not in 1st."),
    ),
)
STOP_RESTORES = Switch(
    "stop_restores",
    "A stop gives",
    (
        Value("tires", "tires", "A stop gives all tires back."),
        Value("gearbox", "gearbox", "A stop gives tires and gearbox back."),
        Value("all", "all", "A stop gives all points back."),
    ),
)
FAST_STOP = Switch(
    "fast_stop",
    "Fast stop",
    (
        Value("half", "1–10", "1–10 leaves at once, by half the roll."),
        Value("quarter", "always", "It always leaves, by a quarter of the roll."),
    ),
)
POINTS = Switch(
    "points",
    "Points",
    (
        Value("10-8-6-5", "10 8 6 5", "10, 8, 6, 5, 4, 3, 2, 1 points by place."),
        Value("10-8-6-4", "10 8 6 4", "10, 8, 6, 4, 3, 2, 1 points by place."),
        Value("10-6-4-3", "10 6 4 3", "10, 6, 4, 3, 2, 1 points by place."),
        Value("12-10-8-7", "12 10 8 7", "12, 10, 8, 7, 6, 5, 4, 3, 2, 1 points."),
        Value("25-18-15-12", "25 18 15", "25, 18, 15, 12, 10, 8, 6, 4, 2, 1 points."),
    ),
)
CLASSIFIED = Switch(
    "classified",
    "Classified",
    (
        Value("line", "the line", "Who is out scores nothing."),
        Value("90", "90 %", "Who is out scores from 90 % of the race on."),
        Value("distance", "distance", "Who is out is placed as far as it came, too."),
    ),
)
STOPPED_POINTS = Switch(
    "stopped_points",
    "If stopped",
    (
        Value("full", "full", "A race that is stopped is worth as much."),
        Value("half-75", "half", "Stopped before 75 % it is worth half."),
        Value("half-75-2-laps", "half, 0", "Before 75 % worth half, before 2 laps nothing."),
    ),
)
TURN_CLOCK = Switch(
    "turn_clock",
    "Turn clock",
    (
        Value("none", "none", "A turn takes as long as it takes."),
        Value("20", "20 s", "A turn may take 20 seconds."),
        Value("30", "30 s", "A turn may take 30 seconds."),
        Value("45", "45 s", "A turn may take 45 seconds."),
        Value("60", "60 s", "A turn may take 60 seconds."),
        Value("90", "90 s", "A turn may take 90 seconds."),
        Value("120", "120 s", "A turn may take 120 seconds."),
    ),
)
TURN_LATE = Switch(
    "turn_late",
    "Too late",
    (
        Value("show", "shown", "The clock shows it, and nothing follows."),
        Value("flag", "a flag", "A flag; the third one costs a turn."),
        Value("lost", "a turn", "Who is too slow loses the next turn."),
        Value("warn-out", "warned", "A warning first, then out of the race."),
        Value("bank", "a bank", "It comes off your bank; empty, a turn is lost."),
    ),
)
TIME_BANK = Switch(
    "time_bank",
    "Time bank",
    (
        Value("10", "10 min", "A bank has 10 minutes for the whole race."),
        Value("5", "5 min", "A bank has 5 minutes for the whole race."),
        Value("15", "15 min", "A bank has 15 minutes for the whole race."),
        Value("20", "20 min", "A bank has 20 minutes for the whole race."),
        Value("30", "30 min", "A bank has 30 minutes for the whole race."),
    ),
)
RACE_TIME = Switch(
    "race_time",
    "Race time",
    (
        Value("none", "none", "The race takes as long as it takes."),
        Value("60", "60 min", "After 60 minutes the bell rings."),
        Value("90", "90 min", "After 90 minutes the bell rings."),
        Value("120", "120 min", "After 120 minutes the bell rings."),
        Value("150", "150 min", "After 150 minutes the bell rings."),
        Value("180", "180 min", "After 180 minutes the bell rings."),
    ),
)
TIME_UP = Switch(
    "time_up",
    "The bell",
    (
        Value("last-lap", "last lap", "The leader's lap is then the last."),
        Value("freeze", "the end", "The race is over then, as it stands."),
    ),
)
ERROR_FLAGS = Switch(
    "error_flags",
    "Error flags",
    (
        Value("off", "none", "A mistake is put right, no more."),
        Value("on", "flags", "Three mistakes cost a turn."),
    ),
)

OF_TIME = (TURN_CLOCK, TURN_LATE, TIME_BANK, RACE_TIME, TIME_UP, ERROR_FLAGS)
"""Those of time and flags (`rules/formula/pace.py`), which both editions have."""
OF_PACKS = (
    TRIAL_START,
    TRIAL_CORNER,
    SOFT_RAIN,
    LEVEL_ORDER,
    GRID_DIE,
    SPIN_RESTART,
    BLOCK_LAST_TIRES,
    WRECKS,
    CAUSER,
    WORSE_COLLISION,
    DEBRIS_FROM,
    DEBRIS_LAID,
    DEBRIS_LIMIT,
    DEBRIS_SWEPT,
    BUILD_POINTS,
    BUILD_LEAST,
    BUILD_MOST,
    PIT_ENTRY,
    PIT_LANE,
    STOP_RESTORES,
    FAST_STOP,
    POINTS,
    CLASSIFIED,
    STOPPED_POINTS,
    *OF_MASTERS,
)
"""All of them, in the order in which a table looks through them."""
