"""How many switches lie between two node ports."""

from collections.abc import Iterable, Iterator

from dcgen.analysis.bandwidth import with_terminals
from dcgen.analysis.model import Measure
from dcgen.design.lowering import NotSymbolic
from dcgen.design.model import Design, Join
from dcgen.design.rewrite import by_port


def hops(design: Design) -> Iterator[Measure]:
    """Most switches passed between two node ports of a fabric that can reach each other, by a shortest way [1].

    Nodes do not forward: a port reaches another of its own node only through switches. The method lists the classes: how many
    other ports are one, three, five switches away from the port that is farthest off, and how many cannot be reached at all. A
    design so irregular that walking its links would take minutes has no such measure.
    """
    for name, fabric in design.fabrics.items():
        bundles = with_terminals(design, fabric)
        if not fabric.field_cabled or not bundles or not fabric.tiers:
            continue
        ported, joins, ports = by_port(design, bundles)
        found, engine = _classes(ported, joins, ports)
        if reachable := {h: n for h, n in found.items() if h > 0}:
            said = "; ".join(
                f"{n:,} ports {'out of reach' if h < 0 else f'{h} switch' + ('es' if h > 1 else '') + ' away'}"
                for h, n in sorted(found.items())
            )
            yield Measure("hops", name, max(reachable), "1", f"{said}, {engine}")


def _classes(ported: Design, joins: tuple[Join, ...], ports: Iterable[str]) -> tuple[dict[int, int], str]:
    """(switches passed -> ports, how that was found); nothing where it would take too long."""
    from dcgen.design.witness import hop_classes

    try:
        return hop_classes(ported, joins, ports), "on witnesses of settled cells"
    except NotSymbolic:
        from dcgen.design.reach import TooManyStarts
        from dcgen.design.reach import hop_classes as walked
        from dcgen.design.refine import arcs

        try:
            return walked(arcs(ported, joins), ports), "walked over the links"
        except TooManyStarts:
            return {}, ""
