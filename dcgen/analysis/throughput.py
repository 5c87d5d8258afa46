"""How much every terminal gets through at once."""

from collections.abc import Iterator
from dataclasses import replace

from dcgen.analysis.model import Measure
from dcgen.design.model import Design, Traffic
from dcgen.parts import Node


def throughput(design: Design) -> Iterator[Measure]:
    """Rate that every sender gets at once when all send as the traffic says, links and switches used as well as can be [Gb/s].

    Of every fabric that reaches accelerators: all to all, and every traffic that is declared for it. An accelerator is a terminal
    where a node's ports divide among its accelerators, else the node is; no terminal passes on what is for others. A maximum
    concurrent flow: on the quotient by symmetry, else on equitable partitions of the links. `throughput_relayed` is the same with
    the links of the scale-up domain carrying their share and passing on for others, where the design describes such links.
    `throughput_routed` is all to all as the technology of the switches ordinarily routes it: an estimate. A traffic with rates is
    measured in multiples of them [1]. What cannot be solved in seconds has no such measure.
    """
    for fabric in asked(design):
        yield from _answer(design, fabric, None, "throughput")
        if any(f.kind == "scale-up" for f in design.fabrics.values()):
            yield from _answer(design, fabric, Traffic("all-to-all", "all-to-all", scale_up="relay"), "throughput_relayed")
        yield from _routed(design, fabric)
        for traffic in design.traffic:
            if traffic.fabric in ("", fabric):
                yield from _answer(design, fabric, traffic, "throughput")


def paths(design: Design) -> Iterator[Measure]:
    """Shortest ways between two terminals of a fabric that are as far apart as any, link by link: the path diversity [1].

    Every parallel link is a way of its own; of pairs that are equally far apart, the fewest ways. A fabric without cells, or with
    hundreds that nothing makes alike, has no such measure. The more ways, the less one lost link takes, and the more there is to be
    spread over.
    """
    from dcgen.analysis.flow import Question, Unanswerable
    from dcgen.analysis.flow.ways import shortest_ways

    for fabric in asked(design):
        try:
            found = shortest_ways(Question(design, fabric))
        except Unanswerable:
            continue
        if found is not None:
            yield Measure("paths", fabric, found[1], "1", f"shortest ways of {found[0]} links between terminals that are farthest apart")


def _routed(design: Design, fabric: str) -> Iterator[Measure]:
    from dcgen.analysis.flow.routing import technology

    ordinary = technology(design, fabric)
    traffic = Traffic("all-to-all", "all-to-all", routing=ordinary.way, share=ordinary.share or 1.0)
    for found in _answer(design, fabric, traffic, "throughput_routed"):
        yield replace(found, method=f"{ordinary.name}: {ordinary.source}; {found.method}", estimates=1)


def asked(design: Design) -> list[str]:
    """The fabrics whose throughput is asked for: those that reach accelerators, but for the scale-up domains inside racks."""
    out = []
    for name, fabric in design.fabrics.items():
        ends = {e.group for b in design.of(name) for e in b.ends if e.group not in fabric.tiers}
        computes = any(isinstance(p := design.part(g), Node) and p.accelerators for g in ends)
        if computes and fabric.kind != "scale-up":
            out.append(name)
    return out


def _answer(design: Design, fabric: str, traffic: Traffic | None, measure: str) -> Iterator[Measure]:
    from dcgen.analysis.flow import Question, Unanswerable
    from dcgen.analysis.flow.wording import said

    try:
        found = Question(design, fabric, traffic).ask()
    except Unanswerable:
        return  # a traffic over other fabrics
    subject = f"{fabric}/{traffic.name}" if traffic is not None and measure == "throughput" else fabric
    if found.value is not None:
        yield Measure(measure, subject, found.value, found.unit, said(found))
