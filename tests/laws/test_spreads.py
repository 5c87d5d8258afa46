"""Deal and Pack: balanced, in order, and the same cables as the split they are when they divide."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Join, Pack
from dcgen.design.rewrite import divided
from dcgen.design.wiring import links, members_needed
from tests.laws import oracle
from tests.laws.designs import law, rows, selectors


@st.composite
def spread(draw: st.DrawFn, kinds: tuple[type[Deal | Pack], ...] = (Deal, Pack), plain: bool = False) -> tuple[Design, Join]:
    """Lower devices (`pod`, `x`, `y`) onto members, apart for each pod if the members have pods; sizes that often divide."""
    pods, x, y, way, m = (draw(st.integers(1, n)) for n in (3, 4, 4, 6, 6))
    outer = Axis("x", x, x + draw(st.integers(0, 2)) if draw(st.booleans()) else 0)
    inner = Axis("y", y, y + draw(st.integers(0, 2)) if not plain and draw(st.booleans()) else 0)
    room = 0 if plain or draw(st.booleans()) else m + 2
    lower = DeviceGroup("low", "part", (Axis("pod", pods), outer, inner))
    upper = DeviceGroup("up", "part", (*([Axis("pod", pods)] if draw(st.booleans()) else []), Axis("m", m, room)))
    on = ("pod",) if "pod" in upper.sizes else ()
    order = [d for d in ("pod", "x", "y") if d not in on]
    order = order if plain else draw(st.permutations(order))
    order = [*order, "way"] if plain or draw(st.booleans()) else ["way", *order]
    size = {"pod": pods, "x": outer.ruler, "y": inner.ruler, "way": way}
    total = 1
    for d in order:
        total *= size[d]
    how: Deal | Pack = Deal("m", draw(st.integers(0, 2)) if draw(st.booleans()) else 0)
    if draw(st.sampled_from(kinds)) is Pack:
        below = total // size[order[0]]
        some = -(-(total + how.start) // m) + draw(st.integers(0, 2))
        how = Pack("m", -(-some // below) * below if draw(st.booleans()) else some, how.start)
    view = {} if plain or draw(st.booleans()) else {"y": ("y1", "y")} if draw(st.booleans()) else {"x": ("xx",)}
    sizes = {}
    if "y" in view:
        sizes = {"y1": -(-inner.ruler // 2), "y": 2}
        order = [z for d in order for z in (("y1", "y") if d == "y" else (d,))]
    if "x" in view:
        order = ["xx" if d == "x" else d for d in order]
    if isinstance(how, Pack):
        how = replace(how, capacity=how.capacity + 2 * x * y * way * pods * bool(sizes))
    join = Join("b", End("low", Block("p"), view), End("up", Block("p"), order=tuple(order), spread=how), on, {"way": way}, sizes, 1)
    return Design("d", {"low": lower, "up": upper}, (join,)), join


@law(200)
@given(spread(), st.data())
def test_a_spread_that_divides_is_a_split(made: tuple[Design, Join], data: st.DataObject) -> None:
    design, join = made
    found = [x.digits for x, _ in oracle.whole_links(design, join)]
    join = replace(join, gone=tuple(data.draw(st.lists(st.sampled_from(found), max_size=2))))
    if data.draw(st.booleans()):
        here = {n: replace(g, absent=data.draw(selectors(g))) for n, g in design.groups.items()}
        design = replace(design, groups=here)
    after = divided(design, join)
    event(f"{type(join.b.spread).__name__} {'divides' if after.b.spread is None else 'stays'}")
    assert rows(design, after) == rows(design, join)
    assert links(design, after) == len(oracle.links(design, join))


@law(100)
@given(spread((Deal,), plain=True))
def test_near_spread_is_even_for_pairs_and_for_members(made: tuple[Design, Join]) -> None:
    design, join = made
    pairs = {(x, y): 0 for x in oracle.devices(design.groups["low"]) for y in oracle.devices(design.groups["up"])}
    pairs.update(Counter((a, b) for a, _, b, _ in rows(design, join).elements()))
    pods = len(design.groups["up"].axes) > 1
    for part in range(design.groups["low"].sizes["pod"] if pods else 1):
        mine = {p: n for p, n in pairs.items() if not pods or all(
            design.groups[g].coordinates(i)["pod"] == part for g, i in zip(("low", "up"), p, strict=True))}  # fmt: skip
        totals: Counter[int] = Counter()
        for (_, member), n in mine.items():
            totals[member] += n
        assert max(mine.values()) - min(mine.values()) <= 1
        if pods or design.groups["low"].sizes["pod"] == 1 or design.groups["low"].rulers["x"] == design.groups["low"].sizes["x"]:
            assert max(totals.values()) - min(totals.values()) <= 1


@law(100)
@given(spread((Pack,), plain=True))
def test_pack_fills_one_member_then_the_next(made: tuple[Design, Join]) -> None:
    design, join = made
    assert isinstance(join.b.spread, Pack)
    capacity, start = join.b.spread.capacity, join.b.spread.start
    group = design.groups["up"]
    taken: dict[int, list[int]] = {}
    for _, _, b, port in rows(design, join).elements():
        at = group.coordinates(b)
        taken.setdefault(at.get("pod", 0), []).append(at["m"] * capacity + port)
    for numbers in taken.values():
        if design.groups["low"].rulers["x"] == design.groups["low"].sizes["x"]:
            assert sorted(numbers) == list(range(start, start + len(numbers)))
        assert max(numbers) // capacity < members_needed(design, join, 1) <= group.sizes["m"]


@pytest.mark.parametrize(("leaves", "up", "spines"), [(24, 32, 12), (7, 10, 3), (5, 72, 7), (16, 36, 5), (1, 3, 7)])
def test_published_near_spreads(leaves: int, up: int, spines: int) -> None:
    here = {"leaf": DeviceGroup("leaf", "part", (Axis("l", leaves),)), "spine": DeviceGroup("spine", "part", (Axis("s", spines),))}
    join = Join("b", End("leaf", Block("p")), End("spine", Block("p"), order=("l", "way"), spread=Deal("s")), ways={"way": up})
    made = rows(Design("d", here), join)
    pairs = Counter((a, b) for a, _, b, _ in made)
    per_spine = Counter(b for _, _, b, _ in made)
    assert max(pairs.values()) - (min(pairs.values()) if len(pairs) == leaves * spines else 0) <= 1
    assert max(per_spine.values()) - min(per_spine[s] for s in range(spines)) <= 1
    for s in range(spines):
        assert sorted(p for _, _, b, p in made if b == s) == list(range(per_spine[s]))


def test_dealing_the_ways_first_gives_each_leaf_one_spine() -> None:
    """Why the ways come last in a Deal: round by round the spines fill evenly, and the pairs not at all."""
    here = {"leaf": DeviceGroup("leaf", "part", (Axis("l", 24),)), "spine": DeviceGroup("spine", "part", (Axis("s", 12),))}
    join = Join("b", End("leaf", Block("p")), End("spine", Block("p"), order=("way", "l"), spread=Deal("s")), ways={"way": 32})
    pairs = Counter((a, b) for a, _, b, _ in rows(Design("d", here), join))
    assert set(pairs.values()) == {32}
    assert len(pairs) == 24
