"""What every plan promises, over random changes of small fabrics, and what is known of some."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import ceil, floor

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcgen.design import Design
from dcgen.design.save import dump, load
from dcgen.design.sockets import clashes
from dcgen.diagnostics import Rejected
from dcgen.plan import Plan, plan
from dcgen.plan.cables import Inventory
from dcgen.plan.colour import coloured
from dcgen.plan.ground import ground
from dcgen.plan.residual import _routed, _solved
from tests.cases.support import analysed
from tests.laws.designs import law
from tests.plan.designs import called, carried_out, clos, pairs, rows

KEEP = Fraction(3, 4)


@st.composite
def fabrics(draw: st.DrawFn, homes: int | None = None, part: str | None = None, even: bool = False) -> Design:
    homes = draw(st.integers(1, 2)) if homes is None else homes
    pods, spines = draw(st.integers(1, 4)), draw(st.integers(1, 5))
    near = not even and draw(st.booleans())
    uplinks = draw(st.integers(1, 8)) if near else spines * draw(st.integers(1, 3))
    chosen = [
        *(f"node[pod={p},node=0]" for p in range(pods) if not even and draw(st.integers(0, 5)) == 5),
        *(f"leaf[pod={p},home=0]" for p in range(pods) if not even and draw(st.integers(0, 9)) == 9),
        *(f"spine[spine={s}]" for s in range(spines) if not even and draw(st.integers(0, 9)) == 9),
    ]
    name = draw(st.sampled_from(["switch", "switch", "other"])) if part is None else part
    nodes = 2 if even else draw(st.integers(1, 3))
    paired = draw(st.booleans())
    return clos(pods * homes, spines, uplinks, nodes=nodes, homes=homes, near=near, paired=paired, part=name, absent=chosen)


def made(before: Design, after: Design, keep: Fraction) -> Plan | None:
    try:
        return plan(before, after, keep)
    except Rejected as rejected:
        assert {d.code for d in rejected.diagnostics} == {"keep-not-met"}
        return None


@law(60)
@given(fabrics(), fabrics(), st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(1, 2), KEEP]))
def test_stages_lead_from_before_to_after(before: Design, after: Design, keep: Fraction) -> None:
    found = made(before, after, keep)
    if found is None:
        return
    there = {*rows(found, found.kept), *rows(found, found.removed)}
    inventory = Inventory(ground(before, after))
    old, new = inventory.read(False), inventory.read(True)
    assert pairs(found, there) == pairs(found, rows(found, old))
    there = [there, *(now for _, now in carried_out(found))][-1]
    assert there == {*rows(found, found.kept), *rows(found, found.added)}
    if not any(e.spread for b in after.bundles for e in b.ends):
        assert pairs(found, there) == pairs(found, rows(found, new))
    ends = Counter(called(found, s[0]) for cable in there for s in cable)
    assert ends == Counter(called(found, s[0]) for cable in rows(found, new) for s in cable), "every device has its number of links"


@law(60)
@given(fabrics(), fabrics(), st.sampled_from([Fraction(1, 4), Fraction(1, 2), KEEP]))
def test_every_stage_leaves_the_share(before: Design, after: Design, keep: Fraction) -> None:
    found = made(before, after, keep)
    if found is None:
        return
    here = found.inventory.ground
    serving = {i for i in range(len(here.was)) if here.was[i] and here.will[i]}
    # of a device that stays: its links up and down, those of nodes that go left out
    idle = {i for i in range(len(here.was)) if not here.will[i] and called(found, i).startswith("node")}

    def links(cables: set[tuple[tuple[int, str, int], tuple[int, str, int]]]) -> Counter[tuple[int, str]]:
        ends = [(a[0], "up") for a, b in cables if a[0] not in idle] + [(b[0], "down") for a, b in cables if a[0] not in idle]
        return Counter(end for end in ends if end[0] in serving)

    had, will = links({*rows(found, found.kept), *rows(found, found.removed)}), links({*rows(found, found.kept), *rows(found, found.added)})
    empty = {i for i in serving if not had[i, "down"] and called(found, i).startswith("leaf")}
    interrupted = {(d, "up") for i in found.interruptions for d in i.devices.tolist()}
    interrupted |= {end for end in had if had[end] == 1 and end[0] in serving}
    for drained, _ in carried_out(found):
        left = links(drained)
        for end in had:
            if end not in interrupted and end[0] not in empty:
                assert left[end] >= keep * min(had[end], will[end]), (called(found, end[0]), end[1])


@law(60)
@given(fabrics(1, "switch", even=True), fabrics(1, "switch", even=True))
def test_what_stays_is_the_most_that_can(before: Design, after: Design) -> None:
    found = made(before, after, Fraction(0))
    assert found is not None
    inventory = Inventory(ground(before, after))
    old, new = (pairs(found, rows(found, inventory.read(later))) for later in (False, True))
    assert len(found.kept) == sum(min(n, new[p]) for p, n in old.items())


@law(60)
@given(st.integers(2, 5), st.integers(1, 4), st.integers(1, 7), st.integers(0, 3), st.integers(0, 3))
def test_near_spread_moves_as_few_as_a_flow_of_least_cost(leaves: int, spines: int, uplinks: int, more: int, wider: int) -> None:
    before = clos(leaves, spines, uplinks, near=True)
    after = clos(leaves + more, spines + wider, uplinks, near=True)
    found = made(before, after, Fraction(0))
    assert found is not None
    inventory = Inventory(ground(before, after))
    old, new = (pairs(found, rows(found, inventory.read(later))) for later in (False, True))
    up_old = {p: n for p, n in old.items() if p[0].startswith("leaf")}
    up_new = {p: n for p, n in new.items() if p[0].startswith("leaf")}
    kept = len(found.kept) - sum(min(n, new[p]) for p, n in old.items() if p not in up_old)
    assert kept == most_kept(up_old, up_new)
    assert not any(f.code == "moves-unproven" for f in found.findings)


def most_kept(old: dict[tuple[str, str], int], new: dict[tuple[str, str], int]) -> int:
    """The most of `old` that balanced numbers with the rows and columns of `new` can keep: a flow of least cost."""
    lows, highs = sorted({a for a, _ in new}), sorted({b for _, b in new})
    every = [(a, b) for a in lows for b in highs]
    least = min(new.get(p, 0) for p in every)
    graph = nx.DiGraph()
    for device, side in [*((a, 0) for a in lows), *((b, 1) for b in highs)]:
        number = sum(n for p, n in new.items() if p[side] == device)
        graph.add_node(device, demand=number * (2 * side - 1))
    for n, (a, b) in enumerate(every):
        for k in range(least + 1):  # the k-th link of a pair is worth one if there was one; all but the last must be there
            gain = -1 if old.get((a, b), 0) > k else 0
            middle = ("way", n, k)
            forced = -1000 if k < least else 0
            graph.add_edge(a, middle, capacity=1, weight=gain + forced)
            graph.add_edge(middle, b, capacity=1, weight=0)
    cost = nx.cost_of_flow(graph, nx.min_cost_flow(graph))
    return -int(cost + 1000 * least * len(every))


@law(60)
@given(st.integers(1, 6), st.integers(1, 4), st.integers(1, 4), st.sampled_from([Fraction(1, 2), KEEP, Fraction(7, 8)]))
def test_growth_takes_as_many_stages_as_the_share_asks(pods: int, spines: int, times: int, keep: Fraction) -> None:
    uplinks = spines * times * 8
    before, after = clos(2 * pods, spines, uplinks), clos(2 * pods, spines * times, uplinks)
    found = plan(before, after, keep)
    moves = uplinks - uplinks // times
    assert found.moved == 2 * pods * moves
    least = ceil(moves / floor((1 - keep) * uplinks))
    unproven = any(f.code == "keep-unproven" for f in found.findings)
    assert len(found.draining) == least or (len(found.draining) > least and not unproven)
    for stage in found.draining:
        out = found.removed.a[stage.tasks.unplugged[stage.tasks.unplugged >= 0]]
        assert Counter(out.tolist()).most_common(1)[0][1] <= floor((1 - keep) * uplinks)


@law(60)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=60), st.integers(1, 7))
def test_colours_are_shared_out_evenly(links: list[tuple[int, int]], colours: int) -> None:
    u, v = (np.array([x[i] for x in links], np.int64) for i in (0, 1))
    found = coloured(u, v, colours)
    for side in (u, v):
        for device in set(side.tolist()):
            each = Counter(found[side == device].tolist())
            number = [each[c] for c in range(colours)]
            assert max(number) - min(number) <= 1


@law(60)
@given(fabrics(), fabrics())
def test_the_design_at_the_end_has_every_cable_where_it_is(before: Design, after: Design) -> None:
    found = made(before, after, Fraction(0))
    assert found is not None
    assert load_design(found) == {*rows(found, found.kept), *rows(found, found.added)}
    assert list(clashes(found.design)) == []
    again = plan(load(dump(found.design)), after, KEEP)
    assert again.moved == 0
    assert not again.stages


def load_design(found: Plan) -> set[tuple[tuple[int, str, int], tuple[int, str, int]]]:
    inventory = Inventory(ground(found.before, load(dump(found.design))))
    cables = inventory.read(True)
    assert [p.group for p in inventory.ground.places] == [p.group for p in found.inventory.ground.places]
    return set(rows(replace(found, inventory=inventory), cables))


@pytest.mark.parametrize(
    ("before", "after", "moved", "of", "stages"),
    [
        (clos(8, 4, 8), clos(8, 8, 8), 32, 64, 2),
        (clos(8, 8, 8), clos(8, 4, 8), 32, 64, 2),
        (clos(4, 8, 16), clos(6, 12, 16, near=True), 16, 64, 1),
        (clos(8, 4, 8), clos(8, 4, 16), 0, 64, 0),
    ],
    ids=["4 to 8 spines", "8 to 4 spines", "4 to 6 leaves, 8 to 12 spines", "more uplinks"],
)
def test_known_changes(before: Design, after: Design, moved: int, of: int, stages: int) -> None:
    found = plan(before, after, KEEP)
    layer = next(x for x in found.layers if x.layer == "leaf-spine")
    assert (found.moved, layer.before, len(found.draining)) == (moved, of, stages)
    assert all(r.low >= KEEP - Fraction(1, 10**6) for s in found.stages for r in s.residuals)


GB300 = """
params: {su: 4}
racks: {compute: {part: gb300-nvl72, axes: {su: $su, rack: 8}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: q3400-ra, per: [su, rail, half=rack/4]}, spine: {part: q3400-ra}}
"""


def test_a_superpod_grows_twice() -> None:
    one, two, four = (analysed(GB300, su=n).design for n in (1, 2, 4))
    first = plan(one, two, KEEP)
    second = plan(load(dump(first.design)), four, KEEP)
    stays = [next(x for x in p.layers if x.layer == "leaf-spine") for p in (first, second)]
    assert [(x.kept, x.before) for x in stays] == [(288, 576), (512, 1152)]
    assert [len(p.draining) for p in (first, second)] == [ceil(36 / 18), ceil(40 / 18)]
    assert plan(second.design, four, KEEP).nothing
    for p in (first, second):
        drained = [links for links, _ in carried_out(p)]
        assert len(drained) == len(p.stages)
        assert all(r.low == r.high >= KEEP for s in p.draining for r in s.residuals)
        assert all(t.share >= KEEP for s in p.draining for t in s.throughputs)
    assert first.draining[0].throughputs, "small enough for the solver"


def test_all_to_all_of_a_stage_is_what_its_uplinks_let_through() -> None:
    """54 of 72 uplinks are left to 72 GPUs; of the 575 others that each sends to, 504 are on other leaves."""
    found = plan(analysed(GB300, su=1).design, analysed(GB300, su=2).design, KEEP)
    (rate,) = {round(t.now_gbps, 6) for s in found.draining for t in s.throughputs}
    assert rate == pytest.approx(54 * 800 / 72 * 575 / (576 - 72))


def test_growth_in_a_reserve_moves_nothing() -> None:
    reserved = GB300.replace("kind: clos,", "kind: clos, reserve: {su: 4},")
    found = plan(analysed(reserved, su=1).design, analysed(reserved, su=2).design, Fraction(1))
    assert (found.moved, found.differ, [s.title for s in found.stages]) == (0, 0, ["prepare"])


def test_replaced_switches_are_taken_out_a_share_at_a_time() -> None:
    found = plan(clos(8, 4, 8, homes=4), clos(8, 4, 8, homes=4, part="other"), KEEP)
    assert [d.replaced for d in found.devices] == [8, 4]
    assert len(found.draining) == 4
    assert {f.code for f in found.findings} == {"keep-unproven"}
    assert not found.interruptions


def test_nodes_with_one_link_are_named() -> None:
    found = plan(clos(8, 4, 8), clos(8, 4, 8, part="other"), KEEP)
    assert sum(len(i.devices) for i in found.interruptions) == 16
    assert max(len(i.devices) for i in found.interruptions) == 4
    assert "cut-off" in {f.code for f in found.findings}


def test_two_links_of_a_node_cannot_keep_three_quarters() -> None:
    with pytest.raises(Rejected, match="50 % is the most") as caught:
        plan(clos(8, 4, 8, homes=2), clos(8, 4, 8, homes=2, part="other"), KEEP)
    (said,) = caught.value.diagnostics
    assert (said.code, said.status) == ("keep-not-met", 3)
    assert plan(clos(8, 4, 8, homes=2), clos(8, 4, 8, homes=2, part="other"), Fraction(1, 2)).moved == 80


def test_nodes_that_go_are_taken_away_last() -> None:
    found = plan(clos(8, 8, 8), clos(4, 8, 8), KEEP)
    assert found.moved == 0
    assert [s.title for s in found.stages] == ["take away"]


def test_moves_that_are_not_proven_fewest_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = clos(4, 8, 16), clos(6, 12, 16, near=True)
    least = plan(before, after, KEEP)
    monkeypatch.setattr("dcgen.plan.counts.MOST_PAIRS", 3)
    found = plan(before, after, KEEP)
    assert [f.code for f in found.findings] == ["moves-unproven"]
    assert found.moved > least.moved
    assert not least.findings


@law(60)
@given(st.integers(2, 4), st.integers(1, 4), st.data())
def test_bounds_of_a_routing_hold_the_best_one(leaves: int, spines: int, data: st.DataObject) -> None:
    capacity = np.array([[data.draw(st.integers(0, 3)) for _ in range(spines)] for _ in range(leaves)], float)
    capacity[:, 0] += 1  # all have one upper switch in common
    asks = np.array([data.draw(st.integers(1, 3)) for _ in range(leaves)], float)
    low, high = _routed(capacity, asks)
    best, bound = _solved(capacity, asks)
    assert 0 < low <= best * (1 + 1e-9) <= bound * (1 + 1e-9)
    assert bound == high
