/** The colors of the seats: each one's of its number, or what its table tells. */

/** Give every seat its color, wherever `.car-N` stands on the page. */
export function paint(seats) {
  const root = document.documentElement.style;
  for (const { seat, color } of seats ?? []) {
    if (!color) continue;
    root.setProperty(`--seat-${seat}`, `var(--paint-${color})`);
    root.setProperty(`--seat-${seat}-trim`, `var(--trim-${color})`);
    root.setProperty(`--seat-${seat}-ink`, `var(--ink-${color})`);
    root.setProperty(`--seat-${seat}-rim`, `var(--rim-${color}, transparent)`);
  }
}

/** An element in a color of its own, whatever its class says. */
export function painted(element, color) {
  element.style.setProperty("--car-colour", `var(--paint-${color})`);
  element.style.setProperty("--car-trim", `var(--trim-${color})`);
  element.style.setProperty("--car-ink", `var(--ink-${color})`);
  element.style.setProperty("--car-rim", `var(--rim-${color}, transparent)`);
  return element;
}
