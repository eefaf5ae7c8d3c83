"""The colors of cars in words that fit a key."""

from __future__ import annotations

from companion.views.words import keyed

COLOR_WORDS = keyed("red | blue | yellow | green | black | orange | violet | cyan | pink | brown")
