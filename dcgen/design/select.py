"""Links that end on selected devices or ports, counted by turning the selection into a region of the port-level design."""

from dataclasses import replace

from dcgen.design.model import Axis, Design
from dcgen.design.region import Box
from dcgen.design.settle import by_port
from dcgen.design.wiring import links
from dcgen.naming import Selector


def links_at(design: Design, group: str, block: str, box: Box) -> int:
    """Links with an end in a box of a group's axes; with `block`, of its ports' axes too (`rail`)."""
    total = 0
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            if end.group != group or (block and end.block.name != block):
                continue
            here, bundle, name = design, join, group
            if side == 0 and set(box) - set(design.groups[group].sizes):
                here, (bundle,), ports = by_port(design, [join])
                name = next(iter(ports), group)
            if set(box) <= set(here.groups[name].sizes):
                total += links(_only(here, name, box), bundle)
    return total


def _only(design: Design, group: str, box: Box) -> Design:
    """The design with everything of the group outside the box absent."""
    g = design.groups[group]
    outside = []
    for axis in g.axes:
        keep = box.get(axis.name, range(axis.size))
        outside += around(axis, keep, group)
    return replace(design, groups={**design.groups, group: replace(g, absent=(*g.absent, *outside))})


def around(axis: Axis, keep: range, group: str) -> list[Selector]:
    """Selectors of what lies before and behind a range of an axis."""
    low = [Selector(group, ((axis.name, 0, keep.start - 1),))] if keep.start > 0 else []
    high = [Selector(group, ((axis.name, keep.stop, axis.size - 1),))] if keep.stop < axis.size else []
    return low + high
