"""What the champion sees of others: ends shared by one search, risks to body and handling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from support.advice import STANDARD, alone_on, raced, setup_on

from companion.advice.alone import Alone
from companion.advice.bots.by_room import answer, throw
from companion.advice.bots.solved import (
    Among,
    Champion,
    Racer,
    _is_crowded,
    point_worth,
)
from companion.advice.odds import Winning
from companion.race.boards import TrackLibrary
from companion.rules.board.track import LEVELS_A_SPACE
from companion.rules.board.ways import Arrival
from companion.rules.formula.asks import GearAsk
from companion.rules.formula.book import GEAR_FACES, SLIPSTREAM, Wear
from companion.rules.formula.car import Car, Option, Status
from companion.rules.formula.game import FormulaD
from companion.rules.formula.gears import gear_choices
from companion.rules.formula.ground import OnBoard
from companion.rules.formula.moves import ends_of_move, ways_of_move
from companion.rules.formula.state import Phase, State
from companion.rules.lines import Answer

SEATS = 5


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Alone:
    return alone_on("manege", laps=1, folder=tmp_path_factory.mktemp("solved"))[0]


def moments(champion: Champion, seed: int) -> Iterator[tuple[State, GearAsk]]:
    """Where somebody chooses a gear in a race of champions."""
    game, dice = FormulaD(), Random(seed)
    header = {"game": "formula-d", "laps": 1, "seats": [{"seat": n + 1} for n in range(SEATS)]}
    track = TrackLibrary(()).load("manege")
    state = game.begin(header, track).state
    while asks := game.asks(state):
        ask = asks[0]
        if isinstance(ask, GearAsk) and state.phase is Phase.RACE:
            yield state, ask
        value: object = throw(ask, dice)
        if value is None:
            value = answer(champion, state, ask)
        state = game.decide(state, Answer(ask.seat, ask.kind, value), asks).state


@pytest.mark.slow
def test_one_search_finds_the_ends_of_every_length(alone: Alone) -> None:
    seen = 0
    for state, ask in moments(Champion(alone), 3):
        if state.cars[ask.seat].status is not Status.RACING:
            continue
        ways = ways_of_move(state, ask.seat, GEAR_FACES[6][-1])
        for spaces in range(1, GEAR_FACES[6][-1]):
            shared = ends_of_move(state, ask.seat, spaces, ways)
            assert shared == ends_of_move(state, ask.seat, spaces)
            seen += len(shared)
    assert seen > 1000


def on_board(*cars: Car) -> State:
    setup = setup_on("manege", 1)
    return State(setup, OnBoard(), Phase.RACE, cars={car.seat: car for car in cars}, order=(1, 2))


def test_an_end_beside_somebody_is_worth_less_the_fewer_body_points_there_are(
    alone: Alone,
) -> None:
    track = setup_on("manege", 1).track
    space = track.finish[0]
    to = track.ahead[space]
    beside = track.beside[to][0]
    other = Car(2, "", 2, space=beside, lap=1, gear=2, status=Status.RACING)
    end = Option(Arrival(to, ()), 1)

    def worth(body: int, *others: Car) -> float:
        wear = (6, 3, 3, body, 3, 2)
        car = Car(1, "", 1, space=space, lap=1, gear=2, wear=wear, status=Status.RACING)
        return Among(on_board(car, *others), 1, alone).worth(end, tested=False)

    assert worth(3) == worth(1)
    costs = [worth(body, other) - worth(body) for body in (3, 2, 1)]
    assert 0 < costs[0] < costs[1] < costs[2] < 0.3


def test_the_last_point_is_worth_about_what_going_out_costs() -> None:
    assert point_worth(1, 0.0) == 1
    worths = [point_worth(points, 0.5) for points in (1, 2, 3, 4)]
    assert worths == sorted(worths, reverse=True)
    assert 1 > worths[0] > 0.5
    assert point_worth(2, 0.0) == 0


def rivals(gap: int, wear: Wear = STANDARD, gear: int = 2) -> State:
    """A car 27 spaces into the lap of Le Manège, and one that is so many spaces ahead of it."""
    track, road = setup_on("manege", 1).track, [setup_on("manege", 1).track.finish[0]]
    while len(road) < 50:
        road.append(track.ahead[road[-1]])
    car = Car(1, "", 1, space=road[27], lap=1, gear=gear, wear=wear, status=Status.RACING)
    other = Car(2, "", 2, space=road[27 + gap], lap=1, gear=gear, wear=wear, status=Status.RACING)
    state = on_board(car, other)
    return replace(state, order=(2, 1) if gap > 0 else (1, 2))


@pytest.mark.parametrize("wear", [(1, 2, 2, 4, 4, 2), (1, 2, 2, 1, 4, 3)])
def test_who_is_behind_dares_what_who_leads_does_not(alone: Alone, wear: Wear) -> None:
    choices = gear_choices(rivals(10, wear).cars[1], in_box=False)

    def gear(gap: int) -> int:
        return Champion(alone).gear(rivals(gap, wear), 1, choices)

    assert (gear(-10), gear(10)) == (2, 3)
    prices = Racer(alone).gear_prices(rivals(10, wear), 1, choices)
    assert prices[1] < prices[2], "on the mean the lower gear is the better one"


def test_going_out_costs_a_car_the_more_the_further_it_leads(alone: Alone) -> None:
    stakes, chances = [], []
    for gap in (-4, -12, -20):
        hopes = Winning.of(alone, rivals(gap), 1)
        assert hopes is not None
        stakes.append(hopes.stake(4.0))
        chances.append(hopes(4.0))
        told = [hopes(0.1 * turns) for turns in range(100)]
        assert told == sorted(told, reverse=True), "a turn more is never better"
    assert chances == sorted(chances)
    assert stakes == sorted(stakes)


def test_nothing_is_to_be_won_where_nobody_races_or_somebody_is_home(alone: Alone) -> None:
    state = rivals(10)
    other = state.cars[2]
    assert Winning.of(alone, replace(state, cars={1: state.cars[1]}), 1) is None
    for status in (Status.FINISHED, Status.OUT):
        gone = replace(other, status=status, space=None, place=1)
        assert Winning.of(alone, replace(state, cars={1: state.cars[1], 2: gone}), 1) is None


def test_alone_on_the_board_a_champion_drives_as_a_racer(alone: Alone) -> None:
    header = {"track": "manege", "laps": 1, "start": "normal"}
    one = raced({1: Champion(alone)}, Random(4), **header)
    other = raced({1: Racer(alone)}, Random(4), **header)
    assert one[1:] == other[1:]


def test_a_champion_answers_the_same_whatever_it_was_asked_before(alone: Alone) -> None:
    old = Champion(alone)
    asked = [(old.gear(state, ask.seat, ask.choices), state, ask) for state, ask in moments(old, 5)]
    assert len(asked) > 40
    for gear, state, ask in reversed(asked):
        assert Champion(alone).gear(state, ask.seat, ask.choices) == gear


def test_whoever_is_within_a_roll_and_a_slipstream_counts_as_near() -> None:
    track = setup_on("manege", 1).track
    ahead = [track.finish[0]]
    while len(ahead) < 34:
        ahead.append(track.ahead[ahead[-1]])
    car = Car(1, "", 1, space=ahead[0], lap=1, gear=6, status=Status.RACING)
    reach = GEAR_FACES[6][-1] + SLIPSTREAM + 1

    def near(spaces: int) -> bool:
        other = Car(2, "", 2, space=other_at[spaces], lap=1, gear=2, status=Status.RACING)
        return _is_crowded(on_board(car, other), car, 6)

    level = [(track.level[space] - track.level[ahead[0]]) % track.lap_levels for space in ahead]
    other_at = {gap // LEVELS_A_SPACE: space for gap, space in zip(level, ahead, strict=True)}
    assert all(near(spaces) for spaces in other_at if 0 < spaces <= reach)
    assert not all(near(spaces) for spaces in other_at) or max(other_at) <= reach
