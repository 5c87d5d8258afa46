"""What happens to the cables of each bundle: which stay as they are, which are touched, which are new."""

from collections.abc import Iterator, Mapping

from dcgen.analysis import Analysis
from dcgen.design import Design, DeviceGroup, Join
from dcgen.design.kept import Bundle, InCommon, in_common
from dcgen.design.wiring import links
from dcgen.diff.model import Cables
from dcgen.diff.moved import Before
from dcgen.diff.single import EXPLICIT, single_cables

Pair = tuple[Join | None, Join | None]
_NONE: Mapping[tuple[int, str], int] = {}


def bundle_pairs(before: Design, after: Design) -> list[Pair]:
    """Bundles of both designs that are the same one, those after first: of one name, or alone between the same two groups.

    Cables that are written one by one are no bundles here: `single_cables` tells them apart by their ends.
    """
    old, new = ({b.name: b for b in d.bundles if not _written_singly(d, b)} for d in (before, after))
    names = {n: n for n in new if n in old}
    left = [[b for n, b in mine.items() if n not in names] for mine in (old, new)]
    keys = [[_place(b) for b in bundles] for bundles in left]
    for b, key in zip(left[1], keys[1], strict=True):
        if keys[0].count(key) == keys[1].count(key) == 1:
            names[b.name] = left[0][keys[0].index(key)].name
    pairs: list[Pair] = [(old.get(names.get(n, "")), b) for n, b in new.items()]
    return [*pairs, *((b, None) for n, b in old.items() if n not in names.values())]


def _written_singly(design: Design, join: Join) -> bool:
    fabric = design.fabrics.get(join.fabric)
    return fabric is not None and fabric.kind == EXPLICIT


def _place(join: Join) -> tuple[str, ...]:
    """What a bundle is where names changed: the same fabric and sockets."""
    return join.fabric, join.a.group, join.a.block.name, join.b.group, join.b.block.name


def cables(before: Before, after: Analysis, pairs: list[Pair], anew: frozenset[str]) -> Iterator[Cables]:
    """One entry for each bundle of either design, and one for those that are written singly; `anew` are groups with other labels."""
    number = {
        (side, m.subject): int(m.value) for side, a in enumerate((before.analysis, after)) for m in a.measures if m.measure == "links"
    }
    for old, new in pairs:
        yield of_pair(before, after.design, old, new, anew, number)
    yield from single_cables(before, after.design, anew)


def of_pair(
    before: Before,
    after: Design,
    old: Join | None,
    new: Join | None,
    anew: frozenset[str] = frozenset(),
    number: Mapping[tuple[int, str], int] = _NONE,
) -> Cables:
    """What happens to the cables of one bundle; `number` are the links of bundles of side 0 and 1 that are known already."""
    here, was = before.analysis.design, before.was
    one = 0 if old is None else number[0, old.name] if (0, old.name) in number else links(here, old)
    other = 0 if new is None else number[1, new.name] if (1, new.name) in number else links(after, new)
    if old and new:
        name = was.get(old.name, old.name if old.name != new.name else "")
        return _both(Bundle(here, old, before.shifts), Bundle(after, new, {}), (one, other), name, anew)
    only = new or old
    assert only is not None
    return Cables(only.name, "" if new else was.get(only.name, ""), only.fabric, one, other, 0, factory=not only.field_cabled)


def _both(one: Bundle, other: Bundle, numbers: tuple[int, int], was: str, anew: frozenset[str]) -> Cables:
    found = InCommon(numbers[1]) if _untouched(one, other) else in_common(one, other, numbers)
    kept, repatched, relabelled = found.same - found.renamed, found.moved, found.renamed
    if any(a.part != b.part for a, b in zip(one.groups, other.groups, strict=True)):
        kept, repatched, relabelled = 0, found.same + found.moved, 0
    elif any(g.name in anew for g in other.groups):
        kept, relabelled = 0, found.same
    new = other.join
    stay = kept, repatched, found.replaced, found.lengthened, relabelled
    return Cables(new.name, was, new.fabric, *numbers, *stay, factory=not new.field_cabled)


def _untouched(one: Bundle, other: Bundle) -> bool:
    """Whether wiring, material and devices at both ends are equal, so that nothing has to be counted twice."""
    a, b = one.join, other.join
    same = (a.a, a.b, a.on, a.ways, a.sizes, a.gone, a.pairs, a.media) == (b.a, b.b, b.on, b.ways, b.sizes, b.gone, b.pairs, b.media)
    floor = len(a.media) < 2 or one.design.floor == other.design.floor
    return same and floor and not one.shifted and all(_alike(g, h) for g, h in zip(one.groups, other.groups, strict=True))


def _alike(one: DeviceGroup, other: DeviceGroup) -> bool:
    return (one.axes, one.absent) == (other.axes, other.absent)
