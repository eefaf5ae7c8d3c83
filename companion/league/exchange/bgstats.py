"""A race for BG Stats, an app in which people keep what they have played: a link that holds all
of it, to be scanned from the page of the race. The app shows what it is about to take in.

As its makers describe it: JSON behind `https://app.bgstatsapp.com/createPlay.html?data=`. It knows
games, players and plays again by our ids, so these stay. `winner` stands with every player, since
the app on Android refuses a play without. Rulings: a Formula race is won by the place and has no
score, whatever its season gives for it; the millions of Downforce are one. A player with several
cars stands there once, with the best. Times are those of the table's clock.

The link goes through a server of theirs where the app is not installed: it is made of what
strangers see (`Form.is_public`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from urllib.parse import quote

from companion.league.errors import ascii_person
from companion.league.exchange.registry import Sheet, race_sheet
from companion.league.games import game_of
from companion.league.plain import Race
from companion.league.results import Score
from companion.league.view import View

PAGE = "https://app.bgstatsapp.com/createPlay.html?data="
SOURCE = "Race companion"
MOST_IN_CODE = 2900
"""Characters of a link; what a QR code can hold is 2953."""
LONGEST_COMMENT = 200
Data = dict[str, object]


def write(queries: View, key: str) -> bytes:
    """The link, in a line.

    Raises:
        BadAct: there is no such race.
    """
    sheet = race_sheet(queries, key)
    (race,) = sheet.races
    return f"{link_of(sheet, race)}\n".encode()


def link_of(sheet: Sheet, race: Race) -> str:
    """The link of a race; without the comment where a QR code could not hold that too."""
    play = _play(sheet, race)
    link = _link(play)
    return link if len(link) <= MOST_IN_CODE else _link({**play, "comments": ""})


def _link(play: Data) -> str:
    said = {name: value for name, value in play.items() if value not in ("", None)}
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
    return PAGE + quote(text, safe=",:")


def _play(sheet: Sheet, race: Race) -> Data:
    game = game_of(race.game)
    comment = " · ".join(note.text for note in race.notes)
    seconds = race.numbers.get("seconds")
    return {
        "sourceName": SOURCE,
        "sourcePlayId": race.id,
        "playDate": _ended(race),
        "game": {
            "name": game.title,
            "sourceGameId": race.game,
            "bggId": game.bgg_id,
            "highestWins": game.has_money,
            "noPoints": not game.has_money,
        },
        "board": race.board or race.track or "",
        "durationMin": round(seconds / 60) if seconds else None,
        "comments": comment[:LONGEST_COMMENT],
        "players": list(_players(sheet, race)),
    }


def _ended(race: Race) -> str:
    """When it was over, as the app has it; of a race that has a day alone, noon."""
    try:
        began = datetime.fromisoformat(race.date)
    except ValueError:  # of a record whose header has no date
        return ""
    began += timedelta(hours=12 if "T" not in race.date else 0)
    over = began + timedelta(seconds=race.numbers.get("seconds") or 0)
    return over.strftime("%Y-%m-%d %H:%M:%S")


def _players(sheet: Sheet, race: Race) -> Iterator[Data]:
    told: set[str] = set()
    for score in sheet.scores(race):
        if score.entry.driver not in told and score.status != "not-started":
            told.add(score.entry.driver)
            yield _player(sheet, race, score)


def _player(sheet: Sheet, race: Race, score: Score) -> Data:
    entry = score.entry
    player: Data = {
        "name": sheet.name(entry),
        "sourcePlayerId": ascii_person(entry.driver),
        "rank": score.place,
        "winner": score.place == 1 and score.is_classified,
        "startPlayer": entry.grid == 1,
    }
    if game_of(race.game).has_money and entry.points is not None:
        player["score"] = entry.points
    team = sheet.team(race, entry)
    return {**player, "role": team} if team else player
