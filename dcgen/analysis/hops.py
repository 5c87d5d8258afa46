"""How many switches lie between two node ports."""

from collections.abc import Iterator

from dcgen.analysis.bandwidth import with_terminals
from dcgen.analysis.model import Measure
from dcgen.design.model import Design
from dcgen.design.settle import NotSymbolic, by_port


def hops(design: Design) -> Iterator[Measure]:
    """Most switches passed between two node ports of a fabric that can reach each other, by a shortest way [1].

    Nodes do not forward: a port reaches another of its own node only through switches. The method lists the classes: how many
    other ports are one, three, five switches away, and how many cannot be reached at all.
    """
    from dcgen.design.witness import hop_classes

    for name, fabric in design.fabrics.items():
        bundles = with_terminals(design, fabric)
        if not fabric.field_cabled or not bundles or not fabric.tiers:
            continue
        ported, joins, ports = by_port(design, bundles)
        try:
            found = hop_classes(ported, joins, ports)
        except NotSymbolic:
            continue
        if reachable := {h: n for h, n in found.items() if h > 0}:
            said = "; ".join(
                f"{n:,} ports {'out of reach' if h < 0 else f'{h} switch' + ('es' if h > 1 else '') + ' away'}"
                for h, n in sorted(found.items())
            )
            yield Measure("hops", name, max(reachable), "1", f"{said}, on witnesses of settled cells")
