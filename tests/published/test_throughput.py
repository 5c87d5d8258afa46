"""Throughput of published families of fabrics, exactly, and hand figures of reference designs after a loss."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml

import dcgen
from dcgen.analysis.flow import Question, Throughput, throughput
from dcgen.design import Design, Traffic
from tests.laws import pods

HERE = Path(__file__).parent
ROWS = yaml.safe_load((HERE / "throughput.yaml").read_text(encoding="utf-8"))


def slim_fly() -> Design:
    """McKay, Miller and Siran's graph for q = 5: 50 routers of degree 7."""
    q, own, other = 5, (1, 4), (2, 3)
    at = lambda half, x, y: half * q * q + x * q + y  # noqa: E731
    edges = [(at(0, x, y), at(0, x, z)) for x in range(q) for y in range(q) for z in range(y + 1, q) if (y - z) % q in own]
    edges += [(at(1, x, y), at(1, x, z)) for x in range(q) for y in range(q) for z in range(y + 1, q) if (y - z) % q in other]
    edges += [(at(0, x, y), at(1, m, (y - m * x) % q)) for x in range(q) for y in range(q) for m in range(q)]
    return pods.stated(50, edges)


def dragonfly(a: int = 4, h: int = 2) -> Design:
    """Groups of `a` routers, one link for each pair of groups."""
    g = a * h + 1
    edges = [(x * a + r, x * a + s) for x in range(g) for r in range(a) for s in range(r + 1, a)]
    for x in range(g):
        for step in range(1, g):
            y = (x + step) % g
            if x < y:
                edges.append((x * a + (step - 1) // h, y * a + ((x - y) % g - 1) // h))
    return pods.stated(a * g, edges)


def made(row: dict[str, Any]) -> Design:
    name, _, inside = row["fabric"].partition("(")
    here = {"slim_fly": slim_fly, "dragonfly": dragonfly}
    make = here.get(name) or getattr(pods, name)
    return eval("make(" + inside, {"make": make})  # type: ignore[no-any-return]


@pytest.mark.parametrize("row", ROWS, ids=lambda r: r["id"])
def test_exact_throughput(row: dict[str, Any]) -> None:
    question = Question(made(row), "net", Traffic("all-to-all", "all-to-all", scale_up=row.get("scale_up", "unused")))
    picks = [p for text in row.get("lost", []) for p in question.picks(text)]
    found = question.worst(question.picks(row["any"][0]), row["any"][1]) if "any" in row else question.ask(picks)
    assert found.value == pytest.approx(float(Fraction(row["value"])), rel=1e-9, abs=1e-12)
    assert found.status == ("exact" if found.value else "cut off")


def design_of(name: str, **settings: int) -> Design:
    path = HERE.parents[1] / "blueprints" / f"{name}.yaml"
    return dcgen.lay_out(dcgen.parse(dcgen.read(path), {k: str(v) for k, v in settings.items()}))


RELAY = Traffic("all-to-all", "all-to-all", scale_up="relay")
GPUS, REST = 576, 575
HAND = {
    # one SU of 576: 8 leaves of 72 ports down and 72 up, 18 to each of 4 spines; all rates 800
    "intact": (None, [], 800.0),
    "a spine: 54 of 72 uplinks for the 504 of 575 that leave the leaf": (None, ["backend/spine[spine=0]"], 800 * 54 / 72 * REST / 504),
    "a leaf: its 72 accelerators are cut off": (None, ["backend/leaf[su=0,rail=0,half=0]"], 0.0),
    "a NIC: its accelerator is cut off": (None, ["backend/compute-fabric-leaf[su=0,rack=0,tray=0,rail=0]"], 0.0),
    "a tray: nothing is lost to the others": (None, ["compute/tray[su=0,rack=0,tray=0]"], 800.0),
    "intact, relayed: the 71 others of the domain are reached inside it": (RELAY, [], 800 * REST / (GPUS - 72)),
    "a spine, relayed: only the 288 of the other half pass the spines": (RELAY, ["backend/spine[spine=0]"], 800 * REST / 504),
    "a leaf, relayed: each domain of its half has 54 of 72 ports left": (
        RELAY, ["backend/leaf[su=0,rail=0,half=0]"], 800 * 54 / 72 * REST / 504
    ),
    "a NIC, relayed: 71 ports for the 72 of its domain": (
        RELAY, ["backend/compute-fabric-leaf[su=0,rack=0,tray=0,rail=0]"], 800 * 71 / 72 * REST / 504
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", HAND)
def test_one_loss_on_a_scalable_unit_by_hand(what: str) -> None:
    traffic, lost, expected = HAND[what]
    found: Throughput = throughput(design_of("gb300-superpod"), "backend", traffic, lost)
    assert found.value == pytest.approx(expected, rel=1e-9)
    assert found.exact


def test_a_million_accelerators_by_hand() -> None:
    """3 tiers: relayed, only traffic inside the domain of 72 leaves the NICs alone."""
    n = 1_048_320
    design = design_of("million")
    assert throughput(design, "backend").value == pytest.approx(800, rel=1e-9)
    found = throughput(design, "backend", RELAY)
    assert found.value == pytest.approx(800 * (n - 1) / (n - 72), rel=1e-9)
    lost = throughput(design, "backend", RELAY, ["backend/leaf[pod=0,rail=0,block=0]"])
    assert lost.value == pytest.approx(600 * (n - 1) / (n - 72), rel=1e-9)


def test_a_lost_plane_halves_what_two_planes_carry() -> None:
    found = throughput(design_of("nvl72-dual-plane"), "backend", lost=["backend[plane=1]"])
    assert found.value == pytest.approx(400)


def test_a_rack_of_a_tapered_fabric_by_hand() -> None:
    """24,576 accelerators behind 7:1 cores: 16 × 7 × 4 links of 400 for each pod of 3,072, of which 7 in 8 send outside."""
    n = 24_576
    expected = 16 * 7 * 4 * 400 / 3072 * (n - 1) / (n - 3072)
    assert throughput(design_of("roce-24k"), "backend").value == pytest.approx(expected, rel=1e-9)
