/** Making elements without markup in strings: what players type stays text. */

/** No line begins with a French sign or with millions. */
const bound = document.documentElement.lang === "fr" ? / (?=[:;?!»]|M\$)/g : / (?=M\$)/g;
const set = (text) => (typeof text === "string" ? text.replace(bound, "\u00a0") : text);

/** An element; `traits` are properties, or attributes where a name has a dash. */
export function make(tag, traits = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(traits)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.includes("-") || name === "role" || name === "for") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== undefined).map(set));
  return element;
}

/** A button that does something when it is pressed. */
export function makeButton(text, onClick, className = "") {
  const element = make("button", { type: "button", className }, text);
  element.addEventListener("click", onClick);
  return element;
}

/** An SVG element with attributes. */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Set a text only where it changes, so that a live region speaks once. */
export function setText(element, text) {
  const whole = set(text);
  if (element.textContent !== whole) element.textContent = whole;
}

/** Replace the children of an element where what they say has changed. */
export function setChildren(element, children) {
  const fresh = make("div", {}, ...children);
  if (element.innerHTML !== fresh.innerHTML) element.replaceChildren(...fresh.childNodes);
}

export const byId = (id) => document.getElementById(id);
