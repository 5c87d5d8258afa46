"""Which coordinates a fabric never crosses, and how many parts of it never meet."""

from dataclasses import replace

from dcgen.design.lowering import Lowering, NotSymbolic, SubAxis
from dcgen.design.model import Design, Join
from dcgen.design.rewrite import by_port, divided
from dcgen.design.settle import MOST_BUNDLES


def parts_apart(design: Design, fabric: str) -> int:
    """Parts of a fabric, each with a linked node port, between which no way through switches leads. Exact for any wiring."""
    from dcgen.design.witness import parts_apart as on_witnesses

    here, joins, ports = by_port(design, [b for b in design.of(fabric) if b.field_cabled])
    ends = list(ports or dict.fromkeys(b.a.group for b in joins))
    try:
        return on_witnesses(here, joins, ends)
    except NotSymbolic:
        from dcgen.design.reach import parts_apart as on_links
        from dcgen.design.refine import arcs

        return on_links(arcs(here, joins), ends)


def islands(design: Design, fabric: str) -> dict[str, int]:
    """Digit -> coordinates, for every digit that all tiers have and all bundles agree on; node ports count as devices.

    Their product is the number of parts of the fabric that meet nowhere. Exact for whole regions; where a spread does not divide,
    such a bundle is taken to cross everything it spreads over.
    """
    here, bundles, _ = by_port(design, [b for b in design.of(fabric) if b.field_cabled])
    try:
        if len(bundles) > MOST_BUNDLES:
            return {}
        asked = tuple(_crossing(divided(here, b)) for b in bundles)
        names = dict.fromkeys(e.group for b in asked for e in b.ends)
        low = Lowering({n: here.groups[n] for n in names}, asked)
    except NotSymbolic:
        return {}
    found: dict[SubAxis, list[SubAxis]] = {}
    sizes: dict[SubAxis, int] = {}
    for n in names:
        for box in low.boxes(n, here.groups[n].full):
            sizes.update({sub: max(r.stop, sizes.get(sub, 0)) for sub, r in box.items()})
    for sub in sizes:
        found.setdefault(low.root(sub), []).append(sub)
    agreed = [{low.root(x) for d in join.on for x, _ in low.pairs(join, d)} for join in asked]
    out: dict[str, int] = {}
    for root, subs in found.items():
        size = min(sizes[sub] for sub in subs)
        if size > 1 and len(subs) == len(names) and all(root in roots for roots in agreed):
            axis = subs[-1][1]
            out[axis] = out.get(axis, 1) * size
    return out


def _crossing(join: Join) -> Join:
    """The bundle with every member of a spread reached by all that agree with it otherwise."""
    a, b = (replace(e, spread=None, order=None) if e.spread else e for e in join.ends)
    return replace(join, a=a, b=b)
