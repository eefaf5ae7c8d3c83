/** What a page loads when there is a lobby, and a race need not wait for. */

import { byId } from "./js/dom.js";
import { showLobby } from "./js/lobby.js";

document.addEventListener("lobby", ({ detail }) => showLobby(detail, byId("lobby"), byId("lobby-body")));
document.dispatchEvent(new Event("lobby-ready"));
