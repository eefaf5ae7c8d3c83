"""Forms of the league's pages, made of the classes of acts: what is asked for, how it is called and
read, within which bounds, and whether it may stay empty, the act's own fields say.

Here stands what only a page knows: which forms there are, and who needs them (friends, a season, a
club).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from companion.league import acts
from companion.league.acts import Act
from companion.league.forms import (
    DIGEST,
    LONGEST_TEXT,
    Amount,
    Asked,
    By,
    CrewForm,
    PersonForm,
    asked_in,
    day_text,
    free_text,
    truth,
)
from companion.rules.codec import Flag, OneOf, Within
from companion.system.frozen import dataclass
from companion.views.words import Words, phrase, phrases

# -- fields ---------------------------------------------------------------------------------------


NAMED: Final = phrases(
    "Board | Competition | Date | Driver | Laps | Name | Number | Race | Reason | Round | Season"
    " | Table | Team | Title"
)
"""What fields are called that say nothing else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field as a page asks for it.

    Args:
        name: of the act's field. `key`: what JSON calls it.
        kind: of its element: text, number, date, checkbox, select, textarea, hidden.
        marks: how `js/acts.js` reads it: null, truth, number, list, both.
        people: whether names are offered.
    """

    name: str
    label: str
    key: str
    kind: str = "text"
    low: float | None = None
    high: float | None = None
    step: str | None = None
    is_needed: bool = False
    options: Sequence[tuple[str, str]] = ()
    value: object = None
    marks: tuple[str, ...] = ()
    people: bool = False
    most: int | None = None


def field_of(one: Asked) -> Field:
    """A field, out of what the class of a kind of acts says of it."""
    own = Field(name=one.name, key=one.key, label=one.says.text, is_needed=one.is_needed)
    if one.may_be_null:
        marks = ("null",) if one.is_needed else ("may-be-null",)
        own = replace(own, marks=marks, is_needed=False)
    match one.form:
        case Within(low=low, high=high):
            return replace(own, kind="number", low=low, high=high)
        case Amount(low=low, high=high):
            return replace(own, kind="number", low=low, high=high, step="any")
        case OneOf(words=words):
            return replace(own, options=_called(words, one.says.words))
        case Flag() if own.is_needed:  # no box says whether somebody has looked at it
            options = _called(("true", "false"), one.says.words)
            return replace(own, options=options, marks=("truth",))
        case Flag():
            return replace(own, kind="checkbox", marks=("both",))
        case PersonForm():
            return replace(own, people=True)
        case CrewForm():
            return replace(own, marks=("list",))
        case By(function=function):
            return replace(own, **BY.get(function, {}))
    return own


def _called(values: Sequence[str], words: str) -> list[tuple[str, str]]:
    """Values, and what they are called."""
    return list(zip(values, words.split(" | ") if words else values, strict=True))


BY: Final[Mapping[object, dict[str, Any]]] = {
    truth: {"kind": "checkbox"},
    day_text: {"kind": "date"},
    free_text: {"most": LONGEST_TEXT},
}


# -- forms ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of a page.

    Args:
        act: the kind of act that it becomes.
        asks: the fields that are asked for, in their order. `needs`: those that have to be said
            though the act does not ask for them.
        done: what is said then, with fields in braces.
        post: where it goes that is more than an act.
        about: a sentence before the fields.
        titled: the field whose text is the title too.
        either: what the field of a team is called beside that of a driver.
        is_final: it cannot be undone, and asks for the name a second time.
    """

    act: type[Act]
    title: str
    asks: Sequence[str]
    needs: Sequence[str]
    go: str
    done: str
    post: str = ""
    about: str = ""
    titled: str = ""
    either: str = ""
    is_final: bool = False


def make_form(act: type[Act], asks: str = "", needs: str = "", but: str = "", **more: Any) -> Form:
    """The form of a kind of act, with what is otherwise than the class says it; without `asks` it
    has all fields `but` some, and the reason last."""
    own = {"title": act.called, "go": act.go, "done": act.done, **more}
    may = (one.name for one in asked_in(act).values() if one.form is not DIGEST)
    every = sorted((one for one in may if one not in but.split()), key="reason".__eq__)
    return Form(act=act, asks=asks.split() or every, needs=needs.split(), **own)


KEYS = "/api/league/keys"
DONE = phrase("It is in the league now.")

MERGE = make_form(acts.Merge)
SEASON = make_form(
    acts.SetSeason,
    "season points best",
    title=phrase("A new season"),
    go=phrase("Begin the season"),
    done=phrase("{season} is in the league now; finished races go into it."),
    titled="season",
)
FORGET = make_form(
    acts.Forget,
    title=phrase("Forget a person"),
    post="/api/league/forget",
    about=phrase(
        "The name is erased from every page, file and replay, for good: this cannot be "
        "undone. Results stay, without it."
    ),
    is_final=True,
)
CONFIRM = make_form(acts.Confirm, title=phrase("A provisional result"))
CLUB: Final[Mapping[str, Form]] = {
    one.act.kind: one
    for one in (
        *map(make_form, (acts.Rename, acts.Part, acts.Hide, acts.Reveal)),
        CONFIRM,
        make_form(acts.Protest, "driver race reason"),
        make_form(acts.RunClub),
        make_form(acts.OpenTable, post=KEYS),
        make_form(acts.CloseTable),
        make_form(acts.Appoint, post=KEYS),
        make_form(acts.Dismiss),
        FORGET,
    )
}
STAGE: Final = (
    make_form(acts.SetTeam, title=phrase("Another team")),
    make_form(acts.Plan, but="cancelled"),
    make_form(
        acts.Plan,
        "round cancelled",
        "cancelled",
        title=phrase("A round is not driven"),
        go=phrase("Call it off"),
    ),
    make_form(acts.Come),
    make_form(
        acts.Penalize,
        but="race places disqualified seconds",
        title=phrase("A penalty for the season"),
        either=phrase("or team"),
    ),
)
SETTINGS = make_form(
    acts.SetSeason,
    needs="title points",
    title=phrase("Settings"),
    go=phrase("Change it"),
)
STRIKE, RESTORE, LIFT, DECIDE = map(make_form, (acts.Strike, acts.Restore, acts.Lift, acts.Decide))
OF_RACE: Final = (
    make_form(acts.PlaceRace, title=phrase("Season and round")),
    make_form(acts.Penalize, needs="driver", but="team season round"),
    make_form(acts.AddNote),
)
Options = Mapping[str, Sequence[tuple[str, str]]]
"""What is offered of what there is, by the field: keys and what they are called."""


def asked(form: Form, say: Words, values: Mapping[str, object], options: Options) -> list[Field]:
    """The fields of a form in words, with what they have now and what they offer."""
    known = asked_in(form.act)
    return [_asked(field_of(known[name]), form, say, values, options) for name in form.asks]


def _asked(
    own: Field, form: Form, say: Words, values: Mapping[str, object], options: Options
) -> Field:
    is_needed = own.is_needed or own.name in form.needs
    offered = [*options.get(own.name, [(key, say(text)) for key, text in own.options])]
    if offered and not is_needed:
        offered = [("", "–"), *offered]
    marks = [one for one in own.marks if not is_needed or one == "truth"]
    if "may-be-null" in marks:  # where it shows what is there, an empty field takes it away
        marks = ["null"] if own.name in values else []
    label = form.either if form.either and own.name == "team" else own.label
    return replace(
        own,
        label=say("Title" if own.name == form.titled else label),
        kind="select" if offered else own.kind,
        options=offered,
        is_needed=is_needed,
        value=values.get(own.name),
        marks=tuple(marks),
    )
