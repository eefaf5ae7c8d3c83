"""Forms, grids and place cards of a tournament day: pages of HTML for A4, one for each table.

A file stands for itself, with its style in it and nothing from elsewhere, so that it is printed the
same from the page and from a disk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape

from companion.league.ports import LeagueQueries
from companion.league.report.print_style import STYLE
from companion.league.sheets import Car, TableSheet, numbers_of, paints_of, table_sheets
from companion.views.words import Words, phrase, phrases, words
from companion.views.words.colors import COLOR_WORDS

LINES = 3
"""For notes, on a form."""
WEATHER = {"fine": phrase("fine"), "variable": phrase("variable"), "rain": phrase("rain")}
TRIAL_HEADS = phrases("Rolls | Overshoot | Errors | Minutes | Time | Score")
BANNED = phrase("{name} is banned from round {n}: {reason}")
RACE_HEADS = phrases("Place | Laps | Out: why")
BLANK = '<td class="blank"></td>'
Print = Callable[[TableSheet, Words], str]


def _write(print_one: Print, queries: LeagueQueries, key: str, *, language: str = "en") -> bytes:
    """The pages of the round that a stage drives next, as a file.

    Raises:
        BadAct: there is no such stage, or nobody is entered for the round.
    """
    sheets, say = table_sheets(queries, key), words(language)
    title = escape(f"{sheets[0].season.title}, {say('Round').lower()} {sheets[0].round}")
    pages = "\n".join(_page(one, print_one(one, say), say) for one in sheets)
    head = f'<meta charset="utf-8"><title>{title}</title><style>{STYLE}</style>'
    return f'<!doctype html>\n<html lang="{language}">\n{head}\n{pages}\n</html>\n'.encode()


def _page(sheet: TableSheet, content: str, say: Words) -> str:
    title = sheet.season.title
    heading = title if sheet.table is None else say("Table {name}", name=sheet.table)
    planned = sheet.planned
    about = [title if sheet.table is not None else "", f"{say('Round')} {sheet.round}"]
    if planned is not None:
        laps = say.many("{n} lap", "{n} laps", planned.laps) if planned.laps else ""
        weather = say(WEATHER[planned.weather]) if planned.weather else ""
        about += [planned.board or "", laps, weather, (planned.date or "").replace("T", " ")]
    told = " · ".join(escape(part) for part in about if part)
    told_of = (say(BANNED, name=one.name, n=one.round, reason=one.reason) for one in sheet.banned)
    banned = "".join(f'<p class="told">{escape(one)}</p>' for one in told_of)
    return (
        f"<section><header><h1>{escape(heading)}</h1><p>{told}</p></header>{banned}{content}"
        "</section>"
    )


# -- forms ------------------------------------------------------------------------------------


def _form(sheet: TableSheet, say: Words) -> str:
    is_trials = sheet.season.kind == "trials"
    blank = TRIAL_HEADS if is_trials else RACE_HEADS
    heads = ["#", say("Driver"), say("Color"), *([] if is_trials else [say("Grid")])]
    paints = paints_of(sheet)
    numbers = numbers_of(sheet)
    rows = "".join(
        _row(car, numbers[car.seat], paints[car.seat], len(blank), say, is_trials)
        for car in sheet.cars
    )
    head = "".join(f"<th>{escape(one)}</th>" for one in (*heads, *map(say, blank)))
    notes = f'<div class="lines">{escape(say("Notes"))}{"<p></p>" * LINES}</div>'
    signed = (say("Marshal"), say("Time"), *([] if is_trials else [say("Winner")]))
    sign = "".join(f"<p>{escape(one)}</p>" for one in signed)
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'{table}{notes}<div class="sign">{sign}</div>'


def _row(car: Car, number: int, paint: str, blanks: int, say: Words, is_trials: bool) -> str:
    grid = "" if is_trials else f'<td class="n">{car.grid or ""}</td>'
    return (
        f'<tr><td class="n">{_disc(number, paint)}</td><td>{_who(car)}</td>'
        f"<td>{escape(say(COLOR_WORDS[paint]))}</td>{grid}"
        f"{BLANK * blanks}</tr>"
    )


# -- grids ------------------------------------------------------------------------------------


def _grid(sheet: TableSheet, say: Words) -> str:
    paints = paints_of(sheet)
    if any(car.grid is None for car in sheet.cars):
        told = say("The table settles its grid; places to lose stand with the names.")
        cars: Sequence[Car] = sheet.cars
    else:
        told, cars = "", sorted(sheet.cars, key=lambda car: car.grid or 0)
    numbers = numbers_of(sheet)
    boxes = "".join(_box(car, numbers[car.seat], paints[car.seat], say) for car in cars)
    note = f'<p class="told">{escape(told)}</p>' if told else ""
    return f'{note}<ol class="grid">{boxes}</ol>'


def _box(car: Car, number: int, paint: str, say: Words) -> str:
    lost = say.many("{n} place lost on the grid", "{n} places lost on the grid", car.lost)
    more = f"<small>{escape(lost)}</small>" if car.lost else ""
    return f"<li><b>{car.grid or '–'}</b>{_disc(number, paint)}<span>{_who(car)}{more}</span></li>"


# -- place cards ------------------------------------------------------------------------------


def _cards(sheet: TableSheet, say: Words) -> str:
    paints = paints_of(sheet)
    return f'<div class="cards">{"".join(_each_card(sheet, paints, say))}</div>'


def _each_card(sheet: TableSheet, paints: dict[int, str], say: Words) -> Iterator[str]:
    numbers = numbers_of(sheet)
    for car in sheet.cars:
        paint = paints[car.seat]
        table = "" if sheet.table is None else say("Table {name}", name=sheet.table)
        at = " · ".join(part for part in (table, say(COLOR_WORDS[paint])) if part)
        number = numbers[car.seat]
        yield (
            f'<article class="card"><span class="number c-{paint}">{number}</span>'
            f'<div>{_who(car)}<p class="at">{escape(at)}</p></div></article>'
        )


def _disc(number: int, paint: str) -> str:
    return f'<span class="disc c-{paint}">{number}</span>'


def _who(car: Car) -> str:
    """Name, crew and team."""
    more: Iterable[str] = (", ".join(car.crew), car.team or "")
    small = "".join(f"<small>{escape(one)}</small>" for one in more if one)
    return f'<span class="who">{escape(car.name)}</span>{small}'


write_forms = partial(_write, _form)
write_grids = partial(_write, _grid)
write_cards = partial(_write, _cards)
