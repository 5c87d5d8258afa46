"""Throughput on cells, and on equitable partitions, is that of the full programme on devices: intact, holed, dealt and broken."""

from collections import Counter
from itertools import combinations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dcgen.analysis.flow import Question
from dcgen.analysis.flow.losses import lowered
from dcgen.analysis.flow.lower import lower
from dcgen.analysis.flow.numeric import numeric
from dcgen.analysis.flow.picks import Devices, Links, Pick
from dcgen.analysis.flow.project import Projection, project
from dcgen.analysis.flow.solve import Theta, theta
from dcgen.analysis.flow.split import equal_split
from dcgen.analysis.flow.traffic import Along, Ask, Spread, demands
from dcgen.analysis.flow.tree import branches, on_tree
from dcgen.design import Design, Traffic
from dcgen.design.columns import columns, device_ids
from dcgen.design.lowering import NotSymbolic
from tests.laws import pods
from tests.laws.designs import Wild, boxes, chance, designs, law
from tests.laws.flows import full_split, full_theta, full_total

Case = tuple[Projection, list[Ask], list[Pick]]


@st.composite
def asked_of(draw: st.DrawFn, design: Design, hosts: list[str]) -> list[Ask]:
    """One or two demands among these groups."""
    everybody = tuple((h, {}) for h in hosts)
    out: list[Ask] = []
    for _ in range(draw(st.sampled_from([1, 1, 2]))):
        name = draw(st.sampled_from(hosts))
        group = design.groups[name]
        kind = draw(st.sampled_from(["all", "part", "within", "ring", "shift", "tree"] if group.sizes else ["all"]))
        if kind == "all":
            out.append(Spread(everybody, everybody))
        elif kind == "part":
            sides = [((name, draw(boxes(group))),) for _ in range(2)]
            out.append(Spread(sides[0], sides[1], (), draw(st.sampled_from([1.0, 0.5, 3.0]))))
        elif kind == "within":
            out.append(
                Spread(((name, {}),), ((name, {}),), tuple(draw(st.lists(st.sampled_from(sorted(group.sizes)), max_size=2, unique=True))))
            )
        else:
            axis = draw(st.sampled_from(sorted(group.sizes)))
            edges = [(x, (x - 1) // 2) for x in range(1, group.sizes[axis])]
            rows = (*edges, *((y, x) for x, y in edges)) if kind == "tree" else ()
            of = ((name, draw(boxes(group)) if draw(st.booleans()) else {}),)
            by = draw(st.integers(1, 3)) if kind == "shift" else 1
            out.append(Along(of, axis, by, rows) if rows or kind != "tree" else Spread(of, of))
    return out


@st.composite
def lost_of(draw: st.DrawFn, projection: Projection) -> list[Pick]:
    """None to five devices and links that were there."""
    design, out = projection.design, []
    names = list(dict.fromkeys(e.group for b in projection.joins for e in b.ends))
    for _ in range(draw(st.sampled_from([0, 0, 1, 1, 2, 3, 5]))):
        if draw(st.booleans()):
            name = draw(st.sampled_from(names))
            at = {a: draw(st.integers(0, n - 1)) for a, n in design.groups[name].sizes.items()}
            out.append(Devices(name, {a: range(x, x + 1) for a, x in at.items()}))
            continue
        bundle = draw(st.sampled_from(projection.joins))
        c = columns(design, bundle)
        if len(c):
            i = draw(st.integers(0, len(c) - 1))
            ends = [design.groups[e.group].coordinates(int(d[i])) for e, d in zip(bundle.ends, (c.a, c.b), strict=True)]
            a, b = ({x: range(v, v + 1) for x, v in at.items()} for at in ends)
            out.append(Links(bundle.name, a, b, draw(st.sampled_from([None, 1]))))
    return out


@st.composite
def wild_cases(draw: st.DrawFn, wild: Wild) -> Case:
    design = draw(designs(wild))
    names = list(dict.fromkeys(e.group for b in design.bundles for e in b.ends))
    hosts = draw(st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True))
    relays = frozenset(h for h in hosts if draw(chance(3)))
    here = Projection(design, design.bundles, tuple(hosts), frozenset(hosts), relays, {h: h for h in hosts}, "node")
    return here, draw(asked_of(design, hosts)), draw(lost_of(here))


@st.composite
def pod_designs(draw: st.DrawFn) -> Design:
    """Fabrics as people build them, small."""
    n = lambda low, high: draw(st.integers(low, high))  # noqa: E731
    kind = draw(st.sampled_from(["leaf-spine", "dealt", "fat-tree", "rail", "own", "planes", "trays", "halves", "hyperx", "torus"]))
    if kind == "leaf-spine":
        leaves, hosts = n(2, 4), n(1, 3)
        hole = (f"host[leaf={n(0, leaves - 1)},host={n(0, hosts - 1)}]",) if draw(st.booleans()) else ()
        return pods.leaf_spine(leaves, n(1, 4), hosts, draw(st.sampled_from([0.3, 0.5, 1.0])), hole)
    if kind == "dealt":
        leaves, hosts = n(2, 4), n(1, 3)
        hole = (f"host[leaf={n(0, leaves - 1)},host=0]",) if draw(st.booleans()) else ()
        return pods.dealt(leaves, n(2, 4), hosts, n(1, 5), hole)
    if kind == "fat-tree":
        return pods.fat_tree(4)
    if kind in ("rail", "own"):
        up = draw(st.sampled_from([None, 0.5, 1.0]))
        return pods.rail(n(1, 2), n(1, 2), n(2, 3), n(1, 2), draw(st.sampled_from([0.5, 2.0, 9.0])), 1.0, up, kind == "own")
    if kind == "planes":
        return pods.dual_plane(n(1, 2), n(1, 3), 2, n(1, 2))
    if kind == "trays":
        hole = ("tray[su=0,rack=0,tray=0]",) if draw(st.booleans()) else ()
        return pods.trays(n(1, 2), n(1, 2), n(1, 2), 2, n(1, 2), n(1, 2), 1, draw(st.sampled_from([0.0, 3.0])), hole)
    if kind == "halves":
        return pods.trays(n(1, 2), 4, 1, 2, 1, n(1, 3), 2, draw(st.sampled_from([0.0, 3.0])))
    return pods.hyperx(n(2, 4), n(2, 3)) if kind == "hyperx" else pods.torus(n(2, 5), n(2, 3))


@st.composite
def pod_cases(draw: st.DrawFn) -> Case:
    here = project(draw(pod_designs()), "net", draw(st.sampled_from(["unused", "direct", "relay"])))
    return here, draw(asked_of(here.design, list(here.terminals))), draw(lost_of(here))


def agrees(found: Theta, truth: float | None) -> None:
    if truth is None or found.rate_gbps is None:
        assert truth is None, found
        assert found.status == "no demand"
    elif found.status == "bracket":
        assert found.low_gbps is not None
        assert found.high_gbps is not None
        assert found.low_gbps - 1e-6 <= truth <= found.high_gbps + 1e-6
    else:
        assert found.status == ("cut off" if truth == 0 else "exact")
        assert found.rate_gbps == pytest.approx(truth, rel=1e-6, abs=1e-9)


def on_cells(case: Case) -> Theta | None:
    """Throughput on cells; None where there are none."""
    here, asked, lost = case
    try:
        low = lower(here)
    except NotSymbolic:
        return None
    every = [*low.missing, *lowered(low, lost)]
    return theta(low.net, demands(low, asked, every), dict.fromkeys(here.relays, True), every)


WILD = Wild(spreads=False)
NESTED = Wild(spreads=False, nesting=True)
DEALT = Wild(often=True)


@law(200)
@given(st.one_of(wild_cases(WILD), wild_cases(NESTED)))
def test_cells_of_anything_joined(case: Case) -> None:
    found, truth = on_cells(case), full_theta(*case)
    if found is not None and truth != -1:
        agrees(found, truth)


@law(200)
@given(pod_cases())
def test_cells_of_fabrics(case: Case) -> None:
    found, truth = on_cells(case), full_theta(*case)
    if found is not None and truth != -1:
        agrees(found, truth)


@law(120)
@given(st.one_of(wild_cases(WILD), wild_cases(DEALT), pod_cases()))
def test_equitable_partitions_of_anything(case: Case) -> None:
    truth = full_theta(*case)
    if truth != -1:
        agrees(numeric(*case)[0], truth)


@law(60)
@given(pod_cases())
def test_alike_losses_may_be_moved(case: Case) -> None:
    """Folding changes no answer."""
    here, asked, lost = case
    try:
        low = lower(here)
    except NotSymbolic:
        return
    every, relay = [*low.missing, *lowered(low, lost)], dict.fromkeys(here.relays, True)
    one, two = (theta(low.net, demands(low, asked, every), relay, every, folded=f) for f in (True, False))
    assert one.status == two.status
    assert (one.rate_gbps or 0.0) == pytest.approx(two.rate_gbps or 0.0, rel=1e-7)


@law(60)
@given(pod_designs(), st.sampled_from(["unused", "relay"]))
def test_every_loss_is_in_one_class(design: Design, scale_up: str) -> None:
    """The classes hold all devices and links of the fabric, and one representative answers for all."""
    question = Question(design, "net", Traffic("all-to-all", "all-to-all", scale_up=scale_up))
    try:
        classes = question.survey()
    except NotSymbolic:
        return
    here, counted = question.projection, Counter[str]()
    for c in classes:
        counted[c.kind] += c.count
    for bundle in here.joins:
        assert counted[bundle.name] == len(columns(here.design, bundle))
        for end in bundle.ends:
            assert counted[end.group] == here.design.groups[end.group].count
    for name, owner in here.owner.items():
        assert counted[owner] == design.groups[owner].count, name


@law(25)
@given(pod_designs(), st.data())
def test_the_worst_losses_are_the_worst_of_all(design: Design, data: st.DataObject) -> None:
    """`worst` tries a few sets; brute force tries every set of devices of one group."""
    question = Question(design, "net")
    name = data.draw(st.sampled_from(list(design.fabrics["net"].tiers) or list(design.groups)))
    group, k = design.groups[name], data.draw(st.integers(1, 2))
    ids = device_ids(group).tolist()
    if len(ids) < k or len(ids) > 12 or full_theta(question.projection, question.asked[0]) == -1:
        return
    found = question.worst([Devices(name)], k)
    least = float("inf")
    for lost in combinations(ids, k):
        picks: list[Pick] = [Devices(name, {a: range(x, x + 1) for a, x in group.coordinates(i).items()}) for i in lost]
        truth = full_theta(question.projection, question.asked[0], picks)
        least = min(least, float("inf") if truth is None else truth)
    if least < float("inf"):
        assert found.value == pytest.approx(least, rel=1e-6, abs=1e-9)


@law(60)
@given(st.integers(1, 2), st.integers(1, 2), st.integers(1, 3), st.integers(2, 3), st.integers(1, 2), st.booleans())
def test_accelerators_have_the_ports_of_their_number(sus: int, racks: int, trays: int, rails: int, planes: int, hole: bool) -> None:
    """Port n of a tray is that of accelerator n // planes; a projected bundle has the same links with the same switches."""
    design = pods.trays(sus, racks, trays, rails, planes, absent=("tray[su=0,rack=0,tray=0]",) if hole else ())
    before, after = design.bundles[0], project(design, "net").joins[0]
    gpu, tray = project(design, "net").design.groups[after.a.group], design.groups["tray"]
    assert gpu.count == tray.count * rails
    b, a = columns(design, before), columns(project(design, "net").design, after)
    whole = Counter((i, int(p) // planes, int(j)) for i, p, j in zip(b.a.tolist(), b.a_port.tolist(), b.b.tolist(), strict=True))
    seen = Counter[tuple[int, int, int]]()
    for i, j in zip(a.a.tolist(), a.b.tolist(), strict=True):
        at = gpu.coordinates(i)
        seen[tray.flat({x: at[x] for x in tray.sizes}), at["rail"], j] += 1
    assert seen == whole
    assert prod(gpu.sizes.values()) == tray.declared * rails


@law(40)
@given(pod_cases())
def test_what_gets_through_in_all(case: Case) -> None:
    """The sum when nobody has to be served, against the full programme."""
    from dcgen.analysis.flow.total import total

    here, asked, lost = case
    if any(isinstance(a, Along) for a in asked):
        return
    try:
        low = lower(here)
    except NotSymbolic:
        return
    every = [*low.missing, *lowered(low, lost)]
    truth = full_total(here, asked, lost, 0.7)
    if truth is not None:
        found = total(low.net, demands(low, asked), dict.fromkeys(here.relays, True), every, 0.7)
        assert found == pytest.approx(truth, rel=1e-6, abs=1e-9)


@law(150)
@given(st.one_of(pod_cases(), wild_cases(Wild(broken=False, spreads=False, selective=False))))
def test_the_closed_form_of_a_tree(case: Case) -> None:
    here, asked, _ = case
    try:
        low = lower(here)
    except NotSymbolic:
        return
    tree = branches(low.net, [h for h in here.hosts if h in low.net.groups])
    if tree is None or low.missing or here.relays:
        return
    truth = full_theta(here, asked)
    found = on_tree(low.net, demands(low, asked), tree)
    if truth != -1:
        agrees(found, truth)


@law(40)
@given(pod_cases())
def test_equal_split_over_shortest_ways(case: Case) -> None:
    here, asked, lost = case
    try:
        low = lower(here)
    except NotSymbolic:
        return
    every = [*low.missing, *lowered(low, lost)]
    truth = full_split(here, asked, lost)
    if truth != -1:
        agrees(equal_split(low.net, demands(low, asked, every), dict.fromkeys(here.relays, True), every), truth)


@law(40)
@given(pod_cases())
def test_a_bracket_holds_the_truth(case: Case) -> None:
    """Where the programme would be too large: a routing carries the lower figure, no routing exceeds the upper one."""
    truth = full_theta(*case)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("dcgen.analysis.flow.numeric.MOST_VARIABLES", 3)
        patched.setattr("dcgen.analysis.flow.approximate.SECONDS", 0.05)
        found = numeric(*case)[0]
    if truth and truth > 0:
        assert found.status == "bracket"
        assert found.low_gbps is not None
        assert found.high_gbps is not None
        assert found.low_gbps <= truth * (1 + 1e-9)
        assert found.high_gbps >= truth * (1 - 1e-9)
        assert found.low_gbps > 0
