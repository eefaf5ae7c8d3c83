"""Reading the JSON of a post: whatever arrives, the table only ever sees a small, clean object."""

from __future__ import annotations

import json
import math
from http import HTTPStatus
from typing import Any, Final, NoReturn

from flask import Request
from werkzeug.exceptions import ClientDisconnected, RequestEntityTooLarge

from companion_web.problems import Problem, malformed

BODY_LIMIT: Final = 64 * 1024


def read_object(request: Request) -> dict[str, Any]:
    """The object in the body of a post; an empty body is an empty object.

    Raises:
        Problem: 413 above 64 KiB, 400 for all that is not an object of finite numbers
            and of text that UTF-8 can hold.
    """
    raw = _read_bytes(request)
    return parse_object(raw) if raw.strip() else {}


def parse_object(raw: bytes) -> dict[str, Any]:
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
    request.max_content_length = BODY_LIMIT
    try:
        return request.get_data(cache=False)
    except RequestEntityTooLarge as large:
        raise Problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
            "body-too-large",
            f"a body may have {BODY_LIMIT} bytes at most",
            limit=BODY_LIMIT,
        ) from large
    except (ClientDisconnected, ValueError) as broken:
        raise malformed("bad-body", "the body ended before it was complete") from broken


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is beyond any number in use here")
    return number
