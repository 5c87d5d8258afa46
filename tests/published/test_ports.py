"""Port by port, where the vendor publishes which port goes where.

Source: NVIDIA/enterprise-ras, net-configurator 2-4-5-800 and 2-8-9-800 (largescale); DGX H100 user guide, Table 6.
"""

import re
from collections import Counter
from math import ceil

import pytest

from tests.cases.support import cables

NVL72 = "blueprints/nvl72-dual-plane.yaml"
HGX = """
params: {nodes: 32}
racks: {compute: {part: hgx-b300-dual-plane, axes: {node: $nodes}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {part: sn5610, per: [plane, block=node/32, leaf=rail%4]}
    spine: {part: sn5610, per: [plane]}
"""


def at(label: str, axis: str) -> int:
    found = re.search(rf"-{axis}(\d+)", label)
    assert found
    return int(found[1])


def test_nvl72_trays_and_uplinks() -> None:
    """Tray n (1..36) of a pair of racks on swp{ceil(n/2)}s{(n-1)%2}; uplinks swp19-36; six links to each of six spines."""
    rows = cables(NVL72)
    down = [r for r in rows if r["layer"] == "node-leaf"]
    for r in down:
        rack, tray = at(r["a_device"], "rack"), at(r["a_device"], "tray")
        n = rack % 2 * 18 + tray + 1
        assert r["z_port"] == f"swp{ceil(n / 2)}s{(n - 1) % 2}"
        assert at(r["z_device"], "pair") == rack // 2
        nic = 3 + 2 * at(r["z_device"], "rail") + at(r["z_device"], "plane")
        assert r["a_port"] == f"eth{nic}", "eth3 is rail 1 of plane 1, eth4 rail 1 of plane 2, ... eth10 rail 4 of plane 2"
    up = [r for r in rows if r["layer"] == "leaf-spine"]
    for r in up:
        leaf = at(r["a_device"], "pair") * 4 + at(r["a_device"], "rail")
        cage, sub = (int(x) for x in r["a_port"].removeprefix("swp").split("s"))
        u = (cage - 19) * 2 + sub
        assert 0 <= u < 36
        assert at(r["z_device"], "spine") == u % 6
        t = u // 6 * 16 + leaf
        assert r["z_port"] == f"swp{1 + t // 2}s{t % 2}"
    assert set(Counter((r["a_device"], r["z_device"]) for r in up).values()) == {6}


@pytest.mark.parametrize(("nodes", "per_pair"), [(32, 32), (64, 16), (128, 8)])
def test_hgx_rails_fold_and_links_per_pair_halve(nodes: int, per_pair: int) -> None:
    """Rails 1+5, 2+6, 3+7, 4+8 share a leaf; swp1-32 face the GPUs, swp33-64 the spines."""
    rows = cables(HGX, nodes=nodes)
    for r in rows:
        cage = int((r["z_port"] if r["layer"] == "node-leaf" else r["a_port"]).removeprefix("swp").split("s")[0])
        assert (1 <= cage <= 32) if r["layer"] == "node-leaf" else (33 <= cage <= 64)
        if r["layer"] == "node-leaf":
            rail = (int(r["a_port"].removeprefix("eth")) - 3) // 2
            assert at(r["z_device"], "leaf") == rail % 4
    assert set(Counter((r["a_device"], r["z_device"]) for r in rows if r["layer"] == "leaf-spine").values()) == {per_pair}


def test_hgx_growth_moves_only_what_must() -> None:
    """32 to 64 nodes: half of the 512 leaf-spine links keep both ends; no node link moves."""
    from tests.cases.support import ends

    small, large = cables(HGX, nodes=32), cables(HGX, nodes=64)
    for layer, kept in (("node-leaf", 512), ("leaf-spine", 256)):
        assert len(ends([r for r in small if r["layer"] == layer]) & ends([r for r in large if r["layer"] == layer])) == kept


def test_gb300_growth_as_numbered() -> None:
    """Striped numbering keeps 288 of 576 leaf-spine links from one unit to two; paired numbering keeps 9."""
    from tests.cases.support import ends

    for numbering, kept in (("striped", 288), ("paired", 9)):
        text = f"""
params: {{su: 1}}
racks: {{compute: {{part: gb300-nvl72, axes: {{su: $su, rack: 8}}}}}}
fabrics:
  backend:
    kind: clos
    serves: compute.fabric
    leaf: {{part: q3400-ra, per: [su, rail, half=rack/4]}}
    spine: {{part: q3400-ra}}
    numbering: {numbering}
"""
        one, two = ([r for r in cables(text, su=n) if r["layer"] == "leaf-spine"] for n in (1, 2))
        assert len(ends(one) & ends(two)) == kept
        twins = Counter((r["a_device"], r["a_port"].split("/")[0], r["z_device"], r["z_port"].split("/")[0]) for r in one)
        assert sum(n == 2 for n in twins.values()) == (288 if numbering == "paired" else 0), "both halves of a cage to one far cage"


def test_dgx_h100_cage_halves_go_to_two_leaves() -> None:
    text = """
racks: {compute: {part: dgx-h100, axes: {su: 1, node: 32}}}
fabrics:
  backend: {kind: clos, serves: compute.fabric, leaf: {part: qm9700, per: [su, rail]}, spine: {part: qm9700}}
"""
    far: dict[tuple[str, str], set[str]] = {}
    for r in cables(text):
        if r["layer"] == "node-leaf":
            far.setdefault((r["a_device"], r["a_port"][:5]), set()).add(r["z_device"])
    assert len(far) == 32 * 4
    assert all(len(leaves) == 2 for leaves in far.values())
