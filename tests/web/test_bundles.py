"""Scripts and style sheets joined: what is said stays, what is only for readers goes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.each import in_one

from companion_web.assets import STATIC, CannotJoin, join_scripts, join_sheets

ENTRIES = sorted(path.name for path in STATIC.glob("*.js"))


def write(folder: Path, **sources: str) -> Path:
    for name, source in sources.items():
        (folder / f"{name}.js").write_text(source)
    return folder


def imported_by(path: Path) -> set[Path]:
    """A module and all that it imports."""
    paths = re.findall(r'^(?:import|\}) .*from "(.*)";$', path.read_text(), re.MULTILINE)
    return {path}.union(*(imported_by((path.parent / one).resolve()) for one in paths))


@in_one("entry", ENTRIES)
def test_every_page_has_its_scripts_in_one_and_each_of_them_once(entry: str) -> None:
    joined = join_scripts(STATIC, entry)
    names = [line.split("=")[0] for line in joined.splitlines() if line.endswith("=(()=>{")]
    assert len(set(names)) == len(names) == len(imported_by(STATIC / entry) - {STATIC / entry})
    for word in ('from "', "\nexport ", "\n/**", "\n// "):
        assert word not in joined


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('import "./entry.js";\n', "cannot be joined"),
        ("export default 3;\n", "cannot be joined"),
        ("export let count = 3;\n", "cannot be joined"),
        ('const late = import("./late.js");\n', "cannot be joined"),
        ("const here = import.meta.url;\n", "cannot be joined"),
        ('import { x } from "./entry.js";\n', "in a circle"),
        ('import { x } from "./none.js";\n', "no file"),
        ('import { x } from "../outside.js";\n', "no file"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_name(tmp_path: Path, source: str, why: str) -> None:
    (tmp_path / "outside.js").write_text("export const x = 1;\n")
    (tmp_path / "in").mkdir()
    with pytest.raises(CannotJoin, match=why):
        join_scripts(write(tmp_path / "in", entry=source), "entry.js")


def test_sheets_come_in_the_order_of_their_names_without_comments(tmp_path: Path) -> None:
    (tmp_path / "b.css").write_text("/* why */\nb {\n  color: red; /* goes */\n}\n")
    (tmp_path / "a.css").write_text("a { color: blue; }\n")
    joined = join_sheets(tmp_path, ["b.css", "a.css"])
    assert joined == "b {\ncolor: red;\n}\na { color: blue; }\n"
