"""The hall: rooms with rows of tiles, trays and ducts between them, and which rack stands on which tile.

x runs along the rows, y across them, z upward from the floor, all in metres within a room. Rows and tiles count from 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

UNIT_M = 0.04445
"""Height of one rack unit [m] (EIA-310)."""
STOCKED_M = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 40.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0, 2000.0)
"""Lengths [m] taken to be stocked of a cable whose part lists none: those that makers list for copper, active cables and jumpers."""


@dataclass(frozen=True, slots=True)
class Row:
    """A straight row of tiles, one rack to a tile. `y_m` is the middle of its racks; nothing may stand on a `blocked` tile."""

    name: str
    room: str
    y_m: float
    positions: int
    blocked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Tray:
    """A straight tray: over the row `along`, or across the rows of its room where `along` is empty.

    It lies at `at_m` (y of a tray along a row, x of one across) and runs from `start_m` to `stop_m` on the other axis, `z_m` above the
    floor. `max_fill_1` is the share of its cross-section that may be filled; a cross-section that nobody gave is not checked.
    """

    name: str
    room: str
    along: str
    at_m: float
    start_m: float
    stop_m: float
    z_m: float
    width_m: float | None = None
    depth_m: float | None = None
    max_fill_1: float = 0.4


@dataclass(frozen=True, slots=True)
class Duct:
    """A way between two rooms or buildings, from tile to tile; its length is that of the cable in it, None where unknown."""

    name: str
    a: tuple[str, int]
    b: tuple[str, int]
    length_m: float | None = None


@dataclass(frozen=True, slots=True)
class Detour:
    """What all cables between two racks do because a tray of the shortest way is full: the stretches of trays they take, and how long
    that is from where they enter the first to where they leave the last."""

    a: tuple[str, int]
    b: tuple[str, int]
    length_m: float
    stretches: tuple[tuple[str, float, float], ...]


@dataclass(frozen=True, slots=True)
class Zone:
    """Rows that share a supply: how much power they have together and for one rack [W], and which cooling there is."""

    name: str
    rows: tuple[str, ...]
    power_w: float | None = None
    rack_w: float | None = None
    cooling: tuple[str, ...] = ("air", "liquid")


@dataclass(frozen=True, slots=True)
class Run:
    """Racks `first` to `first + count - 1` of a group, in the order they are filled, on the tiles of a row from `position` on."""

    group: str
    first: int
    count: int
    row: str
    position: int


@dataclass(frozen=True)
class Hall:
    """Where racks stand and cables run.

    A cable takes at each end `lead_m` from its port to where it rises, and leaves `slack_m` spare. `units` says in which rack unit the
    first or every device of a group's rack stands; where it says nothing, all stand at `unit`, a stated assumption. Racks are
    `rack_u` high. `stocked_m` are the lengths there are of cables whose part lists none, `diameters` [m] by medium what they are taken
    to be thick where theirs does not.
    """

    rows: tuple[Row, ...]
    trays: tuple[Tray, ...] = ()
    ducts: tuple[Duct, ...] = ()
    zones: tuple[Zone, ...] = ()
    runs: tuple[Run, ...] = ()
    detours: tuple[Detour, ...] = ()
    pitch_m: float = 0.6
    depth_m: float = 1.2
    aisle_m: float = 1.2
    rack_u: float = 48
    unit: str = "middle"
    units: tuple[tuple[str, tuple[float, ...]], ...] = ()
    lead_m: float = 0.5
    slack_m: float = 0.5
    stocked_m: tuple[float, ...] = STOCKED_M
    diameters: tuple[tuple[str, float], ...] = ()
    rack_mass_kg: float | None = None
    rack_limit_kg: float | None = None
    foot_limit_kg: float | None = None
    floor_limit_kg_m2: float | None = None
    rule: str = ""

    @cached_property
    def by_name(self) -> dict[str, Row]:
        """Row by its name."""
        return {r.name: r for r in self.rows}

    @property
    def row_pitch_m(self) -> float:
        """From one row to the next."""
        return self.depth_m + self.aisle_m

    def x_m(self, position: int) -> float:
        """The middle of a tile along its row."""
        return (position + 0.5) * self.pitch_m

    @cached_property
    def unit_m(self) -> float:
        """Height above the floor at which devices of unknown position are taken to be connected."""
        return self.rack_u * UNIT_M * {"top": 1.0, "middle": 0.5, "bottom": 0.0}[self.unit]

    def tiles(self) -> Iterator[tuple[str, int, str, int]]:
        """(row, position, group, rack) of every rack that has a place."""
        for run in self.runs:
            for i in range(run.count):
                yield run.row, run.position + i, run.group, run.first + i

    @property
    def free_tiles(self) -> int:
        """Tiles that hold no rack and are not blocked."""
        return sum(r.positions - len(r.blocked) for r in self.rows) - sum(run.count for run in self.runs)


def tile(row: str, position: int) -> str:
    """`r3[12]`: how a tile is written."""
    return f"{row}[{position}]"


def in_runs(places: dict[tuple[str, int], tuple[str, int]]) -> tuple[Run, ...]:
    """(group, rack) -> (row, position), as few runs as there are stretches; in the order of groups and racks."""
    runs: list[Run] = []
    for (group, rack), (row, position) in places.items():
        last = runs[-1] if runs else None
        if last and (last.group, last.first + last.count, last.row, last.position + last.count) == (group, rack, row, position):
            runs[-1] = Run(group, last.first, last.count + 1, row, last.position)
        else:
            runs.append(Run(group, rack, 1, row, position))
    return tuple(runs)
