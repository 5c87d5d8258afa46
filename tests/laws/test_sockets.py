"""Ports as sockets: clashes, cages that hold a plug, and ranges handed out on a switch, against sets of lanes."""

from dataclasses import replace
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from dcgen.design import Design
from dcgen.design.columns import cages, columns, lanes
from dcgen.design.sockets import cage_range, clashes, occupied_cages
from dcgen.fabric.sockets import Sockets
from dcgen.parts import Switch
from tests.laws import oracle
from tests.laws.designs import Wild, designs, law, whole

SHARED = Wild(one_block=True)
PAIRED = Wild(pairs=True, one_block=True)


@law(45)
@given(st.one_of(designs(SHARED), designs(PAIRED)))
def test_clashes_are_those_of_all_lanes(design: Design) -> None:
    used: dict[tuple[str, str], list[tuple[str, set[tuple[int, int, int]]]]] = {}
    for join in design.bundles:
        found = oracle.links(design, join)
        for side, end in enumerate(join.ends):
            mine = {(x.row[2 * side], *lane) for x in found for lane in oracle.lanes(end, x.row[2 * side + 1])}
            used.setdefault((end.group, end.block.name), []).append((join.name, mine))
    want = {}
    for (group, block), ends in used.items():
        for (one, mine), (other, theirs) in combinations(ends, 2):
            if both := {(device, cage) for device, cage, _ in mine & theirs}:
                want[group, block, one, other] = both
    got = {(c.group, c.block, *c.bundles): c for c in clashes(design)}
    assert set(got) == set(want)
    for key, clash in got.items():
        assert (clash.device, clash.cage) == min(want[key])
        assert clash.count == len(want[key])


@law(40)
@given(st.one_of(designs(), designs(PAIRED)))
def test_positions_of_ports(design: Design) -> None:
    for join in design.bundles:
        c = columns(design, join)
        for end, port in ((join.a, c.a_port), (join.b, c.b_port)):
            cage, place = cages(end, port)
            assert list(zip(cage.tolist(), place.tolist(), strict=True)) == [oracle.position(end, p) for p in port.tolist()]
            first, width = lanes(end, port)
            per = end.block.lanes
            for lane, p in zip(first.tolist(), port.tolist(), strict=True):
                assert {divmod(x, per) for x in range(lane, lane + width)} == oracle.lanes(end, p)


@law(50)
@given(st.one_of(designs(), designs(PAIRED)))
def test_occupied_cages_are_counted_one_by_one(design: Design) -> None:
    for each in (design, whole(design)):
        for join in each.bundles:
            found = oracle.links(each, join)
            for side, end in enumerate(join.ends):
                held = {(x.row[2 * side], oracle.position(end, x.row[2 * side + 1])[0]) for x in found}
                assert occupied_cages(each, [(join, side)]) == [len(held)]
                assert {cage for _, cage in held} <= set(cage_range(each, join, side))


SWITCH = {
    "part": "box", "kind": "switch", "maker": "Acme", "title": "Box", "fabric": "ethernet", "sources": {"s": {"title": "sheet"}},
    "ports": {"main": {"cages": 12, "cage": "osfp", "modes": [(1, 800.0), (2, 400.0), (4, 200.0)]}},
}  # fmt: skip


@law(150)
@given(st.sets(st.integers(0, 11)), st.lists(st.tuples(st.sampled_from([1, 2, 4]), st.integers(1, 20)), min_size=1, max_size=5))
def test_ranges_handed_out_never_meet_and_never_touch_a_reserve(reserved: set[int], asked: list[tuple[int, int]]) -> None:
    sockets = Sockets(Switch.model_validate(SWITCH), {"main": tuple(sorted(reserved))})
    taken: set[int] = set()
    highest = -1
    for split, ports in asked:
        before = sockets.free("main")
        block = sockets.take("main", split, ports)
        where = [n if block.ports is None else block.ports[n] for n in range(ports)]
        places = [(block.first + n // split, n % split) for n in where]
        mine = {cage for cage, _ in places}
        assert len(set(places)) == ports == len(places)
        assert not mine & (taken | reserved)
        assert min(mine) > highest
        assert len(mine) == -(-ports // split)
        assert sockets.free("main") == max(0, before - len(mine))
        if len(mine) <= before:
            assert max(mine) < 12
        taken |= mine
        highest = max(mine)


def test_one_bundle_may_clash_with_itself_only_through_two_ends() -> None:
    """Two bundles that share a range with different breakout are found even where the wide port hides a later one."""
    from dcgen.design import Axis, Block, DeviceGroup, End, Join

    here = {"sw": DeviceGroup("sw", "part"), "a": DeviceGroup("a", "part", (Axis("i", 2),)), "b": DeviceGroup("b", "part", (Axis("j", 8),))}
    wide = Join("wide", End("a", Block("nic")), End("sw", Block("p", 0, 1)))
    thin = Join("thin", End("b", Block("nic")), End("sw", Block("p", 0, 4)))
    (clash,) = clashes(Design("d", here, (wide, thin)))
    assert (clash.group, clash.device, clash.cage, clash.bundles, clash.count) == ("sw", 0, 0, ("wide", "thin"), 2)
    apart = replace(thin, b=replace(thin.b, block=Block("p", 2, 4)))
    assert not list(clashes(Design("d", here, (wide, apart))))
