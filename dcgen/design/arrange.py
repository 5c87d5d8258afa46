"""Which rack stands on which tile when nobody said: racks in the order of their coordinates, network racks amid those they serve."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dcgen.design.columns import columns
from dcgen.design.hall import Hall, Row, in_runs
from dcgen.design.model import Design, DeviceGroup
from dcgen.design.placement import racks
from dcgen.design.routes import rack_numbers
from dcgen.parts import Rack

Reals = NDArray[np.float64]
Tile = tuple[str, int]
Standing = tuple[str, int]
"""(group, number of the rack in the order they are filled)."""


@dataclass(frozen=True, slots=True)
class Arranged:
    """The hall with its racks; `left` are those that found no place, and why not, row by row in words."""

    hall: Hall
    left: tuple[Standing, ...] = ()
    why: str = ""
    unknown_power: tuple[str, ...] = ()


def owners(design: Design) -> dict[str, int]:
    """Group -> racks of its own, those of absent devices included: a tile is kept for what may come back."""
    out = {}
    for name, group in design.groups.items():
        home = racks(design, group)
        if home.own and group.declared:
            out[name] = group.declared if group.role == "rack" else -(-group.declared // home.per_rack)
    return out


def rack_w(design: Design, group: str) -> float | None:
    """What one full rack of a group draws at most, transceivers left out [W]; None where a figure is missing."""
    g, part = design.groups[group], design.part(group)
    beside = [(design.part(x.name).body_w("max")[0], x.per_rack) for x in design.groups.values() if x.beside == group]
    if isinstance(part, Rack):
        own = part.power.max_w.value if part.power.max_w else None
    else:
        each = part.body_w("max")[0]
        own = None if each is None else each * min(racks(design, g).per_rack, g.declared)
    if own is None or any(w is None for w, _ in beside):
        return None
    return own + sum(w * n for w, n in beside if w is not None)


def liquid(design: Design, group: str) -> bool:
    """Whether a rack of the group cannot do with air alone."""
    return design.part(group).cooling in ("liquid", "mixed")


def sequence(design: Design) -> list[Standing]:
    """All racks in one line: nodes in the order of their coordinates, a network rack at the mean of the racks it is cabled to below.

    So a leaf stands in the middle of its rail, and a spine in the middle of its leaves.
    """
    own, keys, start = owners(design), dict[str, Reals](), 0
    network = [n for n in own if design.groups[n].tier > 0 or _served(design, n)]
    for name in own:
        if name not in network:
            keys[name] = np.arange(start, start + own[name], dtype=np.float64)
            start += own[name]
    for name in sorted(network, key=lambda n: design.groups[n].tier):
        keys[name] = _means(design, name, own[name], keys, float(start))
    order = sorted(
        (float(keys[name][i]), design.groups[name].tier, rank, i, name) for rank, name in enumerate(own) for i in range(own[name])
    )
    return [(name, i) for *_, i, name in order]


def _served(design: Design, name: str) -> bool:
    return any(b.b.group == name != b.a.group and b.field_cabled for b in design.bundles)


def _means(design: Design, name: str, count: int, keys: Mapping[str, Reals], end: float) -> Reals:
    """Mean key of the racks that each rack of a group is cabled to below; at the end of the line where there are none."""
    total, number = np.zeros(count), np.zeros(count)
    upper = rack_numbers(design, design.groups[name])
    for join in design.bundles:
        below = design.groups[join.a.group]
        home = racks(design, below).group
        if join.b.group != name or home not in keys or join.a.group == name:
            continue
        c = columns(design, join)
        at, key = upper[c.b], keys[home][rack_numbers(design, below)[c.a]]
        total += np.bincount(at, key, count)
        number += np.bincount(at, minlength=count)
    return np.where(number > 0, total / np.maximum(number, 1), end)


@dataclass
class _Filling:
    """What is left of a row while it is filled."""

    row: Row
    free: list[int]
    rack_w: float
    cooling: tuple[str, ...]
    zones: tuple[str, ...]
    taken: list[Standing] = field(default_factory=list)


def arrange(design: Design, hall: Hall, said: Mapping[Standing, Tile], network: str) -> Arranged:
    """Fill the rows: what was `said` first, the rest in line, each rack in the first row that has a tile, power and cooling for it.

    In each row network racks then come together in its `middle`, or after the others at the `end`.
    """
    left_w = {z.name: z.power_w for z in hall.zones if z.power_w is not None}
    rows = [_opened(hall, row, set(said.values())) for row in hall.rows]
    by_row = {f.row.name: f for f in rows}
    unknown: dict[str, None] = {}
    for (group, _), (row, _) in said.items():
        _draw(design, group, by_row[row], left_w, unknown)
    left: list[Standing] = []
    current = 0
    for standing in sequence(design):
        if standing in said:
            continue
        while current < len(rows) and len(rows[current].taken) >= len(rows[current].free):
            current += 1
        home = next((f for f in rows[current:] if _fits(design, standing[0], f, left_w)), None)
        if home is None:
            left.append(standing)
            continue
        _draw(design, standing[0], home, left_w, unknown)
        home.taken.append(standing)
    places = dict(said)
    for f in rows:
        places.update({s: (f.row.name, p) for s, p in zip(_in_row(design, f.taken, network), f.free, strict=False)})
    rank = {name: i for i, name in enumerate(design.groups)}
    runs = in_runs(dict(sorted(places.items(), key=lambda x: (rank[x[0][0]], x[0][1]))))
    return Arranged(replace(hall, runs=runs), tuple(left), _why(design, rows, left, left_w), tuple(unknown))


def _opened(hall: Hall, row: Row, taken: set[Tile]) -> _Filling:
    zones = [z for z in hall.zones if row.name in z.rows]
    free = [p for p in range(row.positions) if p not in row.blocked and (row.name, p) not in taken]
    most = min((z.rack_w for z in zones if z.rack_w is not None), default=float("inf"))
    cooling = tuple(c for c in ("air", "liquid") if all(c in z.cooling for z in zones))
    return _Filling(row, free, most, cooling, tuple(z.name for z in zones))


def _fits(design: Design, group: str, f: _Filling, left_w: Mapping[str, float]) -> bool:
    need = rack_w(design, group) or 0.0
    power = need <= f.rack_w and all(need <= left_w.get(z, float("inf")) for z in f.zones)
    return len(f.taken) < len(f.free) and power and ("liquid" if liquid(design, group) else "air") in f.cooling


def _draw(design: Design, group: str, f: _Filling, left_w: dict[str, float], unknown: dict[str, None]) -> None:
    need = rack_w(design, group)
    if need is None and f.zones:
        unknown[group] = None
    for z in f.zones:
        if z in left_w:
            left_w[z] -= need or 0.0


def _in_row(design: Design, taken: list[Standing], network: str) -> list[Standing]:
    """The racks of a row with its network racks where they belong."""

    def serves(standing: Standing) -> bool:
        group: DeviceGroup = design.groups[standing[0]]
        return group.tier > 0 or _served(design, group.name)

    rank = {name: (group.tier, i) for i, (name, group) in enumerate(design.groups.items())}
    switches = sorted((s for s in taken if serves(s)), key=lambda s: (rank[s[0]], s[1]))
    others = [s for s in taken if not serves(s)]
    half = len(others) if network == "end" else -(-len(others) // 2)
    return [*others[:half], *switches, *others[half:]]


def _why(design: Design, rows: list[_Filling], left: list[Standing], left_w: Mapping[str, float]) -> str:
    free = sum(len(f.free) - len(f.taken) for f in rows)
    said = [f"{free} tiles are free in {len(rows)} rows" if len(rows) > 1 else f"{free} tiles are free"]
    said += [f"zone {z} has {max(0.0, w) / 1e3:g} kW left" for z, w in left_w.items()]
    wet = sum(liquid(design, group) for group, _ in left)
    cooled = sum("liquid" in f.cooling for f in rows)
    said += [f"{wet} of them need liquid cooling, which {cooled or 'no'} rows have"] if wet and cooled < len(rows) else []
    most = [f.rack_w for f in rows if f.rack_w != float("inf")]
    said += [f"a rack may draw at most {max(most) / 1e3:g} kW there"] if most else []
    return "; ".join(said)
