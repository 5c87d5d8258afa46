"""Cables that two designs share: counted by form, by rows, and by loops over all pairs of devices."""

from collections import Counter
from dataclasses import replace

from hypothesis import assume, event, given
from hypothesis import strategies as st

from dcgen.design import Axis, Design, DeviceGroup, Join, Media
from dcgen.design.kept import Bundle, InCommon, _by_rule, in_common
from dcgen.design.matched import matched
from dcgen.design.wiring import WiringError, agreed, links, port_orders
from dcgen.naming import Selector
from tests.laws import oracle
from tests.laws.designs import ANY, Wild, designs, law

Place = tuple[frozenset[tuple[str, int]], str, int]


def places(design: Design, join: Join) -> list[tuple[Place, Place]]:
    """Both ends of every link: device by its coordinates, socket group, first lane."""
    out = []
    for link in oracle.links(design, join):
        ends = []
        for end, device, port in zip(join.ends, (link.a, link.b), (link.a_port, link.b_port), strict=True):
            group = design.groups[end.group]
            at = frozenset((a, x) for a, x in group.coordinates(device).items() if x)
            cage, place = oracle.position(end, port)
            ends.append((at, end.block.name, cage * end.block.lanes + place * (end.block.lanes // end.block.split)))
        out.append((ends[0], ends[1]))
    return out


def told(one: tuple[Design, Join], other: tuple[Design, Join]) -> InCommon:
    """The definition: equal pairs of ends, then one end, then the other, then both devices; the better of both orders of ends."""
    old, new = places(*one), places(*other)
    same = set(old) & set(new)
    best = 0
    for first in (0, 1):
        mine, theirs = [x for x in old if x not in same], [x for x in new if x not in same]
        found = 0
        for side in (first, 1 - first):
            there = {x[side]: x for x in theirs}
            for x in [x for x in mine if x[side] in there]:
                mine.remove(x)
                theirs.remove(there[x[side]])
                found += 1
        pairs = [Counter((x[0][0], x[1][0]) for x in xs) for xs in (mine, theirs)]
        best = max(best, found + sum((pairs[0] & pairs[1]).values()))
    return InCommon(len(same), moved=best)


@st.composite
def edits(draw: st.DrawFn, wild: Wild = ANY) -> tuple[Design, Design, Join, Join]:
    """A design and what an edit makes of it: sizes, holes, ways, removed links, where a block begins."""
    design = draw(designs(wild))
    join = draw(st.sampled_from(design.bundles))
    a, b = (replace(e, block=replace(e.block, ports=None)) for e in join.ends)  # a list of ports would end where an edit goes on
    join = replace(join, a=a, b=b)
    groups = dict(design.groups)
    for name in (join.a.group, join.b.group):
        if draw(st.booleans()):
            groups[name] = draw(edited(groups[name]))
    other = join
    if join.ways and draw(st.booleans()):
        way = draw(st.sampled_from(sorted(join.ways)))
        other = replace(other, ways=join.ways | {way: draw(st.integers(1, 4))}, gone=())
    if draw(st.integers(0, 5)) == 5:
        other = replace(other, b=replace(other.b, block=replace(other.b.block, first=other.b.block.first + 1)))
    if draw(st.integers(0, 3)) == 3:
        other = replace(other, gone=())
    after = replace(design, groups=groups)
    try:
        port_orders(other, *agreed(after, other)[:2])
    except (WiringError, KeyError):
        assume(False)
    return design, after, join, other


@st.composite
def edited(draw: st.DrawFn, group: DeviceGroup) -> DeviceGroup:
    axes = tuple(Axis(a.name, max(1, a.size + draw(st.integers(-1, 1))), a.room) for a in group.axes)
    keep = tuple(s for s in group.absent if draw(st.booleans()))
    if axes and draw(st.booleans()):
        axis = draw(st.sampled_from(axes))
        x = draw(st.integers(0, axis.size - 1))
        keep = (*keep, Selector(group.name, ((axis.name, x, x),)))
    return replace(group, axes=axes, absent=keep)


def unique(found: list[tuple[Place, Place]]) -> bool:
    return len({a for a, _ in found}) == len({b for _, b in found}) == len(found)


@law(200)
@given(edits())
def test_rows_count_what_the_definition_says(edit: tuple[Design, Design, Join, Join]) -> None:
    before, after, join, other = edit
    assume(unique(places(before, join)) and unique(places(after, other)))
    assert matched(Bundle(before, join, {}), Bundle(after, other, {})) == told((before, join), (after, other))


@law(400)
@given(edits(Wild(selective=False)))
def test_the_form_counts_what_rows_count(edit: tuple[Design, Design, Join, Join]) -> None:
    before, after, join, other = edit
    one, two = Bundle(before, join, {}), Bundle(after, other, {})
    numbers = links(before, join), links(after, other)
    found = _by_rule(one, two, numbers)
    event("by form" if found else "by rows")
    expected = matched(one, two)
    assert found is None or found == (expected.same, expected.moved)
    assert in_common(one, two, numbers) == expected


@law(40)
@given(designs())
def test_a_bundle_has_everything_in_common_with_itself(design: Design) -> None:
    for join in design.bundles:
        bundle = Bundle(design, join, {})
        number = links(design, join)
        assert in_common(bundle, bundle, (number, number)) == InCommon(number)


@law(60)
@given(edits(), st.sampled_from(["cable", "length_m", "medium"]))
def test_other_material_is_told(edit: tuple[Design, Design, Join, Join], what: str) -> None:
    before, after, join, other = edit
    plain = Media("fibre", "c", ("x", "y"), 3.0)
    new = replace(plain, **{what: 5.0 if what == "length_m" else "other"})
    one = Bundle(before, replace(join, media=(plain,)), {})
    numbers = links(before, join), links(after, other)
    same, changed = (in_common(one, Bundle(after, replace(other, media=(m,)), {}), numbers) for m in (plain, new))
    counts = {"lengthened": same.same} if what == "length_m" else {"replaced": same.same}
    assert changed == InCommon(**counts)
