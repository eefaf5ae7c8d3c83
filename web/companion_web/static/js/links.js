/** A QR code and a link for each seat. Only the PIN opens them. */

import { make } from "./dom.js";
import { getJson } from "./net.js";
import { currentPin } from "./pin.js";
import { say } from "./words.js";

const codes = new Map(); // seat → its link and QR code, fetched once

async function codeOf(seat) {
  if (!codes.has(seat)) {
    const told = await getJson(`/api/seat/${seat}/link`, currentPin());
    if (!told) return null;
    codes.set(seat, told);
  }
  return codes.get(seat);
}

function card(seat, name) {
  const picture = make("img", { alt: "", width: 132, height: 132 });
  const link = make("a", { target: "_blank", rel: "noopener" }, name ?? say("Seat {seat}", { seat }));
  const element = make("li", { className: `code car-${seat}${name ? " is-taken" : ""}` },
    picture, make("span", { className: "badge" }, String(seat)), link);
  codeOf(seat).then((told) => {
    if (!told) return;
    picture.src = `data:image/svg+xml,${encodeURIComponent(told.qr)}`;
    picture.alt = say("Scan to sit at seat {seat}", { seat });
    link.href = told.link;
  });
  return element;
}

/** The codes of these seats; `names` are the people who sit there already. */
export function linkCards(seats, names = {}) {
  return make("ul", { className: "codes" }, ...seats.map((seat) => card(seat, names[seat])));
}
