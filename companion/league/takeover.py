"""Takes over the league of an older version: `companion league takeover`.

Such a league has its acts in `league/acts.jsonl`, its records in `records`, and the names of its
people apart in `league/people`, so that what is written carries a key `~K.S` where a name stands.
Where a club had several hosts these files lie in tables of its PostgreSQL. All of it stays where it
is; the records go before the acts, as they did whenever such a league was made again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from companion.league.acts import TakeRecord, format_act
from companion.league.database import Ask, Sqlite, database_of
from companion.league.errors import BadRecord, LeagueError, LeagueFolder
from companion.league.finished import Measure, examine
from companion.league.keeping import FIRST, Kept, digest_of, insert, put_record

MARK: Final = re.compile(r"~([0-9a-f]{12})\.[0-9a-f]{6}")
OWN_KEYS: Final = ("n", "at", "by", "said")
BY: Final = "companion"
Files = dict[str, bytes]
"""The files of such a league by their names."""


def take_over(folder: LeagueFolder, url: str | None, *, measure: Measure) -> tuple[int, int]:
    """Take over what a folder has, or the tables of a database; how many records and acts.

    Raises:
        LeagueError: there is no such league, or there is one of today already.
    """
    database = Sqlite(folder.database) if url is None else database_of(url)
    with database:
        database.make()
        with database.writing() as ask:
            if ask.about("secret") is not None:
                raise LeagueError(f"{database.place} has a league of this version already")
            files = _files_of(folder) or (_files_in(ask) if url is not None else {})
            if not files:
                raise LeagueError(f"{folder.data} has no league of an older version")
            return _fill(ask, files, measure)


def _files_of(folder: LeagueFolder) -> Files:
    if not folder.old_acts.exists():
        return {}
    paths = [folder.old_acts, *(folder.acts / "people").glob("*"), *folder.records.glob("*.jsonl")]
    return {str(one.relative_to(folder.data)): one.read_bytes() for one in sorted(paths)}


def _files_in(ask: Ask) -> Files:
    if ask.one("SELECT to_regclass('kept_pieces')") is None:
        return {}
    found: Files = {}
    for name, content in ask("SELECT name, content FROM kept_pieces ORDER BY name, start"):
        found[name] = found.get(name, b"") + bytes(content)
    return found


def _fill(ask: Ask, files: Files, measure: Measure) -> tuple[int, int]:
    named = _unveiler(files)
    gone = [one["person"] for one in _lines(files.get("league/people/forgotten.jsonl", b""))]
    ask.put("secret", files.get("league/people/secret", b"").decode().strip())
    ask.put("edition", "1")
    ask.put("forgotten", json.dumps(sorted(gone)))
    records = list(_records(files, named, measure))
    total = FIRST
    for n, (race, content) in enumerate(records, 1 - len(records)):
        digest = digest_of(content)
        put_record(ask, digest, race, None, content)
        body = json.dumps(format_act(TakeRecord(race=race, record=digest)))
        total = insert(ask, Kept(n, None, "", BY, body), total)
    acts = list(_lines(files.get("league/acts.jsonl", b"")))
    for line in acts:
        own = {key: value for key, value in line.items() if key not in OWN_KEYS}
        body = json.dumps(named(own | line.get("said", {})), ensure_ascii=False)
        at, by = str(line.get("at", "")), named(str(line.get("by", "")))
        total = insert(ask, Kept(line["n"], None, at, by, body), total)
    return len(records), len(acts)


def _records(
    files: Files, named: Callable[[Any], Any], measure: Measure
) -> Iterator[tuple[str, bytes]]:
    """The records with the names of their people; those that were refused stay where they are."""
    for name, content in files.items():
        if name.startswith("records/"):
            lines = content.splitlines(keepends=True)
            whole = b"".join(_named_line(line, named) for line in lines)
            try:
                race = examine(whole, measure).id
            except BadRecord:
                continue
            if name == f"records/{race}.jsonl":
                yield race, whole


def _named_line(line: bytes, named: Callable[[Any], Any]) -> bytes:
    if not MARK.search(line.decode("utf-8", "replace")):
        return line
    return json.dumps(named(json.loads(line)), ensure_ascii=False).encode() + b"\n"


def _unveiler(files: Files) -> Callable[[Any], Any]:
    """What tells JSON with names instead of their keys."""
    lines = _lines(files.get("league/people/names.jsonl", b""))
    names = {one["key"]: one["name"] for one in lines}

    def named(value: Any) -> Any:
        if isinstance(value, str):
            return MARK.sub(lambda m: names.get(m[0]) or f"Driver {m[1][:6]}", value)
        if isinstance(value, list):
            return [named(one) for one in value]
        if isinstance(value, dict):
            return {key: named(one) for key, one in value.items()}
        return value

    return named


def _lines(content: bytes) -> Iterator[dict[str, Any]]:
    """The lines of a file; one that the plug cut short says nothing."""
    for line in content.splitlines():
        try:
            data = json.loads(line) if line else None
        except ValueError:
            continue
        if isinstance(data, dict):
            yield data
