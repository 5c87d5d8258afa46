"""How many cables of each length and how many transceivers a design has: counted once, read by power, cost and every table."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join, Media
from dcgen.design.sockets import occupied_cages
from dcgen.design.wiring import links
from dcgen.parts import Cable

if TYPE_CHECKING:
    from dcgen.design.columns import Ints


@dataclass(frozen=True, slots=True)
class Tally:
    """Counts of what is pulled and plugged: `cables` by (bundle, rung), `plugs` by (bundle, side, part) beyond those of the bundles
    before it, which may share cages, and `lit` the links that those carry."""

    cables: dict[tuple[str, int], int] = field(default_factory=dict)
    plugs: dict[tuple[str, int, str], int] = field(default_factory=dict)
    lit: dict[tuple[str, int, str], int] = field(default_factory=dict)


def per_cable(design: Design, media: Media) -> int:
    """Links that one cable of this kind carries: the ports of its plug times its legs."""
    part = design.parts.get(media.cable)
    return part.legs * part.ports if isinstance(part, Cable) else 1


def fan_side(join: Join) -> int:
    """The end at which a cable of several links has its one plug."""
    return 1 if join.b.block.split > 1 or join.a.block.split == 1 else 0


def tally(design: Design) -> Tally:
    """Cables and transceivers of the whole design, without a row where no hall tells cables apart."""
    out = Tally()
    held: dict[tuple[str, str, str], list[tuple[Join, int]]] = {}
    several: dict[tuple[str, int, str], Ints] = {}
    for join in design.bundles:
        if not join.field_cabled:
            continue
        several.update(_counted(design, join, out))
        for side, end in enumerate(join.ends):
            for optic in dict.fromkeys(m.optics[side] for m in join.media if m.optics[side]):
                held.setdefault((end.group, end.block.name, optic), []).append((join, side))
    for (_, _, optic), ends in held.items():
        picked = [several.get((join.name, side, optic)) for join, side in ends]
        for (join, side), n, rows in zip(ends, occupied_cages(design, ends, picked), picked, strict=True):
            out.plugs[join.name, side, optic] = n
            out.lit[join.name, side, optic] = links(design, join) if rows is None else len(rows)
    return out


def _counted(design: Design, join: Join, out: Tally) -> "dict[tuple[str, int, str], Ints]":
    """Count a bundle's cables; gives the links of each transceiver where it has several."""
    if len(join.media) > 1:
        from dcgen.design.ladder import sorted_out

        found = sorted_out(design, join)
        out.cables.update({(join.name, i): n for i, n in enumerate(found.cables)})
        return {(join.name, *key): rows for key, rows in found.picked.items()}
    if join.media:
        split = per_cable(design, join.media[0]) > 1
        out.cables[join.name, 0] = occupied_cages(design, [(join, fan_side(join))])[0] if split else links(design, join)
    return {}
