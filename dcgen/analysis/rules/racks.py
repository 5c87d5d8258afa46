"""Whether racks can stand where they stand: height, weight, depth and cooling."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.analysis.model import Measure
from dcgen.design.hall import Hall
from dcgen.design.model import Design, DeviceGroup
from dcgen.design.placement import racks
from dcgen.diagnostics import Diagnostic
from dcgen.parts import Part, Rack
from dcgen.units import spoken

FEET = 4


def _owners(design: Design) -> Iterator[DeviceGroup]:
    """Groups with racks of their own, where there is a hall for them to stand in."""
    if design.hall:
        yield from (g for g in design.groups.values() if g.declared and racks(design, g).own)


def _contents(design: Design, group: DeviceGroup) -> list[tuple[Part, int]]:
    """What stands in one full rack of a group, and how many of it."""
    part = design.part(group.name)
    beside = [(design.part(g.name), g.per_rack) for g in design.groups.values() if g.beside == group.name]
    if isinstance(part, Rack):
        return [(design.parts[c.part], c.count) for c in part.contents.values()] + beside
    return [(part, min(racks(design, group).per_rack, group.declared)), *beside]


def rack_too_full(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: height of what stands in a rack against the height of the rack, and units that two devices or none can have.

    Why: a device that does not fit is found on the day of delivery.
    Example: seven nodes of 8 U in a rack of 48 U; a device of 4 U at U47 of a rack that ends at U48.
    Source: heights of the parts, `rack_height` and `units` of the hall.
    """
    for group in _owners(design):
        assert design.hall
        part = design.part(group.name)
        tall_u = float(part.units) if isinstance(part, Rack) and part.units else design.hall.rack_u
        inside = _contents(design, group)
        used_u = sum(p.height_u.value * n for p, n in inside if p.height_u)
        if used_u > tall_u:
            what = f"a rack of {group.name} needs {used_u:g} U, it has {tall_u:g} U, short by {used_u - tall_u:g} U"
            why = " + ".join(f"{n} {p.part} × {p.height_u.value:g} U" for p, n in inside if p.height_u)
            yield Diagnostic("rack-too-full", what, why, "put fewer into a rack: `per_rack:`", subject=group.name, origin=group.origin)
        yield from _units(design, design.hall, group, tall_u)


@dataclass(frozen=True, slots=True)
class _Slot:
    group: str
    low_u: float
    high_u: float


def _units(design: Design, hall: Hall, owner: DeviceGroup, tall_u: float) -> Iterator[Diagnostic]:
    """Devices of one full rack whose units are written: past the top, or on the units of another."""
    slots: list[_Slot] = []
    said = dict(hall.units)
    for group in (g for g in design.groups.values() if g.name in said and owner.name in (g.name, g.inside)):
        part = design.part(group.name)
        each = part.height_u.value if part.height_u else 1.0
        count = racks(design, group).per_rack if not group.inside else next(c for a, c in group.sizes.items() if a not in group.rack_axes)
        units = said[group.name]
        lows = [units[0] + i * each for i in range(min(count, group.declared))] if len(units) == 1 else list(units)
        slots += [_Slot(group.name, low, low + each) for low in lows]
    at = ("hall", "units")
    for slot in slots:
        if slot.high_u - 1 > tall_u:
            needs = f"U{slot.low_u:g}-U{slot.high_u - 1:g}" if slot.high_u - slot.low_u > 1 else f"U{slot.low_u:g}"
            what = f"{slot.group} needs {needs}, the rack ends at U{tall_u:g}"
            yield Diagnostic("rack-too-full", what, "units count from 1 at the bottom", "write a lower unit", subject=slot.group, origin=at)
    slots.sort(key=lambda s: (s.low_u, s.group))
    for one, other in zip(slots, slots[1:], strict=False):
        if other.low_u < one.high_u:
            what = f"{one.group} at U{one.low_u:g} and {other.group} at U{other.low_u:g} of one rack overlap"
            why = f"the lower one is {one.high_u - one.low_u:g} U high"
            yield Diagnostic("unit-overlap", what, why, "write other units", subject=other.group, origin=at)


def rack_too_heavy(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: weight of a rack against the limits that the hall states: of a rack, of one foot, of a square metre.

    Why: a raised floor fails without a warning. A weight that lacks a figure is a lower bound, and says so.
    Example: a rack of 1360 kg on a floor for 1220 kg/m2: with half of an aisle of 1.2 m its tile of 0.6 × 1.2 m bears 1259 kg/m2.
    Source: masses of the parts; `rack_mass`, `rack_limit`, `foot_limit` and `floor_limit` of the hall. 1 lb is 0.45359237 kg.
    """
    for group in _owners(design):
        hall = design.hall
        assert hall
        if hall.rack_limit_kg is None and hall.foot_limit_kg is None and hall.floor_limit_kg_m2 is None:
            return
        mass_kg, lacking = _mass(design, hall, group)
        least = "at least " if lacking else ""
        area_m2 = hall.pitch_m * (hall.depth_m + hall.aisle_m / 2)
        for code, word, value, limit, unit in (
            ("rack-too-heavy", "weighs", mass_kg, hall.rack_limit_kg, "kg"),
            ("foot-overloaded", f"puts on each of {FEET} feet", mass_kg / FEET, hall.foot_limit_kg, "kg"),
            ("floor-overloaded", "loads the floor with", mass_kg / area_m2, hall.floor_limit_kg_m2, "kg/m2"),
        ):
            if limit is not None and value > limit + 1e-9:
                what = f"a rack of {group.name} {word} {least}{value:,.0f} {unit}, {limit:,.0f} {unit} is allowed"
                bearing = f" on {area_m2:.2f} m2: its tile and half of the aisle before it"
                why = f"{mass_kg:,.0f} kg" + (bearing if unit == "kg/m2" else " with all that is in it")
                fix = "put fewer into it, spread the load, or choose another place"
                yield Diagnostic(code, what, why, fix, subject=group.name, origin=group.origin)
        if lacking:
            have = "has" if len(lacking) == 1 else "have"
            what = f"a rack of {group.name} weighs at least {spoken(mass_kg, 'kg')}: {', '.join(lacking)} {have} no figure"
            fix = "give the parts a `mass:`, and the hall a `rack_mass:`"
            yield Diagnostic("unknown-figure", what, "", fix, "warning", group.name, group.origin)


def _mass(design: Design, hall: Hall, group: DeviceGroup) -> tuple[float, list[str]]:
    """(weight of one full rack as far as it is known [kg], what has no figure)."""
    part = design.part(group.name)
    inside, own_kg = _contents(design, group), hall.rack_mass_kg
    if isinstance(part, Rack) and part.mass_kg:
        inside, own_kg = [(p, n) for p, n in inside if p.part not in {c.part for c in part.contents.values()}], part.mass_kg.value
    known = sum(p.mass_kg.value * n for p, n in inside if p.mass_kg) + (own_kg or 0.0)
    return known, [p.part for p, _ in inside if not p.mass_kg] + ([] if own_kg else ["the rack itself"])


def rack_too_deep(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: depth of devices against the depth of the racks.

    Why: a device that sticks out blocks the aisle, or the door does not close.
    Example: a node of 1.3 m in a rack of 1.2 m.
    Source: depths of the parts, `depth` of the hall.
    """
    for group in _owners(design):
        assert design.hall
        for part, _ in _contents(design, group):
            if part.depth_m and part.depth_m.value > design.hall.depth_m:
                what = f"`{part.part}` is {part.depth_m.value:g} m deep, racks are {design.hall.depth_m:g} m"
                yield Diagnostic("rack-too-deep", what, "", "write the depth of the racks: `depth:`", "warning", group.name, group.origin)


def cooling_missing(design: Design, measures: tuple[Measure, ...]) -> Iterator[Diagnostic]:
    """What it checks: racks that need liquid cooling on tiles of a zone that has none.

    Why: automatic placement keeps to zones; what is placed by hand may not.
    Example: racks with cold plates in a zone of `cooling: air`.
    Source: `cooling` of the parts, `zones` of the hall.
    """
    hall = design.hall
    for run in hall.runs if hall else ():
        assert hall
        part = design.part(run.group)
        zone = next((z for z in hall.zones if run.row in z.rows and "liquid" not in z.cooling), None)
        if zone and part.cooling in ("liquid", "mixed"):
            what = f"{run.group} stands on {run.count:,} tiles of {run.row}, zone {zone.name} has no liquid cooling"
            why = f"{part.title} needs {'liquid as well as air' if part.cooling == 'mixed' else 'liquid'}"
            at = ("hall", "zones", zone.name)
            yield Diagnostic("cooling-missing", what, why, "place them elsewhere", subject=run.group, origin=at)
