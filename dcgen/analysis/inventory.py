"""What the design is made of, part by part: the one count that the BOM, power and cost all read."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dcgen.design.model import Design, Join
from dcgen.parts import Cable, Node, Part, Rack, Switch, SwitchTray


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
    for join in design.bundles:
        if join.field_cabled:
            yield from _cabling(design, join)


def _cabling(design: Design, join: Join) -> Iterator[Item]:
    """Transceivers and cables of a bundle, each length of cable by itself."""
    for side, end in enumerate(join.ends):
        for name in dict.fromkeys(m.optics[side] for m in join.media if m.optics[side]):
            if n := design.tally.plugs[join.name, side, name]:
                optic = design.parts[name]
                (typical, a), (most, b) = optic.body_w("typical"), optic.body_w("max")
                yield Item(name, n, "optics", f"{join.name}@{end.group}", typical, most, a or b)
    for rung, media in enumerate(join.media):
        if media.cable and (n := design.tally.cables[join.name, rung]):
            (typical, a), (most, b) = _plugs_w(design.parts[media.cable])
            yield Item(media.cable, n, "cable", join.name, typical, most, a or b, media.length_m)


def _plugs_w(part: Part) -> tuple[tuple[float | None, bool], tuple[float | None, bool]]:
    """(typical, maximum) of what the plugs of a cable draw [W], each with whether it is an estimate; only active ones draw anything."""
    if isinstance(part, Cable) and part.medium in ("acc", "aoc"):
        return part.body_w("typical"), part.body_w("max")
    return (0.0, False), (0.0, False)


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
