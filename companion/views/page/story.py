"""The story of a race: each event of the engine as one sentence, with the rule behind it.

`SENTENCES` has them by the name of the event, and where an event can go two ways by what
came of it (`OUTCOMES`). An event that nobody has put into words is told by its bare name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.board.track import Track
from companion.views.facts import board_of, name_of
from companion.views.games import Story, views_of
from companion.views.model import Scene
from companion.views.words import Words, phrase, range_text
from companion.views.words.places import corner_name, place_name
from companion.views.words.wear import WEAR

JSON = Mapping[str, Any]

QUIET = frozenset({"TurnBegan", "TurnEnded", "RoundEnded"})
"""Events that have a sentence but no place among the last ones: the next says it all."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One event told: the words, the id of the rule (None: no rule), the seat (0: the table)."""

    text: str
    rule: str | None
    seat: int


def _hurt(event: JSON) -> str:
    return "hurt" if event.get("hurt") else "unhurt"


def _gear(event: JSON) -> str:
    if not event.get("before"):
        return "first"
    return "same" if event.get("gear") == event.get("before") else ""


OUTCOMES: dict[str, Callable[[JSON], str]] = {
    "StartRolled": lambda event: str(event.get("outcome", "normal")),
    "GearEngaged": _gear,
    "Moved": lambda event: "braked" if event.get("brakes") else "",
    "Reported": lambda event: "braked" if event.get("brakes") else "",
    "Overshot": lambda event: "" if event.get("corner") else "somewhere",
    "StopMade": lambda event: "" if event.get("corner") else "somewhere",
    "DebrisLaid": lambda event: "" if event.get("space") else "somewhere",
    "Returned": lambda event: "" if event.get("space") else "somewhere",
    "WeatherRolled": lambda event: str(event.get("weather", "variable")),
    "TiresFitted": lambda event: str(event.get("tires", "hard")),
    "LengthChosen": lambda event: "+".join(event.get("by") or ()),
    "Recovered": lambda event: "police" if event.get("source") == "police" else "",
    "NoiseRolled": lambda event: "hit" if event.get("category") else "missed",
    "RadioHit": lambda event: "hurt" if event.get("cost") else "unhurt",
    "RerollChosen": lambda event: "again" if event.get("again") else "kept",
    "PitChosen": lambda event: str(event.get("stop", "tires")),
    "PitRolled": lambda event: "fast" if event.get("spaces") else "slow",
    "DebrisRolled": _hurt,
    "CollisionRolled": _hurt,
    "EngineTested": _hurt,
}
"""What came of an event that has more than one sentence."""

SENTENCES: dict[tuple[str, str], str] = {
    ("RaceSet", ""): phrase("The race begins."),
    ("GridRolled", ""): phrase("{name} rolls {roll} for the grid."),
    ("GridTied", ""): phrase("Equal on the grid, roll again: {names}."),
    ("GridSet", ""): phrase("The grid: {names}."),
    ("TrialBegan", ""): phrase("{name} begins a time trial."),
    ("TrialOvershot", ""): phrase("{name} overshoots {corner} by {spaces}, which count."),
    ("TrialTimed", ""): phrase("{name} ends the trial with a score of {score}."),
    ("TrialEnded", ""): phrase("The trial of {name} ends in a corner."),
    ("TrialsRanked", ""): phrase("The trials are over: {names}."),
    ("WeatherRolled", "fine"): phrase("The weather is fine, for good."),
    ("WeatherRolled", "variable"): phrase("The weather is variable, and dry."),
    ("WeatherRolled", "variable-rain"): phrase("It rains; the weather is variable."),
    ("WeatherRolled", "rain"): phrase("It rains, for good."),
    ("CarBuilt", ""): phrase("{name} has built the car."),
    ("TiresFitted", "hard"): phrase("{name} takes hard tires."),
    ("TiresFitted", "soft"): phrase("{name} takes soft tires."),
    ("TiresFitted", "rain"): phrase("{name} takes rain tires."),
    ("RoundBegan", ""): phrase("Round {round}: {names}."),
    ("TurnBegan", ""): phrase("{name} is on turn."),
    ("StartRolled", "stalled"): phrase("{name} stalls at the start."),
    ("StartRolled", "normal"): phrase("{name} gets away."),
    ("StartRolled", "great"): phrase("{name} makes a great start!"),
    ("StartRolled", "double"): phrase("{name} makes a great start: the roll counts double!"),
    ("TurnedRound", ""): phrase("{name} is turned round."),
    ("GearEngaged", ""): phrase("{name} changes from gear {before} to {gear}."),
    ("GearEngaged", "first"): phrase("{name} engages gear {gear}."),
    ("GearEngaged", "same"): phrase("{name} stays in gear {gear}."),
    ("OverRevved", ""): phrase("{name} over-revs{cost}."),
    ("DieRolled", ""): phrase("{name} rolls {face}."),
    ("LengthChosen", ""): phrase("{name} goes {spaces}, without a bonus."),
    ("LengthChosen", "soft"): phrase("{name} goes {spaces} on soft tires."),
    ("LengthChosen", "nitro"): phrase("{name} goes {spaces} with nitro."),
    ("LengthChosen", "drift"): phrase("{name} goes {spaces}, with a drift."),
    ("LengthChosen", "nitro+drift"): phrase("{name} goes {spaces}, with nitro and a drift."),
    ("Drifted", ""): phrase("{name} drifts in {corner}{cost}."),
    ("Charmed", ""): phrase("{name} has eyes for {other} only: one space less."),
    ("Moved", ""): phrase("{name} moves {spaces}: {place}."),
    ("Moved", "braked"): phrase("{name} brakes {brakes} and moves {spaces}: {place}."),
    ("Reported", ""): phrase("{name} moves {spaces}."),
    ("Reported", "braked"): phrase("{name} brakes {brakes} of {spaces}."),
    ("RoundEnded", ""): phrase("Round {round} is over."),
    ("EndedNear", ""): phrase("{name} ends beside what the sketch of the board knows: {place}."),
    ("Slipstreamed", ""): phrase("{name} slipstreams behind {other}{cost}."),
    ("SlipstreamDeclined", ""): phrase("{name} lets the slipstream go."),
    ("LineCrossed", ""): phrase("{name} crosses the line: lap {lap}."),
    ("CheckpointPassed", ""): phrase("{name} is through the checkpoint and has new tires."),
    ("Recovered", ""): phrase("The checkpoint mends the car of {name}{gain}."),
    ("Recovered", "police"): phrase("The prize mends the car of {name}{gain}."),
    ("PolicePassed", ""): phrase("{name} passes the police station at {speed}."),
    ("PoliceWon", ""): phrase("{name} was the fastest past the police station, at {speed}."),
    ("NoiseRolled", "hit"): phrase("{name} is shot at, and hit with a {roll}{cost}."),
    ("NoiseRolled", "missed"): phrase("{name} is shot at, and missed with a {roll}."),
    ("RadioThrown", ""): phrase("{name} throws the radio at {other}."),
    ("RadioHit", "hurt"): phrase("The radio hits {other} with a {roll}{cost}."),
    ("RadioHit", "unhurt"): phrase("The radio does {other} no harm, with a {roll}."),
    ("TrailLeft", ""): phrase("{name} leaves debris behind: {place}."),
    ("WeatherThrown", ""): phrase("The weather die shows {roll}; it may be rolled again."),
    ("RerollChosen", "again"): phrase("{name} has the weather rolled again."),
    ("RerollChosen", "kept"): phrase("{name} lets the weather be."),
    ("DebrisRolled", "hurt"): phrase("{name} is hurt by debris with a {roll}{cost}."),
    ("DebrisRolled", "unhurt"): phrase("{name} gets over debris with a {roll}."),
    ("Blocked", ""): phrase("{name} is blocked, {spaces} spaces short{cost}."),
    ("Overshot", ""): phrase("{name} overshoots {corner} by {spaces}{cost}."),
    ("Overshot", "somewhere"): phrase("{name} overshoots by {spaces}{cost}."),
    ("Spun", ""): phrase("{name} spins."),
    ("StopMade", ""): phrase("{name} stops in {corner}: {stops} of {needed}."),
    ("StopMade", "somewhere"): phrase("{name} stops in a corner."),
    ("PitLaneEntered", ""): phrase("{name} drives into the pit lane."),
    ("PitEnteredFast", ""): phrase("{name} comes in too fast and will stand a turn."),
    ("PitTurnBegan", ""): phrase("{name} stands a turn in the box."),
    ("PitTurnServed", ""): phrase("{name} has stood a turn; the stop begins."),
    ("PitStopBegan", ""): phrase("{name} is in the box and has new tires."),
    ("PitRolled", "fast"): phrase("{name} has a fast stop with a {roll}."),
    ("PitRolled", "slow"): phrase("{name} has a slow stop with a {roll}."),
    ("PitChosen", "tires"): phrase("{name} stops for tires only."),
    ("PitChosen", "technical"): phrase("{name} makes a technical stop."),
    ("Repaired", ""): phrase("The car of {name} is repaired."),
    ("PitLeft", ""): phrase("{name} is back on the track."),
    ("CollisionRolled", "hurt"): phrase("{name} hits {other} with a {roll}{cost}."),
    ("CollisionRolled", "unhurt"): phrase("{name} touches {other} without harm, with a {roll}."),
    ("Damaged", ""): phrase("{name} is damaged by {other}{cost}."),
    ("EngineTested", "hurt"): phrase("The engine of {name} suffers, with a {roll}{cost}."),
    ("EngineTested", "unhurt"): phrase("The engine of {name} holds, with a {roll}."),
    ("Eliminated", ""): phrase("{name} is out: {why}."),
    ("WreckLeft", ""): phrase("The car of {name} stands in the way until its next turn."),
    ("WreckLifted", ""): phrase("The car of {name} is taken away."),
    ("Finished", ""): phrase("{name} finishes, place {position}."),
    ("DebrisLaid", ""): phrase("Debris lies here: {place}."),
    ("DebrisLaid", "somewhere"): phrase("Lay debris where {name} stands."),
    ("TurnEnded", ""): phrase("The turn of {name} is over."),
    ("RaceEnded", ""): phrase("The race is over: {names}."),
    ("Corrected", ""): phrase("Corrected by the table: {reason}."),
    ("Retired", ""): phrase("{name} retires: {reason}."),
    ("Returned", ""): phrase("{name} is back in the race: {place}."),
    ("Returned", "somewhere"): phrase("{name} is back in the race."),
    ("TakenBack", ""): phrase("Answers taken back: {answers}."),
}

WHY_OUT = {
    "corner": phrase("too few stops in the corner"),
    "tires": phrase("no tires left"),
    "blocked": phrase("blocked"),
    "body": phrase("no body left"),
    "engine": phrase("no engine left"),
    "handling": phrase("no handling left"),
    "retired": phrase("retired"),
}


def tell(event: JSON, scene: Scene, say: Words) -> Sentence:
    """The sentence of one event."""
    name, seat, rule = str(event["event"]), int(event.get("seat") or 0), event.get("rule")
    story = views_of(scene).story
    outcome = story.outcomes[name](event) if name in story.outcomes else ""
    template = story.sentences.get((name, outcome)) or story.sentences.get((name, ""))
    if template is None:
        return Sentence(name, rule, seat)
    return Sentence(say(template, **story.parts(event, scene, say)), rule, seat)


def last_sentences(scene: Scene, say: Words, most: int = 30) -> list[Sentence]:
    """The end of the story, oldest first."""
    quiet = views_of(scene).story.quiet
    loud = [event for event in scene.log if event["event"] not in quiet]
    names = tuple(name_of(scene, info.seat) for info in scene.seats)
    return [_told_before(event, scene, say, names) for event in loud[-most:]]


_TOLD: dict[tuple[int, str], tuple[JSON, Track | None, tuple[str, ...], Sentence]] = {}
_TOLD_MOST = 1024


def _told_before(event: JSON, scene: Scene, say: Words, names: tuple[str, ...]) -> Sentence:
    """The sentence of an event of the log, made once: an event never changes.

    Known by the event's identity; as the event is kept beside its sentence, that of another
    cannot be the same. Names and board are those of the scene it was told in.
    """
    key = id(event), say.language
    known = _TOLD.get(key)
    if known and known[0] is event and known[1] is board_of(scene) and known[2] == names:
        return known[3]
    if len(_TOLD) >= _TOLD_MOST:
        _TOLD.clear()
    sentence = tell(event, scene, say)
    _TOLD[key] = event, board_of(scene), names, sentence
    return sentence


@dataclass(frozen=True, slots=True)
class _Told:
    """An event's parts in words."""

    event: JSON
    scene: Scene
    say: Words

    def parts(self) -> dict[str, Any]:
        """Everything that a sentence may name."""
        event = self.event
        return {key: value for key, value in event.items() if key != "seat"} | {
            "name": self._name(event.get("seat") or 0),
            "other": self._name(event.get("against") or event.get("behind") or 0),
            "names": ", ".join(map(self._name, event.get("order") or event.get("seats") or ())),
            "roll": self._roll(),
            "place": self._place(event.get("to") or event.get("space") or ""),
            "position": event.get("place"),
            "corner": self._corner(event.get("corner", "")),
            "cost": self._points("cost", "−"),
            "gain": self._points("gain", "+"),
            "why": self._why(),
        }

    def _name(self, seat: int) -> str:
        return name_of(self.scene, seat) if seat else self.say("the table")

    def _roll(self) -> str:
        roll = self.event.get("roll")
        return range_text(roll) if isinstance(roll, list | tuple) else str(roll)

    def _place(self, space: str) -> str:
        track = self.scene.track
        if track is None or space not in track.index:
            return space
        return place_name(track, track.index[space], self.say)

    def _corner(self, corner: str) -> str:
        """A corner by the name that people know: an event may have its label, T5."""
        track = board_of(self.scene)
        labels = [each.label for each in track.corners] if track else []
        if track is None or corner not in labels:
            return corner
        return corner_name(track, labels.index(corner), self.say)

    def _points(self, key: str, sign: str) -> str:
        points = self.event.get(key) or {}
        told = ", ".join(
            f"{self.say(WEAR.get(name, name))} {sign}{n}" for name, n in points.items() if n
        )
        return f" ({told})" if told else ""

    def _why(self) -> str:
        why = str(self.event.get("why", ""))
        return self.say(WHY_OUT[why]) if why in WHY_OUT else why


def _parts(event: JSON, scene: Scene, say: Words) -> dict[str, Any]:
    return _Told(event, scene, say).parts()


FORMULA = Story(SENTENCES, OUTCOMES, _parts, QUIET)
"""The story of the Formula games."""
