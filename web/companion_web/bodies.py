"""Reading the JSON of a post: whatever arrives, the table only ever sees a small, clean object."""

from __future__ import annotations

import json
import math
from http import HTTPStatus
from typing import Final, NoReturn

from flask import Request

from companion_web.problems import Problem, malformed

BODY_LIMIT: Final = 64 * 1024


def read_object(request: Request) -> dict[str, object]:
    """The object in the body of a post; an empty body is an empty object.

    Raises:
        Problem: 413 above 64 KiB, 400 for all that is not an object of finite numbers
            and of text that UTF-8 can hold.
    """
    raw = _read_bytes(request)
    return parse_object(raw) if raw.strip() else {}


def parse_object(raw: bytes) -> dict[str, object]:
    """The JSON object in these bytes.

    >>> parse_object(b'{"gear": 3}')
    {'gear': 3}
    """
    try:
        value = json.loads(
            raw.decode("utf-8"), parse_constant=_refuse_constant, parse_float=_finite
        )
        # What cannot be written again (a lone surrogate) must not reach the journal.
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as unreadable:
        raise malformed("bad-json", "the body must be one JSON object") from unreadable
    if not isinstance(value, dict):
        raise malformed("bad-json", "the body must be one JSON object")
    return value


def _read_bytes(request: Request) -> bytes:
    length = request.content_length  # None for a chunked body
    if length is not None and length > BODY_LIMIT:
        raise _too_large()
    try:
        raw = request.stream.read(BODY_LIMIT + 1)
    except (OSError, ValueError) as broken:
        raise malformed("bad-body", "the body ended before it was complete") from broken
    if len(raw) > BODY_LIMIT:
        raise _too_large()
    if length is not None and len(raw) < length:
        raise malformed("bad-body", "the body ended before it was complete")
    return raw


def _too_large() -> Problem:
    return Problem(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
        "body-too-large",
        f"a body may have {BODY_LIMIT} bytes at most",
        limit=BODY_LIMIT,
    )


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is beyond any number in use here")
    return number
