"""One fabric, folded: a box per device group, the tiers above each other, links as counts. As small for a million devices."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from dcgen.design.model import Design, DeviceGroup, Fabric, Join
from dcgen.design.placement import racks
from dcgen.parts import Ports
from dcgen.render.drawing import LINE, SIZE_PT, Box, Drawing, cut, look, width_pt
from dcgen.render.wording import accelerators, bundle_line, count, fabric_title, medium, ports_in_use, title

WIDEST_PT = 420
GAP_PT = 60
RISE_PT = 120
PILE_PT = 7


class Place(NamedTuple):
    """The centre of a box and its size."""

    x_pt: float
    y_pt: float
    width_pt: float
    height_pt: float


def fabric_view(design: Design, fabric: Fabric) -> Drawing | None:
    """The tiers of a fabric; None if it has no links."""
    bundles = design.of(fabric.name)
    if not bundles:
        return None
    drawing = Drawing(f"fabric-{fabric.name}")
    rows = tiers([(b.a.group, b.b.group) for b in bundles], design.groups)
    texts = {name: box_text(design, design.groups[name], bundles) for row in rows for name in row}
    places, widest = stacked(rows, texts)
    boxes = {name: _pile(drawing, design, name, *place, texts[name]) for name, place in places.items()}
    _edges(design, drawing, bundles, boxes)
    _heading(design, fabric, drawing, widest)
    return drawing


def stacked(rows: Sequence[Sequence[str]], texts: Mapping[str, Sequence[str]]) -> tuple[dict[str, Place], float]:
    """(where the box of each group stands, tiers above each other and each in the middle; width of the widest tier [pt])."""
    width = {name: min(WIDEST_PT, max(width_pt(t) for t in lines) + 30) for name, lines in texts.items()}
    across = [sum(width[n] for n in row) + GAP_PT * (len(row) - 1) for row in rows]
    out: dict[str, Place] = {}
    y = 0.0
    for row, wide in zip(rows, across, strict=True):
        height = max(len(texts[n]) for n in row) * SIZE_PT * LINE + 20
        x = (max(across) - wide) / 2
        for name in row:
            out[name] = Place(x + width[name] / 2, y + height / 2, width[name], height)
            x += width[name] + GAP_PT
        y += height + RISE_PT
    return out, max(across)


def tiers(joined: Sequence[tuple[str, str]], order: Iterable[str]) -> list[list[str]]:
    """Groups by height: everything above all that it is the upper end of."""
    level = {name: 0 for pair in joined for name in pair}
    for _ in level:
        for low, high in joined:
            if low != high and level[high] <= level[low] < len(level):
                level[high] = level[low] + 1
    rows: dict[int, list[str]] = {}
    for name in (g for g in order if g in level):
        rows.setdefault(level[name], []).append(name)
    return [rows[n] for n in sorted(rows)]


def box_text(design: Design, group: DeviceGroup, bundles: list[Join]) -> list[str]:
    """What the box of a group says."""
    part = design.part(group.name)
    lines = [f"{group.role.upper()}  {group.title or group.name}", f"{group.count:,} × {part.title}"]
    lines += [group.counting()] if group.axes else []
    if gpus := accelerators(design, group):
        home = racks(design, group)
        lines.append(f"{count(group.count * gpus, 'GPU')} in {count(home.count, 'rack')}")
    lines += ports_in_use(design, group)
    lines += [f"joined to each other: {bundle_line(design, b)}" for b in bundles if b.a.group == b.b.group == group.name]
    if co_packaged(design, group.name):
        lines.append("co-packaged optics")
    return lines


def co_packaged(design: Design, group: str) -> bool:
    """Whether light leaves the switch package itself."""
    ports: list[Ports] = list(design.part(group).port_groups().values())
    return any(p.optics == "co-packaged" for p in ports)


def _pile(drawing: Drawing, design: Design, name: str, x: float, y: float, width: float, height: float, text: list[str]) -> Box:
    """A box, with a second one behind it when it stands for several devices."""
    group = design.groups[name]
    if group.count > 1:
        shift = PILE_PT + 4 * co_packaged(design, name)  # beyond the second border
        drawing.box(x + shift, y + shift, width, height, look=look(group.role), frame=True)
    return drawing.box(x, y, width, height, text, look=look(group.role), double=co_packaged(design, name))


def _edges(design: Design, drawing: Drawing, bundles: list[Join], boxes: dict[str, Box]) -> None:
    """One line per pair of groups, its text moved along until it covers nothing; bundles of one rate and medium are one."""
    pairs: dict[tuple[str, str], list[Join]] = {}
    for join in bundles:
        if join.a.group != join.b.group:
            pairs.setdefault((join.a.group, join.b.group), []).append(join)
    for (low, high), joins in pairs.items():
        a, b = boxes[low], boxes[high]
        drawing.line(a, b, dashed=not any(j.field_cabled for j in joins), width=2)
        alike: dict[tuple[float, str], list[Join]] = {}
        for join in joins:
            alike.setdefault((join.rate_gbps, medium(join)), []).append(join)
        text = [cut(" · ".join(filter(None, (bundle_line(design, *js), said))), WIDEST_PT) for (_, said), js in alike.items()]
        place_label(drawing, a, b, text)


def place_label(drawing: Drawing, a: Box, b: Box, text: list[str]) -> None:
    """Text on the line from `a` to `b`, at the first of some places that is free."""
    low, high = a.y_pt + a.height_pt / 2, b.y_pt - b.height_pt / 2
    for step in sorted(range(3, 18), key=lambda s: abs(s - 10)):
        share = step / 20
        y = low + (high - low) * share
        x = a.x_pt + (b.x_pt - a.x_pt) * share
        label = drawing.text(x, y, text)
        if not any(label.overlaps(other) for other in drawing.boxes[:-1] if not other.frame):
            return
        drawing.boxes.pop()
    drawing.text(x, y, text)


def _heading(design: Design, fabric: Fabric, drawing: Drawing, widest: float) -> None:
    bundles = design.of(fabric.name)
    notes = ["each box is a group of equal devices; lines are counts of links"]
    notes += ["dashed: factory wired, not in the cabling plan"] if not all(j.field_cabled for j in bundles) else []
    notes += ["double border: co-packaged optics"] if any(co_packaged(design, e.group) for j in bundles for e in j.ends) else []
    room = max(widest, 640)
    top = drawing.top() + 24
    drawing.text(widest / 2, top + 20, [cut(title(design), room, 16)], size_pt=16, bold=True)
    drawing.text(widest / 2, top, [cut(f"fabric {fabric_title(fabric)}, {fabric.kind}", room)])
    drawing.text(widest / 2, -22, ["; ".join(notes)], size_pt=11)
