/** Thumbs, keys and screen readers on the buttons of a seat: a press when it is let go. */

const HOLD_MS = 600;

/** Let every button of the seat press; `press(button, hold)`. */
export function handButtons(press) {
  const buttons = [...document.querySelectorAll("[data-button], [data-hold]")];
  const held = new Map(); // button → when it went down, and the timer of its hold

  // By the time of the touch, not that of its telling: a page that is busy meanwhile makes no tap a hold.
  const down = (button, since) => {
    if (held.has(button) || button.disabled) return;
    button.classList.add("down");
    const timer = setTimeout(() => button.classList.add("held"), HOLD_MS);
    held.set(button, { since, timer });
  };

  const letGo = (button, isMeant, until) => {
    const its = held.get(button);
    if (!its) return;
    held.delete(button);
    clearTimeout(its.timer);
    button.classList.remove("down", "held");
    const isHeld = until - its.since >= HOLD_MS;
    // A key without a meaning can still be held: 1 and 6 mean the same on every page.
    if (isMeant && (isHeld || button.ariaDisabled !== "true")) act(button, isHeld);
  };

  const act = async (button, isHeld) => {
    button.classList.add("sent");
    const { button: number, hold } = button.dataset;
    await (hold ? press(Number(hold), true) : press(Number(number), isHeld));
    button.classList.remove("sent");
  };

  for (const button of buttons) {
    button.addEventListener("pointerdown", (event) => {
      button.setPointerCapture?.(event.pointerId);
      down(button, event.timeStamp);
    });
    button.addEventListener("pointerup", (event) => {
      // A thumb that slid off takes the press back.
      const under = document.elementFromPoint(event.clientX, event.clientY);
      letGo(button, button.contains(under), event.timeStamp);
    });
    button.addEventListener("pointercancel", () => letGo(button, false));
    button.addEventListener("contextmenu", (event) => event.preventDefault());
    button.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault(); // else the browser makes a click of it, and the key presses twice
      if (!event.repeat) down(button, event.timeStamp);
    });
    button.addEventListener("keyup", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      letGo(button, true, event.timeStamp);
    });
    // A screen reader clicks without pointer or key.
    button.addEventListener("click", (event) => {
      const isSpoken = event.detail === 0 && !event.pointerType;
      if (isSpoken && button.ariaDisabled !== "true") act(button, false);
    });
  }

  const isTyping = () => document.activeElement?.tagName === "INPUT";
  const ofKey = (key) => buttons.find((button) => button.dataset.button === key);
  document.addEventListener("keydown", (event) => {
    const button = ofKey(event.key);
    if (button?.checkVisibility() && !isTyping() && !event.repeat && !event.ctrlKey && !event.metaKey) down(button, event.timeStamp);
  });
  document.addEventListener("keyup", (event) => {
    const button = ofKey(event.key);
    if (button) letGo(button, true, event.timeStamp);
  });
  window.addEventListener("blur", () => buttons.forEach((button) => letGo(button, false)));
}
