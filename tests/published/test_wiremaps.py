"""Published wiremaps, port by port: GPU, in-band, switch-to-switch and out-of-band uplink ports; the rest by count.

Source: NVIDIA/enterprise-ras, spectrum-era 2-8-9-400 (12 nodes) and 2-8-5-200 (20 nodes), wiremap documents.
"""

from collections import Counter
from math import ceil
from typing import Any

import pytest

from tests.cases.support import analysed, cables, errors, value
from tests.published.test_ports import at

PAIRS = [(12, 4, 4, 48), (20, 6, 2, 40)]
"""Nodes, first GPU cage, GPU links of a node to one switch, links between the switches."""


def rows(nodes: int, bundle: str) -> list[dict[str, Any]]:
    layer = {"gpu": "compute-node", "inband": "compute-node"}.get(bundle, "")
    found = [r for r in cables(f"blueprints/collapsed-pair-{nodes}.yaml") if r["fabric"] == "core"]
    if bundle == "isl":
        return [r for r in found if r["layer"] == "switch-switch"]
    if bundle == "oob":
        return [r for r in found if r["a_device"].startswith("oob-leaf")]
    rate = 400 if bundle == "gpu" else 200
    return [r for r in found if r["a_device"].startswith(layer) and r["rate_gbps"] == rate and r["layer"] == "node-switch"]


@pytest.mark.parametrize(("nodes", "base", "m", "isl"), PAIRS)
def test_gpu_ports(nodes: int, base: int, m: int, isl: int) -> None:
    """Card i of node k (from 1): switch 1 + i % 2, idx = (k-1)*m + i // 2, port swp{base + idx // 2}s{idx % 2}."""
    found = rows(nodes, "gpu")
    assert len(found) == nodes * m * 2
    for r in found:
        k, i = at(r["a_device"], "node") + 1, int(r["a_port"].removeprefix("nic")) - 1
        idx = (k - 1) * m + i // 2
        assert (at(r["z_device"], "switch"), r["z_port"]) == (i % 2, f"swp{base + idx // 2}s{idx % 2}")


@pytest.mark.parametrize(("nodes", "base", "m", "isl"), PAIRS)
def test_in_band_ports(nodes: int, base: int, m: int, isl: int) -> None:
    """Port p of node k: switch p, swp{ceil(k/4)}s{(k-1) % 4}."""
    found = rows(nodes, "inband")
    assert len(found) == 2 * nodes
    for r in found:
        k, p = at(r["a_device"], "node") + 1, int(r["a_port"].removeprefix("ns")) - 1
        assert (at(r["z_device"], "switch"), r["z_port"]) == (p, f"swp{ceil(k / 4)}s{(k - 1) % 4}")


@pytest.mark.parametrize(("nodes", "base", "m", "isl"), PAIRS)
def test_links_between_the_switches(nodes: int, base: int, m: int, isl: int) -> None:
    """From swp28s0 on, the same number at both ends."""
    found = rows(nodes, "isl")
    assert [(r["a_port"], r["z_port"]) for r in found] == [(f"swp{28 + n // 2}s{n % 2}",) * 2 for n in range(isl)]


@pytest.mark.parametrize("nodes", [12, 20])
def test_out_of_band_uplinks(nodes: int) -> None:
    """swp55s0 to s5 on each switch, in turn to the three out-of-band switches; there swp49 and 50, 51 and 52."""
    found = rows(nodes, "oob")
    for switch in (0, 1):
        mine = [r for r in found if at(r["z_device"], "switch") == switch]
        assert [r["z_port"] for r in mine] == [f"swp55s{n}" for n in range(6)]
        assert [at(r["a_device"], "leaf") for r in mine] == [0, 1, 2, 0, 1, 2]
        assert [r["a_port"] for r in mine] == [f"swp{49 + 2 * switch + n // 3}" for n in range(6)]


@pytest.mark.parametrize("nodes", [12, 20])
def test_out_of_band_nodes_rotate(nodes: int) -> None:
    """Port j (0..2) of node k on switch j, the fourth on (k-1) % 3; the support servers count on; each the next port in order."""
    found = [r for r in cables(f"blueprints/collapsed-pair-{nodes}.yaml") if r["fabric"] == "oob"]
    assert len(found) == 4 * (nodes + 8)
    seen: Counter[int] = Counter()
    where = {(r["a_device"], r["a_port"]): (at(r["z_device"], "leaf"), r["z_port"]) for r in found}
    devices = [f"compute-node-node{n}" for n in range(nodes)] + [f"support-node-server{n}" for n in range(8)]
    for k, device in enumerate(devices):
        for j in range(4):
            switch = j if j < 3 else k % 3
            seen[switch] += 1
            assert where[device, f"bmc{j + 1}"][0] == switch
    per_switch = Counter(leaf for leaf, _ in where.values())
    assert per_switch == seen
    for switch in range(3):
        ports = sorted(int(p.removeprefix("swp")) for leaf, p in where.values() if leaf == switch)
        assert ports == list(range(1, len(ports) + 1)), "no port twice, no port left out: the published duplicates cannot come about"


@pytest.mark.parametrize(("nodes", "counts"), [
    (12, {"gpu": 96, "inband": 24, "isl": 48, "support": 16, "oob": 12, "storage": 12, "edge": 24}),
    (20, {"gpu": 80, "inband": 40, "isl": 40, "support": 16, "oob": 12, "storage": 20, "edge": 36}),
])  # fmt: skip
def test_counts_of_the_rest(nodes: int, counts: dict[str, int]) -> None:
    analysis = analysed(f"blueprints/collapsed-pair-{nodes}.yaml")
    assert {k: value(analysis, "links", f"core/{k}") for k in counts} == counts
    assert value(analysis, "links", "oob") == 4 * nodes + 32
    assert errors(analysis) == {}


def test_frontend_ring_of_the_nvl72_reference() -> None:
    """Cluster node k: eth1 on leaf (k-1) % 7, eth2 on leaf k % 7, each on the next free port, four to a cage."""
    text = """
racks: {compute: {part: gb300-nvl72-era, axes: {rack: 8}}}
fabrics:
  frontend: {kind: clos, serves: compute.dpu, leaf: {part: sn5610, count: 7, home: ring}}
"""
    found = cables(text)
    assert len(found) == 288
    free: Counter[int] = Counter()
    where = {(r["a_device"], r["a_port"]): (at(r["z_device"], "leaf"), r["z_port"]) for r in found}
    nodes = sorted({d for d, _ in where}, key=lambda d: (at(d, "rack"), at(d, "tray")))
    ports = sorted({p for _, p in where})
    for k, device in enumerate(nodes):
        for j, port in enumerate(ports):
            leaf = (k + j) % 7
            n, free[leaf] = free[leaf], free[leaf] + 1
            assert where[device, port] == (leaf, f"swp{1 + n // 4}s{n % 4}")


def test_out_of_band_deals_over_switches_first_then_nodes() -> None:
    """One round robin over 16 switches: the fabric's switches, then the nodes; node k is number 55 + k of it."""
    text = """
racks: {compute: {part: gb300-nvl72-era, axes: {rack: 8}}, spare: {part: gb300-compute-tray-era, axes: {n: 4}}}
fabrics:
  backend:
    {kind: clos, serves: compute.fabric, leaf: {part: sn5610, per: [plane, pair=rack/2, rail]}, spine: {part: sn5610, per: plane}}
  frontend: {kind: clos, serves: compute.dpu, leaf: {part: sn5610, count: 7, home: ring}}
  oob: {kind: clos, serves: [backend, frontend, spare.bmc, compute.bmc], leaf: {part: sn2201, count: 16, fill: deal}}
"""
    found = [r for r in cables(text) if r["fabric"] == "oob"]
    assert len(found) == 32 + 12 + 7 + 4 + 144
    for r in found:
        if r["a_device"].startswith("compute-tray"):
            n = 55 + at(r["a_device"], "rack") * 18 + at(r["a_device"], "tray")
            assert (at(r["z_device"], "leaf"), r["z_port"]) == (n % 16, f"swp{1 + n // 16}")
    assert errors(analysed(text)) == {}
