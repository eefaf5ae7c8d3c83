/** Cars that overlap fan out: each is moved as little as needed, and a line leads to its space. */

const ROUNDS = 60;

/**
 * Where discs go that must stand `apart` from one another, as near to their homes as they can.
 * The same homes give the same places, whatever the order in which they came there.
 */
export function fanOut(homes, apart) {
  const sideways = (home, n) => {
    const angle = ((home.heading + 90) * Math.PI) / 180;
    const nudge = 0.01 * (n - homes.length / 2); // two on one spot must know which way to go
    return { x: home.x + Math.cos(angle) * nudge, y: home.y + Math.sin(angle) * nudge };
  };
  const places = homes.map(sideways);
  for (let round = 0; round < ROUNDS && pushApart(places, apart); round += 1);
  return places;
}

/** Push every two that are too near away from each other; whether there were any. */
function pushApart(places, apart) {
  let wasPushed = false;
  for (let one = 0; one < places.length; one += 1) {
    for (let other = 0; other < one; other += 1) {
      const [a, b] = [places[one], places[other]];
      const [dx, dy] = [a.x - b.x, a.y - b.y];
      const distance = Math.hypot(dx, dy) || 1e-6;
      if (distance >= apart - 1e-3) continue;
      const push = (apart - distance) / 2 / distance;
      a.x += dx * push;
      a.y += dy * push;
      b.x -= dx * push;
      b.y -= dy * push;
      wasPushed = true;
    }
  }
  return wasPushed;
}
