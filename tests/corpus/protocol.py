"""The outermost door of the engine: bytes into `companion engine`, bytes out of it.

Here the order of the keys counts too, as the bytes of a reply are compared.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence

from support import environment

from corpus.form import HERE, read_changed, sum_of, sum_of_bytes
from corpus.look import JSON

PROTOCOL = HERE / "protocol.jsonl.gz"
JUNK = (
    b"",
    b"not json",
    b"\xff\xfe{}",
    b"[" * 200 + b"]" * 200,
    b'{"seat": 1, "black": NaN}',
    b'{"seat": 1, "gear": 1} x',
    b"null",
    b'{"undo": 1e400}',
)
"""Lines that are not of the protocol at all."""


ENGINE = ("-m", "companion", "engine")
AS_THEN = ("-m", "corpus.then")
"""The same, with what Downforce has come to count since left out."""


def replies(lines: Sequence[bytes], door: Sequence[str] = ENGINE) -> list[bytes]:
    """What `companion engine` writes to these lines, a reply a line."""
    done = subprocess.run(
        [sys.executable, *door],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=True,
        env=environment(),
    )
    return done.stdout.splitlines()


def seen(reply: bytes) -> JSON:
    """A reply in parts: the sum of its bytes, and of a refused line also the error."""
    told = json.loads(reply)
    if told["ok"]:
        return {"bytes": sum_of_bytes(reply)}
    error = told.pop("error")
    keys = [*error]
    error["message"] = sum_of(error["message"])
    rest = json.dumps([told, keys], separators=(",", ":")).encode("ascii")
    return {"bytes": sum_of_bytes(rest), "error": error}


def row_of(lines: Sequence[bytes]) -> JSON:
    """Lines and replies as the corpus keeps them."""
    return {
        "lines": [line.decode("latin-1") for line in lines],
        "seen": [seen(reply) for reply in replies(lines)],
    }


def protocol_differences(row: JSON) -> Iterator[str]:
    """Every line that is answered otherwise than the corpus has it."""
    lines = [line.encode("latin-1") for line in row["lines"]]
    since = next(at for at, line in enumerate(lines) if b'"downforce"' in line)
    as_then = replies(lines, AS_THEN)
    today = [
        # Of Formula an undo and a late car say more by now (`then.events`).
        then if at >= since or any(name in now for name in (b'"TakenBack"', b'"Joined"')) else now
        for at, (now, then) in enumerate(zip(replies(lines), as_then, strict=True))
    ]
    parts = read_changed().refusal_parts
    for at, (line, was, reply) in enumerate(zip(lines, row["seen"], today, strict=True)):
        now = seen(reply)
        if b'"kind":"report"' in reply or b'"event":"Reported"' in reply:
            continue  # a report says more by now (`boardless_parts` of changed.toml)
        wrong = was["bytes"] != now["bytes"] or ("error" in was) != ("error" in now)
        errors = was.get("error", {}), now.get("error", {})
        if wrong or any(errors[0].get(part) != errors[1].get(part) for part in parts):
            yield f"line {at}: {line[:200]!r}: was {was}, is {now}: {reply[:300]!r}"
