"""One rail, unfolded: some racks, the leaves of the rail in the first unit or plane, the spines above, and one path through them."""

from collections.abc import Collection
from itertools import pairwise

from dcgen.design.model import Design, Fabric
from dcgen.naming import label
from dcgen.render.drawing import Box, Drawing, cut, look
from dcgen.render.fabric import co_packaged, place_label
from dcgen.render.rail_slice import LEAVES, RACKS, SPINES, Rail, select_rail
from dcgen.render.wording import accelerators, at, bundle_line, count, rate, title
from dcgen.tables.book import Book

MOST_LABELS = 16
"""Lines that still carry a count each."""
PATH = "#c44600"
BOX_PT, RACK_PT, STEP_PT, ROW_PT = 96.0, 128.0, 148.0, 150.0


def rail_view(book: Book, fabric: Fabric) -> Drawing | None:
    """The first rail of a fabric; None if no node is cabled to it."""
    design = book.design
    access = next((b for b in design.of(fabric.name) if design.groups[b.a.group].role == "node" and b.field_cabled), None)
    rail = select_rail(book, access) if access else None
    if rail is None:
        return None
    drawing = Drawing(f"rail-{fabric.name}")
    spines, leaves, racks = rail.spines[:SPINES], rail.leaves[:LEAVES], rail.racks[:RACKS]
    columns = (
        len(spines) + (len(rail.spines) > SPINES),
        1.6 * (len(leaves) + (len(rail.leaves) > LEAVES)),
        1.25 * (len(racks) + (len(rail.racks) > RACKS)),
    )
    width = max(6.0, *columns) * STEP_PT * 0.8
    path_boxes = _path_start(design, rail, drawing, width)
    rack_boxes = _rack_row(design, rail, drawing, width)
    leaf_boxes = _leaf_row(design, rail, drawing, width)
    spine_boxes = _spine_row(design, rail, drawing, width)
    _lines(rail, drawing, rack_boxes, leaf_boxes, spine_boxes)
    _core_row(design, fabric, rail, drawing, spine_boxes, width)
    _path_line(
        drawing, [*path_boxes, rack_boxes[rail.first_rack]], [leaf_boxes[rail.leaves[0]], *(spine_boxes[s] for s in rail.path_spine)]
    )
    _words(design, fabric, rail, drawing, width)
    return drawing


def _spots(n: int, width: float) -> list[float]:
    return [width * (i + 0.5) / n for i in range(n)]


def _more(drawing: Drawing, x: float, y: float, width: float, height: float, n: int, what: str) -> Box:
    return drawing.box(x, y, width, height, [f"… and {n:,} more", what])


def _path_start(design: Design, rail: Rail, drawing: Drawing, width: float) -> list[Box]:
    """The GPU and the NIC port the path begins at; the port alone where no rail leads from a GPU."""
    node = design.groups[rail.access.a.group]
    x = _spots(len(rail.racks[:RACKS]) + (len(rail.racks) > RACKS), width)[rail.racks.index(rail.first_rack)]
    rails = _rail_ports(design, rail)
    nic = drawing.box(x, 76, RACK_PT, 40, ["NIC port" if rails else "port", rail.path[0].split("  ")[1]], look=look("node"))
    if not rails:
        return [nic]
    each = accelerators(design, node) // rails
    at_rail = rail.fixed.get("rail", -1)
    low, high = at_rail * each, (at_rail + 1) * each - 1
    text = "a GPU" if at_rail < 0 or not each else f"GPU {low}" if low == high else f"GPU {low} to {high}"
    return [drawing.box(x, 12, RACK_PT, 30, [text], look=look("node")), nic]


def _rail_ports(design: Design, rail: Rail) -> int:
    """Rails that the node's ports are told apart by; 0 where the ports have no rail, or the node does not compute."""
    ports = design.part(rail.access.a.group).port_groups()[rail.access.a.block.name]
    return ports.axes.get("rail", 0) if accelerators(design, design.groups[rail.access.a.group]) else 0


def _rack_row(design: Design, rail: Rail, drawing: Drawing, width: float) -> dict[str, Box]:
    node = design.groups[rail.access.a.group]
    racks, rest = rail.racks[:RACKS], rail.racks[RACKS:]
    spots = _spots(len(racks) + bool(rest), width)
    boxes = {}
    for rack, x in zip(racks, spots, strict=False):
        short = rack.removeprefix(label(node.inside or node.name, {}) + "-").replace("-", " · ")
        lines = ["RACK", short, count(rail.nodes[rack], "node")]
        boxes[rack] = drawing.box(x, ROW_PT, RACK_PT, 62, lines, look=look("node"))
    if rest:
        _more(drawing, spots[-1], ROW_PT, RACK_PT, 62, len(rest), "racks here")
    return boxes


def _leaf_row(design: Design, rail: Rail, drawing: Drawing, width: float) -> dict[int, Box]:
    group = design.groups[rail.access.b.group]
    leaves, rest = rail.leaves[:LEAVES], rail.leaves[LEAVES:]
    spots = _spots(len(leaves) + bool(rest), width)
    boxes = {}
    for leaf, x in zip(leaves, spots, strict=False):
        down = sum(n for (_, b), n in rail.below.items() if b == leaf)
        up = sum(n for (a, _), n in rail.above.items() if a == leaf)
        lines = ["LEAF", at(group.coordinates(leaf)), f"{down} down · {up} up"]
        boxes[leaf] = drawing.box(x, 2.2 * ROW_PT, 1.75 * BOX_PT, 62, lines, look=look("leaf"), double=co_packaged(design, group.name))
    if rest:
        _more(drawing, spots[-1], 2.2 * ROW_PT, 1.5 * BOX_PT, 62, len(rest), "leaves of this rail" if "rail" in rail.fixed else "leaves")
    return boxes


def _spine_row(design: Design, rail: Rail, drawing: Drawing, width: float) -> dict[int, Box]:
    if rail.up is None:
        return {}
    group = design.groups[rail.up.b.group]
    spines, rest = rail.spines[:SPINES], rail.spines[SPINES:]
    spots = _spots(len(spines) + bool(rest), width)
    boxes = {}
    for spine, x in zip(spines, spots, strict=False):
        lines = [group.role.upper(), *(f"{axis} {n}" for axis, n in group.coordinates(spine).items() if group.sizes[axis] > 1)]
        boxes[spine] = drawing.box(x, 3.7 * ROW_PT, BOX_PT, 62, lines[:4], look=look(group.role), double=co_packaged(design, group.name))
    if rest:
        _more(drawing, spots[-1], 3.7 * ROW_PT, BOX_PT + 10, 62, len(rest), "spines")
    return boxes


def _lines(rail: Rail, drawing: Drawing, racks: dict[str, Box], leaves: dict[int, Box], spines: dict[int, Box]) -> None:
    """Rack to leaf and leaf to spine; a few lines carry their counts, many one sentence for all."""
    below = {(r, b): n for (r, b), n in rail.below.items() if r in racks}
    for rack, leaf in below:
        drawing.line(racks[rack], leaves[leaf], width=1.6)
    if len(below) <= MOST_LABELS:
        for (rack, leaf), n in below.items():
            place_label(drawing, racks[rack], leaves[leaf], [f"{n} × {rate(rail.access.rate_gbps)}"])
    else:
        _each(drawing, racks.values(), 1.6 * ROW_PT, below.values(), rail.access.rate_gbps)
    for leaf, spine in rail.above:
        if spine in spines:
            drawing.line(leaves[leaf], spines[spine], width=1, colour="#8a8a8a")
    if rail.up and spines:
        _each(drawing, spines.values(), 2.95 * ROW_PT, rail.above.values(), rail.up.rate_gbps)


def _each(drawing: Drawing, boxes: Collection[Box], y: float, counts: Collection[int], rate_gbps: float) -> None:
    """One sentence for a sheaf of lines."""
    low, high = min(counts), max(counts)
    each = f"{low}" if low == high else f"{low} or {high}" if high == low + 1 else f"{low} to {high}"
    drawing.text(sum(b.x_pt for b in boxes) / len(boxes), y, [f"each line: {each} × {rate(rate_gbps)}"], bold=True)


def _core_row(design: Design, fabric: Fabric, rail: Rail, drawing: Drawing, spines: dict[int, Box], width: float) -> None:
    """What stands above the spines, as one box."""
    above = next((b for b in design.of(fabric.name) if rail.up and b.a.group == rail.up.b.group != b.b.group), None)
    if above is None:
        return
    group = design.groups[above.b.group]
    text = [group.role.upper(), f"{group.count:,} × {design.part(group.name).title}", bundle_line(design, above)]
    drawing.box(width / 2, 4.7 * ROW_PT, width, 62, text, look=look(group.role), double=co_packaged(design, group.name))
    for box in spines.values():
        foot = drawing.box(box.x_pt, 4.7 * ROW_PT - 31, 2, 2, look=look(group.role), frame=True)
        drawing.line(box, foot)


def _path_line(drawing: Drawing, inside: list[Box], above: list[Box]) -> None:
    """The path: dashed inside the node, where nothing is cabled, then along lines that are there already."""
    for a, b in pairwise(inside):
        drawing.line(a, b, colour=PATH, width=2.5, dashed=True)
    chain = [b.name for b in (inside[-1], *above)]
    place = {(a, b): i for i, (a, b, _) in enumerate(drawing.lines)}
    for pair in pairwise(chain):
        style = dict(drawing.lines[place[pair]][2]) | {"color": PATH, "penwidth": "3"}
        drawing.lines[place[pair]] = (*pair, tuple(style.items()))


def _words(design: Design, fabric: Fabric, rail: Rail, drawing: Drawing, width: float) -> None:
    leaf = design.groups[rail.access.b.group]
    top = drawing.top() + 24
    where = " · ".join(f"{axis} {x} of {leaf.sizes[axis]}" for axis, x in rail.fixed.items()) or "all leaves"
    drawing.text(width / 2, top + 20, [cut(title(design), width, 16)], size_pt=16, bold=True)
    drawn = f"{count(len(rail.leaves), 'leaf', 'leaves')} of {leaf.count:,}"
    drawn += f", {count(len(rail.spines), 'spine')}" if rail.spines else ""
    drawing.text(width / 2, top, [cut(f"fabric {fabric.name}: {where} ({drawn}); counted from 0", width)])
    start = "GPU → NIC" if _rail_ports(design, rail) else "port"
    arrows = [f"one path, thick: {start}  {rail.path[0]}  →  leaf  {rail.path[1]}"]
    arrows += [f"then  leaf  {rail.path[2]}  →  spine  {rail.path[3]}"] if len(rail.path) > 2 else []
    arrows = [f"{line}   ({way})" if way else line for line, way in zip(arrows, rail.ways, strict=True)]
    arrows += ["dashed: inside the node, not in the cabling plan"]
    drawing.text(0, -36, [cut(a, width + 100) for a in arrows], left=True)
