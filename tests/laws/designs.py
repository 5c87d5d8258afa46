"""Random small designs, made of axes, ends and joins directly: everything the model can say, and little of what a blueprint would."""

import os
from collections import Counter
from dataclasses import dataclass, replace
from math import prod

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Join, Line, Mesh, Pack, Table
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
    pairs: bool = False
    """Meshes, lines, rings, stated rows and ring-walking deals in most bundles."""
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
def paired(draw: st.DrawFn, here: dict[str, DeviceGroup], name: str, pair: tuple[str, str], wild: Wild) -> Join:
    """A bundle of pairs: inside one group of every two or of neighbours, perhaps over an axis; between two groups as stated rows."""
    group = here[draw(st.sampled_from(pair))]
    rate = draw(st.sampled_from([1, 2, 3, 100, 400, 800]))
    if not group.axes or draw(st.booleans()):
        return draw(_rows(here, name, pair, wild, rate))
    axis, *others = draw(st.permutations(sorted(group.sizes)))
    far, block = f"{axis}~", Block("p0", draw(st.integers(0, 2)), draw(st.sampled_from([1, 2, 4])), 4)
    shape = draw(st.sampled_from([Mesh(axis, far), Line(axis, far), Line(axis, far, wrap=True)]))
    ways = {"way": draw(st.integers(1, 2))} if draw(st.booleans()) else {}
    over = others[0] if others and wild.spreads and draw(chance(3)) else ""
    spread = Pack(over, 1) if over else None
    own = End(group.name, block, spread=spread), End(group.name, block, {axis: (far,)}, spread=spread)
    on = tuple(a for a in group.sizes if a not in (axis, over))
    return draw(_finished(Design("d", here), Join(name, *own, on, ways, {}, rate, "fabric", pairs=shape), wild))


@st.composite
def _rows(draw: st.DrawFn, here: dict[str, DeviceGroup], name: str, pair: tuple[str, str], wild: Wild, rate: float) -> Join:
    """Stated rows on some digits of two groups; of one digit of size 1 now and then, and now and then a single row on all axes."""
    sides, sizes, paired_digits = [], {}, []
    for side, g in enumerate(pair):
        view = {a: (f"{a}{'<>'[side]}",) for a in here[g].sizes}
        for a, ruler in here[g].rulers.items():
            if not wild.nesting and draw(chance(3)):
                low = draw(st.integers(1, 3))
                view[a] = (f"{a}.h{'<>'[side]}", f"{a}.l{'<>'[side]}")
                sizes |= {view[a][0]: -(-ruler // low), view[a][1]: low}
        sides.append(End(g, Block(f"p{side}", draw(st.integers(0, 2)), draw(st.sampled_from([1, 2])), 4), view))
        digits = [d for names in view.values() for d in names]
        paired_digits.append(tuple(d for d in digits if draw(st.booleans())))
    size = [oracle.digit_sizes(here[g], e, Join("", *sides, sizes=sizes)) for g, e in zip(pair, sides, strict=True)]
    row = st.tuples(*(st.tuples(*(st.integers(0, size[s][d] - 1) for d in paired_digits[s])) for s in (0, 1)), st.integers(1, 2))
    rows = tuple(draw(st.lists(row, min_size=1, max_size=4)))
    ways = {"way": 2} if draw(chance(4)) else {}
    return draw(_finished(Design("d", here), Join(name, *sides, (), ways, sizes, rate, "fabric", pairs=Table(*paired_digits, rows)), wild))


@st.composite
def walked(draw: st.DrawFn, here: dict[str, DeviceGroup], name: str, pair: tuple[str, str], wild: Wild, sizes: dict[str, int]) -> Join:
    """Ports of devices that walk round a ring of the other group's members; plainly joined where there is no ring long enough."""
    ring = [a.name for a in here[pair[1]].axes if a.size > 1]
    if not ring or not wild.spreads:
        return draw(joins(here, name, pair, wild, sizes))
    axis = draw(st.sampled_from(ring))
    lanes = draw(st.integers(2, here[pair[1]].sizes[axis]))
    view = {a: (f"{a}>",) for a in here[pair[1]].sizes if a != axis and draw(st.booleans())}
    on = tuple(a for a in here[pair[1]].sizes if a != axis and a not in view and a in here[pair[0]].sizes)
    upper = End(pair[1], Block("p1", 0, 1, 4), view, spread=Deal(axis, draw(st.integers(0, 4)), "port"))
    lower = End(pair[0], Block("p0", 0, 1, 4), {axis: (f"{axis}<",)} if axis in here[pair[0]].sizes else {})
    return draw(_finished(Design("d", here), Join(name, lower, upper, on, {"port": lanes}, {}, 100, "fabric"), wild))


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
    bundles = []
    for i, pair in enumerate(asked):
        kind = draw(st.sampled_from(["plain", "paired", "paired", "walked"])) if wild.pairs else "plain"
        name = f"fabric/b{i}"
        bundles.append(
            draw(paired(here, name, pair, wild))
            if kind == "paired"
            else draw(walked(here, name, pair, wild, sizes))
            if kind == "walked"
            else draw(joins(here, name, pair, wild, sizes))
        )
    return Design("d", here, tuple(bundles))


def rows(design: Design, join: Join) -> Counter[tuple[int, int, int, int]]:
    """The columns of a bundle as rows."""
    c = columns(design, join)
    return Counter(zip(c.a.tolist(), c.a_port.tolist(), c.b.tolist(), c.b_port.tolist(), strict=True))


def whole(design: Design) -> Design:
    """The design with everything absent put back in."""
    here = {n: replace(g, absent=()) for n, g in design.groups.items()}
    return replace(design, groups=here, bundles=tuple(replace(b, gone=()) for b in design.bundles))
