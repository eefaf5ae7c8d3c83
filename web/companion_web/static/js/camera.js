/** What of the circuit is in sight: all of it, or the car on turn with the road ahead of it. */

const PAN_MS = 500;
const CLOSE_UNITS = 160; // the least width of the close view
const AHEAD = 0.25; // the car stands this part of the view away from its middle
const MARGIN_UNITS = 24;

let panning = 0;

export function boxOf(element) {
  const { x, y, width, height } = element.viewBox.baseVal;
  return { x, y, width, height };
}

/** Units of the drawing to a pixel. */
export function scaleOf(svg) {
  const box = svg.viewBox.baseVal;
  return Math.max(box.width / (svg.clientWidth || 1), box.height / (svg.clientHeight || 1));
}

/** The view around a car that looks ahead, and has all of `points` in it; the car does not lie below a card that
    covers these shares of width and height at the upper right. */
export function closeBox(svg, car, points, [wide, high]) {
  const ratio = (svg.clientHeight || 1) / (svg.clientWidth || 1);
  const angle = (car.heading * Math.PI) / 180;
  const ahead = CLOSE_UNITS * AHEAD * 2;
  const all = [car, ...points,
    { x: car.x + Math.cos(angle) * ahead, y: car.y + Math.sin(angle) * ahead * ratio }];
  const [xs, ys] = [all.map((point) => point.x), all.map((point) => point.y)];
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
  const width = Math.max(CLOSE_UNITS, right - left + 2 * MARGIN_UNITS,
    (bottom - top + 2 * MARGIN_UNITS) / ratio);
  const height = width * ratio;
  const box = { x: (left + right - width) / 2, y: (top + bottom - height) / 2, width, height };
  const isBelow = car.x > box.x + (1 - wide) * width - MARGIN_UNITS && car.y < box.y + high * height + MARGIN_UNITS / 2;
  if (!isBelow || !high) return box;
  const foot = box.y + height;
  const tall = (foot - car.y + MARGIN_UNITS / 2) / (1 - high);
  return { x: (left + right - tall / ratio) / 2, y: foot - tall, width: tall / ratio, height: tall };
}

export function stopPanning() {
  cancelAnimationFrame(panning);
}

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Move the view there; `onFrame` after each step. */
export function panTo(svg, to, onFrame) {
  const from = boxOf(svg);
  const began = performance.now();
  stopPanning();
  const isThere = Object.keys(to).every((name) => Math.abs(from[name] - to[name]) < 0.5);
  const step = (now) => {
    // A frame's time may lie a little before the moment that asked for it.
    const part = isThere || isStill() ? 1 : Math.min(Math.max((now - began) / PAN_MS, 0), 1);
    const eased = 1 - (1 - part) ** 3;
    const box = Object.keys(to).map((name) => from[name] + (to[name] - from[name]) * eased);
    svg.setAttribute("viewBox", box.join(" "));
    onFrame();
    if (part < 1) panning = requestAnimationFrame(step);
  };
  panning = requestAnimationFrame(step);
}
