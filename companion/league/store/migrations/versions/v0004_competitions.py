"""Competitions: stages and the ways between them, entry lists, calendars; teams that change.

What the tables of before hold is made again from the files: they are emptied, so that columns
which are never null can be added.
"""

from __future__ import annotations

from alembic import op
from sqlalchemy import Boolean, Column, Double, ForeignKey, Integer, String, text

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

EMPTIED = (
    "entries",
    "amendments",
    "penalties",
    "notes",
    "protests",
    "season_teams",
    "races",
    "seasons",
    "people",
    "names",
    "drivers",
    "files",
    "tables",
    "known",
    "results",
    "cars",
    "totals",
    "rivals",
    "boards",
)
MADE = ("coming", "rounds", "stand_ins", "entrants", "paths", "competitions")
OF_STAGE = ("competition", "kind", "step", "tier", "adds", "ties", "half_under")
OF_PENALTY = ("team", "bonus", "grid", "ban", "licence", "seconds")


def upgrade() -> None:
    """To this version; the rows are made with the next index."""
    for table in EMPTIED:
        op.execute(text(f"DELETE FROM {table}"))
    op.create_table(
        "competitions", _key("key"), _number("number"), _text("title"), _text("ranking")
    )
    with op.batch_alter_table("seasons") as seasons:
        seasons.add_column(_text("competition", null=True))
        seasons.create_foreign_key(
            "fk_seasons_competition_competitions", "competitions", ["competition"], ["key"]
        )
        for name in ("kind", "ties"):
            seasons.add_column(_text(name))
        for name in ("step", "tier"):
            seasons.add_column(_number(name))
        seasons.add_column(Column("adds", Boolean, nullable=False))
        seasons.add_column(Column("half_under", Double, nullable=True))
        seasons.create_index("ix_seasons_competition", ["competition"])
    _change_races_and_penalties()
    _make_lists()


def downgrade() -> None:
    """Back to the version before; what cannot be said there is gone."""
    for table in MADE[:-1]:
        op.drop_table(table)
    for table in EMPTIED:
        op.execute(text(f"DELETE FROM {table}"))
    with op.batch_alter_table("seasons") as seasons:
        seasons.drop_index("ix_seasons_competition")
        seasons.drop_constraint("fk_seasons_competition_competitions", type_="foreignkey")
        for name in OF_STAGE:
            seasons.drop_column(name)
    op.drop_table(MADE[-1])
    with op.batch_alter_table("races") as races:
        races.drop_column("scoring")
        races.alter_column("factor", existing_type=Double(), type_=Integer())
    with op.batch_alter_table("penalties") as penalties:
        for name in OF_PENALTY:
            penalties.drop_column(name)
        penalties.alter_column("points", existing_type=Double(), type_=Integer())
        penalties.alter_column("name_key", existing_type=String(), nullable=False)
    op.drop_table("season_teams")
    _make_teams(with_round=False)


def _key(name: str, of: str | None = None) -> Column[str]:
    more = [ForeignKey(of)] if of else []
    return Column(name, String, *more, primary_key=True)


def _round(name: str = "round") -> Column[int]:
    return Column(name, Integer, primary_key=True, autoincrement=False)


def _text(name: str, *, null: bool = False) -> Column[str]:
    return Column(name, String, nullable=null)


def _number(name: str, *, null: bool = False) -> Column[int]:
    return Column(name, Integer, nullable=null)


def _change_races_and_penalties() -> None:
    with op.batch_alter_table("races") as races:
        races.add_column(_text("scoring", null=True))
        races.alter_column("factor", existing_type=Integer(), type_=Double())
    with op.batch_alter_table("penalties") as penalties:
        penalties.alter_column("name_key", existing_type=String(), nullable=True)
        penalties.alter_column("points", existing_type=Integer(), type_=Double())
        penalties.add_column(_text("team", null=True))
        penalties.add_column(Column("bonus", Double, nullable=False))
        for name in OF_PENALTY[2:]:
            penalties.add_column(_number(name))
    op.drop_table("season_teams")
    _make_teams(with_round=True)


def _make_teams(*, with_round: bool) -> None:
    op.create_table(
        "season_teams",
        _key("season_key", "seasons.key"),
        _key("name_key", "names.key"),
        *([_round("since")] if with_round else []),
        _text("team", null=with_round),
    )


def _make_lists() -> None:
    of_season = ("season_key", "seasons.key")
    op.create_table(
        "paths",
        Column("id", Integer, primary_key=True, autoincrement=False),
        Column("season_key", String, ForeignKey("seasons.key"), nullable=False, index=True),
        Column("into", String, ForeignKey("seasons.key"), nullable=False),
        _number("first"),
        _number("last"),
        _text("by"),
    )
    op.create_table(
        "entrants",
        _key(*of_season),
        Column("name_key", String, ForeignKey("names.key"), primary_key=True, index=True),
        _text("role"),
        _number("number", null=True),
        _text("color", null=True),
        _number("until", null=True),
        Column("via", String, ForeignKey("seasons.key"), nullable=True),
    )
    op.create_table(
        "stand_ins",
        _key(*of_season),
        _round(),
        _key("name_key", "names.key"),
        Column("absent_key", String, ForeignKey("names.key"), nullable=False),
    )
    texts = (_text(name, null=True) for name in ("title", "date", "board", "pack", "cancelled"))
    op.create_table("rounds", _key(*of_season), _round(), *texts)
    op.create_table(
        "coming",
        _key(*of_season),
        _round(),
        _key("name_key", "names.key"),
        Column("comes", Boolean, nullable=False),
    )
