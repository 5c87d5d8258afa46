"""The front of one rack: what stands in it, to scale. U positions that no source gives are not claimed."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.design.model import Design, DeviceGroup
from dcgen.design.placement import USABLE_U, racks
from dcgen.naming import label
from dcgen.parts import Node, Part, Rack, Shelf, SwitchTray
from dcgen.render.drawing import LINE, SIZE_PT, Drawing, cut, look, width_pt
from dcgen.render.wording import title
from dcgen.units import spoken

U_PT = 18
SLOT_PT = 11
WIDTH_PT = 400
PANEL_PT = 420


@dataclass(frozen=True, slots=True)
class Slot:
    """One device in the rack, with the role that colours it and the height it is drawn with [U]."""

    text: str
    role: str
    height_u: float


def rack_view(design: Design, group: DeviceGroup) -> Drawing | None:
    """One rack of a group that has racks of its own; None for what comes inside another or has no devices."""
    if group.inside or not group.count:
        return None
    part = design.part(group.name)
    if isinstance(part, Rack):
        slots, order = list(_bought(design, group, part)), "order of drawing; U positions are not published"
        tall = float(part.units or 0)
        facts = _facts(design, part, group.count)
    else:
        slots, order = list(_filled(design, group, part)), "order of filling, from the bottom; U positions are not fixed"
        tall = float(USABLE_U)
        home = racks(design, group)
        facts = [f"rack 1 of {home.count:,}: {home.rule}", *_facts(design, part, len(slots), "in this rack")]
    return _drawn(Drawing(f"rack-{label(group.name, {})}"), design, group, slots, tall, [*facts, order])


def _bought(design: Design, group: DeviceGroup, rack: Rack) -> Iterator[Slot]:
    """From the top: half the shelves, half the nodes, the switch trays, the other halves, and below them whatever else there is."""
    slots: dict[type[Part], list[Slot]] = {Shelf: [], Node: [], SwitchTray: [], Part: []}
    for name, content in rack.contents.items():
        part = design.parts[content.part]
        kind = next(k for k in slots if isinstance(part, k))
        role = next((g.role for g in design.groups.values() if g.inside == group.name and g.part == part.part), "plain")
        slots[kind] += [_slot(part, f"{name} {i}", role) for i in range(content.count)]
    shelves, nodes = slots[Shelf], slots[Node]
    half_shelves, half_nodes = -(-len(shelves) // 2), -(-len(nodes) // 2)
    yield from shelves[:half_shelves]
    yield from nodes[:half_nodes]
    yield from slots[SwitchTray]
    yield from nodes[half_nodes:]
    yield from shelves[half_shelves:]
    yield from slots[Part]


def _filled(design: Design, group: DeviceGroup, part: Part) -> Iterator[Slot]:
    """From the top: the devices of the first rack, the first of them lowest."""
    first = list(range(min(racks(design, group).per_rack, group.declared)))
    for n in reversed(first):
        rest, at = n, {}
        for axis, size in reversed(group.sizes.items()):
            rest, at[axis] = divmod(rest, size)
        here = {axis: at[axis] for axis in group.sizes}
        gone = not any(all(x in box[a] for a, x in here.items()) for box in group.boxes)
        yield _slot(part, label(group.name, here), group.role) if not gone else _slot(part, "kept free", "plain")


def _slot(part: Part, text: str, role: str) -> Slot:
    height = part.height_u.value if part.height_u else 0
    name, said = cut(text, WIDTH_PT - 180, SLOT_PT), f"{height:g} U" if height else "height unknown"
    room = WIDTH_PT - 40 - width_pt(name + said, SLOT_PT)
    return Slot(f"{name}   {cut(part.title, room, SLOT_PT)}   {said}", role, height or 1.0)


def _facts(design: Design, part: Part, quantity: int, where: str = "in the design") -> list[str]:
    """What is known of the part; figures of one device say so, because the drawing is of a whole rack."""
    lines = [part.title, f"maker: {part.maker}", f"{quantity:,} {where}"]
    of_one = "" if isinstance(part, Rack) else " of one"
    for word, figure, unit in (
        (f"height{of_one}", part.height_u, "u"), (f"power{of_one}, typical", part.power.typical_w, "w"),
        (f"power{of_one}, maximum", part.power.max_w, "w"), (f"mass{of_one}", part.mass_kg, "kg"),
    ):  # fmt: skip
        if figure:
            lines.append(f"{word}: {spoken(figure.value, unit)}{' (estimate)' if figure.estimate else ''}")
            lines[-1] += _optics(part) if figure is part.power.max_w else ""
        elif not word.endswith("typical") and not (word == "height" and isinstance(part, Rack)):
            lines.append(f"{word}: unknown")
    if isinstance(part, Rack):
        lines += [f"height: {part.units} U" if part.units else "height: unknown"]
        lines += [f"cooling: {part.cooling}"] if part.cooling else []
        lines += [f"{c.count} × {design.parts[c.part].title}" for c in part.contents.values()]
    return lines


def _optics(part: Part) -> str:
    """What of a published maximum is the body, where the figure includes optics."""
    if not part.power.includes_optics:
        return ""
    body_w, estimate = part.body_w("max")
    if body_w is None or part.power.optic_allotment_w is None:
        return " with optics"
    return f" with optics, {spoken(body_w, 'w')} without{' (estimate)' if estimate else ''}"


def _drawn(drawing: Drawing, design: Design, group: DeviceGroup, slots: list[Slot], tall: float, facts: list[str]) -> Drawing:
    used = sum(s.height_u for s in slots)
    height = max(used, tall) * U_PT
    drawing.box(WIDTH_PT / 2, height / 2, WIDTH_PT + 16, height + 16, frame=True)
    y, rest = height, height - used * U_PT
    if rest and not isinstance(design.part(group.name), Rack):
        drawing.box(WIDTH_PT / 2, height - rest / 2, WIDTH_PT, rest, [f"{tall - used:g} U free of {tall:g} U usable"])
        y -= rest
    for slot in slots:
        tall_pt = slot.height_u * U_PT
        drawing.box(WIDTH_PT / 2, y - tall_pt / 2, WIDTH_PT, tall_pt, [slot.text], look=look(slot.role), size_pt=SLOT_PT)
        y -= tall_pt
    if y > 1:
        drawing.box(WIDTH_PT / 2, y / 2, WIDTH_PT, y, [f"{y / U_PT:g} U that no source describes"])
    lines = [cut(f, PANEL_PT) for f in facts]
    drawing.text(WIDTH_PT + 30, height - len(lines) * SIZE_PT * LINE / 2 - 30, lines, left=True)
    drawing.text(WIDTH_PT + 30, height - 8, [cut(f"rack of {group.title or group.name}", PANEL_PT, 14)], size_pt=14, bold=True, left=True)
    drawing.text(0, height + 32, [cut(title(design), WIDTH_PT + PANEL_PT, 16)], size_pt=16, bold=True, left=True)
    return drawing
