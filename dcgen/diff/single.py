"""Cables that are written one by one, told apart by the two ports they end on: their number in the list says nothing."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

from dcgen.design import Design, Join, Table
from dcgen.design.kept import Shift, material
from dcgen.design.wiring import links
from dcgen.diff.model import Cables, Change, Sign
from dcgen.diff.moved import Before
from dcgen.naming import address

EXPLICIT = "explicit"
"""Kind of the fabric that such cables make."""

_MOST = 12
"""More than this are not told one by one."""

Device = tuple[str, frozenset[tuple[str, int]]]
Place = tuple[Device, str, int]
"""Device (coordinate 0 is not said), socket group, first lane."""


@dataclass(frozen=True)
class Single:
    """One such cable; `ends` are in the order of its bundle."""

    join: Join
    ends: tuple[Place, Place]
    labels: tuple[str, str]
    shifted: bool

    @property
    def key(self) -> frozenset[Place]:
        """What it is."""
        return frozenset(self.ends)

    @property
    def devices(self) -> frozenset[Device]:
        """The two devices that it joins."""
        return frozenset(device for device, _, _ in self.ends)

    @property
    def name(self) -> str:
        """Both ends, as people call them."""
        return " - ".join(self.labels)


def singles(design: Design, shifts: Mapping[str, tuple[Shift, ...]]) -> list[Single]:
    """The cables of a design that are written one by one and whose devices are both there."""
    explicit = [b for b in design.bundles if b.fabric in design.fabrics and design.fabrics[b.fabric].kind == EXPLICIT]
    return [_single(design, b, shifts) for b in explicit if links(design, b)]


def _single(design: Design, join: Join, shifts: Mapping[str, tuple[Shift, ...]]) -> Single:
    assert isinstance(join.pairs, Table)
    ends: list[Place] = []
    labels, moved = [], False
    for end, digits, values in zip(join.ends, (join.pairs.a, join.pairs.b), join.pairs.rows[0][:2], strict=True):
        group, by_digit = design.groups[end.group], dict(zip(digits, values, strict=True))
        at = {axis: by_digit[end.view.get(axis, (axis,))[0]] for axis in group.sizes}
        new = dict(at)
        for selector, by in shifts.get(group.name, ()):
            if all(at[a] in r for a, r in selector.box.items()):
                new |= {a: at[a] + n for a, n in by.items()}
                moved = True
        block = end.block
        position = block.ports[0] if block.ports else 0
        lane = (block.first + position // block.split) * block.lanes + position % block.split * (block.lanes // block.split)
        ends.append(((group.name, frozenset((a, x) for a, x in new.items() if x)), block.name, lane))
        printed = design.part(group.name).printed(block.name, block.split, position + 1)
        labels.append(f"{address(group.name, new)}:{printed[position]}")
    return Single(join, (ends[0], ends[1]), (labels[0], labels[1]), moved)


def single_cables(before: Before, after: Design, anew: frozenset[str]) -> Iterator[Cables]:
    """One entry for all of them, where there are any."""
    old, new = singles(before.analysis.design, before.shifts), singles(after, {})
    if not old and not new:
        return
    fate: Counter[str] = Counter()
    theirs = {s.key: s for s in new}
    left: list[Single] = []
    for s in old:
        twin = theirs.pop(s.key, None)
        if twin is None:
            left.append(s)
        else:
            fate[_fate(before.analysis.design, after, s, twin, anew)] += 1
    fate["repatched"] += _repatched(left, list(theirs.values()))
    fabric = next(s.join.fabric for s in (*new, *old))
    kept, repatched, replaced, lengthened, relabelled = (fate[n] for n in ("kept", "repatched", "replaced", "lengthened", "relabelled"))
    yield Cables(fabric, "", fabric, len(old), len(new), kept, repatched, replaced, lengthened, relabelled)


def of_singles(before: Before, after: Design) -> Iterator[Change]:
    """Each that comes or goes, by its two ports; only their number where they are many."""
    old, new = singles(before.analysis.design, before.shifts), singles(after, {})
    keys = [{s.key for s in mine} for mine in (old, new)]
    ways: tuple[tuple[Sign, list[Single], Collection[object]], ...] = (("-", old, keys[1]), ("+", new, keys[0]))
    for sign, mine, others in ways:
        found = [s for s in mine if s.key not in others]
        if len(found) > _MOST:
            yield Change(sign, "cable", found[0].join.fabric, len(found), "links", origin=(found[0].join.fabric,))
        else:
            for s in found:
                yield Change(sign, "cable", s.name, 1, "links", origin=s.join.origin)


def _fate(before: Design, after: Design, old: Single, new: Single, anew: frozenset[str]) -> str:
    if fate := material(old.join.longest, new.join.longest):
        return fate
    names = [group for (group, _), _, _ in old.ends]
    if any(before.groups[n].part != after.groups[n].part for n in names):
        return "repatched"
    return "relabelled" if old.shifted or anew & set(names) else "kept"


def _repatched(old: list[Single], new: list[Single]) -> int:
    """Pairs of the same material that share an end, or their two devices."""
    found = 0
    keys: list[Callable[[Single], object]] = [lambda s: s.ends[0], lambda s: s.ends[1], lambda s: s.devices]
    for key in keys:
        there: dict[object, list[Single]] = {}
        for s in new:
            there.setdefault(key(s), []).append(s)
        for s in list(old):
            twin = next((t for t in there.get(key(s), ()) if not material(s.join.longest, t.join.longest)), None)
            if twin is not None:
                old.remove(s)
                new.remove(twin)
                there[key(s)].remove(twin)
                found += 1
    return found
