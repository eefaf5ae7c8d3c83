"""Makes the corpus: `PYTHONPATH=tests python tests/corpus/make.py`. README.md says when: never.

With `--differences` nothing is made; entries for `changed.toml` are printed for all that differs.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from support.downforce.evening import header as evening
from support.downforce.walk import players_of, rules_of
from support.formula import boardless
from support.formula.mixtures import EDITIONS, Mixture, boards, draw, mixtures
from support.formula.street import DRIVERS

from companion.race.record import write_record
from corpus.check import differences_of
from corpus.drive import Lines
from corpus.form import HERE, RACES, RECORDS, SITTINGS, read_rows, sum_of, write_rows
from corpus.look import JSON, Boards, Transcript, observe, replayed, wholes
from corpus.protocol import JUNK, PROTOCOL, row_of
from corpus.sittings import make_sitting

MOMENTS, WHOLE = 20, 4
SAID = 60
"""What is said and pressed on an evening at the table."""
NAMES = ("Ana", "Bob", "Cid", "Dora", "Eve", "Fay")
A_FILE = 20
"""Races in one file."""
SCENES = HERE / "scenes.jsonl.gz"
"""Short transcripts gathered from the tests of the rules; see README.md."""


def headers() -> Iterator[tuple[str, JSON, int]]:
    """The three hundred races: name, header, how many lines."""
    for game, count in (("formula-d", 110), ("formule-de", 60)):
        for number, mixture in enumerate(mixtures(game)[:count]):
            yield f"{game}-{number:03}", mixture.header, 110
    for number in range(24):
        yield f"street-{number:03}", street(number), 130
    for number in range(14):
        yield f"close-{number:03}", close(number), 110
    for number in range(28):
        yield f"boardless-{number:03}", without_board(number), 90
    for number in range(64):
        head = evening(players_of(number), *rules_of(number))
        yield f"downforce-{number:03}", head, 90


def street(number: int) -> JSON:
    """An urban race, mostly on the one board with police, noise and a tunnel."""
    dice = Random(number)
    seats = dice.choice((2, 3, 4, 6))
    board = "port-lanterne" if number % 4 else dice.choice(boards())
    rules = {"urban", "weather"} | ({"trials"} if number % 6 == 1 else set())
    rules |= {"teams"} if number % 5 == 2 else set()
    # every driver in turn, so that all ten come often
    drivers = [DRIVERS[(number + step * 3) % len(DRIVERS)] for step in range(seats)]
    house = (("corner_ways", dice.choice(("any", "shortest"))),)
    mixture = Mixture("formula-d", board, frozenset(rules), house, dice.choice((1, 2, 3)), seats,
        dice.choice(("asked", "variable")), tuple(drivers))  # fmt: skip
    return mixture.header


def close(number: int) -> JSON:
    """A race of six to ten cars of few rules: much traffic."""
    dice = Random(number)
    game = list(EDITIONS)[number % 2]
    mixture = draw(game, dice)
    board = ("san-marino", "spa", "monaco", "zeltweg")[number % 4]
    switches = [(name, dice.choice(values)) for name, values in EDITIONS[game].house.items()]
    rules = mixture.rules - {"trials", "urban"}
    mixture = Mixture(game, board, rules, tuple(switches), 2, 6 + number % 5, mixture.sky)
    head = mixture.header
    del head["laps"]
    return head


def without_board(number: int) -> JSON:
    """A race on no board, or on a card of one."""
    dice = Random(number)
    game = list(EDITIONS)[number % 2]
    mixture = draw(game, dice)
    seats = 2 + number % 4
    cars = [{"seat": seat, "team": f"team {(seat + 1) // 2}"} for seat in range(1, seats + 1)]
    track = None if number % 4 < 2 else Boards().cards()[number % len(Boards().cards())]
    rules = sorted(mixture.rules - {"trials", "urban"})
    head = boardless.header(game, seats, rules=rules, house=dict(mixture.house))
    return {**head, "track": track, "laps": 1 + number % 3, "seats": cars}


def overshoot() -> list[Any]:
    """Jack overshoots a corner and the line, and is asked what the checkpoint gives back.

    The one way to see a step `halt` of a car that has overshot.
    """
    seats = [{"seat": 1, "driver": "Jack Owens"}, {"seat": 2, "driver": "Derek Manson"}]
    worn = {"body": 1, "engine": 1, "brakes": 1}
    cars = {"1": {"space": "S1.l7", "gear": 6, "lap": 1, "wear": worn}}
    cars["2"] = {"space": "S3.m5", "gear": 4, "lap": 1}
    head = {"game": "formula-d", "track": "budapest", "laps": 3, "rules": ["urban"]}
    position = {"cars": cars, "order": [1, 2], "turn": 1, "round": 5}
    return [
        {"new": {**head, "seats": seats, "position": position}},
        {"seat": 1, "gear": 6},
        {"seat": 1, "roll": 30},
        {"seat": 1, "length": {"spaces": 30, "by": []}},
        {"seat": 1, "move": {"to": "T2.r1", "brakes": 0}},
        {"seat": 1, "recover": {"body": 9}},
        {"seat": 1, "recover": {"body": 1}},
        {"undo": 1},
        {"seat": 1, "recover": {"brakes": 1}},
    ]


def refusals() -> list[Any]:
    """Headers and positions that are refused in ways which no walk comes to."""
    lines = overshoot()[:1]
    head = lines[0]["new"]
    for names in (("Jack Owens", "Jack Owens"), ("Julien Marcellin", "Jack Owens")):
        seats = [{"seat": seat, "driver": name} for seat, name in enumerate(names, 1)]
        lines.append({"new": {**head, "seats": seats}})
    edits: tuple[Any, ...] = (
        [["cars", "1", "drift"], 3],
        [["cars", "1", "drift"], {"T99": 1}],
        [["cars", "1", "radio"], True],
        [["cars", "1", "trail"], True],
        [["cars", "1", "pool"], 1],
        [["cars", "1", "served"], True],
        [["cars", "2", "served"], True],
        [["pending", 0], {"step": "radio", "seat": 2}],
        [["pending", 0], {"step": "trail", "seat": 1, "at": ["S1.l7"]}],
    )
    lines += [{"again": [edit]} for edit in edits]
    lines.append({"seat": 2, "retire": True})
    lines += [
        {"again": [[["turn"], 2], [["pending"]]]},
        {"again": [[["pending", 0, "seat"], 2]]},
        {"correct": {"pending": [{"step": "gear", "seat": 2}]}},
    ]
    box = {"space": "B1", "gear": 1, "lap": 1, "status": "pit", "served": False}
    deep = {**box, "space": "P13"}
    plain = {"game": "formula-d", "track": "monaco", "laps": 3, "seats": [{"seat": 1}]}
    for car in (box, deep, {**box, "served": 1}):
        position = {"cars": {"1": car}, "order": [1], "turn": 1, "round": 5}
        lines.append({"new": {**plain, "position": position}})
    for rules in (["technical"], ["teams"]):
        seats = [{"seat": 1, "team": "red"}, {"seat": 2, "team": "red"}]
        teams = [{"team": "red", "pool": 1}]
        cars = {str(n): {"space": f"S2.m{n}", "gear": 2, "lap": 1, "pool": 1} for n in (1, 2)}
        position = {"cars": cars, "order": [1, 2], "turn": 1, "round": 5}
        start = {**plain, "seats": seats, "rules": rules}
        lines.append({"new": {**start, "position": position}})
        cars = {seat: {k: v for k, v in car.items() if k != "pool"} for seat, car in cars.items()}
        lines.append({"new": {**start, "position": {**position, "cars": cars, "teams": teams}}})
    return lines


def race_of(name: str, lines: list[Any], moments: int = MOMENTS, whole: int = WHOLE) -> JSON:
    """A race as the corpus keeps it."""
    last = len(lines) - 1
    at = sorted({round(step * last / (moments - 1)) for step in range(moments)})
    outcomes, found, state = observe(lines, at)
    some = at[len(at) // (whole + 1) :: max(1, len(at) // (whole + 1))][:whole]
    states = [[number, state] for number, state in wholes(lines, some)]
    row: JSON = {"race": name, "lines": lines, "outcomes": outcomes, "moments": found}
    row |= {"states": states, "end": sum_of(state)}
    return row


def pack(name: str, rows: list[JSON], size: int = A_FILE) -> None:
    """Write races of one kind, some in each file."""
    for first in range(0, len(rows), size):
        write_rows(RACES / f"{name}-{first // size + 1:02}.jsonl.gz", rows[first : first + size])


def make_races() -> list[JSON]:
    """Drive, look, and write all races."""
    kinds: dict[str, list[JSON]] = {}
    for number, (name, header, length) in enumerate(headers()):
        lines = Lines(header, seed=1000 + number, length=length).drive()
        kinds.setdefault(name.rpartition("-")[0], []).append(race_of(name, lines))
        print(name, len(lines), flush=True)
    kinds["overshoot"] = [race_of("overshoot-000", overshoot(), whole=1)]
    kinds["refusals"] = [race_of("refusals-000", refusals(), whole=1)]
    for kind, rows in kinds.items():
        pack(kind, rows)
    scenes = []
    if SCENES.exists():
        for number, lines in enumerate(read_rows(SCENES)):
            scenes.append(race_of(f"scene-{number:04}", lines, moments=2, whole=0))
        pack("scene", scenes, 700)
    return [row for rows in kinds.values() for row in rows] + scenes


class Coverage:
    """What the races of the corpus come to."""

    def __init__(self) -> None:
        self.found: dict[str, Counter[str]] = {
            name: Counter()
            for name in ("events", "asks", "steps", "refusals", "words", "house", "statuses")
        }

    def add(self, lines: list[Any]) -> None:
        """Hear a race and count."""
        talk, found = Transcript(), self.found
        for line in lines:
            outcome = talk.hear(line)
            if not isinstance(outcome, str):
                error = talk.reply["error"]
                found["refusals"][f"{error['key']} {error['rule'] or '-'}"] += 1
                continue
            found["words"].update(key for key in line if key not in ("seat", "version", "reason"))
            found["events"].update(e["event"] for e in talk.reply["events"])
            found["asks"].update(
                ask["kind"] + ("" if "for" not in ask else f" for {ask['for']}")
                for ask in talk.asks
            )
            state, head = talk.state, talk.engine.header or {}
            for step in state.get("pending", ()):
                how = [f"{step['step']} {word}" for word in step.get("how", ())]
                found["steps"].update([step["step"], *how])
            cars = state.get("cars", {}).values()
            found["statuses"].update(car["status"] for car in cars if "status" in car)
            for name, value in head.get("house", {}).items():
                found["house"][f"{name} {value}"] += 1

    def report(self) -> Iterator[str]:
        """Names with how often they came."""
        for name, counter in self.found.items():
            yield f"{name} ({len(counter)}):"
            yield "  " + ", ".join(f"{key} {n}" for key, n in sorted(counter.items()))


def make_sittings() -> None:
    """Sit through evenings at the table; keep what the screens showed, and some records."""
    rows: list[JSON] = []
    records: list[JSON] = []
    for number, (name, header) in enumerate(evenings()):
        row, record = make_sitting(name, header, 500 + number, SAID)
        rows.append(row)
        if record and number % 6 == 0:
            records.append({"record": name, "text": written(record)})
            records[-1]["end"] = sum_of(replayed(record))
        print(name, len(row["said"]), len(record), flush=True)
    for first in range(0, len(rows), A_FILE):
        path = SITTINGS / f"sittings-{first // A_FILE + 1:02}.jsonl.gz"
        write_rows(path, rows[first : first + A_FILE])
    write_rows(RECORDS / "records.jsonl.gz", records)


def written(record: list[JSON]) -> str:
    """A record as its file reads."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "record.jsonl"
        write_record(path, record)
        return path.read_text("utf-8")


def make_protocol(rows: list[JSON]) -> None:
    """The bytes of the engine's answers to some races, and to what is no line at all."""
    lines: list[bytes] = []
    for row in rows[::24]:
        talk = Transcript()
        for line in row["lines"]:
            lines.append(json.dumps(talk.spoken(line)).encode("ascii"))
            talk.hear(line)
        lines += JUNK
    write_rows(PROTOCOL, [row_of(lines)])


def evenings() -> Iterator[tuple[str, JSON | None]]:
    """What is played on the evenings: races of all games, and lobbies (None)."""
    for name, header, _ in list(headers())[::4]:
        named = [
            {**entry, "name": NAMES[at % len(NAMES)] + ("" if at < len(NAMES) else "a")}
            for at, entry in enumerate(header["seats"])
        ]
        yield f"evening-of-{name}", {**header, "seats": named}
    for number in range(15):
        yield f"lobby-{number:03}", None


def main(words: list[str]) -> None:
    """Make the corpus, or print what differs from it."""
    if words == ["--differences"]:
        for path in sorted(RACES.glob("*.gz")):
            for row in read_rows(path):
                for difference in differences_of(row):
                    print(difference.entry())
        return
    rows = make_races()
    make_protocol([row for row in rows if not row["race"].startswith("scene")])
    coverage = Coverage()
    for row in rows:
        coverage.add(row["lines"])
    (HERE / "coverage.txt").write_text("\n".join(coverage.report()) + "\n", "utf-8")
    make_sittings()


if __name__ == "__main__":
    main(sys.argv[1:])
