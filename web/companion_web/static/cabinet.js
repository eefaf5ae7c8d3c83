// The simulated seats: what their glasses show, read a few times a second; what a finger does, at once.
import { paintGlass } from "./js/glass.js";
import { say } from "./js/words.js";

const LOOK_MS = 150;
const KINDS = { wired: say("wired, simulated"), pod: say("pod, simulated") };
const GONE = say("The table does not answer.");
const SHUT = say("The cabinet is open on the machine that the table runs on.");
const trouble = document.getElementById("trouble");
const panels = new Map();

async function ask(path, body) {
  const address = body ? `${path}?${new URLSearchParams(body)}` : path;
  const reply = await fetch(address, { method: body ? "POST" : "GET", signal: AbortSignal.timeout(3000) });
  if (!reply.ok) throw new Error(reply.status === 401 || reply.status === 403 ? SHUT : GONE);
  return reply.json();
}

function complain(text) {
  trouble.textContent = text;
  trouble.hidden = !text;
}

// One post after another: a finger that goes up must not overtake itself going down.
let queue = Promise.resolve();
function send(path, body) {
  queue = queue.then(() => ask(path, body)).catch((error) => complain(error.message));
}

function makePanel(told) {
  const panel = document.getElementById("seat").content.firstElementChild.cloneNode(true);
  panel.dataset.seat = told.seat;
  panel.querySelector(".name").textContent = say("Seat {n}", { n: told.seat });
  panel.querySelector(".kind").textContent = KINDS[told.kind] ?? told.kind;
  for (const button of panel.querySelectorAll("[data-button]")) watchButton(told.seat, button);
  for (const box of panel.querySelectorAll("[data-fault]")) {
    box.addEventListener("change", () =>
      send("/api/cabinet/fault", { seat: told.seat, fault: box.dataset.fault, on: Number(box.checked) }));
  }
  document.getElementById("seats").append(panel);
  return panel;
}

function watchButton(seat, button) {
  let isDown = false;
  const move = (down) => {
    if (down === isDown) return;
    isDown = down;
    button.classList.toggle("down", down);
    send("/api/cabinet/press", { seat, button: button.dataset.button, down: Number(down) });
  };
  button.addEventListener("pointerdown", (event) => {
    button.setPointerCapture(event.pointerId);
    move(true);
  });
  for (const name of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) {
    button.addEventListener(name, () => move(false));
  }
  const isKey = (event) => event.key === " " || event.key === "Enter";
  button.addEventListener("keydown", (event) => isKey(event) && move(true));
  button.addEventListener("keyup", (event) => isKey(event) && move(false));
}

function show(told) {
  if (!panels.has(told.seat)) panels.set(told.seat, makePanel(told));
  const panel = panels.get(told.seat);
  paintGlass(panel.querySelector("canvas"), told.glass);
  const lamp = panel.querySelector(".lamp");
  lamp.classList.toggle("none", told.lamp === null);
  lamp.classList.toggle("lit", told.lamp === true);
  for (const box of panel.querySelectorAll("[data-fault]")) {
    if (document.activeElement !== box) box.checked = told.faults.includes(box.dataset.fault);
  }
}

async function look() {
  try {
    const told = await ask("/api/cabinet");
    told.seats.forEach(show);
    complain("");
  } catch (error) {
    complain(error.name === "Error" ? error.message : GONE);
  }
  setTimeout(look, LOOK_MS);
}

look();
