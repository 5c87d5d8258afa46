"""Everything around a compute fabric: the order list of the H100 SuperPOD with 127 nodes, line by line.

Source: RA-11333-001 V11 (2023-09-22), Tables 7 and 8,
https://docs.nvidia.com/https:/docs.nvidia.com/dgx-superpod-reference-architecture-dgx-h100.pdf
"""

from functools import cache

import pytest

from dcgen.analysis.inventory import Item, inventory
from tests.published.test_designs import analysed

LINES: list[tuple[str, int, str, tuple[str, ...]]] = [
    # Table 7: what, how many, part, groups
    ("systems", 127, "dgx-h100", ("compute/node",)),
    ("fabric managers", 4, "ufm-3-1", ("ufm/node", "storage-ufm/node")),
    ("management servers", 4, "management-server", ("management/node",)),
    ("in-band switches", 8, "inband-64x200g", ("inband/",)),
    ("management switches", 8, "sn2201", ("oob/leaf",)),
    ("compute switches: 32 + 16", 48, "qm9700", ("backend/",)),
    ("storage switches", 16, "qm9700", ("storage/",)),
    ("power strips: 3 x 32 racks", 96, "raritan-px3-5878i2r", ("pdu/pdu",)),
    ("power strips: 2 x 6 racks", 12, "raritan-px3-5747v", ("support-pdu/pdu",)),
    # Table 8: what, how many, part, bundles and the group that a transceiver sits in
    ("in-band, systems: 127 x 2", 254, "mfs1s00-hxxxv", ("inband/compute-inband-leaf",)),
    ("in-band, management servers", 8, "aoc-100g-any-qsfp", tuple(f"links/{n}" for n in range(16, 24))),
    ("in-band, leaf to core", 24, "aoc-100g-any-qsfp", ("inband/leaf-spine",)),
    ("management, systems", 127, "cat6a", ("oob/compute-bmc-",)),
    ("management, InfiniBand switches: 48 + 16", 64, "cat6a", ("oob/backend-", "oob/storage-leaf-", "oob/storage-spine-")),
    ("management, servers and fabric managers: 4 + 4", 8, "cat6a", ("oob/management-", "oob/ufm-", "oob/storage-ufm-")),
    ("management, in-band switches", 8, "cat6a", ("oob/inband-",)),
    ("management, power strips: 96 + 12", 108, "cat6a", ("oob/pdu-", "oob/support-pdu-")),
    ("management, uplinks: 8 x 2", 16, "aoc-100g-any-qsfp", tuple(f"links/{n}" for n in range(16))),
    ("compute, fibres: 127 x 8 + 1024", 2040, "mfp7e10", ("backend/compute-fabric-leaf", "backend/leaf-spine")),
    ("compute, transceivers of switches: 48 x 32", 1536, "mma4z00-ns", ("backend/",)),
    ("compute, transceivers of systems: 127 x 4", 508, "mma4z00-ns-flt", ("backend/",)),
    ("compute, transceivers of fabric managers", 4, "mma4z00-ns400", ("backend/",)),
    ("storage, fibres", 494, "mfp7e10", ("storage/compute-", "storage/leaf-spine")),
    ("storage, transceivers of systems: 127 x 2", 254, "mma1z00-ns400", ("storage/",)),
    ("storage, transceivers of fabric managers", 4, "mma4z00-ns400", ("storage/",)),
]

ELSEWHERE = {
    "racks": "38 = 32 + 6 is inferred; here every kind of device fills racks of its own as long as no hall says otherwise",
    "100G CWDM4, uplink to the core of the data centre": "4; no formula, and what is at the far end is not of this design",
    "100G copper between in-band switches": "6; no formula",
    "100G AOC to the file server": "8; no formula, the server is not chosen",
    "Cat5e between two fabric managers": "2; a second management port of theirs, of which no source says anything",
    "QSFP to SFP+ adapters and SFP Base-T": "4 and 4; no formula",
    "NDR200 fibres of fabric managers": "2 and 2; one splits into two of the 4 ports, which run at 400G here",
    "storage, cables from 400G to 2 x 200G": "48 and 4; no formula, the storage is not chosen",
    "storage, transceivers of switches": "369 is half of 254 + 2 x 240 + 4 ports: two to a cage without rest. Dealt over the leaves, 372",
}
"""Lines that do not come out, or do not by a rule, and why."""


@cache
def items() -> list[Item]:
    return list(inventory(analysed("h100-cluster", {}).design))


def within(place: str, beginning: str) -> bool:
    return place.split("@")[0] == beginning or (beginning[-1] in "/-" and place.startswith(beginning))


@pytest.mark.parametrize(("count", "part", "where"), [line[1:] for line in LINES], ids=[line[0] for line in LINES])
def test_lines_of_the_order_list(count: int, part: str, where: tuple[str, ...]) -> None:
    mine = [i for i in items() if i.part == part and any(within(i.where, w) for w in where)]
    assert sum(i.quantity for i in mine) == count


def test_nothing_is_bought_that_no_line_names() -> None:
    assert {i.part for i in items()} == {part for _, _, part, _ in LINES}
    assert sum(i.quantity for i in items() if i.part == "mma4z00-ns" and i.where.startswith("storage/")) == 372


def test_the_design_breaks_no_rule() -> None:
    assert [f.what for f in analysed("h100-cluster", {}).findings if f.severity == "error"] == []


def test_power_strips_stand_in_the_racks_they_feed() -> None:
    from dcgen.tables import rack_table

    frame = rack_table(analysed("h100-cluster", {}).design).frame()
    strips, systems = (frame.filter(group=g) for g in ("pdu/pdu", "compute/node"))
    assert set(strips["rack"]) == set(systems["rack"])
    assert set(strips["rack"].value_counts()["count"]) == {3}
