"""What the design is made of, part by part: the one count that the BOM, power and cost all read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dcgen.design.model import Design
from dcgen.design.sockets import occupied_cages
from dcgen.design.wiring import links
from dcgen.parts import Rack


@dataclass(frozen=True, slots=True)
class Item:
    """So many of a part. `role` is compute, network, optics, cable, rack or rest; `where` is the group or bundle they belong to.

    `body_typical_w` and `body_max_w` [W] are what one draws, without optics that are counted apart; None is unknown, or, when
    `covered`, part of the published power of the rack it stands in.
    """

    part: str
    quantity: int
    role: Literal["compute", "network", "optics", "cable", "rack", "rest"]
    where: str
    body_typical_w: float | None
    body_max_w: float | None
    estimate: bool
    length_m: float | None = None
    covered: bool = False


def inventory(design: Design) -> Iterator[Item]:
    """Every part that is bought, in the order groups then bundles were laid out.

    A rack that is bought whole draws its published figure: the rack's own line carries what that leaves over its contents.
    """
    for name, group in design.groups.items():
        if not group.count:
            continue
        part = design.parts[group.part]
        if isinstance(part, Rack):
            typical, most, estimate = _shell(design, part)
            yield Item(group.part, group.count, "rack", name, typical, most, estimate)
            continue
        (typical, a), (most, b) = part.body_w("typical"), part.body_w("max")
        covered = bool(group.inside) and design.part(group.inside).power.max_w is not None
        yield Item(group.part, group.count, _role(group.role), name, typical, most, a or b, covered=covered)
    for join in design.bundles:
        media = join.media
        if media is None or not join.field_cabled:
            continue
        for side in (0, 1):
            if media.optics[side] and (cages := occupied_cages(design, join, side)):
                optic = design.parts[media.optics[side]]
                (typical, a), (most, b) = optic.body_w("typical"), optic.body_w("max")
                yield Item(optic.part, cages, "optics", f"{join.name}@{join.ends[side].group}", typical, most, a or b)
        if media.cable and (n := links(design, join)):
            yield Item(media.cable, n, "cable", join.name, 0.0, 0.0, False, media.length_m)


def _role(role: str) -> Literal["compute", "network", "rest"]:
    return "compute" if role == "node" else "network" if role in ("leaf", "spine", "core", "scale-up", "switch") else "rest"


def _shell(design: Design, rack: Rack) -> tuple[float | None, float | None, bool]:
    """What a rack's published power leaves over its contents [W]: (typical, maximum, an estimate?). Never below zero."""
    out: list[float | None] = []
    for figure in ("typical", "max"):
        stated = rack.power.typical_w if figure == "typical" else rack.power.max_w
        inside = [(design.parts[c.part].body_w(figure)[0], c.count) for c in rack.contents.values()]
        known = sum(w * n for w, n in inside if w is not None)
        out.append(max(0.0, stated.value - known) if stated else 0.0)
    figures = (rack.power.typical_w, rack.power.max_w)
    return out[0], out[1], any(f is not None and f.estimate for f in figures)
