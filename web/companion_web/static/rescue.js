/** Takes a file of the journal along, for whoever has the PIN. */

import { byId, make } from "./js/dom.js";
import { currentPin, keepPin } from "./js/pin.js";
import { say } from "./js/words.js";

async function takeAlong({ file }) {
  if (byId("pin").value) keepPin(byId("pin").value);
  const headers = { Authorization: `Bearer ${currentPin()}` };
  const response = await fetch(`/api/rescue?file=${encodeURIComponent(file)}`, { headers });
  byId("refused").textContent = response.ok ? "" : say("This is not the PIN.");
  if (!response.ok) return;
  const href = URL.createObjectURL(await response.blob());
  make("a", { href, download: file.split("/").at(-1) }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60000);
}

for (const button of document.querySelectorAll("[data-file]")) {
  button.addEventListener("click", () => takeAlong(button.dataset));
}
