/** The table's one code for coming in, and its address; a key, so only the PIN opens it. */

import { make } from "./dom.js";
import { getJson } from "./net.js";
import { currentPin, postAsReferee, setPin } from "./pin.js";
import { toast } from "./toast.js";
import { say } from "./words.js";

let told = null; // fetched once

/** The code as a picture, with the address for who cannot scan it. */
export function joinCode() {
  const picture = make("img", { className: "join-code", alt: say("join-scan"), width: 480, height: 480 });
  const address = make("p", { className: "address" }, location.host);
  const fill = (code) => {
    if (!code) return;
    told = code;
    picture.src = `data:image/svg+xml,${encodeURIComponent(code.qr)}`;
    address.textContent = new URL(code.link).host;
  };
  if (told) fill(told);
  else getJson("/api/join", currentPin()).then(fill);
  return make("div", { className: "join" }, picture, address,
    make("p", { className: "hint" }, say("join-scan")));
}

/** For whoever has no PIN yet: how to join, in a sentence, and the field for it. */
export function pinForm() {
  const input = make("input", {
    type: "password", inputMode: "numeric", autocomplete: "off", required: true, id: "join-pin",
  });
  const form = make("form", { className: "pin-form" },
    make("label", { for: "join-pin" }, say("pin")), input, make("button", {}, say("unlock")));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    setPin(input.value.trim());
    // An undo of nothing that is only a preview tells whether the PIN is one.
    const reply = await postAsReferee("/api/referee/undo", { undo: 0, preview: true });
    if (reply.status === 401) toast(say("wrong-pin"));
  });
  return form;
}
