"""Cages that hold a plug, and clashes, where counting ports would be wrong."""

from dataclasses import replace
from unittest.mock import patch

from dcgen.design import Block, Design, Join, Table
from dcgen.design.sockets import clashes, occupied_cages
from dcgen.naming import parse_selector
from tests.design.test_wiring import design, end, group


def test_room_leaves_gaps_and_gaps_are_no_plugs() -> None:
    d = design(group("a", x=(1, 4), y=2), group("sw"))
    join = Join("j", end("a"), end("sw", order=("y", "x"), block=Block("p", 0, 2)))
    assert occupied_cages(d, [(join, 1)]) == [2]  # ports 0 and 4, not five ports in three cages


def test_a_port_list_may_scatter_ports_over_cages() -> None:
    d = design(group("a", x=2), group("sw"))
    join = Join("j", end("a"), end("sw", block=Block("p", 0, 2, ports=(0, 2))))
    assert occupied_cages(d, [(join, 1)]) == [2]


def test_devices_that_agree_with_nobody_hold_no_plug() -> None:
    d = design(group("a", x=4), group("b", x=2))
    join = Join("j", end("a"), end("b"), ("x",))
    assert occupied_cages(d, [(join, 0)]) == occupied_cages(d, [(join, 1)]) == [2]


def test_an_odd_port_leaves_half_a_cage_dark() -> None:
    d = design(group("a", x=255), group("sw"))
    assert occupied_cages(d, [(Join("j", end("a"), end("sw", block=Block("p", 0, 2))), 1)]) == [128]


def test_a_clash_counts_cages_not_lanes() -> None:
    d = design(group("a", x=8), group("b", y=8), group("sw", s=2))
    joins = [Join(n, end(n), end("sw", block=Block("p", 0, 4))) for n in "ab"]
    (clash,) = clashes(replace(d, bundles=tuple(joins)))
    assert (clash.device, clash.cage, clash.count) == (0, 0, 4)  # two switches, two cages each


def test_two_bundles_in_one_cage_share_its_plug() -> None:
    d = design(group("a", x=4), group("b", x=4), group("sw", x=4))
    one, other = (Join(g, end(g), end("sw", block=Block("p", 0, 2, ports=(n,))), ("x",)) for n, g in enumerate("ab"))
    d = replace(d, bundles=(one, other))
    assert occupied_cages(d, [(one, 1), (other, 1)]) == [4, 0]
    assert not list(clashes(d))


def written(number: int, positions: int) -> Design:
    """So many cables that were written one by one, from nodes to the ports of two switches in turn; the last is written twice."""
    d, joins = design(group("a", x=number), group("sw", s=2)), []
    for i in [*range(number), number - 1]:
        switch = end("sw", view={"s": ("s>",)}, block=Block("p", 0, 2, 8, (i // 2 % positions,)))
        joins.append(Join(f"l{i}", end("a", view={"x": ("x<",)}), switch, pairs=Table(("x<",), ("s>",), (((i,), (i % 2,), 1),))))
    return replace(d, bundles=tuple(joins))


def test_written_cables_are_compared_without_expanding_any() -> None:
    """Thousands of them are common where a plan came from elsewhere."""
    d = written(40, 20)
    with patch("dcgen.design.columns.columns", side_effect=AssertionError("expanded")):
        found = list(clashes(d))
        used = occupied_cages(d, [(j, 1) for j in d.bundles])
    assert [(c.group, c.device, c.cage, c.bundles, c.count) for c in found] == [
        ("a", 39, 0, ("l39", "l39"), 1),
        ("sw", 1, 9, ("l39", "l39"), 1),
    ]
    assert used == [1, 1, 0, 0] * 10 + [0], "two ports of a cage take one plug"


def test_a_written_cable_of_an_absent_device_is_not_there() -> None:
    d = written(4, 8)
    d = replace(d, groups=d.groups | {"a": replace(d.groups["a"], absent=(parse_selector("a[x=3]"),))})
    assert [c.bundles for c in clashes(d)] == []
    assert occupied_cages(d, [(j, 1) for j in d.bundles]) == [1, 1, 0, 0, 0]
