"""Compact = expanded: counts, ports and devices of a bundle against all pairs of devices, one by one."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from dcgen.design import Deal, Design, Pack
from dcgen.design.columns import columns
from dcgen.design.wiring import WiringError, links, members_needed, ports_needed
from tests.laws import oracle
from tests.laws.designs import Wild, designs, law, rows, whole

OFTEN = Wild(often=True)
PAIRED = Wild(pairs=True)


@law(80)
@given(st.one_of(designs(), designs(PAIRED)))
def test_links_are_counted_as_they_are_expanded(design: Design) -> None:
    for join in design.bundles:
        slow = oracle.links(design, join)
        assert rows(design, join) == Counter(x.row for x in slow)
        assert links(design, join) == len(slow)


@law(50)
@given(st.one_of(designs(OFTEN), designs(PAIRED)))
def test_no_port_twice_and_every_device_exists(design: Design) -> None:
    for join in design.bundles:
        c = columns(design, join)
        for end, device, port in ((join.a, c.a, c.a_port), (join.b, c.b, c.b_port)):
            used = list(zip(device.tolist(), port.tolist(), strict=True))
            assert len(set(used)) == len(used)
            assert all(p >= 0 for p in port.tolist())
            assert set(device.tolist()) <= oracle.devices(design.groups[end.group])


@law(60)
@given(st.one_of(designs(), designs(PAIRED)))
def test_ports_needed_are_those_of_the_fullest_device(design: Design) -> None:
    for join in design.bundles:
        found = list(oracle.whole_links(design, join))
        fits = all(
            not isinstance(e.spread, Pack) or members_needed(design, join, s) <= design.groups[e.group].sizes[e.spread.axis]
            for s, e in enumerate(join.ends)
        )
        for side, end in enumerate(join.ends):
            top = max((x.row[2 * side + 1] for x, _ in found), default=-1) + 1
            need = ports_needed(design, join, side)
            numbered = sorted({n[side] for _, n in found})
            plain = not isinstance(end.spread, Pack) or (not end.spread.start and numbered == list(range(len(numbered))))
            plain = plain and join.pairs is None  # pairs are measured by the device that has most of them
            assert need == top if plain and fits else need >= top


@law(40)
@given(designs(), st.data())
def test_the_port_number_is_exactly_the_lacked_digits(design: Design, data: st.DataObject) -> None:
    join = data.draw(st.sampled_from(design.bundles))
    side = data.draw(st.integers(0, 1))
    right = list(oracle.lacked(design, join)[side])
    wrongs = [[*right, "foreign"], *([*right, d] for d in right), *([x for x in right if x != d] for d in right)]
    wrong = tuple(data.draw(st.sampled_from(wrongs)))
    ends = [replace(e, order=wrong) if s == side else e for s, e in enumerate(join.ends)]
    bad = replace(join, a=ends[0], b=ends[1])
    for ask in (columns, lambda d, j: ports_needed(d, j, side)):
        with pytest.raises(WiringError, match="once"):
            ask(design, bad)


@law(40)
@given(designs(), st.data())
def test_agreement_is_stated(design: Design, data: st.DataObject) -> None:
    """A natural join would silently agree on any digit that two ends happen to spell alike."""
    join = data.draw(st.sampled_from(design.bundles))
    a, b = (oracle.digit_sizes(design.groups[e.group], e, join) for e in join.ends)
    wrongs = [tuple(x for x in join.on if x != d) for d in join.on] + [(*join.on, d) for d in {**a, **b, "foreign": 0} if d not in join.on]
    bad = replace(join, on=data.draw(st.sampled_from(wrongs)))
    for ask in (columns, links, lambda d, j: ports_needed(d, j, 0)):
        with pytest.raises(WiringError, match="agree, or rename one"):
            ask(design, bad)


@law(60)
@given(st.one_of(designs(), designs(PAIRED)))
def test_broken_is_part_of_whole(design: Design) -> None:
    full = whole(design)
    for join, unbroken in zip(design.bundles, full.bundles, strict=True):
        here = [oracle.devices(design.groups[e.group]) for e in join.ends]
        taken = Counter(x.row for x, _ in oracle.whole_links(full, unbroken) if x.digits in join.gone)
        kept = Counter({r: n for r, n in rows(full, unbroken).items() if r[0] in here[0] and r[2] in here[1] and r not in taken})
        assert rows(design, join) == kept


@law(60)
@given(designs(OFTEN), st.data())
def test_growth_inside_the_room_moves_nothing(design: Design, data: st.DataObject) -> None:
    """Unless the axis is what a Deal deals over: then a count that is derived from it changes."""
    dealt = {(e.group, e.spread.axis) for b in design.bundles for e in b.ends if isinstance(e.spread, Deal)}
    room = [(n, a) for n, g in design.groups.items() for a in g.axes if a.ruler > a.size and (n, a.name) not in dealt]
    assume(room)
    name, axis = data.draw(st.sampled_from(room))
    group = design.groups[name]
    grown_axis = replace(axis, size=data.draw(st.integers(axis.size + 1, axis.ruler)))
    grown = replace(group, axes=tuple(grown_axis if a == axis else a for a in group.axes))
    after = replace(design, groups={**design.groups, name: grown})
    for join in design.bundles:
        assert rows(design, join) <= rows(after, join)
