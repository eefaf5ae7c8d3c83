/** What a finger or a pen is at stays as it is: what is drawn anew waits until it is let go. */

const CLICK_MS = 50; // so long after it a touch may be told as a click
const BUTTONS = "button, [role=button]";
const PRESSED = `${BUTTONS}, a, summary, label, input, textarea`; // a thumb that rests beside them keeps nothing

let isDown = false;
let isSettling = false; // let go a moment ago
let isTyping = false; // a text has begun that nobody was told yet
let waiting = null; // the latest drawing that waits
const patient = []; // those who wait for a finger alone
let settling = 0;

function settle() {
  clearTimeout(settling);
  isSettling = false;
  if (isDown) return;
  for (const goOn of patient.splice(0)) goOn();
  if (isTyping) return;
  const draw = waiting;
  waiting = null;
  draw?.();
}

function letGo() {
  isSettling = true;
  clearTimeout(settling);
  settling = setTimeout(settle, CLICK_MS);
}

// A list of choices that opens takes the release for itself.
addEventListener("pointerdown", ({ target, isPrimary, button }) => {
  isDown ||= isPrimary && button === 0 && !target.closest("select") && Boolean(target.closest(PRESSED));
}, true);
addEventListener("input", ({ target }) => { isTyping = target.type !== "search"; }, true); // what is searched for is told to nobody
function lift({ isPrimary = true }) {
  if (!isPrimary) return;
  isDown = false;
  letGo();
}

for (const name of ["pointerup", "pointercancel"]) addEventListener(name, lift, true);
addEventListener("blur", lift); // of the window: what is lifted elsewhere is told to nobody here
addEventListener("click", ({ target }) => { if (target.closest(BUTTONS)) settle(); }); // a field is told it later
for (const name of ["change", "focusout"]) {
  addEventListener(name, () => { isTyping = false; letGo(); }, true);
}

/** Draw now, or as soon as nothing is pressed or typed; of several that wait the latest is drawn. */
export function whenLetGo(draw) {
  if (isDown || isSettling || isTyping) waiting = draw;
  else draw();
}

/** Done as soon as nothing is pressed; what is typed is not waited for. */
export const untilLetGo = () =>
  (isDown || isSettling ? new Promise((done) => patient.push(done)) : Promise.resolve());
