"""Words of a question as regions of axes: which devices and which links a selector names in a fabric as its terminals see it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from dcgen.analysis.flow.project import Projection
from dcgen.design.region import Box
from dcgen.diagnostics import did_you_mean
from dcgen.naming import Selector, SelectorError, parse_selector


class Unanswerable(ValueError):
    """A question that names nothing, or that has no answer in this form; `fix` says what would have one."""

    def __init__(self, what: str, fix: str = "") -> None:
        self.what, self.fix = what, fix
        super().__init__(what)


@dataclass(frozen=True, slots=True)
class Devices:
    """Devices of a group, in ranges of its axes."""

    group: str
    box: Box = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Links:
    """Links of a bundle between devices in ranges of axes: `times` of each pair, or all."""

    bundle: str
    a: Box = field(default_factory=dict)
    b: Box = field(default_factory=dict)
    times: int | None = None


Pick: TypeAlias = Devices | Links


def selected(text: str) -> Selector:
    """A selector of devices or links.

    Raises:
        Unanswerable: it does not parse, or names a port.
    """
    try:
        found = parse_selector(text)
    except SelectorError as e:
        raise Unanswerable(e.what, e.fix) from None
    if found.port:
        raise Unanswerable(f"`{text}` names a port", "name a device, or the bundle of links that the port is of")
    return found


def picked(projection: Projection, text: str) -> list[Pick]:
    """All that a selector names: a group, the groups of an entry of racks, the tiers of a fabric, or a bundle of links.

    Raises:
        Unanswerable: it names nothing in this fabric.
    """
    selector = selected(text)
    bundles = [b for b in projection.joins if b.name == selector.group]
    if bundles:
        return [pick for b in bundles for pick in _links(projection, b.a.group, b.b.group, selector)]
    out: list[Pick] = [Devices(g, selector.box) for g in _groups(projection, selector)]
    return out


def present(projection: Projection) -> list[str]:
    """The groups that the question is about."""
    return list(dict.fromkeys(e.group for b in projection.joins for e in b.ends))


def _groups(projection: Projection, selector: Selector) -> list[str]:
    name, here, owner = selector.group, present(projection), projection.owner
    if name == projection.fabric:
        groups = [g for g in here if g in projection.design.fabrics[name].tiers]
    else:
        groups = [g for g in here if name in (g, owner.get(g, g))] or [g for g in here if owner.get(g, g).startswith(f"{name}/")]
    if not groups:
        known = [projection.fabric, *dict.fromkeys(owner.get(g, g) for g in here), *(b.name for b in projection.joins)]
        raise Unanswerable(f"there is no `{name}` in {projection.fabric}", did_you_mean(name, known))
    sizes = {g: projection.design.groups[g].sizes for g in groups}
    fit = [g for g in groups if set(selector.box) <= set(sizes[g])]
    for axis, _, high in selector.ranges:
        most = max((s[axis] for s in sizes.values() if axis in s), default=0)
        if not fit or high >= most:
            known_axes = dict.fromkeys(a for s in sizes.values() for a in s)
            said = f"{name} has `{axis}` from 0 to {most - 1}" if most else f"{name} has no axis `{axis}`"
            if not most or high >= most:
                raise Unanswerable(said, "" if most else did_you_mean(axis, known_axes))
    if not fit:
        raise Unanswerable(f"no part of {name} has all of {', '.join(selector.box)}")
    return fit


def _links(projection: Projection, a: str, b: str, selector: Selector) -> Iterator[Links]:
    sizes = [projection.design.groups[g].sizes for g in (a, b)]
    for axis, _, high in selector.ranges:
        most = max((s.get(axis, 0) for s in sizes), default=0)
        if high >= most:
            said = f"neither end of {selector.group} has an axis `{axis}`" if not most else f"`{axis}` runs from 0 to {most - 1}"
            raise Unanswerable(f"`{selector}`: {said}", did_you_mean(axis, [*sizes[0], *sizes[1]]) if not most else "")
    here, there = ({x: r for x, r in selector.box.items() if x in s} for s in sizes)
    if a == b and here:  # inside a group: all links with an end there
        yield Links(selector.group, here, {})
        yield Links(selector.group, {}, there)
    else:
        yield Links(selector.group, here, there)
