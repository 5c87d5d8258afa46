"""Which rack every device stands in, by a stated rule as long as no hall says otherwise.

Devices that come inside a rack stand in it. Nodes fill racks in the order of their coordinates, `per_rack` to a rack. Network
switches fill racks of their own tier, in the order of their coordinates, as many as fit into the usable height. Where in the
rack is not derived: a U position that no source gives stays empty.
"""

from dataclasses import dataclass

from dcgen.design.model import Design, DeviceGroup
from dcgen.naming import label

USABLE_U = 42
"""Height that the rule fills in a network rack [U]; the rest is for cable management and power strips."""
UNKNOWN_U = 4
"""Height taken for a switch whose own is not known [U]: the tallest that is common for fixed switches."""


@dataclass(frozen=True, slots=True)
class Racks:
    """The racks one group stands in: how many, how many devices fill one, and how a rack is called."""

    group: str
    count: int
    per_rack: int
    own: bool
    rule: str


def racks(design: Design, group: DeviceGroup) -> Racks:
    """The racks of a group; `own` is False when they are racks of another group."""
    if group.inside:
        return Racks(group.inside, design.groups[group.inside].count, 0, False, "comes inside the rack")
    if group.role == "rack":
        return Racks(group.name, group.count, 1, True, "is a rack")
    if group.beside:
        host = racks(design, design.groups[group.beside])
        return Racks(host.group, host.count, group.per_rack, False, f"{group.per_rack} in each rack of {host.group}")
    height = design.parts[group.part].height_u
    fit = max(1, int(USABLE_U // (height.value if height and height.value else UNKNOWN_U)))
    per_rack = group.per_rack or fit
    said = f"{per_rack} to a rack" + (
        "" if group.per_rack else f": {USABLE_U} U usable" + ("" if height else f", height unknown, {UNKNOWN_U} U taken")
    )
    return Racks(group.name, -(-group.declared // per_rack), per_rack, True, said)


def rack_label(design: Design, group: DeviceGroup, flat: int) -> str:
    """The rack that one device stands in."""
    if group.inside:
        at = group.coordinates(flat)
        return label(group.inside, {a: at[a] for a in group.rack_axes})
    if group.role == "rack":
        return label(group.name, group.coordinates(flat))
    if group.beside:
        host, n = design.groups[group.beside], _ordinal(group, flat) // group.per_rack
        each = 1 if host.role == "rack" else racks(design, host).per_rack
        return rack_label(design, host, _nth(host, n * each))
    return f"{label(group.name, {})}-rack{_ordinal(group, flat) // racks(design, group).per_rack}"


def _ordinal(group: DeviceGroup, flat: int) -> int:
    """Position in the order of coordinates, absent devices included: a rack never refills when one is taken out."""
    n = 0
    for axis, x in group.coordinates(flat).items():
        n = n * group.sizes[axis] + x
    return n


def _nth(group: DeviceGroup, ordinal: int) -> int:
    """Flat index of the device at a position in the order of coordinates; inverse of `_ordinal`."""
    at: dict[str, int] = {}
    for axis in reversed(group.axes):
        ordinal, at[axis.name] = divmod(ordinal, axis.size)
    return group.flat(at)


def rack_count(design: Design) -> int:
    """Racks of the whole design."""
    return sum(r.count for r in (racks(design, g) for g in design.groups.values()) if r.own)
