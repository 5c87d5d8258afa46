"""A NetBox device type becomes a part that dcgen reads, and nothing in it is made up."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dcgen.catalog import Shelf, imported
from dcgen.catalog.interfaces import Group, Interface, grouped, kind_of
from dcgen.diagnostics import Rejected
from dcgen.parts import Node, Part, Pdu, Switch
from dcgen.source import parse_text

SWITCH = """---
manufacturer: Nobody
model: LX-64
slug: nobody-lx-64
part_number: 001-LX64
u_height: 2
is_full_depth: true
airflow: rear-to-front
weight: 26.9
weight_unit: kg
comments: |
  Made up.
  Two lines.
console-ports:
  - name: con0
    type: rj-45
module-bays:
  - {name: PSU1, position: PSU1}
  - {name: PSU2, position: PSU2}
power-ports:
  - {name: PSU1, type: iec-60320-c20, maximum_draw: 1500, allocated_draw: 900}
  - {name: PSU2, type: iec-60320-c20, maximum_draw: 1500}
interfaces:
  - {name: eth0, type: 1000base-t, mgmt_only: true}
  - {name: "swp[1-64]", type: 800gbase-x-osfp}
  - {name: "swp[65-66]", type: 25gbase-x-sfp28}
  - {name: lo, type: virtual}
  - {name: radio0, type: ieee802.11ax}
"""

SERVER = """
manufacturer: Nobody
model: S-4
u_height: 1
is_full_depth: true
weight: 80
weight_unit: lb
interfaces:
  - {name: bmc, type: 1000base-t, mgmt_only: true}
  - {name: cx0, type: 800gbase-x-osfp-rhs}
  - {name: cx1, type: 800gbase-x-osfp-rhs}
  - {name: cx2, type: 800gbase-x-osfp-rhs}
  - {name: cx3, type: 800gbase-x-osfp-rhs}
  - {name: ns1, type: 400gbase-x-qsfp112}
  - {name: ns2, type: 400gbase-x-qsfp112}
"""

STRIP = """
manufacturer: Nobody
model: 'Strip: 24'
slug: nobody-strip-24
u_height: 0
is_full_depth: false
power-ports: [{name: inlet, type: iec-60309-3p-n-e-6h, maximum_draw: 17300}]
power-outlets:
  - {name: "1", type: iec-60320-c13, power_port: inlet, feed_leg: A}
  - {name: "2", type: iec-60320-c13, power_port: inlet, feed_leg: B}
  - {name: "3", type: iec-60320-c13, power_port: inlet, feed_leg: C}
interfaces: [{name: net, type: 1000base-t, mgmt_only: true}]
"""


def taken(text: str) -> tuple[Part, list[str], str]:
    out, missing = imported(parse_text(text, "device-types/Nobody/X.yaml"))
    return Shelf.parse(parse_text(out, "x.yaml")), missing, out


def about(missing: list[str], word: str) -> str:
    return "\n".join(line for line in missing if line.startswith(word))


def alike(*names: str, type_: str = "400gbase-x-osfp") -> list[Group]:
    kind = kind_of(type_)
    assert kind
    return grouped(Interface(name, kind) for name in names)


def shown(group: Group) -> tuple[int, int, int, str]:
    return group.cages, group.split, group.first, group.label


# whole files


def test_switch() -> None:
    part, missing, text = taken(SWITCH)
    assert isinstance(part, Switch)
    assert (part.part, part.maker, part.title, part.part_number) == ("nobody-lx-64", "Nobody", "LX-64", "001-LX64")
    assert part.fabric == "ethernet"
    assert {name: (p.cages, p.cage, p.modes, p.first) for name, p in part.ports.items()} == {
        "main": (64, "osfp", [(1, 800.0)], 1),
        "sfp28-25g": (2, "sfp28", [(1, 25.0)], 65),
        "mgmt": (1, "rj45", [(1, 1.0)], 0),
    }
    assert part.ports["main"].port_label(64, 0, 1) == "swp64"
    assert part.ports["mgmt"].port_label(0, 0, 1) == "eth0"
    assert part.height_u
    assert part.mass_kg
    assert (part.height_u.value, part.mass_kg.value) == (2, 26.9)
    assert part.power.max_w
    assert (part.power.max_w.value, part.power.max_w.estimate, part.power.max_w.note) == (3000, True, "inlets of 1500 + 1500 W")
    assert part.power.typical_w is part.cooling is part.depth_m is part.price_usd is part.ports["main"].lane_rate_gbps is None
    assert text.endswith("\n")
    assert "osfp-ihs" in about(missing, "ports.main.cage")
    assert "900 W" in about(missing, "power.typical")
    assert "sum of all inlets" in about(missing, "power.max")
    assert "rear-to-front" in about(missing, "cooling")
    assert "ieee802.11ax" in about(missing, "ports:")
    assert "virtual" not in "\n".join(missing)
    assert "1 console ports, 2 module bays" in about(missing, "left out")
    assert "`switch` is guessed from 66 ports" in about(missing, "kind")


def test_server() -> None:
    part, missing, _ = taken(SERVER)
    assert isinstance(part, Node)
    assert part.part == "nobody-s-4"
    assert {name: (p.axes, p.cage, p.modes) for name, p in part.ports.items()} == {
        "nic": ({"port": 4}, "osfp-rhs", [(1, 800.0)]),
        "qsfp112-400g": ({"port": 2}, "qsfp112", [(1, 400.0)]),
        "bmc": ({"port": 1}, "rj45", [(1, 1.0)]),
    }
    assert part.accelerators == 0
    assert about(missing, "accelerator")
    assert "rail" in about(missing, "ports.nic.axes")
    assert "`bmc` has no number" in about(missing, "ports.bmc.label")
    assert part.mass_kg
    assert part.mass_kg.value == pytest.approx(36.28739)
    assert "0 of 0 inlets" in about(missing, "power.max")


def test_power_strip() -> None:
    part, missing, _ = taken(STRIP)
    assert isinstance(part, Pdu)
    assert (part.title, part.outlets, part.phases) == ("Strip: 24", 3, 3)
    assert part.capacity_w
    assert (part.capacity_w.value, part.capacity_w.estimate) == (17300, True)
    assert part.power.max_w is None
    assert "3 outlets" in about(missing, "kind")


def test_source_is_the_file() -> None:
    part, missing, _ = taken(SWITCH)
    (source,) = part.sources.values()
    assert source.title == "NetBox device type library: Nobody, X.yaml"
    assert source.url == "https://github.com/netbox-community/devicetype-library"
    assert part.confidence == "low"
    assert source.read is None
    assert "the day you read it" in about(missing, "sources")


@pytest.mark.parametrize(
    ("weight", "kilograms"), [("26.9, weight_unit: kg", 26.9), ("900, weight_unit: g", 0.9), ("2, weight_unit: lb", 0.907), ("160, weight_unit: oz", 4.536)]
)  # fmt: skip
def test_weights_keep_their_unit(weight: str, kilograms: float) -> None:
    part, _, _ = taken(f"{{manufacturer: A, model: B, u_height: 1, weight: {weight}}}")
    assert part.mass_kg
    assert part.mass_kg.value == pytest.approx(kilograms, abs=1e-3)


def test_what_is_not_written_is_missing_not_zero() -> None:
    part, missing, text = taken("{manufacturer: A, model: B}")
    assert part.height_u is part.mass_kg is part.power.max_w is None
    assert about(missing, "height")
    assert about(missing, "mass")
    assert about(missing, "ports")
    assert " 0" not in text


def test_infiniband_is_read_from_the_types() -> None:
    part, missing, _ = taken('{manufacturer: A, model: B, interfaces: [{name: "sw[1-72]p[1-2]", type: infiniband-xdr}]}')
    assert isinstance(part, Switch)
    assert part.fabric == "infiniband"
    assert (part.ports["main"].cages, part.ports["main"].modes) == (72, [(2, 800.0)])
    assert part.ports["main"].port_label(72, 1, 2) == "sw72p2"
    assert "names no cage" in about(missing, "ports.main.cage")


# interfaces


@pytest.mark.parametrize(
    ("word", "rate_gbps", "cage"),
    [
        ("1000base-t", 1, "rj45"),
        ("10gbase-t", 10, "rj45"),
        ("100base-tx", 0.1, "rj45"),
        ("10gbase-x-sfpp", 10, "sfp-plus"),
        ("100gbase-x-qsfp28", 100, "qsfp28"),
        ("400gbase-x-qsfpdd", 400, "qsfp-dd"),
        ("800gbase-x-qsfpdd", 800, "qsfp-dd800"),
        ("400gbase-x-osfp-rhs", 400, "osfp-rhs"),
        ("1.6tbase-x-osfp1600", 1600, "osfp"),
        ("1.6tbase-x-osfp1600-rhs", 1600, "osfp-rhs"),
        ("800gbase-dr8", 800, "unknown"),
        ("infiniband-ndr", 400, "unknown"),
        ("infiniband-ndr-2x", 200, "unknown"),
    ],
)
def test_types(word: str, rate_gbps: float, cage: str) -> None:
    kind = kind_of(word)
    assert kind
    assert (kind.rate_gbps, kind.cage) == (pytest.approx(rate_gbps), cage)


@pytest.mark.parametrize("word", ["other", "virtual", "lag", "gsm", "", "infiniband-sdr", "16gfc-sfpp"])
def test_types_that_tell_no_rate(word: str) -> None:
    assert kind_of(word) is None


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["swp1", "swp2", "swp3"], [(3, 1, 1, "swp{cage}")]),
        (["et-0/0/0", "et-0/0/1"], [(2, 1, 0, "et-0/0/{cage}")]),
        (["Ethernet1/1", "Ethernet2/1"], [(2, 1, 1, "Ethernet{cage}/1")]),
        (["P0.0", "P0.1", "P1.0", "P1.1"], [(2, 2, 0, "P{cage}.{sub}")]),
        (["sw1p1", "sw1p2", "sw2p1", "sw2p2"], [(2, 2, 1, "sw{cage}p{leg}")]),
        (["et1", "xe1"], [(1, 1, 1, "et{cage}"), (1, 1, 1, "xe{cage}")]),
        (["Eth 1", "Eth 2"], [(2, 1, 1, "Eth-{cage}")]),
        (["port01", "port02", "port10"], [(3, 1, 1, "port{cage:02}")]),
        (["p1", "p01"], [(1, 1, 1, "p{cage:02}"), (1, 1, 1, "p{cage}")]),
        (
            [f"Ethernet{slot}/{port}" for slot in (3, 4) for port in range(1, 37)],
            [(36, 1, 1, "Ethernet3/{cage}"), (36, 1, 1, "Ethernet4/{cage}")],
        ),
    ],
    ids=lambda x: x[0] if isinstance(x[0], str) else "",
)
def test_names_become_labels(names: list[str], expected: list[tuple[int, int, int, str]]) -> None:
    assert [shown(g) for g in alike(*names)] == expected


def test_a_jack_has_one_port() -> None:
    found = alike("1/1", "1/2", "2/1", "2/2", type_="1000base-t")
    assert [shown(g) for g in found] == [(2, 1, 1, "1/{cage}"), (2, 1, 1, "2/{cage}")]


def test_gaps_are_told() -> None:
    (group,) = alike("swp1", "swp2", "swp5")
    assert shown(group) == (3, 1, 1, "swp{cage}")
    assert "3, 4" in group.doubts[0]


def test_ports_that_are_left_out_are_told() -> None:
    (group,) = alike("P0.0", "P0.1", "P1.0")
    assert shown(group) == (2, 2, 0, "P{cage}.{sub}")
    assert group.doubts == ["3 of 4 ports are listed; not 1.1"]


# what is wrong


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("{model: B}", "missing-key", "manufacturer"),
        ("{manufacturer: A}", "missing-key", "model"),
        ("{manufacturer: [A], model: B}", "wrong-type", "manufacturer"),
        ("{manufacturer: A, model: B, interfaces: 3}", "wrong-type", "interfaces"),
        ("{manufacturer: A, model: B, interfaces: [x]}", "wrong-type", "interfaces[0]"),
        ("{manufacturer: A, model: B, interfaces: [{type: 1000base-t}]}", "missing-key", "name"),
        ("{manufacturer: A, model: B, interfaces: [{name: x}]}", "missing-key", "type"),
        ("{manufacturer: A, model: B, interfaces: [{name: a1, type: 1000base-t}, {name: a1, type: 10gbase-t}]}", "duplicate-key", "a1"),
        ('{manufacturer: A, model: B, interfaces: [{name: "a[1-99999]", type: 1000base-t}]}', "too-big", "10,000"),
        ('{manufacturer: A, model: B, interfaces: [{name: "a[1-9999][1-9999][1-9999]", type: 1000base-t}]}', "too-big", "10,000"),
        ("{manufacturer: A, model: B, u_height: tall}", "bad-number", "tall"),
        ("{manufacturer: A, model: B, u_height: 400}", "out-of-range", "400"),
        ("{manufacturer: A, model: B, weight: 3, weight_unit: stone}", "bad-unit", "stone"),
        ("{manufacturer: A, model: B, power-ports: [{name: p, maximum_draw: -4}]}", "out-of-range", "-4"),
    ],
)
def test_what_is_no_device_type_is_refused(text: str, code: str, words: str) -> None:
    with pytest.raises(Rejected) as caught:
        imported(parse_text(text, "x.yaml"))
    assert [d.code for d in caught.value.diagnostics] == [code]
    assert words in caught.value.diagnostics[0].what
    assert caught.value.diagnostics[0].where


def test_everything_wrong_is_said_at_once() -> None:
    with pytest.raises(Rejected) as caught:
        imported(parse_text("u_height: x\nweight: y\nweight_unit: kg\n", "x.yaml"))
    assert [(d.code, d.where and d.where.line) for d in caught.value.diagnostics] == [
        ("missing-key", 1), ("missing-key", 1), ("bad-number", 1), ("bad-number", 2),
    ]  # fmt: skip


WORD = st.text(
    st.characters(codec="utf-8", categories=["L", "N", "P", "Z", "S"], exclude_characters="'\u2028\u2029"), min_size=1, max_size=12
)
TYPES = st.sampled_from(
    ["1000base-t", "800gbase-x-osfp", "400gbase-x-qsfpdd", "infiniband-hdr", "800gbase-dr8", "1.6tbase-x-osfp1600", "other"]
)
INTERFACES = st.dictionaries(
    st.from_regex(r"[A-Za-z /{}.-]{0,6}[0-9]{0,3}[/.p-]?[0-9]{1,2}", fullmatch=True).filter(str.strip),
    st.tuples(TYPES, st.booleans()),
    max_size=24,
)


@settings(max_examples=150, deadline=None)
@given(WORD.filter(str.strip), WORD.filter(str.strip), INTERFACES, st.integers(0, 3))
def test_what_comes_out_is_a_part(maker: str, model: str, interfaces: dict[str, tuple[str, bool]], outlets: int) -> None:
    lines = [f"manufacturer: '{maker}'", f"model: '{model}'"]
    lines += ["interfaces:"] if interfaces else []
    unlike = {re.sub(r"\s+", " ", name.strip()): what for name, what in interfaces.items()}
    lines += [f"  - {{name: '{n}', type: {t}, mgmt_only: {str(m).lower()}}}" for n, (t, m) in unlike.items()]
    lines += ["power-outlets:"] if outlets else []
    lines += [f"  - {{name: o{n}}}" for n in range(outlets)]
    part, _, _ = taken("\n".join(lines))
    sockets: dict[str, Any] = part.port_groups()
    kept = sum(kind_of(t) is not None for t, _ in unlike.values())
    assert sum(p.cages * p.modes[0][0] for p in sockets.values()) >= kept
