"""What the design is made of, part by part: the one count that the BOM, power and cost all read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dcgen.design.model import Design, Join
from dcgen.design.sockets import cage_range, occupied_cages
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
    counted: list[tuple[Join, int]] = []
    for join in design.bundles:
        media = join.media
        if media is None or not join.field_cabled:
            continue
        for side in (0, 1):
            if media.optics[side] and (cages := _plugged(design, join, side, counted)):
                optic = design.parts[media.optics[side]]
                (typical, a), (most, b) = optic.body_w("typical"), optic.body_w("max")
                yield Item(optic.part, cages, "optics", f"{join.name}@{join.ends[side].group}", typical, most, a or b)
        if media.cable and (n := links(design, join)):
            yield Item(media.cable, n, "cable", join.name, 0.0, 0.0, False, media.length_m)


def _plugged(design: Design, join: Join, side: int, counted: list[tuple[Join, int]]) -> int:
    """Transceivers that a bundle adds at one end to those of the bundles before it: one cage takes one, whoever's ports it carries."""
    here, me = cage_range(design, join, side), (join.ends[side].group, join.ends[side].block.name, _optic(join, side))
    shared = [
        (other, at)
        for other, at in counted
        if (other.ends[at].group, other.ends[at].block.name, _optic(other, at)) == me
        and max(here.start, (r := cage_range(design, other, at)).start) < min(here.stop, r.stop)
    ]
    counted.append((join, side))
    return occupied_cages(design, [*shared, (join, side)]) - (occupied_cages(design, shared) if shared else 0)


def _optic(join: Join, side: int) -> str:
    return join.media.optics[side] if join.media else ""


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
