from itertools import pairwise

from dcgen.design.model import Design
from dcgen.tables import rack_table
from tests.tables.example import dual_plane, rail_design


def test_every_device_stands_in_one_rack() -> None:
    design = rail_design(absent=("compute/tray[su=0,rack=5,tray=17]",))
    table = rack_table(design)
    frame = table.frame()
    assert table.rows == frame.height == sum(g.count for g in design.groups.values() if g.role != "rack")
    assert frame["device"].n_unique() == frame.height
    assert frame.filter(rack="compute-su0-rack5").height == 18 + 9 + 8 - 1


def test_a_rack_is_one_run_of_rows_in_the_order_racks_are_filled() -> None:
    seen = list(dict.fromkeys(runs := rack_table(dual_plane()).frame()["rack"].to_list()))
    assert [r for r in seen if r.startswith("hosts")] == [f"hosts-rack{i}" for i in range(16)]
    assert sum(a != b for a, b in pairwise(runs)) == len(seen) - 1


def test_heights_are_empty_where_nobody_states_them() -> None:
    rows = rack_table(dual_plane()).frame()
    assert set(rows.filter(part="x144-cpo")["height_u"]) == {None}
    assert "height unknown" in rows.filter(part="x144-cpo")["rule"][0]


def test_a_design_of_nothing() -> None:
    assert rack_table(Design("empty", {})).frame().height == 0
