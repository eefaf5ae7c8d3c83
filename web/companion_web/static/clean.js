/** Last on every page: no key stays in its address, also where the page has no use for it. */

const KEYS = ["pin", "token", "key"];

const fragment = new URLSearchParams(location.hash.slice(1));
const query = new URLSearchParams(location.search);
if (KEYS.some((name) => fragment.has(name) || query.has(name))) {
  for (const name of KEYS) query.delete(name);
  history.replaceState(null, "", location.pathname + (query.size ? `?${query}` : ""));
}
