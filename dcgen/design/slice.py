"""A slice of a design: one fabric, a group with its neighbours, or some coordinates of everything."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from hashlib import sha256

from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.region import Box
from dcgen.design.select import around
from dcgen.design.wiring import device_at, links
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.naming import Selector, SelectorError, parse_selector

_LONGEST = 80
"""Bytes of a file name's ending; a longer one is cut and told apart by a hash."""


def sliced(design: Design, selector: str) -> Design:
    """The part of a design that a selector names; everything else is absent, and keeps its ports.

    A fabric keeps its bundles and the groups they touch; an entry or group without ranges keeps the groups of that name and their
    neighbours. Ranges (`compute[su=0]`, `[su=0,rail=2]` or `su=0`) restrict every group that has the axis, others stay whole.
    What has nothing left is dropped. Requirements, expectations and stock are those of the whole, and are left out.

    Raises:
        Rejected: `bad-selector` for one that does not parse, or leaves nothing.
    """
    asked = _parsed(selector)
    bundles, names = _named(design, asked, selector)
    groups = {n: _restricted(g, asked.box) for n, g in design.groups.items() if n in names}
    groups = {n: g for n, g in groups.items() if g.count}
    whole = replace(design, groups=groups)
    kept = []
    for bundle in bundles:
        if all(e.group in groups for e in bundle.ends):
            here = replace(bundle, gone=tuple(link for link in bundle.gone if _there(whole, bundle, link)))
            kept += [here] if links(whole, here) else []
    idle = _touched(bundles) - _touched(kept)
    groups = {n: g for n, g in groups.items() if n not in idle or n == asked.group}
    if not groups:
        raise Rejected([Diagnostic("bad-selector", f"`{selector}` leaves nothing of this design")])
    return _made(replace(design, groups=groups, bundles=tuple(kept)), design, selector)


def suffix(selector: str) -> str:
    """What the name of a slice ends in: safe in a file name, the same for the same selector.

    >>> suffix("backend/leaf[su=0..3, rail=5]")
    'only-backend-leaf-su0..3-rail5'
    """
    asked = _parsed(selector)
    words = [asked.group.replace("/", "-")] if asked.group else []
    words += [f"{axis}{low}" + (f"..{high}" if high > low else "") for axis, low, high in asked.ranges]
    text = "-".join(["only", *words])
    return text if len(text.encode()) <= _LONGEST else f"{text[:20]}-{sha256(text.encode()).hexdigest()[:12]}"


def _parsed(text: str) -> Selector:
    """The selector; its group is empty when it is written with ranges alone."""
    bare = text.strip()
    if "=" in bare and "[" not in bare:
        bare = f"[{bare}]"
    ranges_alone = bare.startswith("[")
    try:
        found = parse_selector(f"site{bare}" if ranges_alone else bare)
    except SelectorError as e:
        raise Rejected([Diagnostic("bad-selector", e.what.replace("site[", "[", 1) if ranges_alone else e.what, fix=e.fix)]) from None
    if found.port:
        what = f"`{text}` names a port; a slice is of devices"
        raise Rejected([Diagnostic("bad-selector", what, fix=f"write `{replace(found, port='')}`")])
    return replace(found, group="") if ranges_alone else found


def _named(design: Design, asked: Selector, text: str) -> tuple[list[Join], set[str]]:
    """Bundles and groups that the name keeps, before any range."""
    mine = {n for n in design.groups if n == asked.group or n.startswith(f"{asked.group}/")}
    if not asked.group:
        bundles, mine = list(design.bundles), set(design.groups)
    elif asked.group in design.fabrics:
        bundles = design.of(asked.group)
        mine |= _touched(bundles)
    else:
        bundles = [b for b in design.bundles if any(e.group in mine for e in b.ends)]
    if not mine:
        fix = did_you_mean(asked.group, [*design.fabrics, *design.groups])
        raise Rejected([Diagnostic("bad-selector", f"`{text}`: there is nothing called `{asked.group}`", fix=fix)])
    _check_ranges([g for n, g in design.groups.items() if n in mine], asked, text)  # in the design's order, not that of a set
    if asked.ranges and asked.group not in design.fabrics:
        return list(design.bundles), set(design.groups)
    names = mine | _touched(bundles)
    return bundles, names | {inside for n in names if (inside := design.groups[n].inside)}


def _touched(bundles: Iterable[Join]) -> set[str]:
    return {e.group for b in bundles for e in b.ends}


def _check_ranges(groups: list[DeviceGroup], asked: Selector, text: str) -> None:
    """Every axis is one of these groups, and its range ends before the last coordinate does."""
    for axis, _, high in asked.ranges:
        sizes = [g.sizes[axis] for g in groups if axis in g.sizes]
        if not sizes:
            known = dict.fromkeys(a for g in groups for a in g.sizes)
            raise Rejected([Diagnostic("bad-selector", f"`{text}`: nothing there has an axis `{axis}`", fix=did_you_mean(axis, known))])
        if high >= max(sizes):
            raise Rejected([Diagnostic("bad-selector", f"`{text}`: `{axis}` runs from 0 to {max(sizes) - 1}, not to {high}")])


def _restricted(group: DeviceGroup, box: Box) -> DeviceGroup:
    """The group with everything outside the box absent."""
    outside = [s for axis in group.axes if axis.name in box for s in around(axis, box[axis.name], group.name)]
    return replace(group, absent=(*group.absent, *outside)) if outside else group


def _made(slice_: Design, whole: Design, selector: str) -> Design:
    """The slice under its name, without what was said about things that are not in it."""
    kept = {*slice_.groups, *(b.name for b in slice_.bundles), *(b.fabric for b in slice_.bundles)}
    gone = {*whole.groups, *whole.fabrics, *(b.name for b in whole.bundles)} - kept
    fabrics = {n: replace(f, tiers=tuple(t for t in f.tiers if t in kept)) for n, f in whole.fabrics.items() if n in kept}
    counts = ((slice_.groups, whole.groups, "groups"), (slice_.bundles, whole.bundles, "bundles"))
    said = " and ".join(f"{len(some)} of {len(every)} {what}" for some, every, what in counts)
    why = "requirements, expectations and stock are those of the whole, and are left out"
    note = Diagnostic("slice", f"this is a slice, `{selector.strip()}`: {said}", why, severity="info", subject="site")
    return replace(
        slice_,
        name=f"{whole.name}.{suffix(selector)}",
        fabrics=fabrics,
        decisions=tuple(d for d in whole.decisions if d.subject not in gone),
        requirements=(),
        remarks=(note, *(r for r in whole.remarks if r.subject not in gone)),
        have=(),
        phases={name: tuple(s for s in selectors if s.group in kept) for name, selectors in whole.phases.items()},
    )


def _there(design: Design, join: Join, link: Mapping[str, int]) -> bool:
    """Whether both devices of a single link may exist."""
    for side, end in enumerate(join.ends):
        group, at = design.groups[end.group], device_at(design, join, side, link)
        if any(set(s.box) <= set(at) and all(at[a] in r for a, r in s.box.items()) for s in group.absent):
            return False
    return True
