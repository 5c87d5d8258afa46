"""How the cages of a switch are run, and how many of its ports are taken: before any row."""

from collections.abc import Iterator
from dataclasses import dataclass

from dcgen.design.model import Design, DeviceGroup, Join
from dcgen.design.sockets import cage_range, ports_held, splits, users
from dcgen.parts import Ports, Switch


@dataclass(frozen=True, slots=True)
class Budget:
    """Ports of one socket group of a switch: how many there are as it is run, taken on the fullest device, reserved, and left."""

    group: str
    sockets: str
    ports: int
    used: int
    reserved: int
    rate_gbps: float | None

    @property
    def free(self) -> int:
        """Ports that nothing is planned for."""
        return self.ports - self.used - self.reserved


def switch_groups(design: Design) -> Iterator[DeviceGroup]:
    """Groups of switches, those that come inside a rack included."""
    return (g for g in design.groups.values() if isinstance(design.parts[g.part], Switch))


def reserved(design: Design, group: DeviceGroup, sockets: str) -> list[int]:
    """Cages (from 0) of a socket group that nothing may be plugged into."""
    names = list(design.part(group.name).port_groups())
    return [c for c in group.reserved if c < design.part(group.name).port_groups()[sockets].cages] if names[0] == sockets else []


def mixed(design: Design, group: DeviceGroup, sockets: str) -> bool:
    """Whether bundles run one cage in different ways on different devices, so that ports differ between devices."""
    ends = [(j.ends[s].block.split, cage_range(design, j, s)) for j, s in users(design, group.name, sockets)]
    cages = design.part(group.name).port_groups()[sockets].cages
    meet = any(a[0] != b[0] and max(a[1].start, b[1].start) < min(a[1].stop, b[1].stop) for a in ends for b in ends)
    return meet or any(cage.stop > cages for _, cage in ends)


def rate_of(ports: Ports, split: int) -> float | None:
    """Rate of a port when its cage is run so [Gb/s]."""
    return next((rate for count, rate in ports.modes if count == split), None)


def budgets(design: Design, group: DeviceGroup) -> list[Budget]:
    """What a switch group's ports are used for, one line per socket group."""
    found = []
    for name, ports in design.part(group.name).port_groups().items():
        run = splits(design, group.name, name)
        rates = {rate_of(ports, split) for split in run}
        rate = rates.pop() if len(rates) == 1 else None
        used, kept = _used(design, users(design, group.name, name)), sum(run[cage] for cage in reserved(design, group, name))
        found.append(Budget(group.name, name, sum(run), used, kept, rate))
    return found


def _used(design: Design, ends: list[tuple[Join, int]]) -> int:
    """Ports taken on the fullest device."""
    if not any(j.ends[s].where or j.ends[1 - s].where for j, s in ends):
        return ports_held(design, ends)
    import polars as pl

    from dcgen.design.columns import columns

    devices = [pl.Series(c.b if side else c.a) for join, side in ends for c in [columns(design, join)]]
    return int(pl.concat(devices).value_counts(name="ports").select(pl.col("ports").max()).item() or 0)
