"""Bundles said another way, with the same links and ports: spreads that divide as plain joins, node ports as devices."""

from collections.abc import Iterable
from dataclasses import replace
from math import prod

from dcgen.design.model import Axis, Block, Deal, Design, Join, Pack
from dcgen.design.wiring import agreed, port_orders


def divided(design: Design, join: Join) -> Join:
    """A Deal or Pack that divides, rewritten as a plain join with the same ports; anything else unchanged."""
    spread = join.b.spread
    if spread is None or spread.start or join.pairs or (isinstance(spread, Deal) and spread.lane):
        return join
    a, b, size = agreed(design, join)
    order_a, order = port_orders(join, a, b)
    m = design.groups[join.b.group].sizes[spread.axis]
    if not order or spread.axis in size or design.groups[join.b.group].rulers[spread.axis] != m:
        return join  # dealt over the members there are, while a digit is measured with their room
    if isinstance(spread, Deal):
        return _divided_deal(join, spread.axis, m, size, order_a, order)
    return _divided_pack(join, spread, m, size, order)


def _divided_deal(join: Join, member: str, m: int, size: dict[str, int], order_a: tuple[str, ...], order: tuple[str, ...]) -> Join:
    low = order[-1]
    if size[low] % m:
        return join
    q = size[low] // m
    if low in join.ways:
        order_a = tuple(y for x in order_a for y in ((x, member) if x == low else (x,)))
        gone = _read_in_two(join, low, low, member, m)
        end_a, end_b = replace(join.a, order=order_a), replace(join.b, spread=None, order=order)
        return replace(join, a=end_a, b=end_b, ways={**join.ways, low: q}, gone=gone)
    if join.a.view.get(low, (low,)) != (low,) or any(low in v for ax, v in join.a.view.items() if ax != low):
        return join
    high = f"{low}."
    return replace(
        join,
        a=replace(join.a, view={**join.a.view, low: (high, member)}),
        b=replace(join.b, spread=None, order=(*order[:-1], high)),
        on=(*join.on, member),
        sizes={**join.sizes, high: q, member: m},
        gone=_read_in_two(join, low, high, member, m),
    )


def _divided_pack(join: Join, spread: Pack, m: int, size: dict[str, int], order: tuple[str, ...]) -> Join:
    first, below = order[0], prod(size[d] for d in order[1:])
    if spread.capacity % below or first in join.ways or join.a.view.get(first, (first,)) != (first,):
        return join
    if any(first in v for ax, v in join.a.view.items() if ax != first):
        return join
    fill, low = spread.capacity // below, f"{first}."
    return replace(
        join,
        a=replace(join.a, view={**join.a.view, first: (spread.axis, low)}),
        b=replace(join.b, spread=None, order=(low, *order[1:])),
        on=(*join.on, spread.axis),
        sizes={**join.sizes, low: fill, spread.axis: max(m, -(-size[first] // fill))},
        gone=_read_in_two(join, first, spread.axis, low, fill),
    )


def _read_in_two(join: Join, digit: str, high: str, low: str, n: int) -> tuple[dict[str, int], ...]:
    """The single links taken out, with one digit read as two."""
    return tuple({**{d: x for d, x in link.items() if d != digit}, high: link[digit] // n, low: link[digit] % n} for link in join.gone)


def by_port(design: Design, bundles: Iterable[Join]) -> tuple[Design, tuple[Join, ...], dict[str, str]]:
    """The same links with every node port a device of its own, so that a node never relays.

    (design, bundles, group of ports -> group of the nodes they are on).
    """
    groups, out = dict(design.groups), []
    ports: dict[str, str] = {}
    for join in bundles:
        node = design.groups[join.a.group]
        if node.role != "node" or join.pairs is not None:
            out.append(join)  # switches, and nodes that are joined to each other and do relay
            continue
        a, b, size = agreed(design, join)
        order, _ = port_orders(join, a, b)
        name = f"{node.name}.{join.a.block.name}"
        if name in groups:
            name = f"{name}.{len(out)}"  # other ports, even where they have the same axes
        own = {d: f"{d}." if d in node.sizes else d for d in order}
        axes = (*node.axes, *(Axis(own[d], size[d]) for d in order))
        groups[name] = replace(node, name=name, axes=axes, role="port")
        view = {**join.a.view, **{axis: (d,) for d, axis in own.items() if axis != d}}
        end = replace(join.a, group=name, block=Block(join.a.block.name), order=(), view=view)
        on = (*join.on, *(d for d in order if d in b))
        order_b = port_orders(join, a, b)[1]
        out.append(replace(join, a=end, b=replace(join.b, order=order_b), on=on, ways={}, sizes={**join.sizes}))
        ports[name] = node.name
    return replace(design, groups=groups), tuple(out), ports
