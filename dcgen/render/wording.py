"""Words that drawings and the report share: rates, titles, counts."""

from dcgen.design.model import Design, DeviceGroup, Fabric, Join
from dcgen.design.wiring import links
from dcgen.parts import Node
from dcgen.tables.layout import Budget, budgets, switch_groups
from dcgen.units import rounded

NAMES = {
    "gpus": "GPUs",
    "cpus": "CPUs",
    "power_max": "power, maximum",
    "power_typical": "power, typical",
    "failures_per_year": "failures a year",
    "job_mttf": "time to the first interruption of a job",
}
"""Beginnings of names of measures that are not read aloud as they are written."""


def measure_name(measure: str) -> str:
    """`power_max_network` as `power, maximum: network`."""
    start = next((n for n in NAMES if measure == n or measure.startswith(f"{n}_")), "")
    rest = measure.removeprefix(start).strip("_").replace("_", " ")
    return ": ".join(filter(None, (NAMES.get(start), rest)))


def rate(gbps: float) -> str:
    """`800G`, `1.6T`."""
    return f"{gbps / 1000:g}T" if gbps >= 1000 else f"{gbps:g}G"


def count(n: int, one: str, many: str = "") -> str:
    """`1 rack`, `32 racks`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def title(design: Design) -> str:
    """What the design is called."""
    return design.title or design.name


def fabric_title(fabric: Fabric) -> str:
    """What a fabric is called: its key, and its title where it has one."""
    return f"{fabric.name} ({fabric.title})" if fabric.title else fabric.name


def at(coordinates: dict[str, int]) -> str:
    """`su 0 · rail 3`."""
    return " · ".join(f"{axis} {x}" for axis, x in coordinates.items())


def accelerators(design: Design, group: DeviceGroup) -> int:
    """Accelerators of one device; 0 for what is no node."""
    part = design.part(group.name)
    return part.accelerators if isinstance(part, Node) else 0


def ports_in_use(design: Design, group: DeviceGroup) -> list[str]:
    """`144 of 144 ports` per socket group of a switch that something plugs into."""
    if group.name not in {g.name for g in switch_groups(design)}:
        return []
    return [f"{b.used:,} of {b.ports:,} {b.sockets} ports used, {_left(b)}" for b in budgets(design, group) if b.used]


def _left(budget: Budget) -> str:
    kept = f"{budget.reserved:,} reserved, " if budget.reserved else ""
    return f"{kept}{budget.free:,} free" if budget.free >= 0 else f"{kept}short by {-budget.free:,}"


def medium(join: Join) -> str:
    """`dac 2 m`, `dac / fibre 2 to 30 m`, or nothing when it was not chosen."""
    if not join.media or not join.field_cabled:
        return "" if join.field_cabled else "factory wired"
    words = " / ".join(dict.fromkeys(m.medium for m in join.media))
    lengths = [m.length_m for m in join.media if m.length_m]
    return f"{words} {span(lengths)}" if lengths else words


def span(lengths_m: list[float]) -> str:
    """`3 m`, or `3 to 50 m` where they differ; nothing where there are none."""
    if not lengths_m:
        return ""
    low, high = min(lengths_m), max(lengths_m)
    return f"{rounded(high, 3)} m" if low == high else f"{rounded(low, 3)} to {rounded(high, 3)} m"


def bundle_line(design: Design, *joins: Join) -> str:
    """`2,304 × 800G`; of several bundles of one rate, their links together."""
    return f"{sum(links(design, j) for j in joins):,} × {rate(joins[0].rate_gbps)}"
