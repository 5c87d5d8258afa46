"""Random small designs, made of axes, ends and joins directly: everything the model can say, and little of what a blueprint would."""

import os
from collections import Counter
from dataclasses import dataclass, replace
from math import prod

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Join, Pack
from dcgen.design.columns import columns
from dcgen.naming import Selector
from tests.laws import oracle

TIMES = int(os.environ.get("LAWS_TIMES", "1"))
"""Set it to 50 for a long night."""

settings.register_profile(
    "laws", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def law(examples: int = 60) -> settings:
    """Settings of one law."""
    return settings(settings.get_profile("laws"), max_examples=examples * TIMES)


@dataclass(frozen=True)
class Wild:
    """What random designs may hold."""

    broken: bool = True
    spreads: bool = True
    selective: bool = True
    rooms: bool = True
    ragged: bool = True
    nesting: bool = False
    two_ended: bool = True
    one_block: bool = False
    often: bool = False
    """Rooms, spreads and shifts in most places, not in some."""


ANY = Wild()


def chance(one_in: int) -> st.SearchStrategy[bool]:
    """True once in so many draws; shrinks to False."""
    return st.integers(0, one_in - 1).map(lambda n: n == one_in - 1)


@st.composite
def groups(draw: st.DrawFn, name: str, top: dict[str, int], wild: Wild) -> DeviceGroup:
    names = draw(st.permutations(sorted(draw(st.sets(st.sampled_from("xyz"), min_size=0 if draw(chance(8)) else 1)))))
    axes: list[Axis] = []
    for a in names:
        size = draw(st.integers(1, top[a])) if wild.ragged and draw(chance(4)) else top[a]
        size = min(size, max(1, 16 // prod(x.size for x in axes)))
        axes.append(Axis(a, size, size + draw(st.integers(1, 2)) if wild.rooms and draw(chance(2 if wild.often else 4)) else 0))
    group = DeviceGroup(name, "part", tuple(axes))
    return replace(group, absent=draw(selectors(group))) if wild.broken and axes and draw(st.booleans()) else group


@st.composite
def selectors(draw: st.DrawFn, group: DeviceGroup) -> tuple[Selector, ...]:
    out = []
    for _ in range(draw(st.integers(1, 2))):
        ranges = []
        for a in group.axes:
            if draw(st.booleans()):
                low = draw(st.integers(0, a.size - 1))
                ranges.append((a.name, low, low if draw(st.booleans()) else draw(st.integers(low, a.size - 1))))
        if ranges:
            out.append(Selector(group.name, tuple(ranges)))
    return tuple(out)


@st.composite
def boxes(draw: st.DrawFn, group: DeviceGroup) -> dict[str, range]:
    """A random box, every axis of the group named."""
    out = {}
    for a in group.axes:
        low = draw(st.integers(0, a.size - 1)) if draw(st.booleans()) else 0
        out[a.name] = range(low, draw(st.integers(low + 1, a.size)) if draw(st.booleans()) else a.size)
    return out


@st.composite
def views(draw: st.DrawFn, group: DeviceGroup, side: int, member: str, wild: Wild) -> dict[str, tuple[str, ...]]:
    """Readings of axes: whole, in digits that the other end may have too, in digits of its own, or under another axis' name."""
    out = {}
    free = [a for a in "xyz" if a not in group.sizes]
    for axis in group.sizes:
        how = draw(st.sampled_from(["whole", "whole", "whole", "split", "split", "own", "renamed"]))
        if axis == member or how == "whole":
            continue
        if how == "renamed" and free and not wild.nesting:
            out[axis] = (free.pop(draw(st.integers(0, len(free) - 1))),)
        elif how == "own":
            out[axis] = (f"{axis}.{'ab'[side]}",)
        else:
            digits = [f"{axis}0", f"{axis}1", f"{axis}2", f"{axis}.{'ab'[side]}"]
            out[axis] = tuple(draw(st.lists(st.sampled_from(digits), min_size=1, max_size=3, unique=True)))
    return out


@st.composite
def ends(draw: st.DrawFn, group: DeviceGroup, side: int, wild: Wild) -> End:
    spread: Deal | Pack | None = None
    if wild.spreads and group.axes and (side or wild.two_ended) and draw(st.just(True) if wild.often and side else chance(8 - 6 * side)):
        axis = draw(st.sampled_from(sorted(group.sizes)))
        start = draw(st.integers(1, 3)) if draw(chance(3)) else 0
        spread = Deal(axis, start) if draw(st.booleans()) else Pack(axis, 1, start)
    member = spread.axis if spread else ""
    where, shift = {}, {}
    for a in group.axes:
        if wild.selective and a.name != member and draw(chance(6)):
            low = draw(st.integers(0, a.size - 1))
            where[a.name] = range(low, draw(st.integers(low + 1, a.size + 1)))
        if wild.selective and a.name != member and draw(chance(5)):
            shift[a.name] = draw(st.integers(1, 2))
    block = Block("p" if wild.one_block else f"p{draw(st.integers(0, 1))}", draw(st.integers(0, 2)), draw(st.sampled_from([1, 2, 4])), 4)
    return End(group.name, block, draw(views(group, side, member, wild)), None, spread, where, shift)


@st.composite
def joins(draw: st.DrawFn, here: dict[str, DeviceGroup], name: str, pair: tuple[str, str], wild: Wild, sizes: dict[str, int]) -> Join:
    a, b = (draw(ends(here[g], side, wild)) for side, g in enumerate(pair))
    ways = dict(draw(st.lists(st.tuples(st.sampled_from(["way", "round"]), st.integers(1, 3)), max_size=2, unique_by=lambda w: w[0])))
    used = {d for e in (a, b) for names in e.view.values() for d in names}
    sizes = {d: n for d, n in sizes.items() if d in used} if wild.nesting else {d: draw(st.integers(1, 3)) for d in sorted(used)}
    for e in (a, b):
        for axis, names in e.view.items():
            need = here[e.group].rulers[axis] + e.shift.get(axis, 0)
            sizes[names[0]] = max(sizes.get(names[0], 1), -(-need // prod(sizes[d] for d in names[1:])))
    for e in (a, b):  # a digit that is stated for one end's view must also hold the other end's axis of that name
        for axis in here[e.group].sizes:
            if axis in sizes and axis not in e.view:
                sizes[axis] = max(sizes[axis], here[e.group].rulers[axis] + e.shift.get(axis, 0))
    join = Join(name, a, b, (), ways, sizes, draw(st.sampled_from([1, 2, 3, 100, 400, 800])), "fabric")
    both = [set(oracle.digit_sizes(here[e.group], e, join)) for e in (a, b)]
    join = replace(join, on=tuple(draw(st.permutations(sorted(both[0] & both[1])))))
    return draw(_finished(Design("d", here), join, wild))


@st.composite
def _finished(draw: st.DrawFn, design: Design, join: Join, wild: Wild) -> Join:
    """The join with orders, capacities that mostly hold all, port lists and links taken out."""
    new = []
    for end, lacked, total in zip(join.ends, oracle.lacked(design, join), oracle.numbers(design, join), strict=True):
        order = tuple(draw(st.permutations(lacked))) if draw(st.booleans()) else None
        spread = end.spread
        if isinstance(spread, Pack):
            members = design.groups[end.group].sizes[spread.axis]
            spread = replace(
                spread, capacity=max(1, -(-(total + spread.start) // members) + draw(st.integers(-2 if wild.often else -1, 3)))
            )
        new.append(replace(end, order=order, spread=spread))
    join = replace(join, a=new[0], b=new[1])
    found = list(oracle.whole_links(design, join))
    listed = []
    for side, end in enumerate(join.ends):
        need = max((x.row[2 * side + 1] for x, _ in found), default=0) + 1
        ports = tuple(draw(st.permutations(range(need + 2)))) if wild.selective and need < 12 and draw(chance(6)) else None
        listed.append(replace(end, block=replace(end.block, ports=ports)))
    gone = draw(st.lists(st.sampled_from([x.digits for x, _ in found]), max_size=3)) if wild.broken and found and draw(chance(2)) else []
    return replace(join, a=listed[0], b=listed[1], gone=tuple(gone))


@st.composite
def designs(draw: st.DrawFn, wild: Wild = ANY) -> Design:
    """Three to five groups and two to five bundles between them."""
    top = {a: draw(st.integers(1, 4)) for a in "xyz"}
    here = {f"g{i}": draw(groups(f"g{i}", top, wild)) for i in range(draw(st.integers(3, 5)))}
    pairs = [(a, b) for i, a in enumerate(here) for b in list(here)[i + 1 :]]
    asked = draw(st.lists(st.sampled_from(pairs), min_size=2, max_size=5, unique=not wild.one_block))
    sizes = {f"{a}{d}": draw(st.sampled_from([1, 2, 2, 4])) for a in "xyz" for d in ("0", "1", "2", ".a", ".b")}
    bundles = [draw(joins(here, f"fabric/b{i}", pair, wild, sizes)) for i, pair in enumerate(asked)]
    return Design("d", here, tuple(bundles))


def rows(design: Design, join: Join) -> Counter[tuple[int, int, int, int]]:
    """The columns of a bundle as rows."""
    c = columns(design, join)
    return Counter(zip(c.a.tolist(), c.a_port.tolist(), c.b.tolist(), c.b_port.tolist(), strict=True))


def whole(design: Design) -> Design:
    """The design with everything absent put back in."""
    here = {n: replace(g, absent=()) for n, g in design.groups.items()}
    return replace(design, groups=here, bundles=tuple(replace(b, gone=()) for b in design.bundles))
