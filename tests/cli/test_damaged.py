"""A killed table whose files are damaged: it opens where it stood, or says what is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from support.tables.process import Companion
from support.tables.sitting import race_header

NOTES = 40


def damage(path: Path, kind: str, dice: Random) -> None:
    content = bytearray(path.read_bytes())
    place = dice.randrange(len(content.rstrip(b"\0")))
    match kind:
        case "flipped":
            content[place] ^= 1 << dice.randrange(8)
        case "cut":
            del content[place:]
        case "zeros":
            content[place:] = bytes(len(content) - place)
        case "noise":
            content[place : place + 256] = dice.randbytes(256)
    path.write_bytes(content)
    if kind == "gone":
        path.unlink()


@pytest.mark.long
@pytest.mark.faults("the table: killed, and any one of its files damaged")
def test_a_killed_table_with_any_one_file_damaged_opens_where_it_stood(tmp_path: Path) -> None:
    data, header = tmp_path / "data", tmp_path / "header.json"
    header.write_text(json.dumps(race_header(3)))
    with Companion(data, "--new", str(header)) as companion:
        client = companion.client()
        for n in range(NOTES):
            client.post("/api/referee/note", companion.pin, {"note": f"note {n}"})
        client.post("/api/seat/1/answer", companion.tokens[1], {"gear": 1})
        before, keys = client.get("/api/table"), (companion.pin, companion.tokens)
    logs = sorted(path.relative_to(data) for path in data.rglob("*.log"))
    assert len(logs) == 6
    dice = Random(3)
    for turn, kind in enumerate(("flipped", "cut", "zeros", "noise", "gone", "flipped")):
        again = tmp_path / f"turn{turn}"
        shutil.copytree(data, again)
        damage(again / logs[turn], kind, dice)
        with Companion(again) as companion:
            table = companion.client().get("/api/table")
            assert (companion.pin, companion.tokens) == keys, (logs[turn], kind)
        for part in ("version", "state", "asks"):
            assert table[part] == before[part], (logs[turn], kind)


@pytest.mark.slow
@pytest.mark.faults("the journal: both of its files damaged in the same place")
def test_a_table_that_has_lost_answers_says_so_on_stderr_before_its_page_answers(
    tmp_path: Path,
) -> None:
    data, header = tmp_path / "data", tmp_path / "header.json"
    header.write_text(json.dumps(race_header(3)))
    with Companion(data, "--new", str(header)) as companion:
        for n in range(NOTES):
            companion.client().post("/api/referee/note", companion.pin, {"note": f"note {n}."})
    for folder in ("journal", "copy"):
        (file,) = (data / folder).glob("0*.log")
        file.write_bytes(file.read_bytes().replace(b"note 20.", b"note 2O."))
    words = ("race", "--data", str(data), "--port", "0", "--host", "127.0.0.1", "--json")
    reader, writer = os.pipe()
    command = [sys.executable, "-m", "companion", *words]
    process = subprocess.Popen(command, stdout=writer, stderr=writer, text=True)
    os.close(writer)
    with open(reader, encoding="utf-8") as said:
        first, second = said.readline(), said.readline()
        process.kill()
        process.wait()
    assert first.startswith(f"companion: {NOTES - 20} answers are missing after ")
    assert "journal" in first
    assert json.loads(second)["url"]
