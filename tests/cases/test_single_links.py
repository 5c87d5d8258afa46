"""Single links named by a printed port: in every mode that prints the label, on devices and bundles that are only parts of a group."""

import pytest

from dcgen.design import Axis, Block, Deal, Design, DeviceGroup, End, Join
from dcgen.design.columns import columns
from dcgen.design.wiring import device_at, digits_at
from dcgen.fabric import Shelf, Site
from dcgen.fabric.removal import removed
from dcgen.parts import Part, Switch
from tests.cases.support import analysed, cables, ends, errors

STORAGE = {200: "storage-server-200g", 100: "storage-server-100g"}
SERVED = """
racks: {{store: {{part: {node}, axes: {{node: 6}}}}, spare: {{part: {node}, axes: {{node: 1}}}}}}
fabrics: {{f: {{kind: clos, serves: store.nic, leaf: {{part: {switch}}}{more}}}}}
"""


@pytest.mark.parametrize("switch", ["sn5600", "sn5610"])
@pytest.mark.parametrize("rate", [200, 100])
def test_a_label_that_several_modes_print_is_taken_out_in_the_mode_that_runs(switch: str, rate: int) -> None:
    whole = cables(SERVED.format(node=STORAGE[rate], switch=switch, more=""))
    for row in whole[::5]:
        absent = f", absent: ['f/leaf[leaf=0]:{row['z_port']}']"
        rest = cables(SERVED.format(node=STORAGE[rate], switch=switch, more=absent))
        assert ends(whole) - ends(rest) == {(row["a_device"], row["a_port"], row["z_device"], row["z_port"])}


@pytest.mark.parametrize(("rate", "port"), [(200, "swp64s1"), (100, "swp64s1"), (100, "swp64s7")])
def test_a_written_link_runs_its_cage_in_the_mode_of_its_rate(rate: int, port: str) -> None:
    text = SERVED.format(node=STORAGE[rate], switch="sn5610", more="") + f"links: [['f/leaf[leaf=0]:{port}', 'spare/node[node=0]:nic1']]"
    analysis, rows = analysed(text), cables(text)
    assert errors(analysis) == {}
    assert (analysis.design.bundles[-1].rate_gbps, analysis.design.bundles[-1].b.block.split) == (rate, 800 // rate)
    assert [r["z_port"] for r in rows if r["layer"] == "explicit"] == [port]


def half(first: int, last: int, name: str) -> Join:
    """The leaves of some coordinates, counted from the first of them, on the spine's ports from `first` on."""
    lower = End(
        "f/leaf", Block("main", 32, 2, 8), order=("spine",), where={"su": range(first, last)}, shift={"su": -first} if first else {}
    )
    return Join(name, lower, End("f/spine", Block("main", first // 2, 2, 8), order=("su",)), rate_gbps=400)


def test_a_bundle_of_some_leaves_loses_the_link_of_the_leaf_that_is_named() -> None:
    groups = [DeviceGroup("f/leaf", "sw", (Axis("su", 8),), tier=1), DeviceGroup("f/spine", "sw", (Axis("spine", 4),), tier=2)]
    design = Design("d", {g.name: g for g in groups})
    joins = [half(0, 2, "low"), half(2, 8, "high")]
    site = Site(no_part, Shelf(lambda kind, word: ()), groups=dict(design.groups), used={"sw": switch()})
    low, high = removed(["f/leaf[su=5]:34/1"], joins, ["f/leaf", "f/spine"], site, ())
    assert site.problems == []
    assert (low.gone, high.gone) == ((), ({"su": 3, "spine": 2},))
    assert [device_at(design, high, side, high.gone[0]) for side in (0, 1)] == [{"su": 5}, {"spine": 2}]
    assert len(columns(design, high)) == len(columns(design, joins[1])) - 1
    assert removed(["f/leaf[su=1]:34/1"], joins, ["f/leaf", "f/spine"], site, ())[0].gone == ({"su": 1, "spine": 2},)
    assert removed(["f/spine[spine=2]:3/2"], joins, ["f/leaf", "f/spine"], site, ())[1].gone == ({"su": 3, "spine": 2},)


def test_a_port_that_there_is_only_room_for_has_no_link() -> None:
    groups = [DeviceGroup("f/leaf", "sw", (Axis("su", 2, 8),), tier=1), DeviceGroup("f/spine", "sw", tier=2)]
    spine = End("f/spine", Block("main", 0, 2, 8), order=("way", "su"))
    join = Join("j", End("f/leaf", Block("main", 0, 2, 8)), spine, ways={"way": 2}, rate_gbps=400)
    site = Site(no_part, Shelf(lambda kind, word: ()), groups={g.name: g for g in groups}, used={"sw": switch()})
    assert removed(["f/spine:2/1"], [join], ["f/leaf", "f/spine"], site, ()) == [join]
    assert ["no link of this fabric ends on that port" in p.what for p in site.problems] == [True]


def test_the_member_of_a_spread_is_named_by_the_digits_of_a_link() -> None:
    groups = [DeviceGroup("leaf", "sw", (Axis("l", 3),)), DeviceGroup("spine", "sw", (Axis("s", 4),))]
    design = Design("d", {g.name: g for g in groups})
    join = Join("j", End("leaf", Block("p")), End("spine", Block("p"), order=("l", "way"), spread=Deal("s", 1)), ways={"way": 6})
    for link, member in (({"l": 0, "way": 0}, 1), ({"l": 1, "way": 2}, 1), ({"l": 2, "way": 5}, 2)):
        assert device_at(design, join, 1, link) == {"s": member}
        assert digits_at(design, join, 0, device_at(design, join, 0, link)) == {"l": link["l"]}


def no_part(part_id: str) -> Part:
    raise AssertionError(part_id)


def switch() -> Switch:
    return Switch.model_validate(
        {
            "part": "sw",
            "kind": "switch",
            "maker": "m",
            "title": "t",
            "fabric": "ethernet",
            "sources": {"s": {"title": "t"}},
            "ports": {
                "main": {"cages": 40, "cage": "osfp", "modes": ["2x400G", "4x200G"], "label": "{cage}", "split_label": "{cage}/{leg}"}
            },
        }
    )
