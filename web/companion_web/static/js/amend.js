/**
 * Amending: the last answers, newest first; one is chosen, given anew among the choices that
 * there were, and before it is sent the referee sees what stays and what is asked again.
 * Answers are counted from the end, so that all of it holds for one version of the race only.
 */

import { whatIsAsked } from "./asks.js";
import { make, makeButton as button } from "./dom.js";
import { refusalOf } from "./net.js";
import { answerText, controlsFor } from "./options.js";
import { postAsReferee } from "./pin.js";
import { nameOf } from "./race.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const MOST = 12;
const BY = {
  seat: say("by the seat"),
  phone: say("by phone"),
  bot: say("by the bot"),
  host: say("by the host"),
  referee: say("by the referee"),
  companion: say("by the companion"),
};

const byText = (answer) => BY[answer.by] ?? answer.by;

/** An answer in words: "Ana: which gear? 3". */
function told(table, answer) {
  if (!answer.kind) return `${nameOf(table, answer.seat)}: ${say("a line of the referee's")}`;
  return `${whatIsAsked(table, answer)} ${answerText(table, answer)}`;
}

async function ask(body) {
  const reply = await postAsReferee("/api/referee/amend", body);
  if (!reply.ok) toast(refusalOf(reply));
  return reply.ok ? reply : null;
}

/** A field for a value that no list of choices is known for: as JSON. */
function anyValue(answer, give) {
  const input = make("input", { type: "text", value: JSON.stringify(answer.value),
    "aria-label": say("Value") });
  return [input, button(say("Preview"), () => {
    try {
      give(JSON.parse(input.value));
    } catch {
      toast(say("This is not JSON."));
    }
  })];
}

/** What an amendment does, and the button that does it. */
function preview(table, line, reply, close) {
  const lost = reply.dropped.map((answer) => make("li", {}, told(table, answer)));
  const who = reply.asks.map((open) => whatIsAsked(table, open)).join(" ");
  const send = async () => {
    if (await ask(line)) toast(say("Done."));
  };
  return [
    make("p", { className: "hint", role: "status" }, say("Later answers that stay: {n}.", { n: reply.kept }),
      lost.length ? ` ${say("Answers that no longer hold: {n}.", { n: lost.length })}` : ""),
    lost.length ? make("ul", { className: "given" }, ...lost) : null,
    make("p", {}, say("Asked then: {who}", { who: who || say("Nobody is asked for anything.") })),
    button(say("Amend"), send, "danger"), button(say("Cancel"), close),
  ].filter(Boolean);
}

/** The choices there were for an answer; then its preview. */
async function change(table, answer, back, box, close) {
  const version = table.version;
  const found = await ask({ amend: back, preview: true, version });
  if (!found) return;
  const give = async (value) => {
    const line = { amend: back, value, version };
    const reply = await ask({ ...line, preview: true });
    if (reply) box.replaceChildren(head, ...preview(table, line, reply, close));
  };
  const head = make("p", {}, `${say("Instead of:")} ${told(table, answer)}`);
  const controls = found.asked ? controlsFor(table, found.asked, give) : anyValue(answer, give);
  box.replaceChildren(head, make("div", { className: "choices" }, ...controls),
    button(say("Cancel"), close, "quiet"));
}

function row(table, answer, back, box, close) {
  const text = make("span", {}, told(table, answer),
    make("small", {}, ` · ${byText(answer)}`));
  const pick = answer.kind
    ? button(say("Amend"), () => change(table, answer, back, box, close), "quiet") : null;
  pick?.setAttribute("aria-label", `${say("Amend")}: ${told(table, answer)}`);
  return make("li", {}, text, pick);
}

/** The part of the referee's panel; its list is fetched when somebody opens it. */
export function amendPart(table) {
  const box = make("div", {});
  const details = make("details", { className: "amend" },
    make("summary", {}, say("Amend an answer")), box);
  const list = async () => {
    const reply = await postAsReferee("/api/referee/answers", { answers: MOST });
    if (!reply.ok) return;
    const rows = reply.answers.map((answer, place) => row(table, answer, place + 1, box, list));
    box.replaceChildren(rows.length ? make("ul", { className: "given" }, ...rows)
      : make("p", { className: "hint" }, say("Nothing has been answered yet.")));
  };
  details.addEventListener("toggle", () => { if (details.open) list(); });
  return details;
}
