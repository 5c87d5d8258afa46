"""What can be lost: every class of single devices and links, the worst of k, and whatever a selector names."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from dcgen.analysis.flow.cells import Cell, Frame, arcs, exists, settle
from dcgen.analysis.flow.lower import Lowered
from dcgen.analysis.flow.net import Box, Cut, Group, Loss, Lost, Net, Wire, inside, volume
from dcgen.analysis.flow.picks import Devices, Links, Pick
from dcgen.analysis.flow.span import Span


@dataclass(frozen=True, slots=True)
class LossClass:
    """One of `count` alike single losses. `kind` is the group or bundle it is of, `what` its place where places differ."""

    kind: str
    what: str
    count: int
    loss: Loss


def classes(net: Net, frame: Frame, missing: Sequence[Loss], marks: Sequence[Box] = ()) -> list[LossClass]:
    """Every single device and every single link that is there, one representative per class of alike ones."""
    cells = settle(net, [m for x in missing for m in x.marks(net)] + list(marks), frame)
    living = _living(net, cells, missing)
    alive = {c.parent for c in living}
    found = [LossClass(c.group, net.groups[c.group].said(c.sides), c.count, Lost(c.group, _first(c))) for c in living]
    cuts = [x for x in missing if isinstance(x, Cut)]
    for n, i, j, pairs in arcs(net, cells):
        wire = net.wires[n]
        if not {i, j} <= alive or (cells[i].group, cells[j].group) != (wire.a, wire.b):
            continue
        if wire.a == wire.b and not wire.axis and wire.at_a and not any(inside(cells[i].sides, box) for box in wire.at_a):
            continue  # the same links, seen from their other end
        one = _link(wire, cells[i], cells[j])
        if one is None:
            continue
        here, there_, share = one
        times = wire.times - sum(_taken(wire, here, there_, x) for x in cuts if x.wire == n)
        if times > 0:
            said = " – ".join(net.groups[c.group].said(c.sides) for c in (cells[i], cells[j]))
            found.append(LossClass(wire.name, said, pairs * times // share, Cut(n, here, there_, 1)))
    return found


def _first(cell: Cell) -> Box:
    return {axis: Span.of(side.first) for axis, side in cell.sides.items()}


def _taken(wire: Wire, here: Box, there: Box, cut: Cut) -> int:
    """Links that are cut between two devices already."""
    ways = ((here, there), (there, here)) if wire.a == wire.b else ((here, there),)
    held = any(inside(p, cut.a) and inside(q, cut.b) for p, q in ways)
    return (wire.times if cut.times is None else cut.times) if held else 0


def _link(wire: Wire, one: Cell, other: Cell) -> tuple[Box, Box, int] | None:
    """(the ends of a link between two cells, how often each such link is counted); inside a group each pair once."""
    here, there, axis = _first(one), _first(other), wire.axis
    there = {d: here[d] if d in here and side == one.sides[d] else there[d] for d, side in other.sides.items()}
    if not axis:
        return here, there, 1
    same = wire.a == wire.b
    if one.sides[axis] == other.sides[axis]:
        if one.sides[axis].size < 2:
            return None
        there[axis] = Span.of([*one.sides[axis]][1])
        return here, there, 2 if same else 1
    return None if same and one.sides[axis].first > other.sides[axis].first else (here, there, 1)


def touched(net: Net, loss: Loss, hosts: Iterable[str]) -> list[Lost]:
    """The hosts that lose a link of their own, as losses: what is left to judge is the rest of the system."""
    out = []
    for n, wire in enumerate(net.wires):
        if wire.axis or wire.at_a is not None or wire.at_b is not None:
            continue
        for host, other, first in ((wire.a, wire.b, True), (wire.b, wire.a, False)):
            if host not in hosts:
                continue
            if isinstance(loss, Cut) and loss.wire == n:
                out.append(Lost(host, loss.a if first else loss.b))
            elif isinstance(loss, Lost) and loss.group == other and other not in hosts:
                full = net.groups[host].full
                out.append(Lost(host, {**full, **{d: loss.box[d] for d in wire.shared}}))
    return out


def nodes(
    net: Net, frame: Frame, missing: Sequence[Loss], marks: Sequence[Box], owner: Mapping[str, str], apart: Mapping[str, Collection[str]]
) -> list[LossClass]:
    """Every single node that carries several terminals; `apart` are the digits that tell the terminals of one node apart."""
    out: dict[tuple[object, ...], LossClass] = {}
    cells = settle(net, [m for x in missing for m in x.marks(net)] + list(marks), frame)
    for cell in _living(net, cells, missing):
        if digits := apart.get(cell.group):
            full = net.groups[cell.group].full
            place = {d: side for d, side in cell.sides.items() if d not in digits}
            box = {d: full[d] if d in digits else Span.of(side.first) for d, side in cell.sides.items()}
            name, whole = owner[cell.group], {**full, **place}
            said = net.groups[cell.group].said(whole).replace(cell.group, name, 1)
            key = (name, *sorted((d, s.parts) for d, s in place.items()))
            out.setdefault(key, LossClass(name, said, volume(place), Lost(cell.group, box)))
    return list(out.values())


def _living(net: Net, cells: Sequence[Cell], missing: Sequence[Loss]) -> list[Cell]:
    """The cells of devices that are there, each with its number as `parent`."""
    dead = [(x.group, x.box) for x in missing if isinstance(x, Lost)]
    return [c for c in cells if exists(net, c) and not any(c.group == g and inside(c.sides, m) for g, m in dead)]


def lowered(here: Lowered, picks: Iterable[Pick]) -> list[Loss]:
    """What was picked, in digits."""
    out: list[Loss] = []
    for pick in picks:
        if isinstance(pick, Devices):
            out += [Lost(pick.group, b) for b in here.boxes(pick.group, pick.box)]
            continue
        for n in here.wires[pick.bundle]:
            wire = here.net.wires[n]
            for a in here.boxes(wire.a, pick.a):
                out += [Cut(n, a, b, pick.times) for b in here.boxes(wire.b, pick.b) if all(a[d] & b[d] for d in wire.shared)]
    return out


def raised(here: Lowered, losses: Iterable[Loss]) -> list[Pick] | None:
    """Losses in axes again; None where a box is no range of them."""
    out: list[Pick] = []
    for x in losses:
        if isinstance(x, Lost):
            box = _axes(here.net.groups[x.group], x.box)
            if box is None:
                return None
            out.append(Devices(x.group, box))
            continue
        wire = here.net.wires[x.wire]
        a, b = _axes(here.net.groups[wire.a], x.a), _axes(here.net.groups[wire.b], x.b)
        if a is None or b is None:
            return None
        out.append(Links(wire.name, a, b, x.times))
    return out


def _axes(group: Group, box: Box) -> dict[str, range] | None:
    """Single coordinates of a box by axis; whole axes stay open."""
    out = {}
    for axis, digits in group.reading.items():
        if all(box[d].size == 1 for d, _, _ in digits):
            x = sum(box[d].first * stride for d, stride, _ in digits)
            out[axis] = range(x, x + 1)
        elif not all(box[d] == group.full[d] for d, _, _ in digits):
            return None
    return out


def candidates(net: Net, frame: Frame, missing: Sequence[Loss], marks: Sequence[Box], among: Sequence[Loss]) -> list[Loss]:
    """One representative of every class of single losses inside the boxes `among`."""
    boxes = [m for x in among for m in x.marks(net)]
    found = classes(net, frame, missing, [*marks, *boxes])
    return [c.loss for c in found if any(_within(c.loss, x) for x in among)]


def _within(loss: Loss, among: Loss) -> bool:
    if isinstance(loss, Lost):
        return isinstance(among, Lost) and loss.group == among.group and inside(loss.box, among.box)
    return isinstance(among, Cut) and loss.wire == among.wire and inside(loss.a, among.a) and inside(loss.b, among.b)
