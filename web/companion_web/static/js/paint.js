/** The colors of the seats: each one's of its number, or what its table tells. */

/** Give every seat its color, wherever `.car-N` stands on the page. */
export function paint(seats) {
  const root = document.documentElement.style;
  for (const { seat, color } of seats ?? []) {
    if (!color) continue;
    root.setProperty(`--seat-${seat}`, `var(--paint-${color})`);
    root.setProperty(`--seat-${seat}-ink`, `var(--ink-${color})`);
    root.setProperty(`--seat-${seat}-rim`, `var(--rim-${color}, transparent)`);
  }
}
