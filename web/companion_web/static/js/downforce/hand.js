/**
 * The form in which whoever serves a bot enters its hand: a color, then its spaces, line after line from the
 * top of each card. Within it the digits are keys: 1 to 6 the cars as on a seat, 7 a wild, then the spaces.
 */

import { make } from "../dom.js";
import { say } from "../words.js";
import { cardText, drawCard } from "./card.js";
import { ACTS, COLORS, draftOf, isWhole, keep, mayChoose } from "./draft.js";
import { carName } from "./words.js";

function button(text, onClick, traits = {}) {
  const element = make("button", { type: "button", ...traits }, text);
  element.addEventListener("click", () => { if (element.ariaDisabled !== "true") onClick(); });
  return element;
}

// What cannot be pressed just now keeps the focus of who got there by keys.
const grey = (element, isGrey) => { element.ariaDisabled = String(isGrey); };

function makePads(numbers, act) {
  const colors = COLORS.map((car) =>
    button(carName(car), () => act("choose", car), { className: `df-key df-${car}` }));
  const spaces = numbers.map((n) => button(String(n), () => act("spaces", n), { className: "df-key is-number" }));
  const pad = (name, keys) => make("div", { className: `df-pad${keys === spaces ? " is-numbers" : ""}`, role: "group", "aria-label": name }, ...keys);
  return { colors, spaces, all: [pad(say("Car"), colors), pad(say("Spaces"), spaces)] };
}

/** A card that has been entered: once more, or out again. */
function cardRow(draft, card, at, act) {
  const name = `${at + 1}: ${cardText(card)}`;
  return make("li", {}, make("span", { className: "df-number" }, String(at + 1)), drawCard(card, "is-small"),
    button("+1", () => act("again", card), { "aria-disabled": String(isWhole(draft)), "aria-label": `${say("once more")}, ${name}` }),
    button("×", () => act("takeOut", at), { "aria-label": `${say("take out")}, ${name}` }));
}

/** What has been entered, in words: read out after each press. */
function told(draft) {
  const { cards, count, lines, car } = draft;
  if (isWhole(draft)) return say("All {all} cards are in.", { all: count });
  const at = say("Card {n} of {all}", { n: cards.length + 1, all: count });
  return [at, cardText(lines), car && carName(car)].filter(Boolean).join(" · ");
}

/** The parts of the form, and what shows a draft in them. */
function makeForm(numbers, act, give) {
  const pads = makePads(numbers, act);
  const says = make("p", { className: "df-at", role: "status" });
  const open = make("div", { className: "df-open", "aria-hidden": "true" });
  const entry = make("div", { className: "df-entry" }, open, ...pads.all);
  const out = button(`↶ ${say("Line out")}`, () => act("lineOut"), { className: "quiet" });
  const next = button("", () => (next.dataset.gives ? give() : act("cardDone")), { className: "go" });
  const list = make("ol", { className: "df-cards" });
  const show = (draft) => {
    const whole = isWhole(draft);
    says.textContent = told(draft);
    entry.hidden = out.hidden = whole;
    open.replaceChildren(drawCard(draft.lines));
    pads.colors.forEach((key, n) => {
      key.ariaPressed = String(draft.car === COLORS[n]);
      grey(key, !mayChoose(draft, COLORS[n]));
    });
    pads.spaces.forEach((key) => grey(key, !draft.car && !draft.lines.length));
    next.textContent = whole ? say("This is the hand") : say("Card done");
    next.dataset.gives = whole ? "1" : "";
    grey(next, !whole && !draft.lines.length);
    grey(out, !draft.lines.length && !draft.car);
    list.replaceChildren(...draft.cards.map((card, at) => cardRow(draft, card, at, act)).toReversed());
  };
  return { show, next, parts: [says, entry, make("p", { className: "df-acts" }, out, next), list] };
}

function byDigits(draft, numbers, act) {
  return (event) => {
    const n = Number(event.key);
    if (!n || event.ctrlKey || event.metaKey || event.altKey || isWhole(draft)) return;
    if (!draft.car && COLORS[n - 1]) act("choose", COLORS[n - 1]);
    else if (draft.car && numbers.includes(n)) act("spaces", n);
  };
}

/**
 * The form of a hand; `give` is called with the answer.
 * @param {{cards: number, spaces: number[], draft: string}} asked how many cards, which spaces a line may have,
 *   and the name that the draft is kept under.
 */
export function enterHand({ cards: count, spaces, draft: name }, give) {
  const draft = draftOf(name, count);
  const act = (what, value) => {
    const had = root.contains(document.activeElement);
    ACTS[what](draft, value);
    keep(draft);
    form.show(draft);
    if (had && !(root.contains(document.activeElement) && document.activeElement.checkVisibility())) form.next.focus();
  };
  const form = makeForm(spaces, act, () => give({ cards: draft.cards }));
  const root = make("div", { className: "df-hand" }, ...form.parts);
  root.addEventListener("keydown", byDigits(draft, spaces, act));
  form.show(draft);
  return root;
}
