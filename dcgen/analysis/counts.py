"""How many there are of what."""

from collections.abc import Iterator
from math import prod

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, DeviceGroup, Join, Mesh, Table
from dcgen.design.pairs import digits, number
from dcgen.design.placement import rack_count
from dcgen.design.wiring import agreed, links
from dcgen.parts import Node, Switch


def counts(design: Design) -> Iterator[Measure]:
    """GPUs, nodes, racks, switches, devices, links and cables: of the site, of each fabric, of each group and bundle [1]."""
    groups = list(design.groups.values())
    nodes = [g for g in groups if isinstance(design.parts[g.part], Node)]
    yield _sum("gpus", "site", [(g, _accelerators(design, g)) for g in nodes], "accelerators")
    yield Measure(
        "cpus", "site", sum(g.count * p.cpus for g in nodes if isinstance(p := design.parts[g.part], Node)), "1", "nodes × CPUs of each"
    )
    yield _sum("nodes", "site", [(g, 1) for g in nodes if _accelerators(design, g)], "")
    yield Measure("racks", "site", rack_count(design), "1", "racks bought whole, node racks and network racks by the placement rule")
    yield _sum("switches", "site", [(g, 1) for g in groups if isinstance(design.parts[g.part], Switch) and not g.inside], "")
    yield Measure(
        "devices", "site", sum(g.count for g in groups if g.role != "rack"), "1", "devices of all groups, racks themselves not counted"
    )
    for group in groups:
        yield Measure("devices", group.name, group.count, "1", group.counting())
    yield from _links(design)


def _accelerators(design: Design, group: DeviceGroup) -> int:
    part = design.parts[group.part]
    return part.accelerators if isinstance(part, Node) else 0


def _sum(measure: str, subject: str, terms: list[tuple[DeviceGroup, int]], each: str) -> Measure:
    said = " + ".join(f"({g.counting()}) {g.name}" + (f" × {n} {each}" if each else "") for g, n in terms if n)
    return Measure(measure, subject, sum(g.count * n for g, n in terms), "1", said or "none declared")


def _links(design: Design) -> Iterator[Measure]:
    number = {b.name: links(design, b) for b in design.bundles}
    cables = number if design.hall is None else {b.name: _cables(design, b, number[b.name]) for b in design.bundles}
    for bundle in design.bundles:
        yield Measure("links", bundle.name, number[bundle.name], "1", wording(design, bundle))
    for name, fabric in design.fabrics.items():
        mine = design.of(name)
        yield Measure(
            "links", name, sum(number[b.name] for b in mine), "1", " + ".join(f"{number[b.name]:,} {b.layer}" for b in mine) or "no bundle"
        )
        if fabric.field_cabled:
            yield Measure("cables", name, sum(cables[b.name] for b in mine), "1", _each(number, cables))
    field = [b for b in design.bundles if b.field_cabled]
    factory = [b for b in design.bundles if not b.field_cabled]
    yield Measure("links", "site", sum(number[b.name] for b in field), "1", "links of all fabrics that are cabled in the field")
    yield Measure("cables", "site", sum(cables[b.name] for b in field), "1", _each(number, cables))
    if factory:
        yield Measure("scale_up_links", "site", sum(number[b.name] for b in factory), "1", "links inside racks, wired at the factory")


def _cables(design: Design, join: Join, links: int) -> int:
    """Cables of a bundle: a cable with legs, or with several ports in its plug, is several links."""
    return sum(design.tally.cables[join.name, i] for i in range(len(join.media))) if join.media and join.field_cabled else links


def _each(links: dict[str, int], cables: dict[str, int]) -> str:
    return "one cable per link" if links == cables else "one cable per link, where cables have no legs"


def wording(design: Design, join: Join) -> str:
    """A bundle's product in words: `4 su × 8 rack × 18 tray × 4 rail, agreeing on su and half`."""
    a, b = (design.groups[e.group] for e in join.ends)
    read = {axis for axis, names in join.b.view.items() if set(names) & set(join.on)}
    terms = [f"{x.size} {x.name}" for x in a.axes]
    if join.pairs is not None:
        return _paired(design, join)
    lacked = [x for x in b.axes if x.name not in join.on and x.name not in read and not (join.b.spread and x.name == join.b.spread.axis)]
    terms += [f"{x.size} {x.name}" for x in lacked] + [f"{n} {w}" for w, n in join.ways.items() if n > 1]
    ways = prod(join.ways.values())
    said = " × ".join(terms) or str(ways)
    gone = len(join.gone)
    holes = (a.declared - a.count) or (b.declared - b.count)
    agree = f", agreeing on {' and '.join(join.on)}" if join.on else ", every one to every one"
    return said + (agree if join.b.spread is None else "") + (", less what is absent" if holes or gone else "")


def _paired(design: Design, join: Join) -> str:
    """The product of a bundle of pairs, in words."""
    a, b, size = agreed(design, join)
    assert join.pairs is not None
    if isinstance(join.pairs, Table):
        return f"{number(join.pairs, size)} stated rows, over {design.groups[join.a.group].counting()}"
    paired = {d for names in digits(join.pairs) for d in names}
    shape = "pairs" if isinstance(join.pairs, Mesh) else "neighbours"
    rest = [f"{n} {d}" for d, n in size.items() if d in {**a, **b, **join.ways} and d not in paired]
    return " × ".join([f"{number(join.pairs, size)} {shape} of {' and '.join(digits(join.pairs)[0])}", *rest])
