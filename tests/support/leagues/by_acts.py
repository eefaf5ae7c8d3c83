"""The table of a season worked out of its acts alone, as a keeper would with pencil and paper: it
knows nothing of the league's records, and counts in whole fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

JSON = dict[str, Any]
HOME = ("finished", "running")


class PencilAndPaper:
    """A season by its acts; `season` is its key."""

    def __init__(self, acts: Iterable[JSON], season: str) -> None:
        own = list(acts)
        self.about: JSON = {"points": "10,8,6,5,4,3,2,1", "drops": 0}
        self.races: dict[str, JSON] = {}
        self.rounds: dict[str, JSON] = {}
        self.entries: dict[str, JSON] = {}
        self.penalties: list[JSON] = []
        self.teams: dict[tuple[str, int], str | None] = {}
        self.for_whom: dict[tuple[int, str], str] = {}
        for act in own:
            self._note(act)
        self.home = {race: self._result(race) for race in self.rounds}

    def _note(self, act: JSON) -> None:
        kind = act["act"]
        if kind == "season":
            self.about |= act
        elif kind == "race":
            self.races[act["race"]] = act
        elif kind == "round":
            self.rounds[act["race"]] = act
        elif kind == "enter":
            self.entries[act["driver"]] = {**self.entries.get(act["driver"], {}), **act}
            if "team" in act:
                self.teams[act["driver"], 1] = act["team"]
        elif kind == "team":
            self.teams[act["driver"], act.get("since", 1)] = act["team"]
        elif kind == "stand-in":
            self.for_whom[act["round"], act["driver"]] = act["absent"]
        elif kind == "penalty":
            self.penalties.append(act)

    def _result(self, race: str) -> list[tuple[str, str, JSON]]:
        """Who came in which order, with how it ended, places and disqualifications in it."""
        cars = []
        for number, car in enumerate(self.races[race]["entries"], 1):
            own = [
                p for p in self.penalties if (p.get("race"), p.get("driver")) == (race, car["name"])
            ]
            status = car.get("status", "finished")
            group = 0 if status in HOME else 2 if status == "not-started" else 1
            if any("disqualified" in p for p in own):
                group, status = 3, "disqualified"
            lost = sum(p.get("places", 0) for p in own) if group == 0 else 0
            cars.append((group, number + lost + Fraction(bool(lost), 2), number, car, status))
        cars.sort(key=lambda one: one[:3])
        return [(car["name"], status, car) for _, _, _, car, status in cars]

    def _worth(self, race: str, place: int, status: str) -> Fraction:
        if status not in HOME:
            return Fraction(0)
        table = self.rounds[race].get("points") or self.about["points"]
        points = [Fraction(text) for text in table.split(",")]
        worth = points[place - 1] if place <= len(points) else Fraction(0)
        return worth * Fraction(str(self.rounds[race].get("factor", 1)))

    def team(self, driver: str, number: int) -> str | None:
        driver = self.for_whom.get((number, driver), driver)
        said = [(since, team) for (who, since), team in self.teams.items() if who == driver]
        held = [team for since, team in sorted(said, key=lambda one: one[0]) if since <= number]
        return held[-1] if held else None

    def scores(self) -> list[tuple[str, str, int, Fraction, int, str]]:
        """Scorer, who drove, round, points, place, status; a line a car."""
        found = []
        for race, result in self.home.items():
            number = self.rounds[race]["round"]
            for place, (driver, status, _) in enumerate(result, 1):
                joker = self.entries.get(driver, {}).get("role") == "joker"
                scorer = self.for_whom.get((number, driver), driver) if joker else driver
                worth = self._worth(race, place, status)
                found.append((scorer, driver, number, worth, place, status))
        return found

    def _taken(self, word: str, who: str) -> Fraction:
        own = [p for p in self.penalties if p.get(word) == who]
        return sum(
            (Fraction(str(p.get("points", 0))) - Fraction(str(p.get("bonus", 0))) for p in own),
            Fraction(0),
        )

    def drivers(self) -> list[tuple[str, Fraction]]:
        """The drivers and their points, best first; equal points by countback, then by name."""
        cars = self.scores()
        everybody = {one[0] for one in cars}
        everybody |= {n for n, e in self.entries.items() if e.get("role", "regular") == "regular"}
        held = {one[2] for one in cars}
        lines = []
        for who in everybody:
            own = [one for one in cars if one[0] == who]
            lines.append((self._net(own, held) - self._taken("driver", who), _places(own), who))
        lines.sort(key=lambda one: one[2])
        lines.sort(key=lambda one: (one[0], one[1]), reverse=True)
        return [(who, points) for points, _, who in lines]

    def _net(self, own: Sequence[Any], held: set[int]) -> Fraction:
        """The points of the rounds that count: the worst go, those that were missed first."""
        by_round = {number: [one for one in own if one[2] == number] for number in held}
        worth = {number: sum(one[3] for one in cars) for number, cars in by_round.items()}
        kept = [n for n in held if any(one[5] == "disqualified" for one in by_round[n])]
        free = sorted((worth[n] for n in held if n not in kept), key=float)
        gone = min(self.about.get("drops", 0), max(len(held) - 1, 0))
        return sum(free[gone:], Fraction(0)) + sum((worth[n] for n in kept), Fraction(0))

    def in_teams(self) -> dict[str, Fraction]:
        """The points of each team."""
        found: dict[str, Fraction] = {}
        for _, driver, number, worth, _, _ in self.scores():
            team = self.team(driver, number)
            if team is not None:
                found[team] = found.get(team, Fraction(0)) + worth
        return {team: points - self._taken("team", team) for team, points in found.items()}


def _places(own: Iterable[Any]) -> tuple[int, ...]:
    home = [one[4] for one in own if one[5] in HOME]
    return tuple(home.count(place) for place in range(1, max(home, default=0) + 1))
