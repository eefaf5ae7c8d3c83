"""A season's rounds as a file that other calendars read."""

from __future__ import annotations

from pathlib import Path

from support.leagues.records import do

from companion.league.exchange.outside import forms
from companion.league.games import measure
from companion.league.league import League


def test_a_calendar_is_a_file_that_calendars_read(tmp_path: Path) -> None:
    plan = {"act": "plan", "season": "s"}
    with League(tmp_path, now=lambda: "2026-03-01T12:00:00", measure=measure) as league:
        do(
            league,
            {"act": "season", "season": "s", "title": "Winter, 2026"},
            {
                **plan,
                "round": 1,
                "date": "2026-11-30",
                "board": "Monza; " + "é" * 20,
                "pack": "wet",
            },
            {**plan, "round": 2, "date": "2026-12-07T19:30", "cancelled": "snow"},
            {**plan, "round": 3},
            by="t",
        )
        text = forms()["calendar"].writer()(league.queries, "s").decode()
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    lines = text.replace("\r\n ", "").split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2] == "END:VCALENDAR"
    assert lines.count("BEGIN:VEVENT") == 2
    assert {"DTSTART;VALUE=DATE:20261130", "DTEND;VALUE=DATE:20261201"} <= {*lines}
    assert {"DTSTART:20261207T193000", "STATUS:CANCELLED", "DESCRIPTION:wet"} <= {*lines}
    assert f"LOCATION:Monza\\; {'é' * 20}" in lines
