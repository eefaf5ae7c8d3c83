"""The words of the corner editor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.views.words import phrase

EDITOR: Final[Mapping[str, str]] = {
    "edit-corners": phrase("Its corners"),
    "edit-title": phrase("{board}: corners"),
    "edit-how": phrase(
        "Touch a space, then the space that its arrow leads to. The same again takes it away."
    ),
    "edit-how-beside": phrase(
        "Touch two spaces that lie side by side without an arrow. The same again takes it away."
    ),
    "edit-corner": phrase("Corner"),
    "edit-arrows": phrase("Arrows"),
    "edit-beside": phrase("Side by side"),
    "edit-spaces": phrase("Spaces"),
    "edit-lane": phrase("Lane {lane}"),
    "edit-fewer": phrase("Lane {lane}: a space less"),
    "edit-more": phrase("Lane {lane}: a space more"),
    "edit-counts": phrase("Another count lays the corner's arrows out anew."),
    "edit-ways": phrase("Ways through: {shortest} to {longest} spaces"),
    "edit-ways-none": phrase("No board can be made of this."),
    "edit-printed": phrase("printed: {shortest} to {longest}"),
    "edit-unprinted": phrase("none printed"),
    "edit-check": phrase("What the check says"),
    "edit-sound": phrase("Nothing is wrong with this board."),
    "edit-undo": phrase("Step back"),
    "edit-layout": phrase("Lay out anew"),
    "edit-save": phrase("Keep as {file}"),
    "edit-shipped": phrase(
        "The board that came with the companion stays as it is: {file} will be a board of its own."
    ),
    "edit-saved": phrase("Kept as {file}. The table can race on it."),
    "edit-key": phrase("PIN of the referee"),
    "edit-key-why": phrase("Checking and keeping needs the PIN, or the host's phone."),
    "edit-picked": phrase("From {space} to …"),
    "edit-stops": phrase("stops: {n}"),
    "edit-first": phrase("Keep this corner first, or step back."),
    "edit-unsaved": phrase("not kept yet"),
}
