"""The scale-up domain of one rack: accelerators of its trays, chips of its switch trays, and how many links join them."""

from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.wiring import links
from dcgen.parts import Node, Part, SwitchTray
from dcgen.render.drawing import Box, Drawing, cut, look, width_pt
from dcgen.render.wording import count, rate, title

MOST = 18
STEP_PT, BOX_PT, RISE_PT = 80.0, 68.0, 240.0


def scale_up_view(design: Design, group: DeviceGroup) -> Drawing | None:
    """The domain of a rack group; None if nothing inside its racks is wired at the factory."""
    join = next((b for b in design.bundles if not b.field_cabled and design.groups[b.b.group].inside == group.name), None)
    if join is None or not group.count:
        return None
    drawing = Drawing(f"scale-up-{group.name.replace('/', '-')}")
    low, high = design.groups[join.a.group], design.groups[join.b.group]
    inside = {g.name: _per_rack(g) for g in (low, high)}
    width = max(min(n, MOST) + (n > MOST) for n in inside.values()) * STEP_PT
    below = _row(drawing, design, low, inside[low.name], width, 0)
    above = _row(drawing, design, high, inside[high.name], width, RISE_PT)
    for a in below:
        for b in above:
            drawing.line(a, b, dashed=True, width=0.6, colour="#8a8a8a")
    _words(design, group, join, drawing, width)
    return drawing


def _per_rack(group: DeviceGroup) -> int:
    n = 1
    for axis, size in group.sizes.items():
        n *= 1 if axis in group.rack_axes else size
    return n


def _holds(part: Part) -> str:
    if isinstance(part, Node):
        return count(part.accelerators, "GPU")
    return count(part.chips, "chip") if isinstance(part, SwitchTray) else ""


def _row(drawing: Drawing, design: Design, group: DeviceGroup, number: int, width: float, y: float) -> list[Box]:
    part, name = design.part(group.name), group.name.rpartition("/")[2]
    drawn = min(number, MOST)
    step = width / (drawn + (number > MOST))
    texts = [[f"{name} {i}", _holds(part)] for i in range(drawn)]
    box_width = min(step - 8, max(BOX_PT, *(width_pt(t) + 12 for text in texts for t in text)))
    boxes = [drawing.box(step * (i + 0.5), y, box_width, 46, text, look=look(group.role)) for i, text in enumerate(texts)]
    if number > MOST:
        drawing.box(step * (drawn + 0.5), y, box_width, 46, ["…", f"+ {number - MOST:,}"])
    text = f"{number:,} × {part.title} to a rack"
    drawing.text(width / 2, y + (46 if y else -42), [cut(text, width)])
    return boxes


def _words(design: Design, group: DeviceGroup, join: Join, drawing: Drawing, width: float) -> None:
    total = links(design, join)
    each, odd = divmod(total, group.count)
    per_rack = f"{each:,} links in each rack" if not odd else f"{total / group.count:,.1f} links in a rack on average"
    middle = [f"{per_rack} · {rate(join.rate_gbps)} one way each", f"{total:,} links in {count(group.count, 'rack')}"]
    drawing.text(width / 2, RISE_PT / 2, middle, bold=True)
    room = max(width, 560)
    drawing.text(width / 2, RISE_PT + 104, [cut(title(design), room, 16)], size_pt=16, bold=True)
    what = f"scale-up domain of one rack of {group.title or group.name}: every GPU to every switch chip"
    drawing.text(width / 2, RISE_PT + 82, [cut(what, room)])
    note = "dashed: factory wired, not in the cabling plan; a line stands for all links between two trays"
    drawing.text(width / 2, -72, [note], size_pt=11)
