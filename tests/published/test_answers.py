"""Latency, collectives and reliability against figures that others printed."""

from math import comb, exp, factorial
from pathlib import Path
from typing import Any

import pytest
import yaml

from dcgen.analysis import exchange
from dcgen.analysis.delay import MEASURED, codewords_ns, propagation_ns, serialization_ns
from dcgen.analysis.failures import Exposure, spares
from dcgen.analysis.reliability import daly_interval, expected_bandwidth, goodput, job_mttf_h
from dcgen.catalog import Shelf
from dcgen.parts import Accelerator
from tests.cases.support import analysed, value

ANSWERS = yaml.safe_load((Path(__file__).parent / "answers.yaml").read_text(encoding="utf-8"))


def row_of(topic: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(v for v in ANSWERS[topic] if v["id"] == name)
    return found


def rows(topic: str, name: str) -> list[tuple[Any, ...]]:
    entry = row_of(topic, name)
    return [(*r, entry.get("within", 0)) for r in entry["rows"]]


def test_every_figure_is_asked() -> None:
    said = Path(__file__).read_text(encoding="utf-8")
    assert [v["id"] for topic in ANSWERS.values() for v in topic if f'"{v["id"]}"' not in said] == []


# ------------------------------------------------------------------ latency
@pytest.mark.parametrize(("metres", "us", "within"), rows("latency", "light in fibre"))
def test_light_in_fibre(metres: float, us: float, within: float) -> None:
    assert propagation_ns(metres) / 1000 == pytest.approx(us, rel=within)


@pytest.mark.parametrize(("km", "ms", "within"), rows("latency", "round trip"))
def test_round_trip(km: float, ms: float, within: float) -> None:
    assert 2 * propagation_ns(km * 1000) / 1e6 == pytest.approx(ms, rel=within)


@pytest.mark.parametrize(("bits", "gbps", "ns", "within"), rows("latency", "codewords"))
def test_codewords(bits: float, gbps: float, ns: float, within: float) -> None:
    assert codewords_ns(bits, gbps) == pytest.approx(ns, rel=within)


@pytest.mark.parametrize(("size", "gbps", "ns", "within"), rows("latency", "serialization"))
def test_serialization(size: float, gbps: float, ns: float, within: float) -> None:
    assert serialization_ns(size, gbps) == pytest.approx(ns, rel=within)


@pytest.mark.parametrize(("technology", "same", "cross", "each", "within"), rows("latency", "hops"))
def test_hops(technology: str, same: float, cross: float, each: float, within: float) -> None:
    hop = MEASURED[technology]
    assert hop.switch_ns / 1000 == pytest.approx(each, abs=within)
    assert (hop.ends_ns + hop.switch_ns) / 1000 == pytest.approx(same)
    assert (hop.ends_ns + 3 * hop.switch_ns) / 1000 == pytest.approx(cross)


@pytest.mark.parametrize(("part", "technology"), [("qm9700", "infiniband"), ("sn5600", "ethernet")])
def test_a_design_without_cables_to_speak_of_gives_the_measured_figures(part: str, technology: str) -> None:
    """1 mm of cable, and where the switch has no figure of its own, what is left is the measurement, same leaf and across."""
    text = f"""
racks: {{compute: {{part: dgx-h100, axes: {{su: 2, node: 8}}}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: {part}, per: [su, rail], length: 1 mm}}, spine: {{part: {part}, length: 1 mm}}}}
"""
    analysis, hop = analysed(text), MEASURED[technology]
    known = analysis.design.parts[part].latency_ns  # type: ignore[attr-defined]
    for tier, measured, switches in (("leaf", hop.same_leaf_ns, 1), ("spine", hop.cross_leaf_ns, 3)):
        if known is None:
            assert value(analysis, "latency_one_way", f"backend/{tier}") == pytest.approx(measured, abs=2)
        else:
            each = known.value + 10880 / 425 + 37
            assert value(analysis, "latency_one_way", f"backend/{tier}") == pytest.approx(hop.ends_ns + switches * each, abs=2)


# ------------------------------------------------------------------ collectives
@pytest.mark.parametrize(("op", "ranks", "factor", "within"), rows("collectives", "bus factor"))
def test_bus_factor(op: str, ranks: int, factor: float, within: float) -> None:
    assert exchange.bus_factor(op, ranks) == pytest.approx(factor, rel=within)


@pytest.mark.parametrize(("size", "us", "plain", "bus", "within"), rows("collectives", "GB200 NVL72"))
def test_bus_bandwidth_from_time(size: int, us: float, plain: float, bus: float, within: float) -> None:
    assert exchange.bus_bandwidth("all-reduce", 72, size, us * 1000) == pytest.approx(bus, rel=within)
    assert size / us / 1000 == pytest.approx(plain, rel=within)


@pytest.mark.parametrize(
    ("ranks", "plain", "bus", "within"), [*rows("collectives", "GB200 partitions"), *rows("collectives", "H100 in-network")]
)
def test_bus_bandwidth_from_plain(ranks: int, plain: float, bus: float, within: float) -> None:
    assert plain * exchange.bus_factor("all-reduce", ranks) == pytest.approx(bus, rel=within)


@pytest.mark.parametrize(("size", "us", "plain", "bus", "within"), rows("collectives", "GB200 NVL72"))
def test_a_rack_gives_the_times_that_were_measured_on_one(size: int, us: float, plain: float, bus: float, within: float) -> None:
    analysis = analysed(f"racks: {{c: {{part: gb200-nvl72}}}}\ncollectives: {{x: {{op: all-reduce, over: c, size: {size} B}}}}")
    assert value(analysis, "collective_time", "x") == pytest.approx(us * 1000)
    assert value(analysis, "bus_bandwidth", "x") == pytest.approx(bus, rel=within)


@pytest.mark.parametrize(("each", "nodes", "us", "within"), rows("collectives", "tuner ring"))
def test_ring_of_the_tuner(each: int, nodes: int, us: float, within: float) -> None:
    assert exchange.ring_ns("all-reduce", each, nodes, 0, 1, 1, exchange.OUTER_STEP_NS) / 1000 == pytest.approx(us, abs=0.05)


@pytest.mark.parametrize(("part", "op", "ranks", "size", "ms", "within"), rows("collectives", "measured lines"))
def test_lines_are_near_what_was_measured(part: str, op: str, ranks: int, size: int, ms: float, within: float) -> None:
    found = Shelf().get(part)
    assert isinstance(found, Accelerator)
    line = next(m for m in found.collectives if (m.op, m.ranks) == (op, ranks))
    ns = exchange.line_ns(line, ranks, size)
    assert ns is not None
    assert ns / 1e6 == pytest.approx(ms, rel=within)


@pytest.mark.parametrize(("part", "card", "inner", "more", "within"), rows("collectives", "rail-only"))
def test_rails_that_never_meet_wait_for_the_domain(part: str, card: float, inner: float, more: float, within: float) -> None:
    """What leaves the domain passes it once more, after the network and not beside it: more by card rate / scale-up rate."""
    assert card / inner == pytest.approx(more, rel=within)
    if part == "H100":
        text = """
racks: {{c: {{part: dgx-h100, axes: {{node: 16}}}}}}
fabrics: {{b: {{kind: clos, serves: c.fabric, leaf: {{part: qm9700, per: rail}}{}}}}}
collectives: {{x: {{op: all-to-all, over: c, size: 16 GiB}}}}
"""
        met, apart = (value(analysed(text.format(spine)), "collective_time", "x") for spine in (", spine: {part: qm9700}", ""))
        shares = exchange.OUTER_SHARE / exchange.INNER_SHARE
        assert apart / met - 1 == pytest.approx(shares * card / inner, rel=0.001)


def test_planes_cost_an_all_to_all_nothing() -> None:
    """One card of 800G, or the same in two planes: 0.1 % apart as measured (arXiv 2505.09343, Table 4), equal here but for steps."""
    times = []
    for per in ("[rail]", "[plane, rail]"):
        node = "hgx-b300-dual-plane"
        analysis = analysed(f"""
racks: {{c: {{part: {node}, axes: {{node: 16}}}}}}
fabrics: {{b: {{kind: clos, serves: c.fabric, leaf: {{part: sn5610, per: {per}}}, spine: {{part: sn5610{", per: plane" if "plane" in per else ""}}}}}}}
collectives: {{x: {{op: all-to-all, over: c, size: 1 GiB}}}}
""")
        times.append(value(analysis, "collective_time", "x"))
    assert times[0] == pytest.approx(times[1], rel=0.001)


@pytest.mark.parametrize(("rate", "us", "within"), rows("collectives", "expert parallel"))
def test_expert_parallel_traffic_at_line_rate(rate: float, us: float, within: float) -> None:
    """Bytes over rate, every byte over the network: what an all-to-all tends to when domains are many and steps are free."""
    size = (1 + 2) * 32 * 9 * 7000
    assert serialization_ns(size, 8 * rate) / 1000 == pytest.approx(us, rel=within)


# ------------------------------------------------------------------ reliability
def test_interruptions_of_a_published_job() -> None:
    case = row_of("reliability", "Llama 3")
    given, out = case["in"], case["out"]
    hours = given["days"] * 24
    rate = given["events"] / (given["accelerators"] / 8 * given["days"]) * 1000
    assert rate == pytest.approx(out["per_1000_node_days"], rel=case["within"])
    assert job_mttf_h(given["accelerators"] // 8, rate) == pytest.approx(out["mttf_h"], rel=case["within"])
    one = Exposure("nics", "x", given["accelerators"], out["network_fit"], False, "", "")
    assert one.per_hour * hours == pytest.approx(given["network"], rel=case["within"])


@pytest.mark.parametrize(("accelerators", "hours", "within"), rows("reliability", "job"))
def test_time_between_interruptions(accelerators: int, hours: float, within: float) -> None:
    assert job_mttf_h(accelerators // 8, 6.5) == pytest.approx(hours, rel=within)


@pytest.mark.parametrize(("nodes", "rate", "restart", "interval", "write", "share", "within"), rows("reliability", "goodput"))
def test_goodput(nodes: int, rate: float, restart: float, interval: float, write: float, share: float, within: float) -> None:
    found, _ = goodput(job_mttf_h(nodes, rate), interval, write, restart)
    assert found == pytest.approx(share, abs=within)


@pytest.mark.parametrize(("mttf", "write", "interval", "within"), rows("reliability", "Daly"))
def test_checkpoint_interval(mttf: float, write: float, interval: float, within: float) -> None:
    assert daly_interval(mttf, write / 3600) == pytest.approx(interval, rel=within)


def test_links_of_a_published_pod() -> None:
    case = row_of("reliability", "HPN")
    given, out = case["in"], case["out"]
    for what in ("link", "leaf"):
        assert given[what] / given["hours"] * 1e9 == pytest.approx(out[f"{what}_fit"], rel=case["within"])
    links = Exposure("cables", "x", 3072, out["link_fit"], False, "", "")
    assert links.per_hour * given["hours"] == pytest.approx(out["job_of_3072"], rel=case["within"])
    assert Shelf().get("sn5600").failure_rate_fit.value == pytest.approx(out["leaf_fit"], rel=case["within"])  # type: ignore[union-attr]


@pytest.mark.parametrize(("hours", "fit", "within"), rows("reliability", "mean time and rate"))
def test_a_rate_is_one_over_a_mean_time(hours: float, fit: float, within: float) -> None:
    assert 1 / Exposure("optics", "x", 1, fit, False, "", "").per_hour == pytest.approx(hours, rel=within)


@pytest.mark.parametrize(("millions", "a_day", "within"), rows("reliability", "failures a day"))
def test_failures_a_day(millions: float, a_day: float, within: float) -> None:
    assert Exposure("optics", "x", 600_000, 1000 / millions, False, "", "").per_hour * 24 == pytest.approx(a_day, rel=within)


@pytest.mark.parametrize(("mean", "level", "stock", "_"), rows("reliability", "spares"))
def test_spares(mean: float, level: float, stock: int, _: float) -> None:
    assert spares(mean, level) == stock


@pytest.mark.parametrize("mean", [0.01, 0.7, 3, 12, 40])
@pytest.mark.parametrize("level", [0.5, 0.9, 0.99, 0.9999])
def test_spares_are_the_least_that_suffice(mean: float, level: float) -> None:
    def covered(stock: int) -> float:
        return sum(exp(-mean) * mean**k / factorial(k) for k in range(stock + 1))

    found = spares(mean, level)
    assert covered(found) >= level
    assert found == 0 or covered(found - 1) < level


def test_expected_bandwidth_by_every_state() -> None:
    """Three things that may be gone, each its own cut: the mean over all eight states, of which the worst loss decides."""
    losses = [(60.0, 0.1), (30.0, 0.02), (80.0, 0.3)]
    mean = 0.0
    for state in range(8):
        gone = [(b, u) for i, (b, u) in enumerate(losses) if state >> i & 1]
        share = 1.0
        for i, (_, u) in enumerate(losses):
            share *= 1 - exp(-u) if state >> i & 1 else exp(-u)
        mean += share * min([100.0, *(b for b, _ in gone)])
    assert comb(3, 1) == len(losses)
    assert expected_bandwidth(100.0, [(b, 1, u) for b, u in losses]) == pytest.approx(mean, rel=1e-12)


def test_five_losses_apart_are_no_worse_than_one() -> None:
    """One card of 147,456 gone or five in different domains: 789.27 of 800.39 Gb/s either way; a sum over cards would say less."""
    once = expected_bandwidth(800.38539, [(789.26892, 1, 1e9)])
    assert once == pytest.approx(789.26892)
    assert expected_bandwidth(800.38539, [(789.26892, 5, 1e9)]) == pytest.approx(once)
