"""Links that end on selected devices or ports, counted by turning the selection into a region of the port-level design."""

from collections.abc import Collection
from dataclasses import replace

from dcgen.design.model import Axis, Design, Join
from dcgen.design.region import Box
from dcgen.design.rewrite import by_port
from dcgen.design.wiring import agreed, links, port_orders
from dcgen.naming import Selector


def links_at(design: Design, group: str, block: str, box: Box) -> int:
    """Links with an end, or both, in a box of a group's axes; with `block`, of its ports' axes too (`rail`)."""
    total = 0
    for join in design.bundles:
        sides = [s for s, e in enumerate(join.ends) if e.group == group and block in ("", e.block.name)]
        of_ports = set(box) - set(design.groups[group].sizes)
        if sides and of_ports and not _digits_of_ports(design, join, sides, of_ports):
            total += _on_columns(design, join, sides, box)
        elif sides and of_ports:
            here, (bundle,), _ = by_port(design, [join])
            total += _between(here, bundle, (0,), box)
        elif sides:
            total += sum(_between(design, join, (s,), box) for s in sides)
            total -= _between(design, join, sides, box) if len(sides) == 2 else 0
    return total


def _digits_of_ports(design: Design, join: Join, sides: Collection[int], axes: Collection[str]) -> bool:
    """Whether these axes of ports are digits that the lower end counts its ports by, and nothing else is asked."""
    if sides != [0] or join.pairs is not None or design.groups[join.a.group].role != "node":
        return False
    a, b, _ = agreed(design, join)
    return set(axes) <= set(port_orders(join, a, b)[0])


def _between(design: Design, join: Join, sides: Collection[int], box: Box) -> int:
    """Links whose ends on these sides lie in the box: each such end is given a group of its own that is absent outside."""
    groups, ends = dict(design.groups), list(join.ends)
    for side in sides:
        group = groups[ends[side].group]
        outside = [s for axis in group.axes for s in around(axis, box.get(axis.name, range(axis.size)), group.name)]
        name = f"{group.name}:{side}"
        groups[name] = replace(group, name=name, absent=(*group.absent, *outside))
        ends[side] = replace(ends[side], group=name)
    return links(replace(design, groups=groups), replace(join, a=ends[0], b=ends[1]))


def _on_columns(design: Design, join: Join, sides: Collection[int], box: Box) -> int:
    """Links with an end in the box, read link by link: port axes that are split, renamed, or paired port by port."""
    import numpy as np

    from dcgen.design.columns import cages, columns

    c = columns(design, join)
    found = np.zeros(len(c), bool)
    for side in sides:
        end, device, port = join.ends[side], (c.a, c.b)[side], (c.a_port, c.b_port)[side]
        group, ports = design.groups[end.group], design.part(end.group).port_groups()[end.block.name]
        first = ports.modes[0][0]
        cage, sub = cages(end, port)
        inside = np.ones(len(c), bool)
        for n, sizes in ((device, group.rulers), (cage * first + sub * first // end.block.split, ports.axes)):
            for axis, x in zip(sizes, np.unravel_index(n, tuple(sizes.values())), strict=True) if sizes else ():
                inside &= (x >= box[axis].start) & (x < box[axis].stop) if axis in box else True
        found |= inside
    return int(found.sum())


def around(axis: Axis, keep: range, group: str) -> list[Selector]:
    """Selectors of what lies before and behind a range of an axis."""
    low = [Selector(group, ((axis.name, 0, keep.start - 1),))] if keep.start > 0 else []
    high = [Selector(group, ((axis.name, keep.stop, axis.size - 1),))] if keep.stop < axis.size else []
    return low + high
