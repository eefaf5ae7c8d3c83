/** Arrow keys among buttons: the focus goes to the next one that way, as the buttons lie. */

const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // so much worse is a step aside than one ahead

const middle = (element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return [x + width / 2, y + height / 2];
};

/** How far an element lies that way from a point; infinitely, where it does not. */
function distance([x, y], [right, down], element) {
  const [toX, toY] = middle(element);
  const ahead = (toX - x) * right + (toY - y) * down;
  const aside = Math.abs((toX - x) * down) + Math.abs((toY - y) * right);
  return ahead > 1 ? ahead + ASIDE * aside : Infinity;
}

/** Let the arrows lead through what can be pressed within an element, from wherever the focus is. */
export function leadByArrows(root) {
  root.addEventListener("keydown", (event) => {
    const way = WAYS[event.key];
    const from = event.target.closest?.("button, [role=button]");
    if (!way || !from) return;
    const all = [...root.querySelectorAll("button:not(:disabled), [role=button]")]
      .filter((one) => one !== from && one.ariaDisabled !== "true" && one.checkVisibility());
    const near = all.map((one) => [distance(middle(from), way, one), one])
      .sort(([one], [other]) => one - other)[0];
    if (!near || near[0] === Infinity) return;
    event.preventDefault();
    near[1].focus();
  });
}

/** Where the focus was on something that a redraw has taken away, it goes on at what answers the same, else at the
 *  first to press. */
export function keepFocus(root, redraw, buttons = "button") {
  const isOn = (one) => one !== document.body && root.contains(one) && one.checkVisibility();
  const was = document.activeElement;
  const had = isOn(was);
  redraw();
  if (!had || isOn(document.activeElement)) return;
  const all = [...root.querySelectorAll(`${buttons}:not(:disabled), [role=button]`)]
    .filter((one) => one.ariaDisabled !== "true" && one.checkVisibility());
  const { answer = null } = was.dataset;
  (all.find((one) => one.dataset.answer === answer) ?? all[0])?.focus();
}
