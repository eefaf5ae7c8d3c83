/** The computer: what the doctor finds, and its power. A part of the referee's panel. */

import { make } from "./dom.js";
import { getJson, refusalOf } from "./net.js";
import { currentPin, postAsReferee } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

const SIGNS = { true: "✓", false: "✗", null: "?" };
let found = null; // looking costs the disk some syncs: only when somebody asks for it

function finding(one) {
  const where = one.seat === null ? "" : `${say("Seat {seat}", { seat: one.seat })}, `;
  return make("li", { className: one.ok === false ? "dead" : "" },
    `${SIGNS[one.ok]} ${where}${one.what}: ${one.says}`,
    ...(one.mend ? [make("p", { className: "hint" }, one.mend)] : []));
}

/** A button that asks once more before it does something. */
function careful(text, onClick) {
  const element = make("button", { type: "button", className: "quiet" }, text);
  element.addEventListener("click", () => {
    if (element.dataset.asked) return onClick();
    element.dataset.asked = "yes";
    element.textContent = say("{what}: really?", { what: text });
    return element.classList.add("danger");
  });
  return element;
}

async function power(word) {
  const reply = await postAsReferee("/api/machine", { power: word });
  toast(reply.ok ? say("Done.") : refusalOf(reply));
}

export function machineParts() {
  const list = make("ul", { className: "findings" }, ...(found ?? []).map(finding));
  const look = make("button", { type: "button", id: "look-at-machine" }, say("Look at it"));
  look.addEventListener("click", async () => {
    const told = await getJson("/api/machine", currentPin());
    if (!told) return;
    found = told.findings;
    list.replaceChildren(...found.map(finding));
  });
  return [look, list,
    make("p", {}, make("a", { href: "/live" }, say("Test the seats"))),
    careful(say("Update it"), () => power("update")),
    careful(say("Switch off"), () => power("off")),
    careful(say("Restart it"), () => power("restart"))];
}
