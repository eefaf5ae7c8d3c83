/** The ids of rules in what people read: each behind a "why?" that opens what the book of the table has of it. */

import { make } from "./dom.js";
import { language, say } from "./words.js";

const ID = /\b((?:FD|DE|DF)-[A-Z]+-\d+)\b/;

/** What the book of the table has of a rule. */
async function entryOf(rule) {
  // Without cookies: the language of this page is none that somebody chose for the others.
  const reply = await fetch(`/book/${rule}?lang=${language}`, { credentials: "omit" }).catch(() => null);
  const page = new DOMParser().parseFromString(reply?.ok ? await reply.text() : "", "text/html");
  return page.querySelector("article") ?? make("p", {}, say("The table does not answer."));
}

/** A text as parts to append, with a button in the place of each id. */
export function withRules(text, word = say("why?")) {
  return text.split(ID).filter(Boolean).map((part) =>
    (ID.test(part) ? make("button", { type: "button", className: "rule", "data-rule": part, "aria-label": `${word} ${part}` }, word) : part));
}

let asked = null; // the latest touch: of two taps the entry comes once, and not again after it was closed

async function open(rule) {
  const close = make("button", { type: "button", className: "go", autofocus: true }, say("Close"));
  const mine = asked = {};
  const entry = await entryOf(rule);
  if (asked !== mine) return;
  for (const link of entry.querySelectorAll("a")) link.target = "_blank"; // the race stays open
  const dialog = make("dialog", { className: "rule-says", "aria-label": rule }, entry,
    make("p", {}, make("a", { href: `/book#${rule}`, target: "_blank" }, say("The book of the table"))), close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// Lists are drawn anew while somebody reads: so the page listens, not each button.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button.rule");
  if (button) open(button.dataset.rule);
});
