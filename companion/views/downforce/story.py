"""The story of a game of Downforce: each event as one sentence. What is secret is in none."""

from __future__ import annotations

from companion.views.downforce.menu import LEFT
from companion.views.downforce.words import bet_word, car_word, car_words, card_word, power_word
from companion.views.games import Event, Outcomes, Story, name_of
from companion.views.model import Scene
from companion.views.words import Words, phrase

QUIET = frozenset({"TurnBegan", "BidMade", "BetMade", "CardLeftHand"})
"""Who has answered in secret is told as long as it matters, by who has not."""


def _lot(event: Event) -> str:
    if event.get("again"):
        return "again"
    return "" if event.get("power") else "bare"


OUTCOMES: Outcomes = {
    "LotTurned": _lot,
    "CarDealt": lambda event: "" if event.get("seat") else "over",
    "CardPlayed": lambda event: "lines" if event.get("lines") else "",
    "HandsRevealed": lambda event: "" if any(event.get("hands", {}).values()) else "empty",
    "RaceEnded": lambda event: "" if event.get("order") else "nobody",
}

SENTENCES: dict[tuple[str, str], str] = {
    ("RaceSet", ""): phrase("The game begins."),
    ("GridSet", ""): phrase("The grid: {cars}."),
    ("HandEntered", ""): phrase("The hand is entered: {name}."),
    ("LotTurned", ""): phrase("Up for auction: {car}, with a power: {power}."),
    ("LotTurned", "bare"): phrase("Up for auction: {car}."),
    ("LotTurned", "again"): phrase("Once more up for auction: {car}."),
    ("BidMade", ""): phrase("{name} has bid."),
    ("BidsRevealed", ""): phrase("The bids for {car}: {bids}."),
    ("LotTied", ""): phrase("A tie for {car}: {names}."),
    ("CarSold", ""): phrase("{name} buys {car} for {price} M$."),
    ("CarDealt", ""): phrase("{name} is dealt a car: {car}."),
    ("CarDealt", "over"): phrase("Left over, nobody's: {car}."),
    ("LotSetAside", ""): phrase("Nobody bids, set aside: {car}."),
    ("CarUnsold", ""): phrase("Nobody's car: {car}."),
    ("AuctionClosed", ""): phrase("The auction is over."),
    ("PowerKept", ""): phrase("{name} keeps a power: {power}."),
    ("RaceBegan", ""): phrase("The cars are off!"),
    ("TurnBegan", ""): phrase("{name} is on turn."),
    ("CardPlayed", ""): phrase("{name} plays a card."),
    ("CardPlayed", "lines"): phrase("{name} plays a card; betting lines crossed: {lines}."),
    ("CardTurned", ""): phrase("{name} turns up a card: {card}."),
    ("CardLeftHand", ""): phrase("{name} has played a card: {card}."),
    ("LinesCrossed", ""): phrase("Betting lines crossed: {lines}."),
    ("CarFinished", ""): phrase("Over the line, place {place}: {car}."),
    ("BetsOpened", ""): phrase("Line {number} is crossed: everybody bets."),
    ("StandingTold", ""): phrase("On the road, the foremost first: {cars}."),
    ("BetMade", ""): phrase("{name} has bet."),
    ("BetMissed", ""): phrase("{name} makes no bet at line {number}."),
    ("CarsRanked", ""): phrase("The furthest first: {cars}."),
    ("BetsRevealed", ""): phrase("The bets: {bets}."),
    ("HandsRevealed", ""): phrase("Left in hand: {hands}."),
    ("HandsRevealed", "empty"): phrase("Left in hand: nothing."),
    ("RaceEnded", ""): phrase("The race is over. Home: {cars}."),
    ("RaceEnded", "nobody"): phrase("The race is over, no car is home."),
    ("NextRaceSet", ""): phrase("Race {leg} begins with its auction."),
    ("Corrected", ""): phrase("Corrected by the table: {reason}."),
    ("Retired", ""): phrase("{name} leaves the table: {reason}."),
    ("Returned", ""): phrase("{name} is back at the table."),
    ("TakenBack", ""): phrase("Answers undone: {answers}."),
}


def _parts(event: Event, scene: Scene, say: Words) -> dict[str, object]:
    seat = event.get("seat") or 0
    return {key: value for key, value in event.items() if key != "seat"} | {
        "name": name_of(scene, seat) if seat else say("the table"),
        "names": ", ".join(name_of(scene, one) for one in event.get("seats") or ()),
        "car": car_word(str(event.get("car") or ""), say),
        "cars": car_words(event.get("order") or (), say),
        "card": card_word(event.get("card") or (), say),
        "hands": _hands(event, scene, say),
        "power": power_word(event.get("power"), say),
        "bids": _bids(event, scene),
        "reason": say(LEFT) if event.get("reason") == LEFT else event.get("reason"),
        "bets": _bets(event, scene, say),
    }


def _bids(event: Event, scene: Scene) -> str:
    """ "Ana 6, Bob 4", from an event of the reveal."""
    bids = event.get("bids") or {}
    return ", ".join(f"{name_of(scene, int(seat))} {bid['amount']}" for seat, bid in bids.items())


def _hands(event: Event, scene: Scene, say: Words) -> str:
    """ "Bot red 6, wild 2; blue 4", from an event of the reveal."""
    hands = event.get("hands") or {}
    return " · ".join(
        f"{name_of(scene, int(seat))} {'; '.join(card_word(card, say) for card in cards)}"
        for seat, cards in hands.items()
        if cards
    )


def _bets(event: Event, scene: Scene, say: Words) -> str:
    """ "Ana red, blue; Bob red", from an event of the reveal."""
    bets = [
        f"{name_of(scene, int(seat))} {_cars_bet_on(cars, say)}"
        for seat, cars in (event.get("bets") or {}).items()
    ]
    return "; ".join(bets)


def _cars_bet_on(bets: list[str | None], say: Words) -> str:
    return ", ".join(bet_word(bet, say) for bet in bets)


STORY = Story(SENTENCES, OUTCOMES, _parts, QUIET)
