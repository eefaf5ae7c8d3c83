/** What is written on a drawn circuit in words: corners without a name, the signs of a street. */

import { make } from "./dom.js";
import { say } from "./words.js";

/** Sketches of boards only number their corners: the number is said in the page's language. */
export function nameCorners(svg) {
  for (const name of svg.querySelectorAll(".corner-name")) {
    const [text] = name.childNodes;
    const numbered = /^Corner (\d+) $/.exec(text.data);
    if (numbered) text.data = `${say("Corner {n}", { n: numbered[1] })} `;
  }
}

const SIGNS = {
  noise: say("noise zone"),
  dark: say("dark space: debris"),
  police: say("police station"),
  tunnel: say("tunnel"),
};

/** The color of a sign as it is drawn: the ground of a space, or the line across the road. */
function colorOf(drawn) {
  const lines = drawn.querySelectorAll("path");
  return lines.length ? lines[lines.length - 1].getAttribute("stroke") : drawn.getAttribute("fill");
}

/** What the colors of a street circuit mean; nothing on any other. */
export function streetSigns(svg) {
  const there = Object.keys(SIGNS).filter((sign) => svg.querySelector(`.${sign}`));
  if (!there.length) return null;
  return make("p", { className: "signs" }, ...there.map((sign) => {
    const told = make("span", { className: "sign" }, SIGNS[sign]);
    told.style.setProperty("--sign", colorOf(svg.querySelector(`.${sign}`)));
    return told;
  }));
}
