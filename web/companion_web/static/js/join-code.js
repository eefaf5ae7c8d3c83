/** The table's one code for coming in, and its address; a key, so only the PIN opens it. */

import { make } from "./dom.js";
import { getJson } from "./net.js";
import { currentPin, setPin } from "./pin.js";
import { say } from "./words.js";

const FRESH_MS = 3_000; // a race that ends gives other letters
let told = null; // as it was last fetched: the machine's address and network may change
let asked = -Infinity;
let answer = null; // shared: a page that is drawn again before it has come waits for the same one

function codeImage(className, alt, qr) {
  const src = `data:image/svg+xml,${encodeURIComponent(qr)}`;
  return make("img", { className, alt, src, width: 480, height: 480 });
}

/** The machine's own network, where it has opened one: a phone has to come in there first. */
function network(wifi) {
  return [codeImage("join-code wifi-code", say("First scan this: it takes your phone into the network."), wifi.qr),
    make("p", { className: "address" }, say("Network {name}, password {password}", wifi)),
    make("p", { className: "hint" }, say("First scan this: it takes your phone into the network."))];
}

/** The code as a picture, with the address for who cannot scan it. */
export function joinCode() {
  const picture = make("img", { className: "join-code", alt: say("Scan this with your phone: it takes the next free seat."), width: 480, height: 480 });
  const address = make("p", { className: "address" }, `${location.host}/join`);
  const letters = make("p", { className: "letters" });
  const wifi = make("div", { className: "wifi", hidden: true });
  const fill = (code) => {
    if (!code) return;
    told = code;
    picture.src = `data:image/svg+xml,${encodeURIComponent(code.qr)}`;
    address.replaceChildren(new URL(code.link).host, make("wbr"), "/join");
    letters.setAttribute("aria-label", say("The four letters: {letters}", { letters: [...code.letters].join(" ") }));
    letters.setAttribute("role", "img");
    letters.replaceChildren(...[...code.letters].map((letter) => make("b", {}, letter)));
    wifi.hidden = !code.wifi;
    wifi.replaceChildren(...(code.wifi ? network(code.wifi) : []));
  };
  if (told) fill(told);
  if (performance.now() > asked + FRESH_MS) {
    asked = performance.now();
    answer = getJson("/api/join", currentPin());
    answer.then((code) => { if (!code) asked = -Infinity; });
  }
  answer.then(fill);
  return make("div", { className: "join" }, wifi, picture,
    make("div", { className: "typed" }, make("p", { className: "hint" }, say("Phones scan this, or open")), address,
      make("p", { className: "hint" }, say("and type")), letters));
}

/** For whoever has no PIN yet: how to join, in a sentence, and the field for it. */
export function pinForm() {
  const input = make("input", {
    type: "password", inputMode: "numeric", autocomplete: "off", required: true, id: "join-pin",
  });
  const form = make("form", { className: "pin-form" },
    make("label", { for: "join-pin" }, say("PIN")), input, make("button", {}, say("Unlock")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    setPin(input.value.trim(), "/api/referee/undo", { undo: 0, preview: true });
  });
  return form;
}
