"""What `dcgen show` prints: a design as a whole, or what a selector names."""

from collections.abc import Iterator
from dataclasses import replace

from dcgen.analysis.failures import HOURS_A_YEAR, exposures
from dcgen.analysis.flow.surveys import surveys
from dcgen.analysis.flow.wording import percent
from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.region import Box, meet, volume
from dcgen.design.select import links_at
from dcgen.design.wiring import links, ports_needed
from dcgen.diagnostics import Diagnostic, Rejected, did_you_mean
from dcgen.naming import Selector, SelectorError, address, parse_selector
from dcgen.units import rounded, spoken

Section = tuple[str, list[str], list[list[str]]]
"""Title, column names, rows of text."""

SHOWN_DEVICES = 40


def describe(design: Design, selector: str | None = None) -> list[Section]:
    """Sections about the whole design, or about the devices that a selector names.

    Raises:
        Rejected: a selector that does not parse or names nothing.
    """
    if selector:
        return _selected(design, selector)
    return [_groups(design), _bundles(design), _decisions(design), *_losses(design), _failures(design)]


def _groups(design: Design) -> Section:
    rows = [
        [n, f"{g.count:,}", design.parts[g.part].title, " × ".join(f"{a.name} {a.size}" for a in g.axes), f"{g.declared - g.count:,}"]
        for n, g in design.groups.items()
    ]
    return "Device groups", ["group", "count", "part", "coordinates", "absent"], rows


def _bundles(design: Design) -> Section:
    rows = []
    for b in design.bundles:
        medium = " / ".join(dict.fromkeys(m.medium for m in b.media))
        rows.append(
            [
                b.name,
                f"{links(design, b):,}",
                spoken(b.rate_gbps, "gbps"),
                ", ".join(b.on) or "every one to every one",
                _ports(b.a.order),
                _ports(b.b.order),
                medium,
            ]
        )
    return "Bundles", ["bundle", "links", "rate", "agree on", "port order below", "port order above", "medium"], rows


def _ports(order: tuple[str, ...] | None) -> str:
    return " > ".join(order or ()) or "one port"


def _decisions(design: Design) -> Section:
    return "Derived", ["subject", "result", "because"], [[d.subject, d.what, d.why] for d in design.decisions]


def _failures(design: Design) -> Section:
    keep, rows = design.upkeep, []
    for e in exposures(design):
        stock = e.spares(keep.lead_ns, keep.level)
        known = stock is not None
        rate = f"{'≈ ' if e.estimate else ''}{spoken(e.rate_fit or 0, 'fit')}" if known else "unknown"
        yearly = f"{rounded(e.per_hour * HOURS_A_YEAR, 2):,}" if known else "unknown"
        rows.append([e.kind, e.part, f"{e.count:,}", rate, yearly, f"{stock:,}" if known else "unknown"])
    lasting = f"spares for {spoken(keep.lead_ns, 'ns')}, or the part's own lead time"
    return "Expected failures", ["class", "part", "count", "failure rate", "failures a year", lasting], rows


def _losses(design: Design) -> Iterator[Section]:
    """For every fabric what a single loss leaves; a fabric alone, or with relaying."""
    for found in surveys(design):
        how = " with relaying" if found.scale_up == "relay" else ""
        value = "nothing" if found.intact.value is None else f"{spoken(found.intact.value, found.intact.unit)} of each {found.intact.each}"
        rows = [[r.place, f"{r.count:,}", *map(percent, (r.share, r.others_share, r.total_share)), r.after.status] for r in found.rows]
        rows = rows or [[found.why, "", "", "", "", ""]]
        columns = ["one lost", "count", "throughput left", "of the others", "of the total", "known"]
        yield f"{found.fabric}{how}: {value} all to all, and what a single loss leaves", columns, rows


def _selected(design: Design, text: str) -> list[Section]:
    try:
        selector = parse_selector(text)
    except SelectorError as e:
        raise Rejected([Diagnostic("bad-selector", e.what, fix=e.fix)]) from None
    names = [n for n in design.groups if n == selector.group or n.startswith(f"{selector.group}/")]
    names = [n for n in names if set(selector.box) <= set(design.groups[n].sizes)]
    if not names:
        near = next((g for n, g in design.groups.items() if n == selector.group), None)
        fix = did_you_mean(selector.ranges[0][0], near.sizes) if near else did_you_mean(selector.group, design.groups)
        raise Rejected([Diagnostic("bad-selector", f"`{text}` names nothing in this design", fix=fix)])
    beyond = {n: _beyond(design.groups[n], selector) for n in names}
    if all(beyond.values()):
        raise Rejected([Diagnostic("bad-selector", f"`{text}`: {beyond[names[0]]}")])
    names = [n for n in names if not beyond[n]]
    return [section for n in names for section in _group(design, design.groups[n], selector)]


def _beyond(group: DeviceGroup, selector: Selector) -> str:
    """What is said of a coordinate that the group does not have, or an empty string."""
    for axis, low, high in selector.ranges:
        if high >= group.sizes[axis]:
            said = f"{low}..{high}" if high > low else str(low)
            return f"`{axis}` of {group.name} runs from 0 to {group.sizes[axis] - 1}, not to {said}"
    return ""


def _group(design: Design, group: DeviceGroup, selector: Selector) -> list[Section]:
    boxes = [b for box in group.boxes if (b := meet(box, selector.box)) is not None]
    number = sum(volume(b) for b in boxes)
    part = design.parts[group.part]
    facts = [["devices", f"{number:,} of {group.count:,}"], ["part", f"{part.part}: {part.title}"], ["coordinates", group.counting()]]
    facts += [["stands in", group.inside]] if group.inside else []
    facts += [["reserved cages", f"{len(group.reserved)} ({group.reserve_reason})"]] if group.reserved else []
    ends = [_ending(design, b, group, selector) for b in design.bundles if group.name in (b.a.group, b.b.group)]
    sections: list[Section] = [
        (group.name, ["", ""], facts),
        (f"{group.name}: links", ["bundle", "links", "ports of the fullest device"], ends),
    ]
    if number <= SHOWN_DEVICES:
        sections.append((f"{group.name}: devices", ["address"], [[address(group.name, at)] for box in boxes for at in _points(box)]))
    return sections


def _ending(design: Design, join: Join, group: DeviceGroup, selector: Selector) -> list[str]:
    """A bundle that ends on a group: its name, its links on the devices selected, and its ports on the fullest of all."""
    sides = [side for side, end in enumerate(join.ends) if end.group == group.name]
    among = len(sides) > 1
    if among or join.ends[sides[0]].spread:
        number, most = _counted(design, join, sides, selector)
    else:
        number = links_at(replace(design, bundles=(join,)), group.name, "", selector.box)
        most = ports_needed(design, join, sides[0])
    return [f"{join.name} (between themselves)" if among else join.name, f"{number:,}", str(most)]


def _counted(design: Design, join: Join, sides: list[int], selector: Selector) -> tuple[int, int]:
    """(links with an end on a device selected, ports that the fullest device holds), link by link."""
    import polars as pl

    from dcgen.design.columns import columns
    from dcgen.design.refine import flat_of_box

    c, name = columns(design, join), join.ends[sides[0]].group
    devices = [pl.Series(c.b if side else c.a, dtype=pl.Int64) for side in sides]
    here = pl.Series(flat_of_box(design, name, selector.box)).implode()
    number = pl.select(pl.any_horizontal(*(pl.lit(d).is_in(here) for d in devices)).sum()).item()
    fullest = pl.concat(devices).value_counts(name="ports").select(pl.col("ports").max()).item()
    return int(number), int(fullest or 0)


def _points(box: Box) -> list[dict[str, int]]:
    points: list[dict[str, int]] = [{}]
    for axis, r in box.items():
        points = [{**p, axis: x} for p in points for x in r]
    return points
