"""The files of the pages: joined, written in a language, compressed once and named by their hash.

The hash is one for all files and stands in the path before the name: `/static/HASH/js/net.js`. So
scripts that import each other by their names are asked for by the hash too, a browser may keep each
file for ever, and a new version of the program is a new address. By the hash a script comes with
all that it imports (`/static/HASH/table.js?lang=fr`), and style sheets come joined
(`/static/HASH/base+frame+table.css`); without it (`/static/js/net.js`) each is the source as it is.
"""

from __future__ import annotations

import json
import mimetypes
import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, abort, request

from companion.views.words import LANGUAGES, LOCALE, words

STATIC: Final = Path(__file__).parent / "static"
MOST_SHEETS: Final = 9
FOR_EVER: Final = "public, max-age=31536000, immutable"


def serve_assets(app: Flask) -> None:
    """Give an app made without static files these."""
    version = assets_hash()

    def show(filename: str, version: str | None = None) -> Response:
        asked = request.args.get("lang")
        language = asked if asked in LANGUAGES else "en"
        body = _joined(filename, language) if version else _read(filename)
        if body is None:
            abort(404)
        kind = mimetypes.guess_type(filename)[0] or "application/octet-stream"
        response = Response(body, mimetype=kind)
        response.headers["Cache-Control"] = FOR_EVER if version else "no-cache"
        # Weak: compressed, it is the same file in other bytes.
        response.add_etag(weak=True)
        response.make_conditional(request)
        return response

    app.add_url_rule(f"/static/<any('{version}'):version>/<path:filename>", "static", show)
    app.add_url_rule("/static/<path:filename>", "static_by_name", show)

    @app.url_defaults
    def name_by_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", version)


@cache
def assets_hash() -> str:
    """The hash of all files of the pages, and of what they are translated by."""
    told = blake2b(digest_size=6)
    files = [os.path.join(folder, name) for folder, _, names in os.walk(STATIC) for name in names]
    files += map(str, LOCALE.rglob("*.mo"))
    for path in sorted(files):  # as text: a start waits for it
        name = path.removeprefix(str(STATIC)).removeprefix(str(LOCALE))
        with open(path, "rb") as file:
            told.update(name.encode() + b"\0" + file.read())
    return told.hexdigest()


@lru_cache(maxsize=64)
def _joined(filename: str, language: str) -> bytes | None:
    """A script or sheets as a page loads them, made when somebody first asks for them."""

    if filename.endswith(".css"):
        names = [f"{name}.css" for name in filename.removesuffix(".css").split("+")]
        if not 0 < len(names) <= MOST_SHEETS or not all(map(_read, names)):
            return None
        return join_sheets(STATIC, names).encode()
    body = _read(filename)
    if not body or not filename.endswith(".js"):
        return body
    return join_scripts(STATIC, filename, words(language)).encode()


def _read(filename: str) -> bytes | None:
    # Resolved first: a name may lead out by `..`.
    path = (STATIC / filename).resolve()
    if not path.is_relative_to(STATIC) or not path.is_file():
        return None
    return path.read_bytes()


# -- scripts and sheets as one --------------------------------------------------------------------


IMPORT: Final = re.compile(
    r'^import\s+(?:\{(?P<names>[^}]*)\}|\* as (?P<whole>\w+))\s+from\s+"(?P<path>\.[^"]+)";\n',
    re.MULTILINE,
)
EXPORT: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.MULTILINE
)
UNKNOWN: Final = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|\bimport\.meta\b.*", re.MULTILINE)
COMMENT: Final = re.compile(
    r"^[ \t]*/\*.*?\*/[ \t]*\n|^[ \t]*//[^\n]*\n|[ \t]+(?:// [^\n\"`]*|/\*[^\n\"'`]*\*/)$",
    re.MULTILINE | re.DOTALL,
)
"""On lines of their own, and behind what a line says where no string can end behind it.

Strings stand in double quotes."""
SAID: Final = re.compile(r'\bsay\(\s*("(?:[^"\\]|\\.)*")')
INDENT: Final = re.compile(r"\n\s+")


class CannotJoin(ValueError):
    """A source is not in the form that can be joined; the message names it and says why."""


def join_scripts(root: Path, entry: str, translated: Callable[[str], str] = str) -> str:
    """One script of a module below `root` and of all that it imports, each once; what it says is
    `translated`.

    A module becomes a function that is called once and returns what it exports; the one that
    imports it takes the names out of that. So each keeps its own names, and nothing is parsed:
    imports and exports must stand at the beginnings of lines, in the forms that `IMPORT` and
    `EXPORT` know, and no two modules may import each other. The module of the page itself stands
    last and as it is: it alone may wait (`await`) at its top. Comments that fill lines of their own
    and indentation are left out, a third of what is sent: a string that goes over several lines
    must not depend on either.

    Raises:
        CannotJoin: a source is in another form.
    """
    root = root.resolve()
    *parts, whole = _in_order(root, (root / entry).resolve(), {})
    names = {path: f"${number}" for number, (path, _) in enumerate(parts)}
    script = "".join(_wrapped(names, *part) for part in parts) + _body(names, *whole)
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


def _wrapped(names: Mapping[Path, str], path: Path, source: str) -> str:
    """A module as a constant that holds what it exports, and is called by a short name."""
    exports = ",".join(EXPORT.findall(source))
    body = _body(names, path, source)
    return f"const {names[path]}=(()=>{{\n{body}return{{{exports}}}}})();\n"


def _body(names: Mapping[Path, str], path: Path, source: str) -> str:
    """A module without what only readers need, its imports taken out of what stands before."""
    body = _bare(EXPORT.sub("", IMPORT.sub(lambda one: _taken(names, path, one), source)))
    if unknown := UNKNOWN.search(body):
        raise CannotJoin(f"{path.name!r} has {unknown[0]!r}, which cannot be joined")
    return body


def _taken(names: Mapping[Path, str], path: Path, one: re.Match[str]) -> str:
    its = one["whole"] or "{" + re.sub(r"\s+", "", one["names"].replace(" as ", ":")) + "}"
    return f"const {its}={names[(path.parent / one['path']).resolve()]};\n"


def _literal(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _bare(source: str) -> str:
    return INDENT.sub("\n", "\n" + COMMENT.sub("", source)).lstrip("\n")


# -- QR codes -------------------------------------------------------------------------------------


def format_qr(text: str, *, error: str = "m") -> str:
    """The code of a text, to be put into a page as it is, or served as a picture.

    Args:
        error: how much of it may be unreadable, from `l` to `h`; a long text wants `l`.

    Raises:
        ValueError: no code holds so much.
    """
    # Imported where it is used: most runs of the service never draw one.
    import segno

    drawn = BytesIO()
    segno.make(text, error=error, micro=False).save(
        drawn, kind="svg", xmldecl=False, svgns=True, border=2, omitsize=True, nl=False
    )
    return drawn.getvalue().decode("utf-8")
