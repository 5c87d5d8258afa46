"""Cages that several bundles share, and what each of them plugs in."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dcgen.design.model import Design, Join
from dcgen.design.sockets import cage_range

if TYPE_CHECKING:
    from dcgen.design.columns import Ints


def mixed_cages(design: Design) -> Iterator[tuple[str, int, tuple[str, str]]]:
    """(group, cage counted from 0, two bundles) where bundles that share a cage put different plugs into it, once per pair of bundles.

    Only what is made of one kind throughout is compared: a bundle of several kinds has cages of its own.
    """
    ends: dict[tuple[str, str], list[tuple[Join, int]]] = {}
    for join in design.bundles:
        if join.field_cabled and len({(m.medium, m.cable, m.optics) for m in join.media if m.cable}) == 1:
            for side, end in enumerate(join.ends):
                ends.setdefault((end.group, end.block.name), []).append((join, side))
    for (group, _), mine in ends.items():
        plugs = {_plug(*end) for end in mine}
        if len(plugs) < 2:
            continue
        ranges = [cage_range(design, *end) for end in mine]
        for i, one in enumerate(mine):
            for k in range(i + 1, len(mine)):
                touch = max(ranges[i].start, ranges[k].start) < min(ranges[i].stop, ranges[k].stop)
                if touch and _plug(*one) != _plug(*mine[k]) and (cage := _shared(design, one, mine[k])) is not None:
                    yield group, cage, (one[0].name, mine[k][0].name)


def _plug(join: Join, side: int) -> str:
    """What a bundle plugs in: the transceiver, or the plug of its cable."""
    return join.media[-1].optics[side] or join.media[-1].cable


def _shared(design: Design, one: tuple[Join, int], other: tuple[Join, int]) -> int | None:
    """The first cage that both reach on one device."""
    import numpy as np

    top = max(cage_range(design, *one).stop, cage_range(design, *other).stop)
    met = np.intersect1d(_held(design, *one, top), _held(design, *other, top))
    return int(met[0] % top) if len(met) else None


def _held(design: Design, join: Join, side: int, top: int) -> "Ints":
    from dcgen.design.columns import cages, columns

    c = columns(design, join)
    cage, _ = cages(join.ends[side], c.b_port if side else c.a_port)
    return (c.b if side else c.a) * top + cage
