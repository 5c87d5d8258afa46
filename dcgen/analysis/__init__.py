"""Turns a design into measures with units and findings; never prints, prices or draws."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dcgen.analysis.bandwidth import bisection, oversubscription, ports_used
from dcgen.analysis.collectives import collectives
from dcgen.analysis.counts import counts
from dcgen.analysis.expected import expected_throughput
from dcgen.analysis.failures import CLASSES
from dcgen.analysis.hops import hops
from dcgen.analysis.latency import latency
from dcgen.analysis.model import Analysis, Measure
from dcgen.analysis.power import power
from dcgen.analysis.reliability import reliability
from dcgen.analysis.requirements import QUESTIONS, judge
from dcgen.analysis.rules import OF_THE_WHOLE, RULES
from dcgen.analysis.throughput import paths, throughput
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic

METRICS: tuple[Callable[[Design], Iterator[Measure]], ...] = (
    counts,
    ports_used,
    oversubscription,
    bisection,
    throughput,
    paths,
    hops,
    latency,
    collectives,
    reliability,
    expected_throughput,
    power,
)


ON_FLOW = frozenset({"bisection", "throughput", "paths", "hops", "latency", "collectives", "expected_throughput"})
"""Metrics that work on graphs: what a quick check leaves out unless a requirement asks for it."""

YIELDS: dict[str, tuple[str, ...]] = {
    "bisection": ("bisection",),
    "collectives": ("collective_time", "bus_bandwidth"),
    "counts": ("gpus", "cpus", "nodes", "racks", "switches", "devices", "links", "cables", "scale_up_links"),
    "expected_throughput": ("expected_throughput", "expected_throughput_others"),
    "latency": ("latency", "propagation"),
    "oversubscription": ("oversubscription",),
    "ports_used": ("ports_used", "ports"),
    "power": tuple(f"power_{f}{of}" for f in ("max", "typical") for of in ("", "_compute", "_network", "_optics")),
    "throughput": ("throughput", "throughput_relayed", "throughput_routed"),
    "reliability": (
        "failures_per_year",
        *(f"failures_per_year_{c}" for c in CLASSES),
        "parts_down",
        "job_mttf",
        "checkpoint_interval",
        "goodput",
        "accelerators_cut_off",
    ),
}
"""Metric -> the measures that it yields, or the beginnings of their names; one that is not here yields measures of its own name."""


def analyse(design: Design, quick: bool = False) -> Analysis:
    """Every measure and every finding of a design, in a fixed order; `quick` leaves out the flows that nothing requires."""
    left_out = {m for m in ON_FLOW if m in QUESTIONS or not _required(design, m)} if quick else ()
    measures = tuple(m for metric in METRICS if metric.__name__ not in left_out for m in metric(design))
    partial = any(r.code == "slice" for r in design.remarks)
    rules = [r for r in RULES if not (partial and r in OF_THE_WHOLE)]
    found = [_allowed(design, f) for rule in rules for f in rule(design, measures)]
    findings = [*design.remarks, *found, *judge(design, measures)]
    return Analysis(design, measures, tuple(dict.fromkeys(findings)))


def _required(design: Design, metric: str) -> bool:
    """Whether a requirement asks for a measure of this metric."""
    return any(f"{r.measure}_".startswith(f"{begin}_") for r in design.requirements for begin in YIELDS.get(metric, (metric,)))


def _allowed(design: Design, finding: Diagnostic) -> Diagnostic:
    """A breach that the fabric's `allow:` accepts is information; the fabric is the subject's, or the one it was written in."""
    written = str(finding.origin[1]) if finding.origin[:1] == ("fabrics",) and len(finding.origin) > 1 else ""
    fabric = design.fabrics.get(finding.subject.split("/")[0]) or design.fabrics.get(written)
    return replace(finding, severity="info") if fabric and finding.code in fabric.allow else finding


__all__ = ["METRICS", "ON_FLOW", "YIELDS", "Analysis", "Measure", "analyse"]
