"""Tunnels: the space with the sign leads to the other end, and nowhere else (FD-URBAN-6).

The spaces under a tunnel are best left out of the file, so that the far end is the next space
of its lane; where they are written all the same, a move jumps over them. No lane is changed in
a tunnel, so a sign and a far end of another lane are no neighbours.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.board.faults import Faults
from companion.rules.board.graph import Graph

Tunnel = tuple[tuple[int, int], ...]


def read_tunnel(texts: Iterable[str], graph: Graph, faults: Faults) -> Tunnel:
    """The pairs of spaces as written, `S4.l7>S5.l1`; a pair that cannot be driven is a fault."""
    pairs = []
    for text in texts:
        sign, _, far_end = text.partition(">")
        pair = graph.look_up(sign, "tunnel"), graph.look_up(far_end, "tunnel")
        if min(pair) >= 0 and not _leads_on(graph, *pair):
            faults.add("tunnel", f"{text} should lead on in its lane")
        pairs.append(pair)
    for end in (0, 1):
        spaces = [pair[end] for pair in pairs if pair[end] >= 0]
        for space in sorted({space for space in spaces if spaces.count(space) > 1}):
            faults.add("tunnel", f"{graph.ids[space]} is written twice")
    return tuple(pairs)


def _leads_on(graph: Graph, sign: int, far_end: int) -> bool:
    """In one lane, and onward where both lie in one section (else it would be a circle)."""
    if graph.lane[sign] != graph.lane[far_end]:
        return False
    return graph.section[sign] != graph.section[far_end] or sign < far_end


def dig(tunnel: Tunnel, graph: Graph, nexts: list[tuple[int, ...]]) -> None:
    """Lead every sign to its far end alone, and part the spaces that the tunnel keeps apart."""
    signs, far_ends = {sign for sign, _ in tunnel}, {far_end for _, far_end in tunnel}
    for sign, far_end in tunnel:
        nexts[sign] = (far_end,)
        graph.ahead[sign] = far_end
    for apart, others in ((signs, far_ends), (far_ends, signs)):
        for space in apart:
            graph.beside[space] = [s for s in graph.beside[space] if s not in others]
