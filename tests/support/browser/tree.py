"""A page as Chromium tells it to a screen reader: roles, names, values, and nothing that is seen.

What is done to a node is its default action, as a screen reader asks for it: no pointer, no place
on the screen, no selector. What the tree does not tell cannot be done here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page

PATIENCE = 250
STEP_MS = 20
CONTROLS = frozenset({"button", "link", "textbox", "combobox", "spinbutton", "checkbox", "radio"})


@dataclass(frozen=True)
class Node:
    """One node of the tree; `backend` is by what Chromium knows its element."""

    role: str
    name: str
    value: str
    is_disabled: bool
    backend: int

    @property
    def is_control(self) -> bool:
        """Whether it is there to be acted on."""
        return self.role in CONTROLS and not self.is_disabled


def _text(node: dict[str, Any], key: str) -> str:
    return str(node.get(key, {}).get("value", ""))


def _node(told: dict[str, Any]) -> Node:
    traits = {one["name"]: one["value"].get("value") for one in told.get("properties", [])}
    return Node(
        _text(told, "role"),
        _text(told, "name").strip(),
        _text(told, "value"),
        bool(traits.get("disabled")),
        told.get("backendDOMNodeId", 0),
    )


CLICK = """function () {
  if (!this.isConnected) return false;
  this.focus();
  const traits = { bubbles: true, cancelable: true, view: window };
  this.dispatchEvent(new PointerEvent("click", traits));
  return true;
}"""


class Tree:
    """The accessibility tree of a page that is open."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.session = page.context.new_cdp_session(page)
        self.session.send("Accessibility.enable")

    def nodes(self) -> list[Node]:
        """All that a screen reader meets now, in the order of reading."""
        told = self.session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {one["nodeId"]: one for one in told}
        read: list[Node] = []
        open_nodes = [told[0]["nodeId"]]
        while open_nodes:
            one = by_id.get(open_nodes.pop())
            if one is None:
                continue
            open_nodes += reversed(one.get("childIds", []))
            if not one["ignored"]:
                read.append(_node(one))
        return read

    def texts(self) -> list[str]:
        """Every name that is read out."""
        return [node.name for node in self.nodes() if node.name]

    def controls(self) -> list[Node]:
        """What can be acted on now."""
        return [node for node in self.nodes() if node.is_control]

    def look(self) -> tuple[str, list[Node]]:
        """The name of the first heading, and what can be acted on, of one moment."""
        nodes = self.nodes()
        title = next((node.name for node in nodes if node.role == "heading"), "")
        return title, [node for node in nodes if node.is_control]

    def says(self, text: str) -> bool:
        """Whether this text stands on the page."""
        return any(node.role == "StaticText" and node.name == text for node in self.nodes())

    def until(self, what: Callable[[], Any]) -> Any:
        """Listen until there is something; what there is."""
        for _ in range(PATIENCE):
            found = what()
            if found:
                return found
            self.page.wait_for_timeout(STEP_MS)
        raise AssertionError("\n".join(f"{n.role} {n.name!r}" for n in self.nodes() if n.name))

    def find(self, role: str, name: str) -> Node:
        """The control of this role whose name begins so, once it is told."""

        def look() -> Node | None:
            named = [one for one in self.controls() if one.role == role]
            return next((one for one in named if one.name.startswith(name)), None)

        found: Node = self.until(look)
        return found

    def act(self, node: Node) -> bool:
        """The node's default action; False: it was drawn anew since it was found."""
        return bool(self._call(node, CLICK))

    def press(self, name: str) -> None:
        """The default action of the button of this name."""
        self.until(lambda: self.act(self.find("button", name)))

    def write(self, role: str, name: str, text: str) -> None:
        """Put the focus on a field, write over what stands there, and leave it."""
        self._focus(role, name, "this.select();")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Tab")

    def turn_to(self, name: str, value: str, key: str) -> None:
        """Step through a list with an arrow key until it says this value."""
        for _ in range(PATIENCE):
            node = self._focus("combobox", name)
            if node.value == value:
                return
            self.page.keyboard.press(key)
            self.until(lambda was=node.value: self.find("combobox", name).value != was)  # type: ignore[misc]
        raise AssertionError(f"{name} never says {value}")

    def _focus(self, role: str, name: str, then: str = "") -> Node:
        """The control of this role and name, with the focus on it: one that was drawn anew since it
        was found takes none."""

        def look() -> Node | None:
            node = self.find(role, name)
            focus = f"function () {{ this.focus(); {then} return this.matches(':focus'); }}"
            return node if self._call(node, focus) else None

        found: Node = self.until(look)
        return found

    def _call(self, node: Node, function: str) -> Any:
        told = self.session.send("DOM.resolveNode", {"backendNodeId": node.backend})
        call = {"objectId": told["object"]["objectId"], "functionDeclaration": function}
        done = self.session.send("Runtime.callFunctionOn", call | {"returnByValue": True})
        return done["result"].get("value")
