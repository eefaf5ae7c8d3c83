/** The ids of rules in what people read: each a button that opens the rule's sentence. */

import { make } from "./dom.js";
import { language, say } from "./words.js";

const ID = /\b((?:FD|DE|DF)-[A-Z]+-\d+)\b/;

let sentences = null; // fetched when somebody first asks

async function sentenceOf(rule) {
  sentences ??= fetch(`/rules.${language}.json`).then((reply) => (reply.ok ? reply.json() : {}))
    .catch(() => { sentences = null; return {}; });
  return (await sentences)[rule] ?? say("The table does not answer.");
}

/** A text as parts to append, with a button in the place of each id. */
export function withRules(text) {
  return text.split(ID).filter(Boolean).map((part) =>
    (ID.test(part) ? make("button", { type: "button", className: "rule" }, part) : part));
}

async function open(rule) {
  const close = make("button", { type: "button", className: "go" }, say("Close"));
  const dialog = make("dialog", { className: "rule-says", "aria-label": rule },
    make("h2", {}, rule), make("p", {}, await sentenceOf(rule)), close);
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

// Lists are drawn anew while somebody reads: so the page listens, not each button.
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button.rule");
  if (button) open(button.textContent);
});
