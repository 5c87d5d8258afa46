"""Latency, collectives and reliability of designs: what must hold whatever the figures are."""

from dataclasses import replace
from math import log2

import pytest

import dcgen
from dcgen.analysis import Analysis
from dcgen.analysis.delay import FIBRE_NS_PER_M, MEASURED, fec_ns
from dcgen.analysis.exchange import OUTER_STEP_NS, between_points_ns, bus_factor, ring_ns
from dcgen.analysis.failures import HOURS_A_YEAR, exposures
from dcgen.analysis.glossary import entries
from dcgen.analysis.latency import percentile, routes
from dcgen.analysis.reliability import expected_bandwidth, goodput
from dcgen.design import Design
from dcgen.design.save import dump, load
from dcgen.parts import Nic
from dcgen.parts.base import TimeFigure
from dcgen.parts.collective import Point
from dcgen.tables import failure_table
from tests.cases.support import analysed, value

H100 = """
racks: {{compute: {{part: dgx-h100, axes: {{su: 2, node: {nodes}}}}}}}
fabrics:
  backend: {{kind: clos, serves: compute.fabric, leaf: {{part: {part}, per: [su, rail]}}, spine: {{part: {part}, length: {far}}}}}
collectives: {{x: {{op: {op}, over: {over}, size: {size}, algorithm: {by}}}}}
"""


def h100(
    part: str = "qm9700",
    nodes: int = 32,
    far: str = "50 m",
    op: str = "all-reduce",
    over: str = "compute",
    size: str = "8 GiB",
    by: str = "auto",
    more: str = "",
) -> Analysis:
    return analysed(H100.format(part=part, nodes=nodes, far=far, op=op, over=over, size=size, by=by) + more)


# ------------------------------------------------------------------ latency
@pytest.mark.parametrize("name", ["gb300-superpod", "hgx-dual-plane", "two-stripes", "hpn-pod", "h100-superpod-16su"])
def test_every_pair_of_ports_is_of_one_kind(name: str) -> None:
    analysis = analysed(f"blueprints/{name}.yaml")
    found = routes(analysis.design, "backend")
    assert found is not None
    ports = sum(
        m.value for m in analysis.measures if m.measure == "links" and m.subject.endswith("-leaf") and m.subject.startswith("backend/")
    )
    assert sum(r.pairs for r in found.kinds) + found.local + found.apart == ports * (ports - 1)
    assert max(r.switches for r in found.kinds) == value(analysis, "hops", "backend")
    figures = [value(analysis, f"latency_{w}_one_way", "backend") for w in ("p50", "p95", "p99", "max")]
    assert figures == sorted(figures)
    assert min(r.latency_ns for r in found.kinds) <= value(analysis, "latency_mean_one_way", "backend") <= figures[-1]


@pytest.mark.parametrize(("metres", "text"), [(100, "100 m"), (500, "500 m"), (1000, "1 km"), (10_000, "10 km")])
def test_a_campus_adds_its_light_and_nothing_else(metres: float, text: str) -> None:
    near, far = h100(), h100(far=text)
    more = 2 * (metres - 50) * FIBRE_NS_PER_M
    for measure, subject in (
        ("latency_one_way", "backend/spine"),
        ("latency_max_one_way", "backend"),
        ("propagation_max_one_way", "backend"),
    ):
        assert value(far, measure, subject) - value(near, measure, subject) == pytest.approx(more)
    assert value(far, "latency_one_way", "backend/leaf") == value(near, "latency_one_way", "backend/leaf")


def test_a_written_length_is_no_guess() -> None:
    assumed, stated = (
        analysed(
            H100.replace("per: [su, rail]", "per: [su, rail]" + more).format(
                part="qm9700", nodes=8, far="50 m", op="all-gather", over="compute", size="1 GB", by="auto"
            )
        )
        for more in ("", ", length: 30 m")
    )
    one, other = (a.get("latency_max_one_way", "backend") for a in (assumed, stated))
    assert one
    assert other
    assert (one.value, one.estimates - other.estimates) == (other.value, 1)


def test_figures_of_both_cards_replace_the_measured_ends() -> None:
    design = h100(part="sn5600").design
    before = value(dcgen.analyse(design), "latency_one_way", "backend/leaf")
    card = design.parts["connectx-7"]
    assert isinstance(card, Nic)
    known = card.model_copy(update={"latency_ns": TimeFigure(value=600)})
    after = dcgen.analyse(replace(design, parts={**design.parts, "connectx-7": known})).get("latency_one_way", "backend/leaf")
    assert after
    assert before - after.value == pytest.approx(MEASURED["ethernet"].ends_ns - 1200 - fec_ns(400))
    assert "both ends by their parts" in after.method


def test_percentiles_are_the_first_that_so_many_do_not_exceed() -> None:
    found = routes(h100(nodes=32).design, "backend")
    assert found is not None
    leaf, spine = found.kinds
    total = leaf.pairs + spine.pairs
    assert (leaf.turn, spine.turn) == ("backend/leaf", "backend/spine")
    assert (leaf.pairs, found.local) == (512 * 31, 512 * 7)
    assert percentile((replace(leaf, pairs=50), replace(spine, pairs=50)), 50).turn == "backend/leaf"
    assert percentile((replace(leaf, pairs=49), replace(spine, pairs=51)), 50).turn == "backend/spine"
    assert total == 512 * 504


def test_slow_fabrics_and_nodes_without_accelerators_have_no_latency() -> None:
    analysis = analysed("""
racks: {compute: {part: dgx-h100, axes: {node: 8}}}
fabrics: {oob: {kind: clos, serves: compute.bmc, leaf: {part: sn2201}}}
""")
    assert not [m for m in analysis.measures if m.measure.startswith("latency")]


# ------------------------------------------------------------------ collectives
def test_auto_takes_the_fastest_that_is_possible() -> None:
    times = {by: h100(by=by).get("collective_time", "x") for by in ("auto", "ring", "tree", "hierarchical", "in-network")}
    named = [m.value for by, m in times.items() if m and by != "auto"]
    assert len(named) == 4
    assert times["auto"]
    assert times["auto"].value == min(named)


def test_switches_that_do_not_add_up_cannot_be_asked_to() -> None:
    analysis = h100(part="sn5600", by="in-network")
    assert analysis.get("collective_time", "x") is None
    assert [f.code for f in analysis.findings if f.severity == "error"] == ["collective-impossible"]


@pytest.mark.parametrize("op", ["all-reduce", "all-gather", "reduce-scatter", "all-to-all"])
def test_more_data_and_more_distance_take_longer_and_bus_bandwidth_stays_below_the_line(op: str) -> None:
    sizes = [value(h100(op=op, size=s), "collective_time", "x") for s in ("1 MiB", "64 MiB", "1 GiB", "16 GiB")]
    assert sizes == sorted(sizes)
    near, far = (value(h100(op=op, size="1 MiB", far=f), "collective_time", "x") for f in ("50 m", "10 km"))
    assert far - near >= 2 * 9950 * FIBRE_NS_PER_M - 0.01
    assert value(h100(op=op, size="16 GiB"), "bus_bandwidth", "x") < 450


def test_distance_counts_once_for_every_step_over_the_network() -> None:
    near, far = (value(h100(by="ring", far=f), "collective_time", "x") for f in ("50 m", "10 km"))
    assert far - near == pytest.approx(2 * 63 * 2 * 9950 * FIBRE_NS_PER_M)
    near, far = (value(h100(by="tree", far=f), "collective_time", "x") for f in ("50 m", "10 km"))
    assert far - near == pytest.approx(2 * log2(64) * 2 * 9950 * FIBRE_NS_PER_M)


def test_ranks_are_counted_once_however_they_are_named() -> None:
    twice = h100(over='["compute[su=0]", "compute[node=0..3]"]').get("collective_time", "x")
    assert twice
    assert "on 288 ranks, 8 in each of 36 domains" in twice.method  # 32 nodes of one unit, 4 more of the other


def test_a_rack_is_one_domain_and_a_part_of_it_a_smaller_one() -> None:
    text = "racks: {{c: {{part: gb200-nvl72, axes: {{rack: 2}}}}}}\ncollectives: {{x: {{op: all-reduce, over: {}, size: 1 GiB}}}}"
    whole, half = (analysed(text.format(over)).get("collective_time", "x") for over in ('"c[rack=0]"', '"c/tray[rack=0,tray=0..8]"'))
    assert whole
    assert half
    assert "72 ranks, one domain" in whole.method
    assert "36 ranks, one domain" in half.method
    assert "by measured points" in whole.method
    assert "by a measured line" in half.method


def test_between_points_it_is_straight_on_logarithmic_scales() -> None:
    points = [Point(size=10**6, time=1000.0), Point(size=10**8, time=100_000.0)]
    assert between_points_ns(points, 10**7) == pytest.approx(10_000)
    assert between_points_ns(points, 10**6) == 1000
    assert between_points_ns(points, 10**5) is None
    assert between_points_ns(points, 10**9) is None


def test_a_ring_in_one_domain_never_leaves_it() -> None:
    assert ring_ns("all-reduce", 8, 1, 10**9, 370, 0, OUTER_STEP_NS) == pytest.approx(
        8400 + 14 * 3400 + 10**9 * bus_factor("all-reduce", 8) / 370
    )


def test_an_unknown_scale_up_rate_makes_a_lower_bound() -> None:
    analysis = analysed("racks: {c: {part: amd-8x-mi300x}}\ncollectives: {x: {op: all-reduce, over: c, size: 1 GiB}}")
    time, rate = (analysis.get(m, "x") for m in ("collective_time", "bus_bandwidth"))
    assert time
    assert rate
    assert (time.at_least, rate.at_most) == (True, True)


def test_collectives_and_upkeep_are_saved_with_the_design() -> None:
    design = h100(more="reliability: {repair: 4 h, level: 95 %, per_1000_node_days: 2.34}\n").design
    assert load(dump(design)) == design
    assert (design.upkeep.repair_ns, design.upkeep.per_1000_node_days) == (4 * 3600e9, 2.34)


def test_a_slice_asks_only_for_what_is_in_it() -> None:
    one = dcgen.analyse(dcgen.only(h100().design, "su=0")).get("collective_time", "x")
    assert one
    assert "on 256 ranks" in one.method
    assert dcgen.analyse(dcgen.only(h100(over='"compute[su=1]"').design, "su=0")).get("collective_time", "x") is None


def test_a_check_leaves_out_what_walks_unless_it_is_required() -> None:
    def quick(more: str) -> set[str]:
        return {m.measure.split("_")[0] for m in dcgen.analyse(h100(more=more).design, quick=True).measures}

    assert not {"latency", "propagation", "collective", "bus"} & quick("")
    assert "latency" in quick("require: ['latency(backend, p99, one_way) <= 5 us']\n")
    assert "bus" in quick("require: ['bus_bandwidth(x) >= 1 GB/s']\n")
    assert "propagation" in quick("require: ['propagation_max_one_way(backend) <= 5 us']\n")


def test_measures_can_be_explained() -> None:
    words = {word for sort, word, *_ in entries() if sort == "measures"}
    assert {
        "latency",
        "propagation",
        "collective_time",
        "bus_bandwidth",
        "failures_per_year",
        "job_mttf",
        "goodput",
        "expected_throughput",
    } <= words


# ------------------------------------------------------------------ reliability
def dual(plane: str) -> Design:
    return analysed(f"""
racks: {{c: {{part: hgx-b300-dual-plane, axes: {{node: 16}}}}}}
fabrics: {{b: {{kind: clos, serves: c.fabric, leaf: {{part: sn5610, per: [{plane}rail]}}, spine: {{part: sn5610{", per: plane" if plane else ""}}}}}}}
""").design


def test_failures_add_up_over_classes_parts_and_the_table() -> None:
    analysis = h100()
    total = value(analysis, "failures_per_year")
    assert total == pytest.approx(sum(m.value for m in analysis.measures if m.measure.startswith("failures_per_year_")))
    rows = failure_table(analysis.design).frame().to_dicts()
    assert total == pytest.approx(sum(r["failures_per_year"] or 0 for r in rows), rel=1e-5)
    site = analysis.get("failures_per_year", "site")
    assert site
    assert site.unknown == sum(r["count"] for r in rows if r["failures_per_year"] is None) > 0
    assert {r["spares"] is None for r in rows if r["failures_per_year"] is None} == {True}


def test_by_hand_for_one_node_on_one_leaf() -> None:
    """8 accelerators 12,621 FIT, a node 5,275, 8 cards 330, 4 + 4 twin optics 1,000, a leaf 699; cables are unknown."""
    analysis = analysed("""
racks: {c: {part: dgx-h100}}
fabrics: {b: {kind: clos, serves: c.fabric, leaf: {part: qm9700}}}
""")
    fit = 8 * 12_621 + 5275 + 8 * 330 + 8 * 1000 + 699
    assert value(analysis, "failures_per_year") == pytest.approx(fit * HOURS_A_YEAR / 1e9, rel=1e-6)
    assert value(analysis, "job_mttf") == pytest.approx(1e9 / fit * 3600e9)
    lost = 1 - (1 - 24 * 330e-9 / (1 + 24 * 330e-9)) * (1 - 24 * 699e-9 / (1 + 24 * 699e-9)) * (1 - 24e-6 / (1 + 24e-6)) ** 2
    assert value(analysis, "accelerators_cut_off", "b") == pytest.approx(8 * lost, rel=1e-6)


def test_a_second_home_turns_what_a_leaf_costs_into_its_square() -> None:
    """Both ports of a card leave through one transceiver here, so that card and transceiver stay, and leaf and far optic go in pairs."""
    one, two = (dcgen.analyse(dual(p)) for p in ("", "plane, "))
    leaf, optic, card = (24 * f * 1e-9 / (1 + 24 * f * 1e-9) for f in (699, 1000, 330))
    way = 1 - (1 - leaf) * (1 - optic)
    near = 1 - (1 - card) * (1 - optic)
    assert value(one, "accelerators_cut_off", "b") == pytest.approx(128 * (1 - (1 - near) * (1 - way)), rel=1e-6)
    assert value(two, "accelerators_cut_off", "b") == pytest.approx(128 * (1 - (1 - near) * (1 - way**2)), rel=1e-6)
    assert value(two, "job_mttf") > value(one, "job_mttf")
    assert sum(e.vital for e in exposures(dual("plane, ")) if e.kind == "switches") == 0


def test_a_measured_rate_of_interruptions_stands_in_for_the_parts() -> None:
    analysis = h100(more="reliability: {per_1000_node_days: 6.5}\n")
    found = analysis.get("job_mttf", "site")
    assert found
    assert (found.unknown, found.value) == (0, pytest.approx(24_000 / (64 * 6.5) * 3600e9))


def test_goodput_by_both_expressions_meets_where_little_is_lost() -> None:
    first, said = goodput(1000.0, 10.0, 0.5, 1.0)
    assert said == "first order"
    assert first == pytest.approx(10 / (1000 * 2.718281828 ** (1 / 1000) * (2.718281828 ** (10.5 / 1000) - 1)), rel=1e-3)
    assert goodput(1.0, 1000.0, 0.5, 1.0)[0] == 0
    assert 0 < goodput(10.0, 10.0, 0.5, 1.0)[0] < 1


def test_expected_throughput_lies_between_the_worst_and_the_intact() -> None:
    analysis = analysed("blueprints/gb300-superpod.yaml")
    everyone, others = (analysis.get(f"expected_throughput{w}", "backend") for w in ("", "_others"))
    assert everyone
    assert others
    assert 0 < everyone.value < others.value < value(analysis, "throughput", "backend") == 800
    spine = 4 * 24 * 699e-9 / (1 + 24 * 699e-9)
    assert others.value == pytest.approx(expected_bandwidth(800, [(684.5238095, 1, spine)]), rel=1e-6)
    assert everyone.at_most
