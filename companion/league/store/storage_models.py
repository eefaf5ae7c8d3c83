"""The tables of a club whose truth lies in its database: files in pieces, and what waits.

They are on PostgreSQL alone, and no part of `models.Base`: an index is thrown away and made again,
these are not.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    Sequence,
    Table,
)
from sqlalchemy import String as Text

from companion.league.store.models import NAMING

TRUTH = MetaData(naming_convention=NAMING)

NUMBERS = Sequence("kept_numbers", metadata=TRUTH)
"""A higher one for every change of a file."""

FILES = Table(
    "kept_files",
    TRUTH,
    Column("name", Text, primary_key=True),
    Column("folder", Text, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("number", BigInteger, nullable=False),
    Index("ix_kept_files_folder_number", "folder", "number"),
)
"""Each file; `number` is that of its latest change."""

PIECES = Table(
    "kept_pieces",
    TRUTH,
    Column("name", Text, ForeignKey("kept_files.name"), primary_key=True),
    Column("start", BigInteger, primary_key=True, autoincrement=False),
    Column("content", LargeBinary, nullable=False),
)
"""What is in it, from byte `start` on: to add to a file costs what is added."""

QUEUE = Table(
    "kept_queue",
    TRUTH,
    Column("file", Text, primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("played", Boolean, nullable=False),
)
"""Records of a host's own folder that nobody has read in yet."""
