from dataclasses import replace

import pytest

from dcgen.design.columns import columns
from dcgen.design.model import Axis, Block, Deal, Design, DeviceGroup, End, Join, Mesh
from dcgen.diagnostics import Rejected
from dcgen.tables.overview import describe
from tests.tables.example import management, parts, rail_design, ring


def _links(design: Design, selector: str) -> dict[str, tuple[str, str]]:
    section = next(s for s in describe(design, selector) if s[0].endswith(": links"))
    return {name: (number, most) for name, number, most in section[2]}


def _mesh() -> Design:
    group = DeviceGroup("leaf", "x144", (Axis("n", 5),), role="leaf")
    block = Block("main", 0, 2)
    join = Join("mesh", End("leaf", block, {"n": ("low",)}), End("leaf", block, {"n": ("high",)}), pairs=Mesh("low", "high"), rate_gbps=800)
    return Design("mesh", {"leaf": group}, (join,), parts())


@pytest.mark.parametrize(("selector", "said"), [("backend/leaf[su=7]", "not to 7"), ("backend/leaf[rail=2..9]", "not to 2..9")])
def test_a_coordinate_that_is_not_there_is_said_with_the_range(selector: str, said: str) -> None:
    with pytest.raises(Rejected) as caught:
        describe(rail_design(4), selector)
    (found,) = caught.value.diagnostics
    assert found.code == "bad-selector"
    assert "of backend/leaf runs from 0 to 3" in found.what
    assert said in found.what


def test_a_range_of_one_group_of_several_is_enough() -> None:
    names = [title for title, _, _ in describe(rail_design(), "compute[rack=7]") if ":" not in title]
    assert names == ["compute", "compute/tray", "compute/link", "compute/shelf"]


def test_links_of_a_bundle_are_its_own() -> None:
    found = _links(rail_design(), "backend/leaf[rail=0]")
    assert found == {"backend.node-leaf": ("144", "72"), "backend.leaf-spine": ("144", "72")}


def test_bundles_that_share_a_dealt_range_are_counted_by_device() -> None:
    design = ring()
    (join,) = design.bundles
    second = replace(join, name="front/second", b=replace(join.b, spread=Deal("leaf", 140)))
    design = replace(design, bundles=(join, second))
    for bundle in design.bundles:
        most = max(columns(design, bundle).b.tolist().count(leaf) for leaf in range(7))
        assert _links(design, "front/leaf")[bundle.name] == ("140", str(most))


def test_a_bundle_between_devices_of_one_group_is_listed_once() -> None:
    assert _links(_mesh(), "leaf") == {"mesh (between themselves)": ("10", "4")}
    assert _links(_mesh(), "leaf[n=0..1]") == {"mesh (between themselves)": ("7", "4")}


def test_a_bundle_without_agreement_is_said_in_words() -> None:
    bundles = describe(management())[1]
    assert {row[3] for row in bundles[2]} == {"every one to every one"}
