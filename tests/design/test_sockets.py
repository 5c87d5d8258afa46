"""Cages that hold a plug, and clashes, where counting ports would be wrong."""

from dataclasses import replace

from dcgen.design import Block, Join
from dcgen.design.sockets import clashes, occupied_cages
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
