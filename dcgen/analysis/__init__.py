"""Turns a design into measures with units and findings; never prints, prices or draws."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from dcgen.analysis.bandwidth import bisection, oversubscription, ports_used
from dcgen.analysis.counts import counts
from dcgen.analysis.hops import hops
from dcgen.analysis.model import Analysis, Measure
from dcgen.analysis.power import power
from dcgen.analysis.requirements import judge
from dcgen.analysis.rules import OF_THE_WHOLE, RULES
from dcgen.design.model import Design
from dcgen.diagnostics import Diagnostic

METRICS: tuple[Callable[[Design], Iterator[Measure]], ...] = (
    counts,
    ports_used,
    oversubscription,
    bisection,
    hops,
    power,
)


ON_FLOW = frozenset({"bisection", "hops"})
"""Metrics that work on graphs: what a quick check leaves out unless a requirement asks for it."""


def analyse(design: Design, quick: bool = False) -> Analysis:
    """Every measure and every finding of a design, in a fixed order; `quick` leaves out the flows that nothing requires."""
    left_out = ON_FLOW - {r.measure for r in design.requirements} if quick else ()
    measures = tuple(m for metric in METRICS if metric.__name__ not in left_out for m in metric(design))
    partial = any(r.code == "slice" for r in design.remarks)
    rules = [r for r in RULES if not (partial and r in OF_THE_WHOLE)]
    found = [_allowed(design, f) for rule in rules for f in rule(design, measures)]
    findings = [*design.remarks, *found, *judge(design, measures)]
    return Analysis(design, measures, tuple(dict.fromkeys(findings)))


def _allowed(design: Design, finding: Diagnostic) -> Diagnostic:
    """A breach that the fabric's `allow:` accepts is information; the fabric is the subject's, or the one it was written in."""
    written = str(finding.origin[1]) if finding.origin[:1] == ("fabrics",) and len(finding.origin) > 1 else ""
    fabric = design.fabrics.get(finding.subject.split("/")[0]) or design.fabrics.get(written)
    return replace(finding, severity="info") if fabric and finding.code in fabric.allow else finding


__all__ = ["METRICS", "ON_FLOW", "Analysis", "Measure", "analyse"]
