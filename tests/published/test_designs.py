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
