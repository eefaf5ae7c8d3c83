"""A race for BG Stats, an app in which people keep what they have played: a link that holds all
of it, to be scanned from the page of the race. The app shows what it is about to take in.

As its makers describe it: JSON behind `https://app.bgstatsapp.com/createPlay.html?data=`. It knows
games, players and plays again by our ids, so these stay. `winner` stands with every player, since
the app on Android refuses a play without. Rulings: a Formula race is won by the place and has no
score, whatever its season gives for it; the millions of Downforce are one. A player with several
cars stands there once, with the best. Times are those of the table's clock.

The link goes through a server of theirs where the app is not installed: it is made of what
strangers see (`is_link`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

PAGE = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Race companion"
MOST_IN_CODE = 2900
"""Characters of a link; what a QR code can hold is 2953."""
LONGEST_COMMENT = 200
Data = dict[str, object]
Race = Mapping[str, Any]
Car = Mapping[str, Any]


class BgStats:
    """The form."""

    title = "BG Stats"
    about = "a link for BG Stats"
    of = "race"
    suffix = ".txt"
    is_link = True

    def write(self, league: Any, key: str) -> bytes:
        """The link of a race, in a line; without the comment where a QR code could not hold that
        too.

        Raises:
            ValueError: there is no such race.
        """
        for race in league.races([key]):
            play = _play(race)
            link = _link(play)
            short = link if len(link) <= MOST_IN_CODE else _link({**play, "comments": ""})
            return f"{short}\n".encode()
        raise ValueError(f"there is no race {key!r}")


def _link(play: Data) -> str:
    said = {name: value for name, value in play.items() if value not in ("", None)}
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return PAGE + quote(text, safe=",:")


def _play(race: Race) -> Data:
    box, seconds = race["box"], race["seconds"]
    return {
        "sourceName": SOURCE,
        "sourcePlayId": race["race"],
        "playDate": _ended(race),
        "game": {
            "name": box["title"],
            "sourceGameId": race["game"],
            "bggId": box["bgg"],
            "highestWins": box["money"],
            "noPoints": not box["money"],
        },
        "board": race["board"] or race["track"] or "",
        "durationMin": round(seconds / 60) if seconds else None,
        "comments": " · ".join(race["notes"])[:LONGEST_COMMENT],
        "players": list(_players(race)),
    }


def _ended(race: Race) -> str:
    """When it was over, as the app has it; of a race that has a day alone, noon."""
    try:
        began = datetime.fromisoformat(race["date"])
    except ValueError:  # of a record whose header has no date
        return ""
    began += timedelta(hours=12 if "T" not in race["date"] else 0)
    over = began + timedelta(seconds=race["seconds"] or 0)
    return over.strftime("%Y-%m-%d %H:%M:%S")


def _players(race: Race) -> Iterator[Data]:
    told: set[str] = set()
    for car in race["cars"]:
        if car["driver"] not in told and car["status"] != "not-started":
            told.add(car["driver"])
            yield _player(race, car)


def _player(race: Race, car: Car) -> Data:
    player: Data = {
        "name": car["name"],
        "sourcePlayerId": car["id"],
        "rank": car["place"],
        "winner": car["place"] == 1 and car["status"] in ("finished", "running"),
        "startPlayer": car["grid"] == 1,
    }
    if race["box"]["money"] and car["own_points"] is not None:
        player["score"] = car["own_points"]
    return {**player, "role": car["team"]} if car["team"] else player
