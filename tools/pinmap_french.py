"""The sentences of docs/wiring.fr.md by those of docs/wiring.md."""

from __future__ import annotations

from collections.abc import Mapping

FRENCH: Mapping[str, str] = {
    "Wiring": "Le câblage",
    "Every button connects its line to ground. The buttons of a seat stand like a gear gate: "
    "1 3 5 above, 2 4 6 below. Numbers in brackets are pins of the header.": (
        "Chaque bouton relie sa ligne à la masse. Les boutons d'un siège sont placés comme la "
        "grille d'un levier de vitesses : 1 3 5 en haut, 2 4 6 en bas. Les nombres entre "
        "parenthèses sont les broches du connecteur du Pi."
    ),
    "Layout `{name}`": "Disposition `{name}`",
    "One or two seats on the header, without a multiplexer: two screens, two addresses.": (
        "Un ou deux sièges sur le connecteur, sans multiplexeur : deux écrans, deux adresses."
    ),
    "Up to four seats on the header; every line that it has is a button.": (
        "Jusqu'à quatre sièges sur le connecteur ; toutes ses lignes sont des boutons."
    ),
    "Up to ten seats: three on the header, two on each expander.": (
        "Jusqu'à dix sièges : trois sur le connecteur, deux sur chaque extension."
    ),
    "seat": "siège",
    "bus": "bus",
    "address": "adresse",
    "screen": "écran",
    "In `/boot/firmware/config.txt`:": "Dans `/boot/firmware/config.txt` :",
    "{name}: MCP23017 at {address} on the Pi's own bus, INTA to {pin}; {straps}.": (
        "{name} : MCP23017 à {address}, sur le bus même du Pi, INTA vers {pin} ; {straps}."
    ),
    "{pins} to 3.3 V": "{pins} au 3,3 V",
    "{pins} to GND": "{pins} à GND",
    "Multiplexer: PCA9548 at {address}: A0, A1 and A2 to GND, "
    "RESET to 3.3 V; on most boards resistors do that and these pins stay open.": (
        "Multiplexeur : PCA9548 à {address} : A0, A1 et A2 à GND, RESET au 3,3 V ; sur la plupart "
        "des cartes des résistances s'en chargent, et ces broches restent en l'air."
    ),
    "Every line of an expander that has a button needs a resistor of "
    "{resistance} kΩ to 3.3 V: a network of eight with one common pin "
    "serves a seat. The pull-ups inside the MCP23017 stay off: Linux drops the request "
    "for them.": (
        "Chaque ligne d'une extension qui a un bouton demande une résistance de {resistance} kΩ "
        "vers le 3,3 V : un réseau de huit à broche commune sert un siège. Les rappels internes du "
        "MCP23017 restent éteints : Linux laisse tomber la demande."
    ),
    "The screen of seat {seats} needs the address {address}: "
    "move the small resistor on its back.": (
        "L'écran du siège {seats} doit avoir l'adresse {address} : déplacez la petite résistance "
        "à son dos."
    ),
    " and of seat ": " et celui du siège ",
    "Light": "Lampes",
    "One chain of {chip} for the table: the five start lights first, then the seats, "
    "seat 1 first. In the layout `header` its lines are those of seat 4: one or the other.": (
        "Une seule chaîne d'{chip} pour la table : d'abord les cinq feux de départ, puis les "
        "sièges, le siège 1 en premier. Dans la disposition `header`, ses lignes sont celles du "
        "siège 4 : l'un ou l'autre."
    ),
    "chain": "chaîne",
    "data in (DI)": "entrée de données (DI)",
    "clock in (CI)": "entrée d'horloge (CI)",
    "any GND": "n'importe quel GND",
    "the Pi's 5 V (2 or 4)": "le 5 V du Pi (2 ou 4)",
    "Its inputs ask for 3.5 V at a supply of 5 V, the Pi gives 3.3: most chains take it; where "
    "the first light flickers, a 74AHCT125 between mends it. A light takes up to 60 mA by its "
    "sheet, at the usual brightness of 4 in 31 some 8.": (
        "Ses entrées demandent 3,5 V quand l'alimentation est de 5 V, et le Pi en donne 3,3 : la "
        "plupart des chaînes s'en contentent ; où la première lampe vacille, un 74AHCT125 entre "
        "les deux y remédie. Une lampe prend jusqu'à 60 mA selon sa fiche, et quelque 8 à la "
        "luminosité habituelle de 4 sur 31."
    ),
    "In `/boot/firmware/config.txt`, instead of `dtparam=spi=off`:": (
        "Dans `/boot/firmware/config.txt`, au lieu de `dtparam=spi=off` :"
    ),
    "Wires": "Les fils",
    "wire": "fil",
    "colour": "couleur",
    "button": "bouton",
    "ground of the buttons": "masse des boutons",
    "brown": "marron",
    "red": "rouge",
    "orange": "orange",
    "yellow": "jaune",
    "green": "vert",
    "blue": "bleu",
    "black": "noir",
    "Pod": "Pod",
    "what": "quoi",
    "led": "lampe (LED)",
    "buzzer": "sonnerie (buzzer)",
    "The pod's screen: {controller} at {address}, with pull-ups.": (
        "L'écran du pod : {controller} à {address}, avec ses résistances de rappel."
    ),
    "The lamp in its front hangs on {pin} behind {ohm} Ω.": (
        "La lampe de sa façade est sur {pin}, derrière {ohm} Ω."
    ),
    "The drawing: {link}.": "Le dessin : {link}.",
    "Pod on a Raspberry Pi Pico": "Pod sur un Raspberry Pi Pico",
    "pin": "broche",
    "ground": "masse",
    "Screen and lamp are the Nano's, the lamp behind {ohm} Ω; the screen's VCC goes "
    "to 3V3(OUT), never to VBUS: its pull-ups would put 5 volts on the Pico's lines. "
    "The drawing: {link}.": (
        "Écran et lampe sont ceux du Nano, la lampe derrière {ohm} Ω ; le VCC de l'écran va à "
        "3V3(OUT), jamais à VBUS : ses résistances de rappel mettraient 5 volts sur les lignes du "
        "Pico. Le dessin : {link}."
    ),
}
