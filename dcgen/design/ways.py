"""Which bundles the shortest ways between node ports run over, and how many pairs of ports share each kind of way.

Of several shortest ways the dearest is taken, by a cost for each bundle: traffic may be spread over all of them, and a bound has to
hold on every one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dcgen.design.lowering import Cell, NotSymbolic
from dcgen.design.model import Design, Join
from dcgen.design.witness import Vertex, Witnesses, witnesses

Links = tuple[str, ...]
"""Bundles that a way runs over, in order."""


@dataclass(frozen=True, slots=True)
class Ways:
    """(group of ports that a way begins at, bundles) -> ordered pairs of ports; how many pairs are local, or out of reach."""

    pairs: dict[tuple[str, Links], int]
    local: int = 0
    apart: int = 0


def ways(
    design: Design, bundles: Iterable[Join], owners: Mapping[str, str], near: Mapping[str, tuple[str, ...]], cost: Mapping[str, float]
) -> Ways | None:
    """Ways between all ports of a fabric, by kind; None where walking over the links would take minutes.

    `owners` says which group of nodes a group of ports is on; `near` are the axes of these nodes that two ports must share to be
    local: such a pair needs no fabric. `cost` is that of a link of each bundle.
    """
    asked = tuple(bundles)
    try:
        return _on_witnesses(witnesses(design, asked), owners, near, cost)
    except NotSymbolic:
        from dcgen.design.reach import TooManyStarts
        from dcgen.design.walks import walked

        try:
            return walked(design, asked, owners, near, cost)
        except TooManyStarts:
            return None


def _on_witnesses(seen: Witnesses, owners: Mapping[str, str], near: Mapping[str, tuple[str, ...]], cost: Mapping[str, float]) -> Ways:
    _cut_alike(seen.cells, owners, near)
    found: Counter[tuple[str, Links]] = Counter()
    local = apart = 0
    for i, cell in enumerate(seen.cells):
        start: Vertex = (i, tuple(0 for _ in cell.box))
        if cell.group not in owners or not seen.near[start]:
            continue
        reached = _dearest(seen, start, cost)
        for vertex, weight in seen.weight.items():
            other = seen.cells[vertex[0]]
            if other.group not in owners or vertex == start or not weight or not seen.near[vertex]:
                continue
            pairs = cell.count * weight
            if _local(cell, other, vertex[1], owners, near):
                local += pairs
            elif vertex in reached:
                found[cell.group, reached[vertex]] += pairs
            else:
                apart += pairs
    return Ways(dict(found), local, apart)


def _cut_alike(cells: Iterable[Cell], owners: Mapping[str, str], near: Mapping[str, tuple[str, ...]]) -> None:
    """Whether all groups of ports on one group of nodes are cut at the same near coordinates: else nobody knows who is local to whom.

    Raises:
        NotSymbolic: they are not.
    """
    cuts: dict[str, dict[str, set[tuple[str, int, int, int]]]] = {}
    for cell in cells:
        if owner := owners.get(cell.group):
            mine = cuts.setdefault(owner, {}).setdefault(cell.group, set())
            mine |= {(axis, stride, r.start, r.stop) for (_, axis, stride), r in cell.box.items() if axis in near[owner]}
    if any(len({frozenset(c) for c in groups.values()}) > 1 for groups in cuts.values()):
        raise NotSymbolic("ports of one node that are told apart in different ways")


def _dearest(seen: Witnesses, start: Vertex, cost: Mapping[str, float]) -> dict[Vertex, Links]:
    """The dearest of the shortest ways from one vertex to every other that can be reached."""
    best: dict[Vertex, tuple[float, Links]] = {start: (0.0, ())}
    front = {start: best[start]}
    while front:
        ahead: dict[Vertex, tuple[float, Links]] = {}
        for v, (spent, links) in front.items():
            for w, bundle in zip(seen.near[v], seen.over[v], strict=True):
                if w not in best:
                    ahead[w] = max(ahead.get(w, (-1.0, ())), (spent + cost[bundle], (*links, bundle)))
        best |= ahead
        front = ahead
    return {v: links for v, (_, links) in best.items()}


def _local(one: Cell, other: Cell, offsets: tuple[int, ...], owners: Mapping[str, str], near: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a port of `other` shares the near coordinates of the first port of `one`."""
    owner = owners[one.group]
    if owners[other.group] != owner:
        return False
    here = {(axis, stride): r.start for (_, axis, stride), r in one.box.items()}
    there = {(axis, stride): r.start + offset for ((_, axis, stride), r), offset in zip(other.box.items(), offsets, strict=True)}
    return _place(here, near[owner]) == _place(there, near[owner])


def _place(digits: Mapping[tuple[str, int], int], axes: tuple[str, ...]) -> tuple[int, ...]:
    """Coordinates on some axes, put together from the digits they were cut into."""
    return tuple(sum(x * stride for (a, stride), x in digits.items() if a == axis) for axis in axes)
