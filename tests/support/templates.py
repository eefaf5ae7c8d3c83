"""Templates compiled once for all apps that a process makes, and for those of its children."""

from __future__ import annotations

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket


class Kept(BytecodeCache):
    """What was compiled, in memory; a template that has changed since is compiled anew."""

    def __init__(self) -> None:
        self._code: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._code:
            bucket.bytecode_from_string(self._code[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key] = bucket.bytecode_to_string()


def compile_once() -> None:
    """From now on; a tenth of a second for each app whose pages are looked at."""
    Flask.jinja_options = {"bytecode_cache": Kept()}
