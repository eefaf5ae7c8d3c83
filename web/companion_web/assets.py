"""The files of the pages, compressed once and named by their hash; and all text on the way out.

The hash is one for all files, in the path before the name: `/static/HASH/js/net.js`. So scripts
that import each other by their names are asked for by the hash too, a browser may keep every
file for ever, and a new version of the program is a new address.

By the hash a script comes with all that it imports (`/static/HASH/table.js`), and style sheets
come joined (`/static/HASH/base+frame+table.css`), see `bundles.py`; by its name alone
(`/static/js/net.js`) each is the source as it stands. A script that says something is asked for
in the language of its page: `/static/HASH/table.js?lang=fr`.
"""

from __future__ import annotations

import gzip
import mimetypes
import os
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, abort, request

from companion.views.words import LANGUAGES, LOCALE, words

STATIC: Final = Path(__file__).parent / "static"
SMALLEST: Final = 1024
LEVEL: Final = 9
MOST_SHEETS: Final = 8
FOR_EVER: Final = "public, max-age=31536000, immutable"
TEXT: Final = ("text/", "application/json", "image/svg+xml", "application/javascript")


def serve_assets(app: Flask) -> None:
    """Give an app made without static files these, and compress what it answers."""
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
        response.add_etag(weak=True)
        response.make_conditional(request)
        return response

    app.add_url_rule(f"/static/<any('{version}'):version>/<path:filename>", "static", show)
    app.add_url_rule("/static/<path:filename>", "static_by_name", show)
    app.after_request(compress)

    @app.url_defaults
    def name_by_hash(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static":
            values.setdefault("version", version)


def compress(response: Response) -> Response:
    """Text of some size goes out compressed, to whoever takes it so."""
    if not (response.mimetype or "").startswith(TEXT) or response.is_streamed:
        return response
    response.vary.add("Accept-Encoding")
    # `gzip` in a word of its own, and not `gzip;q=0`
    if request.accept_encodings["gzip"] <= 0 or "Content-Encoding" in response.headers:
        return response
    body = response.get_data()
    if response.status_code == 200 and len(body) >= SMALLEST:
        response.set_data(_compressed(body) if _is_kept(response) else gzip.compress(body, 4))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _is_kept(response: Response) -> bool:
    """Whether it is the same for everybody who asks: files and drawings."""
    return "no-store" not in response.headers.get("Cache-Control", "no-store")


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
    from companion_web.bundles import join_scripts, join_sheets  # behind the page's first byte

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
    path = (STATIC / filename).resolve()
    if not path.is_relative_to(STATIC) or not path.is_file():
        return None
    return path.read_bytes()


@lru_cache(maxsize=128)
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)
