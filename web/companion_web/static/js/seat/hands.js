/** The six keys of the view on a keyboard, a number pad or a game controller, whatever the page shows. */

const HOLD_MS = 600;
const LOOK_MS = 40;

/** Let digits and a controller's first six buttons press; `press(button, hold)`. */
export function handButtons(press) {
  const held = new Map(); // a key or a controller's button → when it went down
  const down = (key) => { if (!held.has(key)) held.set(key, performance.now()); };
  const up = (key, button) => {
    if (!held.has(key)) return;
    const isHeld = performance.now() - held.get(key) >= HOLD_MS;
    held.delete(key);
    press(button, isHeld);
  };
  const isTyping = () => ["INPUT", "SELECT"].includes(document.activeElement?.tagName)
    && document.activeElement.type !== "range";
  const ofKey = (event) => (/^[1-6]$/.test(event.key) ? Number(event.key) : 0);

  document.addEventListener("keydown", (event) => {
    const button = ofKey(event);
    if (button && !isTyping() && !event.repeat && !event.ctrlKey && !event.metaKey && !event.altKey) down(button);
  });
  document.addEventListener("keyup", (event) => up(ofKey(event), ofKey(event)));
  window.addEventListener("blur", () => held.clear());

  let looking = 0;
  window.addEventListener("gamepadconnected", () => {
    looking ||= setInterval(() => {
      for (const pad of navigator.getGamepads().filter(Boolean)) {
        pad.buttons.slice(0, 6).forEach((one, n) => {
          if (one.pressed) down(`pad ${n}`);
          else up(`pad ${n}`, n + 1);
        });
      }
    }, LOOK_MS);
  });
  window.addEventListener("gamepaddisconnected", () => { clearInterval(looking); looking = 0; held.clear(); });
}
