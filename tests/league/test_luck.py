"""A season with its reviews: luck and accuracy, and standings without luck."""

from __future__ import annotations

from companion.league.luck import luck_lines, without_luck
from companion.league.plain import Entry, Race, Season
from companion.league.standings import standings


def entry(seat: int, place: int, status: str = "finished") -> Entry:
    name = "abcd"[seat - 1]
    return Entry(seat=seat, driver=name, name=name, place=place, status=status)  # type: ignore[arg-type]


def car(result: int | None, luck: float, accuracy: float = 90.0) -> dict[str, object]:
    return {
        "start": 30.0,
        "luck": luck,
        "errors": 1.0,
        "traffic": 0.5,
        "result": result,
        "accuracy": accuracy,
    }


RACE = Race(
    id="one",
    name="one",
    date="2026-01-01",
    game="formula-d",
    season="s",
    round=1,
    entries=(entry(1, 1), entry(2, 2), entry(3, 3), entry(4, 4, "out")),
)
REVIEWS = {
    "one": {
        "cars": {
            "1": car(33, -3.0),
            "2": car(34, 1.0, 80.0),
            "3": car(35, -1.5),
            "4": car(None, 9.0),
        }
    }
}


def test_without_luck_whoever_came_home_shares_out_the_same_places() -> None:
    places = {e.driver: e.place for e in without_luck(RACE, REVIEWS).entries}
    assert places == {"b": 1, "a": 2, "c": 3, "d": 4}


def test_a_season_without_luck_gives_as_many_points_as_it_gave() -> None:
    season = Season(key="s", title="S")
    real = standings(season, [RACE])
    lucky = standings(season, [without_luck(RACE, REVIEWS)])
    assert [line.key for line in real] == ["a", "b", "c", "d"]
    assert [line.key for line in lucky] == ["b", "a", "c", "d"]
    assert sum(line.points for line in real) == sum(line.points for line in lucky)


def test_a_race_without_a_review_stays_as_it_is() -> None:
    assert without_luck(RACE, {}) == RACE
    assert without_luck(RACE, {"one": {"none": "a board with secrets"}}) == RACE


def test_luck_counts_cars_that_came_home_and_accuracy_all() -> None:
    lines = {line.driver: line for line in luck_lines([RACE, RACE], REVIEWS)}
    assert lines["a"].luck == -6.0
    assert lines["b"].accuracy == 80.0
    assert (lines["d"].luck, lines["d"].races, lines["d"].accuracy) == (0, 2, 90.0)
    assert list(lines)[-1] == "b", "the least accurate comes last"
