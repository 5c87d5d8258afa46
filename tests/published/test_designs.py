"""Reference designs come out with the counts their vendors publish, from the general rules."""

from pathlib import Path
from typing import Any

import pytest
import yaml

import dcgen
from dcgen.analysis import Analysis

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DESIGNS = yaml.safe_load((HERE / "designs.yaml").read_text(encoding="utf-8"))
ROWS = [(d, row) for d in DESIGNS for row in d["rows"]]


def blueprint_file(name: str) -> Path:
    own = HERE / "blueprints" / f"{name}.yaml"
    return own if own.exists() else ROOT / "blueprints" / f"{name}.yaml"


def analysed(name: str, settings: dict[str, Any]) -> Analysis:
    blueprint = dcgen.parse(dcgen.read(blueprint_file(name)), {k: str(v) for k, v in settings.items()})
    return dcgen.analyse(dcgen.lay_out(blueprint))


def figure(analysis: Analysis, key: str) -> float:
    if key in ("leaf", "spine", "core"):
        found = analysis.get("devices", f"backend/{key}")
        return found.value if found else 0
    if "-" in key:
        return sum(
            m.value
            for m in analysis.measures
            if m.measure == "links" and m.subject in [b.name for b in analysis.design.bundles if b.layer == key]
        )
    found = analysis.get(key, "site")
    assert found
    return found.value


@pytest.mark.parametrize(("design", "row"), ROWS, ids=[f"{d['id']}-{'-'.join(map(str, r['set'].values()))}" for d, r in ROWS])
def test_published_counts(design: dict[str, Any], row: dict[str, Any]) -> None:
    analysis = analysed(design["blueprint"], row["set"])
    links = 2 if design.get("pairs") else 1
    for key, printed in row.items():
        if key != "set":
            assert figure(analysis, key) == printed * (links if "-" in key else 1), key
    assert {f.code for f in analysis.findings if f.severity == "error"} == set()


def test_a_pinned_spine_count_above_the_rule_is_said() -> None:
    found = [f for f in analysed("nvl72-dual-plane", {"racks": 4, "spines": 4}).findings if f.code == "spine-not-minimal"]
    assert [f.severity for f in found] == ["info"]
    assert "4 pinned, 3 would do" in found[0].what
    assert not [f for f in analysed("nvl72-dual-plane", {"racks": 8}).findings if f.code == "spine-not-minimal"]


def test_one_rack_is_what_its_maker_lists() -> None:
    """18 trays of 4 GPUs, 9 switch trays of 2 chips, 2 management switches, 8 power shelves; 72 × 18 links inside.

    Source: https://docs.nvidia.com/dgx/dgxgb200-user-guide/hardware.html
    """
    analysis = analysed("gb200-one-unit", {"su": 1})
    per_rack = {g.name.split("/")[1]: g.count // 8 for g in analysis.design.groups.values() if g.inside}
    assert per_rack == {"tray": 18, "switch-tray": 9, "mgmt": 2, "shelf": 8}
    scale_up = analysis.get("scale_up_links", "site")
    assert scale_up
    assert scale_up.value == 8 * 72 * 18


def test_the_corrected_sentence_on_rails_builds() -> None:
    """576 GPUs, 144 links per rail, 18 per rail and rack, 2 leaves per rail, 8 in all, 4 spines, 1 rail = 1/4 of 576 links."""
    text = (ROOT / "blueprints" / "gb300-superpod.yaml").read_text(encoding="utf-8") + (
        "expect:\n  gpus: 576\n  nodes: 144\n  compute.fabric.rail: 4\n  links(compute/tray.fabric): 576\n"
        "  links(compute/tray.fabric[rail=2]): 144\n  links(compute/tray.fabric[su=0,rack=5,rail=2]): 18\n"
        "  count(backend/leaf[rail=2]): 2\n  backend.leaf: 8\n  backend.spine: 4\n"
    )
    from dcgen.source import parse_text

    analysis = dcgen.analyse(dcgen.lay_out(dcgen.parse(parse_text(text, str(ROOT / "blueprints" / "gb300-superpod.yaml")))))
    assert [f for f in analysis.findings if f.severity == "error"] == []


@pytest.mark.parametrize(("uplink", "servers", "down", "up"), [
    ("200G", 2, 1, 1), ("200G", 4, 2, 1), ("400G", 2, 1, 2), ("400G", 4, 1, 1), ("800G", 2, 1, 4), ("800G", 4, 1, 2),
])  # fmt: skip
def test_two_stripes_by_uplink_rate(uplink: str, servers: int, down: int, up: int) -> None:
    """16 leaves of 4 uplinks: 12.8, 25.6 or 51.2 Tb/s; the ratios printed for 4 and 8 servers in all.

    Source: https://www.juniper.net/documentation/us/en/software/jvd/jvd-ai-dc-qpp-bgp-dpf/ip_fabric_gpu_backend_fabric_architecture.html
    """
    analysis = analysed("two-stripes", {"uplink": uplink, "servers": servers, "ratio": 2})
    found = analysis.get("oversubscription", "backend/leaf")
    assert found
    assert found.value == down / up
    links = analysis.get("links", "backend/leaf-spine")
    assert links
    assert links.value * int(uplink.removesuffix("G")) == {"200G": 12_800, "400G": 25_600, "800G": 51_200}[uplink]
    assert (figure(analysis, "leaf"), figure(analysis, "spine")) == (16, 4)


def test_oversubscription_of_published_fabrics() -> None:
    """HPN: 128 × 200G down, 60 × 400G up at the access switch, 120 down and 8 up above; Meta: at most 7:1, 28 uplinks give 6.86."""
    hpn, meta = analysed("hpn-pod", {}), analysed("roce-24k", {})
    found = {
        m.subject: m.value for a in (hpn, meta) for m in a.measures if m.measure == "oversubscription" and m.subject == "backend/spine"
    }
    access = hpn.get("oversubscription", "backend/leaf")
    aggregation = hpn.get("oversubscription", "backend/spine")
    assert access
    assert aggregation
    assert access.value == pytest.approx(1.0667, abs=5e-5)
    assert aggregation.value == 15
    assert found["backend/spine"] == pytest.approx(192 / 28)


def test_a_million_gpus_need_512_ports() -> None:
    """144 ports end at 144³ / 4 = 746,496 endpoints in three tiers; near spread takes 2,079 cores where even takes 4,032."""
    even, near = analysed("million", {}), analysed("million", {"spread": "near"})
    assert [figure(even, k) for k in ("gpus", "leaf", "spine", "core")] == [1_048_320, 4160, 4095, 4032]
    assert figure(near, "core") == 2079
    from dcgen.diagnostics import Rejected

    largest = analysed("nvl72-100k", {"pods": 144})
    assert (figure(largest, "gpus"), figure(largest, "core")) == (746_496, 5184)
    with pytest.raises(Rejected) as refused:
        analysed("nvl72-100k", {"pods": 145})
    assert {d.code for d in refused.value.diagnostics} == {"bad-parameter"}


CONTRADICTIONS = [
    ("C01", "h100-3-tier", {"su": 56}, {"nodes": 2048}, "1,792"),
    ("C02", "h100-plain", {"su": 4}, {"backend.spine-core": 1024}, "backend has no core tier"),
    ("C05", "b300-spectrum", {"su": 1}, {"backend.node-leaf": 512}, "counted in pairs"),
    ("C06", "b300-spectrum", {"su": 4}, {"nodes": 512}, "256"),
    ("C08", "h100-plain", {"su": 1}, {"backend.node-leaf": 128}, "counted in pairs"),
    ("C24", "h100-plain", {"su": 1}, {"backend.spine": 8}, "gives 4"),
    ("C27", "hpn-pod", {"segments": 15}, {"backend.leaf": 120}, "240"),
    ("C28", "gb300-superpod", {"su": 1}, {"compute.fabric.rail": 8, "links(compute/tray.fabric[rail=0])": 576}, "gives 4"),
]


@pytest.mark.parametrize(("case", "blueprint", "settings", "expect", "said"), CONTRADICTIONS, ids=[c[0] for c in CONTRADICTIONS])
def test_published_contradictions_are_flagged(
    case: str, blueprint: str, settings: dict[str, int], expect: dict[str, int], said: str
) -> None:
    from dcgen.source import parse_text

    file = blueprint_file(blueprint)
    text = file.read_text(encoding="utf-8").replace("\nexpect: {", "\nnotexpect: {")
    text = "\n".join(line for line in text.splitlines() if not line.startswith("notexpect")) + "\nexpect:\n"
    text += "".join(f"  {k}: {v}\n" for k, v in expect.items())
    source = parse_text(text, str(file))
    analysis = dcgen.analyse(dcgen.lay_out(dcgen.parse(source, {k: str(v) for k, v in settings.items()})))
    broken = [f for f in analysis.findings if f.code == "expectation-broken"]
    assert len(broken) == len(expect), case
    assert said in " ".join(f.what + f.why + f.fix for f in broken)
