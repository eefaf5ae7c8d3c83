"""Forms of the league's pages, made of the classes of acts: which fields, how they are read, within
which bounds, and whether they may stay empty, the act's own fields say.

Here stands what only a page knows: which forms there are, who needs them (friends, a season, a
club), how their fields are called in words, and what is said once it is done.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, replace
from functools import cache
from typing import Any, Final, get_type_hints

from companion.league import acts
from companion.league.acts import Act
from companion.league.forms import (
    LONGEST_TEXT,
    Amount,
    By,
    CrewForm,
    PersonForm,
    day_text,
    free_text,
    truth,
)
from companion.rules.codec import Flag, Maybe, OneOf, Within, Word
from companion.system.frozen import dataclass
from companion.views.words import Words, phrase

# -- fields ---------------------------------------------------------------------------------------


LABELS: Final[Mapping[str, str]] = {
    "absent": phrase("for"),
    "adds": phrase("Its points are in the sum"),
    "ban": phrase("rounds banned"),
    "best": phrase("Best rounds that count; empty: all"),
    "board": phrase("Board"),
    "bonus": phrase("bonus points"),
    "by": phrase("Places of"),
    "cancelled": phrase("Reason"),
    "color": phrase("Color of the car"),
    "comes": phrase("Comes"),
    "competition": phrase("Competition"),
    "confirm": phrase("What tables send"),
    "crew": phrase("Crew: names with commas"),
    "crews": phrase("Points of a car with a crew"),
    "current_round": phrase("Round of records that come in"),
    "date": phrase("Date"),
    "disqualified": phrase("disqualified"),
    "driver": phrase("Driver"),
    "drops": phrase("Worst rounds dropped"),
    "factor": phrase("Points count so many times"),
    "first": phrase("From place"),
    "grid": phrase("places lost on the next grid"),
    "half_under": phrase("Half points under this share of the laps"),
    "into": phrase("go into"),
    "is_open": phrase("Open: finished races go into it"),
    "is_private": phrase("Hide from strangers"),
    "laps": phrase("Laps"),
    "last": phrase("to place"),
    "licence": phrase("licence points"),
    "name": phrase("Name"),
    "number": phrase("Number"),
    "pack": phrase("Rules pack"),
    "person": phrase("Name"),
    "places": phrase("places lost"),
    "planned": phrase("Rounds planned"),
    "points": phrase("points taken"),
    "race": phrase("Race"),
    "ranking": phrase("Decided by"),
    "reason": phrase("Reason"),
    "role": phrase("Drives as"),
    "round": phrase("Round"),
    "season": phrase("Season"),
    "seconds": phrase("seconds"),
    "since": phrase("From round; empty: the whole season"),
    "stage": phrase("Kind of stage"),
    "step": phrase("Step, later ones stand above"),
    "table": phrase("Table"),
    "team": phrase("Team"),
    "team_cars": phrase("Cars that count for a team; empty: all"),
    "text": phrase("Note on the night"),
    "tier": phrase("Tier of a division, 1 is the upper"),
    "ties": phrase("Equal points are decided by"),
    "title": phrase("Title"),
    "until": phrase("Last round"),
    "upheld": phrase("Decision"),
    "weather": phrase("Weather for all tables"),
}
"""What a field is called, by its name in the act."""
CHOICES: Final[Mapping[str, Mapping[str, str]]] = {
    "crews": {"car": phrase("go to the car"), "each": phrase("go to each of the crew")},
    "by": {"standings": phrase("the standings"), "race": phrase("every race")},
    "confirm": {
        "at-once": phrase("counts at once"),
        "by-hand": phrase("waits until it is confirmed"),
    },
    "comes": {"true": phrase("yes, comes"), "false": phrase("no, does not come")},
    "upheld": {"true": phrase("upheld"), "false": phrase("turned down")},
    "weather": {"fine": phrase("fine"), "variable": phrase("variable"), "rain": phrase("rain")},
    "ranking": {
        "sum": phrase("the points of all stages together"),
        "stages": phrase("the last stage that somebody reached"),
    },
    "stage": {
        "season": phrase("season"),
        "division": phrase("division"),
        "trials": phrase("time trials"),
        "heats": phrase("heats"),
        "final": phrase("final"),
        "knockout": phrase("knockout"),
        "sprint": phrase("sprint"),
    },
    "role": {
        "regular": phrase("regular driver"),
        "reserve": phrase("reserve: own points, the other's team"),
        "joker": phrase("joker: points for the other"),
        "organiser": phrase("do all that the keeper can"),
        "steward": phrase("confirm, amend and decide"),
        "marshal": phrase("enter, confirm and penalize at one table"),
        "driver": phrase("protest in their own name"),
    },
}
"""What the words of an act mean, by the field that has them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A field as a page asks for it.

    Args:
        name: of the act's field. `key`: what JSON calls it, where that is not its name.
        kind: of its element: text, number, date, checkbox, select, textarea, hidden.
        marks: how `js/acts.js` reads it: null, truth, number, list, both.
        people: whether names are offered.
    """

    name: str
    label: str
    key: str = ""
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


@cache
def fields_of(word: str) -> Mapping[str, Field]:
    """What the class of a kind of acts says of each of its fields."""
    kind = Act.kinds[word]
    defaults = {one.name: one.default for one in fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    return {name: _field(name, hints[name], defaults[name] is MISSING) for name in defaults}


def _field(name: str, hint: Any, is_needed: bool) -> Field:
    notes = getattr(hint, "__metadata__", ())
    key = next((one.name for one in notes if isinstance(one, Word) and one.name), name)
    form = next((one for one in notes if hasattr(one, "read")), None)
    marks: tuple[str, ...] = ()
    if isinstance(form, Maybe):
        form, marks, is_needed = form.form, ("null",) if is_needed else ("may-be-null",), False
    own = Field(name=name, key=key, label=LABELS.get(name, name), is_needed=is_needed, marks=marks)
    match form:
        case Within():
            return replace(own, kind="number", low=form.low, high=form.high)
        case Amount():
            return replace(own, kind="number", low=form.low, high=form.high, step="any")
        case OneOf():
            known = CHOICES.get(name, {})
            return replace(own, options=[(one, known.get(one, one)) for one in form.words])
        case Flag():
            return _flag(own)
        case PersonForm():
            return replace(own, people=True)
        case CrewForm():
            return replace(own, marks=("list",))
        case By():
            return replace(own, **BY.get(form.function, {}))
    return own


def _flag(own: Field) -> Field:
    """One that has to be said is chosen, as no box says whether somebody has looked at it."""
    if own.is_needed:
        return replace(own, options=[*CHOICES[own.name].items()], marks=("truth",))
    return replace(own, kind="checkbox", marks=("both",))


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
        labels: what a field is called here alone.
        titled: the field whose text is the title too.
        is_final: it cannot be undone, and asks for the name a second time.
    """

    act: type[Act]
    title: str
    asks: tuple[str, ...] = ()
    go: str
    done: str = ""
    needs: tuple[str, ...] = ()
    post: str = ""
    about: str = ""
    labels: Mapping[str, str]
    titled: str = ""
    is_final: bool = False


def _form(
    act: type[Act], asks: str, title: str, go: str, done: str = "", needs: str = "", **more: Any
) -> Form:
    return Form(
        act=act,
        title=title,
        asks=tuple(asks.split()),
        go=go,
        done=done,
        needs=tuple(needs.split()),
        labels=more.pop("labels", {}),
        **more,
    )


OF_PENALTY = "points bonus grid ban licence seconds reason"
KEYS = "/api/league/keys"
DRAW = "/api/league/draw"
DONE = phrase("It is in the league now.")

MERGE = _form(
    acts.Merge,
    "name into",
    "Two names, one person",
    "Merge",
    "{name} and {into} are one person in the league now.",
    labels={"name": phrase("This name"), "into": phrase("belongs to")},
)
SEASON = _form(
    acts.SetSeason,
    "season points best",
    "A new season",
    "Begin the season",
    "{season} is in the league now; finished races go into it.",
    titled="season",
    labels={"season": phrase("Title"), "points": phrase("Points")},
)
CLUB: Final[Mapping[str, Form]] = {
    one.act.kind if not one.post else one.title: one
    for one in (
        _form(
            acts.Rename,
            "driver name",
            "Is called from now on",
            "Change it",
            "{driver} is {name} in the league now.",
        ),
        _form(
            acts.Part, "name", "Two people after all", "Part", labels={"name": phrase("This name")}
        ),
        _form(acts.Hide, "driver", "Hide from strangers", "Hide"),
        _form(acts.Reveal, "driver", "Show again", "Show again"),
        _form(acts.Confirm, "race", "A provisional result", "Confirm it"),
        _form(acts.Protest, "driver race reason", "A protest", "Protest"),
        _form(acts.RunClub, "confirm", "What tables send", "Change it"),
        _form(acts.OpenTable, "table", "A table's key", "Make the key", post=KEYS),
        _form(acts.CloseTable, "table", "A table may send no more", "Take it away"),
        _form(
            acts.Appoint,
            "person role table",
            "A link for somebody",
            "Make the link",
            post=KEYS,
            labels={"role": phrase("May"), "table": phrase("Table of a marshal")},
        ),
        _form(acts.Dismiss, "person", "Somebody's link is no longer good", "Take it away"),
        _form(
            acts.Forget,
            "driver",
            "Forget a person",
            "Forget",
            "The name is forgotten; results stand without it in the league now.",
            post="/api/league/forget",
            about=phrase(
                "The name is erased from every page, file and replay, for good: this cannot be "
                "undone. Results stay, without it."
            ),
            is_final=True,
        ),
    )
}
ENTER = _form(acts.Enter, "driver number color team crew role until", "Enter a driver", "Enter")
STAGE: Final = (
    _form(
        acts.SetTeam,
        "driver team since",
        "Another team",
        "Change it",
        labels={"team": phrase("Team; empty: that of the race")},
    ),
    _form(acts.StandFor, "round driver absent", "Somebody stands in", "Enter", needs="absent"),
    _form(
        acts.Plan,
        "round date title board pack laps weather",
        "A round of the calendar",
        "Put it in",
    ),
    _form(acts.Plan, "round cancelled", "A round is not driven", "Call it off", needs="cancelled"),
    _form(acts.Come, "round driver comes", "Who comes", "Say so"),
    _form(
        acts.OpenPath,
        "first last by into",
        "Places that lead on",
        "Make it",
        about=phrase("Places below 0 count from the end: -1 is the last."),
    ),
    _form(
        acts.Penalize,
        f"driver team round {OF_PENALTY.replace(' seconds', '')}",
        "A penalty for the season",
        "Give the penalty",
        labels={"team": phrase("or team"), "round": phrase("after round; empty: the whole season")},
    ),
)
SETTINGS = _form(
    acts.SetSeason,
    "title points drops best team_cars ties half_under planned current_round is_open is_private "
    "competition stage step tier adds licence crews",
    "Settings",
    "Change it",
    needs="title points",
    labels={
        "points": phrase("Points"),
        "licence": phrase("Licence points that are a ban; empty: none"),
    },
)
CONFIRM = CLUB[acts.Confirm.kind]
STRIKE = _form(acts.Strike, "reason", "Strike the race", "Strike the race")
RESTORE = _form(acts.Restore, "", "Let the race count again", "Let the race count again")
OF_RACE: Final = (
    _form(
        acts.PlaceRace,
        "season round factor points",
        "Season and round",
        "Change it",
        labels={"points": phrase("Points of its own (a sprint)")},
    ),
    _form(
        acts.Penalize,
        f"driver places disqualified {OF_PENALTY}",
        "A penalty",
        "Give the penalty",
        needs="driver",
    ),
    _form(acts.AddNote, "text", "Note on the night", "Add the note"),
)
LIFT = _form(acts.Lift, "reason", "Lift the penalty", "Lift the penalty")
DECIDE = _form(acts.Decide, "upheld reason", "Decide the protest", "Decide the protest")
CUP: Final = {
    "new": _form(
        acts.SetCompetition,
        "competition ranking",
        "A new competition",
        "Make it",
        titled="competition",
        labels={"competition": phrase("Title")},
    ),
    "stage": _form(
        acts.SetSeason,
        "season stage points step tier adds",
        "A new stage",
        "Make it",
        titled="season",
        labels={"season": phrase("Title"), "points": phrase("Points")},
    ),
    "add": _form(acts.SetSeason, "season", "A season that is there becomes a stage", "Add it"),
    "settings": _form(acts.SetCompetition, "title ranking", "Settings", "Change it", needs="title"),
}


Options = Mapping[str, Sequence[tuple[str, str]]]
"""What is offered of what there is, by the field: keys and what they are called."""


def asked(form: Form, say: Words, values: Mapping[str, object], options: Options) -> list[Field]:
    """The fields of a form in words, with what they have now and what they offer."""
    known = fields_of(form.act.kind)
    return [_asked(known[name], form, say, values, options) for name in form.asks]


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
    return replace(
        own,
        label=say(form.labels.get(own.name, own.label)),
        kind="select" if offered else own.kind,
        options=offered,
        is_needed=is_needed,
        value=values.get(own.name),
        marks=tuple(marks),
    )


TITLES: Final[Mapping[str, str]] = {
    **{
        one.act.kind: one.title
        for one in (*CUP.values(), SETTINGS, ENTER, *STAGE[::-1], *OF_RACE, *CLUB.values(), MERGE)
    },
    **{one.act.kind: one.title for one in (STRIKE, RESTORE, LIFT, DECIDE)},
    "record": phrase("A race came from the table"),
    "received": phrase("A race came from a table"),
    "race": phrase("An evening was added"),
    "amend": phrase("The result was mended"),
    "round": phrase("Its season and round"),
    "season": phrase("A season"),
    "undo": phrase("Something was undone"),
    "enter": phrase("Somebody was entered"),
    "scratch": phrase("Somebody was struck off"),
    "team": phrase("A team"),
    "unplan": phrase("A round left the calendar"),
    "close-path": phrase("A way was closed"),
    "forget": phrase("Somebody was forgotten"),
    "confirm": phrase("A result was confirmed"),
}
"""What each kind of act is called on the page of what was done."""
