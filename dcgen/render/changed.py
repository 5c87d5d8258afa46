"""One fabric before and after on one sheet: what is new, gone and changed by the shape of its border and in words, never by colour."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.design.model import Design, Join
from dcgen.diff.model import Cables, Devices, Diff
from dcgen.render.drawing import Box, Drawing, cut, look
from dcgen.render.fabric import PILE_PT, WIDEST_PT, Place, box_text, co_packaged, place_label, stacked, tiers
from dcgen.render.review_work import WORK
from dcgen.render.wording import rate

_LEGEND = "thick border and +: new; dashed border and −: gone; rounded border and ~: changed; thin border: as before"
_SAID = {**dict(WORK), "lengthened": "change length of"}


@dataclass(frozen=True, slots=True)
class _Edge:
    """A bundle between two groups, under their names after the change where they have one."""

    low: str
    high: str
    rate_gbps: float
    cables: Cables


def changed_fabrics(before: Design, after: Design, diff: Diff) -> Iterator[Drawing]:
    """A drawing per fabric in which devices or cables change."""
    devices = {d.group: d for d in diff.devices}
    fabrics: dict[str, list[_Edge]] = {}
    for cables in diff.cables:
        join, names = _join(before, after, cables, {d.was: d.group for d in diff.devices if d.was})
        if join:
            fabrics.setdefault(cables.fabric, []).append(_Edge(*names, join.rate_gbps, cables))
    for fabric, edges in fabrics.items():
        ends = [devices[name] for e in edges for name in (e.low, e.high) if name in devices]
        if any(e.cables.touched for e in edges) or any(d.touched for d in ends):
            yield _Sheet(before, after, devices, edges).drawing(fabric)


def _join(before: Design, after: Design, cables: Cables, now: dict[str, str]) -> tuple[Join | None, tuple[str, str]]:
    """The bundle, as it is after if it is still there, and the groups at its ends as they are called after."""
    for design, name in ((after, cables.bundle), (before, cables.was or cables.bundle)):
        join = next((b for b in design.bundles if b.name == name), None)
        if join:
            ends = (join.a.group, join.b.group)
            return join, ends if design is after else (now.get(ends[0], ends[0]), now.get(ends[1], ends[1]))
    return None, ("", "")


class _Sheet:
    """The boxes and lines of one fabric."""

    def __init__(self, before: Design, after: Design, devices: dict[str, Devices], edges: list[_Edge]) -> None:
        self._before, self._after, self._devices, self._edges = before, after, devices, edges

    def drawing(self, fabric: str) -> Drawing:
        """The fabric, its tiers above each other."""
        drawing = Drawing(f"change-{fabric}")
        order = [*self._after.groups, *(d.group for d in self._devices.values() if d.group not in self._after.groups)]
        rows = tiers([(e.low, e.high) for e in self._edges], order)
        texts = {name: self._text(name) for row in rows for name in row}
        places, widest = stacked(rows, texts)
        boxes = {name: self._box(drawing, name, place, texts[name]) for name, place in places.items()}
        self._lines(drawing, boxes)
        self._heading(drawing, fabric, widest)
        return drawing

    def _home(self, name: str) -> tuple[Design, str]:
        """The design that still has the group, and its name there."""
        if name in self._after.groups:
            return self._after, name
        device = self._devices.get(name)
        return self._before, (device.was or name) if device else name

    def _text(self, name: str) -> list[str]:
        design, here = self._home(name)
        bundles = [b for b in design.bundles if here in (b.a.group, b.b.group)]
        return [*self._marks(name), *box_text(design, design.groups[here], bundles)]

    def _marks(self, name: str) -> list[str]:
        d = self._devices.get(name)
        if d is None or not d.touched:
            return [f"renamed, was {d.was}"] if d and d.was and d.was != name else []
        if not d.before or not d.after:
            return [f"+ NEW: {d.after:,}"] if d.after else [f"− GONE: {d.before:,}"]
        grown = f": {d.before:,} → {d.after:,} ({d.after - d.before:+,})" if d.before != d.after else ""
        lines = [f"~ CHANGED{grown}", *([f"was {d.was}"] if d.was and d.was != name else [])]
        lines += [f"{word} {n:,}" for word, n in (("take out", d.removed), ("install", d.added)) if d.removed and d.added]
        if d.replaced:
            lines.append(f"replace {d.replaced:,}: {d.part_before} → {d.part_after}")
        return [*lines, *(f"{word} {n:,}" for word, n in (("move", d.moved), ("relabel", d.relabelled)) if n)]

    def _box(self, drawing: Drawing, name: str, place: Place, text: list[str]) -> Box:
        design, here = self._home(name)
        d, tint, double = self._devices.get(name), look(design.groups[here].role), co_packaged(design, here)
        new, gone = bool(d and d.after and not d.before), bool(d and d.before and not d.after)
        if design.groups[here].count > 1:
            shift = PILE_PT + 4 * double
            drawing.box(place.x_pt + shift, place.y_pt + shift, place.width_pt, place.height_pt, look=tint, frame=True, dashed=gone)
        changed = bool(d and d.touched and not new and not gone)
        return drawing.box(*place, text, look=tint, double=double, dashed=gone, thick=new, rounded=changed)

    def _lines(self, drawing: Drawing, boxes: dict[str, Box]) -> None:
        pairs: dict[tuple[str, str], list[_Edge]] = {}
        for edge in self._edges:
            if edge.low != edge.high:
                pairs.setdefault((edge.low, edge.high), []).append(edge)
        for (low, high), edges in pairs.items():
            gone, new = (all(getattr(e.cables, side) == 0 for e in edges) for side in ("after", "before"))
            drawing.line(boxes[low], boxes[high], width=4 if new else 2, dashed=gone)
            place_label(drawing, boxes[low], boxes[high], [cut(line, WIDEST_PT) for e in edges for line in _said(e)])

    def _heading(self, drawing: Drawing, fabric: str, widest: float) -> None:
        room, top = max(widest, 640), drawing.top() + 24
        names = dict.fromkeys((self._before.name, self._after.name))
        drawing.text(widest / 2, top + 20, [cut(f"{' → '.join(names)}: fabric {fabric}, what changes", room, 16)], size_pt=16, bold=True)
        drawing.text(widest / 2, -22, [_LEGEND], size_pt=11)


def _said(edge: _Edge) -> list[str]:
    """`576 → 1,152 × 800G (+576)`, and what is done to the cables."""
    c = edge.cables
    sign = "+ NEW: " if not c.before else "− GONE: " if not c.after else "~ " if c.touched else ""
    number = f"{c.before:,} → {c.after:,}" if c.before and c.after and c.before != c.after else f"{c.after or c.before:,}"
    delta = f" ({c.after - c.before:+,})" if c.before and c.after and c.before != c.after else ""
    work = ", ".join(f"{_SAID[what]} {n:,}" for what in _SAID if (n := getattr(c, what)))
    lines = [f"{sign}{number} × {rate(edge.rate_gbps)}{delta}"]
    return [*lines, *([work] if work and c.before and c.after and not c.factory else [])]


__all__ = ["changed_fabrics"]
