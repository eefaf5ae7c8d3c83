"""The scripts of a page as one, and its style sheets as one, made of the sources as they are.

A module becomes a function that is called once and returns what it exports; the one that imports
it takes the names out of that. So each keeps its own names, and nothing is parsed: imports and
exports must stand at the beginnings of lines, in the forms that `IMPORT` and `EXPORT` know, and
no two modules may import each other. Whatever is in another form is refused by name. The module
of the page itself stands last and as it is: it alone may wait (`await`) at its top.

What a script says stands in it in English, as the literal of `say("…")`: it is written in another
language here, so that a page brings no catalogue along.

Comments that fill lines of their own are left out, and so is the space that lines begin with: a
third of what is sent. A string that goes over several lines must therefore not depend on either.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

IMPORT: Final = re.compile(
    r'^import\s+(?:\{(?P<names>[^}]*)\}|\* as (?P<whole>\w+))\s+from\s+"(?P<path>\.[^"]+)";\n',
    re.MULTILINE,
)
EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE
)
UNKNOWN: Final = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|\bimport\.meta\b.*", re.MULTILINE)
COMMENT: Final = re.compile(r"^[ \t]*/\*.*?\*/[ \t]*\n|^[ \t]*//[^\n]*\n", re.MULTILINE | re.DOTALL)
SAID: Final = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')
INDENT: Final = re.compile(r"\n\s+")


class CannotJoin(ValueError):
    """A source is not in the form that can be joined; the message names it and says why."""


def join_scripts(root: Path, entry: str, translated: Callable[[str], str] = str) -> str:
    """One script of a module below `root` and of all that it imports, each once; what it says is
    `translated`."""
    root = root.resolve()
    *parts, whole = _in_order(root, (root / entry).resolve(), {})
    script = "".join(_wrapped(root, *part) for part in parts) + _body(root, *whole)
    return SAID.sub(lambda one: f"say({_literal(translated(json.loads(one[1])))}", script)


def messages_in(script: str) -> list[str]:
    """What a script says, in the order in which it stands there."""
    return [json.loads(text) for text in SAID.findall(script)]


def join_sheets(root: Path, names: list[str]) -> str:
    """These style sheets, one after the other."""
    return "".join(_bare((root / name).read_text(encoding="utf-8")) for name in names)


def _in_order(root: Path, path: Path, open_now: dict[Path, bool]) -> Iterator[tuple[Path, str]]:
    """A module after all that it imports; `open_now` has those begun, False once they are done."""
    if open_now.get(path) is False:
        return
    if path in open_now or not path.is_relative_to(root) or not path.is_file():
        raise CannotJoin(f"{path.name!r} is imported in a circle, or is no file of the pages")
    open_now[path] = True
    source = path.read_text(encoding="utf-8")
    for one in IMPORT.finditer(source):
        yield from _in_order(root, (path.parent / one["path"]).resolve(), open_now)
    open_now[path] = False
    yield path, source


def _wrapped(root: Path, path: Path, source: str) -> str:
    """A module as a constant that holds what it exports."""
    exports = ",".join(EXPORT.findall(source))
    body = _body(root, path, source)
    return f"const {_name(root, path)}=(()=>{{\n{body}return{{{exports}}}}})();\n"


def _body(root: Path, path: Path, source: str) -> str:
    """A module without what only readers need, its imports taken out of what stands before."""
    body = _bare(EXPORT.sub("", IMPORT.sub(lambda one: _taken(root, path, one), source)))
    if unknown := UNKNOWN.search(body):
        raise CannotJoin(f"{path.name!r} has {unknown[0]!r}, which cannot be joined")
    return body


def _taken(root: Path, path: Path, one: re.Match[str]) -> str:
    names = one["whole"] or "{" + re.sub(r"\s+", "", one["names"].replace(" as ", ":")) + "}"
    return f"const {names}={_name(root, (path.parent / one['path']).resolve())};\n"


def _name(root: Path, path: Path) -> str:
    """`js/seat/view.js` → `$js$seat$view`."""
    return "$" + re.sub(r"\W", "$", path.relative_to(root).with_suffix("").as_posix())


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _bare(source: str) -> str:
    return INDENT.sub("\n", "\n" + COMMENT.sub("", source)).lstrip("\n")
