"""What is built when: the phase of every device and cable, and how many come with each."""

from dataclasses import replace
from typing import TYPE_CHECKING

from dcgen.design.model import Design, DeviceGroup
from dcgen.design.region import carve, meet, volume
from dcgen.design.wiring import links
from dcgen.naming import Selector

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def phase_numbers(design: Design, group: DeviceGroup) -> "NDArray[np.int64]":
    """Phase of every flat index of a group: 0 for none, else its position from 1 in the order of the phases."""
    import numpy as np

    shape = tuple(group.rulers.values())
    out = np.zeros(shape, np.int64)
    for number, selectors in enumerate(design.phases.values(), 1):
        for box in (s.box for s in selectors if s.group == group.name):
            out[tuple(slice(box[a].start, box[a].stop) if a in box else slice(None) for a in group.rulers)] = number
    return out.ravel()


def devices_by_phase(design: Design) -> dict[str, int]:
    """Devices that come with each phase, and those of no phase under an empty name; racks themselves are not counted."""
    standing = [g for g in design.groups.values() if g.role != "rack"]
    out = {"": sum(g.count for g in standing)}
    for name, selectors in design.phases.items():
        out[name] = sum(_covered(g, selectors) for g in standing)
        out[""] -= out[name]
    return out


def _covered(group: DeviceGroup, selectors: tuple[Selector, ...]) -> int:
    """Devices of a group that selectors name, each counted once."""
    left = [box for whole in group.boxes for box in carve(whole, [s.box for s in selectors if s.group == group.name])]
    return group.count - sum(volume(box) for box in left)


def cables_by_phase(design: Design) -> dict[str, int]:
    """Cables that can be pulled once a phase stands and could not before; those between devices of no phase under an empty name."""
    names, before = ["", *design.phases], 0
    out = {}
    for done, name in enumerate(names, 1):
        later = [s for n in names[done:] for s in design.phases[n]]
        so_far = _cables(_without(design, later))
        out[name], before = so_far - before, so_far
    return out


def _without(design: Design, selectors: list[Selector]) -> Design:
    """The design as if these devices were absent."""
    groups = {
        name: replace(g, absent=(*g.absent, *more)) if (more := [s for s in selectors if s.group == name]) else g
        for name, g in design.groups.items()
    }
    return replace(design, groups=groups)


def _cables(design: Design) -> int:
    return sum(links(design, b) for b in design.bundles if b.field_cabled)


def overlap(group: DeviceGroup, one: Selector, other: Selector) -> Selector | None:
    """The devices of a group that both selectors name, or None."""
    here = meet(group.full, one.box)
    both = meet(here, other.box) if here else None
    if both is None:
        return None
    return Selector(group.name, tuple((axis, r.start, r.stop - 1) for axis, r in both.items()))


__all__ = ["cables_by_phase", "devices_by_phase", "overlap", "phase_numbers"]
