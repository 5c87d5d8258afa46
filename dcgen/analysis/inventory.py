"""What the design is made of, part by part: the one count that the BOM, power and cost all read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dcgen.design.model import Design, Join
from dcgen.design.sockets import occupied_cages
from dcgen.design.wiring import links
from dcgen.parts import Node, Part, Rack, Switch, SwitchTray


@dataclass(frozen=True, slots=True)
class Item:
    """So many of a part. `role` is compute, network, optics, cable, rack or rest; `where` is the group or bundle they belong to.

    `body_typical_w` and `body_max_w` [W] are what one draws, without optics that are counted apart; None is unknown, or, where
    `covered_typical` or `covered_max`, part of that published power of the rack it stands in.
    """

    part: str
    quantity: int
    role: Literal["compute", "network", "optics", "cable", "rack", "rest"]
    where: str
    body_typical_w: float | None
    body_max_w: float | None
    estimate: bool
    length_m: float | None = None
    covered_typical: bool = False
    covered_max: bool = False


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
        shell = design.part(group.inside).power if group.inside else None
        typical_too, max_too = (bool(shell) and f is not None for f in (shell and shell.typical_w, shell and shell.max_w))
        yield Item(
            group.part,
            group.count,
            _role(part, bool(group.inside)),
            name,
            typical,
            most,
            a or b,
            covered_typical=typical_too,
            covered_max=max_too,
        )
    plugged = _plugged(design)
    for join in design.bundles:
        media = join.media
        if media is None or not join.field_cabled:
            continue
        for side in (0, 1):
            if media.optics[side] and (cages := plugged[join.name, side]):
                optic = design.parts[media.optics[side]]
                (typical, a), (most, b) = optic.body_w("typical"), optic.body_w("max")
                yield Item(optic.part, cages, "optics", f"{join.name}@{join.ends[side].group}", typical, most, a or b)
        if media.cable and (n := links(design, join)):
            yield Item(media.cable, n, "cable", join.name, 0.0, 0.0, False, media.length_m)


def _plugged(design: Design) -> dict[tuple[str, int], int]:
    """(bundle, side) -> transceivers that it adds to those of the bundles before it."""
    ends: dict[tuple[str, str, str], list[tuple[Join, int]]] = {}
    for join in design.bundles:
        for side, end in enumerate(join.ends):
            if join.media and join.field_cabled and join.media.optics[side]:
                ends.setdefault((end.group, end.block.name, join.media.optics[side]), []).append((join, side))
    return {(j.name, s): n for mine in ends.values() for (j, s), n in zip(mine, occupied_cages(design, mine), strict=True)}


def _role(part: Part, inside: bool) -> Literal["compute", "network", "rest"]:
    """A switch that comes inside a rack, for its management, belongs to the rack."""
    switch = isinstance(part, SwitchTray) or (isinstance(part, Switch) and not inside)
    return "compute" if isinstance(part, Node) else "network" if switch else "rest"


def _shell(design: Design, rack: Rack) -> tuple[float | None, float | None, bool]:
    """What a rack's published power leaves over its contents [W]: (typical, maximum, an estimate?). Never below zero.

    A rack without a figure draws what its contents draw, and they say which of them are unknown.
    """
    out: list[float | None] = []
    for figure in ("typical", "max"):
        stated = rack.power.typical_w if figure == "typical" else rack.power.max_w
        inside = [(design.parts[c.part].body_w(figure)[0], c.count) for c in rack.contents.values()]
        known = sum(w * n for w, n in inside if w is not None)
        out.append(max(0.0, stated.value - known) if stated else 0.0 if inside else None)
    figures = (rack.power.typical_w, rack.power.max_w)
    return out[0], out[1], any(f is not None and f.estimate for f in figures)
