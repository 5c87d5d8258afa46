"""Changes of devices and bundles, in the words of a reading list: one line for a whole entry, one for a region of a group."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from dcgen.design import Design, DeviceGroup, Join, Media
from dcgen.design.kept import Bundle, same_rule
from dcgen.design.region import meet, volume
from dcgen.design.wiring import links
from dcgen.diff.bundles import Pair
from dcgen.diff.labels import printed
from dcgen.diff.model import Change, Devices, Field, Sign
from dcgen.diff.moved import Before
from dcgen.diff.single import EXPLICIT
from dcgen.diff.written import Texts
from dcgen.naming import Selector, parse_selector
from dcgen.units import spoken


@dataclass(frozen=True)
class Sides:
    """Both designs in the names of the second, the first also as it was (`original`); what changed its name, or its coordinates;
    `replaced` are entries of which nothing stays."""

    known: Before
    after: Design
    original: Design
    texts: Texts
    replaced: frozenset[str] = frozenset()

    def folded(self, name: str) -> str:
        """The entry that a group or bundle is told under, where that entry as a whole is new, gone, renamed or replaced."""
        entry = name.partition("/")[0]
        fabric = self.after.fabrics.get(entry) or self.before.fabrics.get(entry)
        if fabric and fabric.origin[:1] == ("racks",):
            entry = str(fabric.origin[1])
        here = [entry in {n.split("/")[0] for n in (*d.groups, *d.fabrics)} for d in (self.before, self.after)]
        if fabric and fabric.kind == EXPLICIT:
            return ""
        return entry if not all(here) or entry in self.was or entry in self.replaced else ""

    @property
    def before(self) -> Design:
        """The design before, in new names."""
        return self.known.analysis.design

    @property
    def was(self) -> Mapping[str, str]:
        """New name -> old name, where they differ."""
        return self.known.was


def of_devices(sides: Sides, found: tuple[Devices, ...]) -> Iterator[Change]:
    """Regions that come and go, and what differs of the devices that stay."""
    regions = {"-": {d.group: d.regions_removed for d in found}, "+": {d.group: d.regions_added for d in found}}
    for d in found:
        old, new = sides.before.groups.get(d.group), sides.after.groups.get(d.group)
        ways: tuple[tuple[Sign, DeviceGroup | None, int], ...] = (("-", old, d.removed), ("+", new, d.added))
        for sign, group, total in ways:
            if group and total:
                yield from _of_regions(sides, group, sign, regions[sign], total)
        if old and new:
            yield from _of_group(sides, d, old, new)


def _of_regions(sides: Sides, group: DeviceGroup, sign: Sign, regions: Mapping[str, tuple[str, ...]], total: int) -> Iterator[Change]:
    written = sides.texts.written(group.origin)
    why = "" if written else sides.texts.why(group.name, group.origin)
    folded = sides.folded(group.name)
    for subject in regions[group.name]:
        count = total if len(regions[group.name]) == 1 else _volume(group, subject)
        rack = group.inside and f"{group.inside}{subject[len(group.name) :]}"
        within = folded or (rack if rack and rack in regions.get(group.inside, ()) else "")
        yield Change(sign, "devices", subject, count, "devices", (), written, "", group.origin, why, within)


def _volume(group: DeviceGroup, subject: str) -> int:
    return volume(group.full | parse_selector(subject).box)


def _of_group(sides: Sides, d: Devices, old: DeviceGroup, new: DeviceGroup) -> Iterator[Change]:
    folded, written = sides.folded(d.group), sides.texts.written(new.origin)
    why = "" if written else sides.texts.why(d.group, new.origin)
    labels = Field("label", printed(sides.original, sides.original.groups[d.was or d.group]), printed(sides.after, new))
    if d.was:
        yield Change(">", "devices", d.group, d.kept, "devices", (labels,), True, d.was, new.origin, "", folded)
    elif labels.before != labels.after and d.relabelled:
        yield Change("~", "label", d.group, d.relabelled, "devices", (labels,), written, "", new.origin, why, folded)
    for selector, by in sides.known.shifts.get(d.group, ()):
        count = sum(volume(b) for box in old.boxes if (b := meet(box, selector.box)) is not None)
        now = Selector(d.group, tuple((a, low + by.get(a, 0), high + by.get(a, 0)) for a, low, high in selector.ranges))
        yield Change(">", "devices", str(now), count, "devices", (), True, str(selector), new.origin, "", folded)
    if fields := tuple(_fields(old, new)):
        yield Change("~", "devices", d.group, d.kept, "devices", fields, written, "", new.origin, why, folded)
    if d.moved:
        why = why or "racks are filled in the order of coordinates"
        yield Change("~", "placement", d.group, d.moved, "devices", (), False, "", new.origin, why, folded)


def _fields(old: DeviceGroup, new: DeviceGroup) -> Iterator[Field]:
    """What differs of a group besides its size and its holes."""
    if old.part != new.part:
        yield Field("part", old.part, new.part)
    for name in ("role", "tier", "inside", "per_rack", "reserve_reason", "title"):
        a, b = getattr(old, name), getattr(new, name)
        if a != b:
            yield Field(name.replace("_", " "), str(a or ""), str(b or ""))
    if old.reserved != new.reserved:
        yield Field("reserved cages", str(len(old.reserved)), str(len(new.reserved)))
    axes = [[(a.name, a.kind) for a in g.axes] for g in (old, new)]
    if axes[0] != axes[1]:
        yield Field("coordinates", *(" × ".join(a + ("" if kind == "alike" else f" ({kind})") for a, kind in each) for each in axes))
    room = [{a.name: a.room for a in g.axes if a.room > a.size} for g in (old, new)]
    if room[0] != room[1]:
        yield Field("room", *(", ".join(f"{a} {n}" for a, n in each.items()) for each in room))


def of_bundles(sides: Sides, pairs: list[Pair]) -> Iterator[Change]:
    """Bundles that come and go, and what differs of those that stay."""
    for old, new in pairs:
        one = new or old
        assert one is not None
        written, folded = sides.texts.written(one.origin), sides.folded(one.name)
        why = "" if written else sides.texts.why(one.name, one.origin)
        if old and new:
            fields = tuple(_of_join(sides, old, new))
            was = sides.was.get(old.name, "") if old.name == new.name else old.name
            if was:
                ends = (e.group.partition("/")[0] for e in new.ends)
                within = folded or next((n for n in ends if n in sides.was), "")
                yield Change(">", "bundle", new.name, links(sides.after, new), "links", (), True, was, new.origin, "", within)
            if fields:
                yield Change("~", "bundle", new.name, links(sides.after, new), "links", fields, written, "", new.origin, why, folded)
        else:
            count = links(sides.after if new else sides.before, one)
            yield Change("+" if new else "-", "bundle", one.name, count, "links", (), written, "", one.origin, why, folded)


def _of_join(sides: Sides, old: Join, new: Join) -> Iterator[Field]:
    if old.rate_gbps != new.rate_gbps:
        yield Field("rate", spoken(old.rate_gbps, "gbps"), spoken(new.rate_gbps, "gbps"))
    for name, told in _MATERIAL.items():
        a, b = (" / ".join(dict.fromkeys(filter(None, (told(m) for m in j.media)))) for j in (old, new))
        if a != b:
            yield Field(name, a, b)
    a, b = (" × ".join(f"{n} {w}" for w, n in sorted(j.ways.items()) if n > 1) for j in (old, new))
    if a != b:
        yield Field("links between two devices", a or "1", b or "1")
    if not same_rule(Bundle(sides.before, old, {}), Bundle(sides.after, new, {})):
        clauses = [_told(j) for j in (old, new)]
        yield Field("wiring", *("; ".join(c for c in mine if c not in others) for mine, others in zip(clauses, clauses[::-1], strict=True)))


_MATERIAL: dict[str, Callable[[Media], str]] = {
    "medium": lambda m: m.medium,
    "cable": lambda m: m.cable,
    "optics below": lambda m: m.optics[0],
    "optics above": lambda m: m.optics[1],
    "length": lambda m: spoken(m.length_m, "m") if m.length_m else "",
}
"""What is said of the material of a bundle -> how it is read."""


def _sized(join: Join, digit: str) -> str:
    return f"{digit} of {join.sizes[digit]}" if digit in join.sizes else digit


def _told(join: Join) -> list[str]:
    """A wiring rule in words, clause by clause."""
    agree = f"agree on {', '.join(join.on)}" if join.on else "every one to every one"
    read = [f"{axis} in {' > '.join(_sized(join, d) for d in digits)}" for e in join.ends for axis, digits in e.view.items()]
    ends = []
    for where, end in zip(("below", "above"), join.ends, strict=True):
        ports = " > ".join(end.order) if end.order else "one port"
        split = f", {end.block.split} per cage" if end.block.split > 1 else ""
        spread = f", {type(end.spread).__name__.lower()} over {end.spread.axis}" if end.spread else ""
        ends.append(f"{where} {ports} on {end.block.name} from cage {end.block.first}{split}{spread}")
    return [agree, *dict.fromkeys(read), *ends]
