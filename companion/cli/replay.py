"""`companion replay`: the state after a race record."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.record import RecordError, read_record, replay

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

FAILED = 2


def register(subparsers: Subparsers) -> None:
    """Add `replay` to the command line."""
    parser = subparsers.add_parser(
        "replay",
        help="the state after a race record",
        description="Plays a record again by today's rules, on the board that it carries. Where "
        "a line no longer holds, the line and its rule are named and the result stays.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="a record, DIR/records/ID.jsonl")
    parser.add_argument("--json", action="store_true", help="write the state as JSON")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the state after the record."""
    try:
        lines = read_record(args.file)
        state = replay(lines).state()
    except OSError as error:
        return _complain(f"{args.file} cannot be read: {error.strerror}")
    except RecordError as error:
        return _complain(f"{args.file}: {error}{_kept(error.result)}")
    assert state is not None  # the first line of a record starts a race
    if args.json:
        print(json.dumps(state, ensure_ascii=False))
    else:
        told = describe_money if lines[0].get("game") == "downforce" else describe
        print("\n".join(told(lines[0], state)))
    return 0


def describe(header: Any, state: Any) -> list[str]:
    """A state as a person reads it: where the race is, and every car."""
    told = [f"{header.get('name') or header['id']}: {state['phase']}, round {state['round']}"]
    places = {row["seat"]: row["place"] for row in state["classification"]}
    last = len(state["cars"]) + 1
    for car in sorted(state["cars"].values(), key=lambda car: places.get(car["seat"], last)):
        place = f"{places[car['seat']]}." if car["seat"] in places else "–"
        wear = " ".join(f"{name} {left}" for name, left in car["wear"].items())
        where = car["space"] or car["status"]
        told.append(f"{place:>3} {car['name']:<20} lap {car['lap']}  {where:<8} {wear}")
    return told


def describe_money(header: Any, state: Any) -> list[str]:
    """A state of Downforce as a person reads it: where the game is, and every score sheet."""
    told = [f"{header.get('name') or header['id']}: {state['phase']}"]
    places = {str(row["seat"]): row["place"] for row in state["classification"]}
    last = len(state["players"]) + 1
    for seat in sorted(state["players"], key=lambda seat: places.get(seat, last)):
        player, place = state["players"][seat], f"{places[seat]}." if seat in places else "–"
        money = " ".join(
            f"{name} {'?' if player[name] is None else player[name]}"
            for name in ("race", "bets_won", "spent", "total")
        )
        told.append(f"{place:>3} {player['name']:<20} {money}  {' '.join(player['cars'])}")
    return told


def _kept(result: Any) -> str:
    if not result:
        return ""
    order = ", ".join(f"{row['place']}. seat {row['seat']}" for row in result)
    return f"; the recorded result stays: {order}"


def _complain(sentence: str) -> int:
    print(f"companion: {sentence}", file=sys.stderr)
    return FAILED
