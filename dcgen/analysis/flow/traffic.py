"""A demand as it was written, turned into what the solver asks: who sends to whom, in axes and then in digits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import TypeAlias

from dcgen.analysis.flow.demand import Demand, Pairs, Ring, Uniform
from dcgen.analysis.flow.lower import Lowered
from dcgen.analysis.flow.net import Box, Loss, Lost, inside
from dcgen.analysis.flow.picks import Unanswerable, selected
from dcgen.analysis.flow.project import Projection
from dcgen.analysis.flow.span import Span
from dcgen.design.model import Traffic
from dcgen.diagnostics import did_you_mean

Side: TypeAlias = tuple[tuple[str, dict[str, range]], ...]
"""Groups of terminals, and the ranges of their axes."""

ALL_TO_ALL = Traffic("all-to-all", "all-to-all")
"""What is asked where nothing is written."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Each of `sources` sends `weight` in all, alike to every other of `targets` that agrees with it on the axes `within`."""

    sources: Side
    targets: Side
    within: tuple[str, ...] = ()
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Along:
    """Each terminal in `of` sends to the one `by` further along an axis; or, with `rows`, from and to the coordinates they list."""

    of: Side
    axis: str
    by: int = 1
    rows: tuple[tuple[int, int], ...] = ()


Ask: TypeAlias = Spread | Along


def asks(projection: Projection, traffic: Traffic) -> list[list[Ask]]:
    """The demands of a traffic, to be served at once; of the worst case one list for each candidate.

    Raises:
        Unanswerable: it names nothing in this fabric, or an axis that its terminals lack.
    """
    among = side_of(projection, traffic.among)
    _known(projection, among, (*traffic.within, *([traffic.along] if traffic.along else [])))
    if traffic.kind == "all-to-all":
        return [[Spread(among, among, traffic.within)]]
    if traffic.kind == "many-to-one":
        return [[Spread(among, side_of(projection, traffic.to))]]
    if traffic.kind == "matrix":
        return [[Spread(side_of(projection, (a,)), side_of(projection, (b,)), weight=rate) for a, b, rate in traffic.rows]]
    if traffic.kind == "gravity":
        return [_gravity(projection, traffic)]
    if traffic.kind == "worst-case":
        axes = dict.fromkeys(a.name for g, _ in among for a in projection.design.groups[g].axes if a.size > 1)
        lengths = {axis: min(projection.design.groups[g].sizes.get(axis, 1) for g, _ in among) for axis in axes}
        return [[Along(among, axis, n // 2)] for axis, n in lengths.items() if n > 1] or [[Spread(among, among)]]
    if traffic.kind == "tree":
        longest = max(projection.design.groups[g].sizes[traffic.along] for g, _ in among)
        edges = [(x, (x - 1) // 2) for x in range(1, longest)]
        return [[Along(among, traffic.along, rows=(*edges, *((b, a) for a, b in edges)))]]
    return [[Along(among, traffic.along, traffic.by)]]


def _gravity(projection: Projection, traffic: Traffic) -> list[Ask]:
    """From each part to each other in proportion to both masses; 1 is what a terminal sends on average."""
    sides = [side_of(projection, (text,)) for text in traffic.among]
    counts = [_count(projection, side) for side in sides]
    mass = traffic.mass or tuple(float(n) for n in counts)
    pairs = [(i, j, mass[i] * mass[j]) for i in range(len(sides)) for j in range(len(sides)) if i != j]
    scale = sum(counts) / (sum(w for *_, w in pairs) or 1)
    return [Spread(sides[i], sides[j], weight=w * scale / counts[i]) for i, j, w in pairs if w and counts[i]]


def _count(projection: Projection, side: Side) -> int:
    """Terminals that were declared there."""
    groups = projection.design.groups
    return sum(prod(len(box.get(a, range(n))) for a, n in groups[g].sizes.items()) for g, box in side)


def side_of(projection: Projection, among: Sequence[str]) -> Side:
    """Terminals that the selectors name; all where there is none."""
    out: list[tuple[str, dict[str, range]]] = []
    for text in among:
        selector = selected(text)
        name = selector.group
        mine = [g for g, o in projection.owner.items() if name in (g, o) or o.startswith(f"{name}/")]
        if not mine:
            known = dict.fromkeys(projection.owner.values())
            raise Unanswerable(f"`{text}` is nothing that {projection.fabric} serves", did_you_mean(name, known))
        for g in mine:
            sizes = projection.design.groups[g].sizes
            for axis, _, high in selector.ranges:
                if axis not in sizes or high >= sizes[axis]:
                    said = f"no axis `{axis}`" if axis not in sizes else f"`{axis}` from 0 to {sizes[axis] - 1}"
                    raise Unanswerable(f"`{text}`: {name} has {said}", did_you_mean(axis, sizes) if axis not in sizes else "")
            out.append((g, selector.box))
    return tuple(out) if among else tuple((g, {}) for g in projection.terminals)


def _known(projection: Projection, side: Side, axes: Sequence[str]) -> None:
    for axis in axes:
        for g, _ in side:
            if axis not in (sizes := projection.design.groups[g].sizes):
                raise Unanswerable(f"{projection.owner[g]} has no axis `{axis}`", did_you_mean(axis, sizes))


def demands(lowered: Lowered, asked: Sequence[Ask], losses: Sequence[Loss] = ()) -> list[Demand]:
    """The same in digits; a ring along an axis of several digits is written out pair by pair, around those that are lost.

    Raises:
        Unanswerable: agreement between groups that share no such digit.
    """
    out: list[Demand] = []
    for ask in asked:
        if isinstance(ask, Spread):
            share = _shared(lowered, ask)
            out.append(Uniform(boxes_of(lowered, ask.sources), boxes_of(lowered, ask.targets), share, ask.weight))
            continue
        for group, box in ask.of:
            digits = lowered.digits(group, ask.axis)
            if len(digits) == 1 and not ask.rows:
                out += [Ring(group, b, digits[0], ask.by) for b in lowered.boxes(group, box)]
            else:
                gone = [x for x in losses if isinstance(x, Lost) and x.group == group]
                out.append(Pairs(group, digits, tuple(_pairs(lowered, ask, group, box, gone))))
    return out


def _pairs(lowered: Lowered, ask: Along, group: str, box: dict[str, range], gone: Sequence[Lost]) -> Iterator[tuple[Box, Box, float]]:
    """Rows along an axis, for each part of the other digits in which the same coordinates are there."""
    digits = lowered.digits(group, ask.axis)
    here = box.get(ask.axis, range(lowered.reading.groups[group].sizes[ask.axis]))
    at = {x: _at(lowered, group, ask.axis, x) for x in here}
    others = {a: r for a, r in box.items() if a != ask.axis}
    rests = {repr(rest): rest for b in lowered.boxes(group, others) for rest in [{d: s for d, s in b.items() if d not in digits}]}
    for rest, lost in _parts(list(rests.values()), [] if ask.rows else gone, digits):
        members = [x for x in here if not any(inside(at[x], {d: y.box[d] for d in digits}) for y in lost)]
        rows = ask.rows or [(x, members[(i + ask.by) % len(members)]) for i, x in enumerate(members)]
        yield from (({**rest, **at[x]}, at[y], 1.0) for x, y in rows if x in at and y in at and x != y)


def _parts(rests: list[Box], gone: Sequence[Lost], digits: Sequence[str]) -> list[tuple[Box, list[Lost]]]:
    """Disjoint parts of the boxes, each with the losses that reach into it."""
    parts: list[tuple[Box, list[Lost]]] = [(rest, []) for rest in rests]
    for x in gone:
        new = []
        for rest, lost in parts:
            left = dict(rest)
            for d in rest:
                outside = left[d] - x.box[d]
                if outside:
                    new.append(({**left, d: outside}, lost))
                left[d] = left[d] & x.box[d]
                if not left[d]:
                    break
            else:
                new.append((left, [*lost, x]))
        parts = new
    return parts


def _at(lowered: Lowered, group: str, axis: str, x: int) -> Box:
    return {d: Span.of(x // stride % size) for d, stride, size in lowered.net.groups[group].reading[axis]}


def boxes_of(lowered: Lowered, side: Side) -> tuple[tuple[str, Box], ...]:
    return tuple((g, b) for g, box in side for b in lowered.boxes(g, box))


def _shared(lowered: Lowered, ask: Spread) -> tuple[str, ...]:
    groups = dict.fromkeys(g for g, _ in (*ask.sources, *ask.targets))
    found = {g: tuple(d for axis in ask.within for d in lowered.digits(g, axis)) for g in groups}
    if len({frozenset(x) for x in found.values()}) > 1:
        raise Unanswerable(f"{' and '.join(groups)} do not share {' and '.join(ask.within)}", "name one of them in `among:`")
    return next(iter(found.values()), ())


def described(traffic: Traffic) -> str:
    """A traffic in words: `all-to-all within su`."""
    words = [traffic.kind]
    words += [f"among {' and '.join(traffic.among)}"] if traffic.among else []
    words += [f"to {' and '.join(traffic.to)}"] if traffic.to else []
    words += [f"within {' and '.join(traffic.within)}"] if traffic.within else []
    words += [f"along {traffic.along}"] if traffic.along else []
    words += [f"by {traffic.by}"] if traffic.by != 1 else []
    words += [f"routing {traffic.routing}"] if traffic.routing != "adaptive" else []
    return " ".join(words)


def rated(traffic: Traffic) -> bool:
    """Whether rates were written, so that the answer is a multiple of them."""
    return traffic.kind == "matrix"


__all__ = ["ALL_TO_ALL", "Along", "Ask", "Spread", "asks", "demands", "described", "rated"]
