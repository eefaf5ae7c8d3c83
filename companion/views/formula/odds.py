"""The odds of each gear in words, for whoever asks: what may happen, and what it costs in turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction

from companion.views import screen
from companion.views.formula.parts import percent
from companion.views.model import Chances, Key, Mark, Scene
from companion.views.words import LANGUAGES, LINE_COLUMNS, Words, phrase, phrases, words


def odds_of(scene: Scene, seat: int) -> Mapping[int, Chances]:
    """The chances of a seat's gears, worked out once a scene; none where none are told."""
    # `once` knows a piece of work by its function alone, and this one differs from seat to seat.
    key = ("odds", seat)
    if key not in scene.known:
        is_on = scene.advise is not None and scene.state is not None
        scene.known[key] = scene.advise(scene.state, seat) if is_on and scene.advise else {}
    found: Mapping[int, Chances] = scene.known[key]  # type: ignore[assignment]
    return found


def odds_page(talk: screen.Talk) -> screen.Screen:
    """Gears on the buttons of the gear gate, each with its risk; the picked one in words.

    The first that is picked is the best. Whoever presses the picked one goes back; so does the last
    button that has no gear.
    """
    found, say = odds_of(talk.scene, talk.seat), talk.say
    if not found:
        text = say("Odds are told before a roll, where the board is known exactly.")
        return screen.Screen(
            say("Odds"), **screen.spoken(text, 3), choices=screen.any_button(screen.HOME)
        )
    best, picked = _best_of(found), talk.dialog.number
    picked = picked if picked in found else best
    free = [button for button in range(1, screen.KEYS + 1) if button not in found]
    choices: dict[int, screen.Choice | None] = {button: talk.back() for button in free[-1:]}
    for gear, chances in found.items():
        onward = screen.HOME if gear == picked else talk.turn_to("odds", number=gear)
        choices[gear] = screen.Choice(_key(gear, chances, is_picked=gear == picked), then=onward)
    return screen.Screen(
        say("Odds of {gear}", gear=say.nth(picked)),
        _fitting(say, found, picked),
        screen.at(choices),
        asks=say("The odds of each gear"),
        tells=tuple(sentence(say, found, gear) for gear in found),
    )


def _best_of(found: Mapping[int, Chances]) -> int:
    """The gear with the fewest turns to come; where nobody knows those, the highest safest one."""

    def rank(gear: int) -> tuple[float, Fraction, int]:
        one = found[gear]
        turns = 0.0 if one.turns is None else one.turns
        return turns, one.out + one.spin + sum(one.overshoot.values()), -gear

    return min(found, key=rank)


def sentence(say: Words, found: Mapping[int, Chances], gear: int) -> str:
    """A gear in words: "4th: 31 % to overshoot; costs 0.4 turns more than 3rd"."""
    risks, turns = _risk_words(say, found[gear], RISKS), _turns(say, found, gear)
    if not turns:
        return say("{gear}: {risks}", gear=say.nth(gear), risks=risks)
    return say("{gear}: {risks}; {turns}", gear=say.nth(gear), risks=risks, turns=turns)


RISKS = {
    "overshoot": phrase("{n} % to overshoot"),
    "spin": phrase("{n} % to spin"),
    "out": phrase("{n} % to be out"),
}
IN_SHORT = dict(zip(RISKS, phrases("{n}% over | {n}% spin | {n}% out"), strict=True))
"""The same for a small screen, where there is no room for the whole."""


def _risk_words(say: Words, one: Chances, texts: Mapping[str, str]) -> str:
    if one.out == 1:
        return say("puts the car out")
    risks = [say(texts[name], n=percent(n)) for name, n in _risks(one) if n]
    return ", ".join(risks) or say("no overshoot")


SAME = 0.05
"""Turns by which two gears are told apart."""
PLURAL = 2
"""Turns from which French has the plural; English has it for all but 1.0."""


def _turns(say: Words, found: Mapping[int, Chances], gear: int, *, brief: bool = False) -> str:
    """What a gear costs beside the best one; "" where nobody knows."""
    best = _best_of(found)
    mine, least = found[gear].turns, found[best].turns
    if mine is None or least is None or found[gear].out == 1:
        return ""
    more, than = say.tenths(mine - least), say.nth(best)
    if gear == best:
        pattern = phrase("{turns} turns to go") if brief else phrase("{turns} turns to the finish")
        return say(pattern, turns=say.tenths(mine))
    if mine - least < SAME:
        return say("as good as {gear}", gear=than)
    if brief:
        return say("{turns} more than {gear}", turns=more, gear=than)
    # The form goes by what is read: 0.96 turns are written "1.0", which is singular.
    form = 1 if more in ("1.0", "1,0") else 2 * (mine - least >= PLURAL)
    places = {"turns": more, "gear": than}
    return say.many(
        "costs {turns} turn more than {gear}",
        "costs {turns} turns more than {gear}",
        form,
        **places,
    )


def _fitting(say: Words, found: Mapping[int, Chances], gear: int) -> tuple[str, ...]:
    """A gear on two lines of a small screen: risks in short where they must be, and turns."""
    risks = _risk_words(say, found[gear], RISKS)
    if len(risks) > LINE_COLUMNS:
        risks = _risk_words(say, found[gear], IN_SHORT).replace(",", "")
    return risks, _turns(say, found, gear, brief=True)


def _key(gear: int, chances: Chances, *, is_picked: bool) -> Key:
    risk = sum(n for _, n in _risks(chances))
    mark: Mark = "out" if chances.out == 1 else "old" if is_picked else "costs" if risk else "free"
    return screen.make_key(str(gear), f"{percent(risk)} %", mark)


def _risks(chances: Chances) -> Iterator[tuple[str, Fraction | int]]:
    yield "overshoot", sum(chances.overshoot.values())
    yield "spin", chances.spin
    yield "out", chances.out


def for_page(scene: Scene, seat: int) -> dict[str, object]:
    """The odds of a seat as the page has them: figures by gear, and a sentence each."""
    found = odds_of(scene, seat)
    said = {code: [sentence(words(code), found, gear) for gear in found] for code in LANGUAGES}
    return {"gears": {str(gear): _figures(one) for gear, one in found.items()}, **said}


def _figures(one: Chances) -> dict[str, object]:
    beyond = {str(n): float(chance) for n, chance in sorted(one.overshoot.items())}
    risks = {"overshoot": beyond, "spin": float(one.spin), "out": float(one.out)}
    return {**risks, "turns": one.turns}
