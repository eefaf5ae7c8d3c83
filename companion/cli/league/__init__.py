"""`companion league …`: seasons and standings out of the records, and a club with many tables."""

from __future__ import annotations

from companion.cli.tools import Group

LEAGUE = Group(
    __name__,
    {
        "new": ("add", "a new season, for finished races to go into; or other rules for one"),
        "add": ("add", "races: records, CSV, or one that is entered here"),
        "do": ("add", "anything else: penalties, amended results, notes, teams"),
        "merge": ("add", "two names are one person"),
        "forget": ("people", "erase a person's names from everything, for good"),
        "person": ("people", "give somebody a link of their own, or take it away"),
        "competition": ("stages", "stages that belong together: divisions, heats and a final"),
        "enter": ("stages", "put drivers on the entry list of a stage"),
        "entries": ("stages", "the entry list of a stage"),
        "plan": ("stages", "put a round into the calendar, change or cancel it"),
        "calendar": ("stages", "the rounds of a stage, and when they are"),
        "draw": ("stages", "draw who of a stage sits at which table"),
        "sheet": ("stages", "the header of the next race of a table"),
        "qualify": ("stages", "enter those who go from a stage into the next"),
        "standings": ("show", "the standings of a season"),
        "races": ("show", "the races, their ids and results"),
        "drivers": ("show", "everybody, and the names they go by"),
        "export": ("files", "a season or a race as a file for other programs, or for print"),
        "import": ("files", "a season that another program, or another league, has written"),
        "rebuild": ("files", "throw the database away and make it again"),
        "serve": ("club", "the club's server, which tables send their records to"),
        "pin": ("club", "the PIN of a club's keeper, shown or renewed"),
        "table": ("club", "give a table of the club its key, or take it away"),
        "push": ("club", "send finished records to the club"),
    },
    "The league of a folder of races: an index of its records, with what you add by hand. "
    "Finished races come in by themselves. docs/league.md has all of it.",
)
