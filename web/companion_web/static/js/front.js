/** Nobody has joined yet: a first race, a race to watch, the league; and how phones come in. */

import { carPicture } from "./car.js";
import { demoButton } from "./demo.js";
import { draw, make } from "./dom.js";
import { joinCode } from "./join-code.js";
import { say } from "./words.js";

const LOOP = "M22 34Q14 22 34 20H92Q112 20 110 36L118 62Q122 74 136 66Q152 58 156 76L150 100Q144 108 134 100L92 66Q84 58 72 60Q60 64 48 52Z";
const ON_LOOP = [[48, 52, 6], [104, 26, 2], [150, 62, 8], [132, 98, 3]];
const ON_GRID = [4, 3, 2, 6];

/** A thing that is touched anywhere; its name is that of its button or link. */
function thing(className, control, sentence, ...more) {
  control.classList.add("thing-name");
  return make("section", { className: `thing ${className}` },
    make("div", { className: "thing-says" }, control, make("p", {}, sentence)), ...more);
}

const grid = () => make("div", { className: "grid-picture", "aria-hidden": "true" },
  ...ON_GRID.map((seat) => make("span", {}, carPicture(seat))));

function loop() {
  return draw("svg", { class: "loop-picture", viewBox: "8 10 158 104", "aria-hidden": "true" },
    draw("path", { d: LOOP }),
    ...ON_LOOP.map(([x, y, seat]) => {
      const number = draw("text", { x, y, "text-anchor": "middle", dy: "0.36em" });
      number.textContent = seat;
      return draw("g", { class: `car-${seat}` }, draw("circle", { cx: x, cy: y, r: 7 }), number);
    }));
}

/** Whoever has no key reads where to look for the letters; whoever has the PIN shows them. */
function wayIn(isHost) {
  const typed = make("a", { className: "button", href: "/join" }, say("I have a code"));
  return make("section", { className: "way-in", "aria-labelledby": "way-in" },
    make("h2", { id: "way-in" }, say("Phones join here")),
    isHost ? joinCode() : make("p", { className: "how" },
      say("Open {address} on your phone and type the four letters that the television shows.", { address: `${location.host}/join` })),
    typed);
}

/** The page before anybody has joined; `onFirst` opens the lobby, which is the host's. */
export function front({ isHost, onFirst, more }) {
  const first = make(isHost ? "button" : "a", isHost ? { type: "button", onclick: onFirst } : { href: "/join" }, say("First race"));
  return make("div", { className: "front" },
    make("div", { className: "things" },
      thing("is-first", first, say("Board, dice and cars on the table? One lap of Monaco, some 30 minutes."), grid()),
      thing("is-demo", demoButton(say("Watch a demo"), "", "watch"),
        say("Four bots race for you. Nothing is needed."),
        demoButton(say("Race against bots"), "against", "play"), loop()),
      thing("is-league", make("a", { href: "/league" }, say("Our league")),
        say("Seasons, drivers, records, and every race to be seen again.")),
      make("p", { className: "learn" }, make("a", { href: "/learn" }, say("Learn to race"))), ...more),
    wayIn(isHost));
}
