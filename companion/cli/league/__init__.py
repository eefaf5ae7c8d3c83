"""`companion league …`: seasons and standings out of the records, and a club with many tables."""

from __future__ import annotations

from companion.cli.tools import Group

LEAGUE = Group(
    "league",
    {
        "new": (
            "league.enter",
            "a new season, for finished races to go into; or other rules for one",
        ),
        "add": ("league.enter", "races: records, CSV, or one that is entered here"),
        "do": ("league.enter", "anything else: penalties, amended results, notes, teams"),
        "merge": ("league.enter", "two names are one person"),
        "forget": ("league.enter", "erase a person's names from everything, for good"),
        "person": ("league.enter", "give somebody a link of their own, or take it away"),
        "competition": (
            "league.enter",
            "stages that belong together: divisions, heats and a final",
        ),
        "enter": ("league.enter", "put drivers on the entry list of a stage"),
        "entries": ("league.enter", "the entry list of a stage"),
        "plan": ("league.enter", "put a round into the calendar, change or cancel it"),
        "calendar": ("league.enter", "the rounds of a stage, and when they are"),
        "draw": ("league.enter", "draw who of a stage sits at which table"),
        "sheet": ("league.enter", "the header of the next race of a table"),
        "qualify": ("league.enter", "enter those who go from a stage into the next"),
        "standings": ("league.show", "the standings of a season"),
        "races": ("league.show", "the races, their ids and results"),
        "drivers": ("league.show", "everybody, and the names they go by"),
        "export": ("league.show", "a season or a race as a file for other programs, or for print"),
        "import": ("league.show", "a season that another program, or another league, has written"),
        "acts": ("league.show", "what was done, when and by whom"),
        "undo": ("league.enter", "take back anything that was done"),
        "rebuild": ("league.show", "make all that stands again, and compare it"),
        "takeover": ("league.show", "take over a league of an older version"),
        "serve": ("league.show", "the club's server, which tables send their records to"),
        "pin": ("league.show", "the PIN of a club's keeper, shown or renewed"),
        "table": ("league.show", "give a table of the club its key, or take it away"),
        "push": ("league.show", "send finished records to the club"),
    },
    "The league of a folder of races: its records, and what you add by hand. "
    "Finished races come in by themselves. docs/league.md has all of it.",
)
