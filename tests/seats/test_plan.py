"""Which driver each seat has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path

import pytest
from support.each import in_one

from companion.seats.plan import PlanError, parse_seats, read_plan
from companion.system import config


def format_seats(drivers: Mapping[int, str]) -> str:
    """The sentence that `parse_seats` reads back, for seats counted from 1 without a gap."""
    groups = groupby(name for _, name in sorted(drivers.items()))
    return ", ".join(f"{len(list(group))} {name}" for name, group in groups)


def test_a_sentence_numbers_the_seats_in_its_order() -> None:
    drivers = parse_seats("2 pods simulated, 2 wired simulated, 2 phones")
    assert drivers == {
        **dict.fromkeys((1, 2), "pod simulated"),
        **dict.fromkeys((3, 4), "wired simulated"),
        **dict.fromkeys((5, 6), "phone"),
    }


@pytest.mark.parametrize(
    "text", ["1 wired", "2 pod simulated, 1 phone, 3 wired simulated", "2 pico simulated"]
)
def test_a_sentence_reads_back(text: str) -> None:
    assert format_seats(parse_seats(text)) == text


@in_one(
    "text",
    [
        "",
        "wired",
        "2 wheels",
        "2 wired pretended",
        "9 phones, 2 pods",
        "1 phone simulated",
        "1 pico",
    ],
)
def test_what_is_no_sentence_is_refused_and_says_why(text: str) -> None:
    with pytest.raises(PlanError):
        parse_seats(text)


def test_a_file_names_drivers_and_their_options(tmp_path: Path) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(
        '[seats]\n1 = "wired"\n2 = "pod"\n3 = "phone"\n4 = "wired"\n'
        '[wired]\npin_factory = "lgpio"\n[wired.controllers]\n4 = "SH1106"\n'
    )
    plan = read_plan(file)
    assert plan.groups() == {"wired": (1, 4), "pod": (2,)}
    assert plan.options_of("wired simulated")["controllers"] == {"4": "SH1106"}
    assert plan.options_of("pod") == {}


def test_a_simulated_pico_has_the_options_of_pods(tmp_path: Path) -> None:
    assert parse_seats("1 picos simulated, 1 pod") == {1: "pico simulated", 2: "pod"}
    file = tmp_path / "companion.toml"
    file.write_text("[pod]\nbuzzer = true\n")
    assert read_plan(file).options_of("pico simulated") == {"buzzer": True}


def test_a_file_that_is_not_there_leaves_all_seats_to_phones(tmp_path: Path) -> None:
    assert read_plan(tmp_path / "companion.toml").groups() == {}


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[seat]\n1 = 'wired'", r"\[seat\]"),
        ("[seats]\n11 = 'wired'", "'11'"),
        ("[seats]\n1 = 'wire'", "'wire'"),
        ("[seats]\n1 = 3", "3"),
        ("[seats]\n1 = ['wired']", "wired"),
        ("wired = 1", r"\[wired\]"),
        ("[seats", "TOML"),
    ],
)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "companion.toml"
    file.write_text(text)
    with pytest.raises(PlanError, match=word) as refused:
        read_plan(file)
    assert str(file) in str(refused.value)


def test_every_heading_that_another_room_reads_is_let_in(tmp_path: Path) -> None:
    read = re.findall(r'_said\(file, "(\w+)"', Path(config.__file__).read_text("utf-8"))
    assert {"announcer", "backup", "page"} <= {*read}
    (file := tmp_path / "companion.toml").write_text("".join(f"[{name}]\n" for name in {*read}))
    assert read_plan(file).groups() == {}
