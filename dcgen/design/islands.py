"""Which coordinates a fabric never crosses."""

from dcgen.design.model import Design
from dcgen.design.settle import Lowering, NotSymbolic, by_port, divided


def islands(design: Design, fabric: str) -> dict[str, int]:
    """Digit -> coordinates, for every digit that all tiers have and all bundles agree on; node ports count as devices.

    Their product is the number of parts of the fabric that meet nowhere. Exact for whole regions; empty where a spread does not
    divide, since such a bundle crosses everything it spreads over.
    """
    here, bundles, _ = by_port(design, [b for b in design.of(fabric) if b.field_cabled])
    try:
        asked = tuple(divided(here, b) for b in bundles)
        names = dict.fromkeys(e.group for b in asked for e in b.ends)
        low = Lowering({n: here.groups[n] for n in names}, asked)
    except NotSymbolic:
        return {}
    classes: dict[tuple[str, str, int], set[str]] = {}
    sizes: dict[tuple[str, str, int], tuple[str, int]] = {}
    for n in names:
        for axis in here.groups[n].sizes:
            for stride, size in zip(low.levels(n, axis), low.sizes(n, axis), strict=True):
                root = low.root((n, axis, stride))
                classes.setdefault(root, set()).add(n)
                sizes[root] = (axis, max(size, sizes.get(root, ("", 0))[1]))
    out: dict[str, int] = {}
    for root, groups in classes.items():
        axis, size = sizes[root]
        if groups == set(names) and size > 1:
            out[axis] = out.get(axis, 1) * size
    return out
