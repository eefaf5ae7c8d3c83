/** What a finger or a pen is at stays as it is: what is drawn anew waits until it is let go. */

const CLICK_MS = 50; // so long after it a touch may be told as a click

let isDown = false;
let isSettling = false; // let go a moment ago
let isTyping = false; // a text has begun that nobody was told yet
let waiting = null; // the latest drawing that waits
let settling = 0;

function letGo() {
  isSettling = true;
  clearTimeout(settling);
  settling = setTimeout(() => {
    isSettling = false;
    if (isDown || isTyping) return;
    const draw = waiting;
    waiting = null;
    draw?.();
  }, CLICK_MS);
}

// A list of choices that opens takes the release for itself.
addEventListener("pointerdown", ({ target }) => { isDown = !target.closest("select"); }, true);
addEventListener("input", ({ target }) => { isTyping = target.type !== "search"; }, true); // what is searched for is told to nobody
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, () => { isDown = false; letGo(); }, true);
}
for (const name of ["change", "focusout"]) {
  addEventListener(name, () => { isTyping = false; letGo(); }, true);
}

/** Draw now, or as soon as nothing is pressed or typed; of several that wait the latest is drawn. */
export function whenLetGo(draw) {
  if (isDown || isSettling || isTyping) waiting = draw;
  else draw();
}
