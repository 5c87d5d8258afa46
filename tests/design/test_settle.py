"""Cells, node ports and islands, on examples that once went wrong or nearly did."""

from dataclasses import replace

import pytest

from dcgen.design import Axis, Deal, Fabric, Join, Pack, Table
from dcgen.design.columns import columns
from dcgen.design.islands import islands, parts_apart
from dcgen.design.lowering import NotSymbolic
from dcgen.design.rewrite import by_port, divided
from dcgen.design.settle import settle
from dcgen.design.wiring import links
from tests.design.test_wiring import design, end, group, ports


@pytest.mark.parametrize("spread", [Deal("m"), Pack("m", 4)])
@pytest.mark.parametrize("room", [0, 5])
def test_a_spread_that_divides_keeps_its_ports_and_its_gaps(spread: Deal | Pack, room: int) -> None:
    d = design(group("a", x=8), group("b", m=(2, room)))
    join = Join("j", end("a"), end("b", spread=spread), gone=({"x": 5},))
    after = divided(d, join)
    assert (after.b.spread is None) == (room == 0)  # members are dealt by size, digits measured by room
    assert ports(d, after) == ports(d, join)
    assert links(d, after) == 7


def test_dealt_ways_become_members_and_rounds() -> None:
    d = design(group("leaf", l=3), group("spine", s=4))
    join = Join("j", end("leaf"), end("spine", order=("l", "way"), spread=Deal("s")), ways={"way": 8}, gone=({"l": 1, "way": 6},))
    after = divided(d, join)
    assert (after.b.spread, after.ways, after.gone) == (None, {"way": 2}, ({"l": 1, "way": 1, "s": 2},))
    assert ports(d, after) == ports(d, join)
    assert sum(settle(d, [join]).edges.values()) == 23


def test_a_shifted_ruler_moves_the_link_that_is_taken_out() -> None:
    d = design(group("a", x=4), group("b", y=2))
    join = Join("j", end("a", shift={"x": 2}), end("b"), gone=({"x": 5, "y": 1},))
    settled = settle(d, [join])
    assert sum(settled.edges.values()) == 7
    assert sorted(c.count for c in settled.cells if c.group == "a") == [1, 3]


def test_readings_that_do_not_nest_have_no_boxes() -> None:
    d = design(group("a", x=6), group("b", h=2), group("c", k=3))
    halves = Join("h", end("a", view={"x": ("h", "l")}), end("b"), ("h",), sizes={"h": 2, "l": 3})
    thirds = Join("k", end("a", view={"x": ("k", "l")}), end("c"), ("k",), sizes={"k": 3, "l": 2})
    assert len(settle(d, [halves]).cells) == len(settle(d, [thirds]).cells) == 2
    with pytest.raises(NotSymbolic, match="do not nest"):
        settle(d, [halves, thirds])


def test_two_bundles_of_a_node_have_ports_of_their_own() -> None:
    """Or traffic would step from one network into the other inside a port."""
    d = design(group("node", n=2), group("a", r=4), group("b", r=4))
    first, second = (Join(g, end("node"), end(g)) for g in "ab")
    here, (one, two), names = by_port(d, [first, second])
    assert len(set(names)) == 2
    assert len({c.group for c in settle(here, [one, two]).cells}) == 4
    assert sum(c.count for c in settle(here, [one, two]).cells) == 8 + 8 + 4 + 4


def test_a_port_axis_may_be_called_like_an_axis_of_the_node() -> None:
    d = design(group("node", x=4), group("leaf", x=2))
    join = Join("j", end("node", view={"x": ("h", "l")}), end("leaf"), sizes={"h": 2, "l": 2})
    here, (after,), (name,) = by_port(d, [join])
    assert [a.name for a in here.groups[name].axes] == ["x", "x."]
    assert [q for *_, q in ports(here, after)] == [q for *_, q in ports(d, join)]


def test_rows_of_a_table_may_name_a_digit_that_has_one_value() -> None:
    d = design(group("a", x=4), group("b", y=1))
    split = end("a", view={"x": ("h", "one", "l")})
    for b in (end("b"), end("b", view={"y": ("k", "m")})):
        digits = b.view.get("y", ("y",))
        rows = tuple(((h, 0), (0,) * len(digits), 1) for h in (0, 1, 1))
        join = Join("j", split, b, sizes={"h": 2, "one": 1, "l": 2, "k": 1, "m": 1}, pairs=Table(("h", "one"), digits, rows))
        settled = settle(d, [join])
        assert sorted((settled.cells[i].count, n) for (i, _, _), n in settled.edges.items()) == [(2, 2), (2, 4)]
        assert sum(settled.edges.values()) == links(d, join) == len(columns(d, join)) == 6


def test_islands_over_a_near_spread_are_named_by_what_it_agrees_on() -> None:
    d = design(*(replace(group(n, plane=2, **{n: size}), role="leaf") for n, size in (("a", 3), ("b", 2))))
    near = Join("f/j", end("a"), end("b", order=("a", "way"), spread=Deal("b")), ("plane",), {"way": 3}, fabric="f")
    d = replace(d, bundles=(near,), fabrics={"f": Fabric("f", "clos", ("a", "b"))})
    assert divided(d, near).b.spread, "nine links on two members do not divide"
    assert (islands(d, "f"), parts_apart(d, "f")) == ({"plane": 2}, 2)


def test_islands_do_not_count_what_there_is_only_room_for() -> None:
    d = design(*(replace(group(n, plane=(2, 4), i=3), role="leaf") for n in "ab"))
    join = Join("f/j", end("a"), end("b", view={"i": ("k",)}), ("plane",), fabric="f")
    d = replace(d, bundles=(join,), fabrics={"f": Fabric("f", "clos", ("a", "b"))})
    assert islands(d, "f") == {"plane": 2}


def test_one_bundle_that_crosses_joins_all_islands() -> None:
    d = design(*(replace(group(n, plane=2), role="leaf") for n in "abc"))
    pairs = [Join(f"f/{x}{y}", end(x), end(y), ("plane",), fabric="f") for x, y in ("ab", "bc")]
    d = replace(d, bundles=tuple(pairs), fabrics={"f": Fabric("f", "clos", ("a", "b", "c"))})
    assert islands(d, "f") == {"plane": 2}
    across = Join("f/ac", end("a", view={"plane": ("own",)}), end("c"), fabric="f")
    assert islands(replace(d, bundles=(*pairs, across)), "f") == {}


def test_flat_and_coordinates_undo_each_other() -> None:
    g = replace(group("a", x=3, y=(2, 4)), axes=(Axis("x", 3), Axis("y", 2, 4)))
    assert [g.flat(g.coordinates(i)) for i in range(12)] == list(range(12))
    assert g.coordinates(5) == {"x": 1, "y": 1}
