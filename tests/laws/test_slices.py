"""A slice has exactly the cables of the whole whose both ends are in it, on the same ports."""

from hypothesis import assume, given
from hypothesis import strategies as st

from dcgen.design import Design
from dcgen.design.slice import sliced
from dcgen.diagnostics import Rejected
from tests.laws.designs import Wild, designs, law, rows


@law(80)
@given(st.one_of(designs(), designs(Wild(pairs=True))), st.data())
def test_a_slice_keeps_cables_and_ports(design: Design, data: st.DataObject) -> None:
    sizes = {a.name: a.size for g in design.groups.values() for a in g.axes}
    assume(sizes)
    axis = data.draw(st.sampled_from(sorted(sizes)))
    low = data.draw(st.integers(0, sizes[axis] - 1))
    high = data.draw(st.integers(low, sizes[axis] - 1))
    try:
        part = sliced(design, f"{axis}={low}..{high}")
    except Rejected:
        part = Design("nothing", {})
    kept = {b.name: b for b in part.bundles}
    for join in design.bundles:
        inside = [r for r in rows(design, join) if all(_in(design, e.group, r[2 * i], axis, low, high) for i, e in enumerate(join.ends))]
        assert sorted(rows(part, kept[join.name]) if join.name in kept else []) == sorted(inside)


def _in(design: Design, group: str, flat: int, axis: str, low: int, high: int) -> bool:
    x = design.groups[group].coordinates(flat).get(axis)
    return x is None or low <= x <= high
