"""Garbage of any size and kind gets an error, changes nothing, and never ends the program."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from support.each import few_now, in_one
from support.formula import careful
from support.formula.mangle import mangled
from support.formula.table import OneRead, Table, car, header

from companion.cli.engine import serve
from companion.race.engine import Engine

NEW = json.dumps({"new": header(2, grid=[1, 2], start="normal")}).encode()
DEEP = 100_000

GARBAGE: dict[str, bytes] = {
    "a blank line": b"",
    "spaces": b"   \t ",
    "a carriage return": b"\r",
    "words": b"hello",
    "half an object": b'{"seat": 1, "gear":',
    "two objects": b'{"state": true} {"state": true}',
    "single quotes": b"{'state': true}",
    "invalid UTF-8": b'{"seat": 1, "gear": "\xff\xfe"}',
    "a cut UTF-8 letter": b'{"seat": 1, "name": "\xc3',
    "UTF-16": '{"state": true}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"state": 1}',
    "bytes that are zero": b"\x00" * 100,
    "a zero byte in a text": b'{"seat": 1, "gear": "\x00"}',
    "an escaped zero": b'{"seat": 1, "gear": "\\u0000"}',
    "a lone surrogate": b'{"seat": 1, "gear": "\\ud800"}',
    "a lone surrogate as a key": b'{"\\udfff": 1}',
    "a surrogate encoded in UTF-8": b'{"seat": 1, "gear": "\xed\xa0\x80"}',
    "not a number": b'{"seat": 1, "gear": NaN}',
    "infinity": b'{"seat": 1, "gear": -Infinity}',
    "beyond floats": b'{"seat": 1, "gear": 1e999}',
    "beyond floats as a seat": b'{"seat": 1e999, "gear": 1}',
    "beyond floats in a header": NEW.replace(b'"normal"', b"1e999"),
    "a huge whole number": b'{"seat": 1, "gear": ' + b"9" * 4000 + b"}",
    "a whole number too long to read": b'{"seat": 1, "gear": ' + b"9" * 100_000 + b"}",
    "a huge number of undos": b'{"undo": 99999999999999999999999}',
    "a number with a leading zero": b'{"seat": 1, "gear": 01}',
    "deep lists": b"[" * DEEP + b"]" * DEEP,
    "deep lists left open": b"[" * DEEP,
    "deep objects": b'{"new":' * DEEP + b"1" + b"}" * DEEP,
    "a deep header": b'{"new": {"position": ' + b"[" * 900 + b"]" * 900 + b"}}",
    "a number": b"5",
    "null": b"null",
    "a text": b'"state"',
    "a list of lines": b'[{"state": true}]',
    "ten megabytes of one letter": b"x" * 10_000_000,
    "ten megabytes of JSON": b'{"seat": 1, "gear": "' + b"x" * 10_000_000 + b'"}',
    "a megabyte of keys": json.dumps({f"k{n}": n for n in range(60_000)}).encode(),
    "a thousand seats": json.dumps({"new": header(1000)}).encode(),
}


def converse(*lines: bytes, end: bytes = b"\n") -> list[dict[str, Any]]:
    """The replies of the program, in this process, to some lines."""
    replies = io.BytesIO()
    serve(OneRead(), io.BytesIO(b"\n".join(lines) + end), replies)
    return read(replies.getvalue())


def read(out: bytes) -> list[dict[str, Any]]:
    """Replies, each checked to be one line of strict JSON in ASCII."""
    assert out.endswith(b"\n")
    return [json.loads(one, parse_constant=pytest.fail) for one in out.decode("ascii").splitlines()]


@in_one("what", GARBAGE)
def test_garbage_gets_one_error_and_changes_nothing(what: str) -> None:
    state = b'{"state": true}'
    new, before, error, after = converse(NEW, state, GARBAGE[what], state)
    assert new["ok"]
    assert error["ok"] is False
    assert error["error"]["code"] in ("malformed", "illegal")
    assert error["error"]["message"]
    assert len(error["error"]["message"]) < 5000
    assert error["asks"] == before["asks"]
    assert before == after


def test_a_refusal_never_echoes_a_whole_line() -> None:
    """An answer of megabytes must not come back as megabytes."""
    long = json.dumps({"seat": 1, "gear": "x" * 1_000_000}).encode()
    _, error = converse(NEW, long)
    assert len(json.dumps(error)) < 5000


def test_the_last_line_needs_no_end() -> None:
    assert [one["ok"] for one in converse(NEW, b'{"seat": 1, "gear": 1}', end=b"")] == [True, True]


def test_lines_may_end_as_on_windows() -> None:
    assert [one["ok"] for one in converse(NEW + b"\r", b'{"state": true}\r')] == [True, True]


def test_nothing_at_all_is_answered_by_nothing() -> None:
    replies = io.BytesIO()
    serve(OneRead(), io.BytesIO(b""), replies)
    assert replies.getvalue() == b""


def test_nothing_is_answered_after_quit() -> None:
    replies = converse(NEW, b'{"quit": 1}', b'{"quit": true}', b'{"state": true}')
    assert [one["ok"] for one in replies] == [True, False, True]


def run_program(lines: Iterable[bytes], end: bytes = b"\n") -> subprocess.CompletedProcess[bytes]:
    """`companion engine` as a program of its own, fed with all lines at once."""
    return subprocess.run(
        [sys.executable, "-m", "companion", "engine"],
        input=b"\n".join(lines) + end,
        capture_output=True,
        timeout=60,
        check=False,
    )


@pytest.mark.slow
def test_the_program_answers_all_garbage_line_by_line_and_ends_well() -> None:
    """A real process: as many replies as lines, nothing on stderr, status 0."""
    lines = [NEW, *GARBAGE.values(), b'{"seat": 1, "gear": 1}', b'{"seat": 1, "roll": 2']
    done = run_program(lines, end=b"")
    replies = read(done.stdout)
    assert (done.returncode, done.stderr) == (0, b"")
    assert [one["ok"] for one in replies] == [True] + [False] * len(GARBAGE) + [True, False]
    assert replies[-2]["version"] == 2


def test_the_program_ends_well_at_once_without_input() -> None:
    done = run_program([b""], end=b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    """A program that talks with it waits for every reply."""
    command = [sys.executable, "-m", "companion", "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdin is not None
        assert program.stdout is not None
        for line in (NEW, b'{"seat": 1, "gear": 1}', b"", b'{"quit": true}'):
            program.stdin.write(line + b"\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["ok"] == (line != b"")
        assert program.stdout.readline() == b""
        assert program.wait(timeout=30) == 0


def a_race_somewhere(dice: Random) -> tuple[Engine, dict[str, Any]]:
    """An engine some random way into a race, and its header."""
    engine, told = Engine(OneRead()), careful.header(3, laps=1)
    engine.handle({"new": told})
    for _ in range(dice.randint(0, 120)):
        if engine.asks():
            ask = dice.choice(engine.asks())
            value = careful.answer(ask, engine.moment, dice)
            engine.handle({"seat": ask["seat"], ask["kind"]: value})
    return engine, told


def sound_lines(engine: Engine, told: dict[str, Any], dice: Random) -> list[dict[str, Any]]:
    """Lines of every kind that make sense now, to be mangled."""
    state = engine.state()
    assert state is not None
    answers = [
        {"seat": ask["seat"], ask["kind"]: careful.answer(ask, engine.moment, dice), "version": 1}
        for ask in engine.asks()
    ]
    return [
        {"new": told},
        {"new": {**told, "position": state}},
        {"correct": state, "reason": "x"},
        {"correct": {"pending": state.get("pending", [])}},
        {"seat": 1, "retire": True, "reason": "x"},
        {"seat": 1, "return": True},
        {"end": True},
        {"undo": 2},
        {"state": True},
        *answers,
    ]


@pytest.mark.parametrize("seed", few_now(range(12), 12, quick=range(3)))
def test_a_mangled_line_is_refused_whole_or_leads_to_a_state_that_is_a_position(seed: int) -> None:
    """Thousands of lines with values replaced, removed and added."""
    dice = Random(seed)
    engine, told = a_race_somewhere(dice)
    lines = sound_lines(engine, told, dice)
    for _ in range(150):
        line = mangled(dice.choice(lines), dice)
        before = engine.version, engine.state(), engine.asks()
        reply = engine.handle(line)
        json.dumps(reply, allow_nan=False)
        if not reply["ok"]:
            assert (engine.version, engine.state(), engine.asks()) == before, line
            continue
        assert engine.header is not None
        sound = {key: value for key, value in engine.header.items() if key != "position"}
        twin = Engine(OneRead())
        again = twin.handle({"new": {**sound, "position": engine.state()}})
        assert again["ok"], (line, again["error"])
        assert twin.state() == engine.state(), line


def test_the_helper_that_looks_for_changes_sees_one() -> None:
    """A line that is accepted is no refused one."""
    with pytest.raises(AssertionError):
        Table({1: car("S2.m5")}).is_refused({"seat": 1, "gear": 1})
