"""A slice of a design: one fabric, a group with its neighbours, or some coordinates of everything."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from hashlib import sha256

from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.region import Box
from dcgen.design.wiring import links
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.naming import Selector, SelectorError, parse_selector

_ANY = "any"
"""Stands for the group of a selector that is written with ranges alone."""
_LONGEST = 80


def sliced(design: Design, selector: str) -> Design:
    """The part of a design that a selector names; everything else is absent, and keeps its ports.

    A fabric keeps its bundles and the groups they touch; an entry or group without ranges keeps the groups of that name and their
    neighbours. Ranges (`compute[su=0]`, `[su=0,rail=2]` or `su=0`) restrict every group that has one of the axes, others stay
    whole. What has nothing left is dropped. A rack is kept with what is kept of its contents. Requirements, expectations and
    stock are those of the whole, and are left out.

    Raises:
        Rejected: `bad-selector` for one that does not parse, or names nothing.
    """
    asked = _parsed(selector)
    box = asked.box
    bundles, names = _named(design, asked, selector)
    _known(design, box, selector, asked.group)
    groups = {n: _restricted(design.groups[n], box) for n in design.groups if n in names}
    groups = {n: g for n, g in groups.items() if g.count and (not g.inside or g.inside in groups)}
    if not groups:
        raise Rejected([Diagnostic("bad-selector", f"`{selector}` leaves nothing of this design")])
    return _made(design, selector, groups, [b for b in bundles if all(e.group in groups for e in b.ends)])


def suffix(selector: str) -> str:
    """What the name of a slice ends in: safe in a file name, the same for the same selector.

    >>> suffix("backend/leaf[su=0..3, rail=5]")
    'only-backend-leaf-su0..3-rail5'
    """
    asked = _parsed(selector)
    words = [] if asked.group == _ANY else [asked.group.replace("/", "-")]
    words += [f"{axis}{low}" + (f"..{high}" if high > low else "") for axis, low, high in asked.ranges]
    text = "-".join(["only", *words])
    return text if len(text.encode()) <= _LONGEST else f"{text[:20]}-{sha256(text.encode()).hexdigest()[:12]}"


def _parsed(text: str) -> Selector:
    bare = text.strip()
    if "=" in bare and "[" not in bare:
        bare = f"[{bare}]"
    try:
        found = parse_selector(f"{_ANY}{bare}" if bare.startswith("[") else bare)
    except SelectorError as e:
        raise Rejected([Diagnostic("bad-selector", e.what.replace(_ANY, "", 1), fix=e.fix)]) from None
    if found.port:
        what = f"`{text}` names a port; a slice is of devices"
        raise Rejected([Diagnostic("bad-selector", what, fix=f"write `{replace(found, port='')}`")])
    return found


def _named(design: Design, asked: Selector, text: str) -> tuple[list[Join], set[str]]:
    """Bundles and groups that the name keeps, before any range."""
    if asked.group in design.fabrics:
        bundles = design.of(asked.group)
        return bundles, _with_racks(design, {e.group for b in bundles for e in b.ends} | {n for n in design.fabrics[asked.group].tiers})
    mine = {n for n in design.groups if n == asked.group or n.startswith(f"{asked.group}/")}
    if not mine and asked.group != _ANY:
        known = [*design.fabrics, *design.groups]
        raise Rejected([Diagnostic("bad-selector", f"`{text}`: there is nothing called `{asked.group}`", fix=did_you_mean(asked.group, known))])
    if asked.ranges:
        return list(design.bundles), set(design.groups)
    bundles = [b for b in design.bundles if any(e.group in mine for e in b.ends)]
    return bundles, _with_racks(design, mine | {e.group for b in bundles for e in b.ends})


def _with_racks(design: Design, names: set[str]) -> set[str]:
    return names | {inside for n in names if (inside := design.groups[n].inside)}


def _known(design: Design, box: Box, text: str, name: str) -> None:
    """Every axis is one of the groups that the selector names, and its range begins before the last coordinate."""
    mine = [g for n, g in design.groups.items() if name in (_ANY, n, g.fabric) or n.startswith(f"{name}/")]
    sizes: dict[str, int] = {}
    for axis in (a for g in mine for a in g.axes):
        sizes[axis.name] = max(axis.size, sizes.get(axis.name, 0))
    for axis, r in box.items():
        if axis not in sizes:
            raise Rejected([Diagnostic("bad-selector", f"`{text}`: nothing there has an axis `{axis}`", fix=did_you_mean(axis, sizes))])
        if r.stop > sizes[axis]:
            what = f"`{text}`: `{axis}` runs from 0 to {sizes[axis] - 1}"
            raise Rejected([Diagnostic("bad-selector", what, fix=f"write a range within 0..{sizes[axis] - 1}")])


def _restricted(group: DeviceGroup, box: Box) -> DeviceGroup:
    """The group with everything outside the box absent."""
    outside = [s for a in group.axes if a.name in box for s in around(group.name, a.name, a.size, box[a.name])]
    return replace(group, absent=(*group.absent, *outside)) if outside else group


def around(group: str, axis: str, size: int, keep: range) -> Iterator[Selector]:
    """Selectors of what lies before and behind a range of an axis."""
    if keep.start > 0:
        yield Selector(group, ((axis, 0, min(keep.start, size) - 1),))
    if keep.stop < size:
        yield Selector(group, ((axis, keep.stop, size - 1),))


def _made(design: Design, selector: str, groups: dict[str, DeviceGroup], bundles: list[Join]) -> Design:
    whole = replace(design, groups=groups)
    kept = tuple(here for b in bundles if links(whole, here := replace(b, gone=tuple(x for x in b.gone if _there(groups, b, x)))))
    touched = {b.fabric for b in kept} | {g.fabric for g in groups.values()}
    fabrics = {
        n: replace(f, tiers=tuple(t for t in f.tiers if t in groups)) for n, f in design.fabrics.items() if n in {b.fabric for b in kept}
    }
    gone = {*design.groups, *design.fabrics, *(b.name for b in design.bundles)} - {*groups, *touched, *(b.name for b in kept)}
    what = f"this is a slice, `{selector}`: {len(groups)} of {len(design.groups)} groups, {len(kept)} of {len(design.bundles)} bundles"
    note = Diagnostic("slice", what, "requirements, expectations and stock of the whole are left out", severity="info", subject="site")
    return replace(
        whole,
        name=f"{design.name}.{suffix(selector)}",
        bundles=kept,
        fabrics=fabrics,
        decisions=tuple(d for d in design.decisions if d.subject not in gone),
        requirements=(),
        remarks=(note, *(r for r in design.remarks if r.subject not in gone)),
        have=(),
        phases={n: tuple(s for s in selectors if s.group in groups) for n, selectors in design.phases.items()},
    )


def _there(groups: Mapping[str, DeviceGroup], join: Join, link: Mapping[str, int]) -> bool:
    """Whether both devices of a single link may exist."""
    for end in join.ends:
        group, at = groups[end.group], {}
        for axis in group.sizes:
            if end.spread is not None and axis == end.spread.axis:
                continue
            x = 0
            for d in end.view.get(axis, (axis,)):
                x = x * join.sizes.get(d, 1) + link[d]
            at[axis] = x - end.shift.get(axis, 0)
        if any(all(at[a] in r for a, r in s.box.items() if a in at) and set(s.box) <= set(at) for s in group.absent):
            return False
    return True
