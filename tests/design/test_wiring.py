"""What a join means, on examples small enough to count on fingers."""

from dataclasses import replace
from typing import Any

import pytest

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Join, Pack, Table
from dcgen.design.columns import columns
from dcgen.design.wiring import WiringError, links, members_needed, ports_needed, taken_out


def group(name: str, **axes: int | tuple[int, int]) -> DeviceGroup:
    """`group("a", x=3, y=(2, 4))`: three x, two y with room for four."""
    return DeviceGroup(name, "part", tuple(Axis(a, *(n if isinstance(n, tuple) else (n,))) for a, n in axes.items()))


def design(*groups: DeviceGroup) -> Design:
    return Design("d", {g.name: g for g in groups})


def end(name: str, **more: Any) -> End:
    return replace(End(name, Block("p")), **more)


def ports(d: Design, join: Join) -> list[tuple[int, int, int, int]]:
    c = columns(d, join)
    return sorted(zip(c.a.tolist(), c.a_port.tolist(), c.b.tolist(), c.b_port.tolist(), strict=True))


def test_ports_run_over_what_an_end_lacks_and_ways_come_last_by_name() -> None:
    d = design(group("a", x=1), group("b", y=2))
    join = Join("j", end("a"), end("b"), ways={"w": 2, "v": 3})
    again = replace(join, ways={"v": 3, "w": 2})
    assert join == again
    assert ports(d, join) == ports(d, again)
    assert [p for _, p, b, q in ports(d, join) if b == 1] == [6, 7, 8, 9, 10, 11]
    assert ports(d, join) == ports(d, replace(join, a=end("a", order=("y", "v", "w")), b=end("b", order=("x", "v", "w"))))


def test_links_named_from_both_ends_are_taken_out_once() -> None:
    d = design(group("a", x=2), group("b", y=2))
    join = Join("j", end("a"), end("b"), gone=({"x": 0, "y": 1}, {"y": 1, "x": 0}))
    assert links(d, join) == len(columns(d, join)) == 3
    assert taken_out(join) == [{"x": 0, "y": 1}]


def test_a_link_that_is_not_there_is_not_taken_out() -> None:
    d = design(group("a", x=2), group("b", y=2))
    assert links(d, Join("j", end("a", where={"x": range(1, 2)}), end("b"), gone=({"x": 0, "y": 1},))) == 2


def test_seven_of_eight_racks_need_seven_ports() -> None:
    """A ragged axis read in digits ends inside a block: its last port is that of the last coordinate, not of the full block."""
    d = design(group("leaf"), group("rack", r=7))
    join = Join("j", end("rack", view={"r": ("half", "in")}), end("leaf", order=("half", "in")), sizes={"half": 2, "in": 4})
    assert max(q for *_, q in ports(d, join)) == 6
    assert ports_needed(d, join, 1) == 7


def test_a_selection_that_meets_nobody_needs_no_port() -> None:
    d = design(group("a", x=4, y=2), group("b", x=2, z=2))
    join = Join("j", end("a", where={"x": range(2, 4)}), end("b"), ("x",))
    assert links(d, join) == ports_needed(d, join, 0) == ports_needed(d, join, 1) == 0


def test_room_of_the_major_digit_costs_no_port_and_of_a_minor_one_does() -> None:
    d = design(group("a", x=(1, 4), y=2), group("b"))
    for order, need in ((("x", "y"), 2), (("y", "x"), 5)):
        assert ports_needed(d, Join("j", end("a"), end("b", order=order)), 1) == need


@pytest.mark.parametrize(
    ("spread", "need", "members"), [(Deal("m"), 4, 3), (Deal("m", 2), 4, 3), (Pack("m", 5), 5, 2), (Pack("m", 5, 4), 5, 3)]
)
def test_spreads(spread: Deal | Pack, need: int, members: int) -> None:
    d = design(group("a", x=10), group("b", m=3))
    join = Join("j", end("a"), end("b", spread=spread))
    assert (ports_needed(d, join, 1), members_needed(d, join, 1)) == (need, members)
    assert len({(b, q) for *_, b, q in ports(d, join)}) == 10


def test_what_does_not_say_one_thing_is_refused() -> None:
    d = design(group("a", x=4, y=2), group("b", x=4))
    twice = Join("j", end("a", view={"y": ("x",)}), end("b"), ("x",))
    with pytest.raises(WiringError, match="the digit x is read twice"):
        columns(d, twice)
    with pytest.raises(WiringError, match=r"\['y'\] are ways and digits of an end"):
        columns(d, Join("j", end("a"), end("b"), ("x",), {"y": 3}))
    with pytest.raises(WiringError, match="4 coordinates do not fit"):
        links(d, Join("j", end("a", view={"x": ("h", "l")}), end("b", view={"x": ("o",)}), sizes={"h": 1, "l": 3}))


def test_a_pack_with_too_few_members_invents_none() -> None:
    d = design(group("a", x=5), group("b", m=2))
    join = Join("j", end("a"), end("b", spread=Pack("m", 2)))
    assert links(d, join) == len(columns(d, join)) == 4
    assert members_needed(d, join, 1) == 3


def test_room_that_is_not_used_needs_no_member() -> None:
    """Numbers run over the room of the inner axis; what counts is the highest number in use."""
    d = design(group("a", x=(1, 3), y=(2, 6)), group("b", m=1))
    assert members_needed(d, Join("j", end("a"), end("b", order=("x", "y"), spread=Pack("m", 2))), 1) == 1


def test_an_axis_may_be_called_row() -> None:
    """A hall has rows: the word must not meet the rows of a table."""
    d = design(group("a", row=3, x=2), group("b", y=2))
    join = Join("j", end("a"), end("b"), pairs=Table(("x",), ("y",), (((0,), (1,), 1), ((1,), (0,), 1))))
    assert links(d, join) == 6
    assert {(a, b) for a, _, b, _ in ports(d, join)} == {(0, 1), (1, 0), (2, 1), (3, 0), (4, 1), (5, 0)}


@pytest.mark.parametrize("more", [{"where": {"m": range(1)}}, {"shift": {"m": 1}}, {"view": {"m": ("h", "l")}}])
def test_members_of_a_spread_are_not_selected(more: dict[str, object]) -> None:
    d = design(group("a", x=4), group("b", m=2))
    join = Join("j", end("a"), end("b", spread=Deal("m"), **more), sizes={"h": 1, "l": 2})
    with pytest.raises(WiringError, match="m is spread over"):
        links(d, join)
