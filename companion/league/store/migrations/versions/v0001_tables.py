"""The league's first tables."""

from __future__ import annotations

from alembic import op
from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Integer, String

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

TABLES = (
    "known",
    "files",
    "drivers",
    "names",
    "seasons",
    "season_teams",
    "races",
    "entries",
    "amendments",
    "penalties",
    "notes",
    "tables",
)


def upgrade() -> None:
    """To this version."""
    _make_bookkeeping()
    _make_people()
    _make_races()
    _make_additions()


def downgrade() -> None:
    """Back to an empty database."""
    for table in reversed(TABLES):
        op.drop_table(table)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, String, nullable=null)


def _number(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null)


def _flag(name: str) -> Column[bool]:
    return Column(name, Boolean, nullable=False)


def _json(name: str) -> Column[object]:
    return Column(name, JSON, nullable=False)


def _key(name: str, of: str | None = None) -> Column[str]:
    """A text that is (part of) the primary key, perhaps one of another table."""
    more = [ForeignKey(of)] if of else []
    return Column(name, String, *more, primary_key=True)


def _of(name: str, other: str, *, null: bool = False, index: bool = True) -> Column[str]:
    """A text that is the key of another table."""
    return Column(name, String, ForeignKey(other), nullable=null, index=index)


def _act() -> Column[int]:
    """The number of an act."""
    return Column("id", Integer, primary_key=True, autoincrement=False)


def _make_bookkeeping() -> None:
    op.create_table("known", _key("key"), _text("value"))
    op.create_table(
        "files",
        _key("file"),
        _number("size"),
        Column("changed_ns", BigInteger, nullable=False),
        _text("sha256"),
        _text("race", null=True),
        _number("line", null=True),
        _text("message", null=True),
    )
    op.create_table("tables", _key("name"), _text("key_sha256", null=True))


def _make_people() -> None:
    op.create_table("drivers", _key("key"), _text("title", null=True))
    op.create_table(
        "names", _key("key"), _text("spelling"), _text("since"), _of("driver_key", "drivers.key")
    )
    op.create_table(
        "seasons",
        _key("key"),
        _number("number"),
        _text("title"),
        _text("points"),
        _number("drops"),
        _number("team_cars", null=True),
        _number("planned", null=True),
        _flag("is_open"),
        _number("current_round", null=True),
    )
    op.create_table(
        "season_teams",
        _key("season_key", "seasons.key"),
        _key("name_key", "names.key"),
        _text("team"),
    )


def _make_races() -> None:
    op.create_table(
        "races",
        _key("id"),
        _text("name"),
        _text("date"),
        _text("game"),
        _text("track", null=True),
        _text("board", null=True),
        _number("laps", null=True),
        _json("rules"),
        _text("source"),
        _text("remark", null=True),
        _text("struck", null=True),
        _of("season_key", "seasons.key", null=True),
        _number("round", null=True),
        _number("factor"),
        _number("placed", null=True),
        _json("said"),
        _json("numbers"),
    )
    op.create_table(
        "entries",
        _key("race_id", "races.id"),
        Column("seat", Integer, primary_key=True),
        _of("name_key", "names.key"),
        _text("name"),
        _number("place"),
        _text("status"),
        _text("team", null=True),
        _number("grid", null=True),
        _number("lap", null=True),
        _text("out", null=True),
        _number("points", null=True),
        _number("best_lap", null=True),
        _flag("fastest"),
        _json("numbers"),
    )


def _make_additions() -> None:
    op.create_table(
        "amendments",
        _act(),
        _of("race_id", "races.id"),
        _text("reason"),
        _text("at"),
        _json("entries"),
    )
    op.create_table(
        "penalties",
        _act(),
        _of("race_id", "races.id", null=True),
        _of("season_key", "seasons.key", null=True),
        _of("name_key", "names.key", index=False),
        _text("reason"),
        _number("points"),
        _number("places"),
        _flag("disqualified"),
        _text("lifted", null=True),
    )
    op.create_table(
        "notes", _act(), _of("race_id", "races.id"), _text("text"), _text("by"), _text("at")
    )
